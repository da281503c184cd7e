"""Which model is a language pair's default: scores are compared like with like."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from model_store.contract.manifest import Manifest
from model_store.contract.parts import Quality
from model_store.contract.store import Store
from service.api.catalogue import Catalogue
from service.api.listings import languages_answer, models_answer
from service.api.releases import Releases
from service.errors import UnknownLanguagePairError

Rows = list[tuple[str, str, float]]
"""Test set, precision, score."""


@dataclass
class Named:
    """A model with a manifest and nothing else."""

    manifest: Manifest

    def check(self, request: Any) -> None:
        raise NotImplementedError

    async def translate(self, request: Any) -> Any:
        raise NotImplementedError


@pytest.fixture(scope="module")
def manifest(store: Path) -> Manifest:
    return Store(store).open("better").manifest


def default(manifest: Manifest, **measured: Rows) -> str:
    """The name of the default model of int8 bundles with these measurements."""

    def quality(test_set: str, precision: Any, score: float) -> Quality:
        return Quality(metric="BLEU", score=score, test_set=test_set, num_sentences=1, beam_size=4,
                       precision=precision, signature="")  # fmt: skip

    def served(name: str, rows: Rows) -> Named:
        changes = {"name": name, "precision": "int8", "quality": tuple(quality(*row) for row in rows)}
        return Named(manifest.model_copy(update=changes))

    (one,) = Catalogue([served(name, rows) for name, rows in measured.items()]).pairs.values()
    return one.manifest.name


def test_a_score_of_other_weights_than_those_served_does_not_count(manifest: Manifest) -> None:
    assert default(manifest, a=[("x", "int8", 30.0)], b=[("x", "float32", 31.0), ("x", "int8", 29.0)]) == "a"


def test_a_score_on_an_easier_test_set_does_not_count(manifest: Manifest) -> None:
    assert default(manifest, a=[("x", "int8", 30.0)], b=[("easy", "int8", 90.0), ("x", "int8", 29.0)]) == "a"
    assert default(manifest, a=[("x", "int8", 30.0), ("y", "int8", 9.0)], b=[("x", "int8", 31.0)]) == "b"


def test_a_model_that_was_not_measured_comes_after_those_that_were(manifest: Manifest) -> None:
    assert default(manifest, a=[("x", "int8", 1.0)], b=[]) == "a"
    assert default(manifest, a=[], b=[("x", "int8", 1.0)]) == "b"


def test_of_equals_the_last_name_is_the_default(manifest: Manifest) -> None:
    assert default(manifest, a=[], b=[]) == "b"
    assert default(manifest, a=[("x", "int8", 1.0)], b=[("x", "int8", 1.0)]) == "b"


@pytest.mark.parametrize("source", ["en", "EN", "en-US", "en_GB", "En-latn-US"])
def test_a_language_is_found_in_any_case_and_of_any_region(manifest: Manifest, source: str) -> None:
    catalogue = Catalogue([Named(manifest)])
    assert catalogue.choose(None, source, manifest.target.upper()).manifest == manifest
    with pytest.raises(UnknownLanguagePairError):
        catalogue.choose(None, "eng", manifest.target)


def test_a_region_that_is_served_is_not_its_language(manifest: Manifest) -> None:
    region = manifest.model_copy(update={"name": "regional", "source": "en-US"})
    catalogue = Catalogue([Named(manifest), Named(region)])
    assert catalogue.choose(None, "en-us", manifest.target).manifest.name == "regional"
    assert catalogue.choose(None, "en-GB", manifest.target).manifest.name == manifest.name


def test_the_default_that_is_listed_is_the_version_that_answers(manifest: Manifest) -> None:
    versions = [Named(manifest.model_copy(update={"version": version})) for version in ("8", "10")]
    labels = {"better@stable": "better@8", "better@canary": "better@10"}
    for releases, default in ((Releases(), "better@10"), (Releases(labels, 0.1), "better@8")):
        catalogue = Catalogue(versions, releases=releases)
        (pair,) = languages_answer(catalogue)["pairs"]
        listed = models_answer(catalogue)["models"]
        assert (pair["default_model"], pair["models"]) == (default, ["better@10", "better@8"])
        assert [f"{one['name']}@{one['version']}" for one in listed if one["is_default"]] == [default]
