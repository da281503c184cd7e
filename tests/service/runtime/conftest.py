"""The published bundles, as they are and in kernels."""

from __future__ import annotations

import pytest

from model_store.contract.bundle import Bundle
from model_store.contract.store import EMBEDDED_STORE, Store
from service.runtime.native import NativeRuntime


@pytest.fixture(scope="module", params=["en-fr-transformer", "en-fr-bahdanau"])
def bundle(request: pytest.FixtureRequest) -> Bundle:
    if not EMBEDDED_STORE.joinpath(request.param).is_dir():
        pytest.skip("the published bundle is not there")
    return Store(EMBEDDED_STORE).open(request.param)


@pytest.fixture(scope="module")
def native(bundle: Bundle) -> NativeRuntime:
    return NativeRuntime(bundle)


@pytest.fixture(scope="module")
def transformer() -> Bundle:
    if not EMBEDDED_STORE.joinpath("en-fr-transformer").is_dir():
        pytest.skip("the published bundle is not there")
    return Store(EMBEDDED_STORE).open("en-fr-transformer")


@pytest.fixture(scope="module")
def native_transformer(transformer: Bundle) -> NativeRuntime:
    return NativeRuntime(transformer)
