"""A bundle's tokenizer without its character map is the same tokenizer, byte for byte, once the map is back."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from sentencepiece import SentencePieceNormalizer, SentencePieceTrainer, sentencepiece_model_pb2

from model_store.commands.upgrade import upgrade
from model_store.contract import charsmap as charsmap_module
from model_store.contract.bundle import Bundle, read_verified, write_bundle
from model_store.contract.bundle import tokenizer_model as whole_model
from model_store.contract.charsmap import charsmap, with_charsmap
from model_store.contract.errors import ContractError
from model_store.contract.protobuf import field, fields
from model_store.contract.tokenizer import Tokenizer
from model_store.export.charsmap import stored_tokenizer, with_charsmap_left_out, without_charsmap
from tests.bundles import published


def test_the_map_is_that_of_the_library() -> None:
    read = sentencepiece_model_pb2.ModelProto()
    read.ParseFromString(SentencePieceNormalizer(rule_name="nmt_nfkc").serialized_model_proto())
    assert read.normalizer_spec.precompiled_charsmap == charsmap()


def test_a_model_is_whole_again_and_much_smaller_in_between(tokenizer_model: bytes) -> None:
    left = without_charsmap(tokenizer_model)
    assert left is not None
    assert len(tokenizer_model) - len(left) > 240_000
    assert with_charsmap(left) == tokenizer_model
    assert without_charsmap(left) is None


def test_the_map_is_what_brings_text_to_a_common_form(tokenizer_model: bytes) -> None:
    left, settings = stored_tokenizer(tokenizer_model)
    assert settings == {"charsmap": "nmt_nfkc"}
    ligature, plain = "ﬁne ｆｕｌｌ", "fine full"
    assert Tokenizer(with_charsmap(left)).encode(ligature) == Tokenizer(tokenizer_model).encode(plain)
    assert Tokenizer(left).encode(ligature) != Tokenizer(left).encode(plain)


def test_a_tokenizer_with_another_map_keeps_it(sentences: list[str], tmp_path: Path) -> None:
    SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_prefix=str(tmp_path / "other"), vocab_size=300, byte_fallback=True,
        normalization_rule_name="nfkc_cf", hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    model = (tmp_path / "other.model").read_bytes()
    assert stored_tokenizer(model) == (model, {})
    with pytest.raises(ValueError, match="has a character map already"):
        with_charsmap(model)


@pytest.mark.parametrize("model", [b"", b"nonsense", field(3, b"\x0a\x03abc"), b"\x1a\x7f"])
def test_a_file_that_takes_no_map_is_a_fault_of_the_bundle(bundle: Bundle, model: bytes, tmp_path: Path) -> None:
    leaner = with_charsmap_left_out(bundle, tmp_path / "leaner")
    assert leaner is not None
    values = leaner.manifest.model_dump(mode="json", exclude={"files"})
    _, files = read_verified(leaner.path)
    with pytest.raises(ContractError, match=r"tokenizer\.model takes no character map: "):
        write_bundle(tmp_path / "faulty", values, {**files, "tokenizer.model": model})


def test_a_damaged_package_says_so(tokenizer_model: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = without_charsmap(tokenizer_model)
    assert left is not None
    damaged = tmp_path / "nmt_nfkc.charsmap"
    damaged.write_bytes(charsmap()[:-1] + b"x")
    monkeypatch.setattr(charsmap_module, "_FILE", damaged)
    charsmap.cache_clear()
    with pytest.raises(ValueError, match="of the installed package is damaged: install attendant again"):
        with_charsmap(left)
    charsmap.cache_clear()


def test_upgrade_takes_the_map_out_and_leaves_everything_else(tmp_path: Path) -> None:
    bundle = published("en-fr-transformer-small")
    manifest, files = read_verified(bundle.path)
    values = manifest.model_dump(mode="json", exclude={"files"})
    values["tokenizer"]["charsmap"] = None
    old_files = {**files, "tokenizer.model": whole_model(manifest, files)}
    old = write_bundle(tmp_path / "old", values, old_files)
    result = CliRunner().invoke(upgrade, [str(old.path), "--out", str(tmp_path / "leaner")])
    assert result.exit_code == 0, result.output
    assert "with a tokenizer without a character map of its own" in result.output
    after, new = read_verified(tmp_path / "leaner")
    assert len(new["tokenizer.model"]) < len(old_files["tokenizer.model"]) - 240_000
    assert {**new, "tokenizer.model": whole_model(after, new)} == old_files
    again = CliRunner().invoke(upgrade, [str(tmp_path / "leaner"), "--out", str(tmp_path / "twice")])
    assert again.exit_code == 1
    assert "no character map of its own already" in again.output


@given(st.integers(1, 2**28), st.binary(max_size=300))
def test_a_written_field_is_read_back(number: int, content: bytes) -> None:
    assert [(found, bytes(value)) for found, value in fields(memoryview(field(number, content)))] == [  # type: ignore[arg-type]
        (number, content)
    ]
