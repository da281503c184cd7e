"""Rare names, and whether a translation garbled them."""

from __future__ import annotations

from collections.abc import Container

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.names.acronyms import is_acronym
from service.text.names.addressed import addressed_name, titled_names
from service.text.names.common_words import is_compound, is_inflected
from service.text.names.garbled import Encode, NameFinder, full_names, stretches_of

COMMON = {"Suisse", "Tom", "yesterday", "Yesterday", "Kitchen", "kitchen", "exit"}


def encode(text: str) -> list[int]:
    """One subword for a common word, one for each letter of another."""
    return [0] if text in COMMON else [0] * len(text)


def rare_names(text: str, encode: Encode, known: Container[str] | None = None, source: str = "") -> list[str]:
    """The rare names of `text`, then the sure ones."""
    return NameFinder(encode, (source, ""), known).names(text)


def certain_names(text: str, encode: Encode, known: Container[str] | None = None) -> list[str]:
    """What is certainly a name in `text`, everyday names aside."""
    return NameFinder(encode, ("", ""), known).certain(text)


def garbled_names(
    source: str, target: str, encode: Encode, languages: tuple[str, str], known: Container[str] | None = None
) -> list[str]:
    """The names of `source` that `target` has garbled."""
    finder = NameFinder(encode, languages, known)
    return finder.garbled(finder.names(source), source, target)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday Tom saw Mbappe and O'Connor.", ["Mbappe", "O'Connor"]),
        ("On Wednesday in the Kitchen", []),
        ("HERNANDEZ and Li", []),
        ("", []),
    ],
)
def test_rare_names_are_capitalised_words_in_small_pieces(text: str, expected: list[str]) -> None:
    assert rare_names(text, encode) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Good morning, Anna!", "Anna"),
        ("Best regards, Peter", "Peter"),
        ("Thanks, Tom.", "Tom"),
        ("Happy 40th, Kwame!", "Kwame"),
        ("Come here, please.", None),
        ("I live in Paris, France.", None),
        ("Yes, Sir!", None),
        ("See you, Monday", None),
        ("Tom, Anna and Li", None),
        ("Name, Address", None),
        ("See you on Friday, Eve.", "Eve"),
        ("I came, I saw", None),
        ("He said, OK", None),
        ("Anna", None),
    ],
)
def test_a_name_behind_the_last_comma_is_one_that_somebody_is_addressed_by(text: str, name: str | None) -> None:
    assert addressed_name(text) == name
    assert (name in rare_names(text, encode)) == (name is not None)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I wait, as I'll be late and I've eaten.", []),
        ("I wait, as Aldous'll be late.", ["Aldous"]),
        ("I wait for Aldous's call, which I'd miss.", ["Aldous"]),
    ],
)
def test_a_verb_behind_its_subject_belongs_to_no_name(text: str, names: list[str]) -> None:
    assert rare_names(text, lambda word: [0] * len(word)) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Dear Mr. Tom, thank you.", ["Tom"]),
        ("Cher Monsieur Tom, merci.", ["Tom"]),
        ("Sehr geehrte Frau Müller-Lüdenscheidt,", ["Müller-Lüdenscheidt"]),
        ("Dr O'Connor and Mrs Tom", ["O'Connor", "Tom"]),
        ("Mr Tom's dog", ["Tom"]),
        ("M. Tom habite ici.", ["Tom"]),
        ("Plan M Tom", []),
        ("Yes, Mr. President.", []),
        ("Madame la Présidente", []),
        ("Guten Tag, Frau Doktor!", []),
        ("Mr. T was there", ["T"]),
        ("the doctor Tom saw", []),
    ],
)
def test_a_name_behind_a_title_is_kept(text: str, names: list[str]) -> None:
    assert titled_names(text) == names
    assert set(names) <= set(rare_names(text, encode))


