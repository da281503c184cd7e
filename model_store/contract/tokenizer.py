"""The tokenizer of a bundle: sentencepiece, read from bytes that were verified."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import sentencepiece

from model_store.contract.errors import ContractError
from model_store.contract.formality import FORMALITY_MARKS
from model_store.contract.placeholders import PLACEHOLDERS
from model_store.contract.spaced_signs import spaced, spans_before, spans_behind, without_spaces

PAD_ID, UNKNOWN_ID, BEGIN_ID, END_ID = 0, 1, 2, 3
MOST_DECODED = 512
"""Decoded texts that are kept."""


Span = tuple[int, int]
"""The code points `start`..`end` of a text."""


class Tokenizer:
    """Text to subword ids and back. Byte fallback means that every text has ids and none is unknown."""

    def __init__(self, model: bytes, spaced_signs: bool = False) -> None:
        """Load a serialised sentencepiece model. Raises ContractError when the bytes are none.

        `spaced_signs`: ids are those of a text with spaces behind opening signs, see `spaced_signs.py`.
        """
        self.spaced_signs = spaced_signs
        self._decoded = lru_cache(MOST_DECODED)(self._decode)
        try:
            self._processor = sentencepiece.SentencePieceProcessor.from_proto(model)
        except RuntimeError as error:
            raise ContractError(["tokenizer.model is no sentencepiece model"]) from error

    @property
    def vocabulary_size(self) -> int:
        """V: number of pieces."""
        return int(self._processor.get_piece_size())

    @property
    def special_ids(self) -> dict[str, int]:
        """Ids with a meaning of their own, under the names of the manifest's `special_tokens`."""
        p = self._processor
        return {"pad": p.pad_id(), "begin": p.bos_id(), "end": p.eos_id(), "unknown": p.unk_id()}

    @property
    def has_byte_fallback(self) -> bool:
        """Whether all 256 bytes have a piece, so that no text is untranslatable."""
        return sum(self._processor.is_byte(list(range(self.vocabulary_size)))) == 256

    @property
    def placeholders(self) -> str:
        """Those of `PLACEHOLDERS` that have a piece of their own."""
        return "".join(filter(self._has_piece, PLACEHOLDERS))

    @property
    def pieces(self) -> list[str]:
        """V: the pieces by id, as sentencepiece writes them."""
        return [str(self._processor.id_to_piece(i)) for i in range(self.vocabulary_size)]

    @property
    def has_formality(self) -> bool:
        """Whether the marks of formality have pieces of their own."""
        return all(map(self._has_piece, FORMALITY_MARKS.values()))

    def _has_piece(self, character: str) -> bool:
        return bool(self._processor.piece_to_id(character) != self._processor.unk_id())

    def knows(self, character: str) -> bool:
        """Whether `character`, which is text and no mark, has ids other than its bytes."""
        if character in FORMALITY_MARKS.values():
            return False
        return not any(self._processor.is_byte(i) for i in self._processor.encode(character))

    def encode(self, text: str) -> list[int]:
        """Subword ids of `text`, without begin or end of sentence."""
        ids: list[int] = self._processor.encode(spaced(text)[0] if self.spaced_signs else text)
        return ids

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """`encode` of every text."""
        ids: list[list[int]] = self._processor.encode(
            [spaced(text)[0] for text in texts] if self.spaced_signs else list(texts)
        )
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of subword ids; begin, end and padding are left out. The last ones are kept, because who looks for
        faults of a translation and who writes it ask for the same."""
        return self._decoded(tuple(ids))

    def _decode(self, ids: tuple[int, ...]) -> str:
        text: str = self._processor.decode([int(i) for i in ids])
        return without_spaces(text)[0] if self.spaced_signs else text

    def encode_with_spans(self, text: str) -> tuple[list[int], list[Span]]:
        """`encode`, and what each subword covers of `text`."""
        read, places = spaced(text) if self.spaced_signs else (text, [])
        encoded = self._processor.encode(read, return_type="offset_mapping")
        spans: list[Span] = encoded["offsets"]
        return encoded["ids"], spans_before(spans, places) if places else spans

    def decode_with_spans(self, ids: Sequence[int]) -> tuple[str, list[Span]]:
        """`decode`, and what each subword covers of the decoded text."""
        decoded = self._processor.decode([int(i) for i in ids], return_type="offset_mapping")
        text, places = without_spaces(decoded["text"]) if self.spaced_signs else (decoded["text"], [])
        spans: list[Span] = decoded["offsets"]
        return text, spans_behind(spans, places) if places else spans
