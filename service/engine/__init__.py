"""The loop that batches: between two steps segments join and leave. Pure Python and numpy."""