def test_a_name_behind_a_title_is_never_translated() -> None:
    assert garbled_names("He saw Mr. Suisse.", "Er sah den Tom Tom.", encode, ("en", "fr")) == ["Suisse"]
    assert garbled_names("He saw Mr. Suisse.", "Il vit M. Suisse.", encode, ("en", "fr")) == []


def test_a_name_that_became_a_common_one_was_translated_and_another_one_garbled() -> None:
    assert garbled_names("He lives in Switzerland.", "Il vit en Suisse.", encode, ("en", "fr")) == []
    assert garbled_names("He saw Mbappe.", "Il vit Mbape.", encode, ("en", "fr")) == ["Mbappe"]
    assert garbled_names("He saw Mbappe.", "Il vit Mbappe.", encode, ("en", "fr")) == []
    assert garbled_names("He saw Mbappe.", "Er sah den Mann.", encode, ("en", "de")) == ["Mbappe"]
    assert garbled_names("He saw Mbappe.", "Er sah Mbappeber.", encode, ("en", "de")) == ["Mbappe"]
    assert garbled_names("Mbappe's dog.", "Mbappes Hund.", encode, ("en", "de")) == []


def test_a_german_noun_that_the_model_was_trained_on_is_no_name() -> None:
    text = "Wir planen neue Massnahmen mit Mbappe."
    assert rare_names(text, encode, {"Massnahmen"}, "de") == ["Mbappe"]
    assert rare_names(text, encode, {"Massnahmen"}, "en") == ["Mbappe"]
    assert rare_names("We flew to Massnahmen.", encode, {"Massnahmen"}, "en") == ["Massnahmen"]  # a place
    assert rare_names(text, encode, None, "de") == ["Massnahmen", "Mbappe"]
    assert garbled_names(text, "We plan new measures with Mbape.", encode, ("de", "en"), {"Massnahmen"}) == ["Mbappe"]


def test_a_known_word_that_begins_a_text_is_no_name() -> None:
    text = "Congratulations on the house in Neuchatel"
    assert rare_names(text, encode, {"Congratulations", "Neuchatel"}) == ["Neuchatel"]
    assert rare_names(text, encode, {"Neuchatel"}) == ["Congratulations", "Neuchatel"]


def test_a_word_with_a_capital_that_no_training_text_had_is_a_name_however_it_is_spelt() -> None:
    def pairs(text: str) -> list[int]:
        """A subword for each two letters: too few of a short word to be a rare one."""
        return [0] * ((len(text) + 1) // 2)

    text = "Is Ilan here with Anna?"
    assert rare_names(text, pairs, {"Anna", "Is"}) == ["Ilan"]
    assert rare_names(text, pairs, {"Anna", "Is", "ilan"}) == []
    assert rare_names(text, pairs, {"Anna", "Is"}, "de") == []
    assert rare_names(text, pairs) == []
    for no_name in ("The Ukrainians met a Buddhist.", "How to Declutter Your Home"):
        assert NameFinder(pairs, ("en", "fr"), {"The", "How", "Your", "Home"}).sure(no_name) == []


def test_a_french_verb_with_its_pronoun_is_no_name() -> None:
    assert rare_names("Retrouvez-moi à la gare.", encode, frozenset(), "fr") == []
    assert rare_names("L'organigramme dort.", encode, frozenset(), "fr") == []
    assert rare_names("Jean-Luc dort.", encode, frozenset(), "fr") == ["Jean-Luc"]
    assert rare_names("Zorgluez-le.", encode, frozenset(), "fr") == []
    assert rare_names("Zorgluez bien.", encode, frozenset(["zorgluer"]), "fr") == []
    assert rare_names("Zorgluez bien.", encode, frozenset(["zorglub"]), "fr") == ["Zorgluez"]
    assert rare_names("Quelqu'organigramme dort.", encode, frozenset(["organigramme"]), "fr") == []


def test_a_clitic_is_one_in_french_alone() -> None:
    assert rare_names("We met Zorglub-le today.", encode) == ["Zorglub-le"]


def test_names_are_found_as_words() -> None:
    assert stretches_of(["Li", "Liam"])("Liam, Li and Lisa") == [(0, 4), (6, 8)]
    assert stretches_of(["Li", "Liam"], "de")("Li Liam, Li") == [(0, 2), (3, 7), (9, 11)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I met Sigrid Mbappe today.", ["Sigrid Mbappe"]),
        ("We saw Mbappe Li Tom, Anna and Mbappe.", ["Mbappe Li Tom", "Mbappe"]),
        ("Ask Mbappe to come.", ["Mbappe"]),
        ("Dear Mr Mbappe, on Monday Mbappe came", ["Mbappe", "Mbappe"]),
        ("Mbappe Zoltan is here", ["Mbappe Zoltan"]),
    ],
)
def test_names_side_by_side_are_one(text: str, found: list[str]) -> None:
    places = stretches_of(["Mbappe"], "en")(text)
    assert [text[start:end] for start, end in places] == found


