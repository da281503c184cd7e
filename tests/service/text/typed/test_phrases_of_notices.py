"""Wordings of screens, notices and letters that models do not know, as others that they do."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.shorthand import written_out


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "No rain is expected, no snow", "We expect no rain, no snow"),
        ("en", "omg I know. OMG", "oh my God, I know. oh my God"),
        ("en", "We miss you and can't wait. I can't wait", "We miss you and we can't wait. I can't wait"),
        ("en", "Keep it out of direct sunlight, out of it", "Keep it away from direct sunlight, out of it"),
        ("en", "It won't turn on, won't turn up", "It can't be switched on, won't turn up"),
        (
            "en",
            "Please show ID. Show ID cards, show ID numbers",
            "Please show an ID card. Show ID cards, show ID numbers",
        ),
        ("en", "line a small baking tray with paper, a line", "cover a small baking tray with paper, a line"),
        ("en", "Add onions and fry for 2 minutes", "Add onions and fry them for 2 minutes"),
        ("en", "Add garlic and fry for 2 minutes", "Add garlic and fry it for 2 minutes"),
        ("fr", "Merci de pr\xe9voir un v\xeatement de pluie.", "Veuillez apporter un imperm\xe9able."),
        ("fr", "Merci de pr\xe9voir une heure.", "Merci de pr\xe9voir une heure."),
        ("fr", "Conforme \xe0 la description, parfait", "Comme d\xe9crit, parfait"),
        ("fr", "Il ne s'allume plus, s'allume", "Il ne d\xe9marre plus, s'allume"),
        ("fr", "Elle est fix\xe9e au 15 mai, fix\xe9e au mur", "Elle est le 15 mai, fix\xe9e au mur"),
        ("fr", "20 \u20ac, frais de port compris", "20 \u20ac, livraison comprise"),
        ("fr", "Elle est d\xe9cal\xe9e au 16 mars", "Elle est report\xe9e au 16 mars"),
        ("fr", "Il est un peu d\xe9cal\xe9.", "Il est un peu d\xe9cal\xe9."),
        ("fr", "R\xe9ouverture le 16.", "Nouvelle ouverture le 16."),
        ("fr", "\xe0 14h30 pile, 8 h pile", "\xe0 14h30 pr\xe9cises, 8 h pr\xe9cises"),
        ("fr", "une pile, 8 piles, il pile", "une pile, 8 piles, il pile"),
        ("fr", "Vendredi 13 \xe0 Paris, vendredi 13 \xe0 19h30", "Vendredi 13 \xe0 Paris, vendredi 13, \xe0 19h30"),
        ("fr", "Je veux partir et \xeatre rembours\xe9e.", "Je veux partir et obtenir un remboursement."),
        ("fr", "Il va \xeatre rembours\xe9 par eux.", "Il va \xeatre rembours\xe9 par eux."),
        ("fr", "Ne pas laisser \xe0 la port\xe9e des enfants.", "Tenir hors de la port\xe9e des enfants."),
        ("fr", "Bonjour Madame, je vous \xe9cris", "Ch\xe8re Madame, je vous \xe9cris"),
        ("fr", "Bonjour Monsieur, comment allez-vous ?", "Bonjour Monsieur, comment allez-vous ?"),
        ("de", "Verbindung zum Server fehlgeschlagen.", "Die Verbindung zum Server ist fehlgeschlagen."),
        ("de", "Verbindung zu Anna. Es ist fehlgeschlagen", "Verbindung zu Anna. Es ist fehlgeschlagen"),
        ("de", "Einfahrt verboten, Anlieger frei", "Einfahrt verboten, nur f\xfcr Anwohner"),
        ("de", "Bewerbungsschluss ist heute", "Das Ende der Bewerbungsfrist ist heute"),
        ("de", "Er bel\xe4uft sich auf 20 \u20ac, auf viel", "Er betr\xe4gt 20 \u20ac, auf viel"),
        ("de", "bis das Licht gr\xfcn leuchtet, es leuchtet", "bis das Licht gr\xfcn wird, es leuchtet"),
        ("de", "Bei Beschwerden suchen Sie einen Arzt auf.", "Bei Beschwerden wenden Sie sich an einen Arzt."),
        (
            "de",
            "Heute kommt es zu Verz\xf6gerungen, kommt es zu mir",
            "Heute gibt es Verz\xf6gerungen, kommt es zu mir",
        ),
        ("de", "Gek\xfchlt lagern. Lagern", "Im K\xfchlschrank lagern. Lagern"),
        ("de", "um Punkt 8. Punkt 9 der Liste", "um genau 8. Punkt 9 der Liste"),
        ("de", "Eine Tablette zum Essen einnehmen.", "Eine Tablette zu den Mahlzeiten einnehmen."),
        ("en", "Thanks for getting back to me, getting back home", "Thanks for answering me, getting back home"),
        ("en", "Saturday works for me. She works for me.", "Saturday suits me. She works for me."),
        ("en", "Does it? Ten o'clock works for us too", "Does it? Ten o'clock suits us too"),
        ("en", "Work is due to begin in May, due to rain", "Work should begin in May, due to rain"),
        ("en", "I was asleep lol", "I was asleep, lol"),
        ("en", "World War I lasted four years.", "The First World War lasted four years."),
        ("en", "He died in World War I, a World War I poet.", "He died in the First World War, a World War I poet."),
        ("fr", "Il a une quarantaine d'ann\xe9es.", "Il a environ quarante ans."),
        ("fr", "Elle doit faire une quarantaine de dix jours.", "Elle doit faire une quarantaine de dix jours."),
        ("fr", "Une trentaine de gens, une trentaine d'amis", "Environ trente gens, environ trente amis"),
        ("fr", "Je d\xe9conseille vivement ce lieu.", "Je ne recommande vraiment pas ce lieu."),
        ("fr", "Je vous d\xe9conseille fortement ce lieu.", "Je ne vous recommande vraiment pas ce lieu."),
        ("fr", "Il est vivement d\xe9conseill\xe9 d'y aller.", "Il n'est vraiment pas recommand\xe9 d'y aller."),
        ("fr", "Je recommande vivement ce lieu.", "Je recommande vivement ce lieu."),
        (
            "fr",
            "Ajoutez-les un par un en remuant, un par un",
            "Ajoutez-les l'un apr\xe8s l'autre en remuant, un par un",
        ),
        (
            "fr",
            "Laissez reposer une heure au frais. Au frais",
            "Laissez reposer une heure au r\xe9frig\xe9rateur. Au frais",
        ),
        ("de", "Gerne unterbreiten wir Ihnen ein Angebot.", "Gerne machen wir Ihnen ein Angebot."),
        ("de", "Wir unterbreiten ihm eine Idee.", "Wir unterbreiten ihm eine Idee."),
        (
            "de",
            "drei Monate vor Ablauf gek\xfcndigt, vor Ablauf der Frist",
            "drei Monate vor Vertragsende gek\xfcndigt, vor Ablauf der Frist",
        ),
    ],
)
def test_a_wording_is_read_as_another(language: str, text: str, read: str) -> None:
    assert written_out(normalise(text), language).text == read
