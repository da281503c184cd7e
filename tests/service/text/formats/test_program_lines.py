"""Lines that programs write and read."""

from __future__ import annotations

import time

import pytest

from service.text.formats.program_lines import program_lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "2024-04-18T07:31:55.102Z ERROR [worker-3] a.PayService: It failed.\n2024-04-18 07:32 INFO Done.",
            ["2024-04-18T07:31:55.102Z ERROR [worker-3] a.PayService: ", "2024-04-18 07:32 INFO "],
        ),
        ("2024-04-18 07:32 Meeting: the plan", ["2024-04-18 07:32 "]),
        ("We met on 2024-04-18 07:32 in it.", []),
        ("2024-04-18 07:32 is when we met.", []),
        (
            "It says:\nTraceback (most recent call last):\n  File \"a.py\", line 8\n    b()\nKeyError: 'c'\n\nWhy?",
            ["Traceback (most recent call last):\n  File \"a.py\", line 8\n    b()\nKeyError: 'c'"],
        ),
        ("Error\n    at new Foo (a.js:1:2)\n    at b.c(d.java)", ["    at b.c(d.java)"]),
        ("fix(auth): keep them in\n\nSigned-off-by: A <b@c.org>", ["fix(auth): ", "Signed-off-by: A <b@c.org>"]),
        ("test: it is one", ["test: "]),
        ("Test: it is one. fix: no", []),
        ("See [it][a].\n\n[a]: https://a.org/b\n[^1]: A note.", ["[a]: https://a.org/b", "[^1]: "]),
        ("[Tom]: hello\n[09:02]: hi", []),
        ("![A](b.svg) [![C](d.svg)](e)\n![A dog](dog.png)", ["![A](b.svg) [![C](d.svg)](e)"]),
        ('#: a.c:1\nmsgid "One"\nmsgstr ""\n', ['#: a.c:1\nmsgid "One"\nmsgstr ""\n']),
        ("The msgid is one.", []),
        ('I have:\n\nmsgid "Save"\nmsgstr ""\n\nHelp!', []),
        ("Meet Tom\n  at the hall (entrance B)\n  at 8", []),
        ("[Anna]: ...maybe\n[Max]: <laughs>\n[Eva]: #happy (so glad)", []),
        ("2024-05-01 10:00 INFO Reminder: it is late", ["2024-05-01 10:00 INFO "]),
        (
            'Traceback (most recent call last):\r\n  File "a.py"\r\nValueError: bad\r\nThanks: I see.',
            ['Traceback (most recent call last):\r\n  File "a.py"\r\nValueError: bad\r'],
        ),
    ],
)
def test_what_is_for_programs_is_found(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in program_lines(text)] == found


HOSTILE = (
    "2024-01-01 10:00 ", "Traceback (most recent call last):\n ", " at a.b", "[a]: /", "![a](b) ", 'msgid "a\n"', "[^",
    "[![a](b)",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_long_texts_are_read_once(piece: str) -> None:
    began = time.perf_counter()
    program_lines(piece * (5000 // len(piece)))
    program_lines(piece.rstrip() * (5000 // len(piece)))
    assert time.perf_counter() - began < 0.5
