"""BLEU and chrF of texts about programs, shops, offices, travel, health and news, which no model was trained on.

The `sentences` were written beside those of `model_store/data/sentences.tsv`: each is the 25th of its file. `everyday`
texts were written apart from them, as people type them: labels, messages, notices, reviews. `enclosed` sentences, also
apart, have words between quotation marks, in brackets or beside a slash. Of the others each is the 60th of what was
written for that file later: `long` sentences of news and letters, `texts` of two to four sentences, `varied` ones
(short ones that people type, names, dialogue, manuals), and at last `fresh` ones: chats, notes, letters, grammar, words
of several senses, rare words, work, news, reviews, stories. `domains` has 40 sentences of each of eight domains, drawn
from what was written for them. `pasted` ones, written apart, have dashes, hyphens and ellipses as word processors write
them, parts of months, and terms and numbers as contracts do. `--show` prints them.
"""

from __future__ import annotations

import sacrebleu

from loadtests.measure.served import bleu, listed, manifest_of, written
from loadtests.measure.setting import parser, show

LISTS = ("sentences", "everyday", "enclosed", "long", "texts", "varied", "fresh", "domains", "pasted")


def main() -> None:
    """Print the table; with `--show`, every sentence with its translation and reference before it."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--list", default="sentences", choices=LISTS, help="[%(default)s]")
    options.add_argument("--show", action="store_true", help="print every translation")
    chosen = options.parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    header, *rows = listed(f"{chosen.list}.tsv")
    source, target = header.index(manifest.source), header.index(manifest.target)
    texts, references = [row[source] for row in rows], [row[target] for row in rows]
    found = written(chosen.store, chosen.model, texts)
    if chosen.show:
        for text, translation, reference in zip(texts, found, references, strict=True):
            print(f"{text}\n  -> {translation}\n   = {reference}")
    domains = [row[header.index("domain")] for row in rows] if "domain" in header else [chosen.list] * len(rows)
    named = list(dict.fromkeys([*domains, chosen.list]))
    table = []
    for name in named:
        places = [number for number, domain in enumerate(domains) if name in (domain, chosen.list)]
        translations, theirs = [found[row] for row in places], [references[row] for row in places]
        chrf = sacrebleu.corpus_chrf(translations, [theirs]).score
        table.append((name, len(places), f"{bleu(translations, theirs):.2f}", f"{chrf:.2f}"))
    show(manifest.reference, ["in no training text", "texts", "BLEU", "chrF"], table)


if __name__ == "__main__":
    main()
