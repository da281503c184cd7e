"""Notes, forms, adverts and recipes as people type them: abbreviations, hours, measures, buttons, fields, codes, rates.

A translation is right where it matches the regular expression of its line.

The lists were written by somebody who had seen neither the rules of `service/text/` nor a translation.
"""

from __future__ import annotations

import re

from loadtests.measure.served import listed, manifest_of, written
from loadtests.measure.setting import parser, share, show


def main() -> None:
    """Print the table, then every translation that is not right."""
    chosen = parser(__doc__ or "", "en-fr-transformer").parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    rows = listed(f"notes.{manifest.source}-{manifest.target}.tsv")
    found = written(chosen.store, chosen.model, [source for source, _ in rows])
    wrong = [
        (source, text)
        for (source, wanted), text in zip(rows, found, strict=True)
        if re.search(wanted, text, re.IGNORECASE) is None
    ]
    show(manifest.reference, ["notes", "right"], [(len(rows), share(len(rows) - len(wrong), len(rows)))])
    for source, text in wrong:
        print(f"  {source} -> {text}")


if __name__ == "__main__":
    main()
