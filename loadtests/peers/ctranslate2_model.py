"""A published Transformer as a CTranslate2 model: the same weights, written by CTranslate2's own converter.

CTranslate2 comes with the extra `peers`: `pip install -e '.[peers]'`.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import Literal, cast

import ctranslate2
import torch
from ctranslate2.converters import Converter
from ctranslate2.specs import TransformerSpec
from ctranslate2.specs.attention_spec import MultiHeadAttentionSpec
from ctranslate2.specs.common_spec import Activation, LayerNormSpec, LinearSpec
from ctranslate2.specs.transformer_spec import FeedForwardSpec
from torch import Tensor, nn

from model_store.architectures.transformer import Transformer
from model_store.contract.bundle import Bundle, open_bundle, read_verified, tokenizer_model
from model_store.contract.errors import ContractError
from model_store.export.weights import as_float32, reopen
from model_store.layers.self_attention import PlainSelfAttention
from model_store.layers.transformer import DecoderLayer, EncoderLayer, FeedForward, MultiHeadCrossAttention

Precision = Literal["float32", "int8"]


def pieces(bundle: Bundle) -> list[str]:
    """The subword of each id, as CTranslate2 names tokens."""
    return bundle.tokenizer.pieces


def tokenizer_file(bundle: Bundle, cache: Path) -> Path:
    """The bundle's sentencepiece model, whole, as a file below `cache`: the bundle's own may lack the character map."""
    cache.mkdir(parents=True, exist_ok=True)
    file = cache / f"tokenizer-{bundle.manifest.name}-{digest(bundle)}.model"
    file.write_bytes(tokenizer_model(*read_verified(bundle.path)))
    return file


def digest(bundle: Bundle) -> str:
    """Twelve hexadecimal digits that name the bundle's files: a cache must not outlive its weights."""
    listed = sorted((name, promised.sha256) for name, promised in bundle.manifest.files.items())
    return hashlib.sha256(repr(listed).encode()).hexdigest()[:12]


def ctranslate2_model(bundle: Bundle, precision: Precision, cache: Path) -> Path:
    """The folder of the bundle's weights as a CTranslate2 model; written below `cache` when it is not there yet.

    Weights of int8 bundles are multiplied out first, so that float32 computes with the values of the bundle, and
    int8, which CTranslate2 quantises by the same rule (one scale per output), gets the bundle's own integers back.
    Raises ContractError when the bundle is no Transformer.
    """
    name = f"ctranslate2-{ctranslate2.__version__}-{bundle.manifest.name}-{digest(bundle)}-{precision}"
    folder = cache / name
    if not (folder / "model.bin").exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=cache) as writing:
            written = Path(TransformerConverter(bundle).convert(f"{writing}/{name}", quantization=precision))
            written.rename(folder)
    return folder


def float32_bundle(bundle: Bundle, cache: Path) -> Bundle:
    """The bundle's own weights as a float32 bundle of ours, kept below `cache`."""
    folder = cache / f"attendant-{bundle.manifest.name}-{digest(bundle)}-float32"
    return open_bundle(folder) if folder.exists() else as_float32(bundle, folder)


class TransformerConverter(Converter):
    """Writes one bundle out. Pre-norm, ReLU, one matrix for all embeddings, our own sinusoids."""

    def __init__(self, bundle: Bundle) -> None:
        """Raises ContractError when the bundle is no Transformer."""
        model = reopen(bundle)
        if not isinstance(model, Transformer):
            fault = f"its architecture is {bundle.manifest.architecture!r}; CTranslate2 runs only 'transformer' of ours"
            raise ContractError([fault], str(bundle.path))
        self._model, self._pieces = model, pieces(bundle)
        self._special = bundle.manifest.special_tokens

    def _load(self) -> TransformerSpec:
        model, config = self._model, self._model.config
        spec = TransformerSpec.from_config(
            (config.num_encoder_layers, config.num_decoder_layers),
            config.num_heads,
            pre_norm=True,
            activation=Activation.RELU,
        )
        for side in (spec.encoder, spec.decoder):
            side.scale_embeddings = True  # times sqrt(H)
            side.position_encodings.encodings = _array(model.positions)
        table = _array(model.embedding.weight)
        spec.encoder.embeddings[0].weight = table
        spec.decoder.embeddings.weight = table
        spec.decoder.projection.weight = table
        spec.decoder.projection.bias = _array(model.bias)
        _set_norm(spec.encoder.layer_norm, model.encoder_norm)
        _set_norm(spec.decoder.layer_norm, model.decoder_norm)
        encoder, decoder = (
            cast("list[EncoderLayer]", model.encoder_layers),
            cast("list[DecoderLayer]", model.decoder_layers),
        )
        for target, source in zip(spec.encoder.layer, encoder, strict=True):
            _set_self_attention(target.self_attention, source.attention_norm, source.attention)
            _set_feed_forward(target.ffn, source.feed_forward_norm, source.feed_forward)
        for target, layer in zip(spec.decoder.layer, decoder, strict=True):
            _set_self_attention(target.self_attention, layer.self_norm, layer.self_attention)
            _set_cross_attention(target.attention, layer.cross_norm, layer.cross_attention)
            _set_feed_forward(target.ffn, layer.feed_forward_norm, layer.feed_forward)
        self._set_vocabulary(spec)
        return spec

    def _set_vocabulary(self, spec: TransformerSpec) -> None:
        spec.register_source_vocabulary(self._pieces)
        spec.register_target_vocabulary(self._pieces)
        spec.config.bos_token = spec.config.decoder_start_token = self._pieces[self._special.begin]
        spec.config.eos_token = self._pieces[self._special.end]
        spec.config.unk_token = self._pieces[self._special.unknown]
        spec.config.add_source_bos, spec.config.add_source_eos = False, True
        spec.config.layer_norm_epsilon = self._model.encoder_norm.eps


def _array(tensor: Tensor) -> torch.Tensor:
    """A copy that the converter may change."""
    return tensor.detach().clone().contiguous()


def _set_norm(spec: LayerNormSpec, norm: nn.LayerNorm) -> None:
    spec.gamma, spec.beta = _array(norm.weight), _array(norm.bias)


def _set_linear(spec: LinearSpec, linear: nn.Linear) -> None:
    spec.weight, spec.bias = _array(linear.weight), _array(linear.bias)


def _set_self_attention(spec: MultiHeadAttentionSpec, norm: nn.LayerNorm, attention: nn.Module) -> None:
    assert isinstance(attention, PlainSelfAttention), "CTranslate2 gets plain Transformers"
    _set_norm(spec.layer_norm, norm)
    _set_linear(spec.linear[0], attention.qkv)
    _set_linear(spec.linear[1], attention.output)


def _set_cross_attention(spec: MultiHeadAttentionSpec, norm: nn.LayerNorm, attention: MultiHeadCrossAttention) -> None:
    _set_norm(spec.layer_norm, norm)
    _set_linear(spec.linear[0], attention.query)
    _set_linear(spec.linear[1], attention.key_value)
    _set_linear(spec.linear[2], attention.output)


def _set_feed_forward(spec: FeedForwardSpec, norm: nn.LayerNorm, feed_forward: FeedForward) -> None:
    _set_norm(spec.layer_norm, norm)
    _set_linear(spec.linear_0, feed_forward.expand)
    _set_linear(spec.linear_1, feed_forward.contract)
