"""Labels and greetings of one to three words, messages of programs, shops and e-mails (`--list messages`), or labels
that were in no training text when they were written (`--list unseen`), judged by a list of accepted answers. The
`independent` list was written by somebody who had seen neither the training text nor an answer of the models.

Beside all of them the table has those that recent models were not trained on.
"""

from __future__ import annotations

from loadtests.measure.served import listed, manifest_of, written
from loadtests.measure.setting import parser, share, show
from model_store.data.phrases import Phrases
from model_store.data.sentences import read_sentences


def plain(text: str) -> str:
    """What is compared: lower case, without final punctuation and with single spaces."""
    return " ".join(text.lower().replace("\u2019", "'").rstrip(" .!?\u2026").split())


def main() -> None:
    """Print the table, then every answer that is not accepted."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--list", choices=("labels", "messages", "unseen", "independent"), default="labels",
                         help="messages: en-fr and en-de alone")  # fmt: skip
    chosen = options.parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    rows = listed(f"{chosen.list}.{manifest.source}-{manifest.target}.tsv")
    texts = [source for source, _ in rows]
    found = written(chosen.store, chosen.model, texts)
    wrong, long = [], []
    for source, accepted, text in zip(texts, (row[1] for row in rows), found, strict=True):
        if plain(text) not in {plain(one) for one in accepted.split("|")}:
            wrong.append((source, text))
        if len(text) > 3 * max(len(source), 4):
            long.append((source, text))
    right = len(rows) - len(wrong)
    trained = _trained(manifest.source, manifest.target)
    others = [source for source in texts if source.lower() not in trained]
    right_others = len(others) - sum(source.lower() not in trained for source, _ in wrong)
    table = [
        ("all", len(rows), share(right, len(rows)), len(long)),
        ("in no training text", len(others), share(right_others, len(others)), ""),
    ]
    show(manifest.reference, [chosen.list, "number", "accepted", "longer than three times the source"], table)
    for source, text in wrong:
        print(f"  {source} -> {text}")
    for source, text in long:
        print(f"  long: {source} -> {text}")


def _trained(source: str, target: str) -> set[str]:
    """Labels that recent models were trained on, in lower case."""
    phrases = Phrases.of((source, target))
    written = [*read_sentences((source, target)).sources, *(phrases.sources() if phrases else ())]
    return {text.strip(" .,!?").lower() for text in written}


if __name__ == "__main__":
    main()
