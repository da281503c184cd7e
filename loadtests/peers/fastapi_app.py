"""The peer that people build: FastAPI in front of CTranslate2, one sync route, sentencepiece around the model.

It has neither attention nor sentence splitting nor limits: what it does not do, it does not pay for. The environment
names the model's folder and the tokenizer; `fastapi_peer.py` starts it.
"""

from __future__ import annotations

import os

import sentencepiece
from fastapi import FastAPI
from pydantic import BaseModel

MODEL, TOKENIZER = "PEER_CTRANSLATE2_MODEL", "PEER_TOKENIZER"
"""Variables of the environment: a folder of CTranslate2's, a sentencepiece model."""


class TranslateIn(BaseModel):
    """What a client posts."""

    text: str | list[str]
    beam_size: int = 4


class TranslateOut(BaseModel):
    """What it gets: one translation for each text, in order."""

    translations: list[str]


def create_app() -> FastAPI:
    """The application; every worker loads a model of its own, with one thread for each core of two."""
    import ctranslate2  # here, so that who only starts this does without it

    tokenizer = sentencepiece.SentencePieceProcessor(model_file=os.environ[TOKENIZER])
    translator = ctranslate2.Translator(
        os.environ[MODEL], device="cpu", compute_type="int8", inter_threads=2, intra_threads=1
    )
    app = FastAPI()

    @app.post("/translate")
    def translate(request: TranslateIn) -> TranslateOut:
        texts = [request.text] if isinstance(request.text, str) else request.text
        results = translator.translate_batch(
            tokenizer.encode(texts, out_type=str),
            beam_size=request.beam_size,
            max_batch_size=64,
            return_scores=False,
        )
        return TranslateOut(translations=[tokenizer.decode(result.hypotheses[0]) for result in results])

    @app.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ready"}

    return app
