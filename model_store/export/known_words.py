"""The source words of a bundle's training text, for new bundles and for those of earlier releases."""

from __future__ import annotations

from pathlib import Path

from model_store.contract.bundle import Bundle, read_verified, write_bundle
from model_store.contract.known_words import MIN_COUNT, KnownWords
from model_store.contract.manifest import CONTRACT_VERSION, KNOWN_WORDS_FILE
from model_store.data.corpus import Columns, read_parallel
from model_store.data.phrases import Phrases
from model_store.export.confidence import calibrate_confidence
from model_store.export.stepper import OrtStepper
from model_store.training.preparation import written_sentences
from model_store.training.recipe import Recipe, stored_recipe


def training_words(recipe: Recipe, data: Path) -> KnownWords:
    """The source words of what a run of `recipe` trains on: its corpus, and the phrases and sentences that it adds."""
    columns = Columns(recipe.data.source_column, recipe.data.target_column)
    corpus = read_parallel(data / recipe.data.train, columns).sources
    phrases = Phrases.of((recipe.source, recipe.target)) if recipe.variation and recipe.variation.labels else None
    sentences = written_sentences(recipe).sources * MIN_COUNT
    return KnownWords.of([*corpus, *sentences, *(phrases.sources() if phrases else ())], recipe.source)


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
