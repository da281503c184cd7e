"""The contract: the format of a bundle, and how one is opened, verified and published. All that the server imports."""
