"""Loops and outputs beyond 2 S + 10 tokens in clean text, noise, other languages and random words."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from loadtests.measure.served import answers, corpus_pairs, manifest_of, pairs
from loadtests.measure.setting import parser, show
from service.search.degenerate import loops


def _shuffled(text: str, chance: Random) -> str:
    return " ".join(chance.sample(text.split(), len(text.split())))


def _typos(text: str, chance: Random) -> str:
    return "".join(c for c in text if chance.random() > 0.1) or text


def _letters(text: str, chance: Random) -> str:
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz 0123456789.,'", k=max(3, len(text))))


def _repeated(text: str, chance: Random) -> str:
    word = chance.choice(text.split())
    return " ".join([word] * chance.randint(2, 12))


FORMS: dict[str, Callable[[str, Random], str]] = {
    "clean": lambda text, _: text,
    "letters left out": _typos,
    "words in any order": _shuffled,
    "random characters": _letters,
    "one word many times": _repeated,
}


OTHER = {
    "en": "tatoeba-en-de/test.tsv.gz",
    "fr": "tatoeba-en-de/test.tsv.gz",
    "de": "tatoeba-en-fr/test.tsv.gz",
}
"""Text that is in another language than the source, in the second column."""


def main() -> None:
    """Print the table; exit code 1 when a loop or an overlong output has no warning."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--count", type=int, default=5000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    chance = Random(chosen.seed)
    manifest = manifest_of(chosen.store, chosen.model)
    found = corpus_pairs(chosen.data, manifest, "test")
    forms = {name: [form(s, chance) for s, _ in found] for name, form in FORMS.items()}
    forms["other languages"] = [target for _, target in pairs(chosen.data / OTHER[manifest.source])]
    share = chosen.count // len(forms)
    rows, is_bad = [], False
    for name, texts in forms.items():
        done = answers(chosen.store, chosen.model, texts[:share])
        silent = warned = 0
        for answer in done:
            flawed = [s for s in answer["segments"] if s["finish_reason"] == "length" or _has_loop(s)]
            told = {"loop", "too_long"} & set(answer.get("warnings", []))
            silent += bool(flawed) and not told
            if flawed and not told:
                print(f"  {name}: {flawed[0]['source']['text']} -> {flawed[0]['target']['text']}")
            warned += bool(told)
        is_bad |= silent > 0
        rows.append((name, len(done), f"{warned} ({warned / len(done):.2%})", silent))
    header = ["input", "texts", "with a warning of loop or length", "loops and cuts without one"]
    show(f"{chosen.model}, beam 4", header, rows)
    raise SystemExit(is_bad)


def _has_loop(segment: dict[str, Any]) -> bool:
    """Whether words of the translation come round and round while those of the source do not."""
    source, target = (
        [hash(word) for word in str(segment[side]["text"]).lower().split()] for side in ("source", "target")
    )
    is_repeated = any(a == b == c for a, b, c in zip(source, source[1:], source[2:], strict=False))
    return loops(target) and not is_repeated and not loops(source)


if __name__ == "__main__":
    main()
