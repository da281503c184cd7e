"""Settings come from the environment, and every fault in them is told at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.errors import ConfigurationError
from service.settings import Settings, read_settings, variable


def test_without_variables_every_setting_has_its_default() -> None:
    settings = read_settings({"PATH": "/bin"})
    assert settings == Settings()
    assert (settings.http_host, settings.http_port, settings.num_replicas) == ("127.0.0.1", 8000, 1)


def test_variables_are_read_and_converted(tmp_path: Path) -> None:
    settings = read_settings(
        {
            "ATTENDANT_HTTP_PORT": "8123",
            "ATTENDANT_STORE": str(tmp_path),
            "ATTENDANT_MODELS": "en-fr-transformer, en-fr-bahdanau@2",
            "ATTENDANT_REQUEST_TIMEOUT_S": "2.5",
        }
    )
    assert settings.http_port == 8123
    assert settings.store == tmp_path.resolve()
    assert settings.models == ("en-fr-transformer", "en-fr-bahdanau@2")
    assert settings.request_timeout_s == 2.5


def test_every_fault_is_reported_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_settings(
            {
                "ATTENDANT_HTTP_PROT": "8000",
                "ATTENDANT_NUM_REPLICAS": "many",
                "ATTENDANT_HTTP_PORT": "70000",
                "ATTENDANT_STORE": "/no/such/folder",
            }
        )
    faults = {fault.field: fault.message for fault in caught.value.faults}
    assert set(faults) == {
        "ATTENDANT_HTTP_PROT",
        "ATTENDANT_NUM_REPLICAS",
        "ATTENDANT_HTTP_PORT",
        "ATTENDANT_STORE",
    }
    assert "ATTENDANT_HTTP_PORT" in faults["ATTENDANT_HTTP_PROT"]
    assert all(name in caught.value.detail for name in faults)


def test_a_folder_that_is_not_there_is_told_in_our_own_words() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_settings({"ATTENDANT_STORE": "/no/such/folder"})
    assert caught.value.faults[0].message == "there is no such folder (given '/no/such/folder')"


def test_a_name_like_no_setting_is_answered_with_the_list_of_settings() -> None:
    with pytest.raises(ConfigurationError, match="ATTENDANT_NUM_REPLICAS"):
        read_settings({"ATTENDANT_9": "1"})


def test_what_a_file_has_is_named_as_it_is_written_there() -> None:
    written = {"NUM_REPLICAS": 2, "http_port": 70_000, "models": ["a", "b"]}
    with pytest.raises(ConfigurationError) as caught:
        read_settings({"ATTENDANT_HTTP_PORT": "8001", "ATTENDANT_LOG_LEVEL": "loud"}, written)
    faults = {fault.field: fault.message for fault in caught.value.faults}
    assert set(faults) == {"NUM_REPLICAS", "http_port", "ATTENDANT_LOG_LEVEL"}
    assert faults["NUM_REPLICAS"] == "is no setting; did you mean num_replicas?"
    assert faults["http_port"].endswith("(given '70000')")


def test_a_file_is_taken_before_the_variables() -> None:
    settings = read_settings({"ATTENDANT_HTTP_PORT": "8001"}, {"http_port": 8002, "models": ["a", "b"], "open": True})
    assert (settings.http_port, settings.models, settings.open) == (8002, ("a", "b"), True)


@pytest.mark.parametrize("labels", ["", "m@stable=1", "m@old=1"])
def test_a_canarys_share_needs_a_canary(labels: str) -> None:
    told = r"ATTENDANT_CANARY_SHARE: no label is a canary, .*; add name@stable=VERSION and name@canary=VERSION .*'0.1'"
    with pytest.raises(ConfigurationError, match=told):
        read_settings({"ATTENDANT_CANARY_SHARE": "0.1", "ATTENDANT_LABELS": labels})
    assert read_settings({"ATTENDANT_CANARY_SHARE": "0", "ATTENDANT_LABELS": labels}).canary_share == 0


def test_a_label_at_fault_is_told_alone() -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_settings({"ATTENDANT_CANARY_SHARE": "0.1", "ATTENDANT_LABELS": "m@canary=1"})
    assert [fault.field for fault in caught.value.faults] == ["ATTENDANT_LABELS"]


def test_replicas_are_added_before_requests_are_refused() -> None:
    variables = {"ATTENDANT_MAX_WAIT_S": "0.3", "ATTENDANT_LABELS": ""}
    assert read_settings(variables).max_wait_s == 0.3  # nothing is added
    told = r"ATTENDANT_TARGET_WAIT_S: must be less than max_wait_s, 0.3, where max_replicas is set: .*given '0.3'"
    with pytest.raises(ConfigurationError, match=told):
        read_settings({**variables, "ATTENDANT_MAX_REPLICAS": "2"})


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError):
        Settings().http_port = 1  # type: ignore[misc]


@pytest.mark.parametrize("field", sorted(Settings.model_fields))
def test_every_setting_says_what_it_means(field: str) -> None:
    assert Settings.model_fields[field].description, f"{variable(field)} needs a docstring"
