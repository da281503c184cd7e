"""MarianMT checkpoints, as Hugging Face publishes them (the models of OPUS-MT: Tiedemann and Thottingal 2020).

The network is `architectures/transformer.py` with other names. Two things differ. Marian has the sines of positions in
the first half of the features and the cosines in the second, where ours take turns, so all features are put in our
order. And its decoder begins with the padding token, whose row becomes that of our begin token.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import load_file
from torch import Tensor

from model_store.contract.errors import StoreError
from model_store.contract.tokenizer import BEGIN_ID, PAD_ID
from model_store.importing.vocabulary import Vocabulary

CONFIG_FILE: Final = "config.json"
WEIGHTS_FILES: Final = ("model.safetensors", "pytorch_model.bin")
VOCABULARY_FILE: Final = "vocab.json"
TOKENIZER_CONFIG_FILE: Final = "tokenizer_config.json"
NEVER: Final = -100.0
"""Bias of what is never written: padding, the begin token, bytes."""
_ACTIVATIONS: Final = {"swish": "swish", "silu": "swish", "relu": "relu", "gelu": "gelu"}
_WANTED: Final = {
    "model_type": "marian",
    "scale_embedding": True,
    "share_encoder_decoder_embeddings": True,
    "normalize_before": False,
    "normalize_embedding": False,
    "add_final_layer_norm": False,
}
"""What our network can be, where a configuration says it."""
_LAYER_NORMS: Final = {
    "self_attn_layer_norm": ("attention_norm", "self_norm"),
    "encoder_attn_layer_norm": ("", "cross_norm"),
    "final_layer_norm": ("feed_forward_norm", "feed_forward_norm"),
}
"""Marian's names, and ours in encoder and decoder layers."""


class CheckpointFormatError(StoreError):
    """A checkpoint that cannot be read, or whose network is another one; the message says what and why."""


