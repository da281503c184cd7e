"""German verbs that end their clause, behind the day, the time or the price."""

from __future__ import annotations

import pytest

from service.text.mending.verb_ends import with_verbs_last

A, B, C, D = "\ue000", "\ue001", "\ue002", "\ue003"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Wir werden uns treffen am {A}. Mai.", f"Wir werden uns am {A}. Mai treffen."),
        (f"Wir müssen das Haus verlassen um {A} Uhr.", f"Wir müssen das Haus um {A} Uhr verlassen."),
        (f"Kannst du sie abholen um {A}?", f"Kannst du sie um {A} abholen?"),
        (f"Es hat gekostet {B}.", f"Es hat {B} gekostet."),
        (f"Sie kann gekauft werden für {B}.", f"Sie kann für {B} gekauft werden."),
        ("Ich habe ihn gekauft am 2. Mai und es hat geregnet.", "Ich habe ihn am 2. Mai gekauft und es hat geregnet."),
        (f"Kannst du aufpassen vom {A}. bis {C}. August?", f"Kannst du vom {A}. bis {C}. August aufpassen?"),
        (f"Es hat aufgehört zu arbeiten am {A}. Mai.", f"Es hat am {A}. Mai aufgehört zu arbeiten."),
        (
            f"Wir möchten Sie einladen am Samstag, dem {A}. Juni {C}.",
            f"Wir möchten Sie am Samstag, dem {A}. Juni {C} einladen.",
        ),
        (
            "Sie wird geöffnet werden nächsten Montag, obwohl es regnet.",
            "Sie wird nächsten Montag geöffnet werden, obwohl es regnet.",
        ),
        (f"Senden Sie es bis zum {A}. Mai zurück um {B} Uhr.", f"Senden Sie es bis zum {A}. Mai um {B} Uhr zurück."),
        ("Ich habe gesehen diese Woche.", "Ich habe diese Woche gesehen."),
        (f"Ich stecke hier fest bis {A} Uhr.", f"Ich stecke hier bis {A} Uhr fest."),
        (f"Die Karte ist gültig seit dem {A}. Mai.", f"Die Karte ist seit dem {A}. Mai gültig."),
        (f"Er findet montags statt {D}.", f"Er findet montags {D} statt."),
        (f"Ich muss ihn verlängern vor dem {A}. Mai.", f"Ich muss ihn vor dem {A}. Mai verlängern."),
        (f"Wir freuen uns, Sie zu sehen am {A}. Mai.", f"Wir freuen uns, Sie am {A}. Mai zu sehen."),
        ("Ich kann nicht am 3. Mai.", None),
        ("Ich kann morgen um 8 Uhr.", None),
        ("Von Montag an um 8 Uhr.", None),
        ("Das ist einer der Romane der letzten 30 Jahre, die ich um 8 Uhr lese.", None),
        ("Er ist unterwegs, angekommen am 3. Mai.", None),
        (f"Unser Flug am {A}. Mai wurde gestrichen.", None),
        ("Er wohnte hier bis vor 3 Tagen.", None),
    ],
)
def test_verbs_end_their_clause(text: str, expected: str | None) -> None:
    copies = [(A, "3"), (B, "€49,99"), (C, "2026"), (D, "von 18:00 bis 19:30 Uhr")]
    assert with_verbs_last(text, [], "de", copies)[0] == (expected or text)
    assert with_verbs_last(text, [], "fr", copies)[0] == text


def test_subwords_move_with_their_words() -> None:
    text, spans = with_verbs_last("Wir wollen gehen am 3. Mai.", [(0, 10), (10, 16), (16, 26), (26, 27)], "de", ())
    assert [text[start:end] for start, end in spans] == ["Wir wollen", " gehen", " am 3. Mai", "."]


def test_a_clause_that_begins_too_far_before_is_left() -> None:
    text = f"Wir wollen {'sehr ' * 60}gehen am 3. Mai."
    assert with_verbs_last(text, [], "de", ())[0] == text
