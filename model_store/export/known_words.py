"""The source words of a bundle's training text, for new bundles and for those of earlier releases."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from model_store.contract.bundle import Bundle, read_verified, write_bundle
from model_store.contract.known_words import MIN_COUNT, KnownWords
from model_store.contract.manifest import CONTRACT_VERSION, KNOWN_WORDS_FILE
from model_store.contract.words import word_spans
from model_store.data.corpus import Columns, ParallelText, read_parallel
from model_store.data.phrases import Phrases
from model_store.export.confidence import calibrate_confidence
from model_store.export.stepper import OrtStepper
from model_store.training.preparation import written_sentences
from model_store.training.recipe import Recipe, stored_recipe

FREQUENT_NAME = 20
"""Pairs from which on a name is known like any word."""


def training_words(recipe: Recipe, data: Path) -> KnownWords:
    """The source words of what a run of `recipe` trains on: its corpus, and the phrases and sentences that it adds.

    Rare names are not among them: a model that has read *Lindholm* twice is no surer of it than of one that it never
    read, and a server copies the names that are not known.
    """
    columns = Columns(recipe.data.source_column, recipe.data.target_column)
    corpus = read_parallel(data / recipe.data.train, columns)
    phrases = Phrases.of((recipe.source, recipe.target)) if recipe.variation and recipe.variation.labels else None
    written = written_sentences(recipe)
    texts = [*corpus.sources, *written.sources * MIN_COUNT, *(phrases.sources() if phrases else ())]
    return KnownWords.of(texts, recipe.source, rare_names(corpus + written, recipe.source))


def rare_names(text: ParallelText, language: str) -> set[str]:
    """Source words, in lower case, that always begin with a capital, stand in every translation as they are, and are in
    fewer than FREQUENT_NAME pairs."""
    counts, others = Counter[str](), set[str]()
    for source, target in zip(text.sources, text.targets, strict=True):
        for start, end in word_spans(source, language):
            word = source[start:end]
            if word[:1].isupper() and word[1:].islower() and word in target:
                counts[word.lower()] += 1
            else:
                others.add(word.lower())
    return {word for word, count in counts.items() if count < FREQUENT_NAME and word not in others}


def with_known_words(bundle: Bundle, folder: Path, data: Path) -> Bundle:
    """Write the bundle with its known words, and its confidence calibrated anew, into the new `folder`.

    Its graphs stay bit for bit. `data` is the data folder of the recipe that its manifest has.
    """
    manifest = bundle.manifest
    recipe = stored_recipe(_as_trained(manifest.training.recipe))
    known = training_words(recipe, data)
    stepper = OrtStepper(bundle.encoder, bundle.decoder_step, manifest.encoder, manifest.decoder_step, manifest.state)
    columns = Columns(recipe.data.source_column, recipe.data.target_column)
    text, name = read_parallel(data / recipe.data.valid, columns), f"{recipe.data.valid}, noisy"
    confidence = calibrate_confidence(stepper, bundle.tokenizer, text, name, known, recipe.source)
    values = manifest.model_dump(mode="json", exclude={"files"})
    values |= {"contract_version": CONTRACT_VERSION, "confidence": confidence.model_dump()}
    values |= {"known_words_file": KNOWN_WORDS_FILE}
    _, files = read_verified(bundle.path)
    return write_bundle(folder, values, {**files, KNOWN_WORDS_FILE: known.data})


def _as_trained(recipe: dict[str, object]) -> dict[str, object]:
    """A manifest's recipe without the kinds of variation that came after it."""
    variation = recipe.get("variation")
    if not isinstance(variation, dict):
        return recipe
    return {**recipe, "variation": {"dates": 0.0, "letters": 0.0, "labels": 0.0, **variation}}
