"""Wordings of chats, reviews and headlines, as others that models know."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.shorthand import written_out


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "I'm so done with this, I'm done with it", "I'm so fed up with this, I'm done with it"),
        ("en", "what do u fancy for tea", "what do you want to eat for tea"),
        ("en", "my mums making a cake, two mums making", "my mum's making a cake, two mums making"),
        ("en", "my dads here", "my dad's here"),
        ("en", "I can't get hold of him, get hold of a car", "I can't reach him, get hold of a car"),
        ("en", "a cold so ill stay and ill call, I'm ill", "a cold, so I'll stay and I'll call, I'm ill"),
        ("en", "it was lovely seeing you, great seeing", "it was nice to see you, great seeing"),
        ("en", "put the bins out", "take the bins out"),
        ("en", "Lovely product, a lovely product", "Very nice product, a lovely product"),
        ("en", "and it's still going strong", "and it still works very well"),
        ("en", "It fell apart. Bad, fell apart in the wash", "It fell apart. Bad, it broke in the wash"),
        ("en", "They went out of their way to make it nice", "They did everything to make it nice"),
        ("en", "Cook until al dente", "Cook al dente"),
        ("en", "Check the seasoning and stir", "Taste it and stir"),
        ("en", "arrange them on a plate, arrange a date", "put them on a plate, arrange a date"),
        ("en", "Allow to cool. Allow to stand. Allow it", "Let it cool. Let it rest. Allow it"),
        ("en", "Police hunt for a man", "The police are looking for a man"),
        ("en", "Driver killed in crash, killed in crash", "Driver was killed in a crash, killed in crash"),
        ("fr", "trop hâte de te voir, trop hâte", "J'ai trop hâte de te voir, trop hâte"),
        ("fr", "je suis enrhumée", "j'ai un rhume"),
        ("fr", "je te tiens au jus, rôti au jus", "je te tiens au courant, rôti au jus"),
        ("fr", "Personnel aux petits soins", "Le personnel est très attentionné"),
        ("fr", "Il est aux petits soins", "Il est très attentif"),
        ("fr", "Émincez l'oignon, émincez les poireaux", "hachez finement l'oignon, émincez les poireaux"),
        ("fr", "1 gros oignon, un gros oignon", "1 grand oignon, un gros oignon"),
        ("fr", "L'inflation recule à 2,1 %, il recule de 2 m", "L'inflation baisse à 2,1 %, il recule de 2 m"),
        ("fr", "Le prix au plus bas depuis 2019", "Le prix à son niveau le plus bas depuis 2019"),
    ],
)
def test_they_are_read_as_models_know_them(language: str, text: str, read: str) -> None:
    assert written_out(normalise(text), language).text == read
