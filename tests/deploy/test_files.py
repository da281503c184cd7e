"""The files of deploy/ are what the tools that read them expect."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

import kubernetes_validate
import pytest
import yaml
from pydantic import BaseModel

from service.deployments import members, node, probe
from service.settings import Settings, read_settings
from tests.deploy.promql import ROOT

COMPOSE = ROOT / "docker-compose.yml"
KUBERNETES_VERSION = "1.31"
PROMETHEUS = ROOT / "deploy/prometheus/prometheus.yml"


def tool(name: str) -> str:
    """A tool of the test group, beside the Python that runs the tests."""
    path = Path(sys.executable).with_name(name)
    assert path.exists(), f"{name} is missing: install the group `test`"
    return str(path)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return found


def test_the_dockerfile_passes_hadolint() -> None:
    run(tool("hadolint"), "--failure-threshold", "info", "deploy/Dockerfile")


def test_the_image_runs_without_root_and_without_torch() -> None:
    lines = (ROOT / "deploy/Dockerfile").read_text().splitlines()
    assert [line for line in lines if line.startswith("USER")][-1] == "USER 10001"
    assert '".[serve]"' in next(line for line in lines if "pip install" in line)


def test_the_image_copies_only_what_its_ignore_file_lets_in() -> None:
    lines = (ROOT / "deploy/Dockerfile").read_text().splitlines()
    allowed = (ROOT / "deploy/Dockerfile.dockerignore").read_text().split()
    copied = [name for line in lines if line.startswith("COPY") and "--from" not in line for name in line.split()[1:-1]]
    assert copied
    assert all(f"!{name}" in allowed and (ROOT / name).exists() for name in copied)


def test_the_compose_file_fits_the_compose_specification() -> None:
    run(tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", str(COMPOSE))


def test_every_published_port_is_on_loopback() -> None:
    ports = [port for service in compose()["services"].values() for port in service["ports"]]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_every_file_that_compose_mounts_exists() -> None:
    volumes = [volume for service in compose()["services"].values() for volume in service.get("volumes", [])]
    sources = [volume.split(":")[0] for volume in volumes if volume.startswith(".")]
    assert sources
    assert all((ROOT / source).exists() for source in sources)


def test_prometheus_scrapes_the_port_that_compose_gives_the_service() -> None:
    (scrape,) = yaml.safe_load(PROMETHEUS.read_text())["scrape_configs"]
    assert scrape["static_configs"] == [{"targets": ["service:8000"]}]
    assert "127.0.0.1:8000:8000" in compose()["services"]["service"]["ports"]


def test_images_are_pinned() -> None:
    images = [service["image"] for service in compose()["services"].values() if "image" in service]
    assert all(image.partition(":")[2] not in {"", "latest"} for image in images)


def test_the_image_asks_for_its_health_with_our_own_probe() -> None:
    _, _, check = (ROOT / "deploy/Dockerfile").read_text().partition("HEALTHCHECK")
    (command,) = re.findall(r"CMD (\[.*\])", check.partition("STOPSIGNAL")[0])
    assert json.loads(command) == ["python", "-m", probe.__name__]


def test_yaml_files_pass_yamllint() -> None:
    run(tool("yamllint"), "--strict", "-c", "deploy/yamllint.yaml", "docker-compose.yml", "deploy")


# ---- Kubernetes ----------------------------------------------------------------------------------------------------

KUBERNETES = ROOT / "deploy/kubernetes"
CUSTOM = ("RayService", "PodMonitor", "PrometheusRule", "Kustomization")


def objects() -> list[dict[str, Any]]:
    """Every object of the folder."""
    files = sorted(KUBERNETES.glob("*.yaml"))
    return [found for file in files for found in yaml.safe_load_all(file.read_text())]


def rayservice() -> dict[str, Any]:
    return next(one for one in objects() if one["kind"] == "RayService")


def pods() -> dict[str, dict[str, Any]]:
    """Templates of the cluster's pods."""
    cluster = rayservice()["spec"]["rayClusterConfig"]
    groups = {"head": cluster["headGroupSpec"], **{one["groupName"]: one for one in cluster["workerGroupSpecs"]}}
    return {name: group["template"] for name, group in groups.items()}


@pytest.mark.parametrize("found", [one for one in objects() if one["kind"] not in CUSTOM], ids=lambda one: one["kind"])
def test_kubernetes_own_objects_fit_its_schemas(found: dict[str, Any]) -> None:
    kubernetes_validate.validate(found, KUBERNETES_VERSION, strict=True)


@pytest.mark.parametrize("name", pods())
def test_the_clusters_pods_fit_the_schema_of_pods(name: str) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", **pods()[name]}
    kubernetes_validate.validate(pod, KUBERNETES_VERSION, strict=True)


def test_kustomize_names_every_file() -> None:
    (kustomization,) = yaml.safe_load_all((KUBERNETES / "kustomization.yaml").read_text())
    assert sorted([*kustomization["resources"], "kustomization.yaml"]) == sorted(
        one.name for one in KUBERNETES.iterdir()
    )


@pytest.mark.parametrize("name", pods())
def test_a_pod_runs_as_a_user_without_rights_and_through_our_own_command(name: str) -> None:
    pod = pods()[name]
    (container,) = pod["spec"]["containers"]
    assert pod["metadata"]["annotations"]["ray.io/overwrite-container-cmd"] == "true"
    assert container["command"] == ["attendant", "node", "--kuberay"]
    assert container["securityContext"]["runAsNonRoot"]
    assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}


