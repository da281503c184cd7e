"""Networks out of bundles: they compute what the bundle does, or are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model_store.contract.errors import ContractError
from model_store.export.weights import reopen
from tests.bundles import published


def test_a_network_that_computes_something_else_than_its_bundle_is_refused() -> None:
    """A third graph of such a network was published once: it scaled embeddings, which the bundle did not."""
    bundle = published("en-fr-bahdanau-small")
    reopen(bundle)
    configuration = {**bundle.manifest.configuration, "scales_embeddings": False}
    changed = replace(bundle, manifest=bundle.manifest.model_copy(update={"configuration": configuration}))
    wrong = r"^en-fr-bahdanau-small@\d+: 1 fault\(s\): the encoder's memory differs by \d+% from that of the"
    with pytest.raises(ContractError, match=wrong):
        reopen(changed)
