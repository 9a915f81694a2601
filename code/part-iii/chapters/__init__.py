"""各章的计算与版面；只用 support，不用 lesson，只有 run.py、figures.py、Notebook 和测试进来。"""
