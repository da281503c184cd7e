"""Acronyms: PDF stands as it is, GDP is PIB in French."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence

from service.text.spans.word_sets import word_set

ACRONYM = re.compile(r"\b[A-Z]{2,6}\b")
ACRONYM_PIECES = 3
"""A word in capitals of at least so many subwords in lower case is an acronym: PDF is, EXIT is not."""
TRANSLATED = word_set("AIDS DNA NATO UNO USA USSR VAT ADN ONU OTAN PDG SIDA TVA URSS UDSSR LKW PKW VTT")
"""Acronyms that other languages have in other letters, and that stand alone as labels."""
_IN_OTHER_LETTERS = (
    "AC CA", "ADHD TDAH ADHS", "AI IA KI", "AIDS SIDA", "BMI IMC", "CAP PAC GAP", "CEO PDG GF", "COPD BPCO", "DC CC",
    "DNA ADN DNS", "ECB BCE EZB", "ECHR CEDH EGMR", "EEC CEE EWG", "EU UE", "GDP PIB BIP", "GMO OGM GVO", "GP MG",
    "HGV PL LKW", "HIV VIH", "HR RH", "IMF FMI IWF", "IT EDV", "IUD DIU", "IVF FIV", "LPG GPL", "MRI IRM MRT",
    "NATO OTAN", "NGO ONG NRO", "OECD OCDE", "OCD TOC", "PTSD TSPT PTBS", "RNA ARN RNS", "SME PME KMU", "STD MST",
    "UFO OVNI", "UK RU GB", "UN UNO ONU", "US USA", "USSR URSS UDSSR", "VAT TVA UST", "WHO OMS", "WTO OMC",
)  # fmt: skip
COUNTERPARTS = {each: frozenset(group.split()) - {each} for group in _IN_OTHER_LETTERS for each in group.split()}
"""Acronyms, and what other languages may have for them."""


def is_acronym(text: str, encode: Callable[[str], Sequence[int]], known: Container[str] | None) -> bool:
    """Whether `text` is one acronym and nothing else, such as PDF; no word in capitals such as EXIT, and none that is
    TRANSLATED. `encode` gives subword ids, `known` are the words that the model was trained on."""
    if ACRONYM.fullmatch(text) is None or text in TRANSLATED:
        return False
    return len(encode(text.lower())) >= ACRONYM_PIECES or (known is not None and text not in known)
