"""Words that a client wants translations to begin with, as subwords of the first segment's search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from model_store.contract.tokenizer import Tokenizer
from service.exchanged import TranslationRequest
from service.messages import SearchOptions
from service.text.segmented import SegmentedText, TextSegment
from service.text.spans.normalise import normalise


class Prefixes:
    """Reads the prefixes of requests with one model's tokenizer."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def searches(self, request: TranslationRequest, texts: Sequence[SegmentedText]) -> list[SearchOptions]:
        """How each segment of all texts is searched: the first one of a text begins with the text's prefix."""
        searches = [request.search] * sum(len(text.segments) for text in texts)
        firsts = accumulate((len(text.segments) for text in texts), initial=0)
        for prefix, text, first in zip(request.target_prefixes, texts, firsts, strict=False):
            if prefix and text.segments:
                read = self.read(prefix, text.segments[0])
                searches[first] = replace(request.search, target_prefix=read)
        return searches

    def read(self, text: str, segment: TextSegment | None = None) -> tuple[int, ...]:
        """The subwords of a prefix; copies of its `segment` are placeholders in it, as the model writes them."""
        text = "".join(character for character in text if character not in self._tokenizer.placeholders)
        if segment is not None and segment.in_capitals:
            text = text.capitalize()
        for sign, copy in segment.copies if segment else ():
            text = text.replace(copy, sign)
        return tuple(self._tokenizer.encode(normalise(text).text))
