"""People, companies, places, buttons and fields: what stands for itself in a text, and what a small model garbles."""
