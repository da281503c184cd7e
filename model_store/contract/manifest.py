"""What a bundle promises: the manifest.

The manifest names every tensor, its dtype and its axes, so that nobody parses tensor names and no loop asks which
architecture it runs.
"""

from __future__ import annotations

from typing import Any, Final, Literal, Self, get_args

from pydantic import Field, model_validator

from model_store.contract.parts import (
    Alignment,
    Confidence,
    FileDigest,
    LeftoverLinks,
    Links,
    Part,
    Quality,
    SliceQuality,
    TokenizerSettings,
    Training,
)
from model_store.contract.state import AttentionSlice, Axis, DType, Lifetime, StateSpec

CONTRACT_VERSION: Final = 12
"""The contract version that this release writes."""
ContractVersion = Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
OPENED_VERSIONS: Final[tuple[int, ...]] = get_args(ContractVersion)
"""Those that it opens; version 3 has no `links`, before version 5 every bundle has attention, before version 6 none has
a teacher-forced graph, before version 7 none has known words, before version 8 default maps have no `shift`, before
version 9 no tokenizer spaces signs, before version 10 none says on what it was trained, before version 11 none has
marks of formality, and before version 12 every tokenizer has its own character map."""

MANIFEST_FILE = "manifest.json"
ENCODER_FILE = "encoder.onnx"
DECODER_FILE = "decoder_step.onnx"
TEACHER_FORCED_FILE = "teacher_forced.onnx"
SHARED_FILE = "shared.bin"
KNOWN_WORDS_FILE = "known_words.bin"


class TensorSpec(Part):
    """One input or output of a graph."""

    name: str = Field(min_length=1)
    dtype: DType
    axes: tuple[Axis, ...]
    """Named axes (B, R, S, T, ...) and fixed sizes, row axis first."""


class StateTensors(StateSpec):
    """A state array and the tensors that carry it through the graphs."""

    encoder_output: str | None = None
    """Encoder output that is its first value; None for growing arrays, which start empty."""
    step_input: str
    """Decoder input that takes it."""
    step_output: str | None = None
    """Decoder output that is its next value; None for static arrays."""

    @model_validator(mode="after")
    def _lifetime_fits(self) -> Self:
        if (self.encoder_output is None) != (self.lifetime is Lifetime.GROWING):
            raise ValueError(f"state {self.name}: growing arrays, and only they, have no encoder_output")
        if (self.step_output is None) != (self.lifetime is Lifetime.STATIC):
            raise ValueError(f"state {self.name}: static arrays, and only they, have no step_output")
        if self.lifetime is Lifetime.GROWING and "T" not in self.axes:
            raise ValueError(f"state {self.name}: a growing array needs a T axis")
        return self


class SharedStretch(Part):
    """Bytes of a graph that are stored in the bundle's shared file, because other graphs have them too."""

    at: int = Field(ge=0)
    """Where they begin in the whole graph, in bytes."""
    start: int = Field(ge=0)
    """Where they begin in the shared file."""
    size: int = Field(gt=0)


class Graph(Part):
    """One ONNX graph: every tensor it takes and gives."""

    file: str
    shared: tuple[SharedStretch, ...] = ()
    """What is missing in the file, by ascending place in the whole graph; see `model_store/contract/sharing.py`."""
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]


class DecoderGraph(Graph):
    """The decoder step, with the roles of its outputs that are not state.

    `source_mask` and static arrays have B segments on their first axis, everything else R rows. B divides R, and row r
    belongs to segment r // (R / B).
    """

    logits: str
    """Output [R, V] that ranks the next token. Not normalised: a row's log-probabilities are its logits less the
    logarithm of the sum of their exponentials, which the caller computes."""
    attention: str | None
    """Output [R, A, S] of attention weights, one slice each entry of `attention_slices`; None for an architecture that
    has none."""


