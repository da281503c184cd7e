"""Placeholders: code points of the vocabulary that stand for a stretch of text which must not change.

They are private-use code points of Unicode, so no text means anything by them. Training exchanges names, numbers and
the like for them on both sides of a pair; a server that protects an e-mail address writes one in its place, and puts
the address back where the model wrote it.
"""

from __future__ import annotations

PLACEHOLDERS = "\ue000\ue001\ue002\ue003\ue004\ue005\ue006\ue007"
"""Distinct ones, so that several in a sentence keep apart."""
