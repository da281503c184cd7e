"""What a text is cut into, see `segments.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from model_store.contract.tokenizer import Span
from service.text.formats.markup import Mark
from service.text.formats.quoting import DELIMITERS, in_quotes
from service.text.spans.normalise import NormalisedText


@dataclass(frozen=True, slots=True)
class TextSegment:
    """One piece of a text to translate: `start`..`end` are its code points in the whole text."""

    text: str
    start: int
    end: int
    normalised: NormalisedText
    """What the tokenizer gets, with placeholders for what is protected; its offsets count from `start`."""
    token_ids: tuple[int, ...]
    """Subword ids of the normalised text; at least one."""
    spans: Sequence[Span] | None
    """What each subword covers of the normalised text; None when nobody asked."""
    copies: tuple[tuple[str, str], ...] = ()
    """Each placeholder and the text that it stands for."""
    marks: tuple[Mark, ...] = ()
    """Marks of Markdown inside the text, which the tokenizer does not get."""
    in_capitals: bool = False
    """Whether the text is in capitals, which the tokenizer gets in lower case."""
    is_decapitalised: bool = False
    """Whether the tokenizer gets a small first letter for a capital."""
    has_full_stop: bool = False
    """Whether the tokenizer gets a full stop that the text has not."""
    has_added_marks: bool = False
    """Whether the tokenizer gets quotation marks that the text has not, see `controls.py`."""
    goes_on: bool = False
    """Whether it is a later part of a sentence, so that a capital of it need not come out as one."""
    is_introduced: bool = False
    """Whether it is a main clause behind the first part of its sentence, a clause with *when*, *if* and the like."""
    quote: str = ""
    """The quotation mark of a file of strings that it stands in, see `strings.py`, so that its own are escaped."""
    before: str = ""
    """What stands before it in a short text."""


@dataclass(frozen=True, slots=True)
class SegmentedText:
    """A text and its segments, in order. What lies between them is copied, not translated."""

    text: str
    segments: tuple[TextSegment, ...]

    def gaps(self) -> list[str]:
        """The text before, between and behind the segments: one more than there are segments."""
        ends = [0, *(s.end for s in self.segments)]
        starts = [*(s.start for s in self.segments), len(self.text)]
        return [self.text[end:start] for end, start in zip(ends, starts, strict=True)]

    def join(self, parts: Sequence[str]) -> tuple[str, list[int]]:
        """The text with `parts` in place of its segments, and where each part starts in it."""
        if len(self.segments) == len(parts) == 1 and self.segments[0].quote not in DELIMITERS:
            only = self.segments[0]
            return self.text[: only.start] + parts[0] + self.text[only.end :], [only.start]
        gaps = in_quotes(self.gaps(), parts, [segment.quote for segment in self.segments])
        pieces = [gaps[0], *(piece for pair in zip(parts, gaps[1:], strict=True) for piece in pair)]
        starts = list(accumulate((len(piece) for piece in pieces), initial=0))
        return "".join(pieces), starts[1 : 2 * len(parts) : 2]
