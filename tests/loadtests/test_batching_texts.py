from __future__ import annotations

import pytest

from loadtests.peers.mixed_lengths import LONG_SHARE, LONG_TOKENS, mixed_texts
from model_store.contract.store import EMBEDDED_STORE, Store
from service.text.sentences.splitting import sentence_spans

SENTENCES = [
    "The black cat ate the mouse.",
    "Where is the station?",
    "I'm tired!",
    "He said: no.",
    "Two dogs are running through a field of high grass.",
    '"Stop!" she cried.',
    "A man in a blue shirt is standing on a ladder cleaning a window.",
]


def words(text: str) -> int:
    return len(text.split())


def test_the_share_of_long_texts_is_as_told_and_the_others_are_as_they_were_written() -> None:
    texts = mixed_texts(SENTENCES, 200, words)
    joined = [text for text in texts if text not in SENTENCES]
    assert len(texts) == 200
    assert len(joined) == 200 * LONG_SHARE


def test_long_texts_keep_within_their_lengths() -> None:
    joined = [text for text in mixed_texts(SENTENCES, 400, words) if text not in SENTENCES]
    longest_clause = max(map(words, SENTENCES))
    assert all(LONG_TOKENS[0] - longest_clause <= words(text) <= LONG_TOKENS[1] for text in joined)
    assert max(map(words, joined)) > 2 * min(map(words, joined)), "lengths are spread"


def test_a_long_text_is_one_sentence() -> None:
    for text in mixed_texts(SENTENCES, 100, words):
        if text not in SENTENCES:
            assert len(sentence_spans(text, "en")) == 1
            assert text.endswith(".")
            assert "I'm tired" in text or "i'm" not in text


def test_the_same_seed_gives_the_same_texts_and_another_one_others() -> None:
    assert mixed_texts(SENTENCES, 50, words, seed=3) == mixed_texts(SENTENCES, 50, words, seed=3)
    assert mixed_texts(SENTENCES, 50, words, seed=3) != mixed_texts(SENTENCES, 50, words, seed=4)


@pytest.mark.skipif(
    not EMBEDDED_STORE.joinpath("en-fr-transformer").is_dir(), reason="there is no bundle to count with"
)
def test_long_texts_fit_the_published_model_as_one_segment() -> None:
    bundle = Store(EMBEDDED_STORE).open("en-fr-transformer")
    texts = mixed_texts(SENTENCES, 100, lambda text: len(bundle.tokenizer.encode(text)))
    longest = max(len(bundle.tokenizer.encode(text)) for text in texts)
    assert longest < bundle.manifest.limits.max_source_tokens
