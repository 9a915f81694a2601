"""What the chapters and the lesson share and no text is about: files, numbers, records, tables; it uses nobody."""
