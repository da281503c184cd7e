"""Wordings of letters, parcels, reviews, adverts and recipes that models do not know, as others that they do."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.shorthand import written_out


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Feel free to reach out if it is late.", "Please contact me if it is late."),
        ("Please feel free to get in touch with us.", "Please feel free to get in touch with us."),
        ("Feel free to contact us.", "Please contact us."),
        ("Please don't hesitate to contact me.", "Please contact me."),
        ("I reached out to the seller, he can reach out to me.", "I contacted the seller, he can contact me."),
        ("The branches reach out to the sky.", "The branches reach out to the sky."),
        ("It is out for delivery, they are out for delivery", "It is on its way, they are on their way"),
        ("The flat is within walking distance of the sea.", "The flat is close to the sea."),
        ("Common side effects include headache.", "Frequent side effects are headache."),
        ("The most common side effects", "The most common side effects"),
        ("A fee of $25 may apply. You may apply for it.", "A fee of $25 can be charged. You may apply for it."),
        ("Additional charges, criminal charges", "Additional fees, criminal charges"),
        ("Cream the butter. Cream is good", "Beat the butter. Cream is good"),
        ("Simmer gently for 20 minutes, stirring often.", "Let it simmer for 20 minutes and stir often."),
        ("Bring a pan of water to the boil", "Bring a pot of water to the boil"),
        ("Sunny, highs of 14", "Sunny, temperatures of up to 14"),
        ("He was sent off for a second yellow.", "He was sent off after a second yellow card."),
        ("They will open a new plant near Leipzig, a plant", "They will open a new factory near Leipzig, a plant"),
        ("Take the second left, the third right turn", "Take the second street on the left, the third right turn"),
        ("It's just past the church, just past six", "It's just behind the church, just past six"),
        ("Sorry for not texting back", "Sorry for not writing back"),
        ("I could do with a hand.", "I could use some help."),
        ("He owned up to breaking it.", "He admitted to breaking it."),
        ("It kept us up all night. Kept us up", "It kept us awake all night. Kept us up"),
        ("for a pint after work, a pint of milk", "for a beer after work, a pint of milk"),
        ("Let's take a rain check on lunch.", "Let's postpone lunch."),
        ("I couldn't be happier. Five stars, couldn't be happier", "I am very happy. Five stars, I am very happy"),
        ("The best vacuum I've ever owned", "The best vacuum cleaner I've ever had"),
        ("in this vacuum chamber", "in this vacuum chamber"),
        ("so order a size down", "so order one size smaller"),
        (
            "Can we push the meeting back by an hour? Push it back.",
            "Can we postpone the meeting by an hour? Push it back.",
        ),
        ("I won't be able to make it on Friday.", "I won't be able to come on Friday."),
        ("I won't be able to make it work.", "I won't be able to make it work."),
        ("Would Tuesday at 2 work for you?", "Would Tuesday at 2 suit you?"),
        ("Does she work for you?", "Does she work for you?"),
        ("We are looking into it, into the mirror", "We are checking it, into the mirror"),
        ("The desserts are to die for. A cause to die for", "The desserts are divine. A cause to die for"),
        ("My go-to place. He went above and beyond to help.", "My favourite place. He did everything to help."),
        ("Add the stock and bring to the boil.", "Add the broth and bring it to the boil."),
        ("Add the stock market, bring it to the boil", "Add the stock market, bring it to the boil"),
        (
            "Cover and simmer for an hour, then simmer on",
            "Cover it and let it simmer for an hour, then let it simmer on",
        ),
        ("Sift the flour. Set aside to cool for an hour.", "Sieve the flour. Let it cool for an hour."),
        ("in the dying minutes, the dying king", "in the last minutes, the dying king"),
        ("She pulled out of the race, out of the lake", "She withdrew from the race, out of the lake"),
        ("Showers spreading, lows around 3", "rain showers spreading, temperatures around 3"),
        ("Showers are in the yard", "Showers are in the yard"),
        ("Tech giant to cut 4,000 jobs", "Tech giant will cut 4,000 jobs"),
        ("Tech giant plans to cut 4,000 jobs", "Tech giant plans to cut 4,000 jobs"),
        ("Police hunt driver. Police hunt", "Police are looking for driver. Police hunt"),
        ("Woman rescued from fire", "Woman was rescued from fire"),
        ("Boy found dead in park", "Boy was found dead in park"),
        ("Boy found a dog.", "Boy found a dog."),
        ("French is a plus. A plus sign", "French is an advantage. A plus sign"),
        ("sorry just saw this", "sorry I just saw this"),
        ("Carry on for half a mile, carry on for years", "Carry on for half a mile, carry on for years"),
        ("and carry on for about 500 metres", "and go straight on for about 500 metres"),
        (
            "Your ticket has been closed, I opened a ticket",
            "Your support ticket has been closed, I opened a support ticket",
        ),
        ("Your ticket is for Monday.", "Your ticket is for Monday."),
        ("I'm out of the office until Monday", "I will be out of the office until Monday"),
    ],
)
def test_english_wordings_are_as_models_know_them(text: str, read: str) -> None:
    assert written_out(normalise(text), "en").text == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("500 \u20ac zuz\xfcglich Versand", "500 \u20ac plus Versand"),
        ("Ein 34-J\xe4hriger, ein 6-J\xe4hriger", "Ein 34-j\xe4hriger Mann, ein 6-j\xe4hriger Junge"),
        (
            "Sie fand den 34-J\xe4hrigen bei den 20-J\xe4hrigen",
            "Sie fand den 34-j\xe4hrigen Mann bei den 20-J\xe4hrigen",
        ),
        ("in H\xf6he von rund 50 Euro, in H\xf6he von 3 Metern", "von rund 50 Euro, in H\xf6he von 3 Metern"),
        ("Schneller Versand, sehr schneller Versand", "Schnelle Lieferung, schnelle Lieferung"),
        ("Ein schneller Versand", "Ein schneller Versand"),
        ("Super schneller Versand", "Sehr schnelle Lieferung"),
        ("Anbei die Rechnung. Anbei der Vertrag.", "Anbei finden Sie die Rechnung. Anbei finden Sie den Vertrag."),
        ("Im Anhang die Fotos", "Anbei finden Sie die Fotos"),
        (
            "Ich w\xfcnsche dir einen sch\xf6nen Feierabend. Feierabend",
            "Ich w\xfcnsche dir einen sch\xf6nen Abend. Feierabend",
        ),
        (
            "Es wurde soeben grundlos gesperrt, er schrie grundlos",
            "Es wurde gerade ohne Grund gesperrt, er schrie grundlos",
        ),
        ("Mir ist sooo langweilig", "Ich langweile mich so"),
        ("bock auf kino? kein bock auf kino", "lust auf kino? keine Lust auf kino"),
        ("Ein Bock auf der Wiese", "Ein Bock auf der Wiese"),
        ("zur Verst\xe4rkung unseres jungen Teams", "f\xfcr unser Team"),
        ("Sie baut weltweit 4.000 Stellen ab.", "Sie streicht weltweit 4.000 Stellen."),
        ("Sie baut 4 Regale ab.", "Sie baut 4 Regale ab."),
        (
            "Butter und Zucker schaumig schlagen, Mehl unterheben",
            "Butter und Zucker schaumig r\xfchren, Mehl einr\xfchren",
        ),
        ("Eier schaumig schlagen", "Eier schaumig schlagen"),
        (
            "Den Teig eine Stunde gehen lassen, ihn gehen lassen",
            "Den Teig eine Stunde aufgehen lassen, ihn gehen lassen",
        ),
        ("Das Formular ist bis Freitag abzugeben.", "Das Formular muss bis Freitag abgegeben werden."),
        ("Es ist schwer abzugeben.", "Es ist schwer abzugeben."),
        ("Leckerer Kuchen", "K\xf6stlicher Kuchen"),
        ("Der Aufbau war kinderleicht, alles bestens", "Der Aufbau war sehr einfach, alles perfekt"),
        ("Wir bitten um Ihr Bestes, alles bestens geplant", "Wir bitten um Ihr Bestes, alles bestens geplant"),
        ("Eier und Zucker hell und schaumig aufschlagen", "Eier und Zucker schaumig r\xfchren"),
        ("Teig auf einem Brett ausrollen. Teig ist gut", "Den Teig auf einem Brett ausrollen. Teig ist gut"),
        ("Frau aus Wohnung gerettet", "Eine Frau aus Wohnung gerettet"),
        ("Frau Meier aus Bonn, Frau aus Bonn.", "Frau Meier aus Bonn, Frau aus Bonn."),
        ("ob er heute auf hat", "ob er heute offen hat"),
        ("Handys sind im Unterricht auszuschalten.", "Handys m\xfcssen im Unterricht ausgeschaltet werden."),
        ("Er sinkt zum 1. Februar, steigt zum 2. Mal", "Er sinkt am 1. Februar, steigt zum 2. Mal"),
        ("Es wird von allen Ger\xe4ten entfernt, von allen", "Es wird auf allen Ger\xe4ten entfernt, von allen"),
        ("Beiliegend erhalten Sie es.", "Anbei finden Sie es."),
        ("10 Minuten ziehen lassen, ziehen lassen", "10 Minuten stehen lassen, ziehen lassen"),
        ("Gib mir kurz Bescheid, kurz Pause", "Gib mir Bescheid, kurz Pause"),
        ("Melde dich, wenn du da bist. Melde dich an", "Sag mir Bescheid, wenn du da bist. Melde dich an"),
    ],
)
def test_german_wordings_are_as_models_know_them(text: str, read: str) -> None:
    assert written_out(normalise(text), "de").text == read
