"""A server's metrics, as a client reads them from GET /metrics."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import httpx
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample


@dataclass(frozen=True, slots=True)
class Scrape:
    """Every sample of one scrape."""

    samples: tuple[Sample, ...]

    def total(self, name: str, **labels: str) -> float:
        """Sum over the series of that name which have these labels; 0 when there is none."""
        return sum(s.value for s in self.samples if s.name == name and labels.items() <= s.labels.items())

    def by(self, name: str, label: str, **labels: str) -> Counter[str]:
        """Sums of whole numbers, by the values of a label."""
        found: Counter[str] = Counter()
        for sample in self.samples:
            if sample.name == name and labels.items() <= sample.labels.items():
                found[sample.labels[label]] += round(sample.value)
        return found


def scrape(url: str) -> Scrape:
    """One scrape of the server."""
    answer = httpx.get(f"{url}/metrics", timeout=10.0, trust_env=False)
    answer.raise_for_status()
    families = text_string_to_metric_families(answer.text)
    return Scrape(tuple(sample for family in families for sample in family.samples))


def scrape_until(url: str, is_enough: Callable[[Scrape], bool], within_s: float = 30.0) -> Scrape:
    """Scrape until it shows what is expected or time is over; the last scrape. Servers may count after they answer."""
    end = time.monotonic() + within_s
    found = Scrape(())
    while not is_enough(found) and time.monotonic() < end:
        time.sleep(0.2)
        with suppress(httpx.HTTPError):  # a replica may be killed while it answers
            found = scrape(url)
    return found
