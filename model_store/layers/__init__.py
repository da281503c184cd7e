"""Blocks that two or more architectures share."""
