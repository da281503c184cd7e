"""Years and centuries with an era."""

from __future__ import annotations

import pytest

from service.text.expressions.eras import eras, may_have_eras
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "fr", "It was founded c. 500 BC by farmers.", "It was founded vers 500 av. J.-C. by farmers."),
        ("en", "de", "founded around 500 BC by", "founded um 500 v. Chr. by"),
        ("en", "fr", "Pompeii fell in AD 79 and", "Pompeii fell en 79 apr. J.-C. and"),
        ("en", "de", "from 44 BCE to 14 CE, then", "from 44 v. u. Z. to 14 u. Z., then"),
        ("en", "de", "the 3rd century BC, a", "the 3rd century v. Chr., a"),
        ("en", "fr", "It ended in 44 BC.", "It ended en 44 av. J.-C."),
        ("fr", "en", "vers 50 av. J.-C. par des paysans", "around 50 BC par des paysans"),
        ("fr", "de", "au IIIe si\u00e8cle apr. J.-C., puis", "au IIIe si\u00e8cle n. Chr., puis"),
        ("de", "en", "Sie wurde um 500 v. Chr. gebaut.", "Sie wurde around 500 BC gebaut."),
        ("de", "fr", "Er starb 44 v. Chr. in Rom.", "Er starb en 44 av. J.-C. in Rom."),
        ("de", "en", "seit 44 v. Chr. in Rom", "seit 44 BC in Rom"),
        ("en", "fr", "an AD for 5 CDs, the BC coast", "an AD for 5 CDs, the BC coast"),
        ("en", "it", "in 44 BC", "in 44 BC"),
    ],
)
def test_eras_are_those_of_the_other_language(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, eras(text, source, target)) == expected
    assert text == expected or may_have_eras(text, source)
