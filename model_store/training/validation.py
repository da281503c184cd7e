"""How good a network is on held-out pairs: what checkpoints are judged by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import sacrebleu
import torch
from torch import Tensor

from model_store.architectures.base import Architecture
from model_store.contract.tokenizer import PAD_ID, Tokenizer
from model_store.data.batching import Batch, TokenPairs, make_batch
from model_store.data.corpus import ParallelText
from model_store.decoding.search import decode_all, greedy
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
    nll: float
    """Summed negative log-likelihood of the target tokens."""
    num_labels: int
    """Target tokens, end tokens included."""
    guidance: float = 0.0
    """Cross-entropy per target token of the guided heads, summed over them."""


def batch_loss(
    model: Architecture,
    batch: Batch,
    smoothing: float,
    guided: Sequence[tuple[int, int]] = (),
    guidance_weight: float = 0.0,
) -> BatchLoss:
    """The losses of `model` on `batch`, on the model's own device; `guided` as `guided_indices` gives them."""
    device = model.output_bias().device
    labels = torch.from_numpy(batch.labels).to(device)
    real = labels != PAD_ID
    source_ids, source_mask, target_ids = (
        torch.from_numpy(array).to(device) for array in (batch.source_ids, batch.source_mask, batch.target_ids)
    )
    out = model.teacher_forced(source_ids, source_mask, target_ids)
    num_labels = int(real.sum())
    total, nll = projected_cross_entropy(
        out.hidden[real], model.output_weight(), model.output_bias(), labels[real], smoothing
    )
    loss = (total if out.penalty is None else total + out.penalty) / num_labels
    if not guided or batch.links is None:
        return BatchLoss(loss, float(nll), num_labels)
    guidance = guidance_loss(out.attention, torch.from_numpy(batch.links).to(device), guided, real)
    return BatchLoss(loss + guidance_weight * guidance, float(nll), num_labels, float(guidance.detach()))


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
            total, count = total + found.nll, count + found.num_labels
        stepper = TorchStepper(model)
        decoded = decode_all(
            self.pairs.sources, lambda some: greedy(stepper, some, model.max_length), DECODE_BATCH_SENTENCES
        )
        texts = [self.tokenizer.decode(d.ids) for d in decoded]
        return total / max(count, 1), sacrebleu.corpus_bleu(texts, [self.text.targets]).score if texts else 0.0
