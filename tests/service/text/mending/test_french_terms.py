"""Words, between English and French, that models write for others."""

from __future__ import annotations

import pytest

from service.text.mending.terms import with_terms


@pytest.mark.parametrize(
    ("read", "text", "written"),
    [
        ("I've had it for a month", "J'ai cette douleur pendant un mois", "J'ai cette douleur depuis un mois"),
        ("I had it for a month", "J'ai cette douleur pendant un mois", "J'ai cette douleur pendant un mois"),
        ("I've had it for a month", "J'ai eu mal pendant un mois", "J'ai eu mal pendant un mois"),
        ("two boys, aged 3 and 5", "deux garçons, de 3 ans et 5", "deux garçons, de 3 et 5 ans"),
        ("two boys, aged 3 and 5", "deux garçons, de 3 ans et 5 ans", "deux garçons, de 3 ans et 5 ans"),
        ("Cook wanted for two days", "Cherche cuisinier deux jours", "Cherche cuisinier pour deux jours"),
        ("Great staff and food", "Excellent du personnel et repas", "Excellent personnel et repas"),
        ("after a lorry hit it", "après qu'un bus ont heurté le mur", "après qu'un bus a heurté le mur"),
        ("after a dozen hit it", "après qu'une dizaine ont heurté", "après qu'une dizaine ont heurté"),
        ("after a bus hit a tree", "après un bus a heurté un arbre", "après qu'un bus a heurté un arbre"),
        ("The total comes to £3", "Le total est à £3", "Le total est de £3"),
        ("the invoice for October", "la facture de mois d'octobre", "la facture du mois d'octobre"),
        ("the machine I bought", "la machine Je vous ai achetée", "la machine que je vous ai achetée"),
        ("I never did", "J'en ai jamais eu, et j'ai jamais su", "Je n'en ai jamais eu, et je n'ai jamais su"),
        ("if I ever did", "si j'ai jamais su", "si j'ai jamais su"),
        ("The headphones sound great", "Le casque a l'air super", "Le casque a un son super"),
        ("The headphones look great", "Le casque a l'air super", "Le casque a l'air super"),
        ("Great pizza!", "Une grande pizza !", "Super pizza !"),
        ("Great view!", "une grande vue !", "super vue !"),
        ("A great pizza", "Une grande pizza", "Une grande pizza"),
        ("good service, great food", "bon service, grande nourriture", "bon service, excellente cuisine"),
        ("€80 a night", "\ue000 une nuit", "\ue000 par nuit"),
        ("One night", "1 une nuit", "1 une nuit"),
        ("I charged it all night", "Je l'ai facturé toute la nuit", "Je l'ai rechargé toute la nuit"),
        ("They charged it to me", "Ils l'ont facturé", "Ils l'ont facturé"),
        ("It has been missing since May", "Il manque depuis mai", "Il a disparu depuis mai"),
        ("have been missing since", "Deux filles manquent depuis mai", "Deux filles ont disparu depuis mai"),
        ("I miss it", "Il me manque depuis mai", "Il me manque depuis mai"),
        ("add it and cook it", "ajoutez-le et cuisiner doucement", "ajoutez-le et faites cuire doucement"),
        ("I like to eat and cook", "J'aime manger et cuisiner ici", "J'aime manger et cuisiner ici"),
        ("I was charged for the same item", "pour le même point", "pour le même article"),
        ("They agree on the same item", "sur le même point", "sur le même point"),
        ("be collected from the office", "être retirés du bureau", "être retirés au bureau"),
        ("be collected from the shop", "être retirée de la boutique", "être retirée à la boutique"),
        ("be removed from the office", "être retirés du bureau", "être retirés du bureau"),
        ("bring my sister along", "j'apporte ma sœur, apporter ma sœur", "j'amène ma sœur, amener ma sœur"),
        ("bring my sister's bag", "apporter le sac", "apporter le sac"),
        ("bring a cake", "j'apporte un gâteau", "j'apporte un gâteau"),
        ("It arrived incomplete", "Elle est arrivée incomplet", "Elle est arrivée incomplète"),
        ("It arrived broken", "Elle est arrivée cassé", "Elle est arrivée cassée"),
        ("It arrived broken", "Il est arrivé cassé", "Il est arrivé cassé"),
        ("Please get in touch.", "Veuillez vous contacter.", "Veuillez nous contacter."),
        ("Please get in touch with him.", "Veuillez vous contacter.", "Veuillez vous contacter."),
        ("He said: I bought", "Il a dit : Je vois", "Il a dit : Je vois"),
    ],
)
def test_from_english(read: str, text: str, written: str) -> None:
    assert with_terms(text, [], ("en", "fr"), read)[0] == written


@pytest.mark.parametrize(
    ("read", "text", "written"),
    [
        ("Mon manteau est très chaud.", "My coat is very hot.", "My coat is very warm."),
        ("Mon café est très chaud.", "My coffee is very hot.", "My coffee is very hot."),
        ("Cuire 20 minutes à 180 °C", "Bake for 20 minutes to 180 °C", "Bake for 20 minutes at 180 °C"),
        ("De 20 minutes à une heure", "20 minutes to 1 hour", "20 minutes to 1 hour"),
        ("Menu à 15 €", "Menu to \ue000", "Menu for \ue000"),
        ("Votre règlement de 120 €", "your payment from €120", "your payment of €120"),
        ("Un paiement du client", "a payment from 3 clients", "a payment from 3 clients"),
        ("Le son du casque", "The sound of the headphones are good", "The sound of the headphones is good"),
        ("Les sons du casque", "The sound of the headphones are good", "The sound of the headphones are good"),
        ("Deux lampes à 3 € pièce", "Two lamps in \ue000", "Two lamps at \ue000"),
        ("Faire revenir les lardons", "Fry the bacons", "Fry the bacon bits"),
        ("Votre colis peut être retiré ici", "can be removed here", "can be collected here"),
        ("La tache peut être retirée", "can be removed", "can be removed"),
        ("Vélo presque neuf", "Bicycle almost nine", "Bicycle almost new"),
        ("Il a presque neuf ans", "He is almost nine", "He is almost nine"),
        ("porter l'âge à 67 ans", "raise the age at 67", "raise the age to 67"),
        ("il a l'âge à 67 ans", "the age at 67", "the age at 67"),
        ("débité deux fois pour un article", "charged for one article", "charged for one item"),
        ("lire un article", "read an article", "read an article"),
        ("De 10 à 15 €", "From 10 to 15 €", "From 10 to 15 €"),
        ("L'autonomie est moyenne.", "The autonomy is average.", "The battery life is average."),
        ("L'autonomie de la région", "The autonomy of the region", "The autonomy of the region"),
    ],
)
def test_into_english(read: str, text: str, written: str) -> None:
    assert with_terms(text, [], ("fr", "en"), read)[0] == written
