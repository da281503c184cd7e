"""What every architecture provides, whatever its paper: state, `encode`, `step`, and the teacher-forced pass."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar, NamedTuple, Self

import torch
from torch import Tensor, nn

from model_store.architectures.configuration import ArchitectureConfig, configured
from model_store.contract.state import AttentionSlice, StateSpec


class StepTensors(NamedTuple):
    """What one decoder step gives."""

    logits: Tensor
    """[R, V]"""
    attention: Tensor | None
    """[R, A, S], A slices; None for an architecture without attention."""
    state: dict[str, Tensor]
    """The next carried and growing arrays."""
    own: Tensor | None = None
    """Weights over the decoder's own earlier steps, a slice each of `decoder_slices`: [R, D, T]; or [R, D, W], oldest
    first, where it looks back at the last W alone. None without; decoding does not use it."""


class TeacherForced(NamedTuple):
    """What the training pass gives."""

    hidden: Tensor
    """[B, T, H], before the output projection."""
    attention: Tensor
    """[B, A, T, S]"""
    penalty: Tensor | None = None
    """What training adds to the batch's summed loss, beside the cross-entropy; None is nothing."""
    encoder_attention: Tensor | None = None
    """[B, E, S, S], a slice each of `encoder_slices`, from `all_maps` alone."""
    decoder_attention: Tensor | None = None
    """[B, D, T, T], a slice each of `decoder_slices`, from `all_maps` alone: column j is what step j read."""


def no_attention(target_ids: Tensor, source_ids: Tensor) -> Tensor:
    """The attention [B, 0, T, S] of an architecture that has none."""
    return torch.zeros(len(source_ids), 0, target_ids.shape[1], source_ids.shape[1], device=source_ids.device)


class Architecture(nn.Module, abc.ABC):
    """One paper's network. Add a paper: one file with a subclass, one line in the registry.

    Target inputs are shifted right by the caller: position 0 gets the begin-of-sentence token.
    """

    name: ClassVar[str]
    """The registry name, as recipes and manifests write it."""
    paper: ClassVar[str]
    """Authors, year and title."""
    config_type: ClassVar[type[ArchitectureConfig]]
    extensions: ClassVar[frozenset[str]] = frozenset()
    """Fields of the configuration that may be turned on for a network that was trained without: they only add
    parameters, which change nothing as they are initialised."""
    embedding: nn.Embedding
    """[V, width]: of source and target."""
    bias: nn.Parameter
    """[V]: of the output projection."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config

    @classmethod
    def from_config(cls, values: Mapping[str, Any]) -> Self:
        """Build from plain values (a recipe's or a manifest's). Raises ArchitectureConfigError, which names every
        unknown, missing or faulty field."""
        return cls(configured(cls.config_type, values))

    def config_values(self) -> dict[str, Any]:
        """The configuration as plain values, for manifests and checkpoints."""
        return asdict(self.config)

    def network_values(self) -> dict[str, Any]:
        """Those of them that say which network it is: all but dropout, which a further training may change."""
        return {name: value for name, value in self.config_values().items() if name != "dropout"}

    @classmethod
    @abc.abstractmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        """A network small enough that a test trains and exports it in seconds."""

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        """The choices of the configuration that tests try with the tiny network: for each a name, and what it sets; the
        most telling one first, which `make test` tries too."""
        return {}

    @classmethod
    def tiny_variant(cls, name: str, vocabulary_size: int = 32) -> Self:
        """The tiny network with the choices of `variants()[name]`."""
        return cls.from_config({**cls.tiny(vocabulary_size).config_values(), **cls.variants()[name]})

    @abc.abstractmethod
    def state_specs(self) -> list[StateSpec]:
        """Every array that travels between `encode` and `step`, in the order in which graphs take them."""

    @abc.abstractmethod
    def attention_slices(self) -> list[AttentionSlice]:
        """Which layer and head each of the A slices of `attention` is, in order; empty without attention."""

    def encoder_slices(self) -> list[AttentionSlice]:
        """Layer and head of each attention of the source over itself; empty without."""
        return []

    def decoder_slices(self) -> list[AttentionSlice]:
        """Layer and head of each attention of the decoder over its own steps; empty without."""
        return []

    @property
    def max_length(self) -> int | None:
        """Most tokens of a target, end token included; None is no limit. By default the configuration's
        `max_positions`, where it has that field."""
        found: int | None = getattr(self.config, "max_positions", None)
        return found

    @property
    def max_source_length(self) -> int | None:
        """Most tokens of a source, end token included; None is no limit. By default that of a target."""
        return self.max_length

    @property
    def decoder_window(self) -> int | None:
        """W: how many of its own steps the decoder looks back at; None is all of them."""
        return None

    @property
    def is_parallel(self) -> bool:
        """Whether `all_maps` reads all target tokens at once, without a loop over them, and so can be exported.

        False makes the teacher-forced graph a loop over `step`: always right, but slower.
        """
        return False

    @abc.abstractmethod
    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """Read `source_ids` [B, S] under `source_mask` [B, S] (True = real token).

        Returns every static array and the first value [B, ...] of every carried one, by name. Growing arrays start
        empty.
        """

    def encode_with_maps(self, source_ids: Tensor, source_mask: Tensor) -> tuple[dict[str, Tensor], Tensor | None]:
        """The same, and the weights [B, E, S, S] of `encoder_slices`; None without."""
        return self.encode(source_ids, source_mask), None

    @abc.abstractmethod
    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        """Advance R rows by one token: `token_ids` [R], `position` [R] (tokens decoded so far), `source_mask` [B, S].

        Static arrays have B segments on their first axis, carried and growing ones R rows; B divides R, and row r
        belongs to segment r // (R / B). Growing arrays come in at their capacity on T; this step
        writes entry `position`, and what lies beyond it counts for nothing.
        """

    @abc.abstractmethod
    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        """Run all T shifted target tokens `target_ids` [B, T] at once; same maths as `step`, for training."""

    def all_maps(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        """The same with the maps of encoder and decoder."""
        return self.teacher_forced(source_ids, source_mask, target_ids)

    def output_weight(self) -> Tensor:
        """The output projection [V, H]: logits = hidden @ weight.T + bias. By default the embeddings, as Press and Wolf
        2017 (arXiv:1608.05859) tie them."""
        return self.embedding.weight

    def output_bias(self) -> Tensor:
        """The output bias [V]."""
        return self.bias

    def logits(self, hidden: Tensor) -> Tensor:
        """Project `hidden` [..., H] onto the vocabulary: [..., V]."""
        return torch.nn.functional.linear(hidden, self.output_weight(), self.output_bias())
