"""HTTP in, HTTP out: what API.md promises, byte for byte. The only room with wire models."""
