"""Notations of law, science, chats and templates are found whole, and prose that looks like them is left alone."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.spans.patterns import CENSORED, PATTERN, SUSPECT


def found(text: str) -> list[str]:
    return [match.group() for match in PATTERN.finditer(normalise(text).text)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Under Art. 5(2)(a) you may", ["Art. 5(2)(a)"]),
        ("See section 12(3) and 4(iv).", ["12(3)", "4(iv)"]),
        ("Nach \u00a7 12 Abs. 3 Satz 1 BGB darf er bleiben.", ["\u00a7 12 Abs. 3 Satz 1 BGB"]),
        ("Selon l'art. L. 121-3, al. 2, vous pouvez", ["art. L. 121-3, al. 2"]),
        ("Sleep is good (Smith et al., 2019).", ["Smith et al., 2019"]),
        ("Smith et al. (2019) found it.", ["Smith et al. (2019)"]),
        ("Send it to GB82 WEST 1234 5698 7654 32 today.", ["GB82 WEST 1234 5698 7654 32"]),
        ("Das Auto mit B-AB 1234 und der ICE 579", ["B-AB 1234", "ICE 579"]),
        ("It is at 51.5007\u00b0 N or 48\u00b051' N now", ["51.5007\u00b0 N", "48\u00b051' N"]),
        ("Install v2.0.1-beta or 1.2rc1 now", ["v2.0.1-beta", "1.2rc1"]),
        ("The teacher wrote x\u00b2 + y\u00b2 = 1 here", ["x\u00b2 + y\u00b2 = 1"]),
        ("Use x == y instead of x = y.", ["x == y", "x = y"]),
        ("About ~10 people and ~3.5 km", ["~10", "~3.5 km"]),
        ("%n apples in %1, not 100 %n", ["%n", "%1"]),
        ("Hello, { $user }! Set $HOME for $t(mail).", ["{ $user }", "$HOME", "$t(mail)"]),
        ("<@U12> and <!here> in <#C9|kitchen> with <:cat:12>", ["<@U12>", "<!here>", "<#C9|kitchen>", "<:cat:12>"]),
        ("a ^ b is {red and ``this''", ["^", "{", "``"]),
        ("It covers (i) the goods, (b) tea and (iii) cake.", ["(i)", "(b)", "(iii)"]),
        ("The client(s) of Lehrer(in) must sign.", []),
        ("N\u00e9 (e) le lundi, Kunde (in), a mix(i) (s)", []),
        ("I ate - a lot - and art. is nice", []),
        ("Plan B - it is A or B", []),
    ],
)
def test_notations_are_kept(text: str, kept: list[str]) -> None:
    assert found(text) == kept
    assert not kept or SUSPECT.search(normalise(text).text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("What the f*** is this s**t, you a**hole?", ["f***", "s**t", "a**hole"]),
        ("F***ing h*ll, so ein Sch***! Quelle m*rde, un c**.", ["F***ing", "h*ll", "Sch***", "m*rde", "c**"]),
        ("**Bold**, *so*, Lehrer*in, price*, TV** at 5*3, a*b, ***it***, *.py, b**c**", []),
    ],
)
def test_censored_words_are_kept(text: str, kept: list[str]) -> None:
    assert [match.group() for match in CENSORED.finditer(text)] == kept
    assert not kept or SUSPECT.search(text)


@pytest.mark.parametrize(
    "piece",
    [
        "A1B2 ",
        "x + ",
        "AB12 ABCD ",
        "5(2)",
        "\u00a7 1 ",
        "et al. ",
        "%1",
        "{ $a",
        "<@",
        "~1.",
        "= ",
        "f*",
        "f**",
        "sh*t",
        "(i",
        "[img]",
        "[img]x[/img]",
        "\u24d0",
    ],
)
def test_long_runs_take_no_time(piece: str) -> None:
    text = piece * 4000  # pytest's own limit ends what hangs
    assert sum(map(len, found(text))) <= len(text)
    assert sum(len(match.group()) for match in CENSORED.finditer(text)) <= len(text)
