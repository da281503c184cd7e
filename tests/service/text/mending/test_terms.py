"""Words of a subject that models write others for."""

from __future__ import annotations

import pytest

from service.text.mending.terms import with_terms

SUPPORT = "We've escalated your ticket"


@pytest.mark.parametrize(
    ("languages", "read", "text", "written"),
    [
        ("en fr", "Bring to the boil", "Apportez à ébullition", "Portez à ébullition"),
        ("en fr", "bring it to a boil", "apportez-le à ébullition", "portez-le à ébullition"),
        (
            "en fr",
            "Bring a pan to the boil",
            "Apportez une casserole à ébullition",
            "Portez une casserole à ébullition",
        ),
        ("en de", "Shall I ring you back?", "Soll ich dich zur\xfcckgeben?", "Soll ich dich zur\xfcckrufen?"),
        ("en de", "It must be worn.", "Es muss abgenutzt werden.", "Es muss getragen werden."),
        ("en de", "It was worn out.", "Es war abgenutzt.", "Es war abgenutzt."),
        ("en de", "We will contact you.", "Wir werden Ihnen bald kontaktieren.", "Wir werden Sie bald kontaktieren."),
        ("en de", "We will contact it.", "Wir werden Ihnen bald kontaktieren.", "Wir werden Ihnen bald kontaktieren."),
        ("en de", "Shall I give it back?", "Soll ich es zur\xfcckgeben?", "Soll ich es zur\xfcckgeben?"),
        ("en de", "The breakfast was poor.", "Das Fr\xfchst\xfcck war arm.", "Das Fr\xfchst\xfcck war schlecht."),
        ("en de", "The family was poor.", "Die Familie war arm.", "Die Familie war arm."),
        ("en de", "Doors close before departure.", "T\xfcren: vor der Abreise", "T\xfcren: vor der Abfahrt"),
        ("en de", "Pack before departure.", "Vor der Abreise packen", "Vor der Abreise packen"),
        ("en de", "Can you grab some milk on the way?", "Kannst du Milch essen?", "Kannst du Milch mitbringen?"),
        ("en de", "Can you eat on the way?", "Kannst du unterwegs essen?", "Kannst du unterwegs essen?"),
        ("de en", "Ihr Angebot \xfcber 480 \u20ac", "your offer over \ue000", "your offer for \ue000"),
        ("de en", "Das Angebot \xfcber mir", "the offer over me", "the offer over me"),
        ("de en", "Kleine Wohnung gesucht.", "Small flat searched", "Small flat wanted"),
        ("de en", "Er hat lange gesucht.", "He searched long.", "He searched long."),
        ("en fr", "Change it in Settings.", "Changez-le en Paramètres.", "Changez-le dans les Paramètres."),
        ("en fr", "I put it under it.", "Je l'ai mis sous-dessus.", "Je l'ai mis dessous."),
        ("en de", "Change it in Settings.", "in Einstellungen ändern.", "in den Einstellungen ändern."),
        ("fr en", "Résiliable à tout moment.", "Terminationable at any time.", "Cancellable at any time."),
        ("en de", "The party starts at 4.", "Die Partei beginnt um 4.", "Die Party beginnt um 4."),
        ("en de", "fry in a little oil", "in einem kleinen \xd6l braten", "in etwas \xd6l braten"),
        ("en de", "He left hospital.", "Er wurde freigelassen.", "Er wurde entlassen."),
        ("en de", "after two years in office", "nach zwei Jahren im B\xfcro", "nach zwei Jahren im Amt"),
        ("en de", "raise it by 8%", "bis 8 % erh\xf6hen", "um 8 % erh\xf6hen"),
        ("en de", "stay at 3.5%", "um \ue000 % bleiben", "bei \ue000 % bleiben"),
        ("de en", "Tolle Lage", "Great situation", "Great location"),
        ("de en", "Die Lage ist ernst.", "The situation is serious.", "The situation is serious."),
        ("de en", "den Betrag von 9 Euro", "the amount from 9 euros", "the amount of 9 euros"),
        ("en de", "The party won.", "Die Partei hat gewonnen.", "Die Partei hat gewonnen."),
        ("de en", "Wir haben den Vertrag gek\xfcndigt.", "We handed in the contract.", "We cancelled the contract."),
        ("de en", "Der Brand ist gel\xf6scht.", "They deleted the blaze.", "They extinguished the blaze."),
        (
            "de en",
            "Ich wollte nur Bescheid sagen.",
            "I just wanted to let me know.",
            "I just wanted to let you know.",
        ),
        ("en fr", "Bring it", "Apportez à ébullition", "Apportez à ébullition"),
        ("en fr", "Battery life is bad", "La vie de la batterie", "L'autonomie de la batterie"),
        ("en fr", "Great battery life", "Une grande vie de batterie", "Une grande autonomie de batterie"),
        ("en fr", "Battery life", "La durée de vie de la batterie", "La durée de vie de la batterie"),
        ("en fr", SUPPORT, "Nous avons transmis votre billet", "Nous avons transmis votre ticket"),
        ("en fr", "Your tickets have been closed", "Vos billets sont fermés", "Vos tickets sont fermés"),
        ("en fr", "Your train ticket", "Votre billet de train", "Votre billet de train"),
        ("en fr", "You have until 5 May to pay", "jusqu'au 5 mai de payer", "jusqu'au 5 mai pour payer"),
        ("en fr", "You have until 5 May", "jusqu'au 5 mai de cette année", "jusqu'au 5 mai de cette année"),
        ("en fr", "They won 3-1 at home", "gagné 3-1 à la maison", "gagné 3-1 à domicile"),
        ("en fr", "I am at home", "Je suis à la maison", "Je suis à la maison"),
        ("en fr", "It is hard at times", "C'est dur en permanence", "C'est dur par moments"),
        ("en fr", "It is hard all the time", "C'est dur en permanence", "C'est dur en permanence"),
        ("en fr", "over a medium heat", "sur une chaleur moyen", "à feu moyen"),
        ("en fr", "on high heat", "à une chaleur haute", "à feu vif"),
        ("en fr", "the medium heat", "sur la chaleur moyenne", "sur la chaleur moyenne"),
        ("fr en", "Ils ont gagné 3-1 à domicile.", "They won 3-1 from home.", "They won 3-1 at home."),
        ("en fr", "If you are self-employed", "Si vous êtes à son compte", "Si vous êtes à votre compte"),
        ("en fr", "We have no record of it", "aucun record de cela", "aucune trace de cela"),
        ("en fr", "Chew the tablet", "Mâchez la tablette", "Mâchez le comprimé"),
        ("en fr", "Use the tablet", "Utilisez la tablette", "Utilisez la tablette"),
        ("en fr", "Highs between 8 and 11", "Hauts entre 8 et 11", "Maximales entre 8 et 11"),
        ("en fr", "They are normal", "Ils sont normals", "Ils sont normaux"),
        ("en fr", "my half marathon", "mon marathon", "mon semi-marathon"),
        ("en fr", "New blog post", "Nouveau poste de blog", "Nouvel article de blog"),
        ("en fr", "Two blog posts", "Deux postes de blog", "Deux articles de blog"),
        ("fr en", "en moins de 2 heures", "in less than 2 o'clock", "in less than 2 hours"),
        ("en fr", "It may include pain", "Il peut comprendr le mal", "Il peut comprendre le mal"),
        ("en fr", "highs of 12, lows of 3", "hauts de 12, bas de 3", "maximales de 12, minimales de 3"),
        ("en fr", "Tall trees of 12", "hauts de 12", "hauts de 12"),
        ("fr en", "Il fera moins 5.", "It will be less 5.", "It will be minus 5."),
        ("fr en", "Il coûte moins 5.", "It costs less 5.", "It costs less 5."),
        ("fr en", "Un Français sur dix vit", "A Frenchman on ten lives", "One Frenchman in ten lives"),
        ("fr en", "Une femme sur dix", "One in ten woman", "One in ten women"),
        ("fr en", "Une fleur", "A flower on ten", "A flower on ten"),
        ("fr en", "L'autonomie est de 40 minutes.", "The autonomy is 40 minutes.", "The battery life is 40 minutes."),
        ("en fr", "The phone must be charged", "Il doit être facturé", "Il doit être rechargé"),
        ("en fr", "You will be charged for it", "Vous serez facturé", "Vous serez facturé"),
        ("en fr", "a scratch on the chair leg", "sur une jambe", "sur un pied"),
        ("en fr", "The table fell on my leg", "sur ma jambe", "sur ma jambe"),
        ("en fr", "Select a photo and crop it", "récoltez-la", "recadrez-la"),
        ("en fr", "crop yields", "récoltez-la", "récoltez-la"),
        ("en fr", "Screw them on", "Visez-les", "Vissez-les"),
        ("en fr", "I know that, in May, we win", "Je sais cela, en mai, on gagne", "Je sais que, en mai, on gagne"),
        ("en fr", "I think that, in May, we win", "Je pense que ça, en mai, on", "Je pense que, en mai, on"),
        ("en fr", "Note that from 3 May it is closed", "noter cela à partir du 3", "noter que à partir du 3"),
        ("en fr", "I know that, too", "Je sais cela, aussi", "Je sais cela, aussi"),
        ("fr en", "Éteindre pendant la séance", "Switch off while the session", "Switch off during the session"),
        ("fr en", "Pendant la nuit il dort", "while the dog sleeps", "while the dog sleeps"),
        ("fr en", "Taille maximale : 10", "Maximum waist: 10", "Maximum size: 10"),
        ("fr en", "Le gâteau ?", "Does the cake?", "The cake?"),
        ("fr en", "Le gâteau est bon ?", "Does the cake taste good?", "Does the cake taste good?"),
        ("fr en", "L'autonomie des régions", "The autonomy of regions", "The autonomy of regions"),
    ],
)
def test_words_are_those_of_their_subject(languages: str, read: str, text: str, written: str) -> None:
    source, target = languages.split()
    assert with_terms(text, [], (source, target), read) == (written, [])
    assert with_terms(text, [], (target, source), read) == (text, [])


def test_spans_follow() -> None:
    written, spans = with_terms("les hauts de 12", [(0, 3), (4, 9), (10, 12)], ("en", "fr"), "highs of 12")
    assert [written[start:end] for start, end in spans] == ["les", "maximales", "de"]
