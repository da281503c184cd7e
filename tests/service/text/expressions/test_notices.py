"""Expressions of notices and price tags."""

from __future__ import annotations

import pytest

from service.text.expressions.notices import expressions
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "fr", "Open 24/7.", "Open 24h/24 et 7j/7."),
        ("en", "de", "Support 24/7", "Support rund um die Uhr"),
        ("en", "de", "From 24/7/2026, 124/7", "From 24/7/2026, 124/7"),
        ("en", "fr", "On 14/12 or on 24/12/2026. See you on 3/4", "Le 14/12 or le 24/12/2026. See you on 3/4"),
        (
            "en",
            "de",
            "It is on 3.4.2026, not on 3/4 of it or on 45/60",
            "It is am 3.4.2026, not on 3/4 of it or on 45/60",
        ),
        (
            "en",
            "de",
            "Based on 3.5% and on 2.5, it runs on 3.5 volts",
            "Based on 3.5% and on 2.5, it runs on 3.5 volts",
        ),
        ("en", "fr", "9 out of 10 in 2h 45m, 48 min 30 s", "9 sur 10 in 2 h 45 min, 48 min 30 s"),
        ("en", "de", "9 out of 10 in 2 hrs 5 min", "9 von 10 in 2 h 5 min"),
        ("en", "de", "5 m 3 s, 2 h, 3 out of the box, 2h 45m.5", "5 m 3 s, 2 h, 3 out of the box, 2h 45m.5"),
        ("en", "fr", "Save up to 70% on shoes", "Jusqu'\xe0 70% de r\xe9duction on shoes"),
        ("en", "de", "Save up to 70%!", "Bis zu 70% sparen!"),
        ("en", "de", "Save up to 70% on shoes, save up to 9 files", "Save up to 70% on shoes, save up to 9 files"),
        ("en", "fr", "Buy 2, get 1 free", "2 achet\xe9s, 1 offert"),
        ("en", "de", "Buy 3 get one free!", "3 kaufen, 1 gratis!"),
        ("en", "fr", "Buy 2, get 1 free coffee", "Buy 2, get 1 free coffee"),
        ("en", "fr", "You must be 18 or over.", "Il faut avoir au moins 18 ans."),
        ("en", "de", "You must be 18 or older", "Man muss mindestens 18 Jahre alt sein"),
        ("en", "de", "You must be 18 or over to enter", "You must be 18 or over to enter"),
        (
            "fr",
            "en",
            "Livraison sous 48h, r\xe9ponse sous 24 heures",
            "Livraison within 48 hours, r\xe9ponse within 24 hours",
        ),
        ("fr", "en", "sous 2 h 30, sous 48 m\xe8tres", "sous 2 h 30, sous 48 m\xe8tres"),
        ("fr", "en", "Interdit aux moins de 18 ans", "No one under 18"),
        ("fr", "en", "Ouvert 7j/7, 24h/24", "Ouvert 7 days a week, 24 hours a day"),
        ("fr", "en", "7 jours sur 7, 24 heures sur 24", "7 days a week, 24 hours a day"),
        ("fr", "de", "7j/7", "an 7 Tagen die Woche"),
        ("fr", "en", "Prix TTC : 12 \u20ac, soit 10 \u20ac HT", "Prix incl. VAT : 12 \u20ac, soit 10 \u20ac excl. VAT"),
        ("fr", "de", "12\u20acTTC", "12\u20acTTC"),
        ("fr", "en", "Ligne HT, 24 h, le 7 juin", "Ligne HT, 24 h, le 7 juin"),
        ("de", "en", "24/7", "24/7"),
        ("fr", "it", "Prix TTC", "Prix TTC"),
        ("en", "de", "It is on the 22nd, not on the 3rd.", "It is am 22., not on the 3rd."),
        ("en", "fr", "It is of 12.04.2025, of 2.5", "It is du 12.04.2025, of 2.5"),
        ("en", "de", "on the 3rd floor, on the 3rd!", "on the 3rd floor, on the 3rd!"),
        ("de", "en", "Ich komme am 5. wieder, am 21.", "Ich komme on the 5th wieder, on the 21st."),
        ("de", "en", "am 3. Mai, am 3. Tag", "am 3. Mai, am 3. Tag"),
        ("de", "en", "Es steht 3 zu 2, 145 zu 90.", "Es steht 3 to 2, 145 to 90."),
        ("de", "en", "von 3 zu 2,5, um 3 zu 12 Uhr", "von 3 zu 2,5, um 3 zu 12 Uhr"),
        ("de", "en", "in einer 4er-WG", "in einer flatshare for 4"),
        ("de", "en", "i. A. Markus Vogt, i.V. Karl", "p.p. Markus Vogt, p.p. Karl"),
        (
            "de",
            "en",
            "meine Kollegin Frau Lindner, in Frau M\u00fcllers",
            "meine Kollegin Ms Lindner, in Frau M\u00fcllers",
        ),
        ("fr", "en", "Le 3/4, puis le 14/12/2026", "On 3/4, puis on 14/12/2026"),
        ("fr", "en", "avant le 14/12, le rdv du 15/12 à 9h", "avant 14/12, le rdv of 15/12 à 9h"),
        (
            "fr",
            "en",
            "du 24/12 au 2/1, \u00e0 partir du 3/1, le 3/4 de la",
            "du 24/12 au 2/1, \u00e0 partir du 3/1, le 3/4 de la",
        ),
        ("de", "en", "5-Sterne-Hotel, 2,5-Liter-Flasche", "5-star-Hotel, 2,5-litre-Flasche"),
        ("de", "en", "5-Sterne, 3-Karten-Spiel", "5-Sterne, 3-Karten-Spiel"),
        ("en", "de", "Dear Sir or Madam,", "Sehr geehrte Damen und Herren,"),
        ("en", "fr", "Dear Sirs", "Madame, Monsieur"),
        ("fr", "en", "79 \u20ac la nuit, 3 \u20ac l'unit\xe9", "79 \u20ac a night, 3 \u20ac each"),
        ("fr", "en", "79 \u20ac le mois dernier, la nuit", "79 \u20ac le mois dernier, la nuit"),
        ("de", "en", "Ab 79 \u20ac die Nacht, ab 2,50\u20ac", "From 79 \u20ac a night, from 2,50\u20ac"),
        ("de", "en", "Er kam um 5 ab. 3 \u20ac ab 18 Jahren", "Er kam um 5 ab. 3 \u20ac ab 18 Jahren"),
        (
            "de",
            "en",
            "F\xfcr R\xfcckfragen stehe ich Ihnen jederzeit gerne zur Verf\xfcgung.",
            "Please don't hesitate to contact me if you have any questions.",
        ),
        (
            "de",
            "en",
            "Wir stehen Ihnen f\xfcr weitere Fragen zur Verf\xfcgung.",
            "Please don't hesitate to contact us if you have any questions.",
        ),
        ("de", "en", "Bei R\xfcckfragen melden Sie sich gerne.", "Please get in touch if you have any questions."),
        ("de", "en", "Bei Fragen melden Sie sich unter 123.", "Bei Fragen melden Sie sich unter 123."),
        ("de", "en", "Stimmt, wir fahren 2. Klasse.", "That's right, wir fahren 2nd class."),
        ("de", "en", "Er geht in die 2. Klasse.", "Er geht in die 2. Klasse."),
        ("de", "en", "Bei Fragen steht Anna zur Verf\xfcgung.", "Bei Fragen steht Anna zur Verf\xfcgung."),
        ("fr", "en", "Que faire en cas d'incendie ?", "What to do en cas d'incendie ?"),
        ("fr", "en", "Que visiter \xe0 Nantes ?", "What to visit \xe0 Nantes ?"),
        ("fr", "en", "Que faire de mes livres ?", "What to do with mes livres ?"),
        ("fr", "en", "Que faire ? Que font-ils ?", "Que faire ? Que font-ils ?"),
        ("fr", "en", "Que faire un g\xe2teau soit difficile", "Que faire un g\xe2teau soit difficile"),
        ("en", "de", "Dear Sir, Dear Madam,", "Dear Sir, Dear Madam,"),
        ("de", "en", "Sehr geehrte Damen und Herren, hier", "Dear Sir or Madam, hier"),
        ("fr", "en", "Veuillez agr\u00e9er, Madame, mes salutations distingu\u00e9es.", "Yours faithfully."),
        ("fr", "en", "Merci, veuillez agr\u00e9er mes sentiments les meilleurs", "Merci, yours faithfully"),
        ("fr", "en", "Veuillez agr\u00e9er cette offre.", "Veuillez agr\u00e9er cette offre."),
        ("en", "fr", "Until then, wait. I wait until then.", "Jusque-l\u00e0, wait. I wait jusque-l\u00e0."),
        ("en", "fr", "{count} of {total} files, %d of %d", "{count} sur {total} files, %d sur %d"),
        ("en", "de", "Expires on {due_date}, on {topic}", "Expires am {due_date}, on {topic}"),
        ("de", "en", "{n} von {total} Dateien, von {user}", "{n} of {total} Dateien, von {user}"),
        (
            "fr",
            "en",
            "{n} fichiers sur {total}, le {date}, sur {page}",
            "{n} fichiers of {total}, on {date}, sur {page}",
        ),
        ("en", "de", "Nice try!", "Netter Versuch!"),
        ("en", "de", "Nice tryout", "Nice tryout"),
        ("de", "en", "Am 14.12. oder am 3.4.2026, am 5.6.", "On 14.12 oder on 3.4.2026, on 5.6."),
        ("de", "en", "vom 24.12. bis 2.1., am 3.5 Volt", "vom 24.12 bis 2.1, am 3.5 Volt"),
    ],
)
def test_expressions_are_those_of_the_other_language(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, expressions(text, source, target)) == expected


