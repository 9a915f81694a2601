"""What no text is about: files, numbers, records, tables. Doors, chapters and lesson enter; judges, neutral files."""
