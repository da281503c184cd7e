"""Which maps a client gets."""

from __future__ import annotations

from typing import Literal

import pytest

from model_store.contract.manifest import Manifest
from model_store.contract.parts import Alignment
from model_store.contract.state import AttentionSlice
from service.attention.selection import SelectedMap, links_map, select
from service.errors import AttentionNotAvailableError
from service.exchanged import AttentionOptions

SLICES = ((2, 2), (1, 1), (1, 2), (2, 1))
"""Layer and head of each slice, in no good order."""


def manifest(alignment_head: int | Literal["mean"] = 1, shift: Literal[0, 1] = 0) -> Manifest:
    return Manifest.model_construct(
        name="toy",
        version="3",
        attention_slices=tuple(AttentionSlice(layer=layer, head=head) for layer, head in SLICES),
        alignment=Alignment(layer=2, head=alignment_head, shift=shift),
    )


def chosen(options: AttentionOptions, alignment_head: int | Literal["mean"] = 1) -> list[tuple[int, int | str]]:
    return [(m.layer, m.head) for m in select(manifest(alignment_head), options)]


def test_the_default_is_the_bundles_alignment_slice() -> None:
    assert chosen(AttentionOptions()) == [(2, 1)]
    assert chosen(AttentionOptions(), "mean") == [(2, "mean")]
    assert links_map(manifest()) == SelectedMap(2, 1, (3,))


def test_the_default_map_alone_has_the_alignments_shift() -> None:
    having_read = manifest(shift=1)
    for options, shifts in (
        (AttentionOptions(), [1]),
        (AttentionOptions(layer=2), [1]),
        (AttentionOptions(layer=2, head=1), [0]),
        (AttentionOptions(layer="all"), [0, 1]),
        (AttentionOptions(layer="all", head="all"), [0, 0, 0, 0]),
    ):
        assert [found.shift for found in select(having_read, options)] == shifts
    assert links_map(having_read) == SelectedMap(2, 1, (3,), 1)


def test_the_default_head_of_another_layer_is_its_mean() -> None:
    assert chosen(AttentionOptions(layer=1)) == [(1, "mean")]
    assert chosen(AttentionOptions(layer="all")) == [(1, "mean"), (2, 1)]


def test_all_layers_and_heads_come_in_order_whatever_the_manifests_order() -> None:
    selected = select(manifest(), AttentionOptions(layer="all", head="all"))
    assert [(m.layer, m.head) for m in selected] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert [SLICES[m.indices[0]] for m in selected] == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_a_mean_is_the_mean_of_the_layers_heads() -> None:
    (mean,) = select(manifest(), AttentionOptions(layer=1, head="mean"))
    assert mean.indices == (1, 2)
    assert mean.slices.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("options", "field", "given"),
    [
        (AttentionOptions(layer=3), "attention.layer", 3),
        (AttentionOptions(layer=1, head=9), "attention.head", 9),
        (AttentionOptions(layer="all", head=9), "attention.head", 9),
        (AttentionOptions(kind="encoder"), "attention.kind", None),
        (AttentionOptions(kind="decoder"), "attention.kind", None),
    ],
)
def test_what_is_not_exported_is_refused_with_what_is(options: AttentionOptions, field: str, given: int | None) -> None:
    with pytest.raises(
        AttentionNotAvailableError, match="cross layer 1 heads 1, 2; cross layer 2 heads 1, 2"
    ) as caught:
        select(manifest(), options)
    (fault,) = caught.value.faults
    assert (fault.field, fault.given) == (field, given)
    assert fault.limit == "cross layer 1 heads 1, 2; cross layer 2 heads 1, 2"
