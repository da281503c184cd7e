"""Attendant and its peers side by side, on the same weights: `python -m loadtests.peers`, or `make bench-peers`."""
