"""The fused loss is torch's cross-entropy, value and gradients."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from model_store.training.loss import CHUNK_ROWS, projected_cross_entropy

ROWS = (1, 7, CHUNK_ROWS, 2 * CHUNK_ROWS + 3)


def inputs(rows: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    generator = torch.Generator().manual_seed(rows)
    hidden = torch.randn(rows, 8, generator=generator, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(30, 8, generator=generator, dtype=torch.float64, requires_grad=True)
    bias = torch.randn(30, generator=generator, dtype=torch.float64, requires_grad=True)
    return hidden, weight, bias, torch.randint(0, 30, (rows,), generator=generator)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_value_and_gradients_equal_those_of_torch(rows: int, smoothing: float) -> None:
    *parameters, labels = inputs(rows)
    hidden, weight, bias = parameters
    ours, nll = projected_cross_entropy(hidden, weight, bias, labels, smoothing)
    logits = functional.linear(hidden, weight, bias)
    theirs = functional.cross_entropy(logits, labels, reduction="sum", label_smoothing=smoothing)
    torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(nll, functional.cross_entropy(logits, labels, reduction="sum"))
    our_gradients = torch.autograd.grad(3 * ours, parameters)
    their_gradients = torch.autograd.grad(3 * theirs, parameters)
    torch.testing.assert_close(our_gradients, their_gradients)


def test_the_gradient_passes_a_numerical_check() -> None:
    hidden, weight, bias, labels = inputs(5)
    assert torch.autograd.gradcheck(lambda *p: projected_cross_entropy(*p, labels, 0.1)[0], (hidden, weight, bias))


def test_under_autocast_it_is_the_same_loss_in_lower_precision() -> None:
    hidden, weight, bias, labels = (t.float() if t.is_floating_point() else t for t in inputs(20))
    exact, _ = projected_cross_entropy(hidden, weight, bias, labels, 0.1)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rough, _ = projected_cross_entropy(hidden, weight, bias, labels, 0.1)
    torch.testing.assert_close(rough, exact, rtol=0.02, atol=0.0)


def test_without_gradients_nothing_is_kept() -> None:
    hidden, weight, bias, labels = inputs(5)
    with torch.no_grad():
        loss, _ = projected_cross_entropy(hidden, weight, bias, labels, 0.1)
    assert not loss.requires_grad
