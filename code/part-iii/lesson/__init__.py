"""Lesson 6.1: its network, trainings, verdicts and page; uses support alone; lesson_6_1.py and the tests enter."""
