"""The web page at `/`: a form, the translation, its attention map. It needs no build step and no other site.

The page asks the HTTP API as every client does. Text behind `#` in its address is translated at once
(`/#en-fr/Good morning.`) and reaches no log, because browsers keep that part to themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

from service.api.exchange import Answer

_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)
"""Nothing but the page's own files runs in it, and no other site shows it in a frame."""
PAGE = "/"
FOLDER = "/web/"
"""What the page's other files stand under."""


def page_answers() -> Mapping[str, Answer]:
    """The page and its files, by path."""
    answers = {}
    for file in files(__name__).iterdir():
        kind = file.name.rpartition(".")[2]
        if kind in _TYPES:
            path = PAGE if file.name == "index.html" else FOLDER + file.name
            answers[path] = Answer(file.read_bytes(), f"{_TYPES[kind]}; charset=utf-8", headers=HEADERS)
    return answers
