"""Errors of the contract.

StoreError
├── ContractError        a bundle that breaks its promises; carries every fault found
└── UnknownBundleError   a name or version that the store does not hold
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError


class StoreError(Exception):
    """Anything wrong with a bundle or the store that holds it."""


class ContractError(StoreError):
    """A bundle that breaks the contract. `faults` holds one sentence for each fault, all of them at once."""

    def __init__(self, faults: Sequence[str], where: str = "bundle") -> None:
        self.faults = list(faults)
        super().__init__(f"{where}: {len(self.faults)} fault(s): " + "; ".join(self.faults))


class UnknownBundleError(StoreError):
    """A bundle that the store does not hold; the message lists what it does hold."""


def faults_of(error: ValidationError) -> str:
    """What `error` found, each fault after the name of its field: `training.num_tokens: Field required; ...`."""
    found = ((".".join(map(str, f["loc"])), f["msg"].removeprefix("Value error, ")) for f in error.errors())
    return "; ".join(f"{field}: {message}" if field else message for field, message in found)
