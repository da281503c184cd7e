"""Wordings of adverts, e-mails, news and directions that models do not know, as others that they do."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.shorthand import written_out


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        (
            "en",
            "2,000 homes are without power, without power tools",
            "2,000 homes are without electricity, without power tools",
        ),
        ("en", "Come to the surgery today, to surgery", "Come to the doctor's today, to surgery"),
        (
            "en",
            "\u20ac800 including heating, including heating costs",
            "\u20ac800, heating included, including heating costs",
        ),
        ("en", "Please let me have your comments, let me have it", "Please send me your comments, let me have it"),
        ("en", "Let us go. Please let us have the report.", "Let us go. Please send us the report."),
        ("en", "back at around 4 pm, at around noon", "back around 4 pm, at around noon"),
        ("en", "Further to our talk, further to the left", "After our talk, further to the left"),
        (
            "en",
            "See how you're getting on with the work, how you're getting on",
            "See how it's going with the work, how you're getting on",
        ),
        ("en", "If you run into any problems, run into him", "If you have any problems, run into him"),
        ("en", "Please give me a shout, a shout", "Please give me a call, a shout"),
        ("en", "Can you send someone round this week, a round", "Can you send someone this week, a round"),
        ("en", "I am happy with it. I am happy with Tom.", "I am satisfied with it. I am happy with Tom."),
        ("en", "the only downside, upside down", "the only disadvantage, upside down"),
        ("en", "If so, kindly sign both. He kindly signed.", "If so, please sign both. He kindly signed."),
        (
            "fr",
            "R\xe9pondez dans les meilleurs d\xe9lais, dans les d\xe9lais",
            "R\xe9pondez d\xe8s que possible, dans les d\xe9lais",
        ),
        ("fr", "depuis votre espace client, depuis hier", "\xe0 partir de votre compte client, depuis hier"),
        ("fr", "Pass\xe9 ce d\xe9lai, un d\xe9lai pass\xe9", "Apr\xe8s ce d\xe9lai, un d\xe9lai pass\xe9"),
        ("fr", "Il est aux petits soins. J'ai ador\xe9 !", "Il est tr\xe8s attentif. J'ai ador\xe9 !"),
        ("fr", "J'ai ador\xe9 ce film.", "J'ai ador\xe9 ce film."),
        ("fr", "une chambre c\xf4t\xe9 cour, c\xf4t\xe9 cour", "une chambre donnant sur la cour, c\xf4t\xe9 cour"),
        (
            "fr",
            "Il fait la sourde oreille et rien n'y fait.",
            "Il refuse d'\xe9couter et \xe7a ne marche toujours pas.",
        ),
        (
            "fr",
            "Ils sont \xe0 retirer au guichet, \xe0 retirer",
            "Ils peuvent \xeatre r\xe9cup\xe9r\xe9s au guichet, \xe0 retirer",
        ),
        ("fr", "Aucun bless\xe9 n'est \xe0 d\xe9plorer.", "Personne n'a \xe9t\xe9 bless\xe9."),
        ("fr", "En cas de souci, un souci", "En cas de probl\xe8me, un souci"),
        ("fr", "Pensez \xe0 me faire signe, faire signe", "Pensez \xe0 me contacter, faire signe"),
        ("fr", "\xe0 la rentr\xe9e, \xe0 la rentr\xe9e scolaire", "apr\xe8s les vacances, \xe0 la rentr\xe9e scolaire"),
        ("fr", "Couvrez d'un linge, d'un linge", "Couvrez avec un linge, d'un linge"),
        ("fr", "Venez au plus vite, plus vite", "Venez d\xe8s que possible, plus vite"),
        ("fr", "Ils n'acceptent pas la carte.", "Ils n'acceptent pas les cartes de cr\xe9dit."),
        ("fr", "Ils n'acceptent pas la carte du menu.", "Ils n'acceptent pas la carte du menu."),
        ("de", "Heute bin ich im Homeoffice, bin ich da", "Heute arbeite ich im Homeoffice, bin ich da"),
        ("de", "jemanden vorbeischicken, Frohe Festtage", "jemanden schicken, Frohe Feiertage"),
        ("de", "Falls Sie verhindert sind, verhindert", "Falls Sie nicht kommen k\xf6nnen, verhindert"),
        ("de", "Es lie\xdf keine W\xfcnsche offen, lie\xdf W\xfcnsche", "Es war perfekt, lie\xdf W\xfcnsche"),
        ("de", "mir etwas zukommen lassen, zukommen", "mir etwas schicken, zukommen"),
        (
            "de",
            "Kredite d\xfcrften nun teurer werden. D\xfcrften wir?",
            "Kredite werden wahrscheinlich nun teurer werden. D\xfcrften wir?",
        ),
        ("de", "zum Preis von 5 \u20ac, zum Preis von Brot", "f\xfcr 5 \u20ac, zum Preis von Brot"),
        ("fr", "\xe0 deux pas du m\xe9tro, \xe0 deux pas", "tout pr\xe8s du m\xe9tro, \xe0 deux pas"),
        ("fr", "Il comprend deux chambres. Il comprend tout.", "Il y a deux chambres. Il comprend tout."),
        ("fr", "Elle comprend trois pi\xe8ces.", "Il y a trois pi\xe8ces."),
        ("fr", "un s\xe9jour lumineux, un s\xe9jour agr\xe9able", "un salon lumineux, un s\xe9jour agr\xe9able"),
        ("fr", "un balcon plein sud, partir plein sud", "un balcon orient\xe9 au sud, partir plein sud"),
        ("fr", "Il augmentera au 1er juillet.", "Il augmentera le 1er juillet."),
        ("fr", "du 3 au 1er juillet, de mars au 1er juillet", "du 3 au 1er juillet, de mars au 1er juillet"),
        ("fr", "Prenez \xe0 droite, puis prenez \xe0 gauche", "Tournez \xe0 droite, puis tournez \xe0 gauche"),
        ("fr", "Prenez \xe0 boire.", "Prenez \xe0 boire."),
        ("de", "Kurze Erinnerung: heute, eine kurze Erinnerung", "Zur Erinnerung: heute, eine kurze Erinnerung"),
        ("de", "Sie hat drei Zimmer. Sie hat drei Kinder.", "Es gibt drei Zimmer. Sie hat drei Kinder."),
        (
            "de",
            "850 \u20ac warm, 700 \u20ac kalt, warm",
            "850 \u20ac inklusive Nebenkosten, 700 \u20ac ohne Nebenkosten, warm",
        ),
        ("de", "Lassen Sie die Taste dann los.", "Lassen Sie die Taste los."),
        (
            "de",
            "da sie am Mittwoch nicht kann, weil er nicht kann",
            "da sie am Mittwoch nicht kommen kann, weil er nicht kann",
        ),
        (
            "de",
            "Die Kosten betragen 9 \u20ac, sie betragen 9 \u20ac",
            "Die Kosten sind 9 \u20ac, sie betragen 9 \u20ac",
        ),
        ("de", "Er steigt zum 1. Juli, bis zum 1. Juli", "Er steigt am 1. Juli, bis zum 1. Juli"),
    ],
)
def test_a_wording_is_read_as_another(language: str, text: str, read: str) -> None:
    assert written_out(normalise(text), language).text == read
