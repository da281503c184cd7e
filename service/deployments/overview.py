"""What `attendant status` shows: machines, replicas, models, labels, what was refused, load."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from service.api.releases import canaries, parsed_labels
from service.deployments.models_file import with_models_file
from service.errors import ConfigurationError
from service.observability import table
from service.observability.exposition import node_series, node_totals
from service.observability.series import shared_directory
from service.settings import Settings

ASK_TIMEOUT_S = 10.0
RATE_S = 1.0
"""Over which a machine's requests are counted."""
_SHOWN = {
    "requests_per_second": None,
    "requests_in_flight": table.REQUESTS_IN_FLIGHT,
    "replicas_ready": table.REPLICAS_READY,
    "waiting_segments": table.QUEUE_DEPTH,
    "running_rows": table.RUNNING_ROWS,
    "predicted_wait_s": table.PREDICTED_WAIT,
}


def overview() -> dict[str, Any]:
    """Nodes with their load, models and labels, replicas, and the application's status with the models that it was
    given; of the cluster that this process is connected to."""
    import ray

    from service.deployments.rollout import served_settings

    all_nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    nodes = sorted(all_nodes, key=lambda node: (not node["Alive"], node["NodeManagerAddress"]))
    alive = {node["NodeID"]: node["NodeManagerAddress"] for node in nodes if node["Alive"]}
    settings = served_settings()
    loads = _loads(list(alive), settings)
    lost = {node["NodeManagerAddress"] for node in nodes if not node["Alive"]} - set(alive.values())
    return {
        "application": _application(),
        "models": list(settings.models) if settings else [],
        "nodes": [
            *({"address": address, "alive": True, **loads.get(node, {})} for node, address in alive.items()),
            *({"address": address, "alive": False} for address in sorted(lost)),
        ],
        "replicas": _replicas(),
    }


def shown(found: dict[str, Any]) -> str:
    """The overview as lines for a terminal."""
    application = found["application"]
    lines = [f"application: {application['status']}{': ' if application['message'] else ''}{application['message']}"]
    lines.append(f"models:      {', '.join(found['models']) or 'none'}")
    for node in found["nodes"]:
        load = ", ".join(f"{name.replace('_', ' ')} {node[name]:g}" for name in _SHOWN if name in node)
        lines.append(f"node {node['address']}: {load or ('no numbers' if node['alive'] else 'lost')}")
        lines += [f"  {line}" for line in _releases_shown(node)]
    for replica in found["replicas"]:
        lines.append(f"replica {replica['id']}: {replica['state'].lower()} on {replica['node']}, pid {replica['pid']}")
    return "\n".join(lines)


def _releases_shown(node: dict[str, Any]) -> list[str]:
    """What a machine serves, which label means what, and what it does not do though it was told to."""
    lines = []
    if served := node.get("served"):
        lines.append("replicas by model " + ", ".join(f"{model} {count}" for model, count in served.items()))
    for name in ("labels", "shadows"):
        if node.get(name):
            lines.append(f"{name} {', '.join(node[name])}")
    lines += [f"withdrew the canary {one['model']} for its {one['reason']}" for one in node.get("withdrawn", [])]
    if node.get("refused"):
        lines.append(f"refused, so that the models stay as they were: {node['refused']}")
    return lines


def _application() -> dict[str, str]:
    from ray import serve

    from service.deployments.ingress import APPLICATION

    found = serve.status().applications.get(APPLICATION)
    if found is None:
        return {"status": "not deployed", "message": ""}
    reasons = [one.message for one in found.deployments.values() if one.message]
    return {"status": str(found.status.value).lower(), "message": "; ".join([found.message, *reasons]).strip("; ")}


def _replicas() -> list[dict[str, Any]]:
    from ray.serve.context import _get_global_client

    from service.deployments.ingress import APPLICATION

    client = _get_global_client(raise_if_no_controller_running=False)
    if client is None:
        return []
    application = client.get_serve_details()["applications"].get(APPLICATION, {"deployments": {}})
    return [
        {"id": one["replica_id"], "state": one["state"], "node": one.get("node_ip"), "pid": one.get("pid")}
        for deployment in application["deployments"].values()
        for one in deployment["replicas"]
    ]


def _loads(node_ids: list[str], settings: Settings | None) -> dict[str, dict[str, Any]]:
    """Of each machine that answers, the numbers of its replicas and what they serve."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ask = ray.remote(num_cpus=0, max_retries=0)(_load)
    asked = {
        ask.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node_id, soft=False)).remote(settings): node_id
        for node_id in node_ids
    }
    done, _ = ray.wait(list(asked), num_returns=len(asked), timeout=ASK_TIMEOUT_S)
    found = {}
    for one in done:
        try:
            found[asked[one]] = ray.get(one)
        except ray.exceptions.RayError:  # it is shown without numbers
            continue
    return found


def _load(settings: Settings | None) -> dict[str, Any]:
    """Runs on a machine."""
    directory: Path | None = shared_directory()
    if directory is None:
        return {}
    before = node_totals(directory)[table.REQUESTS.name]
    time.sleep(RATE_S)
    now = node_totals(directory)
    numbers = {name: now[spec.name] for name, spec in _SHOWN.items() if spec is not None}
    rate = (now[table.REQUESTS.name] - before) / RATE_S
    return {"requests_per_second": rate, **numbers, **(releases(directory, settings) if settings else {})}


def releases(directory: Path, settings: Settings) -> dict[str, Any]:
    """What a machine's replicas serve, by the metrics in that folder and the machine's own models file.

    `served` has the number of replicas by model, `withdrawn` the canaries that it withdrew, `refused` why the
    models file has no use, or that replicas refuse a model of it; their logs name the model.
    """
    told = ""
    try:
        settings = with_models_file(settings)
    except ConfigurationError as error:
        told = str(error)
    refusing = int(node_series(directory, table.UNUSABLE_FILE).get(("models",), 0))
    if refusing and not told:
        told = f"{refusing} of the replicas cannot serve what {settings.models_file} says; their logs say why"
    served = {model: int(count) for (model,), count in node_series(directory, table.MODEL_REPLICAS).items() if count}
    offered = canaries(parsed_labels(settings.labels))
    return {
        "served": dict(sorted(served.items())),
        "labels": [] if told else list(settings.labels),
        "shadows": [] if told else list(settings.shadows),
        "withdrawn": [
            {"model": model, "reason": reason}
            for (model, reason), count in sorted(node_series(directory, table.CANARY_WITHDRAWN).items())
            if count and model in offered
        ],
        "refused": told,
    }
