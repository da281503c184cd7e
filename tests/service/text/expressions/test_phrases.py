"""Set phrases: found as a whole sentence or behind a comma, and nowhere else."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from service.text.expressions.phrases import COLON, FILE, SIGNS, may_have_phrases, phrases
from tests.service.text.rewriting import rewritten

TABLE = tomllib.loads(files("service.text.expressions").joinpath(FILE).read_text("utf-8"))


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "fr", "What time is it?", "Quelle heure est-il?"),
        ("en", "fr", "what time is it", "quelle heure est-il"),
        ("en", "fr", "WHAT TIME IS IT?", "QUELLE HEURE EST-IL?"),
        ("en", "de", "Excuse me, what time is it now?", "Excuse me, wie sp\u00e4t ist es jetzt?"),
        ("en", "fr", "Help!", "\u00c0 l'aide!"),
        ("en", "fr", "Help", "Help"),
        ("en", "fr", "Help me!", "Help me!"),
        ("en", "de", "Help!", "Help!"),
        ("en", "it", "What time is it?", "What time is it?"),
        ("fr", "en", "Caisse fermée", "Till closed"),
        ("en", "fr", "No entry except for residents", "Accès interdit sauf riverains"),
        ("en", "fr", "Next collection: 5 pm", "Prochaine levée: 5 pm"),
        ("fr", "en", "Je ne crois pas.", "I don't think so."),
        ("fr", "en", "Je ne crois pas que ce soit vrai.", "Je ne crois pas que ce soit vrai."),
        ("fr", "en", "N'importe quoi\u2026", "N'importe quoi\u2026"),
        ("en", "de", "Reduced to clear", "Zum Abverkauf reduziert"),
        ("de", "en", "Wir w\u00fcnschen Ihnen einen guten Rutsch!", "Happy New Year!"),
        (
            "de",
            "en",
            "Frohe Weihnachten und einen guten Rutsch ins neue Jahr!",
            "Merry Christmas and a happy New Year!",
        ),
        ("de", "en", "Mahlzeit!", "Enjoy your meal!"),
        ("de", "en", "Oder?", "Right?"),
        ("fr", "en", "Je vous en prie.", "You're welcome."),
        ("fr", "en", "Aidez-moi, je vous en prie.", "Aidez-moi, je vous en prie."),
        ("de", "en", "Das ist gut, oder?", "Das ist gut, oder?"),
        ("de", "en", "Aus den Augen, aus dem Sinn.", "Out of sight, out of mind."),
        ("en", "de", "Total: $45", "Gesamt: $45"),
        ("en", "fr", "TL; DR: it works.", "En bref: it works."),
        ("en", "fr", "**Tip:** ask", "**Astuce:** ask"),
        ("en", "fr", "*Tip*: ask", "*Astuce*: ask"),
        ("fr", "en", "Avantages : neuf", "Pros : neuf"),
        ("fr", "en", "Bonjour Madame,", "Good morning, madam,"),
        ("en", "fr", f"Tip: {'ask ' * 50}", f"Astuce: {'ask ' * 50}"),
        ("en", "fr", "Tip", "Tip"),
        ("en", "fr", "A tip: ask.", "A tip: ask."),
        ("en", "de", "Home", "Startseite"),
        ("en", "de", "home", "home"),
        ("en", "de", "Home!", "Home!"),
        ("en", "fr", "", ""),
        ("en", "fr", "?!", "?!"),
        ("en", "fr", ", ", ", "),
    ],
)
def test_a_phrase_is_what_the_other_language_says(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, phrases(text, source, target)) == expected
    assert may_have_phrases(text, source) or text == expected


def test_a_phrase_is_not_looked_for_in_long_texts() -> None:
    assert phrases(f"{'a' * 200}, what time is it?", "en", "fr") == []


@pytest.mark.parametrize(("language", "phrase"), [(code, phrase) for code, table in TABLE.items() for phrase in table])
def test_the_table_can_be_found_by_what_people_type(language: str, phrase: str) -> None:
    entry = dict(TABLE[language][phrase])
    assert not (entry.pop("label", False) and "signs" in entry)
    assert entry.pop("alone", True)
    assert set(entry.pop("signs", "")) <= {*SIGNS, COLON}
    assert phrase == phrase.lower().strip(SIGNS + " ")
    assert entry
    assert all(text.strip() == text for text in entry.values())
