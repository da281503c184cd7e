"""Kalchbrenner and Blunsom 2013, "Recurrent Continuous Translation Models" (EMNLP): a convolutional sentence model
reads the source into one vector, a recurrent language model writes the target conditioned on it (RCTM I, section 3).
No attention.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_store.architectures.base import Architecture, StepTensors, TeacherForced, no_attention
from model_store.architectures.configuration import ArchitectureConfig
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding

LARGEST_KERNEL = 16
"""Layers have kernels of 2, 3, 4, ... words up to this one. A kernel of i words leaves i - 1 columns fewer."""


@dataclass(frozen=True)
class RCTMConfig(ArchitectureConfig):
    """Sizes of the network: `hidden_size` is q, of word vectors, of the sentence vector and of the recurrent layer."""


class SentenceModel(nn.Module):
    """The convolutional sentence model (section 3.1): layer i sums i neighbouring columns, weighted feature by feature,
    until one column is left. Where fewer are left than the next kernel is wide, a kernel as wide as what is left ends
    it."""

    def __init__(self, size: int) -> None:
        super().__init__()
        widths = range(2, LARGEST_KERNEL + 1)
        self.kernels = nn.ParameterList(nn.Parameter(torch.empty(width, size)) for width in widths)
        self.last = nn.Parameter(torch.empty(LARGEST_KERNEL * LARGEST_KERNEL, size))
        """Row LARGEST_KERNEL i + j: column j of the kernel that ends with i columns."""
        for kernel in self.kernels:
            nn.init.normal_(kernel, std=len(kernel) ** -0.5)
        nn.init.normal_(self.last, std=0.4)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """The sentence vector [B, q] of word vectors `x` [B, S, q] under `mask` [B, S]."""
        left, most = mask.sum(dim=1)[:, None], x.shape[1]  # columns [B, 1], and the most of them
        for kernel in self.kernels:
            if not torch.compiler.is_exporting() and bool((left == 1).all()):
                break  # the layers above change nothing
            width = len(kernel)
            seen, most = functional.pad(x, (0, 0, 0, width)), most - width + 1
            places = torch.arange(torch.sym_max(1, most), device=x.device)
            convolved = torch.tanh(
                (seen[:, places[:, None] + torch.arange(width, device=x.device)] * kernel).sum(dim=2)
            )
            ends = torch.tanh(self._end(x, left, width))
            x = x[:, places]
            is_wide, is_one = left >= width, left == 1
            after = torch.where(is_wide, left - width + 1, torch.ones_like(left))
            x = torch.where(is_one[:, :, None], x, torch.where(is_wide[:, :, None], convolved, ends))
            left = torch.where(is_one, left, after)
            x = x * (places[None, :] < left)[:, :, None]
        return x[:, 0]

    def _end(self, x: Tensor, left: Tensor, width: int) -> Tensor:
        """What is `left`, fewer than `width` columns, as one column in the first place: [B, 1, q]."""
        seen = functional.pad(x, (0, 0, 0, width))[:, : width - 1]
        rows = LARGEST_KERNEL * left.clamp(max=LARGEST_KERNEL - 1)
        rows = rows + torch.arange(width - 1, device=x.device)[None, :]
        return (seen * functional.embedding(rows, self.last)).sum(dim=1, keepdim=True)


class RCTM(Architecture):
    """Carried state: the sentence's vector, which no step changes, and the recurrent layer."""

    name = "rctm"
    paper = "Kalchbrenner and Blunsom 2013, Recurrent Continuous Translation Models"
    config_type = RCTMConfig

    def __init__(self, config: RCTMConfig) -> None:
        super().__init__(config)
        size = config.hidden_size
        self.embedding = ScaledEmbedding(config.vocabulary_size, size)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.sentence = SentenceModel(size)
        self.source = nn.Linear(size, size)
        self.token = nn.Linear(size, size, bias=False)
        self.recurrence = nn.Linear(size, size, bias=False)
        self.dropout = SequenceDropout(config.dropout)
        nn.init.orthogonal_(self.recurrence.weight)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(RCTMConfig(vocabulary_size, hidden_size=128, dropout=0.0))

    @property
    def max_source_length(self) -> int:
        """Columns that the kernels make one of."""
        return 1 + sum(width - 1 for width in range(2, LARGEST_KERNEL + 1))

    def state_specs(self) -> list[StateSpec]:
        return [
            StateSpec(name=name, lifetime=Lifetime.CARRIED, dtype="float32", axes=(self.config.hidden_size,))
            for name in ("sentence", "hidden")
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return []

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """s = S csm(e) (equation 7a)."""
        embedded = self.dropout(self._embed(source_ids))
        sentence = self.source(self.sentence(embedded * source_mask[:, :, None], source_mask))
        return {"sentence": sentence, "hidden": torch.zeros_like(sentence)}

    def _advance(self, embedded: Tensor, hidden: Tensor, sentence: Tensor) -> Tensor:
        """h' = sigma(I v(f) + R h + s) (equation 7c), with tanh for sigma."""
        return torch.tanh(self.token(embedded) + self.recurrence(hidden) + sentence)

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state, embedded = self.encode(source_ids, source_mask), self.dropout(self._embed(target_ids))
        hidden, hiddens = state["hidden"], []
        for t in range(target_ids.shape[1]):
            hidden = self._advance(embedded[:, t], hidden, state["sentence"])
            hiddens.append(hidden)
        return TeacherForced(self.dropout(torch.stack(hiddens, dim=1)), no_attention(target_ids, source_ids))

    def _embed(self, ids: Tensor) -> Tensor:
        embedded: Tensor = self.embedding(ids)
        return embedded

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        hidden = self._advance(self._embed(token_ids), state["hidden"], state["sentence"])
        return StepTensors(self.logits(hidden), None, {"sentence": state["sentence"], "hidden": hidden})
