"""The HTTP API, version 1, as a plain ASGI application. No other package has wire models."""
