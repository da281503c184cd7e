"""From a translation result to the JSON of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import orjson

from model_store.contract.manifest import Manifest
from service.api.answers import (
    AlternativeAnswer,
    AttentionAnswer,
    CompareAnswer,
    MapAnswer,
    ModelAnswer,
    ScoreAnswer,
    SegmentAnswer,
    SideAnswer,
    SignalsAnswer,
    TimingsAnswer,
    TranslateAnswer,
    TranslationAnswer,
)
from service.api.utf16 import count_utf16
from service.attention.kernel import rounded
from service.exchanged import (
    Alternative,
    AttentionMap,
    SliceMap,
    TokenizedText,
    TranslatedSegment,
    Translation,
    TranslationResult,
)
from service.messages import Kind

SCORE_DIGITS = 4
SIGNAL_DIGITS = 3
WEIGHT_SCALE = 1e5
"""Weights have as many digits as this has zeros."""


def render(
    result: TranslationResult, manifest: Manifest, request_id: str, signals: bool = False, utf16: Sequence[str] = ()
) -> bytes:
    """The answer to POST /v1/translate, JSON; what is no number is null.

    `signals`: with the signals of each segment. `utf16`: the texts of the request when offsets are to count UTF-16
    units instead of code points.
    """
    return _json(translate_answer(result, manifest, request_id, signals, utf16))


def render_scores(result: TranslationResult, manifest: Manifest, request_id: str, utf16: Sequence[str] = ()) -> bytes:
    """The answer to POST /v1/score, JSON; `utf16` as for `render`."""
    translated = translate_answer(result, manifest, request_id, False, utf16)
    answer: ScoreAnswer = {
        "id": request_id,
        "model": translated["model"],
        "scores": [{"score": one["score"], "segments": one["segments"]} for one in translated["translations"]],
        "usage": translated["usage"],
        "timings_ms": {"score": translated["timings_ms"]["decode"], "total": translated["timings_ms"]["total"]},
    }
    return _json(answer)


def render_comparison(results: Sequence[TranslateAnswer], request_id: str) -> bytes:
    """The answer to POST /v1/compare, JSON."""
    answer: CompareAnswer = {"id": request_id, "results": list(results)}
    return _json(answer)


def _json(answer: TranslateAnswer | ScoreAnswer | CompareAnswer) -> bytes:
    return orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY)


def translate_answer(
    result: TranslationResult, manifest: Manifest, request_id: str, signals: bool, utf16: Sequence[str]
) -> TranslateAnswer:
    """What `render` writes."""
    answer: TranslateAnswer = {
        "id": request_id,
        "model": model_answer(manifest),
        "translations": [_translation(translation, signals) for translation in result.translations],
        "usage": {
            "source_characters": result.usage.source_characters,
            "source_tokens": result.usage.source_tokens,
            "target_tokens": result.usage.target_tokens,
        },
        "timings_ms": _timings(result),
    }
    for source, translation in zip(utf16, answer["translations"], strict=bool(utf16)):
        count_utf16(source, translation)
    return answer


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


def _translation(translation: Translation, signals: bool) -> TranslationAnswer:
    answer: TranslationAnswer = {
        "text": translation.text,
        "score": round(translation.score, SCORE_DIGITS),
        "finish_reason": translation.finish_reason.value,
        "segments": [_segment(segment, signals) for segment in translation.segments],
        "alternatives": [_alternative(alternative, signals) for alternative in translation.alternatives],
    }
    if signals:
        found = [segment.signals.confidence for segment in translation.segments]
        known = [each for each in found if each is not None]
        answer["confidence"] = round(min(known), SIGNAL_DIGITS) if known else None
    if translation.warnings:
        answer["warnings"] = [warning.value for warning in translation.warnings]
    return answer


def _alternative(alternative: Alternative, signals: bool) -> AlternativeAnswer:
    answer: AlternativeAnswer = {"text": alternative.text, "score": round(alternative.score, SCORE_DIGITS)}
    if alternative.segments:
        answer["segments"] = [_segment(segment, signals) for segment in alternative.segments]
    if alternative.warnings:
        answer["warnings"] = [warning.value for warning in alternative.warnings]
    return answer


def _segment(segment: TranslatedSegment, signals: bool) -> SegmentAnswer:
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
    if signals:
        answer["signals"] = _signals(segment)
    if segment.warnings:
        answer["warnings"] = [warning.value for warning in segment.warnings]
    return answer


def _signals(segment: TranslatedSegment) -> SignalsAnswer:
    found, looked = segment.signals, segment.attention_signals
    return {
        "confidence": None if found.confidence is None else round(found.confidence, SIGNAL_DIGITS),
        "mean_log_prob": round(found.mean_log_prob, SCORE_DIGITS),
        "lowest_log_prob": round(found.lowest_log_prob, SCORE_DIGITS),
        "attention_entropy": None if looked is None else round(looked.entropy, SIGNAL_DIGITS),
        "unseen_words": [] if looked is None else list(looked.unseen_words),
        "unknown_words": list(found.unknown_words),
        "repetition": round(found.repetition, SIGNAL_DIGITS),
        "lost_copies": found.num_lost_copies,
    }


def _side(side: TokenizedText) -> SideAnswer:
    return {
        "text": side.text,
        "start": side.start,
        "end": side.end,
        "tokens": [{"text": text, "start": start, "end": end} for text, start, end in side.tokens],
    }


def _attention(attention: AttentionMap) -> AttentionAnswer:
    kind = attention.kind
    return {
        "kind": kind,
        "level": attention.level,
        "rows": "source" if kind == "encoder" else "target",
        "columns": "target" if kind == "decoder" else "source",
        "includes_eos": attention.includes_eos,
        "maps": [_map(one, kind) for one in attention.maps],
    }


def _map(one: SliceMap, kind: Kind) -> MapAnswer:
    share = _weights(one.special_token[None])[0]
    answer: MapAnswer = {"layer": one.layer, "head": one.head, "weights": _weights(one.weights)}
    if one.shift:
        answer["row_of"] = "next_step"
    if kind == "decoder":
        answer["begin_token"] = share
    else:
        answer["end_token"] = share
    return answer


def _weights(weights: np.ndarray) -> list[list[float]]:
    """Rounded, and still an array: orjson writes it as lists, without a Python number for each."""
    return cast("list[list[float]]", rounded(weights, WEIGHT_SCALE))
