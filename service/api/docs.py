"""GET /docs: the OpenAPI document as a page for people that needs no other site."""

from __future__ import annotations

import html
import json

from service.api.answers import MapAnswer, SegmentAnswer, SideAnswer, TokenAnswer, TranslateAnswer
from service.api.openapi import EXAMPLE, Schema


def _side(text: str, *words: str) -> SideAnswer:
    tokens: list[TokenAnswer] = []
    for word in words:
        start = text.index(word, tokens[-1]["end"] if tokens else 0)
        tokens.append({"text": word, "start": start, "end": start + len(word)})
    return {"text": text, "start": 0, "end": len(text), "tokens": tokens}


MAP: MapAnswer = {
    "layer": 2,
    "head": 2,
    "row_of": "next_step",
    "weights": [
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.99, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.01, 0.03, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    ],
    "end_token": [0.0, 0.0, 0.0, 0.95, 0.0, 0.0, 0.0, 0.0],
}  # fmt: skip
SEGMENT: SegmentAnswer = {
    "source": _side("The black cat ate the mouse.", "The", "black", "cat", "ate", "the", "mouse", "."),
    "target": _side("Le chat noir a mangé la souris.", "Le", "chat", "noir", "a", "mangé", "la", "souris", "."),
    "score": -0.1365,
    "token_scores": [-0.0853, -0.0904, -0.0434, -0.6361, -0.1087, -0.0765, -0.0543, -0.0892, -0.0857, -0.0959],
    "finish_reason": "eos",
    "attention": {
        "kind": "cross",
        "level": "word",
        "rows": "target",
        "columns": "source",
        "includes_eos": False,
        "maps": [MAP],
    },
    "alignment": "0-0 2-1 1-2 3-4 4-5 5-6 6-7",
    "signals": {
        "confidence": 0.954,
        "mean_log_prob": -0.1365,
        "lowest_log_prob": -0.6361,
        "attention_entropy": 0.02,
        "unseen_words": [],
        "unknown_words": [],
        "repetition": 0.0,
        "lost_copies": 0,
    },
}
ANSWER: TranslateAnswer = {
    "id": "3f2a9c",
    "model": {
        "name": "en-fr-transformer",
        "version": "18",
        "architecture": "transformer",
        "source": "en",
        "target": "fr",
    },
    "translations": [
        {
            "text": "Le chat noir a mangé la souris.",
            "score": -0.1365,
            "finish_reason": "eos",
            "segments": [SEGMENT],
            "alternatives": [],
            "confidence": 0.954,
        }
    ],
    "usage": {"source_characters": 28, "source_tokens": 8, "target_tokens": 10},
    "timings_ms": {"queue": 0.05, "encode": 0.4, "decode": 2.6, "total": 3.3},
}
"""What `EXAMPLE` gets, weights rounded; a test holds it to the schema, and its map to the default one."""


def docs_page(document: Schema) -> bytes:
    """A page for people: every path, every field of every model."""
    paths = "".join(
        f"<tr><td><code>{method.upper()} {path}</code></td><td>{html.escape(operation['summary'])}</td>"
        f"<td>{', '.join(operation['responses'])}</td></tr>"
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    )
    models = "".join(_model_section(name, schema) for name, schema in document["components"]["schemas"].items())
    answer = json.dumps(ANSWER, ensure_ascii=False, indent=1)
    curl = f"curl -s \"$ATTENDANT/v1/translate\" -H 'content-type: application/json' -d '{json.dumps(EXAMPLE)}'"
    page = _PAGE.format(
        curl=html.escape(curl),
        answer=html.escape(answer),
        paths=paths,
        models=models,
        description=document["info"]["description"],
    )
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
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}}
table{{border-collapse:collapse;width:100%}}
tr{{border-bottom:1px solid #ddd}}td{{padding:.3rem;vertical-align:top}}
@media (max-width:40rem){{td{{display:block;padding:.1rem .3rem}}}}
pre{{background:#f4f4f4;padding:1rem;overflow:auto}}</style></head><body>
<h1>Attendant: HTTP API, version 1</h1><p>{description} The machine-readable form is
<a href="/openapi.json">/openapi.json</a>.</p><p>With this server's address in the
variable ATTENDANT:</p><pre>{curl}</pre>
<p>An answer has this form; <code>weights</code> and <code>end_token</code> of a row of this kind of map,
<code>cross</code>, sum to 1. Numbers are examples:</p><pre>{answer}</pre>
<h2>Paths</h2><table>{paths}</table><h2>Models</h2><p>* required</p>{models}</body></html>
"""
