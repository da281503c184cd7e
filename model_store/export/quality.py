"""Translation quality of exported graphs: sacreBLEU (Post 2018, arXiv:1804.08771) on the recipe's test sets."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import sacrebleu
from tqdm import tqdm

from model_store.contract.parts import Quality
from model_store.contract.tokenizer import Tokenizer
from model_store.data.corpus import Columns, read_parallel
from model_store.decoding.search import beam, decode_all
from model_store.decoding.stepper import StepModel
from model_store.training.recipe import EvaluationPart

BEAM_SIZE = 4


def measure_quality(
    stepper: StepModel,
    tokenizer: Tokenizer,
    part: EvaluationPart,
    data: Path,
    precision: Literal["float32", "int8"],
    max_sentences: int | None = None,
) -> Quality:
    """BLEU of beam search on the test set's first `max_sentences` sentences (None: all), first reference."""
    text = read_parallel(data / part.file, Columns(part.source_column, part.target_column))
    text = text.head(max_sentences or len(text))
    decoded = decode_all(
        tokenizer.encode_batch(text.sources),
        lambda some: beam(stepper, some, BEAM_SIZE),
        batch_size=32,
        progress=lambda batches: tqdm(batches, desc=f"{part.name} {precision}", unit="batch"),
    )
    metric = sacrebleu.BLEU()
    score = metric.corpus_score([tokenizer.decode(d.ids) for d in decoded], [text.targets])
    return Quality(
        metric="BLEU",
        score=round(score.score, 2),
        test_set=part.name,
        num_sentences=len(text),
        beam_size=BEAM_SIZE,
        precision=precision,
        signature=str(metric.get_signature()),
    )
