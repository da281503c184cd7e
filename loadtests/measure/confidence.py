"""Confidence of the API against chrF: does it tell unusable translations, and does it mean what it says?

The text is the end of the validation set with noise, which calibration has not seen.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import sacrebleu

from loadtests.measure.served import answers, corpus_pairs, manifest_of
from loadtests.measure.setting import parser, show
from model_store.data.corpus import ParallelText
from model_store.export.confidence import BAD_CHRF, NUM_SENTENCES, area_under_curve, noisy


def tenths(confidences: np.ndarray, *others: np.ndarray) -> list[tuple[float, ...]]:
    """Of each tenth of some texts, the least confident first: how many they are, their mean confidence, and the mean of
    each of `others`."""
    parts = np.array_split(np.argsort(confidences), 10)
    return [(len(part), *(float(each[part].mean()) for each in (confidences, *others))) for part in parts]


def draw(confidences: np.ndarray, is_good: np.ndarray, chrf: np.ndarray, path: Path) -> None:
    """The reliability curve: share of usable translations, and mean chrF, by decile of confidence."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 4.5), layout="constrained")
    axis = figure.subplots()
    _, x, good, likeness = zip(*tenths(confidences, is_good, chrf / 100), strict=True)
    axis.plot([0, 1], [0, 1], color="0.7", linestyle=":", label="as good as it says")
    axis.plot(x, good, "o-", label=f"share with chrF of {BAD_CHRF:g} or more")
    axis.plot(x, likeness, "s--", label="mean chrF / 100")
    axis.set(xlabel="mean confidence of a tenth of the translations", ylim=(0, 1.02), xlim=(0, 1))
    axis.legend(loc="lower right")
    figure.savefig(path, dpi=110)


def main() -> None:
    """Print the table by decile, and draw it where --picture says."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--picture", type=Path, help="where to draw the reliability curve")
    chosen = options.parse_args()
    found = corpus_pairs(chosen.data, manifest_of(chosen.store, chosen.model), "valid")
    text = ParallelText([s for s, _ in found], [t for _, t in found])
    garbled = noisy(text).take(range(NUM_SENTENCES, len(text)))
    done = answers(chosen.store, chosen.model, garbled.sources, signals=True)
    kept = [(a, reference) for a, reference in zip(done, garbled.targets, strict=True) if a["confidence"] is not None]
    confidences = np.array([a["confidence"] for a, _ in kept])
    chrf = np.array([sacrebleu.sentence_chrf(a["text"], [reference]).score for a, reference in kept])
    is_good = chrf >= BAD_CHRF
    rows = [
        (number, count, f"{confidence:.2f}", f"{good:.2f}", f"{likeness:.1f}")
        for number, (count, confidence, good, likeness) in enumerate(tenths(confidences, is_good, chrf), start=1)
    ]
    header = ["tenth", "texts", "mean confidence", f"share with chrF >= {BAD_CHRF:g}", "mean chrF"]
    show(f"{chosen.model}, validation text with noise", header, rows)
    print(f"\narea under the curve: {area_under_curve(confidences, is_good):.3f} of {len(kept)} texts")
    if chosen.picture:
        draw(confidences, is_good, chrf, chosen.picture)


if __name__ == "__main__":
    main()
