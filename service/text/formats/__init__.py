"""What a text is written in: Markdown, HTML, LaTeX, JSON, YAML, tables, code; what of it is for people."""
