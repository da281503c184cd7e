"""Models that were trained elsewhere, as finished runs: their weights and vocabularies in the terms of this package."""
