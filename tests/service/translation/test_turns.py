"""A long request lets others have the event loop between its sentences."""

from __future__ import annotations

import asyncio

import pytest

from service.text.segments import Segmenter
from service.text.steps import finished
from service.translation import turns
from service.translation.turns import Turn

NUM_SENTENCES = 20


def segmenter() -> Segmenter:
    return Segmenter("en", lambda text: list(map(ord, text)), 1000)


@pytest.mark.parametrize("within_turn", [False, True])
def test_others_have_their_turn_between_the_sentences_of_one_text(
    monkeypatch: pytest.MonkeyPatch, within_turn: bool
) -> None:
    monkeypatch.setattr(turns, "TURN_S", 3600.0 if within_turn else 0.0)
    text = "This is a sentence. " * NUM_SENTENCES

    async def both() -> tuple[int, int]:
        rounds = 0

        async def others() -> None:
            nonlocal rounds
            while True:
                rounds += 1
                await asyncio.sleep(0)

        task = asyncio.create_task(others())
        found = await Turn().through(segmenter().steps(text))
        task.cancel()
        return len(found.segments), rounds

    num_segments, rounds = asyncio.run(both())
    assert num_segments == NUM_SENTENCES
    assert rounds == 0 if within_turn else rounds >= NUM_SENTENCES


def test_all_steps_at_once_give_what_segment_gives() -> None:
    text = "One here. Another there.\n\nA third one."
    assert finished(segmenter().steps(text)) == segmenter().segment(text)
    assert len(segmenter().segment(text).segments) == 3 <= len(list(segmenter().steps(text)))
