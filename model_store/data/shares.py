"""How often training pairs take another form, as recipes say it: see `variation.py`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class VariationPart(BaseModel):
    """How often training pairs take another form; each is a share of the pairs of an epoch, 0 to 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    joined: float = Field(default=0.25, ge=0, le=1)
    """Pairs joined, 2 to 8 at a time, up to 80 words; terms, which are short and end without a sign, are left alone."""
    exchanged: float = Field(default=0.25, ge=0, le=1)
    """Pairs in which names, numbers or words give way to names, numbers, codes or placeholders drawn by chance. A term
    keeps its words; such a thing is put beside it."""
    placeholder: float = Field(default=0.35, ge=0, le=1)
    """Of what is put in, the share that is placeholders."""
    unpunctuated: float = Field(default=0.2, ge=0, le=1)
    """Pairs without their final punctuation."""
    capitalised: float = Field(default=0.5, ge=0, le=1)
    """Of pairs that begin in lower case, as terms do, those that get a capital on both sides."""
    lower: float = Field(default=0.12, ge=0, le=1)
    """Pairs whose source is in lower case; the target loses its first capital only."""
    title: float = Field(default=0.03, ge=0, le=1)
    """Pairs whose source words all begin with a capital."""
    wrapped: float = Field(default=0.05, ge=0, le=1)
    """Pairs in quotes, brackets, or behind a bullet."""
    mistyped: float = Field(default=0.04, ge=0, le=1)
    """Pairs with a typing mistake or a lost apostrophe in the source."""
    shouted: float = Field(default=0.02, ge=0, le=1)
    """Pairs with a word in capitals on both sides."""
    formality: float = Field(default=0.3, ge=0, le=1)
    """Of pairs whose French or German side says *tu* or *vous*, *du* or *Sie*, those whose source ends with a mark of
    it, see `model_store/contract/formality.py`."""
    phrases: float = Field(default=0.3, ge=0, le=1)
    """Single words and short phrases beside the pairs, as many as this share of them."""
    lists: float = Field(default=0.03, ge=0, le=1)
    """Lists of such phrases beside the pairs."""
    dates: float = Field(default=0.03, ge=0, le=1)
    """Dates beside the pairs, alone or in one of them, their months and days of the week in words."""
    letters: float = Field(default=0.02, ge=0, le=1)
    """Beginnings and ends of letters beside the pairs, alone or with one of them."""
    labels: float = Field(default=0.02, ge=0, le=1)
    """Labels of programs and signs beside the pairs."""
    messages: float = Field(default=0.02, ge=0, le=1)
    """Sentences of programs, shops and e-mails beside the pairs."""
    things: float = Field(default=0.02, ge=0, le=1)
    """Things that corpora hardly speak of, such as batteries and invoices, alone or in a sentence."""
    places: float = Field(default=0.01, ge=0, le=1)
    """Countries, cities and languages, alone or in a sentence."""
    signs: float = Field(default=0.05, ge=0, le=1)
    """Pairs with quotation marks, brackets or slashes inside, beside the pairs: of pairs and of `frames.tsv`."""
    sentences: int = Field(default=0, ge=0)
    """How often each sentence of `sentences.tsv` stands among the pairs of an epoch; 0 trains without them."""
    terms: int = Field(default=0, ge=0)
    """How often instead, where a text of that file has at most four words and signs; 0: like a sentence."""
    long_sentences: int = Field(default=0, ge=0)
    """How often instead, where a text of that file has at least 25 words and signs; 0: like a sentence."""
    newest: int = Field(default=0, ge=0)
    """How many of the last lines of that file are drawn `newest_factor` times as often: those that a model which a run
    goes on from does not know."""
    newest_factor: int = Field(default=3, ge=1)
