"""Marks of Markdown: taken out of what a model reads, put round the words of its translation."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.markup import Mark, columns_of, marked_stretch, nested, without_marks, wrapped
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("text", "read", "marks"),
    [
        ("Ship on **Friday** or not.", "Ship on Friday or not.", [("**", "**", "Friday")]),
        ("Read *all* of __it  now__.", "Read all of it now.", [("*", "*", "all"), ("__", "__", "it  now")]),
        ("See [the **full** list](https://a.org/b_c)!", "See the full list!",
         [("[", "](https://a.org/b_c)", "the **full** list"), ("**", "**", "full")]),
        ("![A dog](dog.png) ~~sits~~", "A dog sits", [("![", "](dog.png)", "A dog"), ("~~", "~~", "sits")]),
        ("snake_case, 2*3*4, a * b * c, ** no **", "snake_case, 2*3*4, a * b * c, ** no **", []),
        ("[1], f(x)[0](y, [ ](u)", "[1], f(x)[0](y, [ ](u)", []),
        ("**Note:** read *this;* now", "Note: read this; now", [("**", "**", "Note:"), ("*", "*", "this;")]),
        ("Nothing.", "Nothing.", []),
        ("It is \\textbf{very \\emph{big} now}, \\ref{a}.", "It is very big now, \\ref{a}.",
         [("\\textbf{", "}", "very \\emph{big} now"), ("\\emph{", "}", "big")]),
        ("See \\href{https://a.org/b_c}{our \\emph{big} page}.", "See our big page.",
         [("\\href{https://a.org/b_c}{", "}", "our \\emph{big} page"), ("\\emph{", "}", "big")]),
        ('Go to <b translate="no">Big <i>Sale</i></b> <b>now</b>', 'Go to <b translate="no">Big <i>Sale</i></b> now',
         [("<b>", "</b>", "now")]),
        ("See [the guide][tg], a[i][j], [1][a].", "See the guide, a[i][j], [1][a].", [("[", "][tg]", "the guide")]),
        ("The <em>old</em> man.", "The old man.", [("<em>", "</em>", "old")]),
        ("See <A HREF='x.html'>the <b>map</b> here</A> <i>now</i>", "See the map here now",
         [("<A HREF='x.html'>", "</A>", "the <b>map</b> here"), ("<b>", "</b>", "map"), ("<i>", "</i>", "now")]),
        ("Press <kbd>C</kbd>, a<br/>b, <b></b>, x < y </b>", "Press <kbd>C</kbd>, a<br/>b, <b></b>, x < y </b>", []),
        ("Where is <b>Old Tower?", "Where is Old Tower?", [("<b>", "", "Old Tower?")]),
        ("Read <a href='x'>the <i>long</i> terms", "Read the long terms",
         [("<a href='x'>", "", "the <i>long</i> terms"), ("<i>", "</i>", "long")]),
        ("We are</b> open.", "We are open.", [("", "</b>", "We are")]),
        ("Copy <file>, x <b>", "Copy <file>, x <b>", []),
        ("Use the <b> tag, press <1> to go", "Use the <b> tag, press <1> to go", []),
        ("If a <b and c>d, stop", "If a <b and c>d, stop", []),
        ("`__init__`, `**b**`, https://a.org/_n_/p", "`__init__`, `**b**`, https://a.org/_n_/p", []),
        ("__init__.py, the __dict__, *.py,*.js", "__init__.py, the __dict__, *.py,*.js", []),
    ],
)  # fmt: skip
def test_marks_are_taken_out_of_what_a_model_reads(text: str, read: str, marks: list[tuple[str, str, str]]) -> None:
    plain, found, _ = without_marks(normalise(text), text)
    assert plain.text == read
    assert [(mark.opening, mark.closing, text[mark.start : mark.end]) for mark in found] == marks
    spelt = [text[start:end] for start, end in zip(plain.starts, plain.ends, strict=True)]
    assert all(sign in stretch for sign, stretch in zip(plain.text, spelt, strict=True) if sign != " ")


@pytest.mark.parametrize(
    ("text", "protected", "read"),
    [
        ("See [section 3.2](#x) now.", "3.2", "See section 3.2 now."),
        ("See [3.2](#x) now.", "3.2", "See [3.2](#x) now."),
        ("Call **+44 20** or **+44 20 today**.", "+44 20", "Call **+44 20** or +44 20 today."),
        ("Pay **\u20ac20**, *now*.", "\u20ac20", "Pay **\u20ac20**, now."),
        ("It is X-**5** or **my X-5**", "X-5", "It is X-**5** or my X-5"),
    ],
)
def test_a_mark_stays_with_a_copy_that_it_has_alone_or_cuts(text: str, protected: str, read: str) -> None:
    def stretches(plain: str) -> list[tuple[int, int]]:
        return [match.span() for match in re.finditer(re.escape(protected), plain)]

    assert without_marks(normalise(text), text, stretches).normalised.text == read


def _stretch(rows: list[int], inside: list[bool], words: list[str]) -> str:
    """What a mark goes round, where target word t attends to source word `rows[t]`, the last of which is the end."""
    weights = np.full((len(rows), len(inside) + 1), 0.01)
    weights[np.arange(len(rows)), rows] = 0.9
    text, spans, at = " ".join(words), [], 0
    for word in words:
        spans.append((max(0, at - 1), at + len(word)))  # with the space before it, as subwords have it
        at += len(word) + 1
    found = marked_stretch(weights, np.array(inside), spans, text)
    assert found is not None
    return text[slice(*found)]


def test_a_mark_goes_round_the_words_that_attend_to_its_own() -> None:
    words = ["le", "chat", "noir", "dort."]
    assert _stretch([0, 2, 1, 3], [False, True, True, False], words) == "chat noir"
    assert _stretch([0, 2, 1, 3], [False, True, False, False], words) == "noir"
    assert _stretch([1, 0, 1, 3], [False, True, False, False], words) == "le chat noir"  # a gap of one
    assert _stretch([1, 0, 0, 1], [False, True, False, False], words) == "le"  # one of two is too much
    assert _stretch([0, 2, 2, 1], [False, True, False, False], words) == "dort"  # not the final sign
    assert _stretch([4, 4, 4, 4], [False, True, False, False], words) in words  # nothing attends there
    assert _stretch([4, 4, 4, 4], [True, True, True, True], words) == "le chat noir dort."  # all of the text
    assert _stretch([0, 1, 2, 3], [False, False, True, True], words) == "noir dort."  # its last sign, too


def test_columns_are_the_subwords_inside() -> None:
    text = "The **black  cat** sleeps."
    plain, (mark,), _ = without_marks(normalise(text), text)
    assert plain.text == "The black cat sleeps."
    spans = [(0, 3), (3, 9), (9, 11), (11, 13), (13, 20), (20, 21)]
    assert columns_of(mark, plain, spans).tolist() == [False, True, True, True, False, False]


@given(st.data(), st.text("ab .", min_size=1, max_size=12))
def test_marks_change_nothing_but_themselves(data: st.DataObject, text: str) -> None:
    place = st.integers(0, len(text))
    stretches = data.draw(st.lists(st.tuples(place, place).map(sorted).filter(lambda s: s[0] < s[1]), max_size=3))
    signs = (("[", "](u)"), ("**", "**"), ("_", "_"))
    marks = [(Mark(*sign, 0, 0), (start, end)) for sign, (start, end) in zip(signs, stretches, strict=False)]
    spans = [(at, at + 1) for at in range(len(text))]
    written, moved = wrapped(text, spans, marks)
    assert [written[start:end].strip() for start, end in moved] == [sign.strip() for sign in text]
    assert len(written) == len(text) + sum(len(mark.opening + mark.closing) for mark, _ in marks)
    assert written.replace("](u)", "").replace("[", "").replace("*", "").replace("_", "") == text


def test_outer_marks_stay_outside() -> None:
    outer, inner = Mark("[", "](u)", 0, 0), Mark("**", "**", 0, 0)
    assert wrapped("a bc d", [], [(outer, (2, 4)), (inner, (2, 4))])[0] == "a [**bc**](u) d"
    assert wrapped("a bc d", [], [(outer, (0, 4)), (inner, (2, 4))])[0] == "[a **bc**](u) d"


def test_marks_without_words_keep_their_address() -> None:
    link, bold = Mark("[", "](u)", 0, 0), Mark("**", "**", 0, 0)
    assert wrapped("a b", [], [(link, (2, 2)), (bold, (1, 1))])[0] == "a [](u)b"


def test_marks_side_by_side_do_not_overlap_in_the_translation() -> None:
    one, other = Mark("*", "*", 1, 2, 0, 3), Mark("_", "_", 4, 5, 3, 6)
    assert nested([one, other], [(0, 5), (3, 6)]) == [(0, 3), (3, 6)]
    assert nested([one, other], [(3, 6), (0, 5)]) == [(3, 6), (0, 3)]
    assert nested([one, other], [(2, 6), (2, 4)]) == [(2, 2), (2, 4)]


def test_an_outer_mark_goes_round_what_its_inner_one_goes_round() -> None:
    outer, inner = Mark("*", "*", 0, 6, 0, 8), Mark("_", "_", 2, 4, 2, 5)
    assert nested([outer, inner], [(0, 3), (5, 8)]) == [(0, 8), (5, 8)]


def test_a_mark_with_a_sign_on_one_side_is_not_shouted() -> None:
    assert Mark("", "", 0, 1).is_shouted
    assert not Mark("<br>", "", 0, 1).is_shouted
    assert not Mark("", "</i>", 0, 1).is_shouted


@given(st.data())
def test_marks_nest_as_they_do_in_the_source(data: st.DataObject) -> None:
    """Brackets drawn at random are the marks; their stretches in the translation are drawn, too."""
    text, marks, opened = data.draw(st.text("()", max_size=12)), [], []
    for place, sign in enumerate(text):
        if sign == "(":
            opened.append(place)
        elif opened:
            at = opened.pop()
            marks.append(Mark(f"<{at}>", f"</{at}>", at + 1, place, at, place + 1))
    marks.sort(key=lambda mark: mark.at)
    place = st.integers(0, 6)
    stretches = [tuple(sorted(data.draw(st.tuples(place, place)))) for _ in marks]
    found = nested(marks, stretches)
    assert all(start <= end for start, end in found)
    written, _ = wrapped("abcdef", [], list(zip(marks, found, strict=True)))
    names: list[str] = []
    for closing, name in re.findall(r"<(/?)(\d+)>", written):
        if closing:
            assert names.pop() == name
        else:
            names.append(name)
    assert not names
    assert len(re.findall(r"</", written)) == len(marks)
