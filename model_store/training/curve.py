"""The loss curve of a run as a picture."""

from __future__ import annotations

from pathlib import Path

from model_store.training.checkpoint import Progress


def draw_curve(progress: Progress, title: str, path: Path) -> None:
    """Write training and validation loss, and validation BLEU, over tokens as a PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, losses = pyplot.subplots(figsize=(8, 4.5), layout="constrained")
    for label, points in (("training", progress.train_losses), ("validation", progress.validations)):
        losses.plot([p[0] / 1e6 for p in points], [p[1] for p in points], label=f"{label} loss")
    losses.set(title=title, xlabel="million tokens (source + target)", ylabel="negative log-likelihood per token")
    losses.legend(loc="center left", bbox_to_anchor=(0.5, 0.6))
    bleu = losses.twinx()
    bleu.plot([p[0] / 1e6 for p in progress.validations], [p[2] for p in progress.validations], "k.--", label="BLEU")
    bleu.set_ylabel("validation BLEU (greedy)")
    bleu.legend(loc="center left", bbox_to_anchor=(0.5, 0.4))
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
