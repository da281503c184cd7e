"""A recipe's `[variation]` that varies nothing."""

from __future__ import annotations

from typing import Any

from model_store.data.shares import VariationPart

UNVARIED: dict[str, Any] = {name: 0.0 for name, one in VariationPart.model_fields.items() if one.annotation is float}
