"""One sentencepiece model out of Marian's two and their common list of tokens.

The source's model decides how text is cut. Tokens that only the target's model has are in ours as well, marked as
unused, so that they are read back and never cut. Bytes are added, as every bundle has them: what the vocabulary lacks
is read as the unknown token, once for each byte, and bytes are never written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from sentencepiece import sentencepiece_model_pb2

proto: Any = sentencepiece_model_pb2
END, UNKNOWN, PAD = "</s>", "<unk>", "<pad>"
NUM_SPECIAL, NUM_BYTES = 4, 256
_TARGET_LANGUAGE = re.compile(r">>.+<<")
_TYPES = proto.ModelProto.SentencePiece


@dataclass(frozen=True)
class Vocabulary:
    """Our pieces and where Marian has them."""

    model: bytes
    """A serialised sentencepiece model: padding, unknown, begin and end, the bytes, then Marian's tokens."""
    places: tuple[int, ...]
    """V: Marian's row for each of our ids."""

    @classmethod
    def of(cls, source_model: bytes, tokens: Mapping[str, int], pad: int) -> Self:
        """Of the source's sentencepiece model and `vocab.json`; `pad` is the token that Marian's decoder begins with.

        Raises ValueError for another kind of model, for tokens that are missing, and for models of several target
        languages.
        """
        model = proto.ModelProto()
        try:
            model.ParseFromString(source_model)
        except DecodeError as error:
            raise ValueError("source.spm is no sentencepiece model") from error
        if model.trainer_spec.model_type != proto.TrainerSpec.UNIGRAM:
            raise ValueError("source.spm is no unigram model; others cannot be imported")
        for token in (END, UNKNOWN):
            if token not in tokens:
                raise ValueError(f"vocab.json has no {token}")
        if languages := [token for token in tokens if _TARGET_LANGUAGE.fullmatch(token)]:
            raise ValueError(
                f"the model translates into several languages ({', '.join(languages[:3])}, ...); "
                "import one of a single pair"
            )
        read = {piece.piece: piece.score for piece in model.pieces if piece.type == _TYPES.NORMAL}
        rest = [token for token in sorted(tokens, key=tokens.__getitem__) if token not in (END, UNKNOWN, PAD)]
        special = [(PAD, _TYPES.CONTROL), (UNKNOWN, _TYPES.UNKNOWN), ("<s>", _TYPES.CONTROL), (END, _TYPES.CONTROL)]
        pieces = [_piece(piece, 0.0, kind) for piece, kind in special]
        pieces += [_piece(f"<0x{byte:02X}>", 0.0, _TYPES.BYTE) for byte in range(NUM_BYTES)]
        kept = [token for token in rest if token not in ("<s>", "")]
        pieces += [_piece(t, read.get(t, 0.0), _TYPES.NORMAL if t in read else _TYPES.UNUSED) for t in kept]
        del model.pieces[:]
        model.pieces.extend(pieces)
        spec = model.trainer_spec
        spec.vocab_size, spec.byte_fallback = len(pieces), True
        spec.pad_id, spec.unk_id, spec.bos_id, spec.eos_id = range(NUM_SPECIAL)
        spec.pad_piece, spec.unk_piece, spec.bos_piece, spec.eos_piece = PAD, UNKNOWN, "<s>", END
        unknown = tokens[UNKNOWN]
        places = [pad, unknown, pad, tokens[END], *[unknown] * NUM_BYTES, *(tokens[token] for token in kept)]
        return cls(model.SerializeToString(), tuple(places))

    @property
    def byte_ids(self) -> range:
        """Our ids of the bytes."""
        return range(NUM_SPECIAL, NUM_SPECIAL + NUM_BYTES)


def _piece(piece: str, score: float, kind: int) -> Any:
    return _TYPES(piece=piece, score=score, type=kind)