class TeacherForcedGraph(Graph):
    """The third graph: a whole target at once, for scores, alignments and maps of translations that exist already.

    It takes `source_ids` and `source_mask` [B, S], and `target_ids` [B, T], each row with its end token last; behind it
    is padding, whose results mean nothing. The graph puts the begin token in front itself.
    """

    log_probs: str
    """Output [B, T]: log-probability of each target token, given those before it and the source."""
    attention: str | None
    """Output [B, A, T, S], the same slices as the decoder step's; None without attention."""
    encoder_attention: str | None = None
    """Output [B, E, S, S] of the source's attention over itself; None without."""
    decoder_attention: str | None = None
    """Output [B, D, T, T] of the decoder's attention over its own steps; column j is the step that read token j - 1,
    column 0 the one that read the begin token. None without."""
    encoder_slices: tuple[AttentionSlice, ...] = ()
    """Layer and head of each of the E."""
    decoder_slices: tuple[AttentionSlice, ...] = ()
    """Layer and head of each of the D."""


class SpecialTokens(Part):
    """Ids with a meaning of their own."""

    pad: int = Field(ge=0)
    begin: int = Field(ge=0)
    end: int = Field(ge=0)
    unknown: int = Field(ge=0)


class Limits(Part):
    """The longest input and output that the graphs were made for, in tokens, end token included; and long sentences."""

    max_source_tokens: int = Field(gt=0)
    max_target_tokens: int = Field(gt=0)
    most_words: int = Field(default=30, ge=0)
    """Source sentences of more words are translated in parts, cut at clauses; 0 for a model that needs none of it."""


