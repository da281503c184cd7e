"""Texts one by one: every text once, in the order in which they are done, few at a time, and nothing left behind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.errors import DeadlineExceededError, OverloadedError
from service.exchanged import TranslationRequest, TranslationResult, Usage
from service.messages import Timings
from service.text.sentences.splitting import about_num_sentences
from service.translation.streaming import MOST_SENTENCES, TextDone, merged, one_by_one

SECONDS = st.lists(st.integers(0, 5), min_size=1, max_size=12)


def result(text: str) -> TranslationResult:
    return TranslationResult((), Usage(len(text), 2, 3), Timings(0.1, 0.2, 0.3), 0.5)


class Model:
    """Translates each text in as many turns of the loop as the text says."""

    def __init__(self) -> None:
        self.asked: list[TranslationRequest] = []
        self.done: list[str] = []
        self.sentences = self.most = self.cancelled = 0
        self.admitted: list[tuple[str, int]] = []

    @contextmanager
    def room(self, client: str, num_segments: int, was_admitted: bool) -> Iterator[None]:
        self.admitted += [] if was_admitted else [(client, num_segments)]
        yield

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        (text,) = request.texts
        self.asked.append(request)
        self.sentences += about_num_sentences(text)
        self.most = max(self.most, self.sentences)
        try:
            for _ in range(5 * int(text.split()[0])):  # whoever waits notices some turns late
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        self.sentences -= about_num_sentences(text)
        self.done.append(text)
        return result(text)

    async def all(self, request: TranslationRequest) -> list[TextDone]:
        return [done async for done in one_by_one(self.translate, self.room, request, lambda: 7.0)]


@given(SECONDS)
def test_every_text_comes_once_and_in_the_order_in_which_they_are_done(turns: list[int]) -> None:
    model, texts = Model(), tuple(f"{number} {i}" for i, number in enumerate(turns))
    done = asyncio.run(model.all(TranslationRequest(texts)))
    assert sorted(one.index for one in done) == list(range(len(texts)))
    assert all(one.request.texts == (texts[one.index],) for one in done)
    assert all(one.result.usage.source_characters == len(texts[one.index]) for one in done)
    places = [turns[one.index] for one in done]
    assert places == sorted(places)
    assert model.admitted == [("", sum(map(about_num_sentences, texts)))]


@given(st.lists(st.integers(1, 200), min_size=1, max_size=10))
def test_a_stream_never_fills_the_queue(sizes: list[int]) -> None:
    model, texts = Model(), tuple(f"{i % 3} " + "Yes. " * size for i, size in enumerate(sizes))
    asyncio.run(model.all(TranslationRequest(texts)))
    assert model.most <= max(MOST_SENTENCES, *map(about_num_sentences, texts))
    assert sorted(model.done) == sorted(texts)


def test_each_part_is_admitted_and_has_its_own_prefix_and_what_is_left_of_the_time() -> None:
    model, clock = Model(), iter([0.0, 1.0, 2.5])
    request = TranslationRequest(("0 a", "0 b"), timeout_s=5.0, client="web", target_prefixes=("", "Oui"))

    async def run() -> None:
        async for _ in one_by_one(model.translate, model.room, request, lambda: next(clock)):
            pass

    asyncio.run(run())
    assert [part.timeout_s for part in model.asked] == [4.0, 2.5]
    assert [part.target_prefixes for part in model.asked] == [(), ("Oui",)]
    assert all(part.was_admitted and part.client == "web" for part in model.asked)


def test_a_refused_stream_begins_no_work() -> None:
    model = Model()

    def full(client: str, num_segments: int, was_admitted: bool) -> NoReturn:
        raise OverloadedError("full")

    async def run() -> None:
        async for _ in one_by_one(model.translate, full, TranslationRequest(("0",)), lambda: 0.0):
            pass

    with pytest.raises(OverloadedError):
        asyncio.run(run())
    assert model.asked == []


def test_who_closes_a_stream_cancels_what_is_left() -> None:
    model = Model()

    async def run() -> None:
        request = TranslationRequest(("0", "1000", "1000 more"))
        async with aclosing(one_by_one(model.translate, model.room, request, lambda: 0.0)) as texts:
            assert (await anext(texts)).index == 0
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
    assert model.cancelled == 2


def test_an_error_of_one_text_ends_the_stream_and_cancels_the_others() -> None:
    model = Model()

    async def translate(request: TranslationRequest) -> TranslationResult:
        if request.texts == ("bad",):
            raise DeadlineExceededError("late")
        return await model.translate(request)

    async def run() -> None:
        async for _ in one_by_one(translate, model.room, TranslationRequest(("1000", "bad")), lambda: 0.0):
            pass

    with pytest.raises(DeadlineExceededError):
        asyncio.run(run())
    assert model.cancelled == 1


def test_what_all_texts_used_is_their_sum_and_their_time_that_of_the_longest() -> None:
    whole = merged([result("ab"), result("cde")], 4.0)
    assert (whole.usage, whole.timings, whole.total_s) == (Usage(5, 4, 6), Timings(0.1, 0.2, 0.3), 4.0)
