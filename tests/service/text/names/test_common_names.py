"""Everyday names, told from words by their place."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from model_store.contract.calendar import CALENDAR
from model_store.data.places import read_places
from service.text.names.common_names import FILE, common_names

TABLE = tomllib.loads(files("service.text.names").joinpath(FILE).read_text(encoding="utf-8"))
ALIKE = {*TABLE["given"].split(), *TABLE["surnames"].split(), *TABLE["places"].split()}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Peter", ["Peter"]),
        ("peter", []),
        ("PETER", []),
        ("Yesterday Anna O'Brien met Tom's dog in Bordeaux.", ["Anna", "O'Brien", "Tom", "Bordeaux"]),
        ("King Charles and Prince Harry met St. Peter", []),
        ("Bill called me yesterday.", ["Bill"]),
        ("Bill's car", ["Bill"]),
        ("Bill, please.", []),
        ("Bill", []),
        ("The Bill of Rights", []),
        ("I work at Target. My Windows laptop is slow.", ["Target", "Windows"]),
        ("Apple announced it. The Target is near. Apple trees", ["Apple"]),
        ("Mark as read", []),
        ("Mark and Anna left.", ["Mark", "Anna"]),
        ("Anna and Mark left.", ["Anna", "Mark"]),
        ("I gave the book to Will.", ["Will"]),
        ("Is Will coming with us?", ["Will"]),
        ("Will you come?", []),
        ("He left. Will you come?", []),
        ("Hi Mark, how are you?", ["Mark"]),
        ("Cheers, Will", ["Will"]),
        ("Happy birthday, Rose!", ["Rose"]),
        ("Kind regards, Frank\n", ["Frank"]),
        ("Best, Rose and blue", []),
        ("Tulip, Rose", []),
    ],
)
def test_english_names(text: str, names: list[str]) -> None:
    assert common_names(text, "en", "fr") == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Pierre m'a appelé hier.", ["Pierre"]),
        ("Pierre tombale", []),
        ("J'ai vu Jean-Luc et Claire à Rennes.", ["Jean-Luc", "Claire", "Rennes"]),
        ("La Rose", []),
        ("Amitiés, Pierre", ["Pierre"]),
        ("Bois, Pierre", []),
    ],
)
def test_french_names(text: str, names: list[str]) -> None:
    assert common_names(text, "fr", "en") == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hallo Rose, wie geht es dir?", ["Rose"]),
        ("Die Rose in Hamburg blüht, sagt Ernst", ["Hamburg"]),
        ("Peter und Ernst sind da", ["Peter", "Ernst"]),
        ("Ernst hat angerufen.", ["Ernst"]),
        ("Ernst der Lage", []),
        ("Viele Grüße, Ernst", ["Ernst"]),
        ("Spaß, Ernst", []),
    ],
)
def test_german_names(text: str, names: list[str]) -> None:
    assert common_names(text, "de", "en") == names


def test_a_place_counts_where_both_languages_write_it_alike() -> None:
    assert common_names("I live in Hamburg", "en", "de") == ["Hamburg"]
    assert common_names("I live in Hamburg", "en", "fr") == []
    assert common_names("Anna lives in Hamburg", "en", "pl") == []  # Polish declines names


def test_the_list_has_no_place_that_a_language_writes_in_another_way() -> None:
    languages = ("en", "fr", "de")
    for place in read_places():
        written = {language: place[language].removesuffix(" f").split(" ")[0] for language in languages}
        if len({*written.values()}) > 1:
            assert not ALIKE & {*written.values()}, written
    for pair, names in TABLE["places_of"].items():
        changed = [p for p in read_places() if len({p[language].split(" ")[0] for language in pair.split()}) > 1]
        assert not {*names.split()} & {place[language].split(" ")[0] for place in changed for language in pair.split()}


def test_the_list_has_each_name_once_and_no_month() -> None:
    lists = [TABLE[kind].split() for kind in ("given", "surnames", "places")]
    names = [name for names in lists for name in names]
    assert len(names) == len({*names})
    assert not {name.lower() for name in names} & CALENDAR
    places = {name for text in TABLE["places_of"].values() for name in text.split()}
    assert not places & {*names}
    assert {name for text in TABLE["words"].values() for name in text.split()} <= {*names, *places}
