"""Whether the server's counts agree with its clients'.

Clients that went away or got no answer cannot know whether the server counted them, and a request that the proxy
answers itself reaches no replica. So the server's count of a code is at least the clients', but for the codes that the
proxy uses, too; and what it counted beyond must be explained by clients without an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from loadtests.client import Outcome

PROXY_CODES = frozenset({"not_ready", "deadline_exceeded", "internal_error", "invalid_request", "payload_too_large"})
"""Codes that the proxy writes itself, too."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The two sides' counts of one run, by code."""

    clients: Counter[str]
    """Answers that clients got, by their code."""
    server: Counter[str]
    """What the server counted."""
    num_without_answer: int
    """Requests whose clients went away, or got no answer or not the service's own."""

    @classmethod
    def of(cls, outcomes: Sequence[Outcome], server: Counter[str]) -> Agreement:
        """From what clients saw and what the server counted of the same requests."""
        clients = Counter(outcome.code for outcome in outcomes if outcome.is_answered)
        return cls(clients, server, len(outcomes) - clients.total())

    def faults(self) -> list[str]:
        """Every way in which the counts cannot both be right."""
        faults = [
            f"{code}: clients got {count}, the server counted {self.server[code]}"
            for code, count in self.clients.items()
            if self.server[code] < count and code not in PROXY_CODES
        ]
        surplus = sum((self.server - self.clients).values())
        if surplus > self.num_without_answer:
            faults.append(f"the server counted {surplus} more than {self.num_without_answer} clients without an answer")
        return faults