class Manifest(Part):
    """The whole promise of one bundle."""

    contract_version: ContractVersion
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    version: str = Field(pattern=r"^[0-9]{1,9}$")
    """A whole number; the highest is the newest."""
    source: str = Field(pattern=r"^[a-z]{2,3}$")
    target: str = Field(pattern=r"^[a-z]{2,3}$")
    architecture: str = Field(min_length=1)
    paper: str
    configuration: dict[str, Any]
    """The architecture's own sizes; for people, no program reads them."""
    num_parameters: int = Field(gt=0)
    precision: Literal["float32", "int8"]
    licence: str
    """Licence of the weights."""
    special_tokens: SpecialTokens
    limits: Limits
    tokenizer: TokenizerSettings
    encoder: Graph
    decoder_step: DecoderGraph
    teacher_forced: TeacherForcedGraph | None = None
    """None: the bundle cannot score a translation, and its only maps are those of the decoder step."""
    shared_file: str | None = None
    """Weights that several graphs have, stored once; None: each graph file is whole."""
    state: tuple[StateTensors, ...]
    attention_slices: tuple[AttentionSlice, ...]
    """Empty for an architecture without attention."""
    alignment: Alignment | None
    """The map that is shown by default; None without attention."""
    links: Links | None = None
    """Where alignments come from; None: from that map."""
    slice_quality: tuple[SliceQuality, ...] = ()
    confidence: Confidence | None = None
    """None: answers have no confidence."""
    known_words_file: str | None = None
    """The source words of the training text, see `model_store/contract/known_words.py`; None: nobody knows."""
    training: Training
    quality: tuple[Quality, ...] = ()
    files: dict[str, FileDigest]
    """Every file of the bundle but the manifest."""

    @property
    def reference(self) -> str:
        """`name@version`."""
        return f"{self.name}@{self.version}"

    @property
    def size_bytes(self) -> int:
        """Of all files but the manifest."""
        return sum(file.size_bytes for file in self.files.values())

    @property
    def default_slices(self) -> tuple[int, ...]:
        """The slices that the default map is the mean of; () without attention."""
        shown = self.alignment
        if shown is None:
            return ()
        numbered = enumerate(self.attention_slices)
        return tuple(i for i, s in numbered if s.layer == shown.layer and shown.head in ("mean", s.head))

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        faults = [*self._tensor_faults(), *self._axis_faults(), *self._file_faults(), *self._alignment_faults()]
        if faults:
            raise ValueError("; ".join(faults))
        return self

    def _tensor_faults(self) -> list[str]:
        encoder_outputs = {t.name for t in self.encoder.outputs}
        step_inputs = {t.name for t in self.decoder_step.inputs}
        step_outputs = {t.name for t in self.decoder_step.outputs}
        wanted = [(s.encoder_output, encoder_outputs, "encoder outputs") for s in self.state]
        wanted += [(s.step_input, step_inputs, "decoder inputs") for s in self.state]
        wanted += [(s.step_output, step_outputs, "decoder outputs") for s in self.state]
        wanted += [
            (n, step_outputs, "decoder outputs") for n in (self.decoder_step.logits, self.decoder_step.attention)
        ]
        wanted += [(n, {t.name for t in self.encoder.inputs}, "encoder inputs") for n in ("source_ids", "source_mask")]
        wanted += [(n, step_inputs, "decoder inputs") for n in ("token_ids", "position", "source_mask")]
        wanted += self._forced_tensors()
        return [
            f"tensor {name} is not among the {where}" for name, known, where in wanted if name and name not in known
        ]

    def _forced_tensors(self) -> list[tuple[str | None, set[str], str]]:
        """Names of tensors, the tensors that the third graph has, and their kind."""
        graph = self.teacher_forced
        if graph is None:
            return []
        inputs, outputs = {t.name for t in graph.inputs}, {t.name for t in graph.outputs}
        given = (graph.log_probs, graph.attention, graph.encoder_attention, graph.decoder_attention)
        taken = ("source_ids", "source_mask", "target_ids")
        return [
            *((name, inputs, "teacher-forced inputs") for name in taken),
            *((name, outputs, "teacher-forced outputs") for name in given),
        ]

    def _axis_faults(self) -> list[str]:
        shared = {"source_mask", *(s.step_input for s in self.state if s.lifetime is Lifetime.STATIC)}
        faults = [
            f"decoder input {t.name} must have {'segments, B,' if t.name in shared else 'rows, R,'} on its first axis"
            for t in self.decoder_step.inputs
            if t.axes[:1] != ("B" if t.name in shared else "R",)
        ]
        outputs = {t.name: t.axes for t in self.decoder_step.outputs}
        wanted = [(self.decoder_step.logits, -1, self.tokenizer.vocabulary_size, "tokenizer.vocabulary_size")]
        if self.decoder_step.attention is not None:
            wanted.append(
                (self.decoder_step.attention, 1, len(self.attention_slices), "the number of attention_slices")
            )
        for name, axis, size, where in wanted:
            axes = outputs.get(name, ())
            if len(axes) > 1 and isinstance(axes[axis], int) and axes[axis] != size:
                faults.append(f"decoder output {name} has {axes[axis]} on axis {axis}, but {where} is {size}")
        return faults

    def _file_faults(self) -> list[str]:
        forced = self.teacher_forced.file if self.teacher_forced is not None else None
        own = (self.encoder.file, self.decoder_step.file, self.tokenizer.file)
        wanted = (*own, forced, self.shared_file, self.known_words_file)
        return [f"{name} is not listed under files" for name in wanted if name is not None and name not in self.files]

    def _alignment_faults(self) -> list[str]:
        slices = {(s.layer, s.head) for s in self.attention_slices} | {(s.layer, "mean") for s in self.attention_slices}
        has_slices, has_output = bool(slices), self.decoder_step.attention is not None
        forced = self.teacher_forced
        if forced is not None and (forced.attention is not None) != has_slices:
            return ["teacher_forced.attention: the third graph has the maps of the decoder step, or neither has any"]
        if not has_slices == has_output == (self.alignment is not None):
            return ["attention_slices, decoder_step.attention and alignment: a bundle has all of them, or none"]
        named: list[tuple[str, Alignment | Links | LeftoverLinks]] = []
        named += [("alignment", self.alignment)] if self.alignment else []
        named += [("links", self.links)] if self.links else []
        if self.links and self.links.leftover:
            named.append(("links.leftover", self.links.leftover))
        return [
            f"{field}: layer {chosen.layer} head {chosen.head} is no attention slice"
            for field, chosen in named
            if (chosen.layer, chosen.head) not in slices
        ]
