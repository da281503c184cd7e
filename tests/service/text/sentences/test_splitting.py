"""Where sentences begin and end."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.sentences.splitting import WINDOW, about_num_sentences, sentence_spans

HOSTILE = [
    '‘。"',
    "“'\"",
    "“",
    "(",
    "\n",
    "[1].",
    "a.",
    "Mr. ",
    ". ",
    "?!",
    "a@b.",
    "\0. ",
    "\ud800. ",
    "x",
    " ",
    "日",
    "🇩🇪",
    "👍🏻",
    "👩\u200d",
    "A.-",
    "A.B",
    "/A.",
]
PROSE = st.text(st.sampled_from("aB1 .!?\"'“”()\n\t,;。é\u2028😀\ud800\0"), max_size=200)


def sentences(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, language)]


def test_sentences_end_at_full_stops_but_not_at_abbreviations() -> None:
    assert sentences("Mr. Smith paid $3.50 at 5 p.m. on Monday. He left! Why?") == [
        "Mr. Smith paid $3.50 at 5 p.m. on Monday.",
        "He left!",
        "Why?",
    ]


def test_lines_are_sentences_of_their_own() -> None:
    assert sentences("A title\n\n A line that\r\ngoes on. \u2028Last") == ["A title", "A line that", "goes on.", "Last"]


def test_japanese_sentences_need_no_space() -> None:
    assert sentences("これは文です。次の文です。", "ja") == ["これは文です。", "次の文です。"]


def test_an_unknown_language_has_the_general_rules() -> None:
    assert sentences("One. Two.", "zzz") == ["One.", "Two."]


@pytest.mark.parametrize(
    ("text", "language"),
    [("I saw Ms. Jones here.", "en"), ("Où est M. Dupont ?", "fr"), ("J'ai vu Mme. Durand.", "fr")],
)
def test_a_title_does_not_end_a_sentence(text: str, language: str) -> None:
    assert sentences(f"{text} Yes.", language) == [text, "Yes."]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Call tel. 555 1234 now.", "en"),
        ("It takes approx. 20 minutes.", "en"),
        ("See vol. 2 and ch. 6.", "en"),
        ("Facture no. 2024-118 du 3 mars.", "fr"),
        ("Voir réf. 99, bd. 5.", "fr"),
        ("Selon l'art. L. 121-3, vous pouvez.", "fr"),
        ("Die Rechnung Nr. 2024-118 ist da.", "de"),
        ("Der 2. Versuch klappte.", "de"),
        ("Im 19. Jahrhundert war das so.", "de"),
        ("Mein 50. Geburtstag kam.", "de"),
        ("Am 2. Tag und zum 100. Mal regnete es.", "de"),
        ("Unsere 10. Feier und jede 2. Woche.", "de"),
        ("Am 24. Dez. kommt er.", "de"),
        ("Der 3. Oktober ist da.", "de"),
        ("Wir fahren 2. Klasse und feiern 1. Advent.", "de"),
        ("Wir spielen wieder, 2. Bundesliga ist das Ziel.", "de"),
        ("See Eq. 2 or eqs. 3 there.", "en"),
    ],
)
def test_neither_an_abbreviation_before_a_number_nor_an_ordinal_ends_a_sentence(text: str, language: str) -> None:
    assert sentences(f"{text} OK!", language) == [text, "OK!"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir sahen K.-H. M\u00fcller.", "de"),
        ("J.-P. Sartre wrote it.", "en"),
        ("M. J.-P. Dupont est l\u00e0.", "fr"),
        ("Au XIXe s. elle \u00e9tait petite.", "fr"),
        ("Lettre \u00e0 l'att. de Mme Durand.", "fr"),
        ("Ein Brief z. Hd. Frau Kurz.", "de"),
        ("Antwort bis sp\u00e4t. Freitag.", "de"),
        ("We meet next Tues. at noon.", "en"),
        ("En 52 av. J.-C. il y \u00e9tait.", "fr"),
        ("Il est mort en 52 av. J.-C.", "fr"),
        ("Il vient vendredi, c.-\u00e0-d. demain.", "fr"),
        ("Ouvert lun.-ven. de 9 h \u00e0 17 h.", "fr"),
        ("It is open Mon.-Fri. until noon.", "en"),
        ("It is open Mon.\u2013Fri. until noon.", "en"),
        ("We left at 9 a.m. Tuesday.", "en"),
        ("It starts at 6 p.m. EST tomorrow.", "en"),
        ("It is at 5 p.m. GMT today, 9 a.m. (PST).", "en"),
        ("We meet at 10 a.m. Paris time.", "en"),
        ("Kick-off is at 4 p.m. London time.", "en"),
        ("We meet at 10 a.m. New York time, 3 p.m. Central European Time.", "en"),
        ("We meet at 10 a.m. Eastern on Monday.", "en"),
        ("We use ASP.NET and Console.WriteLine here.", "en"),
        ("Nous utilisons ASP.NET ici.", "fr"),
        ("Look into ../Foo.Bar/Baz for it.", "en"),
        ("Ich komme 10 Min. sp\u00e4ter.", "de"),
        ("I am 10 min. late, or 2 hrs. even.", "en"),
        ("Es kostet 3 Mio. Euro.", "de"),
    ],
)
def test_initials_and_abbreviations_end_no_sentence(text: str, language: str) -> None:
    assert sentences(f"{text} OK!", language) == [text, "OK!"]


@pytest.mark.parametrize(
    ("one", "two", "language"),
    [
        ("We left at 9 a.m.", "Then we slept.", "en"),
        ("We left at 9 a.m.", "Monday was a holiday.", "en"),
        ("We left at 9 a.m.", "This time it rained.", "en"),
        ("We left at 9 a.m.", "IT staff came.", "en"),
        ("We left at 9 a.m.", "NASA was closed.", "en"),
        ("Er ist 50.", "Danach ging er.", "de"),
        ("See you next Tues.", "Bring food.", "en"),
        ("Au XIXe s.", "Ils sont morts.", "fr"),
        ("Er kam sp\u00e4t.", "Freitag ging er.", "de"),
        ("Er kommt am 24.", "Dann feiern wir.", "de"),
        ("Heute ist der 24.", "Wir feiern.", "de"),
        ("Wait 5 min.", "Then stir.", "en"),
    ],
)
def test_what_begins_like_an_abbreviation_or_ordinal_may_end_a_sentence(one: str, two: str, language: str) -> None:
    assert sentences(f"{one} {two}", language) == [one, two]


def test_a_forgotten_space_does_not_join_sentences() -> None:
    assert sentences("I went home.Then I slept.") == ["I went home.", "Then I slept."]


PART = st.text(st.sampled_from("abAB12"), min_size=1, max_size=6)


@given(st.lists(PART, min_size=1, max_size=6), st.sampled_from("./?!"), st.sampled_from(["en", "fr", "de", "zzz"]))
def test_an_address_is_never_cut(parts: list[str], mark: str, language: str) -> None:
    for address in (f"https://example.com/{mark.join(parts)}", f"www.Example.com/{mark.join(parts)}"):
        assert any(address in sentence for sentence in sentences(f"See {address} now. OK", language))


@pytest.mark.parametrize(("text", "language"), [("Meet at 5 p.m.", "en"), ("Il a dit non.", "fr")])
def test_a_number_may_begin_a_sentence(text: str, language: str) -> None:
    assert sentences(f"{text} 20 people came.", language) == [text, "20 people came."]


@given(PROSE)
def test_sentences_are_ordered_and_only_white_space_lies_between_them(text: str) -> None:
    position = 0
    for start, end in sentence_spans(text, "en"):
        assert position <= start < end
        assert text[start:end] == text[start:end].strip()
        assert not text[position:start].strip()
        position = end
    assert not text[position:].strip()


def test_a_text_longer_than_the_window_has_the_same_sentences() -> None:
    one = "The cat sat on the mat, said Dr. Smith. "
    assert sentences(one * 200) == [one.strip()] * 200


def test_a_sentence_longer_than_the_window_is_cut_at_a_space() -> None:
    found = sentences("word " * 1000)
    assert " ".join(found) == ("word " * 1000).strip()
    assert all(len(sentence) <= WINDOW for sentence in found)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_cut_in_bounded_time(unit: str) -> None:
    text = (unit * 5000)[:5000]
    started = time.process_time()
    sentence_spans(text, "en")
    assert time.process_time() - started < 1.0  # tens of milliseconds at worst


def test_the_number_of_sentences_is_about_right() -> None:
    assert [about_num_sentences(text) for text in ("", " \n ", "One", "One. Two! Three?", "One\nTwo", "3.5 is it")] == [
        0, 0, 1, 3, 2, 1,
    ]  # fmt: skip


@pytest.mark.parametrize("line_break", ["\n", "\r", "\r\n", "\v", "\u2028"])
def test_a_line_break_inside_a_tag_ends_no_sentence(line_break: str) -> None:
    text = f'Click <a{line_break} href="x">here</a>.\nNext line, a < b\nc > d'
    spans = sentence_spans(text, "en")
    tag = f'<a{line_break} href="x">'
    assert [text[slice(*span)] for span in spans] == [f"Click {tag}here</a>.", "Next line, a < b", "c > d"]
