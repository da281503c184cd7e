"""The instruction set that CTranslate2 is told to use: left alone, it keeps to AVX2 on AMD's processors."""

from __future__ import annotations

import os

from llvmlite import binding

VARIABLE = "CT2_FORCE_CPU_ISA"
"""Variable of the environment that CTranslate2 reads once, when it first computes."""
ITS_OWN = ""
"""Leaves the choice to CTranslate2."""
_NEEDED = ("avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq")


def environment() -> dict[str, str]:
    """The variable as the environment has it, otherwise for AVX-512 where the processor has what CTranslate2 needs."""
    features = binding.get_host_cpu_features()
    fastest = "AVX512" if all(features.get(name) for name in _NEEDED) else ITS_OWN
    return {VARIABLE: os.environ.get(VARIABLE, fastest)}


def described() -> str:
    """What the peer was told, for a row's details."""
    return environment()[VARIABLE] or "its own choice"
