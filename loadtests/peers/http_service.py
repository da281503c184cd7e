"""One side of the HTTP rows: a running server, how to ask it, and with which setting it is at its best."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from loadtests.peers.fastapi_peer import WORKERS, running_fastapi
from loadtests.peers.http_client import ask_all, closed_loop, request_bytes
from loadtests.peers.libretranslate import AS_INSTALLED, TUNED, running_libretranslate
from loadtests.peers.options import MODEL, Options
from loadtests.peers.serving import running_application
from loadtests.peers.side import LENGTH_PENALTY
from loadtests.server import Server, running_server

REPLICAS = (1, 2)
"""Numbers of replicas of ours that are tried for the best one."""

Open = Callable[[], AbstractContextManager["Service"]]


@dataclass(frozen=True, slots=True)
class Service:
    """A running server with its own wire format."""

    name: str
    setting: str
    """How it was started, as people say it."""
    server: Server
    route: str
    make_body: Callable[[str | list[str], Mapping[str, Any]], dict[str, Any]]
    texts_of: Callable[[dict[str, Any]], list[str]]
    """The translations in an answer."""

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return self.server.url + self.route

    def requests(self, texts: Sequence[str], per_request: int = 1, **fields: Any) -> list[bytes]:
        """Requests for all texts, so many in each; `fields` go beside the text. A rest that fills none is left out."""
        groups = [list(texts[i : i + per_request]) for i in range(0, len(texts) - per_request + 1, per_request)]
        bodies = (self.make_body(group[0] if per_request == 1 else group, fields) for group in groups)
        return [request_bytes(self.url, body) for body in bodies]

    def translations(self, texts: Sequence[str], **fields: Any) -> list[str]:
        """The translation of each text. Raises LoadError unless all are answered."""
        answers = ask_all(self.url, self.requests(texts, **fields))
        return [self.texts_of(json.loads(answer))[0] for answer in answers]


@contextmanager
def attendant(options: Options, num_replicas: int) -> Iterator[Service]:
    """Ours, as `attendant serve` starts it, with the one model."""
    settings = {"ATTENDANT_STORE": str(options.store.absolute()), "ATTENDANT_MODELS": MODEL}
    with running_server(num_replicas, **settings) as server:
        yield Service(
            "Attendant",
            f"{num_replicas} replica(s)",
            server,
            "/v1/translate",
            _our_body,
            _our_texts,
        )


@contextmanager
def waiting(options: Options, step_s: float, max_rows: int) -> Iterator[Service]:
    """Ours over a runtime whose step waits `step_s` whatever its rows: so fast that the machine hardly matters."""
    settings = {"ATTENDANT_STORE": str(options.store.absolute()), "ATTENDANT_MODELS": MODEL}
    settings |= {"ATTENDANT_MAX_BATCH_ROWS": str(max_rows)}
    setting = f"a step waits {step_s * 1000:g} ms, {max_rows} rows"
    with running_application("loadtests.peers.scripted_runtime:application", {"step_s": step_s}, settings) as server:
        yield Service("Attendant over steps that wait", setting, server, "/v1/translate", _our_body, _our_texts)


def _our_texts(answer: dict[str, Any]) -> list[str]:
    return [translation["text"] for translation in answer["translations"]]


def _our_body(text: str | list[str], fields: Mapping[str, Any]) -> dict[str, Any]:
    """With a beam, hypotheses are ranked as the peer ranks them; greedy search has nothing to rank."""
    penalty = {"length_penalty": LENGTH_PENALTY} if fields.get("beam_size", 1) > 1 else {}
    return {"text": text, **penalty, **fields}


@contextmanager
def fastapi(options: Options, num_workers: int) -> Iterator[Service]:
    """FastAPI in front of CTranslate2."""
    with running_fastapi(options, num_workers) as server:
        yield Service(
            "FastAPI + CTranslate2",
            f"{num_workers} worker(s)",
            server,
            "/translate",
            lambda text, fields: {"text": text, **fields},
            lambda answer: list(answer["translations"]),
        )


@contextmanager
def libretranslate(options: Options, setting: str, variables: Mapping[str, str]) -> Iterator[Service]:
    """LibreTranslate with these environment variables; it takes no beam size, its own is 4."""
    with running_libretranslate(options, variables) as server:
        yield Service(
            "LibreTranslate",
            setting,
            server,
            "/translate",
            lambda text, fields: {"q": text, "source": "en", "target": "fr", "format": "text"},
            lambda answer: [answer["translatedText"]],
        )


def ours(options: Options) -> dict[str, Open]:
    """Ours with each number of replicas that is tried."""
    return {f"{count} replica(s)": partial(attendant, options, count) for count in REPLICAS}


def fastapis(options: Options) -> dict[str, Open]:
    """FastAPI with each number of workers that is tried."""
    return {f"{count} worker(s)": partial(fastapi, options, count) for count in WORKERS}


def libretranslate_as_installed(options: Options) -> dict[str, Open]:
    """LibreTranslate with no setting of ours."""
    return {"as installed": partial(libretranslate, options, "as installed", AS_INSTALLED)}


def libretranslate_tuned(options: Options) -> dict[str, Open]:
    """LibreTranslate with the settings that suit this machine."""
    return {"tuned": partial(libretranslate, options, "two translators of a thread", TUNED)}


@dataclass(frozen=True, slots=True)
class Sweep:
    """Requests per second of one side with each of its settings."""

    rates: dict[str, float]

    @property
    def best(self) -> str:
        """The fastest setting."""
        return max(self.rates, key=lambda setting: self.rates[setting])

    def __str__(self) -> str:
        return f"{self.best} (tried: {', '.join(f'{name} {rate:.0f}/s' for name, rate in self.rates.items())})"


def sweep(candidates: Mapping[str, Open], texts: Sequence[str], seconds: float, beam_size: int) -> Sweep:
    """Each setting alone on the machine: median of three short runs with 32 connections."""
    rates = {}
    for name, opened in candidates.items():
        with opened() as service:
            requests = service.requests(texts, beam_size=beam_size)
            runs = [closed_loop(service.url, requests, 32, seconds, warm_s=seconds / 2).checked(name) for _ in "123"]
            rates[name] = statistics.median(run.rate for run in runs)
    return Sweep(rates)
