"""The Serve applications of the batching rows, run as they are measured."""

from __future__ import annotations

import httpx
import pytest

from loadtests.peers.options import MODEL
from loadtests.peers.serving import running_application
from loadtests.server import ServerError
from model_store.contract.store import EMBEDDED_STORE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not EMBEDDED_STORE.joinpath(MODEL).is_dir(), reason="there is no bundle to serve"),
]
SETTINGS = {"ATTENDANT_STORE": str(EMBEDDED_STORE), "ATTENDANT_MODELS": MODEL}


@pytest.mark.parametrize("rows_leave", [False, True])
def test_static_batches_are_formed_as_told_and_counted(rows_leave: bool) -> None:
    texts = ["The black cat ate the mouse.", "Good morning!", "Where is the station?"]
    application = "loadtests.peers.static_application:application"
    with (
        running_application(application, {"rows_leave": rows_leave}, SETTINGS) as server,
        httpx.Client(base_url=server.url, timeout=30.0, trust_env=False) as client,
    ):
        client.put("/batching", json={"max_batch_size": 2, "batch_wait_timeout_s": 0.2}).raise_for_status()
        answer = client.post("/v1/translate", json={"text": texts, "beam_size": 1}).raise_for_status().json()
        state = client.get("/batching").raise_for_status().json()
    assert "chat noir" in answer["translations"][0]["text"]
    assert len(answer["translations"]) == 3
    assert (state["num_segments"], state["num_batches"]) == (3, 2)


def test_the_product_runs_over_a_runtime_that_only_waits() -> None:
    application = "loadtests.peers.scripted_runtime:application"
    with running_application(application, {"step_s": 0.01}, SETTINGS) as server:
        answer = httpx.post(f"{server.url}/v1/translate", json={"text": "Good morning!"}, trust_env=False, timeout=30.0)
    usage = answer.raise_for_status().json()["usage"]
    assert usage["target_tokens"] == usage["source_tokens"]


def test_an_application_that_cannot_be_served_is_told_with_its_reason() -> None:
    application = "loadtests.peers.static_application:application"
    with (
        pytest.raises(ServerError, match="one replica"),
        running_application(application, {"rows_leave": True}, SETTINGS, num_replicas=2),
    ):
        pass
