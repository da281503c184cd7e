"""The training loop: one run of one recipe, resumable at any moment."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import sacrebleu
import torch
from torch import Tensor
from tqdm import tqdm

from model_store.architectures import architecture
from model_store.architectures.base import Architecture
from model_store.contract.tokenizer import PAD_ID, Tokenizer
from model_store.data.batching import Batch, TokenPairs, make_batch, plan_epoch
from model_store.data.corpus import Columns, ParallelText, read_parallel
from model_store.data.vocabulary import train_vocabulary
from model_store.decoding.search import decode_all, greedy
from model_store.training.checkpoint import Progress, average, load, save_atomically
from model_store.training.curve import draw_curve
from model_store.training.loss import projected_cross_entropy
from model_store.training.recipe import Recipe
from model_store.training.schedule import learning_rate
from model_store.training.stepper import TorchStepper

SAVE_EVERY_S = 60.0
LOSS_EVERY_STEPS = 50


@dataclass(frozen=True)
class RunFolder:
    """The files of one run."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """Everything needed to resume."""
        return self.path / "checkpoint.pt"

    @property
    def weights(self) -> Path:
        """The finished model, for export."""
        return self.path / "weights.pt"

    @property
    def tokenizer(self) -> Path:
        """The sentencepiece model."""
        return self.path / "tokenizer.model"

    @property
    def curve(self) -> Path:
        """The loss curve."""
        return self.path / "curve.png"


def read_data(recipe: Recipe, data: Path) -> tuple[ParallelText, ParallelText]:
    """The training pairs and the validation pairs of a recipe."""
    columns = Columns(recipe.data.source_column, recipe.data.target_column)
    train = read_parallel(data / recipe.data.train, columns)
    valid = read_parallel(data / recipe.data.valid, columns)
    return train, valid.head(recipe.training.num_validation_sentences)


def prepare_tokenizer(recipe: Recipe, train: ParallelText, folder: RunFolder) -> Tokenizer:
    """The run's tokenizer, trained on both sides of the training pairs the first time."""
    if not folder.tokenizer.exists():
        model = train_vocabulary([*train.sources, *train.targets], recipe.vocabulary.size, recipe.training.seed)
        partial = folder.tokenizer.with_suffix(".partial")
        partial.write_bytes(model)
        partial.replace(folder.tokenizer)
    return Tokenizer(folder.tokenizer.read_bytes())


def encode_pairs(tokenizer: Tokenizer, text: ParallelText) -> TokenPairs:
    """Both sides of parallel text as ids."""
    return TokenPairs(tokenizer.encode_batch(text.sources), tokenizer.encode_batch(text.targets))


def build_model(recipe: Recipe, vocabulary_size: int) -> Architecture:
    """A freshly initialised network of the recipe's architecture and configuration."""
    return architecture(recipe.architecture).from_config({"vocabulary_size": vocabulary_size, **recipe.model})


def autocast_dtype(precision: str) -> torch.dtype | None:
    """bfloat16 when asked for, or on auto where the processor has bfloat16 products; None means float32."""
    hardware = torch.ops.mkldnn._is_mkldnn_bf16_supported() and "amx_bf16" in Path("/proc/cpuinfo").read_text()
    return torch.bfloat16 if precision == "bfloat16" or (precision == "auto" and hardware) else None


def batch_loss(model: Architecture, batch: Batch, smoothing: float) -> tuple[Tensor, float, int]:
    """Smoothed loss per target token (differentiable), summed negative log-likelihood, and number of target tokens."""
    labels = torch.from_numpy(batch.labels)
    real = labels != PAD_ID
    out = model.teacher_forced(
        torch.from_numpy(batch.source_ids), torch.from_numpy(batch.source_mask), torch.from_numpy(batch.target_ids)
    )
    num_labels = int(real.sum())
    total, nll = projected_cross_entropy(
        out.hidden[real], model.output_weight(), model.output_bias(), labels[real], smoothing
    )
    return total / num_labels, float(nll), num_labels


