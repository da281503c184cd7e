"""The tokenizer of a bundle: sentencepiece, read from bytes that were verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sentencepiece

from model_store.contract.errors import ContractError

PAD_ID, UNKNOWN_ID, BEGIN_ID, END_ID = 0, 1, 2, 3


@dataclass(frozen=True)
class Piece:
    """One subword of a text: `start`..`end` are code points of the text that was encoded."""

    id: int
    text: str
    start: int
    end: int


class Tokenizer:
    """Text to subword ids and back. Byte fallback means that every text has ids and none is unknown."""

    def __init__(self, model: bytes) -> None:
        """Load a serialised sentencepiece model. Raises ContractError when the bytes are none."""
        try:
            self._processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        except RuntimeError as error:
            raise ContractError(["tokenizer.model is no sentencepiece model"]) from error

    @property
    def vocabulary_size(self) -> int:
        """V: number of pieces."""
        return int(self._processor.get_piece_size())

    def encode(self, text: str) -> list[int]:
        """Subword ids of `text`, without begin or end of sentence."""
        ids: list[int] = self._processor.encode(text)
        return ids

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """`encode` of every text."""
        ids: list[list[int]] = self._processor.encode(list(texts))
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of subword ids; begin, end and padding are left out."""
        text: str = self._processor.decode([int(i) for i in ids])
        return text

    def pieces(self, text: str) -> list[Piece]:
        """Subwords of `text` with the code points that each covers."""
        return [Piece(p.id, p.piece, p.begin, p.end) for p in self._processor.encode(text, out_type="immutable_proto").pieces]

    def decoded_pieces(self, ids: Sequence[int]) -> list[Piece]:
        """Subwords of the decoded text with the code points of it that each covers."""
        proto = self._processor.decode([int(i) for i in ids], out_type="immutable_proto")
        return [Piece(p.id, p.piece, p.begin, p.end) for p in proto.pieces]
