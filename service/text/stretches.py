"""Parts of a text by their places."""

Stretch = tuple[int, int]
"""The code points `start`..`end` of a text."""
