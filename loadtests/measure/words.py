"""Single words as people type them: with a capital, alone and with an exclamation mark, and in lower case.

The words are frequent ones of the training text, but for the hundred most frequent; a translation counts when it has a
word that the aligner eflomal linked often enough. That is lenient: `Travailles` for `Workers` is wrong, but so is not
all that it refuses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from loadtests.measure.links import aligned
from loadtests.measure.served import manifest_of, written
from loadtests.measure.setting import parser, share, show
from model_store.data.linked import SURE, LinkedPair

FIRST, NUM_WORDS = 100, 1500
MIN_LINKS, MIN_SHARE = 8, 0.04
"""Links of a word, and the share of them that a translation needs."""
MOST_CAPITALS = 0.3
"""A word that is written with a capital more often within sentences is a name or, in German, a noun."""
FORMS: dict[str, Callable[[str], str]] = {
    "as a label": str.capitalize,
    "exclaimed": lambda word: word.capitalize() + "!",
    "in lower case": str,
}


def vocabulary(pairs: Sequence[LinkedPair]) -> dict[str, set[str]]:
    """Source words, frequent ones first, with their accepted translations, all in lower case."""
    found: Counter[tuple[str, str]] = Counter()
    linked: Counter[str] = Counter()
    capitals: Counter[str] = Counter()
    for pair in pairs:
        for s, t, strength in pair.links:
            word, translation = pair.source[s].strip(), pair.target[t].strip().lower()
            if strength == SURE:
                capitals[word.lower()] += s > 0 and word[:1].isupper()
                linked[word.lower()] += 1
                found[word.lower(), translation] += 1
    accepted = defaultdict[str, set[str]](set)
    for (word, translation), count in found.items():
        is_word = word.isalpha() and linked[word] >= MIN_LINKS and capitals[word] < MOST_CAPITALS * linked[word]
        if is_word and count >= max(2, MIN_SHARE * linked[word]):
            accepted[word] |= {translation, *_words(translation)}
    return {word: accepted[word] for word, _ in linked.most_common() if word in accepted}


def _words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation and apostrophes."""
    apart = text.lower().replace("\u2019", "'").replace("'", " ").replace("-", " ")
    return [word.strip(" .,!?;:") for word in apart.split()]


def main() -> None:
    """Print the table; with `--show`, every translation that is not accepted before it."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--show", action="store_true", help="print every translation that is not accepted")
    chosen = options.parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    known = vocabulary(aligned(chosen.data, manifest))
    words, rows = list(known)[FIRST : FIRST + NUM_WORDS], []
    for form, as_typed in FORMS.items():
        typed = [as_typed(word) for word in words]
        found = list(zip(typed, words, written(chosen.store, chosen.model, typed), strict=True))
        wrong = [(each, text) for each, word, text in found if not known[word] & {*_words(text)}]
        if chosen.show:
            print(*(f"  {each} -> {text}" for each, text in wrong), sep="\n")
        right = len(words) - len(wrong)
        rows.append((form, len(words), share(right, len(words))))
    show(manifest.reference, ["single words", "number", "accepted"], rows)


if __name__ == "__main__":
    main()
