"""Links between words: error rate on gold alignments, agreement with a statistical aligner, and sixty questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from loadtests.measure.served import LISTS, answers, corpus_pairs, listed, manifest_of
from loadtests.measure.setting import parser, show
from model_store.contract.manifest import Manifest
from model_store.contract.normalisation import normalise
from model_store.data.corpus import ParallelText
from model_store.data.linked import SURE, LinkedPair
from model_store.data.linking import linked_pairs

_ATTENTION = {"level": "word", "layer": "default", "head": "default"}


def links_of(answer: dict[str, Any]) -> set[tuple[int, int]]:
    """The links of a text's only segment; empty where there are several."""
    if len(answer["segments"]) != 1:
        return set()
    return {(int(s), int(t)) for s, t in (link.split("-") for link in answer["segments"][0]["alignment"].split())}


def aligned(data: Path, manifest: Manifest, further: Sequence[tuple[str, str]] = ()) -> list[LinkedPair]:
    """The training pairs of a model's corpus and `further` ones behind them, with the links of eflomal."""
    train = [(normalise(s), normalise(t)) for s, t in corpus_pairs(data, manifest, "train")]
    pairs = [*train, *further]
    text = ParallelText([s for s, _ in pairs], [t for _, t in pairs])
    with TemporaryDirectory() as folder:
        return linked_pairs(text, (manifest.source, manifest.target), Path(folder, "links.txt"))


def agreement(store: Path, model: str, data: Path) -> tuple[float, float, float, int]:
    """Precision, recall and F1 of the links of the API's own translations of the test set with those that both
    directions of eflomal find, which aligns training pairs and translations together; and how many texts it was."""
    manifest = manifest_of(store, model)
    sources = [normalise(source) for source, _ in corpus_pairs(data, manifest, "test")]
    found = answers(store, model, sources, attention=_ATTENTION)
    kept = [(s, a) for s, a in zip(sources, found, strict=True) if len(a["segments"]) == 1 and a["text"]]
    both = aligned(data, manifest, [(s, a["text"]) for s, a in kept])
    gold = both[len(both) - len(kept) :]
    hits = ours = theirs = 0
    for (_, answer), pair in zip(kept, gold, strict=True):
        mine, wanted = links_of(answer), {(s, t) for s, t, strength in pair.links if strength == SURE}
        hits, ours, theirs = hits + len(mine & wanted), ours + len(mine), theirs + len(wanted)
    precision, recall = hits / max(ours, 1), hits / max(theirs, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9), len(kept)


def questions(store: Path, model: str, name: str) -> tuple[int, int, int, list[str]]:
    """Links that were asked about and are there, those asked about, questions whose words the translation lacks; and
    what was missed."""
    rows = listed(name)
    right = asked = absent = 0
    missed = []
    for (source, *wanted), answer in zip(
        rows, answers(store, model, [row[0] for row in rows], attention=_ATTENTION), strict=True
    ):
        segment, links = answer["segments"][0], links_of(answer)
        for question in wanted:
            word, accepted = question.split("=")
            sources = [n for n, token in enumerate(segment["source"]["tokens"]) if token["text"] == word]
            words = {token["text"].rstrip("'").lower() for token in segment["target"]["tokens"]}
            targets = [
                n
                for n, token in enumerate(segment["target"]["tokens"])
                if token["text"].rstrip("'").lower() in accepted.lower().split("|")
            ]
            if not words & set(accepted.lower().split("|")):
                absent += 1
                continue
            asked += 1
            if any((s, t) in links for s in sources for t in targets):
                right += 1
            else:
                missed.append(f"{source} -> {answer['text']}: {question}")
    return right, asked, absent, missed


def main() -> None:
    """Print the tables."""
    chosen = parser(__doc__ or "", "en-fr-transformer").parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    name = f"links.{manifest.source}-{manifest.target}.tsv"
    rows = [
        (f"layer {s.layer} head {s.head} shift {s.shift}", s.alignment_error_rate, s.entropy, s.confident_share)
        for s in manifest.slice_quality
    ]
    if manifest.links is not None:
        rows.append(("links", manifest.links.alignment_error_rate or 0.0, 0.0, 0.0))
    header = ["slice", "alignment error rate", "entropy", "share of confident words"]
    show(f"{chosen.model}, from its manifest", header, rows)
    precision, recall, f1, count = agreement(chosen.store, chosen.model, chosen.data)
    found = [(count, f"{precision:.3f}", f"{recall:.3f}", f"{f1:.3f}")]
    show("Links of own translations against eflomal", ["texts", "precision", "recall", "F1"], found)
    if not (LISTS / name).exists():
        print(f"\nno questions were written for {manifest.source}-{manifest.target}")
        return
    right, asked, absent, missed = questions(chosen.store, chosen.model, name)
    show("Links asked about", ["asked", "there", "words absent"], [(asked, f"{right} ({right / asked:.1%})", absent)])
    for line in missed:
        print(f"  {line}")


if __name__ == "__main__":
    main()
