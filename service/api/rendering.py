"""From the service's nouns to the answer on the wire."""

from __future__ import annotations

from typing import cast

import numpy as np
import orjson

from model_store.contract.manifest import Manifest
from service.api.answers import (
    AttentionAnswer,
    ModelAnswer,
    SegmentAnswer,
    SideAnswer,
    TimingsAnswer,
    TranslateAnswer,
    TranslationAnswer,
)
from service.attention.kernel import rounded
from service.messages import AttentionMap, TokenizedText, TranslatedSegment, Translation, TranslationResult

SCORE_DIGITS = 4
WEIGHT_SCALE = 1e5
"""Weights have as many digits as this has zeros."""


def render(result: TranslationResult, manifest: Manifest, request_id: str) -> bytes:
    """The answer to POST /v1/translate, JSON; what is no number is null."""
    return orjson.dumps(_answer(result, manifest, request_id), option=orjson.OPT_SERIALIZE_NUMPY)


def _answer(result: TranslationResult, manifest: Manifest, request_id: str) -> TranslateAnswer:
    return {
        "id": request_id,
        "model": model_answer(manifest),
        "translations": [_translation(translation) for translation in result.translations],
        "usage": {
            "source_characters": result.usage.source_characters,
            "source_tokens": result.usage.source_tokens,
            "target_tokens": result.usage.target_tokens,
        },
        "timings_ms": _timings(result),
    }


def model_answer(manifest: Manifest) -> ModelAnswer:
    """Which model translated."""
    return {
        "name": manifest.name,
        "version": manifest.version,
        "architecture": manifest.architecture,
        "source": manifest.source,
        "target": manifest.target,
    }


def _timings(result: TranslationResult) -> TimingsAnswer:
    timings = result.timings
    return {
        "queue": _milliseconds(timings.queue_s),
        "encode": _milliseconds(timings.encode_s),
        "decode": _milliseconds(timings.decode_s),
        "total": _milliseconds(result.total_s),
    }


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 2)


def _translation(translation: Translation) -> TranslationAnswer:
    return {
        "text": translation.text,
        "score": round(translation.score, SCORE_DIGITS),
        "finish_reason": translation.finish_reason.value,
        "segments": [_segment(segment) for segment in translation.segments],
        "alternatives": [
            {"text": alternative.text, "score": round(alternative.score, SCORE_DIGITS)}
            for alternative in translation.alternatives
        ],
    }


def _segment(segment: TranslatedSegment) -> SegmentAnswer:
    answer: SegmentAnswer = {
        "source": _side(segment.source),
        "target": _side(segment.target),
        "score": round(segment.score, SCORE_DIGITS),
        "token_scores": [round(score, SCORE_DIGITS) for score in segment.token_scores],
        "finish_reason": segment.finish_reason.value,
    }
    if segment.attention is not None:
        answer["attention"] = _attention(segment.attention)
    if segment.alignment is not None:
        answer["alignment"] = segment.alignment
    return answer


def _side(side: TokenizedText) -> SideAnswer:
    return {
        "text": side.text,
        "start": side.start,
        "end": side.end,
        "tokens": [{"text": text, "start": start, "end": end} for text, start, end in side.tokens],
    }


def _attention(attention: AttentionMap) -> AttentionAnswer:
    return {
        "kind": attention.kind,
        "level": attention.level,
        "rows": "target",
        "columns": "source",
        "includes_eos": attention.includes_eos,
        "maps": [{"layer": one.layer, "head": one.head, "weights": _weights(one.weights)} for one in attention.maps],
    }


def _weights(weights: np.ndarray) -> list[list[float]]:
    """Rounded, and still an array: orjson writes it as lists, without a Python number for each."""
    return cast("list[list[float]]", rounded(weights, WEIGHT_SCALE))
