"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no fault of the code: pytest's own time limit ends what hangs.
settings.register_profile("attendant", deadline=None)
settings.load_profile("attendant")
