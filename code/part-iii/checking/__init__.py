"""Holds records against expectations and texts: for check.py, which shares only what is neutral with the programs."""
