"""docs/gallery.md and its pictures, made from the published bundles of the gallery: a card for each.

The gallery's models have the recipes of `model_store/recipes/gallery/`: the same text, vocabulary and number of tokens.
"""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from loadtests.measure.served import bleu
from loadtests.measure.setting import machine, parser
from model_store.contract.bundle import Bundle
from model_store.contract.store import Store
from model_store.training.recipe import RECIPES
from service.attention.panel import Panel, panels
from service.attention.picture import draw
from service.commands.asking import TRANSLATE, this_process
from service.commands.evaluate import Evaluation, column, read_rows, translate_all
from service.messages import Kind, SearchOptions
from service.runtime.opening import open_runtime

SENTENCE = "The black cat ate the mouse."
TEST = "tatoeba-en-fr/test"
PICTURES = "images/gallery"
MORE_MAPS: tuple[tuple[str, Kind], ...] = (
    ("en-fr-bahdanau", "cross"),
    ("en-fr-transformer-small", "encoder"),
    ("en-fr-transformer-small", "decoder"),
    ("en-fr-transformer-window", "encoder"),
    ("en-fr-lstmn", "decoder"),
)
"""Further maps that documents show."""
LONG_SENTENCE = "In the street where my sister lives, the black cat of the old man next door ate the mouse."
LONG_MAPS = ("en-fr-luong-local-m", "en-fr-luong-local-p")
"""Whose window a short sentence does not fill: documents show their maps of LONG_SENTENCE, too."""
NUM_BINS = 6
"""Groups of test sentences by their length."""
COLOURED = ("en-fr-bahdanau-small", "en-fr-luong-global", "en-fr-convs2s", "en-fr-transformer-small")
"""Models with attention that stand out in the picture of BLEU by length; the others are pale."""
DASHES = ("--", "-.", ":")
"""Of the models without attention."""


@dataclass(frozen=True)
class Exhibit:
    """One model of the gallery, and what was measured of it."""

    bundle: Bundle
    about: str
    formula: str
    greedy: Evaluation
    beams: Evaluation
    runtime: str

    @property
    def name(self) -> str:
        """The recipe's and the bundle's."""
        return self.bundle.manifest.name

    @property
    def has_attention(self) -> bool:
        """Whether there is a map of it."""
        return bool(self.bundle.manifest.attention_slices)

    @property
    def size_bytes(self) -> int:
        """Of all its files."""
        return self.bundle.manifest.size_bytes


def exhibits(store: Store, pairs: Sequence[tuple[str, str]]) -> list[Exhibit]:
    """Every published model of the gallery, by the year of its paper."""
    found = []
    for path in sorted((RECIPES / "gallery").glob("en-fr-*.toml")):
        if path.stem not in store.names():
            click.echo(f"{path.stem} is not published", err=True)
            continue
        lines, values = path.read_text(encoding="utf-8").splitlines(), tomllib.loads(path.read_text(encoding="utf-8"))
        bundle, sources = store.open(path.stem), [source for source, _ in pairs]
        greedy, beams = (translate_all(bundle, sources, SearchOptions(beam_size=k)) for k in (1, 4))
        about = lines[0].removeprefix("# ")
        kind = open_runtime(bundle).kind
        found.append(Exhibit(bundle, about, values.get("formula", ""), greedy, beams, kind))
    return sorted(found, key=lambda one: (_year(one.about), one.name))


def _year(about: str) -> int:
    years = re.findall(r"\b(?:19|20)\d\d\b", about)
    if not years:
        raise SystemExit(f"a recipe begins with a comment that names its paper and its year, not with: {about}")
    return int(years[0])


def draw_maps(store: Store, path: Path, name: str, kind: Kind = "cross", sentence: str = SENTENCE) -> None:
    """Draw the map of a sentence by a model."""
    with this_process(store.path, [name], None, None) as ask:
        (translation,) = ask(TRANSLATE, {"text": sentence, "attention": {"kind": kind}})["translations"]
    drawn: list[Panel] = panels(translation["segments"])
    if drawn:
        path.write_bytes(draw(drawn, name).data)


