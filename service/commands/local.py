"""Commands that translate, score and compare in their own process, with the server's own engine."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from model_store.contract.bundle import Bundle
from model_store.contract.store import Store
from service.api.catalogue import Catalogue
from service.api.comparing import compared
from service.api.rendering import render, render_scores
from service.api.translating import score_request, translation_request
from service.api.validation import COMPARISON, SCORES, TRANSLATION, validated
from service.commands.asking import COMPARE, SCORE, TRANSLATE, Answer, Ask
from service.engine.limits import EngineLimits
from service.runtime.opening import open_runtime
from service.translation.translator import Translator
from service.translation.worker import Worker


@contextmanager
def in_this_process(store: Path, models: Sequence[str], source: str | None, target: str | None) -> Iterator[Ask]:
    """Bundles of `store` in engines of our own: those named, else the best one for the language pair."""
    opened = Store(store)
    bundles = opened.open_all(list(models))
    chosen = bundles if models else [choose(bundles, source, target)]
    # Whoever translates one text is not told what runs a model; `attendant models show` tells it.
    local = [Worker(bundle, open_runtime(bundle, told_as=logging.DEBUG), EngineLimits()) for bundle in chosen]
    catalogue = Catalogue([one.translator for one in local])

    # asyncio.run would write every attention array into a string when it ends, in Python 3.11
    loop = asyncio.new_event_loop()

    def ask(path: str, body: Mapping[str, Any]) -> Answer:
        answer: Answer = orjson.loads(loop.run_until_complete(_ANSWERS[path](catalogue, dict(body))))
        return answer

    try:
        for one in local:
            one.handle.start()
        yield ask
    finally:
        for one in local:
            one.stop()
        loop.close()


async def _translated(catalogue: Catalogue, body: dict[str, Any]) -> bytes:
    valid = validated(body, TRANSLATION)
    served, request = catalogue.choose(valid.model, valid.source, valid.target), translation_request(valid, None)
    served.check(request)
    return render(await served.translate(request), served.manifest, "local", valid.signals)


async def _scored(catalogue: Catalogue, body: dict[str, Any]) -> bytes:
    valid = validated(body, SCORES)
    served, request = catalogue.choose(valid.model, valid.source, valid.target), score_request(valid, None)
    served.check_score(request)
    return render_scores(await served.score(request), served.manifest, "local")


async def _compared(catalogue: Catalogue, body: dict[str, Any]) -> bytes:
    comparison = compared(catalogue, validated(body, COMPARISON), None)
    return comparison.render(await comparison.results(), "local")


_ANSWERS = {TRANSLATE: _translated, SCORE: _scored, COMPARE: _compared}
"""What the server does for each path, checked as it checks it, but for limits of size."""


def choose(bundles: Sequence[Bundle], source: str | None, target: str | None) -> Bundle:
    """The bundle that a server of these would choose. Raises UnknownLanguagePairError."""

    async def nobody(segments: object) -> list[Any]:
        raise AssertionError("only the manifests are asked here")

    chosen = Catalogue([Translator(bundle, nobody) for bundle in bundles]).choose(None, source, target)
    return next(bundle for bundle in bundles if bundle.manifest == chosen.manifest)
