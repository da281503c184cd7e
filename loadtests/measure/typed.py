"""BLEU of a test set as it is, without final punctuation, in lower and upper case, and joined to long sentences."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from loadtests.measure.served import bleu, corpus_pairs, manifest_of, written
from loadtests.measure.setting import parser, show


def unpunctuated(text: str) -> str:
    """`text` without its final punctuation, unless nothing else is in it."""
    return text.rstrip(" .!?\u2026") or text


FORMS: dict[str, tuple[Callable[[str], str], bool]] = {
    "as it is": (str, False),
    "as it is, case ignored": (str, True),
    "without final punctuation": (unpunctuated, False),
    "in lower case, case ignored": (str.lower, True),
    "in upper case, case ignored": (str.upper, True),
}
LONG_WORDS = range(40, 81)
NUM_LONG = 150


def long_texts(found: list[tuple[str, str]], seed: int = 1) -> list[list[tuple[str, str]]]:
    """Groups of pairs that make sentences of 40 to 80 words, drawn by chance."""
    chance = Random(seed)
    order = chance.sample(found, len(found))
    groups: list[list[tuple[str, str]]] = []
    while order and len(groups) < NUM_LONG:
        group: list[tuple[str, str]] = []
        wanted = chance.choice(LONG_WORDS[:30])
        while order and sum(len(source.split()) for source, _ in group) < wanted:
            group.append(order.pop())
        if sum(len(source.split()) for source, _ in group) in LONG_WORDS:
            groups.append(group)
    return groups


def as_one_sentence(texts: list[str]) -> str:
    """Sentences joined by commas instead of full stops, so that no splitter takes them apart."""
    *first, last = texts
    return " ".join([*(unpunctuated(text) + "," for text in first), last])


def main() -> None:
    """Print both tables."""
    chosen = parser(__doc__ or "", "en-fr-transformer").parse_args()
    found = corpus_pairs(chosen.data, manifest_of(chosen.store, chosen.model), "test")
    references = [target for _, target in found]
    rows: list[tuple[object, ...]] = []
    kept: dict[tuple[str, ...], list[str]] = {}
    for name, (change, ignores_case) in FORMS.items():
        texts = [change(source) for source, _ in found]
        key = tuple(texts)
        kept[key] = kept.get(key) or written(chosen.store, chosen.model, texts)
        rows.append((name, len(texts), f"{bleu(kept[key], references, ignores_case):.2f}"))
    whole, bare = (kept[tuple(map(change, (source for source, _ in found)))] for change in (str, unpunctuated))
    cut = list(map(unpunctuated, references))
    shortened = list(map(unpunctuated, whole))
    rows += [
        ("without final punctuation, references without it too", len(bare), f"{bleu(bare, cut):.2f}"),
        ("as it is, translations and references without it", len(bare), f"{bleu(shortened, cut):.2f}"),
        ("as it is, translations without it, references with it", len(bare), f"{bleu(shortened, references):.2f}"),
    ]
    show(f"{chosen.model}, test set of its pair, int8, beam 4", ["sentences", "number", "BLEU"], rows)

    alone = dict(zip(found, kept[tuple(source for source, _ in found)], strict=True))
    groups = long_texts(found)
    apart = [" ".join(alone[pair] for pair in group) for group in groups]
    wanted = [" ".join(target for _, target in group) for group in groups]
    commas = [as_one_sentence([target for _, target in group]) for group in groups]
    rows = [("each alone, then joined", f"{bleu(apart, wanted):.2f}", "")]
    spaced = written(chosen.store, chosen.model, [" ".join(source for source, _ in group) for group in groups])
    rows.append(
        ("joined by spaces", f"{bleu(spaced, wanted):.2f}", f"{bleu(spaced, wanted) / bleu(apart, wanted):.3f}")
    )
    joined = written(chosen.store, chosen.model, [as_one_sentence([s for s, _ in group]) for group in groups])
    base = bleu([as_one_sentence([alone[pair] for pair in group]) for group in groups], commas)
    rows.append(
        ("joined by commas to one sentence", f"{bleu(joined, commas):.2f}", f"{bleu(joined, commas) / base:.3f}")
    )
    show(f"{len(groups)} texts of 40 to 80 words", ["test pairs", "BLEU", "ratio to alone"], rows)


if __name__ == "__main__":
    main()
