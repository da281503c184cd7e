"""The measurements of docs/measurements.md: each module prints one table; `make bench` runs them all."""
