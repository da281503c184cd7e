"""Blocks of code beside text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.code import between, code_blocks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Write:\n```python\nprint("hi")\n```\nRun it.', ['```python\nprint("hi")\n```']),
        ("```\nls\n```\n\nText.\n\n```js\nf()\n```", ["```\nls\n```", "```js\nf()\n```"]),
        ("1. Do:\n   ```sh\n   ls\n   ```\n2. Next.", ["   ```sh\n   ls\n   ```"]),
        ("See:\n```\nnever ends\n", ["```\nnever ends\n"]),
        ("A ``` in a sentence, and ```code``` too.", []),
        ("Chapter 1\n~~~\nIt was dark.\n~~~\nThe end.", []),
        ("Install it:\n\n    pip install it\n    it serve\n\nOpen it.", ["    pip install it\n    it serve\n"]),
        ("It begins.\n\n    It was a dark night.\n    And stormy.\n\nThe end.", []),
        ("A list:\n\n    - one\n    - two\n\nThe end.", []),
        ("Before <pre>a b\nc</pre> after.", ["<pre>a b\nc</pre>"]),
        ("<!DOCTYPE html>\n<p>Hello</p>\n<!-- not\nshown -->", ["<!DOCTYPE html>", "<!-- not\nshown -->"]),
        ("Hello <!-- no --> you", []),
        ("<script>alert('no')</script>", ["<script>alert('no')</script>"]),
        ("<code>ls -l</code>\nRun <code>ls</code> now.", ["<code>ls -l</code>"]),
        ('<p>A</p>\n<i translate="no">\n<i>B</i>\nC</i>\nD', ['<i translate="no">\n<i>B</i>\nC</i>']),
        ("A <b class='x notranslate'>B</b> C\n<b class=notranslate>B</b>", ["<b class=notranslate>B</b>"]),
        ('<p translate="yes">A</p>\n<br translate="no">', []),
        ('$ git commit -m "Fix"\nThen push.', ['$ git commit -m "Fix"']),
        ("$ 500 for the car", []),
        (
            "WEBVTT\n\nNOTE a\nb\n\nSTYLE\n::cue { a: b }\n\n00:01.000 --> 00:02.000\nNOTES are short",
            ["NOTE a\nb", "STYLE\n::cue { a: b }", "00:01.000 --> 00:02.000"],
        ),
        ("NOTE This is text", []),
        ("$5 off today", []),
        (">>> 1 + 1", [">>> 1 + 1"]),
        ('print("Hello");', ['print("Hello");']),
        ("Name(s)", []),
        ("Nom(s) d'utilisateur(s)", []),
        ('log("Hello", x);', ['log("Hello", x);']),
        (">>> Hello John\n>>> how are you?", []),
        (">>> print(1)\n>>> x = 2", [">>> print(1)", ">>> x = 2"]),
        ('He said ("yes").', []),
        ("00:05.000 --> 00:09.000 align:start\nHello.", ["00:05.000 --> 00:09.000 align:start"]),
        ("12:00 --> 13:00 lunch", []),
        (
            "\\section{Hello}\n\\begin{itemize}\n\\item One.\n\\end{itemize}\n% note\n5\\% of it",
            ["\\section{", "}", "\\begin{itemize}", "\\item ", "\\end{itemize}", "% note"],
        ),
        ("\\caption{A cat}\\label{fig:cat}", ["\\caption{", "}\\label{fig:cat}"]),
        ("\\emph{Hello}\n% note", []),
        ("\\begin{quote}He came.\\end{quote}", ["\\begin{quote}"]),
        (
            "\\item A\n\\begin{equation}\nx = 5\n\\end{equation} is right",
            ["\\item ", "\\begin{equation}\nx = 5\n\\end{equation}"],
        ),
        ("\\section{A}\n\\[ x = 5 \\]\nThe end.", ["\\section{", "}", "\\[ x = 5 \\]"]),
        ("---\nText.\n---\nMore.", []),
        ('say("hi") and go', []),
        ("", []),
    ],
)
def test_blocks_are_found(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in code_blocks(text)] == expected


@given(st.text(st.sampled_from("`a \n\t$<>/()\"'-pre")))
def test_blocks_and_what_is_between_them_are_the_text(text: str) -> None:
    blocks = code_blocks(text)
    assert "".join(text[start:end] for start, end in sorted([*blocks, *between(text, blocks)])) == text
