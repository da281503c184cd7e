"""The wire models of what clients post. Their docstrings are the reference that GET /openapi.json shows."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from model_store.contract.formality import Formality
from service.exchanged import AttentionOptions
from service.messages import SearchOptions

WIRE = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True)

Text = Annotated[str, Field()]
Count = Annotated[int, Field(ge=1, le=1000)]
Language = Annotated[str, Field(min_length=1, max_length=35)]
Reference = Annotated[str, Field(min_length=1, max_length=128)]
"""`name`, `name@version` or `name@label` of a model."""
SEARCH, MAP = SearchOptions(), AttentionOptions()
"""The defaults of a request are those of the engine and of the reader of maps."""
FEWEST_COMPARED, MOST_COMPARED = 2, 8
"""Models in a comparison."""


class AttentionBody(BaseModel):
    """Which attention maps to return."""

    model_config = WIRE

    level: Literal["word", "token"] = MAP.level
    """`word`: subwords are summed over what is looked at and averaged over what looks, so that rows that sum to 1 still
    do. `token`: the model's own subwords."""
    layer: Count | Literal["default", "all"] = MAP.layer
    """Layer, counted from 1 at the bottom; `default` is the bundle's alignment layer, and the top layer of encoder and
    decoder."""
    head: Count | Literal["mean", "default", "all"] = MAP.head
    """Head within the layer, counted from 1; `mean` averages the layer's heads; `default` is the bundle's choice."""
    kind: Literal["cross", "encoder", "decoder"] = MAP.kind
    """`cross` is target over source, `encoder` the source over itself, `decoder` the target over what was written. What
    a bundle does not export is refused, with the list of what it does."""


def attention_options(attention: bool | AttentionBody) -> AttentionOptions | None:
    """Which maps to make; None when attention was not asked for."""
    if isinstance(attention, bool):
        return AttentionOptions() if attention else None
    return AttentionOptions(level=attention.level, layer=attention.layer, head=attention.head, kind=attention.kind)


class OptionsBody(BaseModel):
    """How to translate, and what to return."""

    model_config = WIRE

    beam_size: Annotated[int, Field(ge=1, le=16)] = SEARCH.beam_size
    """Hypotheses kept alive; 1 is greedy."""
    length_penalty: Annotated[float, Field(ge=0, le=2)] = SEARCH.length_penalty
    """alpha of Wu et al. 2016, equation 14; 0 turns it off."""
    coverage_penalty: Annotated[float, Field(ge=0, le=2)] = SEARCH.coverage_penalty
    """beta of the same equation: a hypothesis that leaves source words without attention scores less. 0 turns it off;
    a model without attention refuses it."""
    num_alternatives: Annotated[int, Field(ge=0, le=15)] = SEARCH.num_hypotheses - 1
    """Further hypotheses for each text, best first by the search's length-normalised score; at most beam_size - 1. An
    empty or blank text has none, blank being also one of invisible characters only."""
    max_output_tokens: Annotated[int, Field(ge=1, le=100_000)] | None = SEARCH.max_output_tokens
    """Target tokens per segment, end token included; null derives it from the source's length."""
    min_output_tokens: Annotated[int, Field(ge=0, le=100_000)] = SEARCH.min_output_tokens
    """Target tokens per segment, end token included, that each translation has at least; at most max_output_tokens."""
    attention: bool | AttentionBody = False
    """Whether to return attention maps and alignments: false, true (the same as `{"level": "word"}`) or an object."""
    signals: bool = False
    """Whether to return what tells of a translation's worth: confidence, lowest log-probability, entropy of attention,
    source words that nobody looked at, repetition, lost copies; and warnings that follow from them."""
    utf16: bool = False
    """Whether `start` and `end` count UTF-16 units, as browsers and Java do, instead of code points."""
    formality: Formality | None = None
    """How French and German address the reader: `formal` is *vous* and *Sie*, `informal` *tu* and *du*. null leaves it
    to the model, but all sentences of a text get the same. A model that has not learnt it (see `/v1/models`) answers
    with its best hypothesis of the kind, if it finds one. Other languages refuse the field."""
    locale_numbers: bool = False
    """Whether numbers take the separators of the target language where that is certain: 1,249.99 becomes 1 249,99 in
    French. Otherwise they stay digit for digit."""

    @property
    def search_options(self) -> SearchOptions:
        """How to search."""
        return SearchOptions(
            beam_size=self.beam_size,
            length_penalty=self.length_penalty,
            coverage_penalty=self.coverage_penalty,
            num_hypotheses=self.num_alternatives + 1,
            max_output_tokens=self.max_output_tokens,
            min_output_tokens=self.min_output_tokens,
        )


