"""A checkpoint is there whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model_store.training.checkpoint import CheckpointError, average, load, save_atomically


def test_values_come_back(tmp_path: Path) -> None:
    save_atomically({"weight": torch.arange(3), "progress": {"step": 7, "points": [(1, 2.0)]}}, tmp_path / "c.pt")
    values = load(tmp_path / "c.pt")
    assert values["weight"].tolist() == [0, 1, 2]
    assert values["progress"] == {"step": 7, "points": [(1, 2.0)]}


def test_a_save_that_fails_leaves_the_old_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "c.pt"
    save_atomically({"step": 1}, file)
    with pytest.raises((AttributeError, TypeError, RuntimeError)):
        save_atomically({"step": 2, "bad": lambda: None}, file)
    assert load(file) == {"step": 1}


@pytest.mark.parametrize("keep", [0, 10, 200, -1])
def test_a_damaged_checkpoint_is_named_with_the_remedy(tmp_path: Path, keep: int) -> None:
    file = tmp_path / "c.pt"
    save_atomically({"weight": torch.zeros(1000)}, file)
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(CheckpointError, match="is damaged; remove it, or use --fresh"):
        load(file)


def test_averaging_takes_the_mean_of_each_weight() -> None:
    states = [
        {"a": torch.tensor([1.0, 2.0]), "b": torch.tensor(0.0)},
        {"a": torch.tensor([3.0, 6.0]), "b": torch.tensor(1.0)},
    ]
    averaged = average(states)
    assert averaged["a"].tolist() == [2.0, 4.0]
    assert averaged["b"].item() == 0.5
