"""The search of many segments at once, K hypotheses each: beam search, which is greedy search for K = 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.memory import enlarged
from service.messages import FinishReason, Hypothesis, SearchOptions, Segment
from service.search.attention import AttentionLog
from service.search.filters import VIEW, filter_addresses, wanted_filters
from service.search.kernel import advance, trace
from service.search.records import CONTINUATION, FILTER_NUMBERS, FINISHED, ROW, SLOT, STEP, Searches

_FIRST_SLOTS, _FIRST_STEPS = 8, 32
"""Room at the start."""


class Search:
    """B segments with K rows each; segment b lies in slot b and has the rows b K to b K + K - 1."""

    def __init__(
        self,
        beam_size: int,
        begin_id: int,
        end_id: int,
        max_target_tokens: int,
        coverage_slices: Sequence[int] = (),
    ) -> None:
        """The ids, the limit of target tokens, end token included, and the slices of attention whose mean tells what a
        hypothesis has covered are the model's."""
        self._beam_size, self._end_id, self._max_target_tokens = beam_size, end_id, max_target_tokens
        self._coverage_slices = np.array(coverage_slices, np.int64)
        self.needs_single_steps = False
        """Whether a choice needs the attention of every step before it: some segment has a coverage penalty."""
        self.num_slots = 0
        """B."""
        self._slots = np.zeros(_FIRST_SLOTS, SLOT)
        self._rows = np.zeros((_FIRST_SLOTS, beam_size), ROW)
        self._steps = np.zeros((_FIRST_SLOTS, _FIRST_STEPS, beam_size), STEP)
        self._finished = np.zeros((_FIRST_SLOTS, 3 * beam_size), FINISHED)
        self._parents = np.zeros((_FIRST_SLOTS, beam_size), np.int64)
        self._found = np.zeros(2 * beam_size, CONTINUATION)
        self._places = np.arange(_FIRST_SLOTS * beam_size)
        self._first_rows = np.full(beam_size, np.array((begin_id, -np.inf, 0.0), ROW))
        """The rows of a segment that begins: one hypothesis, nothing in the others."""
        self._first_rows[0]["total"] = 0.0
        self._attention = AttentionLog()
        self._listed: dict[int, np.ndarray] = {}
        """By slot: what its record has the address of."""
        self._filters, self._view = filter_addresses(), np.zeros(1, VIEW)

    @property
    def tokens(self) -> np.ndarray:
        """What each row is fed next [B * K], int64."""
        tokens: np.ndarray = self._rows["token"][: self.num_slots].reshape(-1)
        return tokens

    def put(self, slots: Sequence[int], segments: Sequence[Segment]) -> None:
        """Start `segments` in `slots`: slots in use, whose segments are given up, and then the next after all others.

        All of them have this beam size.
        """
        limits = [segment.output_limit(self._max_target_tokens) for segment in segments]
        self.num_slots = max(self.num_slots, max(slots) + 1)
        self._make_room(self.num_slots, max(limits))
        asked = None
        for slot, segment in zip(slots, segments, strict=True):
            options = segment.options
            if options is not asked:  # segments of one request share theirs
                asked, record, has_penalty = options, _first_record(options), options.coverage_penalty > 0
            self._slots[slot] = record
            if options.target_prefix or options.forbidden or slot in self._listed:
                self._slots["listed"][slot] = self._keep_listed(slot, (*options.target_prefix, *options.forbidden))
            self._attention.put(slot, segment.want_attention or has_penalty)
            self.needs_single_steps |= has_penalty
        where = list(slots)
        self._slots["limit"][where] = limits
        self._slots["columns"][where] = [segment.num_source_tokens for segment in segments]
        self._rows[where] = self._first_rows

    def move(self, to: Sequence[int], source: Sequence[int], num_slots: int) -> None:
        """Move the segments of slots `source` to slots `to`, then keep only the first `num_slots`."""
        if to:
            there, here = list(to), list(source)
            for array in (self._slots, self._rows, self._steps, self._finished):
                array[there] = array[here]
        self._attention.move(to, source, num_slots)
        moved = {there: self._listed[here] for there, here in zip(to, source, strict=True) if here in self._listed}
        self._listed = {slot: kept for slot, kept in {**self._listed, **moved}.items() if slot < num_slots}
        self.num_slots = num_slots
        if self.needs_single_steps:
            self.needs_single_steps = bool(self._slots["beta"][:num_slots].any())

    def advance(
        self, logits: np.ndarray, attention: np.ndarray, places: np.ndarray | None = None
    ) -> tuple[np.ndarray | None, list[int]]:
        """Choose the next tokens by a step's `logits` [rows, V] and `attention` [B * K, A, S].

        `places` [B * K] says which of `logits` each row has; None: each its own.

        Returns which row of its segment each row now continues [B, K], None when each continues itself, and the
        slots whose search is over.
        """
        searches = self.searches
        self._attention.look(attention[None], searches.slots, self._beam_size, 0)
        if self.needs_single_steps:
            self._attention.cover(searches, self._coverage_slices)
        num_over, num_moved = advance(logits, self._places[: len(attention)] if places is None else places, *searches)
        return searches.parents if num_moved else None, self._over() if num_over else []

    @property
    def searches(self) -> Searches:
        """All that is known of the live searches, for who advances them; see `follow`."""
        n = self.num_slots
        records = self._slots[:n], self._rows[:n], self._steps, self._finished
        return Searches(*records, self._parents[:n], self._found, self._end_id, self._filters, self._view)

    @property
    def wants_attention(self) -> bool:
        """Whether any live segment wants to know what it looked at."""
        return self._attention.is_wanted

    def follow(self, attention: np.ndarray, num_over: int) -> list[int]:
        """After `searches` were advanced elsewhere: keep the `attention` [steps, at least B * K, A, S] of rows.

        Returns the slots whose search is over, `num_over` of them.
        """
        self._attention.look(attention, self._slots[: self.num_slots], self._beam_size, len(attention))
        return self._over() if num_over else []

    def _keep_listed(self, slot: int, tokens: Sequence[int]) -> int:
        """The address of the tokens that a search in `slot` begins with or must not have; 0 when there are none."""
        if not tokens:
            self._listed.pop(slot, None)
            return 0
        kept = self._listed[slot] = np.array(tokens, np.int64)
        return kept.ctypes.data

    def _over(self) -> list[int]:
        over: list[int] = np.flatnonzero(self._slots["over"][: self.num_slots]).tolist()
        return over

    def hypotheses(self, slot: int) -> tuple[Hypothesis, ...]:
        """The result of a search that is over, best first; none when the model gave no number to compare."""
        found = self._slots[slot]
        return tuple([self._hypothesis(slot, rank) for rank in range(min(found["wanted"], found["num_finished"]))])

    def _hypothesis(self, slot: int, rank: int) -> Hypothesis:
        """The finished hypothesis; an end token gives no id, but has its score and attention row."""
        finished = self._finished[slot, rank]
        path = trace(self._steps[slot], finished)
        token_ids, is_cut = path["token"].tolist(), bool(finished["cut"])
        weights = self._attention.rows(slot, path)  # a coverage penalty keeps them, too
        reason = FinishReason.LENGTH if is_cut else FinishReason.EOS
        ids = tuple(token_ids if is_cut else token_ids[:-1])
        return Hypothesis(ids, tuple(path["log_prob"].tolist()), reason, weights, float(finished["score"]))

    def _make_room(self, num_slots: int, num_steps: int) -> None:
        """Let all arrays have room for so many slots and steps."""
        present_slots, present_steps, beam_size = self._steps.shape
        if num_slots <= present_slots and num_steps <= present_steps:
            return
        num_slots = max(num_slots, 2 * present_slots) if num_slots > present_slots else present_slots
        self._steps = enlarged(self._steps, num_slots, max(num_steps, present_steps))
        self._slots, self._rows, self._finished, self._parents = (
            enlarged(array, num_slots) for array in (self._slots, self._rows, self._finished, self._parents)
        )
        self._places = np.arange(num_slots * beam_size)


def _first_record(options: SearchOptions) -> np.void:
    """The `SLOT` record of a search that begins, but for what differs from segment to segment."""
    record: np.void = np.zeros(1, SLOT)[0]
    record["wanted"], record["filters"] = options.num_hypotheses, wanted_filters(options)
    record["alpha"], record["beta"], record["to_beat"] = options.length_penalty, options.coverage_penalty, -np.inf
    for name, number in FILTER_NUMBERS.items():
        record[name] = number(options)
    return record
