"""Character references of HTML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.entities import with_ampersands, without_references
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cakes &amp; pies", "Cakes & pies"),
        ("caf&eacute;, d&#233;j&#xE0; vu", "caf\u00e9, d\u00e9j\u00e0 vu"),
        ("l&rsquo;\u00e9t\u00e9 &laquo;&nbsp;ici&nbsp;&raquo;", "l\u2019\u00e9t\u00e9 \u00ab ici \u00bb"),
        ("AT&amp;T", "AT&amp;T"),
        ("Figure~\\ref{a}, p.~3, ~\\n", "Figure \\ref{a}, p.~3, ~\\n"),
        ("a &lt; b", "a &lt; b"),
        ("&nothing; &#0; &#x1F600; & R&B;", "&nothing; &#0; \U0001f600 & R&B;"),
        ("?a=1&b=2", "?a=1&b=2"),
    ],
)
def test_a_model_reads_characters(text: str, expected: str) -> None:
    assert without_references(normalise(text)).text == expected


def test_html_gets_its_ampersands_back() -> None:
    text = "G\u00e2teaux & tartes, ?a=1&b=2"
    written, spans = with_ampersands(text, [(0, 7), (10, 16)], "Cakes &amp; pies")
    assert written == "G\u00e2teaux &amp; tartes, ?a=1&b=2"
    assert [written[start:end] for start, end in spans] == ["G\u00e2teaux", "tartes"]
    assert with_ampersands(text, [], "Cakes & pies") == (text, [])


@given(st.text(st.sampled_from("&#x1aB;mp l<>")))
def test_characters_stand_for_all_of_their_reference(text: str) -> None:
    normalised = normalise(text)
    read = without_references(normalised)
    assert len(read.text) == len(read.starts) == len(read.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(read.starts, read.ends, strict=True))