class Run:
    """One training run. `train()` goes on from the checkpoint in its folder, if there is one."""

    def __init__(self, recipe: Recipe, data: Path, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.recipe, self.training, self.folder = recipe, recipe.training, RunFolder(folder)
        torch.manual_seed(self.training.seed)
        train, self.valid_text = read_data(recipe, data)
        self.tokenizer = prepare_tokenizer(recipe, train, self.folder)
        self.pairs = encode_pairs(self.tokenizer, train).shorter_than(self.training.max_sentence_tokens)
        self.valid_pairs = encode_pairs(self.tokenizer, self.valid_text)
        self.model = build_model(recipe, self.tokenizer.vocabulary_size)
        self.optimiser = torch.optim.AdamW(
            self.model.parameters(), betas=(0.9, 0.98), eps=1e-9, weight_decay=self.training.weight_decay, fused=True
        )
        self.dtype = autocast_dtype(self.training.precision)
        self.progress = Progress()
        self.recent: list[dict[str, Tensor]] = []
        self.stop_asked = False
        if self.folder.checkpoint.exists():
            self._restore(load(self.folder.checkpoint))

    # ---- the loop -----------------------------------------------------------------------------------------------

    def train(self) -> bool:
        """Run to the recipe's end, or until SIGINT or SIGTERM. Returns whether the run is finished."""
        last_save = time.monotonic()
        with self._stoppable(), self._bar() as bar:
            for batch in self._batches():
                started = time.monotonic()
                bar.update(self._step(batch))
                self.progress.seconds += time.monotonic() - started
                self._show(bar)
                if self.progress.tokens >= self._next_validation():
                    self._validate(bar)
                if self.stop_asked or time.monotonic() - last_save > SAVE_EVERY_S:
                    self._save()
                    last_save = time.monotonic()
                if self.stop_asked:
                    return False
        return self._finish()

    def _batches(self) -> Iterator[Batch]:
        while True:
            plan = plan_epoch(self.pairs, self.training.batch_tokens, self.training.seed, self.progress.epoch)
            for chosen in plan[self.progress.batch :]:
                if self.progress.tokens >= self.training.num_tokens:
                    return
                self.progress.batch += 1
                yield make_batch(self.pairs, chosen)
            self.progress.epoch, self.progress.batch = self.progress.epoch + 1, 0

    def _step(self, batch: Batch) -> int:
        self.model.train()
        progress = self.progress
        progress.step += 1
        for group in self.optimiser.param_groups:
            group["lr"] = learning_rate(self.training, progress.step, progress.tokens)
        with self._autocast():
            loss, nll, num_labels = batch_loss(self.model, batch, self.training.label_smoothing)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.training.gradient_clip)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=False)
        progress.tokens += batch.num_tokens
        if progress.step % LOSS_EVERY_STEPS == 0:
            progress.train_losses.append((progress.tokens, nll / num_labels))
        return batch.num_tokens

    # ---- validation and the end ---------------------------------------------------------------------------------

    def _next_validation(self) -> float:
        return (len(self.progress.validations) + 1) * self.training.num_tokens / self.training.num_validations

    @torch.no_grad()
    def validation(self) -> tuple[float, float]:
        """Negative log-likelihood per target token, and sacreBLEU of greedy translations, of the validation pairs."""
        self.model.eval()
        total, count = 0.0, 0
        order = sorted(range(len(self.valid_pairs)), key=lambda i: len(self.valid_pairs.sources[i]))
        for first in range(0, len(order), 64):
            _, nll, num_labels = batch_loss(self.model, make_batch(self.valid_pairs, order[first : first + 64]), 0.0)
            total, count = total + nll, count + num_labels
        stepper = TorchStepper(self.model)
        decoded = decode_all(self.valid_pairs.sources, lambda some: greedy(stepper, some), batch_size=100)
        texts = [self.tokenizer.decode(d.ids) for d in decoded]
        return total / count, sacrebleu.corpus_bleu(texts, [self.valid_text.targets]).score

    def _validate(self, bar: Any) -> None:
        nll, bleu = self.validation()
        self.progress.validations.append((self.progress.tokens, nll, bleu))
        weights = {name: tensor.detach().clone() for name, tensor in self.model.state_dict().items()}
        self.recent = [*self.recent, weights][-self.training.average_last :]
        draw_curve(self.progress, self.recipe.name, self.folder.curve)
        bar.write(f"{self.progress.tokens:,} tokens: validation loss {nll:.3f}, BLEU {bleu:.2f} (greedy)")

    def _finish(self) -> bool:
        """Keep the better, on validation, of the last weights and the average of the newest checkpoints."""
        last = {name: tensor.detach().clone() for name, tensor in self.model.state_dict().items()}
        _, last_bleu = self.validation()
        chosen, bleu = last, last_bleu
        if len(self.recent) > 1:
            averaged = average(self.recent)
            self.model.load_state_dict(averaged)
            _, average_bleu = self.validation()
            print(f"last weights: BLEU {last_bleu:.2f}; average of {len(self.recent)}: BLEU {average_bleu:.2f}")
            if average_bleu > last_bleu:
                chosen, bleu = averaged, average_bleu
        self.model.load_state_dict(chosen)
        self._save_weights(chosen, bleu)
        self.model.load_state_dict(last)
        self._save()
        draw_curve(self.progress, self.recipe.name, self.folder.curve)
        return True

    def _save_weights(self, weights: dict[str, Tensor], bleu: float) -> None:
        values = {
            "recipe": self.recipe.model_dump(),
            "config": self.model.config_values(),
            "weights": weights,
            "validation_bleu": bleu,
            "progress": asdict(self.progress),
        }
        save_atomically(values, self.folder.weights)

    # ---- checkpoints --------------------------------------------------------------------------------------------

    def _save(self) -> None:
        values = {
            "recipe": self.recipe.model_dump(),
            "model": self.model.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "recent": self.recent,
            "random": torch.get_rng_state(),
            "progress": asdict(self.progress),
        }
        save_atomically(values, self.folder.checkpoint)

    def _restore(self, values: dict[str, Any]) -> None:
        self.model.load_state_dict(values["model"])
        self.optimiser.load_state_dict(values["optimiser"])
        self.recent = values["recent"]
        torch.set_rng_state(values["random"])
        self.progress = Progress(**values["progress"])

    # ---- small parts --------------------------------------------------------------------------------------------

    def _autocast(self) -> contextlib.AbstractContextManager[Any]:
        return torch.autocast("cpu", dtype=self.dtype) if self.dtype else contextlib.nullcontext()

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
        if self.progress.train_losses:
            bar.set_postfix(loss=f"{self.progress.train_losses[-1][1]:.3f}", refresh=False)

    @contextlib.contextmanager
    def _stoppable(self) -> Iterator[None]:
        """Let SIGINT and SIGTERM end the run after the current step, with a checkpoint."""

        def ask(_: int, __: FrameType | None) -> None:
            self.stop_asked = True

        before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
