"""From a recipe to weights: one run, resumable at any moment."""
