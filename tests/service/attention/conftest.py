"""A small tokenizer with byte fallback."""

from __future__ import annotations

import pytest

from model_store.contract.tokenizer import Tokenizer
from model_store.data.vocabulary import train_vocabulary

SENTENCES = ["The black cat ate the mouse.", "Le chat noir a mangé la souris.", "I don't know what it is, sir!"] * 20


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return Tokenizer(train_vocabulary(SENTENCES, 290, seed=1))
