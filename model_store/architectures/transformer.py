"""Vaswani et al. 2017, "Attention Is All You Need" (arXiv:1706.03762), and its variants, each a field of the
configuration. By default layers normalise before each sub-layer (Xiong et al. 2020, arXiv:2002.04745), which trains
without a long warm-up.

Source, target and output embeddings are one matrix (section 3.4). Every cross-attention weight is exported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_store.architectures.base import Architecture, StepTensors, TeacherForced
from model_store.architectures.transformer_config import TransformerConfig
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import Maps, score_bias
from model_store.layers.dropout import SequenceDropout
from model_store.layers.position import sinusoids
from model_store.layers.sharing import row_maps
from model_store.layers.transformer import DecoderLayer


def _slices(kind: Literal["cross", "encoder", "decoder"], heads: Sequence[int]) -> list[AttentionSlice]:
    """Those of layers that have so many `heads`."""
    numbered = enumerate(heads, start=1)
    return [AttentionSlice(kind=kind, layer=layer, head=head) for layer, n in numbered for head in range(1, n + 1)]


class Transformer(Architecture):
    """Encoder-decoder with attention only. Growing state: each decoder layer's self-attention keys and values."""

    name = "transformer"
    paper = "Vaswani et al. 2017, Attention Is All You Need"
    config_type = TransformerConfig
    positions: Tensor

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocabulary_size, config.hidden_size)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        table = sinusoids(config.max_positions, config.hidden_size)
        if config.positions == "learned":
            self.positions = nn.Parameter(table)
        elif config.positions == "sinusoidal":
            self.register_buffer("positions", table, persistent=False)
        self.encoder_layers = nn.ModuleList(config.encoder_layer(i) for i in range(config.num_encoder_layers))
        if config.norm == "pre":
            self.encoder_norm = nn.LayerNorm(config.hidden_size)
        self.decoder_layers = nn.ModuleList(config.decoder_layer(i) for i in range(config.num_decoder_layers))
        if config.norm == "pre":
            self.decoder_norm = nn.LayerNorm(config.hidden_size)
        self.dropout = SequenceDropout(config.dropout)
        self._initialise()

    def _initialise(self) -> None:
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2 and name != "positions":
                nn.init.xavier_uniform_(parameter)
        nn.init.normal_(self.embedding.weight, std=self.config.hidden_size**-0.5)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(
            TransformerConfig(
                vocabulary_size=vocabulary_size,
                hidden_size=32,
                dropout=0.0,
                num_heads=2,
                feed_forward_size=64,
                num_encoder_layers=2,
                num_decoder_layers=2,
                max_positions=64,
            )
        )

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        return {
            "post-norm-swish": {"norm": "post", "activation": "swish"},
            "gelu-learned": {"activation": "gelu", "positions": "learned"},
            "rotary": {"positions": "rotary"},
            "relative": {"positions": "relative"},
            "multi-query": {"num_heads": 4, "num_key_value_heads": 1},
            "grouped-query": {"num_heads": 4, "num_key_value_heads": 2},
            "window": {"window": 2},
            "strided": {"stride": 3},
            "persistent": {"num_persistent": 4, "feed_forward_size": 0},
            "ssru": {"decoder": "ssru"},
            "average": {"decoder": "average"},
            "average-post-norm": {"decoder": "average", "norm": "post"},
            "average-alone": {"decoder": "average", "average_feed_forward": False},
            "average-without-gate": {"decoder": "average", "average_gate": False},
            "half-convolution": {"convolution_size": 3},
            "pruned": {"num_heads": 4, "encoder_heads": (2, 3), "decoder_heads": (1, 4), "cross_heads": (3, 2)},
        }

    def _embed(self, token_ids: Tensor, positions: Tensor | None) -> Tensor:
        """Section 3.4: embeddings times sqrt(H), plus positions; [..., H]."""
        scaled: Tensor = self.embedding(token_ids) * math.sqrt(self.config.hidden_size)
        return self.dropout(scaled if positions is None else scaled + positions)

    def _first_positions(self, length: int) -> Tensor | None:
        """Those of the first `length` places; None where scores know them."""
        return self.positions[:length] if self.config.positions in ("sinusoidal", "learned") else None

    def _decoder(self) -> list[DecoderLayer]:
        return cast("list[DecoderLayer]", list(self.decoder_layers))

    def _encode(self, source_ids: Tensor, source_mask: Tensor, maps: Maps = None) -> Tensor:
        """Encoder output [B, S, H]."""
        x = self._embed(source_ids, self._first_positions(source_ids.shape[1]))
        for layer in self.encoder_layers:
            x = layer(x, source_mask, maps)
        return self._normed(x, is_decoder=False)

    def _normed(self, x: Tensor, is_decoder: bool) -> Tensor:
        """The output of the top layer, normalised unless the layer has done so."""
        if self.config.norm == "post":
            return x
        normed: Tensor = self.decoder_norm(x) if is_decoder else self.encoder_norm(x)
        return normed

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        return self._read(source_ids, source_mask, target_ids, None, None)

    def all_maps(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        encoder, decoder = list[Tensor](), list[Tensor]()
        found = self._read(source_ids, source_mask, target_ids, encoder, decoder)
        encoder_maps, decoder_maps = (torch.cat(maps, dim=1) if maps else None for maps in (encoder, decoder))
        return found._replace(encoder_attention=encoder_maps, decoder_attention=decoder_maps)

    def _read(
        self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor, encoder_maps: Maps, decoder_maps: Maps
    ) -> TeacherForced:
        encoded, bias = self._encode(source_ids, source_mask, encoder_maps), score_bias(source_mask)[:, None, None, :]
        x = self._embed(target_ids, self._first_positions(target_ids.shape[1]))
        maps = []
        for layer in self._decoder():
            x, weights = layer(x, layer.cross_attention.memory(encoded), bias, decoder_maps)
            maps.append(weights)
        return TeacherForced(self._normed(x, is_decoder=True), torch.cat(maps, dim=1))

    @property
    def is_parallel(self) -> bool:
        return self.config.decoder != "ssru"

    # ---- one step -----------------------------------------------------------------------------------------------

    def state_specs(self) -> list[StateSpec]:
        specs = []
        for number, layer in enumerate(self._decoder(), start=1):
            axes = (layer.cross_attention.num_heads, "S", self.config.head_size)
            for part in ("key", "value"):
                name = f"cross_{part}_{number}"
                specs.append(StateSpec(name=name, lifetime=Lifetime.STATIC, dtype="float32", axes=axes))
        return [*specs, *(spec for past in self._past_specs() for spec in past)]

    def _past_specs(self) -> list[list[StateSpec]]:
        """What each decoder layer keeps from step to step."""
        return [layer.self_attention.past_specs(number) for number, layer in enumerate(self._decoder(), start=1)]

    def attention_slices(self) -> list[AttentionSlice]:
        return _slices("cross", [layer.cross_attention.num_heads for layer in self._decoder()])

    def encoder_slices(self) -> list[AttentionSlice]:
        heads = [self._num_maps(self.config.encoder_heads, layer) for layer in range(self.config.num_encoder_layers)]
        return _slices("encoder", heads)

    def decoder_slices(self) -> list[AttentionSlice]:
        if self.config.decoder != "attention":
            return []
        heads = [self._num_maps(self.config.decoder_heads, layer) for layer in range(self.config.num_decoder_layers)]
        return _slices("decoder", heads)

    def _num_maps(self, left: tuple[int, ...], layer: int) -> int:
        """Heads of self-attention in layer number `layer`, from 0: half of them where the others convolve."""
        heads = self.config.heads(left, layer)
        return max(1, heads // 2) if self.config.convolution_size else heads

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        return self._state(self._encode(source_ids, source_mask))

    def encode_with_maps(self, source_ids: Tensor, source_mask: Tensor) -> tuple[dict[str, Tensor], Tensor | None]:
        maps = list[Tensor]()
        encoded = self._encode(source_ids, source_mask, maps)
        return self._state(encoded), torch.cat(maps, dim=1)

    def _state(self, encoded: Tensor) -> dict[str, Tensor]:
        """The state that decoding begins with, of the encoder's output."""
        state = {}
        for number, layer in enumerate(self._decoder(), start=1):
            state[f"cross_key_{number}"], state[f"cross_value_{number}"] = layer.cross_attention.memory(encoded)
        for spec in (spec for past in self._past_specs() for spec in past if spec.lifetime is Lifetime.CARRIED):
            state[spec.name] = encoded.new_zeros(encoded.shape[0], *map(int, spec.axes))
        return state

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        has_table = self.config.positions in ("sinusoidal", "learned")
        places = functional.embedding(position, self.positions) if has_table else None
        x = self._embed(token_ids, places)[:, None, :]  # [R, 1, H]
        bias, maps, after = score_bias(source_mask), list[Tensor](), dict[str, Tensor]()
        for number, (layer, specs) in enumerate(zip(self._decoder(), self._past_specs(), strict=True), start=1):
            past = tuple(state[spec.name] for spec in specs)
            memory = (state[f"cross_key_{number}"], state[f"cross_value_{number}"])
            x, weights, past = layer.step(x, past, position, memory, bias)
            maps.append(weights)
            after |= {spec.name: array for spec, array in zip(specs, past, strict=True)}
        logits = self.logits(self._normed(x, is_decoder=True).squeeze(1))
        return StepTensors(logits, row_maps(torch.cat(maps, dim=1), token_ids), after)
