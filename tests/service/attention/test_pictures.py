"""Maps drawn as PNG and as text."""

from __future__ import annotations

import io

import matplotlib.image
import numpy as np
import pytest

from service.attention.panel import Panel, panels
from service.attention.picture import MAX_PANELS, draw
from service.attention.terminal import show, width


def panel(sources: list[str], targets: list[str]) -> Panel:
    weights = np.eye(len(targets), len(sources)) * 0.7 + 0.3 / max(len(sources), 1)
    return Panel(tuple(sources), tuple(targets), weights, "layer 1, head mean")


def pixels(png: bytes) -> np.ndarray:
    image: np.ndarray = matplotlib.image.imread(io.BytesIO(png), format="png")
    return image


def test_a_map_is_drawn_as_a_picture_with_dark_and_light() -> None:
    image = pixels(draw([panel(["The", "cat"], ["Le", "chat"])], "toy@1"))
    assert min(image.shape[:2]) > 200
    assert image[..., :3].min() < 0.5 < image[..., :3].max()


@pytest.mark.parametrize(
    "word", ["кошка", "猫", "हिन्दी", "🙂", "$x_1$", r"\frac{", "%&#", "\0", "w" * 500, "\ud800", "العربية"]
)
def test_any_word_can_be_a_label_without_a_warning(word: str) -> None:
    assert pixels(draw([panel([word, "a"], ["b", word])], word)).size


def test_as_many_maps_as_can_be_read_are_drawn() -> None:
    assert pixels(draw([panel(["a"], ["b"])] * (MAX_PANELS + 1), "many")).size


def test_a_huge_map_makes_no_huge_picture() -> None:
    words = [f"word{i}" for i in range(120)]
    assert max(pixels(draw([panel(words, words)], "huge")).shape) <= 5000


def test_an_empty_translation_is_drawn() -> None:
    assert pixels(draw([panel(["a", "b"], [])], "empty")).size


def test_terminal_rows_line_up_under_their_source_words() -> None:
    shown = show(panel(["The", "black", "cat"], ["Le", "chat", "猫"])).splitlines()
    rows = shown[5:8]
    assert [row.split()[0] for row in rows] == ["Le", "chat", "猫"]
    assert all(width(row[: row.index("▓")]) == 5 + 2 * i for i, row in enumerate(rows))
    assert "".join(line[7] for line in shown[:5]) == "black"
    assert rows[0].endswith("The 80%")
    assert shown[-1] == "(layer 1, head mean)"


def test_the_terminal_shows_a_translation_without_words() -> None:
    assert show(panel([], [])) == "(layer 1, head mean)"


def test_panels_come_from_the_answer_of_the_api() -> None:
    segment = {
        "source": {"tokens": [{"text": "cat", "start": 0, "end": 3}]},
        "target": {"tokens": [{"text": "le", "start": 0, "end": 2}, {"text": "chat", "start": 3, "end": 7}]},
        "attention": {"maps": [{"layer": 2, "head": head, "weights": [[1.0], [1.0]]} for head in ("mean", 1)]},
    }
    made = panels([segment, segment])
    assert [p.caption for p in made][1:3] == ["sentence 1, layer 2, head 1", "sentence 2, layer 2, head mean"]
    assert made[0].sources == ("cat",)
    assert made[0].weights.shape == (2, 1)
    empty = {**segment, "target": {"tokens": []}, "attention": {"maps": [{"layer": 1, "head": 1, "weights": []}]}}
    assert panels([empty])[0].weights.shape == (0, 1)
