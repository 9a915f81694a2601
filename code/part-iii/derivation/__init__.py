"""The second way to every recorded figure, a file a chapter: standard library alone, and only derive.py enters."""
