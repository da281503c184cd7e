"""What the tests read out of the dashboard and the alert rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DASHBOARD = ROOT / "deploy/grafana/dashboards/attendant.json"
ALERTS = ROOT / "deploy/prometheus/alerts.yml"

_STRING = re.compile(r'"[^"]*"')
_MATCHER_LABEL = re.compile(r"[a-z_]+\s*(?=[=!]~?)")
_NAME = re.compile(r"\battendant_[a-z_]+\b")


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
