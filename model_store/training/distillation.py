"""Knowledge distillation: a small network learns from text and from what a larger one, its teacher, makes of it.

The teacher gives a probability to every word where text has one (Hinton et al. 2015, arXiv:1503.02531; word-level
distillation of Kim and Rush 2016, arXiv:1606.07947, section 3.1). It reads each batch as it comes, in all the forms
that variation gives it. A run that goes on from a model may learn from that model itself, so that it forgets less of it
(learning without forgetting: Li and Hoiem 2016, arXiv:1606.09282).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Self

import torch
from torch import Tensor

from model_store.architectures.base import Architecture
from model_store.training.finished import FinishedRun, open_run
from model_store.training.folder import RunFolder
from model_store.training.loss import Taught
from model_store.training.recipe import Recipe, RecipeError

ITSELF = "start"
"""The name, in a recipe, of the model that a run begins with."""


class Teacher:
    """A finished network that another one learns from."""

    def __init__(self, found: FinishedRun, recipe: Recipe, folder: Path | None = None) -> None:
        """`found` for the run of `recipe`; its vocabulary and links lie in `folder`, which a run without its own needs.

        Raises RecipeError when it translates other languages or has another vocabulary.
        """
        if recipe.distillation is None:
            raise RecipeError(f"{recipe.name} has no [distillation]; give it one, or train it without a teacher")
        if (found.recipe.source, found.recipe.target) != (recipe.source, recipe.target):
            raise RecipeError(f"the teacher {found.name} translates {found.recipe.source}-{found.recipe.target}, "
                              f"the recipe {recipe.source}-{recipe.target}")  # fmt: skip
        if found.recipe.vocabulary != recipe.vocabulary:
            raise RecipeError(f"[vocabulary] of {recipe.name} is another one than that of its teacher {found.name}")
        self.folder = None if folder is None else RunFolder(folder)
        self.name, self.share = found.name, recipe.distillation.share
        self.model: Architecture = found.model.eval().requires_grad_(False)

    @classmethod
    def of_run(cls, folder: Path, recipe: Recipe) -> Self:
        """The run in `folder`.

        Raises FileNotFoundError when it is not finished, CheckpointError when it is of another release, RecipeError
        when it does not fit.
        """
        return cls(open_run(folder), recipe, folder)

    def moved_to(self, device: torch.device) -> Self:
        """Itself, computing on `device` from now on."""
        self.model.to(device)
        return self

    def hand_over(self, folder: RunFolder) -> None:
        """Give a new run the teacher's vocabulary, which both need, and the links of the text where it has some."""
        if self.folder is None:
            return
        shutil.copyfile(self.folder.tokenizer, folder.tokenizer)
        if self.folder.links.exists():
            shutil.copyfile(self.folder.links, folder.links)

    @torch.no_grad()
    def taught(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor, rows: Tensor) -> Taught:
        """What the teacher says in the places `rows` of [B * T], from `source_ids` [B, S] and `target_ids` [B, T]."""
        hidden = self.model.teacher_forced(source_ids, source_mask, target_ids).hidden.flatten(0, 1)
        rows_said = hidden.index_select(0, rows)
        return Taught(rows_said, self.model.output_weight(), self.model.output_bias(), self.share)
