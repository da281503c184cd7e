"""The smallest scenario: start a server, translate, compare its metrics with what was sent, stop it.

Run with `python -m loadtests.smoke`; it says what it found and ends with 0 when everything was right.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from typing import Any

import click
import httpx

from loadtests.scrape import Scrape, scrape_until
from loadtests.server import Server, ServerError, running_server, stop
from loadtests.texts import ENGLISH
from service.deployments.environment import is_free

ROUTE = "/v1/translate"


def translate(client: httpx.Client) -> list[dict[str, Any]]:
    """Translate every text, greedily and with a beam, without and with attention; the answers."""
    shapes = [{"beam_size": 1}, {"beam_size": 4}, {"beam_size": 4, "attention": True}]
    pair = {"source": "en", "target": "fr"}
    answers = [client.post(ROUTE, json={"text": text, **pair, **shape}) for shape in shapes for text in ENGLISH]
    for answer in answers:
        answer.raise_for_status()
    return [answer.json() for answer in answers]


def answer_faults(answers: list[dict[str, Any]]) -> Iterator[str]:
    """What is wrong with the answers."""
    for answer in answers:
        if [bool(translation["text"].strip()) for translation in answer["translations"]] != [True]:
            yield "an answer holds no translation"
        for segment in answer["translations"][0]["segments"]:
            for one in segment.get("attention", {}).get("maps", ()):
                rows = zip(one["weights"], one["end_token"], strict=True)
                if any(not math.isclose(sum(row) + end_token, 1.0, abs_tol=1e-2) for row, end_token in rows):
                    yield "a row of an attention map does not sum to 1"
    if not any("attention" in s for answer in answers for s in answer["translations"][0]["segments"]):
        yield "no answer holds an attention map"


def metric_faults(answers: list[dict[str, Any]], num_refused: int, seen: Scrape) -> Iterator[str]:
    """Where the server's sums differ from what was sent and received."""
    segments = sum(len(answer["translations"][0]["segments"]) for answer in answers)
    expected = {
        "requests answered": (len(answers), seen.total("attendant_requests_total", route=ROUTE, code="ok")),
        "requests refused": (num_refused, seen.total("attendant_requests_total", route=ROUTE, code="invalid_request")),
        "latencies": (len(answers) + num_refused, seen.total("attendant_request_seconds_count", route=ROUTE)),
        "texts": (len(answers), seen.total("attendant_texts_total")),
        "segments": (segments, seen.total("attendant_segments_total")),
        "source tokens": (_used(answers, "source_tokens"), seen.total("attendant_source_tokens_total")),
        "target tokens": (_used(answers, "target_tokens"), seen.total("attendant_target_tokens_total")),
        "source characters": (_used(answers, "source_characters"), seen.total("attendant_source_characters_total")),
        "waiting segments": (0, seen.total("attendant_queue_depth_segments")),
        "running rows": (0, seen.total("attendant_running_rows")),
    }
    for what, (sent, counted) in expected.items():
        if sent != counted:
            yield f"{what}: {sent} sent, {counted:g} counted"


def exercise(server: Server, warm_up: Scrape) -> list[str]:
    """Send everything, and return what was wrong."""
    with httpx.Client(base_url=server.url, timeout=60.0, trust_env=False) as client:
        answers = translate(client)
        refused = [client.post(ROUTE, json={"text": 1}), client.post(ROUTE, json={"text": "Hello.", "beam": 4})]
    faults = list(answer_faults(answers))
    if [answer.status_code for answer in refused] != [422, 422]:
        faults.append(f"wrong requests were answered with {[answer.status_code for answer in refused]}")

    def agrees(seen: Scrape) -> bool:
        return not list(metric_faults(answers, len(refused), since(seen, warm_up)))

    seen = scrape_until(server.url, agrees)
    return faults + list(metric_faults(answers, len(refused), since(seen, warm_up)))


def since(seen: Scrape, before: Scrape) -> Scrape:
    """What was counted after `before`: warm-up translations are none of ours."""
    earlier = {(s.name, *sorted(s.labels.items())): s.value for s in before.samples}
    samples = (s._replace(value=s.value - earlier.get((s.name, *sorted(s.labels.items())), 0.0)) for s in seen.samples)
    return Scrape(tuple(samples))


@click.command()
@click.option("--replicas", type=click.IntRange(1), default=1, show_default=True)
def main(replicas: int) -> None:
    """Start a server, translate, compare its metrics with what was sent, stop it."""
    try:
        with running_server(replicas) as server:
            ready = scrape_until(server.url, lambda seen: seen.total("attendant_replicas_ready") == replicas)
            faults = exercise(server, ready)
            status = stop(server)
    except ServerError as error:
        raise click.ClickException(str(error)) from error
    if status != 0:
        faults.append(f"SIGTERM ended the server with {status}")
    if not is_free(int(server.url.rpartition(":")[2])):
        faults.append("the port is still taken after the server has ended")
    for fault in faults:
        click.echo(f"fault: {fault}", err=True)
    click.echo(f"smoke: {3 * len(ENGLISH)} translations, {len(faults)} faults")
    sys.exit(bool(faults))


def _used(answers: list[dict[str, Any]], unit: str) -> int:
    return sum(answer["usage"][unit] for answer in answers)


if __name__ == "__main__":
    main()
