"""Marks of forums and wikis: taken out of what a model reads, or no part of any sentence."""

from __future__ import annotations

import pytest

from service.text.formats import wiki_marks
from service.text.formats.code import code_blocks
from service.text.formats.markup import may_have_marks, without_marks
from service.text.formats.surroundings import inner_stretch, inner_stretches
from service.text.sentences.splitting import sentence_spans
from service.text.spans.normalise import normalise
from service.text.spans.patterns import PATTERN, SUSPECT


@pytest.mark.parametrize(
    ("text", "read", "marks"),
    [
        ("[b]Hello[/b], you", "Hello, you", [("[b]", "[/b]", "Hello")]),
        ("[COLOR=red]Stop[/COLOR] it", "Stop it", [("[COLOR=red]", "[/COLOR]", "Stop")]),
        ("[url=https://a.org]See [b]all[/b] of it[/url].", "See all of it.",
         [("[url=https://a.org]", "[/url]", "See [b]all[/b] of it"), ("[b]", "[/b]", "all")]),
        ("[b]Hello, you", "Hello, you", [("[b]", "", "Hello, you")]),
        ("We are[/b] open.", "We are open.", [("", "[/b]", "We are")]),
        ("See [[Main Page|the first page]].", "See the first page.", [("[[Main Page|", "]]", "the first page")]),
        ("[[File:A b.jpg|thumb|A cat]] and [[tree]]s", "A cat and trees",
         [("[[File:A b.jpg|thumb|", "]]", "A cat"), ("[[", "]]", "tree")]),
        ("See [https://a.org/b our page] now", "See our page now", [("[https://a.org/b ", "]", "our page")]),
        ("A '''big ''old'' house''' of ''cats''", "A big old house of cats",
         [("'''", "'''", "big ''old'' house"), ("''", "''", "old"), ("''", "''", "cats")]),
        ("'''''Both''''' of l'eau", "Both of l'eau", [("'''''", "'''''", "Both")]),
        ("[[docs]](https://a.org) a", "[[docs]](https://a.org) a", []),
        ("[s]he went; [B]ut he; a[i] = b[j]", "[s]he went; [B]ut he; a[i] = b[j]", []),
        ("Use [b] for bold and [/b] to end it", "Use [b] for bold and [/b] to end it", []),
        ("x[[1]], [[ -f a ]], [[1]], [ [no] ]", "x[[1]], [[ -f a ]], [[1]], [ [no] ]", []),
        ("5'' and 6'' of it, ``so'' and ``no''", "5'' and 6'' of it, ``so'' and ``no''", []),
        ("the dogs' and the cats' '' '' end", "the dogs' and the cats' '' '' end", []),
    ],
)  # fmt: skip
def test_marks_are_taken_out(text: str, read: str, marks: list[tuple[str, str, str]]) -> None:
    plain, found, _ = without_marks(normalise(text), text)
    assert plain.text == read
    assert [(mark.opening, mark.closing, text[mark.start : mark.end]) for mark in found] == marks
    assert may_have_marks(text) or not marks


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("== Early life ==", "Early life"),
        ("===Early=life===", "===Early=life==="),
        ("==Early life==", "Early life"),
        ("== a == b", "== a == b"),
        ("** second", "second"),
        ("&1 second", "second"),
    ],
)
def test_headings_and_lists_of_wikis(text: str, inner: str) -> None:
    start, end = inner_stretch(text)
    assert text[start:end] == inner


def test_blocks_of_forums_stand_round_sentences() -> None:
    text = "[quote=anna]A[/quote][list]\n[*]B [b]c[/b]\n[/list] D [1]"
    assert [text[start:end] for start, end in inner_stretches(text, 0, len(text))] == ["A", "B [b]c[/b]", "D [1]"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("[b]Hello![/b] How are you?", ["[b]Hello![/b]", "How are you?"]),
        ("'''Hello!''' How are you?", ["'''Hello!'''", "How are you?"]),
        ("?\"\u3002'1", ["?\"\u3002'", "1"]),
        ("It is 'so!' He said 'no.'", ["It is 'so!'", "He said 'no.'"]),
    ],
)
def test_a_mark_that_closes_belongs_to_the_sentence_before(text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text, "en")] == sentences


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("[code]\nx = 1\n[/code]\nA", ["[code]\nx = 1\n[/code]"]),
        ("[[Category:Cats]]\nA [[Category:Cats]]", ["[[Category:Cats]]"]),
        ('{| class="a b"\n! Name\n|-\n| Anna\n|}', ['{| class="a b"', "|-"]),
        ("{| is a sign\n|- too", []),
        ("[code] of conduct", []),
        ("A [code]x[/code] b", []),
    ],
)
def test_code_and_categories_are_blocks(text: str, blocks: list[str]) -> None:
    assert [text[start:end] for start, end in code_blocks(text)] == blocks


def test_a_picture_in_a_sentence_is_copied() -> None:
    text = (
        "Look: [img]https://a.org/a.png[/img], [code]a[1][/code] too, [CODE]b[/code] [pre]c d[/pre], [code] of conduct"
    )
    assert SUSPECT.search(text)
    found = [match.group() for match in PATTERN.finditer(text)]
    assert found == ["[img]https://a.org/a.png[/img]", "[code]a[1][/code]", "[CODE]b[/code]", "[pre]c d[/pre]"]


@pytest.mark.parametrize(
    "unit",
    [
        "[b]",
        "[b]x",
        "[/b]",
        "[[",
        "[[a|",
        "''",
        "'''a",
        "'",
        "==",
        "[code]",
        "[code]x[/code]",
        "[http://a b",
        "[u=",
        "{| ",
        "|-a=",
    ],
)
def test_long_runs_take_no_time(unit: str) -> None:
    text = unit * (20_000 // len(unit))  # pytest's own limit ends what hangs
    for pattern in (*wiki_marks.PATTERNS, wiki_marks.CODE, wiki_marks.HEADING):
        assert pattern.fullmatch(text + "!") is None
        assert sum(len(match.group()) for match in pattern.finditer(text)) <= len(text)
