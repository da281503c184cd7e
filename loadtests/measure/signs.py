"""Signs, lists, faces, Markdown and abbreviations as people type them: does the translation have them, as its language
sets them?

What the rules of `service/text` were written for is among these, so this shows that they work, not how much people's
texts have of it.
"""

from __future__ import annotations

import re

from loadtests.measure.served import manifest_of, written
from loadtests.measure.setting import parser, share, show
from model_store.contract.quotation import MARKS

SENTENCES = {
    "en": (
        ("I like this book", "he is sleeping"), ("We need more time", "the shop is closed"),
        ("The train is late", "I have no money"), ("My sister works here", "she is happy"),
    ),
    "fr": (
        ("J'aime ce livre", "il dort"), ("Nous avons besoin de temps", "le magasin est fermé"),
        ("Le train est en retard", "je n'ai pas d'argent"), ("Ma sœur travaille ici", "elle est heureuse"),
    ),
    "de": (
        ("Ich mag dieses Buch", "er schläft"), ("Wir brauchen mehr Zeit", "das Geschäft ist geschlossen"),
        ("Der Zug hat Verspätung", "ich habe kein Geld"), ("Meine Schwester arbeitet hier", "sie ist glücklich"),
    ),
}  # fmt: skip
WORDS = r"[^\W\d_](?:[\w' -]*[\w'])?"
"""Words of a translation, without signs."""
FORMS = (
    ("({a})", "\\({w}\\)"),
    ("\u00ab{a}\u00bb", "{opening}{w}{closing}"),
    ('"{a}"', "{opening}{w}{closing}"),
    ("{a} - {b}.", "{w},? - {w}\\."),
    ("{a}\u2014{b}.", "{w},? [\u2013\u2014] {w}\\."),
    ("{a}; {b}.", "{w}{narrow}; {w}\\."),
    ("{a}: {b}.", "{w}{narrow}: {w}\\."),
    ("{a} ; {b} !", "{w}{narrow}; {w}{narrow}!"),
    ("{a} ({b}).", "{w} \\({w}\\)\\."),
    ("- {a}", "- {w}"),
    ("a) {a}", "a\\) {w}"),
    ("(b) {a}.", "\\(b\\) {w}\\."),
    ("{a}!!!", "{w}{narrow}!!!"),
    ("{a} ?", "{w}{narrow}\\?"),
    ("{a}, {b}, etc.", "{w}, {w},? (?:etc|usw)\\."),
    ("{a} & {b}.", "{w},? (?:and|et|und) {w}\\."),
    ("{a} , {b} .", "{w}, {w}\\."),
    ("{a},{b}.", "{w}, {w}\\."),
    ("{a} = {b}", "{w},? = {w}"),
    ("{a} -> {b}", "{w} -> {w}"),
    ("{a} :)", "{w} :\\)"),
    (":-( {a}.", ":-\\( {w}\\."),
    ("**{a}** ({b}).", "\\*\\*{w}\\*\\* \\({w}\\)\\."),
    ("{a}, [{b}](https://a.org/b).", "{w}, \\[{w}\\]\\(https://a\\.org/b\\)\\."),
    ("<b>{a}</b> ({b}).", "<b>{w}</b> \\({w}\\)\\."),
    ('{a}, <a href="/b">{b}</a>!', '{w}, <a href="/b">{w}</a>{narrow}!'),
    ("<p>{a}.<br>{b}.</p>", "<p>{w}\\.<br>{w}\\.</p>"),
)
"""How a pair of sentences is written, and a regular expression of the translation: `{w}` are words, `{narrow}` the
space that French has before some signs, `{opening}` and `{closing}` the quotation marks of its language."""


def is_right(text: str, expected: str, target: str) -> bool:
    """Whether a translation has the signs that are `expected` and no others."""
    opening, closing = MARKS[target]
    signs = {"{w}": WORDS, "{narrow}": " " if target == "fr" else "", "{opening}": opening, "{closing}": closing}
    for name, sign in signs.items():
        expected = expected.replace(name, sign)
    return re.fullmatch(expected, text) is not None


def main() -> None:
    """Print the table; with `--show`, every translation with other signs before it."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--show", action="store_true", help="print every translation with other signs")
    chosen = options.parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    texts = [(form.format(a=a, b=b), right) for form, right in FORMS for a, b in SENTENCES[manifest.source]]
    found = written(chosen.store, chosen.model, [text for text, _ in texts])
    judged = [is_right(text, right, manifest.target) for text, (_, right) in zip(found, texts, strict=True)]
    if chosen.show:
        for text, (source, _), right in zip(found, texts, judged, strict=True):
            if not right:
                print(f"  {source} -> {text}")
    show(manifest.reference, ["texts", "signs right"], [(len(texts), share(sum(judged), len(texts)))])


if __name__ == "__main__":
    main()
