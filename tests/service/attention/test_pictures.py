"""Maps drawn as PNG and as text."""

from __future__ import annotations

import io
import logging
from dataclasses import replace

import matplotlib.image
import numpy as np
import pytest

from service.attention.panel import Panel, panels
from service.attention.picture import BAR_INCHES, CELL_INCHES, MAX_LABEL, MAX_PANELS, _label, caption, draw
from service.attention.terminal import show, width
from service.commands.compare import by_sentence


def panel(sources: list[str], targets: list[str]) -> Panel:
    weights = np.eye(len(targets), len(sources)) * 0.7 + 0.2 / max(len(sources), 1)
    return Panel(tuple(sources), tuple(targets), weights, "layer 1, head mean", np.full(len(targets), 0.1))


def pixels(png: bytes) -> np.ndarray:
    image: np.ndarray = matplotlib.image.imread(io.BytesIO(png), format="png")
    return image


def test_a_map_is_drawn_as_a_picture_with_dark_and_light() -> None:
    image = pixels(draw([panel(["The", "cat"], ["Le", "chat"])], "toy@1").data)
    assert min(image.shape[:2]) > 200
    assert image[..., :3].min() < 0.5 < image[..., :3].max()


@pytest.mark.parametrize(
    "word", ["кошка", "猫", "हिन्दी", "🙂", "$x_1$", r"\frac{", "%&#", "\0", "w" * 500, "\ud800", "العربية"]
)
def test_any_word_can_be_a_label_without_a_warning(word: str) -> None:
    assert pixels(draw([panel([word, "a"], ["b", word])], word).data).size


def test_as_many_maps_as_can_be_read_are_drawn() -> None:
    assert pixels(draw([panel(["a"], ["b"])] * (MAX_PANELS + 1), "many").data).size


def bar_height(image: np.ndarray) -> int:
    """Pixels of the colour bar that are not nearly white: the last column of a picture with a dark blue has it."""
    red, _, blue = (image[..., channel] for channel in range(3))
    columns = np.flatnonzero(((blue > 0.35) & (red < 0.1)).any(axis=0))
    coloured = np.flatnonzero(blue[:, columns[-1]] - red[:, columns[-1]] > 0.1)
    return int(coloured[-1] - coloured[0])


def test_the_colour_bar_is_no_taller_than_it_needs_to_be() -> None:
    words = [f"word{i}" for i in range(25)]
    assert 0.5 < bar_height(pixels(draw([panel(words, words)], "tall").data)) / (BAR_INCHES * 150) <= 1.0
    low = pixels(draw([panel(["The", "cat"], ["Le", "chat"])], "low").data)
    assert bar_height(low) < 0.8 * len(low)


def test_a_long_title_is_shown_whole_in_several_lines() -> None:
    one = panel(["The", "cat"], ["Le", "chat"])
    short, long = (pixels(draw([one], title).data) for title in ("cat", "The black cat ate the mouse.\n" * 8))
    assert long.shape[0] > short.shape[0] + 100
    assert (long[:, :4, :3] == 1.0).all()  # nothing is cut by the edges
    assert (long[:, -4:, :3] == 1.0).all()
    endless = pixels(draw([one], "The black cat ate the mouse. " * 500).data)
    assert endless.shape[0] < 3 * short.shape[0] + 100


def test_models_that_are_compared_stand_side_by_side_sentence_by_sentence() -> None:
    one = panel(["The", "cat"], ["Le", "chat"])
    sole = by_sentence([replace(one, text="The cat.", caption=model) for model in "ab"])
    assert [(each.caption, each.text) for each in sole] == [("a", ""), ("b", "")]
    both = [replace(one, row=row, text=f"{row}.", caption=model) for model in "ab" for row in ("One", "Two")]
    found = by_sentence(both)
    assert [each.caption + each.text for each in found] == ["aOne.", "bOne.", "aTwo.", "bTwo."]
    own = by_sentence([replace(each, text=each.caption + each.text) for each in both])
    assert [each.caption + each.row + each.text for each in own] == ["aOne", "bOne", "aTwo", "bTwo"]
    height, width = pixels(draw(found, "both").data).shape[:2]
    assert height > 0.5 * width  # two by two


def test_a_huge_map_makes_no_huge_picture() -> None:
    words = [f"word{i}" for i in range(120)]
    assert max(pixels(draw([panel(words, words)], "huge").data).shape) <= 5000


def test_four_heads_of_sixty_words_can_be_read_and_have_the_whole_text() -> None:
    words = [f"word{i:02}" for i in range(60)]
    one = replace(panel(words, words), row="layer 1", text=" ".join(words))
    image = pixels(draw([one] * 4, "heads").data)
    least = 2 * 61 * CELL_INCHES * 80  # two by two, at 80 dots per inch
    assert min(image.shape[:2]) >= least
    assert "word59" in caption(one)


def test_maps_of_a_layer_stand_in_one_row_while_they_can_be_read_there() -> None:
    one = replace(panel(["The", "cat"], ["Le", "chat"]), row="layer 1")
    height, width = pixels(draw([one] * 4, "heads").data).shape[:2]
    assert width > 3 * height


def test_many_sentences_with_a_map_each_can_be_read() -> None:
    words = [f"word{i:02}" for i in range(17)]
    many = [replace(panel(words, words), row=f"segment {i}, layer 1", text=f"text {i}") for i in range(18)]
    height, width = pixels(draw(many, "many").data).shape[:2]
    assert width >= 3 * 18 * CELL_INCHES * 80  # three or more in a row, at 80 dots per inch
    assert height >= 3 * 18 * CELL_INCHES * 80
    few = pixels(draw(many[:2], "few").data)
    assert few.shape[0] > 1.5 * few.shape[1]  # one below the other


