"""A small tokenizer with byte fallback."""

from __future__ import annotations

import pytest

from model_store.contract.tokenizer import Tokenizer
from model_store.data.vocabulary import train_vocabulary

SENTENCES = ["The black cat ate the mouse.", "Le chat noir a mangé la souris.", "I don't know what it is, sir!"] * 20


@pytest.fixture(scope="session")
def tokenizer_model() -> bytes:
    return train_vocabulary(SENTENCES, 290, seed=1)


@pytest.fixture(scope="session")
def tokenizer(tokenizer_model: bytes) -> Tokenizer:
    return Tokenizer(tokenizer_model)
