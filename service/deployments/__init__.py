"""How the server is deployed: what one replica holds, Ray Serve around it, HAProxy in front."""
