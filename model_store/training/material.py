"""What each epoch trains on: the recipe's pairs as ids, in the forms that the recipe asks for."""

from __future__ import annotations

from random import Random
from typing import Protocol

from model_store.contract.tokenizer import Tokenizer
from model_store.data.batching import TokenPairs, join_pairs
from model_store.data.corpus import CorpusError, ParallelText
from model_store.data.encoding import StretchEncoder
from model_store.data.formality import marked
from model_store.data.linked import LinkedPair
from model_store.data.linking import linked_pairs
from model_store.data.variation import Variation
from model_store.training.folder import RunFolder
from model_store.training.preparation import training_pairs, written_sentences
from model_store.training.recipe import Recipe

PART_PAIRS = 40_000
"""Fewest pairs of a varied corpus that are an epoch of the loop, which waits until the first one is prepared."""


class Material(Protocol):
    """Training pairs by epoch. The same epoch always gives the same pairs."""

    num_pairs: int
    """Pairs of the corpus."""

    def epoch(self, number: int) -> TokenPairs:
        """The pairs of an epoch, from 0."""
        ...


class PlainMaterial:
    """The pairs as they stand, some of them joined."""

    def __init__(self, recipe: Recipe, text: ParallelText, tokenizer: Tokenizer) -> None:
        """Raises CorpusError when every pair is too long."""
        self._training = recipe.training
        self._pairs = training_pairs(tokenizer, text, recipe.training.max_sentence_tokens)
        self.num_pairs = len(self._pairs)

    def epoch(self, number: int) -> TokenPairs:
        """See `Material.epoch`."""
        training = self._training
        joined = join_pairs(self._pairs, training.joined_fraction, training.seed, number)
        return joined.shorter_than(training.max_sentence_tokens)


class LinkedMaterial:
    """Pairs with links, varied anew for each epoch when the recipe says how."""

    def __init__(self, recipe: Recipe, text: ParallelText, tokenizer: Tokenizer, folder: RunFolder) -> None:
        """Links the pairs once for each run. Raises CorpusError when eflomal is missing or no pair is short enough."""
        languages = recipe.source, recipe.target
        pairs = linked_pairs(text, languages, folder.links)
        self._training = recipe.training
        self._encoder = StretchEncoder(tokenizer)
        own = len(pairs) - len(written_sentences(recipe))
        self._variation = Variation(pairs[:own], languages, recipe.variation, pairs[own:]) if recipe.variation else None
        self._marks = recipe.variation.formality if recipe.variation and tokenizer.has_formality else 0.0
        self._languages = languages
        self._pairs: list[LinkedPair] = pairs
        self.num_pairs = len(pairs)
        first = pairs[:1000]
        if not len(self._encode(first)):
            raise CorpusError(
                f"every one of the first {len(first)} pairs has more than {recipe.training.max_sentence_tokens} "
                "tokens; raise max_sentence_tokens"
            )

    def epoch(self, number: int) -> TokenPairs:
        """See `Material.epoch`."""
        seed, parts = self._training.seed, max(1, len(self._pairs) // PART_PAIRS)
        pairs = self._variation.epoch(seed, number, parts) if self._variation else self._pairs
        if self._marks:
            pairs = marked(pairs, self._languages, self._marks, Random(f"{seed}/{number}/formality"))
        return self._encode(pairs)

    def _encode(self, pairs: list[LinkedPair]) -> TokenPairs:
        return self._encoder.encode(pairs, self._training.max_sentence_tokens)


def material(recipe: Recipe, text: ParallelText, tokenizer: Tokenizer, folder: RunFolder) -> Material:
    """What `recipe` trains on. Raises CorpusError."""
    if recipe.variation is None and recipe.guided is None:
        return PlainMaterial(recipe, text, tokenizer)
    return LinkedMaterial(recipe, text, tokenizer, folder)
