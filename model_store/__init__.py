"""The training side: train and export models, and keep them as bundles. Imports nothing from `service`."""
