"""Wordings of shops, parcels, banks, offices, kitchens and mails, as others that models know."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.elided import with_subject
from service.text.typed.shorthand import written_out


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Gluten free bread, a gluten free for all", "Gluten-free bread, a gluten free for all"),
        ("The sugar is free. Sugar free gum", "The sugar is free. Sugar-free gum"),
        ("A 55 inch TV, 20 inch long, 5 inch", "A 55-inch TV, 20 inch long, 5 inch"),
        ("I haven't slept in 3 days, I have slept in 3 days", "I haven't slept for 3 days, I have slept in 3 days"),
        (
            "Whisk until pale and fluffy, until it is pale",
            "Whisk until the mixture is pale and fluffy, until it is pale",
        ),
        ("Bake until golden, fry until golden", "Bake until it is golden, fry until golden"),
        ("Leave until doubled in size.", "Leave until it has doubled in size."),
        (
            "Stir until combined, stir until melted, until smooth",
            "Stir until everything is combined, stir until it is melted, until the mixture is smooth",
        ),
        ("Bring to the boil, then simmer for 5 minutes", "Bring to the boil, then let it simmer for 5 minutes"),
        (
            "Ask if you are pregnant or breastfeeding, pregnant or breastfeeding",
            "Ask if you are pregnant or if you are breastfeeding, pregnant or breastfeeding",
        ),
        ("on or around 1 December, on or around it", "around 1 December, on or around it"),
        ("your card ending in 4821, ending in tears", "your card that ends in 4821, ending in tears"),
        ("Try again in 5 minutes. Try again!", "Please try again in 5 minutes. Try again!"),
        ("It's right across from us, across from us", "It's right opposite us, across from us"),
        ("Apologies for the delay in getting back to you.", "I apologise for the late reply."),
        ("Apologies for any inconvenience. My apologies", "We apologise for any inconvenience. My apologies"),
        ("Apologies if I'm late", "I'm sorry if I'm late"),
        ("Happy to jump on a call. I'm happy to jump", "We can talk on the phone. I'm happy to jump"),
        ("Just following up on my email, up on it", "I wanted to come back to my email, up on it"),
        ("Have fun and speak soon!", "Have fun and see you soon!"),
        ("Speak soon, Anna", "See you soon, Anna"),
        ("Speak soon about it", "Speak soon about it"),
        ("Your parcel is out for delivery, he is out", "Your parcel is on its way, he is out"),
        ("It is due for renewal, due for an hour", "It must be renewed, due for an hour"),
        ("The view is to die for. A cause to die for.", "The view is divine. A cause to die for."),
        (
            "It is nothing like the picture, nothing like it",
            "It is very different from the picture, nothing like it",
        ),
        ("The only downside is that, a downside", "The only disadvantage is that, a downside"),
        ("Please get back to me, back to you", "Please reply to me, back to you"),
        ("Battery saver is on, the battery saver was off", "Energy saving mode is on, the energy saving mode was off"),
        ("Use your passkey, PASSKEY", "Use your access key, PASSKEY"),
        ("Keep screen on while charging", "Keep the screen switched on while charging"),
        ("Swipe left to archive, archive it", "Swipe left in order to archive, archive it"),
        ("CCTV cameras, CCTV", "surveillance cameras, CCTV"),
        ("Buy two, get the third half price, half price", "Buy two, get the third at half price, half price"),
        ("Lessons, first lesson free", "Lessons, the first lesson is free"),
        ("Apply by 5 May. Apply online", "Send your application by 5 May. Apply online"),
        ("Competitive salary, competitive prices, competitive", "Attractive salary, attractive prices, competitive"),
        ("They are through to the semi-finals", "They have reached the semi-finals"),
        (
            "She is through to the final. It is through to the end",
            "She has reached the final. It is through to the end",
        ),
        ("omg congratulations!", "oh my God, congratulations!"),
        ("idk maybe", "I don't know, maybe"),
        ("Still waiting for an answer.", "I'm still waiting for an answer."),
        ("Still waiting for Tom, he left.", "Still waiting for Tom, he left."),
        ("So happy for you!", "I'm so happy for you!"),
        ("So happy!", "So happy!"),
    ],
)
def test_english_is_read_as_models_know_it(text: str, read: str) -> None:
    assert with_subject(written_out(normalise(text), "en"), "en").text == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Dans l'attente de votre retour, votre retour", "Dans l'attente de votre réponse, votre retour"),
        ("Merci pour votre retour à Lyon", "Merci pour votre retour à Lyon"),
        ("Merci pour votre retour, pour votre retour", "Merci pour votre réponse, pour votre retour"),
        ("Merci de me faire un retour avant lundi", "Merci de me répondre avant lundi"),
        ("Je vous prie de bien vouloir m'excuser, bien vouloir", "Je vous prie de m'excuser, bien vouloir"),
        ("Bonne journée à vous !", "Bonne journée !"),
        ("Bonne journée à vous deux", "Bonne journée à vous deux"),
        ("Excellente soirée à tous", "Passez une excellente soirée à tous"),
        ("Belle journée pour marcher", "Belle journée pour marcher"),
        ("dans les meilleurs délais, les délais", "dès que possible, les délais"),
        ("Venez muni de votre carte, munie d'une clé", "Venez avec votre carte, avec une clé"),
        ("La boîte est munie d'un fond.", "La boîte est munie d'un fond."),
        ("Merci de vous munir de votre carte Vitale.", "Merci d'apporter votre carte d'assurance maladie."),
        ("Munissez-vous d'un stylo.", "Apportez un stylo."),
        ("En cas d'empêchement, appelez", "Si vous ne pouvez pas venir, appelez"),
        ("merci de prévenir 24 h avant, de prévenir Paul", "merci de nous prévenir 24 h avant, de prévenir Paul"),
        ("Il passera chez vous, il est chez vous", "Il passera à votre domicile, il est chez vous"),
        ("Service au top ! au top 10, au top du top", "Service excellent ! au top 10, au top du top"),
        ("Je recommande les yeux fermés, les yeux fermés", "Je recommande sans hésiter, les yeux fermés"),
        ("Il est aux abonnés absents.", "Il ne répond pas."),
        ("Les enfants ont adoré ! Un film qu'ils ont adoré.", "Les enfants ont adoré ça ! Un film qu'ils ont adoré."),
        ("On s'est régalés. On s'est régalé de ce plat", "nous avons très bien mangé. On s'est régalé de ce plat"),
        ("ok ça marche à toute, à toute heure", "ok ça marche à toute, à toute heure"),
        ("ok ça marche à toute !", "ok ça marche, à tout à l'heure !"),
        ("je n'en peux plus de ce bruit, de combattre", "j'en ai marre de ce bruit, de combattre"),
        ("c'est toujours bon pour demain ?", "ça tient toujours pour demain ?"),
        ("C'est toujours bon pour la santé.", "C'est toujours bon pour la santé."),
        ("bon courage pour ton examen, bon courage", "bonne chance pour ton examen, bon courage"),
        ("Incorporez les blancs en neige, en neige", "Incorporez les blancs d'œufs battus, en neige"),
        ("puis laissez mijoter 20 minutes", "puis laissez mijoter pendant 20 minutes"),
        ("en réservant une louche, en réservant une table", "en gardant une louche, en réservant une table"),
        ("Réservez au frais. Réservez au chaud.", "Mettez au réfrigérateur. Gardez au chaud."),
        ("un filet d'huile, un filet d'eau", "un peu d'huile, un filet d'eau"),
        ("à une température inférieure à 25 °C", "en dessous de 25 °C"),
        ("Il présente un découvert de 10 €.", "Il est à découvert de 10 €."),
        ("se terminant par 4821, se terminant par un point", "qui se termine par 4821, se terminant par un point"),
        ("Merci de rappeler votre numéro, de rappeler Paul", "Merci d'indiquer votre numéro, de rappeler Paul"),
        ("Aucune démarche de votre part n'est utile.", "Aucune action de votre part n'est utile."),
        ("payer en trois fois sans frais, trois fois", "payer en trois mensualités sans frais, trois fois"),
        ("Table réservée au nom de Garnier, au nom de", "Table réservée sous le nom de Garnier, au nom de"),
        ("Studio libre de suite, la libre de suite", "Studio disponible immédiatement, la disponible immédiatement"),
        ("Un CDI, en CDI, CDI à temps plein", "Un contrat permanent, en CDI, CDI à temps plein"),
        ("Votre mutuelle, aide mutuelle", "Votre assurance santé, aide mutuelle"),
        ("Vous encadrez une équipe. Vous encadrez la photo", "Vous dirigez une équipe. Vous encadrez la photo"),
        ("Poste à pourvoir, à pourvoir", "Poste disponible, à pourvoir"),
        ("Lyon s'impose 2-0 face à Nice. Il s'impose.", "Lyon a gagné 2-0 contre Nice. Il s'impose."),
        ("grâce à un doublé de Paul", "grâce à deux buts de Paul"),
        ("Six villes en vigilance orange, en vigilance", "Six villes en alerte orange, en vigilance"),
        ("Suivez la direction de Lyon, la direction de Lyon", "Suivez les panneaux vers Lyon, la direction de Lyon"),
        ("Elle doit encore 50 €. Elle me doit encore 50 €.", "Elle doit encore payer 50 €. Elle me doit encore 50 €."),
        ("porte 22 à 17h55, porte 22 à gauche", "porte 22, à 17h55, porte 22 à gauche"),
        ("un poids lourd, des poids lourds", "un camion, des camions"),
        ("Braquage d'une banque", "Vol à main armée dans une banque"),
        ("Toujours rien reçu, toujours rien", "Je n'ai toujours rien reçu, toujours rien"),
        ("bon anniv, au taf", "bon anniversaire, au travail"),
    ],
)  # fmt: skip
def test_french_is_read_as_models_know_it(text: str, read: str) -> None:
    assert with_subject(written_out(normalise(text), "fr"), "fr").text == read
