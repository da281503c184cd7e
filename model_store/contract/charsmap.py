"""The character map of sentencepiece's rule nmt_nfkc (NFKC with the rules of Google's translators), stored once.

It is 240 kB of every serialised sentencepiece model, and the same in all of them. A bundle's `tokenizer.model` leaves
it out, and its manifest names the rule.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from model_store.contract.protobuf import field, fields

NMT_NFKC: Final = "nmt_nfkc"
"""The rule's name in sentencepiece and in manifests."""
_FILE: Final = Path(__file__).parent / "nmt_nfkc.charsmap"
_SHA256: Final = "1e2c7b43d3ee9755ceaa2ac335e253d8703604e0249ee1e81156c92b46423844"
_NORMALIZER_SPEC, _NAME, _PRECOMPILED_CHARSMAP = 3, 1, 2  # field numbers of sentencepiece_model.proto


@cache
def charsmap() -> bytes:
    """`precompiled_charsmap` of the rule, as sentencepiece 0.2 compiles it. Raises ValueError for a damaged file."""
    data = _FILE.read_bytes()
    if hashlib.sha256(data).hexdigest() != _SHA256:
        raise ValueError(f"{_FILE.name} of the installed package is damaged: install attendant again")
    return data


def with_charsmap(model: bytes) -> bytes:
    """The serialised sentencepiece `model` with the rule's character map put in where it stood, so that all bytes are
    those of the model before it was left out. Raises ValueError for what is no such model."""
    specs = [value for number, value in fields(memoryview(model)) if number == _NORMALIZER_SPEC]
    if not specs or isinstance(specs[-1], int):
        raise ValueError("the model has no normalizer_spec")
    spec = bytes(specs[-1])
    if any(number == _PRECOMPILED_CHARSMAP for number, _ in fields(memoryview(spec))):
        raise ValueError("the model has a character map already")
    name = field(_NAME, NMT_NFKC.encode())
    if not spec.startswith(name):
        raise ValueError(f"the model's normalizer_spec does not begin with the name {NMT_NFKC}")
    whole = name + field(_PRECOMPILED_CHARSMAP, charsmap()) + spec[len(name) :]
    before, found, after = model.rpartition(field(_NORMALIZER_SPEC, spec))
    if not found:
        raise ValueError("the model's normalizer_spec is written in an unusual way")
    return before + field(_NORMALIZER_SPEC, whole) + after
