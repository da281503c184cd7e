"""Times of day, in digits and in words, as another language writes them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.placeholders import PLACEHOLDERS, TIME
from service.text.expressions.clock import times
from service.text.protection import Protector
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("text", "target", "found"),
    [
        ("The meeting is at 3 pm.", "fr", {"3 pm": "15h"}),
        ("Call me at 5:30 pm tomorrow.", "de", {"5:30 pm": "17:30"}),
        ("Be here by 8.15 a.m. on Monday.", "fr", {"8.15 a.m.": "8h15"}),
        ("Dinner is at 7 p.m.", "de", {"7 p.m": "19:00"}),  # the full stop ends the sentence, too
        ("Lunch tomorrow at 12.30?", "fr", {"12.30": "12h30"}),
        ("It opens at 9.00 and closes at 17.30.", "de", {"9.00": "9:00", "17.30": "17:30"}),
        ("The 7.15 train leaves from platform 9.", "fr", {"7.15": "7h15"}),
        ("My appointment is at 8.20 tomorrow morning.", "de", {"8.20": "8:20"}),
        ("The pound stood at 1.25 this morning.", "de", {}),
        ("Shares opened at 7.30 on Monday.", "de", {}),
        ("See you at 2.55 per kilo, at 3.75%, at 1.10.2024.", "fr", {}),
        ("Version 2.10 starts at 4.15.", "fr", {}),
        ("It is at 3.14.", "fr", {}),
        ("12 am and 12PM", "de", {"12 am": "0:00", "12PM": "12:00"}),
        ("It leaves at 7:45 from platform 3.", "fr", {"7:45": "7h45"}),
        ("open from 9:00 to 18:30, or 9:00-12:00", "fr", {"9:00": "9h", "18:30": "18h30", "12:00": "12h"}),
        ("the 7:45 train, on Monday 8:15, by 10:30", "fr", {"7:45": "7h45", "8:15": "8h15", "10:30": "10h30"}),
        ("John 3:16, won 3:20, at 4:30 per km, at 2:15 in the video, at 1:30:20, ratio 1:50", "fr", {}),
        ("Read John 3:16 and 4:10. The chorus begins at 1:23.", "fr", {}),
        ("A map at 1:25 scale, odds from 1:15 to 1:20, around 2:30 hrs", "fr", {}),
        ("at 7:45", "de", {}),
        ("at 14:30, for $5 pm, 13 pm, B5 am, I am 3, chapter 5 am I right, the 5 PMs", "de", {}),
        ("from 5 to 6 pm", "fr", {"5": "17h", "6 pm": "18h"}),
        (
            "from 5 to 6 pm. From 5 to 6 pm",
            "de",
            {"from 5 to 6 pm": "von 17:00 bis 18:00 Uhr", "5": "17:00", "6 pm": "18:00"},
        ),
        ("9-11 am or 9 to 5:30 pm", "de", {"9": "9:00", "11 am": "11:00", "5:30 pm": "17:30"}),
        ("Saturday, December 5 - 8 pm, Jun 5 to 6 pm", "fr", {"8 pm": "20h", "6 pm": "18h"}),
        ("Dec. 5 - 8 pm", "fr", {"8 pm": "20h"}),
        ("9am-5pm", "fr", {"9am": "9h", "5pm": "17h"}),
        ("11-1 pm", "fr", {"11": "11h", "1 pm": "13h"}),
        ("a quarter to ten people, a quarter to two of them, a quarter to one charities", "de", {}),
        ("Half past six or quarter to one", "de", {"Half past six": "6:30", "quarter to one": "12:45"}),
        ("Half past six or quarter to one", "fr", {}),
        ("It's 3 pm.", "pl", {}),
        (
            "at 6 p.m. EST, 5 PM (GMT) and 4 p.m. IT is closed",
            "fr",
            {
                "6 p.m. EST": "18h EST",
                "5 PM (GMT)": "17h (GMT)",
                "4 p.m.": "16h",
            },
        ),
        ("at 6 p.m. EST.", "de", {"6 p.m. EST": "18:00 Uhr EST"}),
        ("at 10 a.m. Paris time", "fr", {"10 a.m.": "10h"}),
    ],
)
def test_english_times(text: str, target: str, found: dict[str, str]) -> None:
    assert {text[time.start : time.end]: time.translated for time in times(text, "en", target)} == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("La réunion est à 15 h.", {"15 h": "15:00"}),
        ("Ouvert de 9h à 12h et de 14h à 18h30", {"9h": "9:00", "12h": "12:00", "14h": "14:00", "18h30": "18:30"}),
        ("9h-12h", {"9h": "9:00", "12h": "12:00"}),
        ("Rendez-vous lundi, 8 h 15", {"8 h 15": "8:15"}),
        ("Fermé jusqu'à 22 heures", {"22 heures": "22:00"}),
        ("à 14 h ou 16 h", {"14 h": "14:00", "16 h": "16:00"}),
        ("jusqu'à 24h avant l'arrivée, dure entre 1h30 et 2h, limitée à 2h, de 6h à 8h par jour, à 7h et quart", {}),
        ("La réunion est reportée de 9h à 10h", {"9h": "9:00", "10h": "10:00"}),
        ("reportée à 14h, fixée à 15h, passe à 16h", {"14h": "14:00", "15h": "15:00", "16h": "16:00"}),
        ("portée à 12 h, limité à 12h, durée fixée à 12h, estimé à 2h, fixé à 3h, il passe de 6h à 7h", {}),
        ("ouvert de 9h à 19h du lundi au samedi", {"9h": "9:00", "19h": "19:00"}),
        (
            "de 9h à 18h du mardi au jeudi, de 10h à 17h en semaine",
            {
                "9h": "9:00",
                "18h": "18:00",
                "10h": "10:00",
                "17h": "17:00",
            },
        ),
        ("dure jusqu'à 22h, durera de 20h à 23h", {"22h": "22:00", "20h": "20:00", "23h": "23:00"}),
        ("dure de 1h à 2h, une attente de 2h à 3h, il faut de 1h à 2h", {}),
        ("accès limité de 8h à 18h", {"8h": "8:00", "18h": "18:00"}),
        ("Horaires : 9h-18h", {"9h": "9:00", "18h": "18:00"}),
        ("Départ : 8h15, arrivée : 11h40", {"8h15": "8:15", "11h40": "11:40"}),
        ("Départ : 8h, samedi : 10h - 19h", {"8h": "8:00", "10h": "10:00", "19h": "19:00"}),
        ("Lundi 8h30-12h / 14h-18h", {"8h30": "8:30", "12h": "12:00", "14h": "14:00", "18h": "18:00"}),
        ("lun.-sam. 8h-20h", {"8h": "8:00", "20h": "20:00"}),
        ("Ouverture des portes : 19h", {"19h": "19:00"}),
        ("L'hôtel est à 1h30 de l'aéroport, à 7h30 de la mairie", {}),
        ("Il part à 7h45 du quai 3, le bus arrive à 8h10 de la gare", {"7h45": "7:45", "8h10": "8:10"}),
        ("à partir de 9h au lieu de 8h30", {"9h": "9:00", "8h30": "8:30"}),
        ("Le train de 7h45, le journal de 20h, un film de 7h45", {"7h45": "7:45", "20h": "20:00"}),
        ("l'avion de 2h, le train de 8h en courant, un train de 2h", {"2h": "2:00", "8h": "8:00"}),
        ("de retour pour 2h30, rendez-vous pour 3h15", {"2h30": "2:30", "3h15": "3:15"}),
        ("louer pour 2h30, de retour pour 2h", {}),
        ("Il est 7h30 du matin.", {"Il est 7h30 du matin": "It's 7:30"}),
        ("Il est 8 heures du matin.", {"Il est 8 heures du matin": "It's 8:00"}),
        ("quand il était 2h, lorsqu'il est 8h du soir", {"il était 2h": "it was 2:00", "8h du soir": "20:00"}),
        ("de 9h à 5h de l'après-midi", {"9h": "9:00", "5h de l'après-midi": "17:00"}),
        ("de 10h à 2h du matin", {"10h": "22:00", "2h du matin": "2:00"}),
        ("à 8 heures 30", {"8 heures 30": "8:30"}),
        ("24h/24, 12h/24, 8h/jour, 24h sur 24, à 12h du matin", {}),
        ("Durée : 9h30. Temps de cuisson : 7h30. Trajet : 9h-10h", {}),
        ("en 8h30, pendant 9h30, dure 7h30, depuis 7h30 de route, prend 6h15, il dort 7h30, en 9h-10h", {}),
        ("un marathon couru 3h15, travaillé 8h du matin au soir, prévoir 1h-2h", {}),
        ("avant 7h, tant pis. après 8h. avant 7h demain", {"7h": "7:00", "8h": "8:00"}),
        ("dès 5h, vers 4h", {"5h": "5:00", "4h": "4:00"}),
        ("Rdv pour 19h, ne sois pas en retard", {"19h": "19:00"}),
        ("Comptez entre 6h et 8h.", {}),
        ("un film de 7h", {}),
        ("avant 2h, après 8h de route, louer pour 3h, louer pour 8h, pour 24h, pour 9h-12h", {}),
        ("après 2 h de route, à 2 heures de Paris, dans 3 h, un film de 2h30, à 8 heures du soir", {}),
    ],
)
def test_french_times(text: str, found: dict[str, str]) -> None:
    assert {text[time.start : time.end]: time.translated for time in times(text, "fr", "en")} == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Wir öffnen um 9 Uhr.", {"9": "9:00"}),
        ("von 9 bis 18 Uhr oder 10-12.30 Uhr", {"9": "9:00", "18": "18:00", "10": "10:00", "12.30": "12:30"}),
        (
            "um halb 8 Uhr, Viertel nach 8, um 8 Uhr 30",
            {"halb 8 Uhr": "7:30", "Viertel nach 8": "8:15", "8 Uhr 30": "8:30"},
        ),
        ("Mo–Fr 8:00–18:00 Uhr, Sa 9 Uhr", {"8:00": "8:00", "18:00 Uhr": "18:00", "9 Uhr": "9:00"}),
        ("um 12 Uhr mittags, 12 Uhr nachts, 3 Uhren, in 9 Stunden", {}),
        ("um 3 Uhr nachts, um 10 Uhr nachts", {"3 Uhr nachts": "3:00", "10 Uhr nachts": "22:00"}),
        ("um 8 Uhr abends, 20 Uhr abends", {"8 Uhr abends": "20:00", "20 Uhr abends": "20:00"}),
        ("7 Uhr früh, um 7:05 Uhr morgens.", {"7 Uhr früh": "7:00", "7:05 Uhr morgens": "7:05"}),
        ("3 Uhr nachmittags, 1 Uhr mittags", {"3 Uhr nachmittags": "15:00", "1 Uhr mittags": "13:00"}),
        ("von 9 bis 2 Uhr nachts", {"9": "21:00", "2 Uhr nachts": "2:00"}),
        ("von 11 bis 3 Uhr nachmittags", {"11": "11:00", "3 Uhr nachmittags": "15:00"}),
        ("von 9 bis 9.30 Uhr morgens", {"9": "9:00", "9.30 Uhr morgens": "9:30"}),
        ("von 20 bis 6 Uhr morgens", {"20": "20:00", "6 Uhr morgens": "6:00"}),
        ("Um 20 Uhr 15 beginnt, ab 8 Uhr 30 geöffnet", {"20 Uhr 15": "20:15", "8 Uhr 30": "8:30"}),
        ("von 9 bis 10 Uhr 45, um 7 Uhr 15 abends", {"9": "9:00", "10 Uhr 45": "10:45", "7 Uhr 15 abends": "19:15"}),
        ("um 8 Uhr 30 Leute, um 9 Uhr 15 km, um 8:30 Uhr 15 davon, 9 Uhr 15 %", {}),
        ("fünf nach halb drei, zehn vor halb vier", {"fünf nach halb drei": "2:35", "zehn vor halb vier": "3:20"}),
        (
            "5 nach halb drei, 10 Minuten vor halb 4 Uhr",
            {
                "5 nach halb drei": "2:35",
                "10 Minuten vor halb 4 Uhr": "3:20",
            },
        ),
        (
            "Dreiviertel neun, zehn vor halb voll, fünf nach halb eins",
            {
                "Dreiviertel neun": "8:45",
                "fünf nach halb eins": "12:35",
            },
        ),
        ("9 bis 10 Uhr 5 vor halb 3 Uhr", {"9": "9:00", "10": "10:00", "5 vor halb 3 Uhr": "2:25"}),
        ("Um halb acht, um Viertel vor eins", {"halb acht": "7:30", "Viertel vor eins": "12:45"}),
        ("halb voll, ein Viertel vor drei Monaten, halb zwei Meter", {}),
    ],
)
def test_german_times(text: str, found: dict[str, str]) -> None:
    assert {text[time.start : time.end]: time.translated for time in times(text, "de", "en")} == found


@pytest.mark.parametrize(
    ("text", "languages", "copies"),
    [
        ("Call me at 5:30\u00a0pm.", ("en", "fr"), ["17h30"]),
        ("Open 9am - 5pm, mail a@b.org", ("en", "fr"), ["9h - 17h", "a@b.org"]),
        ("Call me at 5:30 pm.", ("", ""), ["5:30"]),  # nothing but the digits is sure to be the same
        ("Um halb acht", ("de", "en"), ["7:30"]),
    ],
)
def test_a_time_is_one_placeholder_of_its_kind(text: str, languages: tuple[str, str], copies: list[str]) -> None:
    protected = Protector(PLACEHOLDERS, lambda character: True, languages).protect(normalise(text), text)
    assert [copy for _, copy in protected.copies] == copies
    assert protected.copies[0][0] in TIME or " - " in copies[0]


@pytest.mark.parametrize("target", ["fr", "en"])
def test_a_time_in_words_of_capitals_is_not_found_twice(target: str) -> None:
    assert len(times("HALB 9 bis 10 Uhr", "de", target)) == 2


WORDS = (
    *("8", "30", "9:05", "halb", "dreiviertel", "nach", "vor", "fünf", "Uhr", "um", "von", "bis", "nachts"),
    *("12h", "8h15", "3h", "de", "à", "du", "matin", "soir", "Il", "est", "EST", "pm", "p.m.", "-", ":"),
)


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from(["en", "fr", "de"]))
def test_times_of_words_are_in_order_and_apart(words: list[str], source: str) -> None:
    for target in {"en", "fr", "de"} - {source}:
        found = times(" ".join(words), source, target)
        assert all(one.start < one.end <= other.start for one, other in pairwise(found))


@given(st.text("0123456789:.hapm -UhrÀàeuszviertlnb", max_size=60), st.sampled_from(["en", "fr", "de"]))
def test_times_are_in_order_and_apart(text: str, source: str) -> None:
    for target in {"en", "fr", "de"} - {source}:
        found = times(text, source, target)
        assert all(one.end <= other.start for one, other in pairwise(found))
        assert all(text[time.start : time.end].strip() for time in found)
