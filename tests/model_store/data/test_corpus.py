"""Parallel text is read exactly, or the error names the file, the line and the remedy."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.normalisation import normalise
from model_store.data.corpus import Columns, CorpusError, ParallelText, read_parallel


def test_pairs_are_read_in_order(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("a cat\tun chat\nA dog.\tUn chien.\n", encoding="utf-8")
    assert read_parallel(file) == ParallelText(["a cat", "A dog."], ["un chat", "Un chien."])


def test_gzip_and_chosen_columns_are_read(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv.gz"
    file.write_bytes(gzip.compress(b"one\ttwo\tthree\n"))
    assert read_parallel(file, Columns(source=2, target=0)) == ParallelText(["three"], ["one"])


def test_windows_line_ends_and_a_missing_last_one_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(b"a\tb\r\nc\td")
    assert read_parallel(file) == ParallelText(["a", "c"], ["b", "d"])


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("a\x0bx\u2028y\tb\n", encoding="utf-8")
    assert read_parallel(file) == ParallelText(["a x y"], ["b"])


def test_text_is_normalised(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_text("I don\u2019t  know\te\u0301te\u0301 \n", encoding="utf-8")
    assert read_parallel(file) == ParallelText(["I don't know"], ["été"])


@given(st.text())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"only one column\n", "pairs.tsv:1: 1 columns, needs 2; separate them by tabs"),
        (b"a\tb\nc\n", "pairs.tsv:2: 1 columns"),
        (b"a\t \n", "pairs.tsv:1: an empty sentence; remove the line"),
        (b"\tb\n", "pairs.tsv:1: an empty sentence"),
        (b"\n", "pairs.tsv:1: 1 columns"),
        (b"\xff\tb\n", "pairs.tsv: not UTF-8"),
        (b"", "no sentence pair"),
    ],
)
def test_a_faulty_file_is_named_with_line_and_remedy(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(content)
    with pytest.raises(CorpusError) as caught:
        read_parallel(file)
    assert message in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"nothing\.tsv does not exist"):
        read_parallel(tmp_path / "nothing.tsv")


@pytest.mark.parametrize("cut", [1, 5, 12])
def test_damaged_gzip_is_named(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "pairs.tsv.gz"
    file.write_bytes(gzip.compress(b"a\tb\n" * 100)[:-cut])
    with pytest.raises(CorpusError, match="damaged gzip file"):
        read_parallel(file)


def test_plain_text_under_a_gzip_name_is_named(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv.gz"
    file.write_bytes(b"a\tb\n")
    with pytest.raises(CorpusError, match="damaged gzip file"):
        read_parallel(file)


def test_a_flipped_byte_of_gzip_is_named_wherever_it_is(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv.gz"
    whole = gzip.compress("".join(f"text {i}\tmore {i * i}\n" for i in range(30)).encode())
    for i in range(10, len(whole)):  # after the header, which holds a time that nobody needs
        file.write_bytes(whole[:i] + bytes([whole[i] ^ 0xFF]) + whole[i + 1 :])
        with pytest.raises(CorpusError):
            read_parallel(file)
