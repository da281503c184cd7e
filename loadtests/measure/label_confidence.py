"""Confidence of labels and greetings, which have several right translations: does it tell right ones from wrong ones,
and does it mean what it says?

The lists of `labels` have all accepted translations. Good models and weak ones of the gallery translate them as the
server does. Of each model's labels the confidence is also that of weights fitted on the other models' alone. The
weights fitted on all are those that `model_store/contract/confidence.py` should have.
"""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import numpy as np

from loadtests.measure.confidence import tenths
from loadtests.measure.labels import plain
from loadtests.measure.served import LISTS, answers, listed
from loadtests.measure.setting import parser, share, show
from model_store.contract.confidence import FEATURES, LABEL_INTERCEPT, LABEL_WEIGHTS, confidence
from model_store.export.confidence import area_under_curve, logistic_regression
from service.api import rendering
from service.translation import signals
from service.translation.signals import LOW_CONFIDENCE

MODELS = (
    "en-fr-transformer", "fr-en-transformer", "en-de-transformer", "de-en-transformer", "en-fr-bahdanau",
    "en-fr-rnn-encoder-decoder", "en-fr-transformer-small", "en-fr-luong-global", "en-fr-convs2s",
    "en-fr-transformer-ssru",
)  # fmt: skip
NAMES = ("labels", "independent", "unseen", "messages")
STEP = 1e-6
"""Of the numbers that stand for features in answers."""


def measured(store: Path, model: str) -> tuple[np.ndarray, np.ndarray]:
    """FEATURES of the labels [N, F] that `model` translates as one segment, and whether each is accepted [N]."""
    seen: list[list[float]] = []

    def numbered(values: list[float], *_: object) -> float:
        seen.append(list(values))
        return (len(seen) - 1) * STEP

    pair = "-".join(model.split("-")[:2])
    rows = [row for name in NAMES if (LISTS / f"{name}.{pair}.tsv").exists() for row in listed(f"{name}.{pair}.tsv")]
    with mock.patch.object(signals, "confidence", numbered), mock.patch.object(rendering, "SIGNAL_DIGITS", 9):
        done = answers(store, model, [row[0] for row in rows], signals=True)
    values, are_right = [], []
    for (_, accepted, *_), answer in zip(rows, done, strict=True):
        if len(answer["segments"]) == 1:
            values.append(seen[round(answer["segments"][0]["signals"]["confidence"] / STEP)])
            are_right.append(plain(answer["text"]) in {plain(one) for one in accepted.split("|")})
    return np.array(values), np.array(are_right)


def main() -> None:
    """Print a line for each model, the weights, and the table by decile."""
    options = parser(__doc__ or "")
    chosen = options.parse_args()
    found = {model: measured(chosen.store, model) for model in MODELS}
    values, are_right = (np.concatenate(parts) for parts in zip(*found.values(), strict=True))
    rows, scores = [], []
    for model, (own, right) in found.items():
        others = [pair for name, pair in found.items() if name != model]
        weights, intercept = logistic_regression(*(np.concatenate(parts) for parts in zip(*others, strict=True)))
        unseen = np.array([confidence(value, weights.tolist(), intercept) for value in own.tolist()])
        served = np.array([confidence(value, LABEL_WEIGHTS, LABEL_INTERCEPT) for value in own.tolist()])
        low = served < LOW_CONFIDENCE
        scores.append(unseen)
        areas = [f"{area_under_curve(one, right):.3f}" for one in (served, unseen)]
        num_right, num_wrong = int(right.sum()), int((~right).sum())
        shares = share(int((low & right).sum()), num_right), share(int((low & ~right).sum()), num_wrong)
        rows.append((model, len(own), share(num_right, len(own)), *areas, *shares))
    header = ["model", "labels", "accepted", "area under the curve", "by the others' weights"]
    show("labels", [*header, f"accepted below {LOW_CONFIDENCE}", f"others below {LOW_CONFIDENCE}"], rows)
    weights, intercept = logistic_regression(values, are_right)
    print("\nweights:", {name: round(float(one), 2) for name, one in zip(FEATURES, weights, strict=True)})
    print(f"intercept: {intercept:.2f}\n")
    together = np.concatenate(scores)
    table = [
        (number, count, f"{mean:.2f}", f"{accepted:.2f}")
        for number, (count, mean, accepted) in enumerate(tenths(together, are_right), start=1)
    ]
    show("by the others' weights", ["tenth", "labels", "mean confidence", "accepted"], table)
    print(f"\narea under the curve: {area_under_curve(together, are_right):.3f} of {len(together)} labels")


if __name__ == "__main__":
    main()
