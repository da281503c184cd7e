"""The server. Imports no torch, and of `model_store` only the contract."""
