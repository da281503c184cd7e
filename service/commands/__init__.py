"""Subcommands of `attendant` that belong to the server: one file each, imported when called."""
