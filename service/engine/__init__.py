"""Continuous batching: segments join and leave between two decoder steps. Pure Python and numpy."""
