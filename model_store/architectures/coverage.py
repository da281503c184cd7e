"""Tu et al. 2016, "Modeling Coverage for Neural Machine Translation" (arXiv:1601.04811), section 3.1.2: every source
word has a vector of what was already translated of it, which attention reads and each step rewrites.

The network is that of Bahdanau et al. 2015, in which the vectors enter the score. The linguistic coverage of section
3.1.1 is left out, and coverage is trained with all else from the start, where the paper begins with a trained network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn

from model_store.architectures.bahdanau import Bahdanau, BahdanauConfig
from model_store.architectures.base import StepTensors, TeacherForced
from model_store.architectures.configuration import Size
from model_store.contract.state import Lifetime, StateSpec
from model_store.layers.attention import score_bias
from model_store.layers.recurrent import gru_update
from model_store.layers.sharing import segments_of_rows


@dataclass(frozen=True)
class CoverageConfig(BahdanauConfig):
    """Sizes as for Bahdanau's network, and those of the coverage."""

    coverage_size: Size = 10
    """d: width of each source word's coverage vector."""
    coverage_update: Literal["gru", "tanh"] = "gru"
    """What makes a step's coverage out of the last one: gates as in the paper, or a hyperbolic tangent alone."""

    def __post_init__(self) -> None:
        """Raises ValueError for choices that do not fit each other."""
        super().__post_init__()
        if self.score != "additive":
            raise ValueError(f"coverage enters the score additive alone, not {self.score}; leave `score` out")


class Coverage(Bahdanau):
    """The state is that of `Bahdanau`; what each source word adds to the gates of its coverage is static, and the
    coverage itself carried."""

    name = "coverage"
    paper = "Tu et al. 2016, Modeling Coverage for Neural Machine Translation"
    config_type = CoverageConfig

    def __init__(self, config: CoverageConfig) -> None:
        super().__init__(config)
        size = config.coverage_size
        self.gates_size = 3 * size if config.coverage_update == "gru" else size
        self.coverage_key = nn.Linear(size, config.alignment_size, bias=False)
        self.memory_gates = nn.Linear(2 * config.encoder_size, self.gates_size)
        self.weight_gates = nn.Linear(1, self.gates_size, bias=False)
        self.state_gates = nn.Linear(config.hidden_size, self.gates_size, bias=False)
        self.coverage_gates = nn.Linear(size, self.gates_size)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls.from_config({**Bahdanau.tiny(vocabulary_size).config_values(), "coverage_size": 4})

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        return {"tanh": {"coverage_update": "tanh"}, "word-in-query": super().variants()["word-in-query"]}

    def state_specs(self) -> list[StateSpec]:
        gates, size = ("S", self.gates_size), ("S", self.config.coverage_size)
        return [
            *super().state_specs(),
            StateSpec(name="memory_gates", lifetime=Lifetime.STATIC, dtype="float32", axes=gates),
            StateSpec(name="coverage", lifetime=Lifetime.CARRIED, dtype="float32", axes=size),
        ]

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        state = super().encode(source_ids, source_mask)
        memory = state["memory"]
        begun = memory.new_zeros(*memory.shape[:2], self.config.coverage_size)
        return {**state, "memory_gates": self.memory_gates(memory), "coverage": begun}

    def _covered_weights(self, query: Tensor, bias: Tensor, state: dict[str, Tensor]) -> Tensor:
        """Weights [R, S] of e_ij = v . tanh(W t_{i-1} + U h_j + V C_{i-1,j}), from the projected queries [R, A]; all
        of `state` and `bias` are of rows."""
        hidden = query[:, None] + state["memory_key"] + self.coverage_key(state["coverage"])
        return torch.softmax(self.energy(torch.tanh(hidden)).squeeze(2) + bias, dim=-1)

    def _cover(self, weights: Tensor, hidden: Tensor, state: dict[str, Tensor]) -> Tensor:
        """C_ij = f(C_{i-1,j}, a_ij, h_j, t_{i-1}) [R, S, D], from weights [R, S] and decoder states [R, H]."""
        of_input = self.weight_gates(weights[:, :, None]) + state["memory_gates"] + self.state_gates(hidden)[:, None]
        of_coverage = self.coverage_gates(state["coverage"])
        if self.config.coverage_update == "tanh":
            return torch.tanh(of_input + of_coverage)
        return gru_update(of_input, of_coverage, state["coverage"])

    def _advance(
        self, query: Tensor, token_gates: Tensor, bias: Tensor, state: dict[str, Tensor]
    ) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
        """Context [R, 2E], weights [R, S] and the next carried state, from the projected queries [R, A] and what the
        words add to the decoder's gates [R, 3H]."""
        weights = self._covered_weights(query, bias, state)
        context = torch.matmul(weights[:, None], state["memory"]).squeeze(1)
        gates = token_gates + self.context_gates(context)
        hidden = gru_update(gates, self.hidden_gates(state["hidden"]), state["hidden"])
        return context, weights, {"hidden": hidden, "coverage": self._cover(weights, state["hidden"], state)}

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state, bias = self.encode(source_ids, source_mask), score_bias(source_mask)
        embedded = self.dropout(self.embedding(target_ids))
        token_gates, words = self.token_gates(embedded), self._word_queries(embedded)
        hiddens, contexts, maps = [], [], []
        for t in range(target_ids.shape[1]):
            query = self._query(state["hidden"], None if words is None else words[:, t])
            context, weights, after = self._advance(query, token_gates[:, t], bias, state)
            state = {**state, **after}
            hiddens.append(state["hidden"])
            contexts.append(context)
            maps.append(weights)
        read = self._read_out(torch.stack(hiddens, dim=1), embedded, torch.stack(contexts, dim=1))
        return TeacherForced(read, torch.stack(maps, dim=1)[:, None])

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        embedded = self.embedding(token_ids)
        segments = segments_of_rows(token_ids, source_mask)
        rows = {name: state[name][segments] for name in ("memory", "memory_key", "memory_gates")}
        query = self._query(state["hidden"], self._word_queries(embedded))
        context, weights, after = self._advance(
            query, self.token_gates(embedded), score_bias(source_mask)[segments], {**state, **rows}
        )
        logits = self.logits(self._read_out(after["hidden"], embedded, context))
        return StepTensors(logits, weights[:, None], after)
