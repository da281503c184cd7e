"""The published Transformer, as it is and in kernels."""

from __future__ import annotations

import pytest

from model_store.contract.bundle import Bundle
from model_store.contract.store import EMBEDDED_STORE, Store
from service.runtime.native import NativeRuntime


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return Store(EMBEDDED_STORE).open("en-fr-transformer")


@pytest.fixture(scope="module")
def native(bundle: Bundle) -> NativeRuntime:
    return NativeRuntime(bundle)