def by_length(one: Exhibit, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
    """Mean source words and BLEU of groups of test sentences of like length, as figure 2 of Bahdanau et al. 2015."""
    lengths = np.array([len(source.split()) for source, _ in pairs])
    groups = np.array_split(np.argsort(lengths, kind="stable"), NUM_BINS)
    return [
        (float(lengths[group].mean()), bleu([one.beams.outputs[i] for i in group], [pairs[i][1] for i in group]))
        for group in groups
    ]


def longest_quarter(one: Exhibit, pairs: Sequence[tuple[str, str]]) -> float:
    """BLEU of the longest quarter of the test sentences."""
    lengths = np.array([len(source.split()) for source, _ in pairs])
    group = np.argsort(lengths, kind="stable")[-len(pairs) // 4 :]
    return bleu([one.beams.outputs[i] for i in group], [pairs[i][1] for i in group])


def draw_lengths(path: Path, shown: Sequence[Exhibit], pairs: Sequence[tuple[str, str]]) -> None:
    """BLEU by source length, dashed without attention; of those with it a few stand out."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.5, 5), layout="constrained")
    axis = figure.subplots()
    dashes = iter(DASHES)
    for one in shown:
        lengths, scores = zip(*by_length(one, pairs), strict=True)
        name = one.name.removeprefix("en-fr-")
        if not one.has_attention:
            axis.plot(lengths, scores, label=name, color="black", linewidth=1.6, linestyle=next(dashes))
        elif one.name in COLOURED:
            axis.plot(lengths, scores, label=name, linewidth=1.6, marker="o", markersize=4)
        else:
            axis.plot(lengths, scores, color="0.8", linewidth=0.8, zorder=0)
    axis.plot([], [], color="0.8", linewidth=0.8, label="others with attention")
    most = max(len(source.split()) for source, _ in pairs)
    axis.set(xlabel=f"source words, mean of each sixth of the test sentences (at most {most})", ylabel="BLEU")
    axis.set_title("BLEU by source length; dashed: without attention")
    axis.set_ylim(bottom=0)
    axis.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.savefig(path, dpi=110)


def draw_ladder(path: Path, shown: Sequence[Exhibit], scores: dict[str, float]) -> None:
    """BLEU of all models, from the first paper at the bottom."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.5, 0.3 * len(shown) + 1), layout="constrained")
    axis = figure.subplots()
    names = [f"{one.name.removeprefix('en-fr-')} ({_year(one.about)})" for one in shown]
    colours = ["#2a6fb0" if one.has_attention else "0.6" for one in shown]
    bars = axis.barh(names, [scores[one.name] for one in shown], color=colours)
    axis.bar_label(bars, fmt="%.1f", padding=3, fontsize=8)
    axis.set(xlabel=f"BLEU, {TEST}, beam 4; grey: without attention")
    axis.tick_params(labelsize=8)
    figure.savefig(path, dpi=110)


def page(shown: Sequence[Exhibit], scores: dict[str, float], pairs: Sequence[tuple[str, str]]) -> str:
    """The document."""
    trainings = [one.bundle.manifest.training for one in shown]
    tokens = sorted({round(each.num_tokens / 1e6) for each in trainings if not each.started_from})
    rows = []
    for one in shown:
        manifest = one.bundle.manifest
        rate = None if manifest.alignment is None else manifest.alignment.alignment_error_rate
        quality = {q.precision: q.score for q in manifest.quality if q.test_set == TEST}
        loss = f"{quality['float32'] - quality['int8']:+.2f}" if {"float32", "int8"} <= quality.keys() else "–"
        trained = manifest.training.num_tokens / manifest.training.seconds
        served = one.greedy.num_target_tokens / one.greedy.seconds
        rows.append(
            f"| `{one.name}` | {scores[one.name]:.1f} | {longest_quarter(one, pairs):.1f} | {loss} | "
            f"{'none' if rate is None else f'{rate:.2f}'} | {manifest.num_parameters / 1e6:.1f} M, "
            f"{one.size_bytes / 1e6:.1f} MB | {served:,.0f} | {one.runtime} | {trained:,.0f} |"
        )
    cards = "\n".join(_card(one) for one in shown)
    return _PAGE.format(
        count=len(shown),
        tokens=f"{tokens[0]}" if len(tokens) == 1 else f"{tokens[0]} to {tokens[-1]}",
        machine=machine(),
        sentences=len(pairs),
        rows="\n".join(rows),
        cards=cards,
        pictures=PICTURES,
    )


def _card(one: Exhibit) -> str:
    formula = f"\n{textwrap.fill(f'$${one.formula}$$', 120, break_long_words=False)}\n" if one.formula else ""
    picture = f"\n![Map of {one.name}]({PICTURES}/{one.name}.png)\n" if one.has_attention else "\nNo attention.\n"
    return f"### {one.name}\n{one.about}\n{formula}{picture}"


_PAGE = """# The gallery
{count} models from English to French, one for each idea: the same sentence pairs of Tatoeba, the same vocabulary of
3,000 subwords, the same number of tokens ({tokens} million, source and target). They can be compared, with four
reservations. `lstmn` went on for another 4 million: after 12 it had 37.96 BLEU. The three models of Luong, `gnmt` and
`lstmn` were trained in batches of half the size, so with twice as many updates, and have an output matrix of their own
beside the embeddings; `gnmt` and `lstmn` go without dropout. The others, also `seq2seq` and `rctm`, read a bounded
state through the table of embeddings, which [costs BLEU](notes/gallery.md). Sizes differ: 1.1 to 2.7 million weights.
`make gallery` serves them all; [attention.md](attention.md) is a tour of the ideas in the order in which they came.
This page and its pictures are written by one command:

```
.venv-dev/bin/python -m loadtests.measure.gallery --data ../shared/data
```

![BLEU of all models]({pictures}/ladder.png)

BLEU is sacreBLEU of {sentences} sentences of `tatoeba-en-fr/test`, int8, beam 4; "longest" is that of the quarter with
the most source words; "int8" is the loss against float32. The alignment error rate is that of the default map on
`MasterCat`. Tokens/s are target tokens, greedy, all sentences queued at once, one thread; then source and target tokens
in training, one thread, on the machine of each run, with other work beside it. The rest was measured on
{machine}.

| model | BLEU | longest | int8 | error rate | size | tokens/s | in | training |
|---|---|---|---|---|---|---|---|---|
{rows}

## Length
Figure 2 of Bahdanau et al. 2015 with these models: without attention a whole sentence has to fit into one vector. The
test sentences are short, so all models lose with length: they were trained on like ones. What the figure shows is the
gap between the two families, from the first words on.

![BLEU by source length]({pictures}/by-length.png)

## Cards
The maps are of "The black cat ate the mouse.", the default map of each model. *Mouse* is rare in the text, and these
small models mostly miss it: look at where they look, not at what they write.

{cards}"""


def draw_all_maps(store: Store, pictures: Path, names: Sequence[str]) -> None:
    """The map of each of these models, and those that show more of some."""
    for name in names:
        draw_maps(store, pictures / f"{name}.png", name)
    for name, kind in MORE_MAPS:
        if name in store.names():
            draw_maps(store, pictures / f"{name}{'' if kind == 'cross' else f'-{kind}'}.png", name, kind)
    for name in LONG_MAPS:
        if name in store.names():
            draw_maps(store, pictures / f"{name}-long.png", name, sentence=LONG_SENTENCE)


def main() -> None:
    """Write the page and its pictures."""
    options = parser(__doc__ or "")
    options.add_argument("--out", type=Path, default=Path("docs"), help="folder of the page")
    options.add_argument("--maps", action="store_true", help="draw the maps again, and measure nothing")
    given = options.parse_args()
    store, path = Store(given.store), given.data / f"{TEST}.tsv.gz"
    pictures = given.out / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    if given.maps:
        draw_all_maps(store, pictures, [name for name in store.names() if (pictures / f"{name}.png").exists()])
        return
    pairs = [(column(row, 0, path), column(row, 1, path)) for row in read_rows(path, None)]
    shown = exhibits(store, pairs)
    if not shown:
        raise SystemExit(f"store {given.store} has no model of the gallery")
    scores = {one.name: bleu(one.beams.outputs, [target for _, target in pairs]) for one in shown}
    draw_all_maps(store, pictures, [one.name for one in shown if one.has_attention])
    draw_lengths(pictures / "by-length.png", shown, pairs)
    draw_ladder(pictures / "ladder.png", shown, scores)
    (given.out / "gallery.md").write_text(page(shown, scores, pairs), encoding="utf-8")


if __name__ == "__main__":
    main()
