"""Plain batch decoding over the two graphs, for validation and for measuring bundles. Serving has its own."""
