"""Plain batch decoding over the contract's two graphs, for validation and for measuring bundles. Serving has its own."""
