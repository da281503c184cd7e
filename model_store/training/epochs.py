"""The batches of each epoch, prepared by other processes while the network trains."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import torch
from torch.utils.data import DataLoader, Dataset

from model_store.data.batching import Batch, make_batch, plan_epoch
from model_store.training.material import Material
from model_store.training.recipe import TrainingPart


class Epochs(Dataset[list[Batch]]):
    """All batches of epoch number `i`. They depend on seed and number alone."""

    def __init__(self, material: Material, training: TrainingPart) -> None:
        self._material, self._training = material, training

    def __getitem__(self, number: int) -> list[Batch]:
        return list(self.batches(number))

    def batches(self, number: int, first: int = 0) -> Iterator[Batch]:
        """The batches of an epoch from number `first` on, each made when it is wanted."""
        pairs, training = self._material.epoch(number), self._training
        for chosen in plan_epoch(pairs, training.batch_tokens, training.seed, number)[first:]:
            yield make_batch(pairs, chosen)

    def following(self, number: int, first: int, num_workers: int) -> Iterator[Iterator[Batch]]:
        """The batches of epoch after epoch without end: those of `number` from batch `first` on, then all.

        Each of `num_workers` processes prepares an epoch and holds it until its turn, about 1 GB for 25 million tokens;
        0 prepares them here, in turn.
        """
        skipped = {number: first}
        if num_workers == 0:
            for each in count(number):
                yield self.batches(each, skipped.get(each, 0))
        loader: DataLoader[list[Batch]] = DataLoader(
            self,
            batch_size=None,
            sampler=count(number),
            num_workers=num_workers,
            prefetch_factor=1,
            collate_fn=_as_it_is,
            multiprocessing_context="fork",
            generator=torch.Generator(),  # so that the run's own random numbers stay
        )
        for each, batches in zip(count(number), loader, strict=False):
            yield iter(batches[skipped.get(each, 0) :])


def _as_it_is(batches: list[Batch]) -> list[Batch]:
    return batches
