"""The workshop and the shelf: train, export and keep bundles. Imports nothing from `service`."""
