"""State that travels between steps: its three lifetimes, and the attention slices a step returns."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

DType = Literal["float32", "int64", "bool"]
"""Element types that a bundle's tensors may have."""

Axis = str | Annotated[int, Field(gt=0)]
"""A named axis (B, R, S, T, ...) whose size may change, or a fixed size."""

StateAxis = Literal["S", "T"] | Annotated[int, Field(gt=0)]
"""An axis of a state array: source tokens, places of a growing array, or a fixed size."""


class Lifetime(StrEnum):
    """How long a state array lives and who replaces it."""

    STATIC = "static"
    """Written by the encoder, then read-only."""
    CARRIED = "carried"
    """Replaced at each step."""
    GROWING = "growing"
    """One more entry on its T axis per step: a preallocated buffer that is written at `position`."""


class StateSpec(BaseModel):
    """One named array of a row's state. Axis 0 is the row axis; in a step, static arrays have segments there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1)
    """The array's key in state dictionaries."""
    lifetime: Lifetime
    """When it is written."""
    dtype: DType
    """Element type."""
    axes: tuple[StateAxis, ...]
    """Axes after the row axis: `S` source tokens, `T` capacity of a growing array, or fixed sizes."""

    def axis(self, letter: str) -> int | None:
        """Index, counting the row axis as 0, of the named axis `letter`; None when the array has none."""
        return self.axes.index(letter) + 1 if letter in self.axes else None


class AttentionSlice(BaseModel):
    """What one slice of an attention output is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["cross", "encoder", "decoder"] = "cross"
    """Target over source; source over itself; the decoder over its own steps. A decoder step gives the first alone."""
    layer: int = Field(ge=1)
    """Layer of the decoder, or of the encoder, counted from 1 at the bottom."""
    head: int = Field(ge=1)
    """Head within the layer, counted from 1."""