def test_nouns_with_a_capital_are_no_names_beside_a_name() -> None:
    text = "Die Stadt Mbappe"
    assert stretches_of(["Mbappe"], "de")(text) == [(10, 16)]


def test_a_first_word_is_a_name_where_another_capital_follows() -> None:
    text = "Bcd Efg sleeps. Abc sleeps."
    assert rare_names(text, lambda word: [0, 0, 0]) == []  # three letters are too few
    assert rare_names("Bcde Efgh sleeps.", lambda word: [0, 0, 0]) == ["Bcde", "Efgh"]
    assert rare_names("Bcde sleeps.", lambda word: [0, 0, 0]) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Svensson Whitaker is here", ["Svensson", "Whitaker"]),
        ("Wir warten auf Ilyas Pettersen.", ["Ilyas", "Pettersen"]),
        ("Élodie Ångström Zoltan kam", ["Élodie", "Ångström", "Zoltan"]),
        ("Tom Pettersen came", []),
        ("On Ilyas Pettersen we rely", ["Ilyas", "Pettersen"]),
        ("Pettersen came on Monday", []),
        ("Ilyas, Pettersen", []),
        ("ILYAS PETTERSEN", []),
        ("On Monday Pettersen Monday", []),
    ],
)
def test_a_full_name_is_two_words_with_a_capital_that_the_model_never_saw(text: str, names: list[str]) -> None:
    assert full_names(text, {"Tom", "On"}) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The EU and the UN met", ["EU", "UN"]),
        ("I have a TV", []),
        ("THE EU MET THE UN", []),
        ("Iceland's", []),
        ("My CV", ["CV"]),
        ("A PDF of the EXIT", ["PDF"]),  # known, but spelt
        ("In the USA", []),
    ],
)
def test_an_acronym_that_the_model_never_saw_or_has_to_spell_is_a_name(text: str, names: list[str]) -> None:
    assert certain_names(text, encode, {"TV", "PDF", "EXIT"}) == names
    assert certain_names(text, encode) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [("PDF", True), ("XY", True), ("EXIT", False), ("TV", False), ("USA", False), ("PDF!", False), ("pdf", False)],
)
def test_a_text_is_an_acronym_that_is_spelt_or_that_the_model_never_saw(text: str, expected: bool) -> None:
    assert is_acronym(text, encode, {"PDF", "EXIT", "TV"}) is expected


def test_a_german_noun_behind_a_comma_is_no_name_if_the_model_knows_it() -> None:
    known = {"Stufe", "Mind"}
    assert NameFinder(encode, ("de", "en"), known).sure("Vorsicht, Stufe!") == []
    assert NameFinder(encode, ("de", "en"), known).sure("Danke, Ilyas!") == ["Ilyas"]
    assert NameFinder(encode, ("en", "de"), known).sure("Mind it, Stufe!") == ["Stufe"]


