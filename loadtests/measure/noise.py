"""Sentences as people mistype them, which no model was trained on: BLEU with a slip in each, and with letters that
another keyboard lacks.

The slips are those of a generator of this file, not of the one that training uses.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from random import Random

from loadtests.measure.served import bleu, listed, manifest_of, written
from loadtests.measure.setting import parser, show

MIN_LETTERS = 5
"""Shortest word that gets a slip."""
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def with_slip(text: str, chance: Random) -> str:
    """`text` with two letters exchanged, one left out, one doubled or one struck beside, in a word in lower case."""
    words = text.split(" ")
    places = [i for i, word in enumerate(words) if len(word) >= MIN_LETTERS and word.isalpha() and word.islower()]
    if not places:
        return text
    i = chance.choice(places)
    word, at = words[i], chance.randrange(1, len(words[i]) - 1)
    slips = (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + chance.choice("aeionrst") + word[at + 1 :],
    )
    words[i] = chance.choice(slips)
    return " ".join(words)


def without_accents(text: str) -> str:
    """`text` as an English keyboard has it."""
    decomposed = unicodedata.normalize("NFD", text.replace("œ", "oe"))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def without_umlauts(text: str) -> str:
    """`text` with ae, oe, ue and ss."""
    return text.translate(UMLAUTS)


def without_apostrophes(text: str) -> str:
    """`text` without its apostrophes."""
    return text.replace("'", "")


KEYBOARDS: dict[str, tuple[str, Callable[[str], str]]] = {
    "en": ("without apostrophes", without_apostrophes),
    "fr": ("without accents", without_accents),
    "de": ("without umlauts", without_umlauts),
}


def main() -> None:
    """Print the table."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    manifest, chance = manifest_of(chosen.store, chosen.model), Random(chosen.seed)
    header, *rows = listed("sentences.tsv")
    sources, references = ([row[header.index(code)] for row in rows] for code in (manifest.source, manifest.target))
    clean = written(chosen.store, chosen.model, sources)
    label, changed = KEYBOARDS[manifest.source]
    table = []
    for kind, typed in (
        ("a slip in each", [with_slip(source, chance) for source in sources]),
        (label, [changed(source) for source in sources]),
    ):
        taken = [i for i, source in enumerate(sources) if typed[i] != source]
        found = written(chosen.store, chosen.model, [typed[i] for i in taken])
        wanted = [references[i] for i in taken]
        table.append((kind, len(taken), f"{bleu(found, wanted):.2f}", f"{bleu([clean[i] for i in taken], wanted):.2f}"))
    show(manifest.reference, ["sentences", "number", "BLEU", "BLEU without that"], table)


if __name__ == "__main__":
    main()
