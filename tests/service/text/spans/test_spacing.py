"""Spaces before semicolons and colons."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.spans.normalise import normalise
from service.text.spans.spacing import apart, with_closed_marks, with_final_signs, with_spaces, with_whole_signs


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Raum 12 ; es ist frei.", "Raum 12; es ist frei."),
        ("en", "The price : 5 ;", "The price: 5;"),
        ("en", "( optional ), sorry :( I can't", "(optional ), sorry :( I can't"),
        ("en", "It is 17:30 :) and :-) too.", "It is 17:30 :) and :-) too."),
        ("fr", "Il est parti: elle reste; c'est tout:", "Il est parti : elle reste ; c'est tout :"),
        ("fr", "Le prix : 5 ; à 17:30 :)", "Le prix : 5 ; à 17:30 :)"),
        ("fr", ": oui", ": oui"),
        ("fr", "Il vient , mange ... et dort .", "Il vient, mange ... et dort."),
        ("fr", "Bonjour! Ça va?! Oui!!!", "Bonjour ! Ça va ?! Oui !!!"),
        ("en", "Really ? Yes !! No , no .", "Really? Yes!! No, no."),
        ("en", "I use .NET and ... nothing ...", "I use .NET and ... nothing ..."),
        ("it", "Sono qui ; e tu:", "Sono qui ; e tu:"),
        ("fr", "Rien.", "Rien."),
    ],
)
def test_each_language_has_its_spaces(language: str, text: str, expected: str) -> None:
    assert with_spaces(text, (), language)[0] == expected


@given(
    st.lists(st.sampled_from(["ab", "c", ";", ":", " ;", " :", " ", "  ;", "é"]), max_size=10),
    st.sampled_from(["fr", "en", "de"]),
)
def test_spans_keep_their_text_but_for_spaces(pieces: list[str], language: str) -> None:
    text, spans, at = "".join(pieces), [], 0
    for piece in pieces:
        spans.append((at, at + len(piece)))
        at += len(piece)
    written, moved = with_spaces(text, spans, language)
    assert [written[start:end].strip() for start, end in moved] == [piece.strip() for piece in pieces]
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(moved))
    assert with_spaces(written, moved, language) == (written, moved)


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "The red one,the blue one\u2014or none", "The red one, the blue one \u2014 or none"),
        ("en", "Hello!How are you ?", "Hello! How are you?"),
        ("en", "1,234.5 for a,b at 17:30, said Tom \u2014he left", "1,234.5 for a,b at 17:30, said Tom \u2014 he left"),
        ("fr", "Ça va? Oui ; merci: bien", "Ça va ? Oui ; merci : bien"),
        ("fr", "Il est là,elle aussi", "Il est là, elle aussi"),
        ("de", "Komm ,bitte !", "Komm, bitte!"),
        ("fr", "Il vient , mange ,puis dort .", "Il vient, mange, puis dort."),
        ("en", "He came , sat ,and ate . It costs .5 , f(a ,b) ...", "He came, sat, and ate. It costs .5, f(a ,b) ..."),
        ("en", "Run `ls ,now` with .NET", "Run `ls ,now` with .NET"),
        ("en", "Nothing to do here.", "Nothing to do here."),
        ("en", "See https://a.org/s?query=cats \u2014 now", "See https://a.org/s?query=cats \u2014 now"),
        ("en", "Press ? for help, &amp;Co", "Press ? for help, &amp;Co"),
        ("en", "A man\u2014my father \u2014 works", "A man \u2014 my father \u2014 works"),
        ("it", "Vieni ,prego !", "Vieni ,prego !"),
    ],
)
def test_a_model_reads_the_spaces_that_it_has_learnt(language: str, text: str, read: str) -> None:
    assert apart(normalise(text), language).text == read


@given(
    st.lists(st.sampled_from(["ab", "cd", ";", ":", "!", ",", " ", "\u2014", "\u2026", "é"]), max_size=12),
    st.sampled_from(["fr", "en", "de"]),
)
def test_what_a_model_reads_stands_for_the_original(pieces: list[str], language: str) -> None:
    text = "".join(pieces)
    read = apart(normalise(text), language)
    assert len(read.text) == len(read.starts) == len(read.ends)
    assert all(start <= end for start, end in zip(read.starts, read.ends, strict=True))
    assert list(read.starts) == sorted(read.starts)
    spelt = [text[start:end] for start, end in zip(read.starts, read.ends, strict=True)]
    assert all(sign in stretch for sign, stretch in zip(read.text, spelt, strict=True) if sign != " ")
    assert read.text.replace(" ", "") == normalise(text).text.replace(" ", "")


@pytest.mark.parametrize(
    ("read", "written", "expected"),
    [
        ("Quoi ?!", "What?!!", "What?!"),
        ("Great!!!", "Super !", "Super!!!"),
        ("Really??", "Vraiment ? ??", "Vraiment??"),
        ("Who??", "Qui.", "Qui??"),
        ("No way!!", "Impossible", "Impossible!!"),
        ("Really?", "Vraiment ?", "Vraiment ?"),
        ("Well...", "Eh bien...", "Eh bien..."),
        ("Hm!!", "", ""),
    ],
)
def test_several_signs_at_the_end_come_out_as_they_were(read: str, written: str, expected: str) -> None:
    assert with_final_signs(written, (), read)[0] == expected


@given(st.text("a !?.\u2026", max_size=8), st.sampled_from(["!!", "?!", "!", "."]))
def test_subwords_cover_what_is_left_of_the_signs(written: str, signs: str) -> None:
    spans = [(at, at + 1) for at in range(len(written))]
    text, moved = with_final_signs(written, spans, f"a{signs}")
    assert all(0 <= start <= end <= len(text) for start, end in moved)
    assert not moved or moved[-1][1] == len(text)


@pytest.mark.parametrize(
    ("language", "read", "text", "expected"),
    [
        ("fr", "Wait... what?", "Attends.. que ?", "Attends... que ?"),
        ("de", "Wait\u2026 what?", "Warten.. was?", "Warten... was?"),
        ("en", "\u201eNein\u201c, sagte sie.", '"No"," she said.', '"No," she said.'),
        ("en", "a", '"No"."', '"No."'),
        (
            "de",
            '"No," he said, "but."',
            "\u201eNein\u201c, sagte er: \u201eaber\u201c",
            "\u201eNein\u201c, sagte er, \u201eaber\u201c",
        ),
        (
            "fr",
            '"No," he said, "but."',
            "\u00ab Non \u00bb, dit-il : \u00ab si \u00bb",
            "\u00ab Non \u00bb, dit-il, \u00ab si \u00bb",
        ),
        (
            "de",
            '"No," he said, "but."',
            "\u201eNein.\u201c Er sagte: \u201eaber\u201c",
            "\u201eNein.\u201c Er sagte: \u201eaber\u201c",
        ),
        ("fr", "Open ../a.", "Ouvrez ../a.", "Ouvrez ../a."),
        ("fr", "Two.. three.", "Deux.. trois.", "Deux.. trois."),
        ("fr", "Why?? when", "Pourquoi ? ? quand", "Pourquoi ?? quand"),
        ("en", "Er k\u00fcndigte an, dass", "He announced,, that", "He announced, that"),
        ("en", "a,,b", "a,,b c,, d", "a,,b c,, d"),
        ("fr", "Why? !", "Pourquoi ? !", "Pourquoi ? !"),
        ("de", 'He said "no".', 'Er sagte \u201enein".', "Er sagte \u201enein\u201c."),
        ("de", 'He said "no".', 'Er sagte "nein\u201c.', "Er sagte \u201enein\u201c."),
        ("de", 'He said "no".', 'Er sagte "nein".', 'Er sagte "nein".'),
        ("fr", 'He said "no".', 'Il a dit \u00ab non".', "Il a dit \u00ab non \u00bb."),
        ("fr", 'He said "no".', 'Il a dit \u00ab non \u00bb "', 'Il a dit \u00ab non \u00bb "'),
        ("fr", 'He said "no".', 'Il a dit "non \u00bb.', "Il a dit \u00ab non \u00bb."),
        ("en", "Il a dit non.", 'He said 5" no.', 'He said 5" no.'),
    ],
)
def test_ellipses_have_three_points_and_quotes_a_second_one_like_the_first(
    language: str, read: str, text: str, expected: str
) -> None:
    spans = [(at, at + 1) for at in range(len(text))]
    written, moved = with_whole_signs(text, spans, language, read)
    assert written == expected
    assert len(moved) == len(spans)
    assert all(0 <= start <= end <= len(written) for start, end in moved)
    letters = [(text[at], moved[at]) for at in range(len(text)) if text[at].isalpha()]
    assert all(written[start:end] == letter for letter, (start, end) in letters)


def test_a_mark_that_closes_has_no_space_before_it() -> None:
    opening, closing = "\ue000", "\ue001"
    copies = ((opening, "**"), (closing, "**"))
    text = f"{opening}Astuce : {closing} Le"
    written, spans = with_closed_marks(
        text, [(0, 1), (len(text) - 2, len(text))], f"{opening}Tip:{closing} The", copies
    )
    assert written == f"{opening}Astuce :{closing} Le"
    assert [written[start:end] for start, end in spans] == [opening, "Le"]
    assert with_closed_marks(f"a {closing}", [], f"a {closing}", copies) == (f"a {closing}", [])
