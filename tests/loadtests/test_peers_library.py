"""The library rows, with the published model and the real peers."""

from __future__ import annotations

from pathlib import Path

import pytest

from loadtests.peers.answers import compare
from loadtests.peers.attendant_side import AttendantSide
from loadtests.peers.options import Options
from loadtests.peers.side import Batch, Run
from model_store.contract.bundle import Bundle

TEXTS = [
    "She reads a book.",
    "Where is the station, please?",
    "Two dogs run across a green field.",
    "No.",
    "A man in a blue shirt stands on a ladder and cleans a window.",
]


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return Options().bundle()


@pytest.fixture(scope="module")
def sources(bundle: Bundle) -> list[list[int]]:
    return bundle.tokenizer.encode_batch(TEXTS)


@pytest.fixture(scope="module")
def float32(bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    pytest.importorskip("torch")
    from model_store.export.weights import as_float32

    return as_float32(bundle, tmp_path_factory.mktemp("float32") / "bundle")


def test_rates_are_of_target_tokens_without_end_tokens() -> None:
    run = Run([[5, 6, 7], [8]], 2.0)
    assert run.tokens_per_second == 2.0
    assert run.ms_per_sentence == 1000.0


def test_answers_are_compared_one_by_one_and_by_bleu() -> None:
    references = ["le chat dort sur le tapis", "le chien court dans le jardin"]
    answers = compare(references, [references[0], "autre chose"], references, str)
    assert answers.identical == 0.5
    assert answers.bleu_ours > 99.9
    assert not answers.bleu_agrees
    assert not answers.are_identical
    assert answers.are_no_worse
    assert not compare([references[0], "autre chose"], references, references, str).are_no_worse


def test_outputs_of_ours_are_in_the_order_of_the_sentences(bundle: Bundle, sources: list[list[int]]) -> None:
    side = AttendantSide(bundle, sources)
    for beam_size in (1, 4):
        together = side.offline(beam_size, Batch(64, "rows")).outputs
        assert together == side.one_by_one(beam_size).outputs
        assert all(together)


@pytest.mark.parametrize("beam_size", [1, 4])
def test_eager_torch_gives_the_same_tokens(float32: Bundle, sources: list[list[int]], beam_size: int) -> None:
    from loadtests.peers.eager import EagerSide

    eager = EagerSide(float32, sources)
    expected = AttendantSide(float32, sources).one_by_one(beam_size).outputs
    assert eager.offline(beam_size, Batch(3, "sentences")).outputs == expected
    assert eager.one_by_one(beam_size).outputs == expected


def test_ctranslate2_with_the_same_weights_gives_the_same_tokens(
    bundle: Bundle, float32: Bundle, sources: list[list[int]], tmp_path: Path
) -> None:
    pytest.importorskip("ctranslate2")
    from loadtests.peers.ctranslate2_model import ctranslate2_model, pieces
    from loadtests.peers.ctranslate2_side import CTranslate2Side

    folder = ctranslate2_model(bundle, "float32", tmp_path)
    assert ctranslate2_model(bundle, "float32", tmp_path) == folder
    peer = CTranslate2Side(folder, "float32", pieces(bundle), sources)
    expected = AttendantSide(float32, sources).one_by_one(1).outputs
    assert peer.offline(1, Batch(2, "sentences")).outputs == expected
    assert peer.one_by_one(1).outputs == expected


def test_a_model_that_is_no_transformer_is_refused_by_the_converter() -> None:
    pytest.importorskip("ctranslate2")
    from loadtests.peers.ctranslate2_model import TransformerConverter
    from model_store.contract.errors import ContractError
    from model_store.contract.store import EMBEDDED_STORE, Store

    with pytest.raises(ContractError, match="runs only 'transformer'"):
        TransformerConverter(Store(EMBEDDED_STORE).open("en-fr-bahdanau"))
