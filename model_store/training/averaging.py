"""The average of two finished runs of one network: what a further training has learnt, with less of what it forgot.

Wortsman et al. 2022 (arXiv:2203.05482, WiSE-FT and model soups) average a model and what it was fine-tuned to.
"""

from __future__ import annotations

from dataclasses import replace

from model_store.training.finished import FinishedRun


def averaged(run: FinishedRun, other: FinishedRun, share: float) -> FinishedRun:
    """`run` with the weights (1 - `share`) times its own plus `share` times those of `other`.

    Raises ValueError when they are not the same network over the same vocabulary.
    """
    is_like = run.model.network_values() == other.model.network_values()
    if run.recipe.architecture != other.recipe.architecture or not is_like:
        raise ValueError(f"{run.name} and {other.name} are not the same network; average a run and what it began with")
    if run.tokenizer_model != other.tokenizer_model:
        raise ValueError(f"{run.name} and {other.name} have other vocabularies; average a run and what it began with")
    theirs = other.model.state_dict()
    run.model.load_state_dict(
        {
            name: own.lerp(theirs[name].to(own.dtype), share) if own.is_floating_point() else own
            for name, own in run.model.state_dict().items()
        }
    )
    began = run.progress.get("started_from", "")
    told = f"{began or 'nothing'}, averaged with {share:.0%} of {other.name}"
    return replace(run, progress={**run.progress, "started_from": told})
