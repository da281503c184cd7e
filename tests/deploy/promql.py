"""What the tests read out of the dashboard and the alert rules.

`python -m tests.deploy.promql` prints the rules as deploy/kubernetes/rules.yaml has them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DASHBOARD = ROOT / "deploy/grafana/dashboards/attendant.json"
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
_RULE_HEAD = (
    "# The rules of deploy/prometheus/alerts.yml for the Prometheus operator; made by python -m tests.deploy.promql.",
    "apiVersion: monitoring.coreos.com/v1",
    "kind: PrometheusRule",
    "metadata:",
    "  name: attendant",
    "spec:",
)

_STRING = re.compile(r'"[^"]*"')
_MATCHER_LABEL = re.compile(r"[a-z_]+\s*(?=[=!]~?)")
_NAME = re.compile(r"\battendant_[a-z_]+\b")
_SELECTOR = re.compile(r"\b(attendant_[a-z_]+|up)\s*\{([^}]*)\}")
_MATCHER = re.compile(r'([a-z_]+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
_GROUPING = re.compile(r"\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)")
_SHOWN = re.compile(r"\{\{\s*(?:\$labels\.)?([a-z_]+)\s*\}\}")


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana reads it."""
    found: dict[str, Any] = json.loads(DASHBOARD.read_text())
    return found


def panels() -> list[dict[str, Any]]:
    """The dashboard's panels without its row headings."""
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def alerts() -> list[dict[str, Any]]:
    """The alert rules of all groups."""
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def queries() -> dict[str, str]:
    """Every PromQL expression, by where it stands, Grafana's variables filled in as Grafana does."""
    found = {f"panel {p['title']} {t['refId']}": t["expr"] for p in panels() for t in p["targets"]}
    found |= {f"alert {rule['alert']}": rule["expr"] for rule in alerts()}
    return {where: fill(expression) for where, expression in found.items()}


def fill(expression: str) -> str:
    """The expression with every model and the shortest rate interval."""
    return expression.replace("$model", ".*").replace("$__rate_interval", "10s")


def series_names(expression: str) -> set[str]:
    """Our series that an expression reads; strings and the labels of its matchers are no series."""
    return set(_NAME.findall(_MATCHER_LABEL.sub("", _STRING.sub("", expression))))


def matchers(expression: str) -> list[tuple[str, str, str]]:
    """Of each selector the series, a label that it asks for, and the values that it lets in, as they are written."""
    found = _SELECTOR.findall(expression)
    return [(name, label, values) for name, inner in found for label, _, values in _MATCHER.findall(inner)]


def grouping_labels(expression: str) -> set[str]:
    """Labels by which an expression groups or joins."""
    return {label.strip() for found in _GROUPING.findall(expression) for label in found.split(",")}


def shown_labels(text: str) -> set[str]:
    """Labels that a legend or an annotation fills in."""
    return set(_SHOWN.findall(text))


def texts() -> dict[str, tuple[str, str]]:
    """Every expression with the text that shows its labels, by where it stands."""
    found = {f"panel {p['title']} {t['refId']}": (t["expr"], t["legendFormat"]) for p in panels() for t in p["targets"]}
    for rule in alerts():
        found[f"alert {rule['alert']}"] = rule["expr"], " ".join(rule["annotations"].values())
    return found


def prometheus_rule() -> str:
    """The alert rules as an object of the Prometheus operator."""
    _, _, groups = ALERTS.read_text().partition("\ngroups:\n")
    lines = [f"  {line}".rstrip() for line in ["groups:", *groups.splitlines()]]
    return "\n".join([*_RULE_HEAD, *lines, ""])


if __name__ == "__main__":
    print(prometheus_rule(), end="")