def test_without_known_words_only_titles_make_names_certain() -> None:
    assert certain_names("Mr Tom met Ilyas Pettersen", encode) == ["Tom"]
    assert certain_names("Mr Tom met Ilyas Pettersen", encode, {"met"}) == ["Tom", "Ilyas", "Pettersen"]
    garbled = garbled_names("I met Ilyas Suisse", "J'ai vu Tom Suisse", encode, ("en", "fr"), {"met"})
    assert garbled == ["Ilyas"]


@pytest.mark.parametrize(
    ("target", "languages", "names"),
    [
        ("On livre en Zouède", ("en", "fr"), []),  # another name, though in small pieces
        ("On livre en Bulgarie", ("en", "fr"), []),
        ("On livre en Bulgaira", ("en", "fr"), ["Bulgaria"]),  # a slip
        ("On livre partout", ("en", "fr"), ["Bulgaria"]),
        ("Lieferung nach Bulgarien", ("en", "de"), []),
    ],
)
def test_a_name_that_the_model_was_trained_on_may_become_another(
    target: str, languages: tuple[str, str], names: list[str]
) -> None:
    source = "We ship to Bulgaria"
    assert garbled_names(source, target, encode, languages, {"Bulgaria"}) == names
    if target.split()[-1][0].isupper():
        assert garbled_names(source, target, encode, languages, {"ship"}) == ["Bulgaria"]


WORDS = ["Tom", "I", "Ilyas", "Pettersen", "Mr", "M.", "PDF", "Don't", "I'll", "Suisse,", "hello,", "Anna-Lena's"]


@given(st.lists(st.sampled_from(WORDS), max_size=6), st.lists(st.sampled_from(WORDS), max_size=6), st.booleans())
def test_no_name_is_garbled_where_the_quick_look_finds_none(source: list[str], target: list[str], knows: bool) -> None:
    text, translation = " ".join(source), " ".join(target)
    finder = NameFinder(encode, ("en", "fr"), COMMON | {"Pettersen", "I", "Don't", "hello"} if knows else None)
    names = [*finder.certain(text), *filter(None, [addressed_name(text)]), *titled_names(text)]
    suspects = finder.suspects(text)
    if not finder.may_be_garbled(suspects, translation):
        assert finder.garbled(names, text, translation) == []
    if not suspects:
        assert names == []


WORDS = ["mitarbeiter", "portal", "hochzeit", "mahl", "rosen", "berg", "les", "sein", "schönes", "sie", "leute"]
KNOWN = frozenset((*WORDS, *map(str.capitalize, WORDS)))


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("en", "She is fluent in Spanish and Zorglub.", ["Zorglub"]),
        ("en", "Counsellors are here.", []),
        ("en", "Blistering heat", []),
        ("en", "They watch French-speaking Zorglub.", ["Zorglub"]),
        ("en", "Tancred works here.", ["Tancred"]),
        ("en", "Odalys and Ben met.", ["Odalys"]),
        ("en", "Counsellors needed here.", []),
        ("en", "Kwamenu won it.", ["Kwamenu"]),
        ("en", "Kwamenu didn't go.", ["Kwamenu"]),
        ("en", "Hargreavs made it.", ["Hargreavs"]),
        ("en", "Art Forger Sentenced to Four Years", []),
        ("fr", "Rempote le palmier.", []),
        ("fr", "Les Portugais boivent.", []),
        ("fr", "Zorglub dort.", ["Zorglub"]),
        ("de", "Es steht im Mitarbeiterportal.", []),
        ("de", "Es gibt sein Kwamenu.", []),
        ("de", "Wir sahen Kwamenu.", ["Kwamenu"]),
        ("de", "Schönes Hochzeitsmahl am See", []),
        ("de", "Wir sahen Rosenberg.", ["Rosenberg"]),  # made as compounds are, but names end so
        ("de", "Verkneif dir das.", []),
        ("de", "Narzissen verwelken schnell.", []),
        ("de", "Polstern Sie es aus.", []),
        ("de", "Wir zeigen Rechtschaffenheit.", []),
        ("de", "Unerfahrene Leute", []),
        ("de", "Gerlach kommt.", ["Gerlach"]),
    ],
)
def test_what_stands_beside_a_word_and_what_it_is_made_of_tell_whether_it_is_a_name(
    language: str, text: str, names: list[str]
) -> None:
    assert set(names) == set(rare_names(text, encode, KNOWN, language)) - {"Ben"}