@pytest.mark.parametrize("name", pods())
def test_a_pods_variables_are_settings_of_the_service(name: str) -> None:
    (container,) = pods()[name]["spec"]["containers"]
    read_settings({one["name"]: one["value"] for one in container["env"] if "value" in one})


@pytest.mark.parametrize("name", pods())
def test_a_pod_is_not_killed_before_it_has_handed_its_work_over(name: str) -> None:
    asked_s, drain_s = members.ASK_TIMEOUT_S, Settings().drain_timeout_s
    handed_over_s = asked_s + drain_s + node.HAND_OVER_S
    ended_s = handed_over_s + drain_s + node.STOP_TIMEOUT_S
    assert pods()[name]["spec"]["terminationGracePeriodSeconds"] > ended_s


@pytest.mark.parametrize("name", pods())
def test_a_pods_probes_speak_what_its_ports_do(name: str) -> None:
    (container,) = pods()[name]["spec"]["containers"]
    probes = [container[kind] for kind in ("livenessProbe", "readinessProbe", "startupProbe") if kind in container]
    assert {probe["httpGet"].get("scheme", "HTTP") for probe in probes} == {"HTTP"}
    assert "ATTENDANT_TLS_CERTIFICATE" not in [one["name"] for one in container["env"]]
    assert "Leave `ATTENDANT_TLS_CERTIFICATE` unset" in (ROOT / "docs/cluster.md").read_text()


def test_serve_may_ask_for_as_many_replicas_as_there_may_be_pods() -> None:
    arguments = yaml.safe_load(rayservice()["spec"]["serveConfigV2"])["applications"][0]["args"]
    (group,) = rayservice()["spec"]["rayClusterConfig"]["workerGroupSpecs"]
    assert (arguments["num_replicas"], arguments["max_replicas"]) == (group["minReplicas"], group["maxReplicas"])


def test_prometheus_finds_every_pod_under_one_job() -> None:
    monitor = next(one for one in objects() if one["kind"] == "PodMonitor")
    for pod in pods().values():
        assert monitor["spec"]["selector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
        assert pod["metadata"]["labels"][monitor["spec"]["jobLabel"]] == "attendant"


def test_redis_lets_the_head_in_and_the_job_that_empties_it() -> None:
    policy = next(one for one in objects() if one["kind"] == "NetworkPolicy" and one["metadata"]["name"] == "redis")
    (rule,) = policy["spec"]["ingress"]
    (peer,) = rule["from"]
    (wanted,) = peer["podSelector"]["matchExpressions"]
    assert wanted == {"key": "ray.io/node-type", "operator": "In", "values": ["head", "redis-cleanup"]}


def test_a_cluster_asks_for_its_token_and_keeps_its_heads_state() -> None:
    cluster = rayservice()["spec"]["rayClusterConfig"]
    assert cluster["authOptions"] == {"mode": "token"}
    assert cluster["gcsFaultToleranceOptions"]["redisAddress"] == "redis:6379"
    assert cluster["rayVersion"] == version("ray")


# ---- Serve's configuration -----------------------------------------------------------------------------------------


def serve_config() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(rayservice()["spec"]["serveConfigV2"])
    return found


def models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The pydantic models that an annotation such as `list[Model] | None` names."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from models_in(argument)


def unknown_keys(value: Any, models: list[type[BaseModel]], where: str = "") -> Iterator[str]:
    """Keys that no field of the schema takes. What fields without a model hold (args, user_config) is not looked at."""
    if not models:
        return
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from unknown_keys(item, models, f"{where}[{index}]")
    if isinstance(value, dict):
        fields = {name: field for model in models for name, field in model.model_fields.items()}
        for key, inner in value.items():
            if key not in fields:
                yield f"{where}.{key}"
            else:
                yield from unknown_keys(inner, list(models_in(fields[key].annotation)), f"{where}.{key}")


@pytest.fixture(scope="module")
def schema() -> type[BaseModel]:
    module = pytest.importorskip("ray.serve.schema", reason="needs the group `serve`")
    found: type[BaseModel] = module.ServeDeploySchema
    return found


def test_serve_accepts_its_configuration(schema: type[BaseModel]) -> None:
    schema.model_validate(serve_config())


def test_serves_configuration_has_no_key_that_serve_would_drop(schema: type[BaseModel]) -> None:
    assert list(unknown_keys(serve_config(), [schema])) == []


def test_a_key_that_serve_would_drop_is_found(schema: type[BaseModel]) -> None:
    config = serve_config()
    config["http_options"]["hots"] = "127.0.0.1"
    config["applications"][0]["deployments"] = [{"name": "a", "ray_actor_options": {"num_cpu": 1}}]

    found = list(unknown_keys(config, [schema]))

    assert found == [".http_options.hots", ".applications[0].deployments[0].ray_actor_options.num_cpu"]


def test_a_cluster_has_keys() -> None:
    (application,) = serve_config()["applications"]
    mounts = rayservice()["spec"]["rayClusterConfig"]["workerGroupSpecs"][0]["template"]["spec"]["containers"][0]
    folder = Path(application["args"]["keys_file"]).parent
    assert str(folder) in [mount["mountPath"] for mount in mounts["volumeMounts"]]


def test_serves_arguments_are_settings_of_the_service() -> None:
    (application,) = serve_config()["applications"]
    Settings.model_validate({**application["args"], "keys_file": None})
