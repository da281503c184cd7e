"""Subjects that people leave out, and sentences that have lost none."""

from __future__ import annotations

import re
import time
import tomllib
from importlib.resources import files

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.elided import FILE, with_subject


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "Just checking if you got my email.", "I'm just checking if you got my email."),
        ("en", "hope this helps", "I hope this helps"),
        ("en", "Absolutely love it", "I absolutely love it"),
        ("de", "sitz im bus", "ich sitze im bus"),
        ("de", "Sitz gerade!", "Sitz gerade!"),
        ("de", "steh im stau", "ich stehe im stau"),
        ("en", "Order by Friday", "Please order by Friday"),
        ("en", "Order by name", "Order by name"),
        ("en", "Return before 3 May", "Please return it before 3 May"),
        ("en", "Book by 15 March and save", "Please book by 15 March and save"),
        ("en", "Book was great", "The book was great"),
        ("en", "Register by the end of June", "Please register by the end of June"),
        ("en", "oh my God just saw your pics", "oh my God I just saw your pics"),
        ("en", "Just arrived at the hotel", "I just arrived at the hotel"),
        ("en", "Just noticed my phone is broken", "I just noticed my phone is broken"),
        ("de", "steh noch im Stau", "ich stehe noch im Stau"),
        ("en", "Looking for a flatmate", "I'm looking for a flatmate"),
        ("en", "Looking for a job is hard", "Looking for a job is hard"),
        ("en", "Selling my old desk, good price", "I'm selling my old desk, good price"),
        ("en", "thinking of going out", "I'm thinking of going out"),
        ("en", "Thinking of going out makes me happy", "Thinking of going out makes me happy"),
        ("en", "Must have a driving licence", "You must have a driving licence"),
        ("en", "Must have been the wind", "Must have been the wind"),
        ("de", "komme 5 min sp\u00e4ter", "ich komme 5 min sp\u00e4ter"),
        ("de", "Kam mit Kratzern an.", "Es kam mit Kratzern an."),
        ("de", "schon geh\u00f6rt, wer kommt?", "hast du schon geh\u00f6rt, wer kommt?"),
        ("en", "Couldn't load the page. Try again.", "We couldn't load the page. Try again."),
        ("en", "Couldn't find my keys", "I couldn't find my keys"),
        ("en", "Couldn't find what you wanted?", "Did you not find what you wanted?"),
        ("en", "Just landed, see you soon!", "I have just landed, see you soon!"),
        ("en", "Out of milk again, can you get some", "We've run out of milk again, can you get some"),
        ("en", "Out of milk, can you get some?", "We've run out of milk, can you get some?"),
        ("en", "Can't find my keys, did you take them?", "I can't find my keys, did you take them?"),
        ("en", "Can't find my keys?", "Can't find my keys?"),
        ("en", "Out of milk?", "Out of milk?"),
        ("fr", "Cherchons serveuse pour mai", "Nous cherchons une serveuse pour mai"),
        ("en", "Out of order", "Out of order"),
        ("fr", "Toujours partant pour samedi ?", "Tu es toujours partant pour samedi ?"),
        ("fr", "Toujours d'accord avec lui ?", "Toujours d'accord avec lui ?"),
        ("fr", "Ne fonctionne plus.", "Ça ne fonctionne plus."),
        ("fr", "Ne marche pas sur l'herbe.", "Ne marche pas sur l'herbe."),
        ("de", "bin müde, gehe jetzt ins Bett", "ich bin müde, ich gehe jetzt ins Bett"),
        ("en", "Running late, sorry!", "I'm late, sorry!"),
        ("en", "Be there in 5", "I'll be there in 5"),
        ("en", "Had a great time last night!", "I had a great time last night!"),
        ("en", "Tried it twice, didn't work.", "I tried it twice, it didn't work."),
        ("en", "Got your message, will call you later.", "I got your message, I will call you later."),
        ("en", "Sorry mate, can\u2019t make it tonight", "Sorry mate, I can't make it tonight"),
        ("en", "Hi Sarah, hope you had a good weekend!", "Hi Sarah, I hope you had a good weekend!"),
        ("en", "Need anything from the shop?", "Do you need anything from the shop?"),
        ("en", "Fancy a drink?", "Would you like a drink?"),
        ("en", "Feeling better today", "I'm feeling better today"),
        ("en", "Feeling better?", "Are you feeling better?"),
        ("en", "I'm on the train, will call you later.", "I'm on the train, I will call you later."),
        ("de", "Ich stehe im Stau, komme etwas sp\u00e4ter", "Ich stehe im Stau, ich komme etwas sp\u00e4ter"),
        ("fr", "Je suis malade, peux pas venir", "Je suis malade, je ne peux pas venir"),
        ("en", "Room was clean, staff were rude", "The room was clean, the staff were rude"),
        ("en", "Arrived on time, works as described.", "It arrived on time, it works as described."),
        ("en", "Hi Anna, will sign it tonight.", "Hi Anna, I will sign it tonight."),
        ("en", "Thanks for the contract, will sign it", "Thanks for the contract, I will sign it"),
        ("en", "No signal here, will ring you later.", "No signal here, I will ring you later."),
        ("en", "Left the keys with the neighbours.", "I left the keys with the neighbours."),
        ("en", "Soup was cold.", "The soup was cold."),
        ("en", "Never been disappointed", "I've never been disappointed"),
        ("en", "Ships within 24h", "Shipped within 24h"),
        ("en", "thanks, will do it tomorrow", "thanks, I will do it tomorrow"),
        ("fr", "Suis malade, peux pas venir", "Je suis malade, je ne peux pas venir"),
        ("fr", "Y a plus de caf\u00e9", "Il n'y a plus de caf\u00e9"),
        ("fr", "H\u00e2te de te voir", "J'ai h\u00e2te de te voir"),
        ("fr", "Viens de rentrer", "Je viens de rentrer"),
        ("fr", "Envie d'un caf\u00e9 ?", "As-tu envie d'un caf\u00e9 ?"),
        ("de", "Bin gleich da", "Ich bin gleich da"),
        ("de", "bin gleich da", "ich bin gleich da"),
        ("de", "Bin im Zug, kann gerade nicht reden", "Ich bin im Zug, ich kann gerade nicht reden"),
        ("de", "Sorry, hab deine Nachricht erst gesehen.", "Sorry, ich habe deine Nachricht erst gesehen."),
        ("de", "W\u00fcrde ich wieder kaufen", "Das w\u00fcrde ich wieder kaufen"),
        ("de", "Funktioniert seit dem Update nicht.", "Es funktioniert seit dem Update nicht."),
        ("de", "Sehen uns morgen", "Wir sehen uns morgen"),
        ("de", "Lust auf Kino heute Abend?", "Hast du Lust auf Kino heute Abend?"),
    ],
)
def test_a_subject_that_is_left_out_is_read(language: str, text: str, read: str) -> None:
    found = with_subject(normalise(text), language)
    assert found.text == read
    assert len(found.starts) == len(found.ends) == len(read)
    assert (found.starts[0], found.ends[-1]) == (0, len(text))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Hope is the last to die."),
        ("en", "Just leaving the house is hard."),
        ("en", "Not feeling well, I stayed at home."),
        ("en", "Hoping to win, he trained every day."),
        ("en", "Stuck in traffic, she called the office."),
        ("en", "Forgot your password?"),
        ("en", "Need help?"),
        ("en", "Will call"),
        ("en", "Room service is free"),
        ("en", "Food is important."),
        ("en", "Arrived late, he missed the train."),
        ("en", "Will you come?"),
        ("en", "Will Smith is here."),
        ("en", "Left the keys are useless."),
        ("en", "At home, he can't sleep."),
        ("en", "Found in a drawer, the letter was sold."),
        ("en", "Don't think I don't know."),
        ("en", "Can't be undone"),
        ("en", "Sent from my phone"),
        ("en", "Had I known, I would have come."),
        ("en", "Had a friend helped, he would have won."),
        ("en", "GOT YOUR MESSAGE"),
        ("fr", "Attends ta s\u0153ur."),
        ("fr", "Suis les instructions."),
        ("fr", "Besoin d'aide ?"),
        ("fr", "Pense \u00e0 acheter du pain."),
        ("fr", "Bien arriv\u00e9 en gare, le train repart."),
        ("de", "Hab keine Angst."),
        ("de", "Hab einen sch\u00f6nen Tag!"),
        ("de", "Habe ein bisschen Geduld"),
        ("de", "Kann nicht ge\u00f6ffnet werden"),
        ("de", "Bin ich zu sp\u00e4t?"),
        ("de", "Geht nicht \u00fcber diese Br\u00fccke!"),
        ("de", "Gef\u00e4llt mir"),
        ("de", "Passt gut auf euch auf"),
        ("es", "Just landed"),
        ("en", "He came in, didn't see me."),
        ("de", "Ich, der nie l\u00fcgt, bin gleich da."),
        ("de", "Wenn ich Zeit habe, komme ich heute."),
        ("en", "Hope"),
        ("en", ""),
        ("en", ", hope this helps"),
    ],
)
def test_other_sentences_stay(language: str, text: str) -> None:
    assert with_subject(normalise(text), language).text == normalise(text).text


def test_a_long_text_takes_no_long_time() -> None:
    for text in ("Had a day, " + "hope this, " * 3000, "Just got it " * 3000, "y a plus de " + "plus de que " * 3000):
        started = time.monotonic()
        for language in ("en", "fr", "de"):
            with_subject(normalise(text), language)
        assert time.monotonic() - started < 1


def test_every_pattern_of_the_file_can_be_made() -> None:
    tables = tomllib.loads(files("service.text.typed").joinpath(FILE).read_text(encoding="utf-8"))
    kinds = [table.get(kind, {}) for table in tables.values() for kind in ("statement", "alone", "question")]
    patterns = [behind for kind in kinds for rows in kind.values() for behind, _ in rows]
    patterns += [articles["behind"] for table in tables.values() for articles in table.get("articles", ())]
    assert len(patterns) > 200
    assert all(map(re.compile, patterns))
