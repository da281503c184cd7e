"""Makes `opus-mt-tiny/`, a MarianMT checkpoint with random weights, and what `transformers` computes with it.

Run by hand, in an environment with transformers 5 and sentencepiece: `python make_opus_mt.py`. The tests read what it
left, so that they need no transformers.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import sentencepiece
import torch
from transformers import MarianConfig, MarianMTModel, MarianTokenizer

FOLDER = Path(__file__).parent / "opus-mt-tiny"
ENGLISH = ["The black cat ate the mouse.", "We have two cats and a dog.", "Where is the old house?"] * 3
FRENCH = ["Le chat noir a mangé la souris.", "Nous avons deux chats et un chien.", "Où est la vieille maison ?"] * 3
TEXTS = ["The cat ate the mouse.", "Where is the dog?", "We have a house", "A zebra, too!"]
TRANSLATION = "Le chien a mangé."


def vocabulary_of(lines: list[str], size: int) -> bytes:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, vocab_size=size, character_coverage=1.0,
        normalization_rule_name="identity", hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    return model.getvalue()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    pieces: dict[str, int] = {"</s>": 0, "<unk>": 1}
    for name, lines, size in (("source.spm", ENGLISH, 60), ("target.spm", FRENCH, 64)):
        model = vocabulary_of(lines, size)
        (FOLDER / name).write_bytes(model)
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        for i in range(processor.get_piece_size()):
            if processor.id_to_piece(i) != "<s>":
                pieces.setdefault(processor.id_to_piece(i), len(pieces))
    pieces["<pad>"] = len(pieces)
    (FOLDER / "vocab.json").write_text(json.dumps(pieces, ensure_ascii=False), "utf-8")
    settings = {"source_lang": "eng", "target_lang": "fra", "unk_token": "<unk>", "eos_token": "</s>",
                "pad_token": "<pad>", "tokenizer_class": "MarianTokenizer"}  # fmt: skip
    (FOLDER / "tokenizer_config.json").write_text(json.dumps(settings), "utf-8")
    torch.manual_seed(1)
    pad = pieces["<pad>"]
    config = MarianConfig(
        vocab_size=len(pieces), decoder_vocab_size=len(pieces), d_model=16, encoder_layers=2, decoder_layers=2,
        encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=24,
        activation_function="swish", scale_embedding=True, max_position_embeddings=64, init_std=0.3,
        pad_token_id=pad, eos_token_id=0, forced_eos_token_id=0, decoder_start_token_id=pad,
        share_encoder_decoder_embeddings=True, tie_word_embeddings=True,
    )  # fmt: skip
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        model.final_logits_bias.copy_(torch.randn_like(model.final_logits_bias))
        for name, parameter in model.named_parameters():
            if name.endswith("bias") or "layer_norm" in name:
                parameter.add_(0.3 * torch.randn_like(parameter))
    model.save_pretrained(FOLDER)
    tokenizer = MarianTokenizer.from_pretrained(FOLDER)
    target = [pad, *tokenizer(text_target=TRANSLATION)["input_ids"][:-1]]
    expected = []
    for text in TEXTS:
        ids = tokenizer(text)["input_ids"]
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([ids]), decoder_input_ids=torch.tensor([target])).logits[0]
        expected.append(
            {
                "text": text,
                "pieces": tokenizer.convert_ids_to_tokens(ids),
                "logits": [[round(one, 5) for one in row] for row in logits.tolist()],
            }
        )
    told = {"target": tokenizer.convert_ids_to_tokens(target), "translation": TRANSLATION, "sources": expected}
    (FOLDER / "expected.json").write_text(json.dumps(told, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
