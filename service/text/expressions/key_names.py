"""Keys as each language calls them: *Ctrl+Shift+S* is *Strg+Umschalt+S* and *Ctrl+Maj+S*, *the Enter key* *la touche
Entr\u00e9e*."""

from __future__ import annotations

import re

from service.text.spans.stretches import Translated, as_capital

LANGUAGES = ("en", "fr", "de")
KEYS = (
    (("Ctrl", "Control"), ("Ctrl",), ("Strg",)),
    (("Shift",), ("Maj",), ("Umschalt",)),
    (("Del", "Delete"), ("Suppr",), ("Entf",)),
    (("Esc", "Escape"), ("\u00c9chap", "Echap"), ("Esc",)),
    (("Enter", "Return"), ("Entr\u00e9e", "Entree"), ("Eingabe", "Eingabetaste")),
    (("Home",), ("Origine",), ("Pos1", "Pos 1")),
    (("End",), ("Fin",), ("Ende",)),
    (("Space", "Spacebar"), ("Espace",), ("Leertaste",)),
    (("Ins", "Insert"), ("Inser",), ("Einfg",)),
    (("PgUp", "Page Up"), ("Pg. pr\u00e9c", "PgPr\u00e9c"), ("Bild auf", "Bild\u2191")),
    (("PgDn", "Page Down"), ("Pg. suiv", "PgSuiv"), ("Bild ab", "Bild\u2193")),
    (("Backspace",), ("Retour arri\u00e8re",), ("R\u00fccktaste",)),
)
"""By language, the name that translations have first."""
HOLD = "Ctrl|Control|Strg|Shift|Umschalt|Maj|Alt Gr|AltGr|Alt|Cmd|Win|Windows|Fn"
"""What is held down while another is pressed."""
ALONE = {"en": ("Esc", "Ctrl"), "fr": ("Suppr", "\u00c9chap", "Ctrl"), "de": ("Strg", "Entf", "Einfg", "Pos1", "Esc")}
"""Those that are no words, so that they are keys wherever they stand."""
HINTS = {language: (*alone, "Shift", "Maj", "Umschalt", "Alt", "Cmd", "Win", "Fn") for language, alone in ALONE.items()}


def _names(language: str) -> dict[str, int]:
    """The keys of KEYS by all names that a text of a language has for them; some have the English ones."""
    own = {name: at for at, names in enumerate(KEYS) for name in names[LANGUAGES.index(language)]}
    return {name: at for at, names in enumerate(KEYS) for name in names[0]} | own


NAMES = {language: _names(language) for language in LANGUAGES}
_ANY = {language: "|".join(map(re.escape, sorted(NAMES[language], key=len, reverse=True))) for language in LANGUAGES}
COMBINATION = {
    language: re.compile(
        rf"(?<![\w+-])(?:{HOLD})(?:\s?\+\s?(?:(?:{names}|{HOLD})(?!\w)|[A-Z0-9]\w*|[^\w\s](?!\w)))+"
        rf"|(?<![\w+-])(?:Ctrl|Strg)(?:-(?:{names}|{HOLD}|[A-Z])(?![\w-]\w))+"
    )
    for language, names in _ANY.items()
}
NAME = {language: re.compile(rf"(?<!\w)(?:{names})(?!\w)") for language, names in _ANY.items()}
SINGLE = {
    language: re.compile(rf"(?<![\w.+/-])(?:{'|'.join(names)})(?![\w+/]|[.-]\w)") for language, names in ALONE.items()
}
WITH_ARTICLE = re.compile(
    r"(?:\b(?i:press|hit|hold|down|use|release|and|push)\s|\A)(?P<the>[Tt]he)\s"
    r"(?P<key>Alt|Backspace|Ctrl|Delete|Enter|Esc|Escape|Shift|Space|Tab|Windows|F\d\d?)\skey\b"
)
"""One of a keyboard, in English."""
GERMAN_KEYS = {"Leertaste": "Leertaste", "R\u00fccktaste": "R\u00fccktaste", "Eingabe": "Eingabetaste"}
"""Names that have the word in them; others get it behind a hyphen."""


def may_have_key_names(text: str, source: str) -> bool:
    """Whether a `source` text may have keys, found quickly."""
    return any(map(text.__contains__, ALONE.get(source, ())))


def key_names(text: str, source: str, target: str) -> list[Translated]:
    """The keys of a `source` text, those of a combination together, as `target` calls them."""
    if target not in LANGUAGES or not any(map(text.__contains__, HINTS.get(source, ()))):
        return []  # as most texts
    at = LANGUAGES.index(target)
    names = NAMES[source]

    def named(match: re.Match[str]) -> str:
        return KEYS[names[match.group()]][at][0]

    found = [
        Translated(*match.span(), NAME[source].sub(named, match.group()))
        for match in COMBINATION[source].finditer(text)
    ]
    return found + [Translated(*match.span(), named(match)) for match in SINGLE[source].finditer(text)]


def keys_with_articles(text: str, target: str) -> list[Translated]:
    """The keys of an English text that have an article, as `target` writes both: *die Umschalt-Taste*."""
    return [_with_article(match, target) for match in WITH_ARTICLE.finditer(text)] if " key" in text else []


def _with_article(match: re.Match[str], target: str) -> Translated:
    at, key = NAMES["en"].get(match["key"]), match["key"]
    name = key if at is None else KEYS[at][LANGUAGES.index(target)][0]
    written = f"la touche {name}" if target == "fr" else f"die {GERMAN_KEYS.get(name, f'{name}-Taste')}"
    return Translated(match.start("the"), match.end(), as_capital(written, match["the"]))
