"""ONNX Runtime float32 against torch: log-probabilities, attention and state, over random rows of different ages."""

from __future__ import annotations

from loadtests.measure.setting import setting, show
from model_store.export.graphs import export_graphs
from model_store.export.parity import TOLERANCE, measure_parity
from model_store.export.pipeline import ort_stepper
from model_store.export.weights import reopen

NUM_SEEDS = 20


def main() -> None:
    """Print the table; exit code 1 when a difference is over the tolerance of an export."""
    rows = []
    worst = 0.0
    for bundle in setting(__doc__ or "").bundles():
        model = reopen(bundle)
        graphs = export_graphs(model)
        stepper = ort_stepper(graphs, graphs.encoder, graphs.decoder_step)
        found = [measure_parity(model, stepper, seed=seed) for seed in range(NUM_SEEDS)]
        largest = [max(getattr(parity, name) for parity in found) for name in ("log_probs", "attention", "state")]
        worst = max(worst, *largest)
        rows.append((bundle.manifest.name, NUM_SEEDS, *(f"{gap:.1e}" for gap in largest)))
    show("Parity, largest absolute differences", ["model", "seeds", "log-probabilities", "attention", "state"], rows)
    raise SystemExit(worst > TOLERANCE)


if __name__ == "__main__":
    main()
