"""Server-sent events of a streamed translation (WHATWG HTML, 9.2): one for each text, one at the end."""

from __future__ import annotations

from typing import Literal

import orjson
from pydantic import with_config
from typing_extensions import TypedDict

from model_store.contract.manifest import Manifest
from service.api.answers import DOCUMENTED, ModelAnswer, TimingsAnswer, TranslationAnswer, UsageAnswer
from service.api.problems import problem_body
from service.api.rendering import translate_answer
from service.api.requests import TranslateBody
from service.errors import AttendantError
from service.exchanged import TranslationResult
from service.translation.streaming import TextDone

EVENTS = "text/event-stream"
Name = Literal["translation", "done", "error"]


@with_config(DOCUMENTED)
class TranslationEvent(TypedDict):
    """Data of the event `translation`: one text is done."""

    index: int
    """Of the text, counted from 0 in the order sent."""
    translation: TranslationAnswer


@with_config(DOCUMENTED)
class DoneEvent(TypedDict):
    """Data of the event `done`, the last one: all texts are."""

    id: str
    """The request's id, the same as the header x-request-id."""
    model: ModelAnswer
    usage: UsageAnswer
    timings_ms: TimingsAnswer


def translation_event(done: TextDone, manifest: Manifest, body: TranslateBody) -> bytes:
    """One text's translation, as POST /v1/translate would answer it alone."""
    utf16 = done.request.texts if body.utf16 else ()
    answer = translate_answer(done.result, manifest, "", body.signals, utf16)
    data: TranslationEvent = {"index": done.index, "translation": answer["translations"][0]}
    return _event("translation", orjson.dumps(data, option=orjson.OPT_SERIALIZE_NUMPY))


def done_event(result: TranslationResult, manifest: Manifest, request_id: str) -> bytes:
    """The end; `result` has what all texts used together."""
    answer = translate_answer(result, manifest, request_id, False, ())
    data: DoneEvent = {
        "id": request_id,
        "model": answer["model"],
        "usage": answer["usage"],
        "timings_ms": answer["timings_ms"],
    }
    return _event("done", orjson.dumps(data))


def error_event(error: AttendantError, request_id: str) -> bytes:
    """The end, with what went wrong: the body of a problem."""
    return _event("error", problem_body(error, request_id))


def _event(name: Name, data: bytes) -> bytes:
    """JSON has no line breaks of its own, so that one line holds it."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)
