"""What the chapters say, one predicate a claim; each reads results and nothing else, and both doors may enter."""
