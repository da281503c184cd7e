"""Load and scenarios against a running server, as a client sees it."""
