"""Guided alignment: chosen heads learn to look where a statistical aligner links (Garg et al. 2019, arXiv:1909.02074).

Two kinds of head can be guided. A head that *writes* looks, in the step that writes a word, at the source of that word:
section 3.3 of the paper. A head that *has read* looks there one step later, when the word is the decoder's input and no
longer has to be guessed (Chen et al. 2020, arXiv:2004.14837, section 3): its links are better, for text of others above
all.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model_store.contract.state import AttentionSlice
from model_store.training.recipe import GuidedHead, RecipeError

FLOOR = 1e-6
"""Added to a weight before its logarithm is taken."""


def guided_indices(heads: Sequence[GuidedHead], slices: Sequence[AttentionSlice]) -> list[tuple[int, int]]:
    """Index on the A axis and shift of each guided head. Raises RecipeError where the network has no such head."""
    places = {(chosen.layer, chosen.head): index for index, chosen in enumerate(slices)}
    missing = [f"layer {h.layer} head {h.head}" for h in heads if (h.layer, h.head) not in places]
    if missing:
        known = ", ".join(f"layer {layer} head {head}" for layer, head in places)
        raise RecipeError(f"guided.heads: the network has no {', '.join(missing)}; it has {known}")
    return [(places[h.layer, h.head], h.shift) for h in heads]


def guidance_loss(attention: Tensor, links: Tensor, heads: Sequence[tuple[int, int]], real: Tensor) -> Tensor:
    """Cross-entropy of each guided head's weights against the links, per target token, summed over heads.

    `attention` [B, A, T, S], `links` [B, T, S] as `Batch.links` says, `heads` as `guided_indices` gives them, `real`
    [B, T] whether a step has a token to write. The end token is read by no such step, so a head that has read does not
    learn where it should look.
    """
    total = attention.new_zeros((), dtype=torch.float32)
    for index, shift in heads:
        weights = attention[:, index, shift:].float()
        wanted = links[:, : links.shape[1] - shift] * real[:, shift:, None]
        total = total - (wanted * (weights + FLOOR).log()).sum()
    return total / real.sum()
