"""Joint subword vocabulary (Kudo and Richardson 2018, arXiv:1808.06226)."""

from __future__ import annotations

import io
import string
from collections.abc import Iterable

import sentencepiece

from model_store.contract.tokenizer import BEGIN_ID, END_ID, PAD_ID, UNKNOWN_ID

REQUIRED = string.ascii_letters + string.digits + string.punctuation + "ÀÂÄÇÈÉÊËÎÏÔÖÙÛÜàâäçèéêëîïñôöùûüßœŒ«»“”‘„–—…•€£°"
"""Characters that have a piece of their own, however rare they are in the text."""


def train_vocabulary(sentences: Iterable[str], size: int, seed: int, signs: str = "") -> bytes:
    """Train a unigram sentencepiece model of `size` pieces with byte fallback, so that no text is untranslatable.

    Each of `signs`, placeholders and marks, becomes a piece of its own; with them, so do the letters and signs of
    European keyboards.
    Returns the serialised model. Raises RuntimeError when the text is too small for `size`.
    """
    sentencepiece.set_random_generator_seed(seed)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences),
        model_writer=model,
        vocab_size=size,
        model_type="unigram",
        byte_fallback=True,
        split_digits=True,
        character_coverage=0.9999,
        normalization_rule_name="nmt_nfkc",
        num_threads=1,
        pad_id=PAD_ID,
        unk_id=UNKNOWN_ID,
        bos_id=BEGIN_ID,
        eos_id=END_ID,
        user_defined_symbols=list(signs),
        required_chars=REQUIRED if signs else "",
        minloglevel=2,
    )
    return model.getvalue()
