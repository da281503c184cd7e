"""Alerts reach somebody: from the rules by way of Prometheus and Alertmanager, in compose and in Kubernetes."""

from __future__ import annotations

import re
from typing import Any

import yaml

from service.observability.table import REQUEST_SECONDS
from tests.deploy.promql import ALERTS, ROOT, alerts, prometheus_rule, queries

COMPOSE = ROOT / "docker-compose.yml"
PROMETHEUS = ROOT / "deploy/prometheus/prometheus.yml"
ALERTMANAGER = ROOT / "deploy/alertmanager/alertmanager.yml"
RULES = ROOT / "deploy/kubernetes/rules.yaml"
OPERATIONS = ROOT / "docs/operations.md"


def read(path: Any) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text())
    return found


def service(name: str) -> dict[str, Any]:
    """A service of the compose file."""
    found: dict[str, Any] = read(COMPOSE)["services"][name]
    return found


def expression(name: str) -> str:
    """Of the alert of that name."""
    (found,) = (rule["expr"] for rule in alerts() if rule["alert"] == name)
    return str(found)


def test_kubernetes_has_the_same_rules() -> None:
    remedy = "run `python -m tests.deploy.promql > deploy/kubernetes/rules.yaml`"
    assert RULES.read_text() == prometheus_rule(), remedy
    assert read(RULES)["spec"] == read(ALERTS)


def test_prometheus_tells_the_alertmanager_of_compose() -> None:
    (manager,) = read(PROMETHEUS)["alerting"]["alertmanagers"]
    assert manager["static_configs"] == [{"targets": ["alertmanager:9093"]}]
    assert "127.0.0.1:9093:9093" in service("alertmanager")["ports"]


def test_alertmanager_reads_a_configuration_that_compose_mounts() -> None:
    mounts = dict(volume.split(":")[:2] for volume in service("alertmanager")["volumes"])
    assert mounts["./deploy/alertmanager"] == "/etc/alertmanager"
    assert f"--config.file=/etc/alertmanager/{ALERTMANAGER.name}" in service("alertmanager")["command"]
    assert mounts["alertmanager-data"] == "/alertmanager"
    assert "alertmanager-data" in read(COMPOSE)["volumes"]


def test_every_route_has_a_receiver_whose_address_operations_says_how_to_fill_in() -> None:
    config = read(ALERTMANAGER)
    routes = [config["route"], *config["route"]["routes"]]
    assert {route["receiver"] for route in routes} == {one["name"] for one in config["receivers"]}
    urls = {hook["url"] for one in config["receivers"] for hook in one["webhook_configs"]}
    assert len(urls) == 1
    assert f"`{urls.pop()}`" in OPERATIONS.read_text()


def test_what_alertmanager_holds_back_is_named_after_an_alert() -> None:
    held = [matcher for rule in read(ALERTMANAGER)["inhibit_rules"] for matcher in rule["source_matchers"]]
    named = {found for matcher in held for found in re.findall(r'alertname="(\w+)"', matcher)}
    assert named
    assert named <= {rule["alert"] for rule in alerts()}


def test_the_job_that_alerts_ask_for_is_the_one_that_is_scraped() -> None:
    jobs = {job for rule in alerts() for job in re.findall(r'job="(\w+)"', rule["expr"])}
    (scraped,) = read(PROMETHEUS)["scrape_configs"]
    monitor = read(ROOT / "deploy/kubernetes/monitor.yaml")["spec"]
    assert jobs == {scraped["job_name"]} == {monitor["selector"]["matchLabels"][monitor["jobLabel"]]}


def test_the_threshold_of_the_latency_is_a_bound_that_is_measured() -> None:
    threshold = expression("AttendantLatencyHigh").rpartition(">")[2]
    assert float(threshold) in REQUEST_SECONDS.buckets


def test_prometheus_keeps_what_panels_and_alerts_look_back_at() -> None:
    days = [int(found) for query in queries().values() for found in re.findall(r"\[(\d+)d\]", query)]
    (kept,) = re.findall(r"retention\.time=(\d+)d", " ".join(service("prometheus")["command"]))
    assert max(days) < int(kept)


def test_containers_have_the_memory_that_operations_says() -> None:
    told = dict(re.findall(r"^\| `(\w+)` \| (\d+[mg]) \|$", OPERATIONS.read_text(), re.MULTILINE))
    limits = {name: one["mem_limit"] for name, one in read(COMPOSE)["services"].items()}
    assert told == {name: re.sub(r"\$\{\w+:-(\w+)\}", r"\1", limit) for name, limit in limits.items()}
