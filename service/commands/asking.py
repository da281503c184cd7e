"""Who answers the commands that translate, score and compare: a server, or this process. Both take and give the JSON of
the HTTP API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

Answer = dict[str, Any]
Ask = Callable[[str, Mapping[str, Any]], Answer]
"""From a path and a request's body to the answer's. Raises ClickException or AttendantError."""
TRANSLATE, SCORE, COMPARE = "/v1/translate", "/v1/score", "/v1/compare"

TIMEOUT_S = 120.0


@contextmanager
def server(url: str, key: str | None = None) -> Iterator[Ask]:
    """A running server at `url`, for example http://127.0.0.1:8000, which may ask for an API key."""
    import httpx

    headers = {"authorization": f"Bearer {key}"} if key else {}
    with httpx.Client(base_url=url.rstrip("/"), timeout=TIMEOUT_S, headers=headers) as client:

        def ask(path: str, body: Mapping[str, Any]) -> Answer:
            try:
                response = client.post(path, json=dict(body))
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise click.ClickException(f"no answer from {url}: {error}; is `attendant serve` running?") from error
            if response.is_success:
                return _answer(path, response, url)
            raise click.ClickException(f"{url} answered {response.status_code}: {_problem(response)}")

        yield ask


def _answer(path: str, response: Any, url: str) -> Answer:
    """The answer's body. Raises ClickException when it is no answer of ours."""
    answer = _object(response)
    listed, *shown = _SHOWN[path]
    given = answer.get(listed)
    named = path == COMPARE or _has(answer.get("model"), "name", "version")
    if not (named and isinstance(given, list) and all(_has(one, *shown) for one in given)):
        raise click.ClickException(f"{url} answered {response.status_code} without {listed}; {_DOUBT}")
    return answer


def _problem(response: Any) -> str:
    """The detail of a problem+json answer, or nothing of the body when it is something else."""
    problem = _object(response)
    told, code = problem.get("detail") or problem.get("title"), problem.get("code")
    return f"{told} ({code})" if isinstance(told, str) and isinstance(code, str) else f"no problem+json; {_DOUBT}"


def _has(value: object, *keys: str) -> bool:
    return isinstance(value, dict) and set(keys) <= value.keys()


_SHOWN = {
    TRANSLATE: ("translations", "text", "alternatives", "segments"),
    SCORE: ("scores", "score", "segments"),
    COMPARE: ("results", "model", "translations"),
}
"""The list that an answer has, and the fields of what is in it."""
_DOUBT = "is this an Attendant server?"


def _object(response: Any) -> dict[str, Any]:
    """The JSON object in the body; an empty one when it holds anything else."""
    try:
        value = response.json()
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def this_process(
    store: Path, models: Sequence[str], source: str | None, target: str | None
) -> AbstractContextManager[Ask]:
    """Bundles of `store` in engines of our own: those named, else the best one for the language pair."""
    from service.commands.local import in_this_process

    return in_this_process(store, models, source, target)


def check_url(url: str | None) -> None:
    """Raise UsageError for what is no server's address, or a server's address beside a store."""
    if url is not None and not url.startswith(("http://", "https://")):
        raise click.UsageError("--url must begin with http:// or https://, for example http://127.0.0.1:8000")
    if url is not None and click.get_current_context().get_parameter_source("store") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--store is not used with --url: a server has a store of its own; leave one of them out")


def asker(url: str | None, options: Mapping[str, Any], models: Sequence[str] = ()) -> AbstractContextManager[Ask]:
    """The server at `url`, else this process with `models`, else with the model or language pair of the `options`."""
    check_url(url)
    if url is not None:
        path: Path | None = options.get("key_file")
        return server(url, None if path is None else path.read_text(encoding="utf-8").strip())
    named = list(models) or ([options["model"]] if options.get("model") else [])
    return this_process(options["store"], named, options["source"], options["target"])
