"""Texts as segments, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.formats.parts import parts_of
from service.text.protection import Protector
from service.text.segments import Segmenter

PROSE = st.text(st.sampled_from("abé1 .!?,;\"'“”()\n\t。e\u0301\u2028😀\0"), max_size=120)


def by_character(text: str) -> list[int]:
    """A tokenizer with an id for each character but spaces and control characters."""
    return [ord(c) for c in text if c.isprintable() and c != " "]


def segmenter(max_tokens: int = 1000) -> Segmenter:
    return Segmenter("it", by_character, max_tokens)  # a language without shorthand: `u` is one character


@given(st.one_of(PROSE, st.text()), st.integers(1, 30))
def test_segments_and_gaps_join_to_exactly_the_input(text: str, max_tokens: int) -> None:
    segmented = segmenter(max_tokens).segment(text)
    joined, starts = segmented.join([s.text for s in segmented.segments])
    assert joined == text
    assert starts == [s.start for s in segmented.segments]


@given(st.one_of(PROSE, st.text()), st.integers(1, 30))
def test_segments_fit_the_model_and_of_text_for_people_only_what_it_cannot_take_is_left_out(
    text: str, max_tokens: int
) -> None:
    segmented = segmenter(max_tokens).segment(text)
    for segment in segmented.segments:
        assert text[segment.start : segment.end] == segment.text
        assert list(segment.token_ids) == by_character(segment.normalised.text)
        assert 1 <= len(segment.token_ids) <= max_tokens
    stretches = parts_of(text).stretches
    of_people = [(0, len(text))] if stretches is None else stretches
    taken = {at for segment in segmented.segments for at in range(segment.start, segment.end)}
    left = [text[at] for start, end in of_people for at in range(start, end) if at not in taken]
    assert all(len(by_character(c)) > max_tokens or not by_character(c) for c in left)


@given(PROSE, st.lists(st.text(max_size=5)))
def test_parts_stand_where_join_says(text: str, parts: list[str]) -> None:
    segmented = segmenter().segment(text)
    parts = (parts + ["x"] * len(segmented.segments))[: len(segmented.segments)]
    joined, starts = segmented.join(parts)
    assert all(joined[start : start + len(part)] == part for start, part in zip(starts, parts, strict=True))


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \u2028 \u3000", "\x07\x01"])
def test_a_text_without_anything_to_translate_has_no_segments(text: str) -> None:
    segmented = segmenter().segment(text)
    assert segmented.segments == ()
    assert segmented.join([]) == (text, [])


def test_an_acronym_alone_stays_and_a_word_in_capitals_is_translated() -> None:
    protector = Protector(PLACEHOLDERS, str.isprintable)
    found = Segmenter("it", by_character, 1000, placeholders=PLACEHOLDERS, protector=protector, known=frozenset({"NO"}))
    assert found.segment("PDF").segments == ()
    assert [s.in_capitals for s in found.segment("NO STOP").segments] == [True]
    assert [s.text for s in found.segment("Pdf").segments] == ["Pdf"]


@pytest.mark.parametrize("text", ["the cat", "  the cat", "the cat \t", "   the cat  "])
def test_a_whole_text_is_one_segment_without_the_white_space_around_it(text: str) -> None:
    found = Segmenter("it", by_character, 1000, lambda read: (by_character(read), [])).whole(text)
    assert found is not None
    assert (found.text, text[found.start : found.end]) == ("the cat", "the cat")


@pytest.mark.parametrize(
    ("language", "text", "last"),
    [
        ("en", "See you.\n\nCheers,\nWill", "Cheers,"),
        ("en", "Thank you.\nMark Young\n", "Thank you."),
        ("de", "Viele Grüße\nErnst", "Viele Grüße"),
        ("en", "Love,\nGrandma", "Grandma"),
        ("en", "It is up to you.\nMark the date.", "Mark the date."),
        ("en", "The will.\nMark", "Mark"),
    ],
)
def test_the_name_below_the_closing_of_a_letter_needs_no_translation(language: str, text: str, last: str) -> None:
    protector = Protector(PLACEHOLDERS, str.isprintable)
    found = Segmenter(language, by_character, 1000, placeholders=PLACEHOLDERS, protector=protector).segment(text)
    assert found.segments[-1].text == last


def test_line_breaks_and_spaces_between_sentences_are_kept() -> None:
    segmented = segmenter().segment("  One.  Two.\r\n\r\n\tThree.\n")
    assert segmented.join(["Un.", "Deux.", "Trois."])[0] == "  Un.  Deux.\r\n\r\n\tTrois.\n"


def cut(text: str, max_tokens: int) -> list[str]:
    return [segment.text for segment in segmenter(max_tokens).segment(text).segments]


def test_a_long_sentence_is_cut_at_a_clause() -> None:
    assert cut("the cat sat on a mat, and the dog lay by the door", 30) == [
        "the cat sat on a mat,",
        "and the dog lay by the door",
    ]


def test_a_long_clause_is_cut_at_a_space_near_its_middle() -> None:
    assert cut("the cat sat on a mat and the dog lay by the door", 30) == [
        "the cat sat on a mat and",
        "the dog lay by the door",
    ]


def test_a_long_word_is_cut_anywhere() -> None:
    parts = cut("x" * 100, 30)
    assert "".join(parts) == "x" * 100
    assert len(parts) == 4


def test_a_character_that_the_model_cannot_take_at_all_is_copied() -> None:
    wide = Segmenter("en", lambda text: [0] * (9 * text.count("\ufdfa") + len(text)), 8)
    segmented = wide.segment("ab \ufdfa cd")
    assert segmented.join([s.text.upper() for s in segmented.segments])[0] == "AB \ufdfa CD"


def test_a_part_that_is_protected_later_is_still_a_part() -> None:
    text = "He waited for a long time at the station in the rain, Kasimir said to us with a sad smile on his face."
    placeholders = "\ue000\ue001"
    protector = Protector(placeholders, lambda character: True)

    def read(text: str) -> tuple[list[int], list[tuple[int, int]]]:
        return by_character(text), [(i, i + 1) for i, c in enumerate(text) if by_character(c)]

    parts = Segmenter("en", by_character, 1000, read, placeholders, protector, most_words=12)
    first, *others = parts.segment(text).segments
    assert not first.goes_on
    assert all(part.goes_on for part in others)
    for part in (first, *others):
        at = part.text.index("t")
        found = parts.with_protected(part, lambda read, at=at: [(at, at + 1)])  # type: ignore[misc]
        assert found is not None
        assert found.copies
        assert (found.start, found.end, found.goes_on) == (part.start, part.end, part.goes_on)


@pytest.mark.parametrize(("text", "count"), [("5:30 pm", 1), ("Sarah Young", 0), ("12:30", 0)])
def test_what_only_rules_translate_is_a_segment_and_what_stays_is_none(text: str, count: int) -> None:
    protector = Protector(PLACEHOLDERS, lambda character: True, ("en", "de"))
    read = Segmenter("en", lambda text: [*map(ord, text)], 100, placeholders=PLACEHOLDERS, protector=protector)
    found = read.segment(text)
    assert len(found.segments) == count