@pytest.mark.parametrize(
    ("target", "text", "expected"),
    [
        ("fr", "All prices including VAT.", "All prices TTC."),
        ("de", "All prices incl. VAT.", "All prices inkl. MwSt."),
        ("de", "\xa350 + VAT, ex VAT", "\xa350 zzgl. MwSt., zzgl. MwSt."),
        ("fr", "VAT (20%), the VAT, including VAT at 20%", "TVA (20%), the VAT, including VAT at 20%"),
        ("de", "Only \xa39.99 each! 5 \u20ac each.", "Only je \xa39.99! je 5 \u20ac."),
        ("fr", "\xa35 each week, 5 each", "\xa35 each week, 5 each"),
        ("de", "Serves 4\u20136 people.", "F\xfcr 4\u20136 Personen."),
        ("fr", "Cake (serves 8), sleeps 4", "Cake (pour 8 personnes), 4 couchages"),
        ("fr", "He serves 4 days, serves 2 purposes", "He serves 4 days, serves 2 purposes"),
        ("de", "Resend in 30s, in the 30s, in 30s Berlin", "Resend in 30 s, in the 30s, in 30s Berlin"),
    ],
)
def test_price_tags_and_recipes(target: str, text: str, expected: str) -> None:
    assert rewritten(text, expressions(text, "en", target)) == expected
