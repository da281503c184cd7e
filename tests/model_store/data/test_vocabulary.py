"""The subword vocabulary is reproducible and has the size that was asked for."""

from __future__ import annotations

import pytest

from model_store.contract.tokenizer import Tokenizer
from model_store.data.vocabulary import train_vocabulary


def test_the_vocabulary_has_the_size_that_was_asked_for(sentences: list[str]) -> None:
    assert Tokenizer(train_vocabulary(sentences, 330, seed=1)).vocabulary_size == 330


def test_the_same_text_and_seed_give_the_same_bytes(sentences: list[str]) -> None:
    assert train_vocabulary(sentences, 330, seed=1) == train_vocabulary(sentences, 330, seed=1)


def test_too_little_text_for_the_size_is_an_error() -> None:
    with pytest.raises(RuntimeError):
        train_vocabulary(["a b"], 5000, seed=1)
