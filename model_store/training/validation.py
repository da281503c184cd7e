"""How good a network is on held-out pairs: what checkpoints are judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import sacrebleu
import torch
from torch import Tensor

from model_store.architectures.base import Architecture
from model_store.contract.tokenizer import PAD_ID, Tokenizer
from model_store.data.batching import Batch, TokenPairs, make_batch
from model_store.data.corpus import ParallelText
from model_store.decoding.search import decode_all, greedy
from model_store.training.distillation import Teacher
from model_store.training.guidance import guidance_loss
from model_store.training.loss import projected_cross_entropy
from model_store.training.preparation import encode_pairs
from model_store.training.stepper import TorchStepper

LOSS_BATCH_PAIRS = 64
DECODE_BATCH_SENTENCES = 100


class BatchLoss(NamedTuple):
    """The losses of one batch."""

    loss: Tensor
    """Smoothed loss per target token, guidance included; differentiable."""
    nll: Tensor
    """Summed negative log-likelihood of the target tokens; on the model's device, which nobody has waited for."""
    num_labels: int
    """Target tokens, end tokens included."""
    guidance: Tensor | float = 0.0
    """Cross-entropy per target token of the guided heads, summed over them."""


def batch_loss(
    model: Architecture,
    batch: Batch,
    smoothing: float,
    guided: Sequence[tuple[int, int]] = (),
    guidance_weight: float = 0.0,
    teacher: Teacher | None = None,
) -> BatchLoss:
    """The losses of `model` on `batch`, on the model's own device; `guided` as `guided_indices` gives them."""
    device = model.output_bias().device
    real = batch.labels != PAD_ID
    source_ids, source_mask, target_ids, labels, rows = (
        on_device(array, device)
        for array in (batch.source_ids, batch.source_mask, batch.target_ids, batch.labels[real], np.flatnonzero(real))
    )
    out = model.teacher_forced(source_ids, source_mask, target_ids)
    taught = teacher.taught(source_ids, source_mask, target_ids, rows) if teacher else None
    hidden = out.hidden.flatten(0, 1).index_select(0, rows)
    total, nll = projected_cross_entropy(hidden, model.output_weight(), model.output_bias(), labels, smoothing, taught)
    loss = (total if out.penalty is None else total + out.penalty) / len(rows)
    if not guided or batch.links is None:
        return BatchLoss(loss, nll, len(rows))
    guidance = guidance_loss(out.attention, on_device(batch.links, device), guided, on_device(real, device))
    return BatchLoss(loss + guidance_weight * guidance, nll, len(rows), guidance.detach())


def on_device(array: np.ndarray, device: torch.device) -> Tensor:
    """`array` on `device`. A GPU copies it when it comes to that, without the processor waiting for earlier work."""
    tensor = torch.from_numpy(array)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


@dataclass(frozen=True)
class Validation:
    """Held-out pairs, as text and as ids."""

    text: ParallelText
    pairs: TokenPairs
    tokenizer: Tokenizer

    @classmethod
    def of(cls, tokenizer: Tokenizer, text: ParallelText, max_tokens: int) -> Validation:
        """Validation on the pairs of at most `max_tokens` a side."""
        pairs = encode_pairs(tokenizer, text)
        kept = pairs.numbers_shorter_than(max_tokens)
        return cls(text.take(kept), pairs.take(kept), tokenizer)

    @torch.no_grad()
    def __call__(self, model: Architecture) -> tuple[float, float]:
        """Negative log-likelihood per target token, and sacreBLEU of greedy translations with one reference."""
        model.eval()
        total, count = 0.0, 0
        order = sorted(range(len(self.pairs)), key=lambda i: len(self.pairs.sources[i]))
        for first in range(0, len(order), LOSS_BATCH_PAIRS):
            found = batch_loss(model, make_batch(self.pairs, order[first : first + LOSS_BATCH_PAIRS]), 0.0)
            total, count = total + float(found.nll), count + found.num_labels
        stepper = TorchStepper(model)
        decoded = decode_all(
            self.pairs.sources, lambda some: greedy(stepper, some, model.max_length), DECODE_BATCH_SENTENCES
        )
        texts = [self.tokenizer.decode(d.ids) for d in decoded]
        return total / max(count, 1), sacrebleu.corpus_bleu(texts, [self.text.targets]).score if texts else 0.0
