"""Stretches of a text and how its characters are read: normalised text with the way back, what no rule may change."""
