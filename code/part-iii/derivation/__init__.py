"""The second way to every figure of the chapters, for derive.py and the tests; of support it uses what is neutral."""
