"""From a recipe to what the loop needs: pairs of ids, tokenizer, network."""

from __future__ import annotations

from pathlib import Path

import torch

from model_store.architectures import architecture
from model_store.architectures.base import Architecture
from model_store.contract.formality import FORMALITY_MARKS, MARKED_LANGUAGES
from model_store.contract.placeholders import PLACEHOLDERS
from model_store.contract.quotation import with_own_quotation_marks
from model_store.contract.spaced_signs import spaced
from model_store.contract.tokenizer import Tokenizer
from model_store.data.batching import TokenPairs
from model_store.data.corpus import NOTHING, Columns, CorpusError, ParallelText, read_parallel
from model_store.data.frames import read_frames
from model_store.data.sentences import read_sentences
from model_store.data.vocabulary import train_vocabulary
from model_store.training.finished import FinishedRun
from model_store.training.folder import RunFolder
from model_store.training.guidance import guided_indices
from model_store.training.recipe import Recipe, RecipeError


def read_data(recipe: Recipe, data: Path) -> tuple[ParallelText, ParallelText]:
    """The training pairs, last of them those of `written_sentences`, and the validation pairs. Raises CorpusError."""
    if not recipe.data.train:
        raise CorpusError(f"data.train of {recipe.name} is empty: name a file to train on")
    columns = Columns(recipe.data.source_column, recipe.data.target_column)
    train = read_parallel(data / recipe.data.train, columns) + written_sentences(recipe)
    valid = read_parallel(data / recipe.data.valid, columns).head(recipe.training.num_validation_sentences)
    if recipe.vocabulary.spaced_signs:
        train, valid = (_with_own_quotation_marks(text, recipe) for text in (train, valid))
    return train, valid


def _with_own_quotation_marks(text: ParallelText, recipe: Recipe) -> ParallelText:
    return ParallelText(
        [with_own_quotation_marks(line, recipe.source) for line in text.sources],
        [with_own_quotation_marks(line, recipe.target) for line in text.targets],
    )


def written_sentences(recipe: Recipe) -> ParallelText:
    """The sentences of `sentences.tsv` and the frames that a recipe trains on beside its corpus."""
    languages, part = (recipe.source, recipe.target), recipe.variation
    sentences = read_sentences(languages) if part is not None and part.sentences > 0 else NOTHING
    return sentences + (read_frames(languages) if part is not None and part.signs > 0 else NOTHING)


def prepare_tokenizer(recipe: Recipe, train: ParallelText, folder: RunFolder) -> Tokenizer:
    """The run's tokenizer, trained on both sides of the training pairs the first time. Raises RecipeError."""
    if not folder.tokenizer.exists():
        try:
            model = _vocabulary(recipe, train)
        except RuntimeError as error:
            raise RecipeError(f"vocabulary.size {recipe.vocabulary.size} does not fit the text: {error}") from error
        partial = folder.tokenizer.with_suffix(".partial")
        partial.write_bytes(model)
        partial.replace(folder.tokenizer)
    return Tokenizer(folder.tokenizer.read_bytes(), recipe.vocabulary.spaced_signs)


def take_over_vocabulary(recipe: Recipe, start: FinishedRun, folder: RunFolder) -> None:
    """Give a new run the vocabulary of the model that it begins with.

    Raises RecipeError when that translates other languages or is another network.
    """
    before = start.recipe
    if (before.source, before.target) != (recipe.source, recipe.target):
        raise RecipeError(f"{start.name} translates {before.source}-{before.target}, the recipe other languages")
    wanted = build_model(recipe, start.tokenizer.vocabulary_size)
    if not _extends(wanted, start.model):
        raise RecipeError(f"{start.name} is another network than the recipe's [model]; copy that of its own recipe")
    folder.tokenizer.write_bytes(start.tokenizer_model)


def _extends(wanted: Architecture, start: Architecture) -> bool:
    """Whether `wanted` is `start`'s network, or that with some of its `extensions` turned on."""
    before, after = start.network_values(), wanted.network_values()
    different = {name for name in after if before.get(name) != after[name]}
    return type(wanted) is type(start) and all(name in wanted.extensions and not before[name] for name in different)


def _vocabulary(recipe: Recipe, train: ParallelText) -> bytes:
    """Both sides of the pairs; with variation also in lower case, with placeholders and marks."""
    text = [*train.sources, *train.targets]
    varied = recipe.variation is not None
    if varied:
        text += [line.lower() for line in text]
    if recipe.vocabulary.spaced_signs:
        text = [spaced(line)[0] for line in text]
    signs = PLACEHOLDERS if varied else ""
    if recipe.variation is not None and recipe.variation.formality and recipe.target in MARKED_LANGUAGES:
        signs += "".join(FORMALITY_MARKS.values())
    return train_vocabulary(text, recipe.vocabulary.size, recipe.training.seed, signs)


def encode_pairs(tokenizer: Tokenizer, text: ParallelText) -> TokenPairs:
    """Both sides of parallel text as ids."""
    return TokenPairs(tokenizer.encode_batch(text.sources), tokenizer.encode_batch(text.targets))


def training_pairs(tokenizer: Tokenizer, text: ParallelText, max_tokens: int) -> TokenPairs:
    """The pairs of at most `max_tokens` a side, as ids. Raises CorpusError when none is left."""
    pairs = encode_pairs(tokenizer, text).shorter_than(max_tokens)
    if not len(pairs):
        raise CorpusError(
            f"every one of {len(text)} pairs has more than {max_tokens} tokens; raise max_sentence_tokens"
        )
    return pairs


def build_model(recipe: Recipe, vocabulary_size: int) -> Architecture:
    """A freshly initialised network of the recipe's architecture and configuration. Raises RecipeError."""
    try:
        return architecture(recipe.architecture).from_config({"vocabulary_size": vocabulary_size, **recipe.model})
    except KeyError as error:
        raise RecipeError(str(error.args[0])) from error
    except ValueError as error:
        raise RecipeError(f"model: {error}") from error


def check_network(recipe: Recipe, vocabulary_size: int) -> None:
    """Raise RecipeError unless the recipe's network can be built, has the guided heads and takes the longest pairs."""
    model = build_model(recipe, vocabulary_size)
    if recipe.guided is not None:
        guided_indices(recipe.guided.heads, model.attention_slices())
    longest = recipe.training.max_sentence_tokens
    for side, most in (("source", model.max_source_length), ("target", model.max_length)):
        if most is not None and longest + 1 > most:
            raise RecipeError(
                f"training.max_sentence_tokens is {longest}, but a {side} of this network has at most {most} tokens "
                f"with the end token; lower it to {most - 1}"
            )


def use_threads(num_threads: int) -> None:
    """Let torch compute on that many threads from now on."""
    torch.set_num_threads(num_threads)


def device_name(device: torch.device) -> str:
    """A GPU's own name, such as `NVIDIA H200`; else the device's kind, `cpu`."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def default_device() -> torch.device:
    """A CUDA device where torch sees one, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
