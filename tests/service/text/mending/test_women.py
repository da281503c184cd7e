"""What belongs to women, in English translations of French."""

from __future__ import annotations

import pytest

from service.text.mending.women import with_women


@pytest.mark.parametrize(
    ("read", "text", "written"),
    [
        ("Claire a perdu son sac.", "Claire lost his bag.", "Claire lost her bag."),
        ("Mme Diallo a oublié son parapluie.", "Ms Diallo forgot his umbrella.", "Ms Diallo forgot her umbrella."),
        ("Hier, Julie a perdu son sac.", "Yesterday, Julie lost his bag.", "Yesterday, Julie lost her bag."),
        ("La conductrice, qui a perdu son sac", "The driver, who lost his bag", "The driver, who lost her bag"),
        ("La vieille dame perd son sac.", "The old lady is losing his bag.", "The old lady is losing her bag."),
        ("La chanteuse vend son album.", "The singer sells his album.", "The singer sells her album."),
        ("La ministre annonce sa démission.", "The minister is leaving his post.", "The minister is leaving her post."),
        ("ma voisine vend sa maison", "my neighbour sells his house", "my neighbour sells her house"),
        ("Julie est à Lyon avec sa sœur.", "Julie is in Lyon with his sister.", "Julie is in Lyon with her sister."),
        (
            "Julie prête son vélo à Paul et son casque à Marc.",
            "Julie lends his bike to Paul and his helmet to Marc.",
            "Julie lends her bike to Paul and his helmet to Marc.",
        ),
        ("Paul a perdu son sac.", "Paul lost his bag.", "Paul lost his bag."),
        ("Camille a perdu son sac.", "Camille lost his bag.", "Camille lost his bag."),
        ("Claire, son frère est là.", "Claire, his brother is here.", "Claire, his brother is here."),
        ("La femme de Tom a lu sa lettre.", "Tom's wife read his letter.", "Tom's wife read his letter."),
        ("Claire dit qu'il a son sac.", "Claire says he has his bag.", "Claire says he has his bag."),
        ("Sa femme a quitté son emploi.", "His wife left her job.", "His wife left her job."),
        ("La porte a son charme.", "The door has his charm.", "The door has his charm."),
    ],
)
def test_what_a_woman_has_is_hers(read: str, text: str, written: str) -> None:
    assert with_women(text, [], ("fr", "en"), read) == (written, [])
    assert with_women(text, [], ("de", "en"), read) == (text, [])


def test_spans_follow() -> None:
    spans = [(0, 5), (6, 10), (11, 14), (15, 18)]
    written, moved = with_women("Marie lost his bag", spans, ("fr", "en"), "Marie a perdu son sac")
    assert [written[start:end] for start, end in moved] == ["Marie", "lost", "her", "bag"]
