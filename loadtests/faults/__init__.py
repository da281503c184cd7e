"""Faults and overload, injected into a server of our own: the measurements of docs/reliability.md, one module each."""
