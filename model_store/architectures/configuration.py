"""Configurations of architectures: dataclasses whose fields are checked when a recipe or a manifest is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from model_store.contract.errors import faults_of

Size = Annotated[int, Field(ge=1)]
"""A width, or a number of layers, heads or places."""
Count = Annotated[int, Field(ge=0)]
"""A size of which 0 leaves the part out."""
Probability = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0)]
"""A factor beside the loss; 0 leaves the term out."""


class ArchitectureConfigError(ValueError):
    """A configuration that an architecture cannot have; the message names every faulty field."""


@dataclass(frozen=True)
class ArchitectureConfig:
    """Sizes every architecture shares. A subclass checks fields that must fit each other in `__post_init__`, which
    raises ValueError."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    vocabulary_size: Size
    """V: entries of the joint subword vocabulary."""
    hidden_size: Size
    """H: width of embeddings and of hidden layers."""
    dropout: Annotated[float, Field(ge=0, lt=1)]
    """Probability that a value is dropped in training; 0 turns dropout off."""


Config = TypeVar("Config", bound=ArchitectureConfig)


def configured(config_type: type[Config], values: Mapping[str, Any]) -> Config:
    """The configuration with these plain values; lists become tuples.

    Raises ArchitectureConfigError, which names every unknown, missing or faulty field.
    """
    try:
        return TypeAdapter(config_type).validate_python(dict(values))
    except ValidationError as error:
        raise ArchitectureConfigError(faults_of(error)) from error


def require_divisible(dividend: str, value: int, divisor: str, by: int) -> None:
    """Raise ValueError, which names both fields, unless `by` divides `value`."""
    if value % by:
        raise ValueError(f"{dividend} is {value}, which {divisor}, {by}, must divide")