def test_an_acronym_that_the_model_knows_may_become_another() -> None:
    known = {"GDP"}
    assert garbled_names("GDP grew with Zorglub.", "Le PIB croît avec Zorg.", encode, ("en", "fr"), known) == [
        "Zorglub"
    ]
    assert garbled_names("GDP grew.", "Le gdp croît.", encode, ("en", "fr"), known) == ["GDP"]
    assert garbled_names("TNT came.", "TND est venu.", encode, ("en", "fr"), {"TNT"}) == ["TNT"]
    assert garbled_names("GDX grew.", "Le PIB croît.", encode, ("en", "fr"), known) == ["GDX"]


@given(st.text(alphabet="abß", max_size=12))
def test_a_compound_has_two_known_parts(word: str) -> None:
    known = {"aaa", "bbb"}
    if is_compound(word, known):
        assert len(word) >= 9
        assert any(word[at:] in known for at in range(3, len(word)))
    assert not is_compound(word, frozenset())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We live in Tunbridge Wells now.", ["Wells"]),
        ("We live in Kitchen Wells, near Mbappe Airport.", []),
        ("See Tunbridge Wells, to Mbappe Wednesday", []),
    ],
)
def test_both_words_of_a_place_are_its_name(text: str, expected: list[str]) -> None:
    known = {"Kitchen", "Wells", "Airport", "We", "See"}
    assert NameFinder(encode, ("en", "fr"), known).certain(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [("Helmen", True), ("Bl\u00f6cken", True), ("Gew\u00e4ssers", True), ("Mikrophone", True), ("Mbappes", False),
     ("Hansen", False), ("Peters", False), ("Helm", False)],
)  # fmt: skip
def test_other_forms_of_known_german_nouns_are_no_names(word: str, expected: bool) -> None:
    known = {"Helm", "Block", "Gew\u00e4sser", "Mikrophon", "Hans", "Peter"}
    assert is_inflected(word, known) is expected
    assert is_compound("Plastik" + word.lower(), {"plastik", *map(str.lower, known)}) in (expected, word == "Helm")


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("en", "fr"), "Leashed puppies run, Ahmed sees an African-American boy.", ["Ahmed"]),
        (("fr", "en"), "Des gens en Indiens vont \u00e0 Mbappe.", ["Mbappe"]),
        (("de", "en"), "Radfahrer mit Helmen sahen Mbappe.", ["Mbappe"]),
    ],
)
def test_forms_of_words_are_no_rare_names(languages: tuple[str, str], text: str, expected: list[str]) -> None:
    known = {"Leash", "Helm", "Radfahrer", "Des", "African", "American", "Gens"}
    assert NameFinder(encode, languages, known).names(text) == expected


def test_a_known_name_may_lose_its_last_vowel() -> None:
    words = ("J'habite en Hollande.", "I live in Holland.", encode, ("fr", "en"))
    assert garbled_names(*words, known={"Hollande", "J'habite"}) == []
    assert garbled_names(*words, known={"J'habite"}) == ["Hollande"]


def test_lorries_have_other_letters() -> None:
    assert not any(is_acronym(word, encode, frozenset()) for word in ("LKW", "PKW", "VTT"))
    assert is_acronym("PDF", encode, frozenset())


def test_names_that_are_words_are_left_to_their_place() -> None:
    finder = NameFinder(encode, ("en", "de"), {"forests"})
    assert finder.names("Amazon forests are in danger, the Amazon is wide.") == []
    assert finder.names("We bought it on Amazon.") == ["Amazon"]
