"""Which machine of a cluster is told to hand its work over."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from service.deployments.members import drain, living


class Head:
    """What Ray's client of the head knows of machines; the real one is met by the tests of clusters."""

    def __init__(self, **states: tuple[str, int]) -> None:
        """By id, the address of a machine and its state, 0 where it is alive."""
        self.states = {bytes.fromhex(node_id): found for node_id, found in states.items()}
        self.drained: list[str] = []

    def get_all_node_info(self, timeout: float) -> dict[Any, Any]:
        return {
            node_id: SimpleNamespace(node_manager_address=address, state=state)
            for node_id, (address, state) in self.states.items()
        }

    def drain_node(self, node_id: str, *told: object) -> tuple[bool, str]:
        self.drained.append(node_id)
        return True, ""


@pytest.mark.parametrize(
    ("states", "drained"),
    [
        ({"aa": ("10.0.0.1", 0), "bb": ("10.0.0.2", 0)}, ["bb"]),
        ({"aa": ("10.0.0.1", 0), "bb": ("10.0.0.2", 1)}, []),  # dead already
        ({"bb": ("10.0.0.2", 0), "cc": ("10.0.0.3", 1)}, []),  # nobody takes its replicas
        ({"aa": ("10.0.0.1", 0), "bb": ("10.0.0.2", 0), "cc": ("10.0.0.2", 0)}, ["bb", "cc"]),  # one was just lost
        ({"bb": ("10.0.0.2", 0), "cc": ("10.0.0.2", 0)}, []),
        ({"aa": ("10.0.0.1", 0), "cc": ("10.0.0.3", 0)}, []),  # not of this cluster
    ],
)
def test_a_machine_is_drained_if_it_lives_and_is_not_alone(states: dict[str, Any], drained: list[str]) -> None:
    head = Head(**states)
    assert drain(head, "10.0.0.2", 3.0) is bool(drained)
    assert head.drained == drained


def test_the_living_machines_are_those_that_are_not_dead() -> None:
    assert living(Head(aa=("10.0.0.1", 0), bb=("10.0.0.2", 1))) == {"aa": "10.0.0.1"}
