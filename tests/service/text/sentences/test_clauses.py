"""Long sentences are cut at clauses, near their middle, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.segments import Segmenter
from service.text.sentences.clauses import END, clause_spans

WORDS = st.lists(
    st.sampled_from(["wind", "a", "1,249.99", "rain,", "sea;", "(no", "yes)", "\u2014", "tea:"]), max_size=60
)


def parts(text: str, most_words: int) -> list[str]:
    return [text[start:end] for start, end in clause_spans(text, 0, len(text), most_words, "en")]


@given(WORDS, st.integers(1, 12))
def test_parts_join_to_the_sentence_and_end_with_clauses(words: list[str], most_words: int) -> None:
    text = " ".join(words)
    found = parts(text, most_words)
    assert " ".join(found) == text
    assert all(END.search(f"{part} ") for part in found[:-1])
    assert all(part.strip() for part in found) or not text


@given(WORDS)
def test_a_sentence_within_the_limit_and_without_one_stays_whole(words: list[str]) -> None:
    text = " ".join(words)
    assert parts(text, 0) == parts(text, max(1, len(words))) == [text]


def test_a_long_sentence_is_cut_where_its_clauses_end() -> None:
    text = "When the rain had stopped, we went down to the sea, which was calm, and the boats came home."
    assert parts(text, 11) == [
        "When the rain had stopped, we went down to the sea,",
        "which was calm, and the boats came home.",
    ]
    assert parts(text, 9)[0] == "When the rain had stopped,"


@pytest.mark.parametrize(
    ("language", "sentence", "beginning"),
    [
        (
            "en",
            "the old bridge was closed, and the people took the boat to buy bread, visit the doctor or swim",
            "and the",
        ),
        (
            "fr",
            "le vieux pont était fermé, j'ai donc pris le bateau pour acheter du pain, voir le médecin",
            "j'ai donc",
        ),
        (
            "de",
            "die alte Brücke war lange gesperrt, sodass wir alle warten mussten, weil Kälte, Regen kam",
            "weil Kälte",
        ),
        ("tr", "one two three four five, six seven eight nine ten, eleven twelve", "six seven"),
    ],
)
def test_a_sentence_is_cut_where_another_clause_begins(language: str, sentence: str, beginning: str) -> None:
    spans = clause_spans(sentence, 0, len(sentence), 14 if language != "tr" else 9, language)
    assert sentence[spans[1][0] :].startswith(beginning)


def test_what_is_protected_and_numbers_are_not_cut() -> None:
    text = "We paid 1,249.99 for `f(a, b, c, d)` of all the things that there are in this big shop"
    assert parts(text, 5) == [text]


def test_without_a_clause_near_the_middle_nothing_is_cut() -> None:
    text = "Well, " + "word " * 40 + "end."
    assert parts(text, 20) == [text]


def test_scripts_without_spaces_after_commas_are_cut_too() -> None:
    text = "\u6211\u4eec \u53bb\uff0c\u4ed6\u4eec \u6765"
    assert parts(text, 2) == ["\u6211\u4eec \u53bb\uff0c", "\u4ed6\u4eec \u6765"]


@pytest.mark.parametrize(("opening", "closing"), [('"', '"'), ("(", ")"), ("\u201c", "\u201d"), ("\u00ab ", " \u00bb")])
def test_sentences_within_quotes_and_brackets_are_cut_first(opening: str, closing: str) -> None:
    text = f"He said, {opening}I went home, and ate. Dr. Poe was there, and slept.{closing}"
    assert parts(text, 9) == [f"He said, {opening}I went home, and ate.", f"Dr. Poe was there, and slept.{closing}"]


def test_the_mark_that_opens_a_sentence_goes_with_it() -> None:
    text = 'He wrote (We all went home. "Then we slept.") to me'
    assert parts(text, 8) == ["He wrote (We all went home.", '"Then we slept.") to me']


SPOKEN = st.lists(
    st.sampled_from(['"I', "(no.", "Dr.", "Then", 'went."', "home.", "yes.)", "a", "\u201eSo", "b\u201c"])
)


@given(SPOKEN, st.integers(1, 8), st.sampled_from(["en", "fr", "de"]))
def test_parts_join_whatever_is_in_quotes(words: list[str], most_words: int, language: str) -> None:
    text = " ".join(words)
    found = clause_spans(text, 0, len(text), most_words, language)
    assert " ".join(text[start:end] for start, end in found) == text


def test_segments_are_parts_unless_sentences_are_asked_for() -> None:
    text = "One two three, four five six. Seven."
    segmenter = Segmenter("en", lambda given: [ord(c) for c in given], 1000, most_words=4)
    assert [s.text for s in segmenter.segment(text).segments] == ["One two three,", "four five six.", "Seven."]
    assert [s.text for s in segmenter.segment(text, in_parts=False).segments] == [
        "One two three, four five six.",
        "Seven.",
    ]


def test_no_part_for_german_begins_with_a_relative_pronoun_if_another_place_is_near() -> None:
    text = "When the rain had stopped, we went down to the sea, which was calm, and the boats came home."
    found = [text[start:end] for start, end in clause_spans(text, 0, len(text), 14, "en", "de")]
    assert found == ["When the rain had stopped,", "we went down to the sea, which was calm, and the boats came home."]
    text = "We went down to the sea and to the harbour, which was calm and full of boats."
    assert len(clause_spans(text, 0, len(text), 14, "en", "de")) == 2
