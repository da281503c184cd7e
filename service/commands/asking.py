"""Who answers `attendant translate`: a server, or this process. Both take and give the JSON of POST /v1/translate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from model_store.contract.bundle import Bundle
from model_store.contract.store import Store
from service.messages import TranslationRequest

if TYPE_CHECKING:
    from service.translator import Translator

Answer = dict[str, Any]
Ask = Callable[[Mapping[str, Any]], Answer]
"""From a request's body to the answer's. Raises ClickException or AttendantError."""

TIMEOUT_S = 120.0


@contextmanager
def server(url: str) -> Iterator[Ask]:
    """A running server at `url`, for example http://127.0.0.1:8000."""
    import httpx

    with httpx.Client(base_url=url.rstrip("/"), timeout=TIMEOUT_S) as client:

        def ask(body: Mapping[str, Any]) -> Answer:
            try:
                response = client.post("/v1/translate", json=dict(body))
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise click.ClickException(f"no answer from {url}: {error}; is `attendant serve` running?") from error
            if response.is_success:
                return _answer(response, url)
            raise click.ClickException(f"{url} answered {response.status_code}: {_problem(response)}")

        yield ask


def _answer(response: Any, url: str) -> Answer:
    """The answer's body. Raises ClickException when it is no answer of ours."""
    answer = _object(response)
    translations = answer.get("translations")
    named = _has(answer.get("model"), "name", "version")
    if not (named and isinstance(translations, list) and all(_has(one, *_SHOWN) for one in translations)):
        raise click.ClickException(f"{url} answered {response.status_code} without translations; {_DOUBT}")
    return answer


def _problem(response: Any) -> str:
    """The detail of a problem+json answer, or nothing of the body when it is something else."""
    problem = _object(response)
    told, code = problem.get("detail") or problem.get("title"), problem.get("code")
    return f"{told} ({code})" if isinstance(told, str) and isinstance(code, str) else f"no problem+json; {_DOUBT}"


def _has(value: object, *keys: str) -> bool:
    return isinstance(value, dict) and set(keys) <= value.keys()


_SHOWN = ("text", "alternatives", "segments")
_DOUBT = "is this an Attendant server?"


def _object(response: Any) -> dict[str, Any]:
    """The JSON object in the body; an empty one when it holds anything else."""
    try:
        value = response.json()
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


@contextmanager
def this_process(store: Path, model: str | None, source: str | None, target: str | None) -> Iterator[Ask]:
    """A bundle of `store` in an engine of our own: the one named, else the best one for the language pair."""
    import orjson

    from service.api.rendering import render
    from service.engine.engine import Engine
    from service.engine.handle import EngineHandle
    from service.engine.limits import EngineLimits
    from service.runtime.opening import open_runtime
    from service.translator import Translator

    bundle = choose(Store(store).open_all([model] if model else []), source, target)
    engine = Engine(open_runtime(bundle), EngineLimits())
    handle = EngineHandle(engine, bundle.manifest.name)
    translator = Translator(bundle, handle.translate, handle.clock)

    # asyncio.run would write every attention array into a string when it ends, in Python 3.11
    loop = asyncio.new_event_loop()

    def ask(body: Mapping[str, Any]) -> Answer:
        result = loop.run_until_complete(translator.translate(_checked(translator, body)))
        answer: dict[str, Any] = orjson.loads(render(result, bundle.manifest, "local", body.get("signals", False)))
        return answer

    handle.start()
    try:
        yield ask
    finally:
        handle.stop()
        loop.close()


def _checked(translator: Translator, body: Mapping[str, Any]) -> TranslationRequest:
    """The request of a body, checked as the server checks it, but for limits of size. Raises AttendantError."""
    from service.api.translating import translation_request
    from service.api.validation import validated

    request = translation_request(validated(dict(body)), None)
    translator.check(request)
    return request


def choose(bundles: Sequence[Bundle], source: str | None, target: str | None) -> Bundle:
    """The bundle that a server of these would choose. Raises UnknownLanguagePairError."""
    from service.api.catalogue import Catalogue
    from service.translator import Translator

    async def nobody(segments: object) -> list[Any]:
        raise AssertionError("only the manifests are asked here")

    chosen = Catalogue([Translator(bundle, nobody) for bundle in bundles]).choose(None, source, target)
    return next(bundle for bundle in bundles if bundle.manifest == chosen.manifest)