@dataclass(frozen=True)
class MarianCheckpoint:
    """A folder with `config.json`, weights, `source.spm`, `target.spm` and `vocab.json`."""

    config: Mapping[str, Any]
    weights: Mapping[str, Tensor]
    vocabulary: Vocabulary
    languages: tuple[str, str] | None
    """Of `tokenizer_config.json`, as it names them."""

    @classmethod
    def open(cls, folder: Path) -> MarianCheckpoint:
        """Raises CheckpointFormatError for what is missing, unreadable or of another network."""
        config = _json(folder / CONFIG_FILE)
        for name, wanted in _WANTED.items():
            if config.get(name, wanted) != wanted:
                raise CheckpointFormatError(
                    f"{folder / CONFIG_FILE}: {name} is {config[name]!r}, only {wanted!r} can be imported"
                )
        if config.get("activation_function") not in _ACTIVATIONS:
            known = ", ".join(_ACTIVATIONS)
            raise CheckpointFormatError(
                f"{folder / CONFIG_FILE}: activation_function {config.get('activation_function')!r} is none of {known}"
            )
        own = _json(folder / TOKENIZER_CONFIG_FILE) if (folder / TOKENIZER_CONFIG_FILE).exists() else {}
        named = own.get("source_lang"), own.get("target_lang")
        try:
            vocabulary = Vocabulary.of(
                (folder / "source.spm").read_bytes(), _json(folder / VOCABULARY_FILE), config["pad_token_id"]
            )
        except (OSError, KeyError, ValueError) as error:
            raise CheckpointFormatError(f"{folder}: {error}") from error
        return cls(config, _weights(folder), vocabulary, (str(named[0]), str(named[1])) if all(named) else None)

    @property
    def network(self) -> dict[str, Any]:
        """The `[model]` of a recipe: sizes and variants of the Transformer."""
        config = self.config
        if config["encoder_attention_heads"] != config["decoder_attention_heads"]:
            raise CheckpointFormatError("encoder and decoder have other numbers of heads, which cannot be imported")
        if config["encoder_ffn_dim"] != config["decoder_ffn_dim"]:
            raise CheckpointFormatError(
                "encoder and decoder have feed-forward networks of other widths, which cannot be imported"
            )
        return {
            "hidden_size": config["d_model"],
            "dropout": 0.0,
            "num_heads": config["encoder_attention_heads"],
            "feed_forward_size": config["encoder_ffn_dim"],
            "num_encoder_layers": config["encoder_layers"],
            "num_decoder_layers": config["decoder_layers"],
            "max_positions": config["max_position_embeddings"],
            "norm": "post",
            "activation": _ACTIVATIONS[config["activation_function"]],
        }

    def state(self) -> dict[str, Tensor]:
        """The weights under the names and in the order of our Transformer.

        Raises CheckpointFormatError where one is missing.
        """
        try:
            return {**self._embedding(), **self._layers("encoder", 0), **self._layers("decoder", 1)}
        except KeyError as error:
            raise CheckpointFormatError(f"the weights have no {error.args[0]}") from error

    @property
    def _order(self) -> Tensor:
        """Marian's feature for each of ours: a sine of the first half, a cosine of the second, and so on."""
        return torch.arange(self.config["d_model"]).view(2, -1).t().flatten()

    def _embedding(self) -> dict[str, Tensor]:
        rows, biases = self.weights["model.shared.weight"].float()[:, self._order], self.weights["final_logits_bias"]
        places = torch.tensor(self.vocabulary.places)  # of Marian, for each of our ids
        weight, bias = rows[places].clone(), biases.float().flatten()[places].clone()
        bias[[PAD_ID, BEGIN_ID, *self.vocabulary.byte_ids]] = NEVER
        return {"embedding.weight": weight, "bias": bias}

    def _layers(self, side: str, is_decoder: int) -> dict[str, Tensor]:
        found: dict[str, Tensor] = {}
        for number in range(self.config[f"{side}_layers"]):
            theirs, ours = f"model.{side}.layers.{number}.", f"{side}_layers.{number}."
            own = "self_attention" if is_decoder else "attention"
            parts = [self._reads(f"{theirs}self_attn.{one}_proj") for one in "qkv"]
            found |= _named(f"{ours}{own}.qkv", _stacked(parts))
            found |= _named(f"{ours}{own}.output", self._writes(f"{theirs}self_attn.out_proj"))
            if is_decoder:
                cross = f"{theirs}encoder_attn."
                found |= _named(f"{ours}cross_attention.query", self._reads(f"{cross}q_proj"))
                parts = [self._reads(f"{cross}{one}_proj") for one in "kv"]
                found |= _named(f"{ours}cross_attention.key_value", _stacked(parts))
                found |= _named(f"{ours}cross_attention.output", self._writes(f"{cross}out_proj"))
            found |= _named(f"{ours}feed_forward.expand", self._reads(f"{theirs}fc1"))
            found |= _named(f"{ours}feed_forward.contract", self._writes(f"{theirs}fc2"))
            for norm, names in _LAYER_NORMS.items():
                if names[is_decoder]:
                    pair = self._pair(f"{theirs}{norm}")
                    found |= _named(f"{ours}{names[is_decoder]}", (pair[0][self._order], pair[1][self._order]))
        return found

    def _pair(self, name: str) -> tuple[Tensor, Tensor]:
        return self.weights[f"{name}.weight"].float(), self.weights[f"{name}.bias"].float()

    def _reads(self, name: str) -> tuple[Tensor, Tensor]:
        """A layer whose inputs are features."""
        weight, bias = self._pair(name)
        return weight[:, self._order], bias

    def _writes(self, name: str) -> tuple[Tensor, Tensor]:
        """A layer whose outputs are features."""
        weight, bias = self._pair(name)
        return weight[self._order], bias[self._order]


def _stacked(parts: list[tuple[Tensor, Tensor]]) -> tuple[Tensor, Tensor]:
    weights, biases = zip(*parts, strict=True)
    return torch.cat(weights), torch.cat(biases)


def _named(name: str, pair: tuple[Tensor, Tensor]) -> dict[str, Tensor]:
    return {f"{name}.weight": pair[0], f"{name}.bias": pair[1]}


def _json(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointFormatError(f"{path} cannot be read: {error}") from error
    if not isinstance(values, dict):
        raise CheckpointFormatError(f"{path} has no JSON object")
    return values


def _weights(folder: Path) -> dict[str, Tensor]:
    for path in (folder / name for name in WEIGHTS_FILES):
        if path.exists():
            try:
                read = load_file(path) if path.suffix == ".safetensors" else torch.load(path, "cpu", weights_only=True)
            except Exception as error:
                raise CheckpointFormatError(f"{path} cannot be read: {error}") from error
            return dict(read)
    raise CheckpointFormatError(f"{folder} has neither of {' and '.join(WEIGHTS_FILES)}")
