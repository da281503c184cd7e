"""The registry: one line per paper."""

from __future__ import annotations

from model_store.architectures.bahdanau import Bahdanau
from model_store.architectures.base import Architecture
from model_store.architectures.convs2s import ConvS2S
from model_store.architectures.coverage import Coverage
from model_store.architectures.gnmt import GNMT
from model_store.architectures.hard_attention import HardAttention
from model_store.architectures.key_value import KeyValue
from model_store.architectures.lstmn import LSTMN
from model_store.architectures.luong import Luong
from model_store.architectures.rctm import RCTM
from model_store.architectures.rnn_encoder_decoder import RNNEncoderDecoder
from model_store.architectures.self_attentive import SelfAttentive
from model_store.architectures.seq2seq import Seq2Seq
from model_store.architectures.transformer import Transformer

ARCHITECTURES: dict[str, type[Architecture]] = {
    architecture.name: architecture
    for architecture in (
        RCTM,
        RNNEncoderDecoder,
        Seq2Seq,
        Bahdanau,
        Luong,
        HardAttention,
        Coverage,
        GNMT,
        LSTMN,
        KeyValue,
        SelfAttentive,
        ConvS2S,
        Transformer,
    )
}


def architecture(name: str) -> type[Architecture]:
    """Look an architecture up by its name. Raises KeyError that lists the names that exist."""
    if name not in ARCHITECTURES:
        raise KeyError(f"architecture {name!r} is unknown; known: {', '.join(sorted(ARCHITECTURES))}")
    return ARCHITECTURES[name]
