"""What CTranslate2 is told about instructions."""

from __future__ import annotations

import pytest

from loadtests.peers import instructions


def test_the_environment_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(instructions.VARIABLE, "GENERIC")
    assert instructions.environment() == {instructions.VARIABLE: "GENERIC"}
    assert instructions.described() == "GENERIC"


def test_an_empty_variable_is_a_choice_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(instructions.VARIABLE, instructions.ITS_OWN)
    assert instructions.described() == "its own choice"


def test_without_a_word_of_the_environment_the_processor_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(instructions.VARIABLE, raising=False)
    for has, told in ((True, "AVX512"), (False, instructions.ITS_OWN)):
        monkeypatch.setattr(
            instructions.binding,
            "get_host_cpu_features",
            lambda has=has: {"avx512f": True, "avx512cd": True, "avx512vl": True, "avx512bw": has, "avx512dq": True},
        )
        assert instructions.environment() == {instructions.VARIABLE: told}
