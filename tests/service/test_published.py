"""The bundles that the repository carries: their graphs belong together."""

from __future__ import annotations

import json

import pytest

from model_store.contract.store import EMBEDDED_STORE as STORE
from service.commands.asking import SCORE, TRANSLATE, this_process

DEFAULTS = (STORE / "defaults.txt").read_text("utf-8").split()
GALLERY = sorted(folder.name for folder in STORE.iterdir() if folder.is_dir() and folder.name not in DEFAULTS)
TEXTS = {
    "en": "The dog sleeps in the garden.",
    "fr": "Le chien dort dans le jardin.",
    "de": "Der Hund schläft im Garten.",
}


@pytest.mark.parametrize("model", [*DEFAULTS, *(pytest.param(name, marks=pytest.mark.slow) for name in GALLERY)])
def test_a_published_model_scores_its_translation_as_it_did_when_it_wrote_it(model: str) -> None:
    """The teacher-forced graph once came from a network that had changed since the others were exported."""
    text = TEXTS[model[:2]]
    with this_process(STORE, [model], None, None) as ask:
        translation = ask(TRANSLATE, {"text": text, "beam_size": 1})["translations"][0]
        pair = {"text": text, "translation": translation["text"]}
        assert ask(SCORE, {"pairs": [pair]})["scores"][0]["score"] == pytest.approx(translation["score"], abs=0.02)


@pytest.mark.parametrize("limit", [1, 2, 30])
def test_a_copy_is_put_back_however_few_tokens_the_model_may_write(limit: int) -> None:
    """The head that links come from has read a word one step later; once, a single step had nothing to look at."""
    text = "4\U00066d34 has seen \U000d226a near 5-\u00e9 and \U00070d19."
    with this_process(STORE, ["en-fr-transformer"], None, None) as ask:
        asked = {"text": text, "max_output_tokens": limit, "attention": True}
        (answer,) = ask(TRANSLATE, asked)["translations"]
    for copy in ("\U00066d34", "\U000d226a", "\U00070d19"):
        assert answer["text"].count(copy) == 1


@pytest.mark.parametrize(
    ("model", "values", "expected"),
    [
        ("en-fr-transformer", ["Welcome back", "save_all"], ["Bon retour", "save_all"]),
        ("fr-en-transformer", ["Cliquez sur \u00ab Enregistrer \u00bb."], ['Click "Save".']),
    ],
)
def test_a_file_of_strings_can_be_read_after_its_translation(
    model: str, values: list[str], expected: list[str]
) -> None:
    text = json.dumps({f"key.{i}": value for i, value in enumerate(values)})
    with this_process(STORE, [model], None, None) as ask:
        (answer,) = ask(TRANSLATE, {"text": text, "attention": True})["translations"]
    assert json.loads(answer["text"]) == {f"key.{i}": value for i, value in enumerate(expected)}
    for segment in answer["segments"]:
        for side, whole in ((segment["source"], text), (segment["target"], answer["text"])):
            assert side["text"] == whole[side["start"] : side["end"]]


def test_a_wrapped_text_is_translated_as_if_it_were_not() -> None:
    text = (
        "I am writing to tell you that the package which you sent us last\n"
        "week has arrived, but two of the cups were broken when we opened\nthe box."
    )
    with this_process(STORE, ["en-fr-transformer"], None, None) as ask:
        answers = ask(TRANSLATE, {"text": [text, text.replace("\n", " ")], "attention": True})["translations"]
    assert answers[0]["text"].replace("\n", " ") == answers[1]["text"]
    assert answers[0]["text"].count("\n") == 2
    (segment,), (other,) = (answer["segments"] for answer in answers)
    assert segment["alignment"] == other["alignment"]
    assert segment["target"]["text"] == answers[0]["text"]


def test_a_translation_with_a_layout_is_scored_as_its_sentences() -> None:
    sentence = "I was going to tell you yesterday that he will come.", "J'allais te dire hier qu'il viendra."
    wrapped = [side.replace(" that", "\nthat").replace(" qu'il", "\nqu'il") for side in sentence]
    strings = [json.dumps({"id": "x_1", "text": side}) for side in sentence]
    pairs = [{"text": text, "translation": translation} for text, translation in (sentence, wrapped, strings)]
    with this_process(STORE, ["en-fr-transformer"], None, None) as ask:
        plain, *others = (score["score"] for score in ask(SCORE, {"pairs": pairs})["scores"])
    assert others == pytest.approx([plain, plain])


@pytest.mark.parametrize("level", ["word", "token"])
def test_a_word_behind_a_tag_is_linked_to_its_translation_and_not_to_the_tag(level: str) -> None:
    text = 'Click <a href="/x">here</a> to **open** the file.'
    with this_process(STORE, ["en-fr-transformer"], None, None) as ask:
        (answer,) = ask(TRANSLATE, {"text": text, "attention": {"level": level}})["translations"]
    (segment,) = answer["segments"]
    sources, targets = ([token["text"] for token in segment[side]["tokens"]] for side in ("source", "target"))
    linked = [[int(place) for place in link.split("-")] for link in segment["alignment"].split()]
    assert {("here", "ici"), ("open", "ouvrir")} <= {(sources[row], targets[column]) for row, column in linked}
    (one,) = segment["attention"]["maps"]
    assert one["weights"][targets.index("ici")][sources.index("here")] > 0.9