def test_a_caption_is_no_wider_than_its_map() -> None:
    named = replace(panel(["Thank", "you"], ["Merci"]), caption="en-fr-transformer@18, segment 1, layer 2, head 2")
    assert caption(named).splitlines() == ["en-fr-transformer@18, segment 1,", "layer 2, head 2"]


def test_no_word_of_a_fonts_weights_reaches_the_terminal() -> None:
    draw([panel(["猫"], ["chat"])], "toy@1")
    assert not logging.getLogger("matplotlib.font_manager").isEnabledFor(logging.WARNING)


def test_a_long_word_is_cut_where_it_labels_a_row() -> None:
    assert _label("a" * MAX_LABEL) == "a" * MAX_LABEL
    assert _label("a" * (MAX_LABEL + 1)) == "a" * (MAX_LABEL - 1) + "\u2026"


def test_characters_that_no_font_has_are_named() -> None:
    assert draw([panel(["\U00013000", "a"], ["b"])], "x").missing == "\U00013000"
    assert draw([panel(["cat"], ["b"])], "x").missing == ""


@pytest.mark.parametrize(("form", "begins"), [("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_pictures_are_vectors_where_that_is_asked_for(form: str, begins: bytes) -> None:
    assert draw([panel(["The", "cat"], ["Le", "chat"])], "toy@1", form).data.startswith(begins)


def test_what_rows_lack_is_the_end_tokens_where_an_older_answer_does_not_say_so() -> None:
    side = {"text": "a b", "tokens": [{"text": "a", "start": 0, "end": 1}, {"text": "b", "start": 2, "end": 3}]}
    attention = {"maps": [{"layer": 1, "head": 1, "weights": [[0.5, 0.2], [0.0, 1.0]]}]}
    (found,) = panels([{"source": side, "target": side, "attention": attention}])
    assert found.special_token == pytest.approx([0.3, 0.0])
    assert not found.has_begin_token


def test_subwords_that_begin_a_word_are_marked() -> None:
    tokens = [{"text": "ca", "start": 0, "end": 2}, {"text": "ts", "start": 2, "end": 4}]
    further = [*tokens, {"text": "eat", "start": 5, "end": 8}]
    maps = [{"layer": 1, "head": 1, "weights": [[0.5, 0.5]] * 3, "end_token": [0.0] * 3}]
    attention = {"level": "token", "maps": maps}
    (made,) = panels([{"source": {"tokens": tokens}, "target": {"tokens": further}, "attention": attention}])
    assert made.sources == ("\u2581ca", "ts")
    assert made.targets == ("\u2581ca", "ts", "\u2581eat")


def test_an_empty_translation_is_drawn() -> None:
    assert pixels(draw([panel(["a", "b"], [])], "empty").data).size


def test_terminal_rows_line_up_under_their_source_words() -> None:
    shown = show(panel(["The", "black", "cat"], ["Le", "chat", "猫"])).splitlines()
    rows = shown[5:8]
    assert [row.split()[0] for row in rows] == ["Le", "chat", "猫"]
    assert all(width(row[: row.index("▓")]) == 5 + 2 * i for i, row in enumerate(rows))
    assert "".join(line[7] for line in shown[:5]) == "black"
    assert rows[0].endswith("The 77%")
    assert shown[-1] == "(layer 1, head mean)"


@pytest.mark.parametrize(("has_begin_token", "label"), [(False, "(end)"), (True, "(begin)")])
def test_a_row_that_attends_to_no_word_says_so(has_begin_token: bool, label: str) -> None:
    weights, special = np.array([[0.01, 0.02], [0.5, 0.1]]), np.array([0.97, 0.4])
    made = replace(panel(["a", "b"], ["de", "x"]), weights=weights, special_token=special)
    rows = show(replace(made, has_begin_token=has_begin_token)).splitlines()[1:3]
    assert rows[0].endswith(f" {label} 97%")
    assert rows[1].endswith(" a 50%")


def test_the_terminal_shows_a_translation_without_words() -> None:
    assert show(panel([], [])) == "(layer 1, head mean)"


def test_panels_come_from_the_answer_of_the_api() -> None:
    segment = {
        "source": {"tokens": [{"text": "cat", "start": 0, "end": 3}]},
        "target": {"tokens": [{"text": "le", "start": 0, "end": 2}, {"text": "chat", "start": 3, "end": 7}]},
        "attention": {
            "maps": [
                {"layer": 2, "head": head, "weights": [[1.0], [0.25]], "end_token": [0.0, 0.75]} for head in ("mean", 1)
            ]
        },
    }
    made = panels([segment, segment])
    assert [p.caption for p in made][1:3] == ["segment 1, layer 2, head 1", "segment 2, layer 2, head mean"]
    assert made[0].sources == ("cat",)
    assert made[0].weights.shape == (2, 1)
    assert made[0].special_token.tolist() == [0.0, 0.75]
    assert {p.row for p in made} == {"segment 1, layer 2", "segment 2, layer 2"}
    maps = [{"layer": 1, "head": 1, "weights": [], "end_token": []}]
    empty = {**segment, "target": {"tokens": []}, "attention": {"maps": maps}}
    assert panels([empty])[0].weights.shape == (0, 1)