class TextsBody(BaseModel):
    """What to translate, and by which model."""

    model_config = WIRE

    text: Text | Annotated[list[Text], Field(min_length=1, fail_fast=True)]
    """One text or a list of texts; by default at most 128 texts of at most 5,000 characters (Unicode code points)
    each. A text may hold many sentences and lines; its line breaks and spaces between sentences are kept, and so are
    addresses, code, tags of HTML and marks of Markdown. An empty or blank text translates to itself."""
    source: Language | None = None
    """Language code of the texts, for example `en`. With `target` it picks the pair's default model."""
    target: Language | None = None
    """Language code to translate into, for example `fr`."""
    model: Reference | None = None
    """`name`, `name@version` or `name@label`; null is the default model of the language pair."""
    target_prefix: Text | list[Text] | None = None
    """What each translation begins with: one string for all texts, or a list with one for each, empty for none; at most
    500 characters each. The first segment of a text begins with it, and its last word may go on. Its tokens have a
    log-probability of 0."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, in order."""
        return (self.text,) if isinstance(self.text, str) else tuple(self.text)

    @property
    def num_characters(self) -> int:
        """Code points of all texts."""
        return sum(map(len, self.texts))

    @property
    def target_prefixes(self) -> tuple[str, ...]:
        """One for each text; none at all when none was given."""
        given = self.target_prefix
        if given is None:
            return ()
        return (given,) * len(self.texts) if isinstance(given, str) else tuple(given)


class TranslateBody(OptionsBody, TextsBody):
    """A request to translate."""

    stream: bool = False
    """Whether to answer text by text, as server-sent events (`text/event-stream`): a `translation` for each text, in
    the order in which they are done; then `done`, or `error` with a problem. A stream without `done` is not whole."""


class PairBody(BaseModel):
    """A text and a translation of it."""

    model_config = WIRE

    text: Text
    """The source; it may hold many sentences."""
    translation: Text
    """Its translation. Sentences are paired in their order; where their numbers differ, the texts are one pair."""


class ScoreBody(BaseModel):
    """Translations to score."""

    model_config = WIRE

    pairs: Annotated[list[PairBody], Field(min_length=1)]
    """By default at most 128 pairs, whose texts have at most 5,000 characters (Unicode code points) each."""
    model: Reference | None = None
    """`name`, `name@version` or `name@label`; null is the default model of the language pair."""
    source: Language | None = None
    """Language code of the texts, for example `en`. With `target` it picks the pair's default model."""
    target: Language | None = None
    """Language code of the translations, for example `fr`."""
    attention: bool | AttentionBody = False
    """Whether to return attention maps and alignments: false, true (the same as `{"level": "word"}`) or an object."""
    utf16: bool = False
    """Whether `start` and `end` count UTF-16 units, as browsers and Java do, instead of code points."""

    @property
    def num_characters(self) -> int:
        """Code points of all texts and translations."""
        return sum(len(pair.text) + len(pair.translation) for pair in self.pairs)


class ComparedBody(BaseModel):
    """What to compare, and which models."""

    model_config = WIRE

    text: Text
    """One text, at most 5,000 characters (Unicode code points) by default."""
    models: Annotated[list[Reference], Field(min_length=FEWEST_COMPARED, max_length=MOST_COMPARED)]
    """`name`, `name@version` or `name@label` of 2 to 8 models."""
    source: Language | None = None
    """Language code of the texts, for example `en`. Every model must translate it."""
    target: Language | None = None
    """Language code to translate into, for example `fr`."""
    translation: Text | None = None
    """A translation that all models score and map, so that nothing is searched and no option of the search counts;
    null: each writes its own."""
    target_prefix: Text | None = None
    """What each translation begins with, at most 500 characters."""


class CompareBody(OptionsBody, ComparedBody):
    """One text through several models. One without any attention has no maps in its answer."""

    @property
    def num_characters(self) -> int:
        """Code points of the text and of a given translation, for each model."""
        return (len(self.text) + len(self.translation or "")) * len(self.models)

    def translation_by(self, model: str) -> TranslateBody:
        """The same request to one `model`."""
        values = self.model_dump(exclude={"models", "translation", "attention"})
        return TranslateBody.model_construct(**values, model=model, attention=self.attention)


EXPECTED = {
    "text": "must be a string, or a list of one or more strings",
    "source": "must be a language code of 1 to 35 characters",
    "target": "must be a language code of 1 to 35 characters",
    "model": "must be `name` or `name@version`, 1 to 128 characters",
    "beam_size": "must be a whole number from 1 to 16",
    "length_penalty": "must be a number from 0 to 2",
    "coverage_penalty": "must be a number from 0 to 2",
    "num_alternatives": "must be a whole number from 0 to beam_size - 1",
    "max_output_tokens": "must be a whole number from 1 to 100000, or null",
    "min_output_tokens": "must be a whole number from 0 to max_output_tokens, at most 100000",
    "pairs": "must be a list of one or more objects with `text` and `translation`",
    "pairs.text": "must be a string",
    "pairs.translation": "must be a string",
    "models": "must be a list of 2 to 8 names of models",
    "translation": "must be a string or null",
    "target_prefix": "must be a string, a list of as many strings as there are texts, or null",
    "attention": "must be false, true or an object",
    "signals": "must be true or false",
    "stream": "must be true or false",
    "utf16": "must be true or false",
    "formality": "must be `formal`, `informal` or null",
    "locale_numbers": "must be true or false",
    "attention.level": "must be `word` or `token`",
    "attention.layer": "must be a layer counted from 1, `default` or `all`",
    "attention.head": "must be a head counted from 1, `mean`, `default` or `all`",
    "attention.kind": "must be `cross`, `encoder` or `decoder`",
}
"""What each field takes, in words; a test proves that none is missing."""

EXPECTED_OF_ONE = {"text": "must be a string", "target_prefix": "must be a string or null"}
"""The same of a comparison, where it differs: it has one text."""
