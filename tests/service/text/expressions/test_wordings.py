"""Wordings of parcels, shops, recipes, leaflets, weather and sport."""

from __future__ import annotations

import pytest

from service.text.expressions.notices import expressions
from service.text.expressions.translated import may_have_translated
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "It is ready for collection. It is ready to collect from us.",
            "It is abholbereit. It is abholbereit from us.",
        ),
        ("He is ready to collect his prize, ready for collection of it", None),
        (
            "Your driver is 3 stops away, or 1 stop away",
            "Your driver is noch 3 Stopps entfernt, or noch 1 Stopp entfernt",
        ),
        ("A code to your number ending in 84", "A code an die Nummer mit den Endziffern 84"),
        ("Your card ending in 4242, a film ending in 1999", "Your card mit den Endziffern 4242, a film ending in 1999"),
        ("Thanks for reaching out!", "Danke f\xfcr Ihre Nachricht!"),
        ("Thanks for contacting us about it", None),
        ("Reply C to confirm.", "Zum Best\xe4tigen mit C antworten."),
        ("Reply Y to confirm or N to cancel.", "Antworten Sie mit Y, um zuzusagen, oder mit N, um abzusagen."),
        ("Reply to confirm.", None),
        ("Closed on Sundays and bank holidays", "Closed an Sonn- und Feiertagen"),
        ("The jacket fits true to size.", "The jacket f\xe4llt gr\xf6\xdfengerecht aus."),
        ("Runs small. Boots run true to size.", "F\xe4llt klein aus. Boots fallen gr\xf6\xdfengerecht aus."),
        ("She runs small errands.", None),
        ("Cream the butter and sugar together until light and fluffy.", "Butter und Zucker schaumig schlagen."),
        ("Whisk the eggs until light and fluffy.", "Whisk the eggs bis alles hell und schaumig ist."),
        ("Gently fold in the flour. Fold in the paper", "Das Mehl unterheben. Fold in the paper"),
        ("Cook the pasta until al dente.", "Cook the pasta bissfest."),
        ("Leave to cool completely, leave to cool", "Vollst\xe4ndig abk\xfchlen lassen, leave to cool"),
        ("Sunny, with highs of 20 to 23 degrees.", "Sunny, bei H\xf6chsttemperaturen von 20 bis 23 Grad."),
        ("Buy one, get one half price", "Eins kaufen, das zweite zum halben Preis"),
        ("Free to a good home: kittens", "In gute H\xe4nde abzugeben: kittens"),
        ("Now hiring: cooks. Now hiring is hard", "Wir stellen ein: cooks. Now hiring is hard"),
        ("We are looking for a cook to join our small team.", "We are looking for a cook f\xfcr unser kleines Team."),
        ("He wants to join our team.", None),
        ("They run a size small.", "They fallen eine Nummer kleiner aus."),
        ("sift it and make a well in the centre", "sift it und dr\xfccken Sie eine Mulde in die Mitte"),
        ("or until a skewer comes out clean.", "or bis an einem Holzst\xe4bchen kein Teig mehr klebt."),
        ("It ended in a goalless draw, was goalless.", "It ended torlos, was torlos."),
        ("Apply now with your CV! Apply now", "Bewerben Sie sich jetzt with your CV! Apply now"),
        ('Allow "Maps" to use your location?', '"Maps" den Zugriff auf Ihren Standort erlauben?'),
        ("Please send a covering letter. Cover letters", "Please send ein Anschreiben. Cover letters"),
    ],
)
def test_an_english_wording_is_what_german_says(text: str, expected: str | None) -> None:
    assert rewritten(text, expressions(text, "en", "de")) == (expected or text)
    assert expected is None or may_have_translated(text, "en") or any(map(str.isdigit, text))
    assert rewritten(text, expressions(text, "en", "fr")) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das Kleid f\xe4llt klein aus.", "Das Kleid runs small."),
        ("F\xe4llt etwas gr\xf6\xdfer aus", "Runs a bit large"),
        ("Das Licht f\xe4llt oft aus.", None),
        ("Ihr Rezept liegt zur Abholung bereit.", "Your prescription liegt zur Abholung bereit."),
        ("Ihr Rezept schmeckt gut.", None),
        ("Die empfohlene Tagesdosis nicht \xfcberschreiten.", "Do not exceed the stated dose."),
        ("Das Spiel endete torlos.", "Das Spiel ended goalless."),
        ("H\xf6chstwerte um 14 Grad", "Highs of 14 degrees"),
        ("sonnig, H\xf6chstwerte zwischen 8 und 12 Grad.", "sonnig, highs of 8 to 12 degrees."),
        ("700 \u20ac kalt, es ist kalt", "700 \u20ac excluding utilities, es ist kalt"),
        ("Nach Anbruch 28 Tage haltbar.", "Use within 28 days of opening."),
        ("K\xe4tzchen in liebevolle H\xe4nde abzugeben.", "K\xe4tzchen free to a good home."),
        ("Die Firma streicht 4.000 Stellen.", "Die Firma is cutting 4.000 Stellen."),
        ("Er streicht 3 Zimmer.", None),
        ("Ich k\xfcndige den Vertrag fristgerecht zum 31.12.2026.", "Ich k\xfcndige den Vertrag as of 31.12.2026."),
        ("Ein Code an die Nummer mit der Endung 84.", "Ein Code to the number ending in 84."),
        ("Das macht zusammen 23,40 Euro.", "That comes to 23,40 Euro."),
        ("Das macht 3 Kinder froh.", None),
        ("Die Farbe weicht stark vom Foto ab.", "Die Farbe is very different from the photo."),
        ("In der Nacht klar, Tiefstwerte um 3 Grad.", "In der Nacht klar, lows of 3 degrees."),
        ("Englisch ist von Vorteil, von Vorteil", "Englisch ist an advantage, von Vorteil"),
        ("F\xfchrerschein Klasse B", "Category B driving licence"),
        ("Wir w\xfcnschen dir viel, w\xfcnsch dir einen guten Rutsch", "Wir w\xfcnschen dir viel, happy New Year"),
        ("Wenn du das warst, musst du nichts tun.", "If this was you, you don't need to do anything."),
        ("Falls Sie das nicht waren, gut.", "If this wasn't you, gut."),
        ("gute besserung und sch\xf6ne gr\xfc\xdfe", "gute besserung und best wishes"),
    ],
)
def test_a_german_wording_is_what_english_says(text: str, expected: str | None) -> None:
    assert rewritten(text, expressions(text, "de", "en")) == (expected or text)
    assert expected is None or may_have_translated(text, "de") or any(map(str.isdigit, text))


@pytest.mark.parametrize(
    ("target", "expected"), [("de", "£120, nur Abholung, Leeds"), ("fr", "£120, \xe0 retirer sur place, Leeds")]
)
def test_who_buys_collects(target: str, expected: str) -> None:
    assert (
        rewritten("£120, collection only, Leeds", expressions("£120, collection only, Leeds", "en", target)) == expected
    )
