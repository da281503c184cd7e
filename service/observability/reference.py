"""The metrics as a Markdown table: `python -m service.observability.reference` prints what the docs hold."""

from __future__ import annotations

from service.observability.table import TABLE, MetricSpec

_MERGES = {"livesum": "sum", "livemax": "maximum", "livemin": "minimum"}


def markdown() -> str:
    """One line for each metric."""
    lines = ["| metric | kind | labels | meaning |", "|---|---|---|---|", *map(_line, TABLE)]
    return "\n".join(lines) + "\n"


def _line(spec: MetricSpec) -> str:
    kind = f"gauge, {_MERGES[spec.merge]} of live replicas" if spec.merge else spec.kind
    if spec.buckets:
        kind += f", {spec.buckets[0]:g} to {spec.buckets[-1]:g}"
    labels = ", ".join(f"`{label}`" for label in spec.labels)
    return f"| `{spec.name}` | {kind} | {labels} | {spec.help} |"


if __name__ == "__main__":
    print(markdown(), end="")
