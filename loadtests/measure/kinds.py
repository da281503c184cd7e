"""Addresses, times, codes and amounts in sentences from English, in no training text: whether the words before them are
those of their kind, as *um 15:45* and *unter help@lumora.org* in German. A translation is right when it has one of the
fragments that `lists/kinds.tsv` names, and has no *Uhr* behind anything but a time.
"""

from __future__ import annotations

import re

from loadtests.measure.served import listed, manifest_of, written
from loadtests.measure.setting import parser, share, show

COLUMNS = {"de": 1, "fr": 2}
HOUR = re.compile(r"(\S+) Uhr\b")


def is_right(text: str, fragments: str) -> bool:
    """Whether `text` has one of the `fragments`, which bars separate, and *Uhr* behind times alone."""
    plain = text.lower().replace("\u2019", "'")
    has_one = any(fragment.lower() in plain for fragment in fragments.split("|"))
    return has_one and all(re.fullmatch(r"\d{1,2}[:.]\d\d", word) for word in HOUR.findall(text))


def main() -> None:
    """Print the table, then every answer that is not right."""
    chosen = parser(__doc__ or "", "en-de-transformer").parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    if manifest.source != "en" or manifest.target not in COLUMNS:
        raise SystemExit(
            f"{manifest.reference} translates {manifest.source}-{manifest.target}; the list is en-de, en-fr"
        )
    rows = listed("kinds.tsv")
    texts = [row[0] for row in rows]
    found = written(chosen.store, chosen.model, texts)
    judged = [is_right(text, row[COLUMNS[manifest.target]]) for text, row in zip(found, rows, strict=True)]
    show(manifest.reference, ["sentences", "right"], [(len(rows), share(sum(judged), len(rows)))])
    for source, text, right in zip(texts, found, judged, strict=True):
        if not right:
            print(f"  {source} -> {text}")


if __name__ == "__main__":
    main()
