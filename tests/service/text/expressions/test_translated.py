"""What rules translate: *etc.*, decades, weekdays from one to another, ordinal numbers."""

from __future__ import annotations

import pytest

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.protection import Protector
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("languages", "text", "copies"),
    [
        (("en", "de"), "We sell apples, etc.", ["usw"]),  # the full stop of the sentence stays with the model
        (("en", "de"), "We sell apples, etc. in our shop.", ["usw."]),
        (("en", "fr"), "Apples, pears etc.", ["etc"]),
        (("de", "en"), "\u00c4pfel, Birnen usw. sind da.", ["etc."]),
        (("de", "fr"), "\u00c4pfel (Birnen usw.) um 17:30 Uhr.", ["etc.", "17h30"]),
        (("en", "de"), "He fetched water at 5 pm, etc.", ["17:00, usw"]),
        (("en", "it"), "We sell apples, etc.", []),
        (("en", "fr"), "He fetches etching.", []),
        (("en", "fr"), "In the 1990s and the 1980s", ["Dans les ann\u00e9es 1990", "les ann\u00e9es 1980"]),
        (("en", "de"), "music of the 1960s is loved since the 1970s", ["der 1960er-Jahre", "seit den 1970er-Jahren"]),
        (("fr", "de"), "les ann\u00e9es 1990", ["1990er-Jahren"]),
        (("de", "en"), "In den 1990er Jahren, in den 1980ern", ["1990s", "1980s"]),
        (("en", "fr"), "Open Mon\u2013Fri, Sat to Sun", ["lun.\u2013ven., sam.\u2013dim."]),
        (("fr", "en"), "Ouvert du lun. au ven. et sam.-dim.", ["Mon\u2013Fri and Sat\u2013Sun"]),
        (("de", "fr"), "Mo-Fr, So ist es, am Mo", ["lun.\u2013ven.", "le lun."]),
        (("fr", "en"), "la 23e fois, le 1er, le 2e \u00e9tage, le 1er mai, au 11e", ["23rd", "1st", "2nd", "11th"]),
        (("fr", "de"), "la 23e fois", []),
        (("fr", "en"), "Je paie 20e, 802.11e, une mer - jeu, le jeu - mar de", []),
        (("en", "fr"), "the 1960s car in an 1890s house, mid-1990s music, 'photos-Mon-Fri'", []),
        (("en", "fr"), "From Mon to Fri we work. Sat.-Sun. Closed", ["lun.\u2013ven.", "sam.\u2013dim"]),
        (("en", "de"), "It is in /etc/hosts or `etc`", ["/etc/hosts", "`etc`"]),
        (("en", "fr"), "Write to P.O. Box 12 34, London, or PO box 7.", ["BP 12 34", "BP 7"]),
        (("fr", "en"), "BP 4 stations ferment, BP 2023 a", []),
        (("fr", "en"), "BP 120, bo\u00eete postale 7, l'avion BP", ["P.O. Box 120, P.O. Box 7"]),
        (("de", "fr"), "Postfach 11 04, mein Postfach ist voll", ["BP 11 04"]),
        (("en", "fr"), "The 1960s and 1970s", ["Les ann\u00e9es 1960", "1970"]),
        (("en", "de"), "In the 1960s, 1970s, and 1980s.", ["In den 1960er-, 1970er- und 1980er-Jahren"]),
        (("en", "de"), "The 1960s or 1970s", ["Die 1960er-", "1970er-Jahre"]),
        (("en", "de"), "of the 1960s and 1970s", ["der 1960er- und 1970er-Jahre"]),
        (("en", "de"), "from the 1960s to the 1970s", ["von den 1960er-Jahren bis zu den 1970er-Jahren"]),
        (("en", "fr"), "Call her at extension 4312 or ext. 12, not ext 7.", ["au poste 4312", "poste 12"]),
        (("en", "fr"), "an extension 30 days ago, the file extension 7, the extension 2 weeks", []),
        (("en", "de"), "Ask for him on extension 12. An extension of 5 days", ["unter der Durchwahl 12"]),
        (("en", "fr"), "Hold down the Shift key. The Tab key", ["la touche Maj"]),
        (("en", "de"), "The Enter key sends it. Press the Space key.", ["Die Eingabetaste", "die Leertaste"]),
        (("en", "fr"), "a 1960s and 1970s car, the 1960s and 1970s music", []),
        (("fr", "en"), "Les ann\u00e9es 1960 et 1970, les ann\u00e9es 1980, 1990", ["1960s and 1970s", "1980s, 1990s"]),
        (("fr", "en"), "les ann\u00e9es 1960 et 2 autres", []),
        (
            ("de", "en"),
            "in den 1960er und 1970er Jahren, 1980er- und 1990er-Jahre",
            ["1960s and 1970s, 1980s and 1990s"],
        ),
        (
            ("en", "fr"),
            "In the early 2000s and late 1990s",
            ["Au d\u00e9but des ann\u00e9es 2000", "fin des ann\u00e9es 1990"],
        ),
        (("en", "fr"), "since the mid-1990s", ["depuis le milieu des ann\u00e9es 1990"]),
        (("en", "fr"), "until the late 1990s", ["jusqu'\u00e0 la fin des ann\u00e9es 1990"]),
        (("en", "de"), "In the early 2000s, by the late 1990s", ["Anfang der 2000er-Jahre, Ende der 1990er-Jahre"]),
        (
            ("en", "de"),
            "music of the mid 1980s until the late 1990s",
            ["der mittleren 1980er-Jahre bis Ende der 1990er-Jahre"],
        ),
        (("en", "de"), "The early 1960s were good", ["Die fr\u00fchen 1960er-Jahre"]),
        (("en", "de"), "a late 1990s car, the mid- to late 1990s, the late-1990s, in 1990", []),
        (("fr", "en"), "La 25e \u00e9dition, Le 1er, UN 2e essai, Leur 3e", ["25th", "1st", "2nd"]),
        (("fr", "en"), "Le 1er mai, Vin \u00e0 5e", []),
        (("fr", "en"), "Le XXIe si\u00e8cle et au XVIIIe si\u00e8cle", ["21st century", "18th century"]),
        (
            ("fr", "en"),
            "Aux XVIIe et XVIIIe si\u00e8cles, au Ier si\u00e8cle",
            ["17th and 18th centuries", "1st century"],
        ),
        (("fr", "de"), "au XIXe si\u00e8cle", ["19. Jahrhundert"]),
        (("fr", "en"), "Un si\u00e8cle, le VVe si\u00e8cle, XXe", []),
        (("en", "fr"), "It is 3 x 4 m and 2x more, size XL or size M", ["3 x 4 m", "2x", "XL", "M"]),
    ],
)
def test_what_rules_know_is_written_as_the_target_language_does(
    languages: tuple[str, str], text: str, copies: list[str]
) -> None:
    protector = Protector(PLACEHOLDERS, str.isalpha, languages)
    read = protector.protect(normalise(text), text)
    assert [copy for _, copy in read.copies] == copies
