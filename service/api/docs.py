"""GET /docs: the OpenAPI document as a page for people that needs no other site."""

from __future__ import annotations

import html
import json

from service.api.openapi import EXAMPLE, Schema


def docs_page(document: Schema) -> bytes:
    """A page for people: every path, every field of every model."""
    paths = "".join(
        f"<tr><td><code>{method.upper()} {path}</code></td><td>{html.escape(operation['summary'])}</td>"
        f"<td>{', '.join(operation['responses'])}</td></tr>"
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    )
    models = "".join(_model_section(name, schema) for name, schema in document["components"]["schemas"].items())
    curl = f"curl -s \"$ATTENDANT/v1/translate\" -H 'content-type: application/json' -d '{json.dumps(EXAMPLE)}'"
    page = _PAGE.format(curl=html.escape(curl), paths=paths, models=models, description=document["info"]["description"])
    return page.encode()


def _model_section(name: str, schema: Schema) -> str:
    required = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{field}</code>{'*' if field in required else ''}</td><td>{html.escape(_type(part))}</td>"
        f"<td>{html.escape(part.get('description', ''))}</td></tr>"
        for field, part in schema.get("properties", {}).items()
    )
    about = html.escape(schema.get("description", ""))
    return f'<h3 id="{name}">{name}</h3><p>{about}</p><table>{rows}</table>'


def _type(part: Schema) -> str:
    """A short name of the type, with its range and default."""
    if "$ref" in part:
        return str(part["$ref"].rsplit("/", 1)[1])
    if "anyOf" in part:
        name = " or ".join(_type(one) for one in part["anyOf"])
    elif "enum" in part or "const" in part:
        name = ", ".join(f"`{value}`" for value in part.get("enum", [part.get("const")]))
    elif part.get("type") == "array":
        name = f"list of {_type(part.get('items', {}))}"
    else:
        name = str(part.get("type", "any"))
    if "minimum" in part or "maximum" in part:
        name += f" {part.get('minimum', '')}..{part.get('maximum', '')}"
    return f"{name}, default {json.dumps(part['default'])}" if "default" in part else name


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Attendant: HTTP API</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}
table{{border-collapse:collapse;width:100%}}td{{border-bottom:1px solid #ddd;padding:.3rem;vertical-align:top}}
pre{{background:#f4f4f4;padding:1rem;overflow:auto}}</style></head><body>
<h1>Attendant: HTTP API, version 1</h1><p>{description} The machine-readable form is
<a href="/openapi.json">/openapi.json</a>.</p><p>With this server's address in the
variable ATTENDANT:</p><pre>{curl}</pre>
<h2>Paths</h2><table>{paths}</table><h2>Models</h2><p>* required</p>{models}</body></html>
"""
