"""Whether texts of several sentences address their reader in one way, and in the one that a request asks for.

The `texts` of `sentences.py`: messages and letters of two to four sentences. A text counts as mixed where its
translation has *tu* and *vous*, or *du* and *Sie*; by the same rules as training (`model_store/contract/formality.py`).
"""

from __future__ import annotations

from typing import get_args

from loadtests.measure.served import listed, manifest_of, written
from loadtests.measure.setting import parser, show
from model_store.contract.formality import Formality, ways_of


def main() -> None:
    """Print the table; with `--show`, every translation that is not as it should be."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--show", action="store_true", help="print translations that mix or miss it")
    chosen = options.parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    header, *rows = listed("texts.tsv")
    texts = [row[header.index(manifest.source)] for row in rows]
    table = []
    for wanted in (None, *get_args(Formality)):
        found = written(chosen.store, chosen.model, texts, formality=wanted)
        ways = [ways_of(*each) for each in zip(found, [manifest.target] * len(found), texts, strict=True)]
        mixed = [len(each) > 1 for each in ways]
        other = [wanted is not None and len(each) == 1 and wanted not in each for each in ways]
        for text, translation, *faults in zip(texts, found, mixed, other, strict=True):
            if chosen.show and any(faults):
                print(f"{text}\n  -> {translation}")
        table.append((wanted or "nothing", len(texts), sum(mixed), sum(other) if wanted else ""))
    show(manifest.reference, ["asked for", "texts", "mixed", "the other way"], table)


if __name__ == "__main__":
    main()
