"""The training loop: one run of one recipe, resumable at any moment.

With the same recipe, data and number of threads a run is the same run, however often it is interrupted: batches depend
on seed and position alone, and a checkpoint holds position, weights, optimiser and the state of the random numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import asdict
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from tqdm import tqdm

from model_store.data.batching import Batch, make_batch, plan_epoch
from model_store.training.checkpoint import Progress, average, load, save_atomically
from model_store.training.curve import draw_curve
from model_store.training.distillation import Teacher
from model_store.training.epochs import Epochs
from model_store.training.finished import FinishedRun
from model_store.training.folder import RunFolder
from model_store.training.guidance import guided_indices
from model_store.training.material import material
from model_store.training.precision import autocast, faster_precision, keep_compiled_products
from model_store.training.preparation import (
    build_model,
    check_network,
    default_device,
    device_name,
    prepare_tokenizer,
    read_data,
    take_over_vocabulary,
)
from model_store.training.recipe import Recipe
from model_store.training.resuming import recipe_changes
from model_store.training.schedule import Horizon, learning_rate
from model_store.training.stopping import stop_signals
from model_store.training.validation import BatchLoss, Validation, batch_loss

SAVE_EVERY_S = 60.0
LOSS_EVERY_STEPS = 50
GPU_WORKERS = 3
"""Processes that prepare epochs for a GPU, which computes one in the time in which a process prepares a third."""
NUM_TIMED_BATCHES = 6
"""Batches that each precision computes before `auto` decides."""

Weights = dict[str, Tensor]


class Run:
    """One training run. `train()` goes on from the checkpoint in its folder, if there is one."""

    def __init__(
        self,
        recipe: Recipe,
        data: Path,
        folder: Path,
        save_every_s: float = SAVE_EVERY_S,
        device: torch.device | None = None,
        start: FinishedRun | None = None,
        fresh: bool = False,
        teacher: Teacher | None = None,
        num_workers: int | None = None,
    ) -> None:
        """Read the data and build or restore the network, on `device` (None: a GPU where there is one).

        A new run begins with the vocabulary and weights of `start`, or with the vocabulary of its `teacher`. `fresh`
        removes what an earlier run left in `folder`, once recipe and data are known to be good. `num_workers` processes
        prepare epochs ahead (None: GPU_WORKERS on a GPU, else none). Raises RecipeError, CorpusError, CheckpointError.
        """
        keep_compiled_products()
        folder.mkdir(parents=True, exist_ok=True)
        self.recipe, self.training, self.folder = recipe, recipe.training, RunFolder(folder)
        self.save_every_s = save_every_s
        self.progress, self.horizon = Progress(), Horizon(self.training.num_tokens)
        self.recent: list[Weights] = []
        self.guidance = 0.0
        """Cross-entropy of the guided heads, per target token, now and then."""
        self.changes: list[str] = []
        """What the recipe says differently from the one that the checkpoint was made with."""
        checkpoint = load(self.folder.checkpoint) if self.folder.checkpoint.exists() and not fresh else None
        if checkpoint is not None:
            self.changes = recipe_changes(checkpoint["recipe"], recipe)
        check_network(recipe, recipe.vocabulary.size)
        train, valid = read_data(recipe, data)
        if fresh:
            self.folder.clear()
        elif checkpoint is None:
            self.folder.tokenizer.unlink(missing_ok=True)  # of a run that was stopped before its first checkpoint
        torch.manual_seed(self.training.seed)
        if checkpoint is None:
            self._take_over(start, teacher)
        self.tokenizer = prepare_tokenizer(recipe, train, self.folder)
        self.material = material(recipe, train, self.tokenizer, self.folder)
        self.validation = Validation.of(self.tokenizer, valid, self.training.max_sentence_tokens)
        self.device = device or default_device()
        self.num_workers = num_workers if num_workers is not None else GPU_WORKERS * (self.device.type == "cuda")
        self.teacher = teacher and teacher.moved_to(self.device)
        self._build()
        self.precision: str = self.training.precision
        if checkpoint is not None:
            self._restore(checkpoint)
        elif start is not None:
            self.model.load_state_dict({**self.model.state_dict(), **start.model.state_dict()})
        self.progress.device = device_name(self.device)
        if self.precision == "auto":
            self.precision = faster_precision(self._loss, self.model, self._timed_batches())

    def _build(self) -> None:
        """A network with chance weights, and what trains it."""
        self.model = build_model(self.recipe, self.tokenizer.vocabulary_size).to(self.device)
        guided = self.recipe.guided
        self.guided = guided_indices(guided.heads, self.model.attention_slices()) if guided else []
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), betas=(0.9, 0.98), eps=1e-9, weight_decay=self.training.weight_decay, fused=True
        )

    def _take_over(self, start: FinishedRun | None, teacher: Teacher | None) -> None:
        """Give a new run the vocabulary of what it begins with, else that of its teacher."""
        if start is not None:
            take_over_vocabulary(self.recipe, start, self.folder)
            self.progress.started_from = start.name
        elif teacher is not None:
            teacher.hand_over(self.folder)

    # ---- the loop -----------------------------------------------------------------------------------------------

    def train(self, seconds: float | None = None) -> bool:
        """Run to the recipe's end, or for `seconds`, or until SIGINT or SIGTERM. Returns whether the run is finished.

        With `seconds` the learning rate and the validations follow the clock, and validation counts as time.
        """
        self.horizon = Horizon(self.training.num_tokens, seconds, self.progress.done)
        last_save = time.monotonic()
        with stop_signals() as stop_asked, self._bar() as bar:
            for batch in self.batches():
                started = time.monotonic()
                bar.update(self.step(batch))
                self.progress.seconds += time.monotonic() - started
                self._show(bar)
                if self.progress.done >= self._next_validation():
                    self._validate(bar)
                if stop_asked() or time.monotonic() - last_save >= self.save_every_s:
                    self._save()
                    last_save = time.monotonic()
                if stop_asked():
                    return False
        return self._finish()

    def batches(self) -> Iterator[Batch]:
        """The batches that are left, epoch after epoch, until the run's end."""
        epochs = Epochs(self.material, self.training)
        for batches in epochs.following(self.progress.epoch, self.progress.batch, self.num_workers):
            for batch in batches:
                if self.horizon.done(self.progress.tokens) >= 1.0:
                    return
                self.progress.batch += 1
                yield batch
            self.progress.epoch, self.progress.batch = self.progress.epoch + 1, 0

    def step(self, batch: Batch) -> int:
        """One optimiser step; returns the batch's real tokens, source and target."""
        self.model.train()
        progress = self.progress
        progress.step += 1
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.training, progress.step, self.horizon.done(progress.tokens))
        with autocast(self.precision, self.device):
            found = self._loss(batch)
        found.loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.training.gradient_clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=self.device.type == "cuda")  # a processor keeps their memory
        progress.tokens += batch.num_tokens
        progress.done = self.horizon.done(progress.tokens)
        if progress.step % LOSS_EVERY_STEPS == 0:
            progress.train_losses.append((progress.tokens, float(found.nll) / found.num_labels))
            self.guidance = float(found.guidance)
        return batch.num_tokens

    def _loss(self, batch: Batch) -> BatchLoss:
        weight = self.recipe.guided.weight if self.recipe.guided else 0.0
        smoothing = self.training.label_smoothing
        return batch_loss(self.model, batch, smoothing, self.guided, weight, self.teacher)

    def _timed_batches(self) -> list[Batch]:
        """A few batches to time: of validation pairs, which are there already."""
        pairs = self.validation.pairs
        plan = plan_epoch(pairs, self.training.batch_tokens, self.training.seed, 0) if len(pairs) else []
        return [make_batch(pairs, chosen) for chosen in islice(cycle(plan), NUM_TIMED_BATCHES)]

    # ---- validation and the end ---------------------------------------------------------------------------------

    def _next_validation(self) -> float:
        done = len(self.progress.validations)
        if done >= self.training.num_validations:  # only when a longer run was shortened
            return math.inf
        return (done + 1) / self.training.num_validations

    def _validate(self, bar: Any) -> None:
        nll, bleu = self.validation(self.model)
        self.progress.validations.append((self.progress.tokens, nll, bleu))
        self.recent = [*self.recent, self._weights()][-self.training.average_last :]
        draw_curve(self.progress, self.recipe.name, self.folder.curve)
        bar.write(f"{self.progress.tokens:,} tokens: validation loss {nll:.3f}, BLEU {bleu:.2f} (greedy)")

    def _finish(self) -> bool:
        """Keep the better, on validation, of the last weights and the average of the newest checkpoints."""
        last = self._weights()
        _, last_bleu = self.validation(self.model)
        chosen, bleu = last, last_bleu
        if len(self.recent) > 1:
            averaged = average(self.recent)
            self.model.load_state_dict(averaged)
            _, average_bleu = self.validation(self.model)
            print(f"last weights: BLEU {last_bleu:.2f}; average of {len(self.recent)}: BLEU {average_bleu:.2f}")
            if average_bleu > last_bleu:
                chosen, bleu = averaged, average_bleu
            self.model.load_state_dict(last)
        self._save_weights(chosen, bleu)
        self._save()
        draw_curve(self.progress, self.recipe.name, self.folder.curve)
        return True

    # ---- checkpoints --------------------------------------------------------------------------------------------

    def _weights(self) -> Weights:
        return {name: tensor.detach().cpu().clone() for name, tensor in self.model.state_dict().items()}

    def _save_weights(self, weights: Weights, bleu: float) -> None:
        values = {
            "recipe": self.recipe.model_dump(),
            "config": self.model.config_values(),
            "weights": weights,
            "validation_bleu": bleu,
            "progress": asdict(self.progress),
        }
        save_atomically(values, self.folder.weights)

    def _save(self) -> None:
        values = {
            "recipe": self.recipe.model_dump(),
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "recent": self.recent,
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state_all() if self.device.type == "cuda" else [],
            "precision": self.precision,
            "progress": asdict(self.progress),
        }
        save_atomically(values, self.folder.checkpoint)

    def _restore(self, values: dict[str, Any]) -> None:
        if self.precision == "auto":
            self.precision = values["precision"]
        self.model.load_state_dict(values["model"])
        self.optimiser.load_state_dict(values["optimiser"])
        self.recent = values["recent"]
        torch.set_rng_state(values["random"])
        if self.device.type == "cuda" and values.get("random_cuda"):
            torch.cuda.set_rng_state_all(values["random_cuda"])
        self.progress = Progress(**values["progress"])

    # ---- small parts --------------------------------------------------------------------------------------------

    def _bar(self) -> Any:
        return tqdm(
            total=self.training.num_tokens,
            initial=self.progress.tokens,
            unit="tok",
            unit_scale=True,
            desc=self.recipe.name,
            mininterval=1.0,
            smoothing=0.05,
        )

    def _show(self, bar: Any) -> None:
        bar.total = max(round(self.progress.tokens / self.progress.done), self.progress.tokens)
        if self.progress.train_losses:
            guidance = {"links": f"{self.guidance:.3f}"} if self.guided else {}
            bar.set_postfix(loss=f"{self.progress.train_losses[-1][1]:.3f}", **guidance, refresh=False)
