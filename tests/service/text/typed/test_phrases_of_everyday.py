"""Wordings of notices, chats and recipes, as others that models know: one way of saying for another."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.elided import with_subject
from service.text.typed.impersonal import with_readers_own
from service.text.typed.shorthand import written_out


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "Actress dies at 84, died at 10 Elm Street", "Actress dies at the age of 84, died at 10 Elm Street"),
        ("en", "Tom died at 65.", "Tom died at the age of 65."),
        ("en", "It was late so I took a taxi", "It was late, so I took a taxi"),
        ("en", "He said so he went, and so he went", "He said so he went, and so he went"),
        (
            "en",
            "He was ill so he didn't come, hid it so he didn't",
            "He was ill, so he didn't come, hid it so he didn't",
        ),
        ("en", "Everyone should bring their own towel", "Everyone should bring his own towel"),
        ("en", "The pupils must bring their towel", "The pupils must bring their towel"),
        ("en", "Then fold in the flour, fold in the sides", "Then gently add the flour, fold in the sides"),
        ("en", "Fold in the cream. Fold in the corners.", "Gently add the cream. Fold in the corners."),
        ("en", "Start the oven, start the car", "Switch on the oven, start the car"),
        ("en", "before you start the mixer", "before you switch on the mixer"),
        ("en", "Waiter, weekends only", "Waiter, at weekends only"),
        ("en", "£450, no pets, no pets there", "£450, pets not allowed, no pets there"),
        ("en", "thanks for last night! for last night's", "thanks for yesterday evening! for last night's"),
        ("en", "Toss it with the sauce, toss the ball", "Mix it with the sauce, toss the ball"),
        ("en", "toss it in the oil", "mix it in the oil"),
        ("en", "The bill came to 84 euros including the tip", "The bill was 84 euros, tip included"),
        ("en", "The recipe serves four and is easy", "The recipe is for four people and is easy"),
        ("en", "the nicest man, the nicest day", "the kindest man, the nicest day"),
        ("en", "For children aged 3 and over", "For children from the age of 3"),
        ("en", "For kids aged 3 and up", "For kids from the age of 3"),
        ("en", "lost 3-1 to Portugal, lost 3 to us", "lost 3-1 against Portugal, lost 3 to us"),
        ("en", "wait for your number to be called", "wait until your number is called"),
        ("en", "If it doesn't, click here. If it doesn't, why?", "Otherwise, click here. If it doesn't, why?"),
        ("en", "The sooner we leave, the better.", "The sooner we leave, the better it is."),
        ("en", "The sooner, the better.", "The sooner, the better."),
        ("en", "gonna be a long day", "it's going to be a long day"),
        ("en", "need coffee", "I need coffee"),
        ("en", "Nope, didn't get it", "Nope, I didn't get it"),
        ("en", "Schools to reopen on Monday", "Schools will reopen on Monday"),
        ("en", "sorry cant make it, sorry can", "sorry I can't make it, sorry can"),
        (
            "en",
            "Bad food, never going back. He's never going back.",
            "Bad food, I'm never going back there. He's never going back.",
        ),
        ("en", "Does the job, but who does the job?", "It works well, but who does the job?"),
        ("en", "Cheap, does the job.", "Cheap, it works well."),
        ("en", "Babysitter needed for two", "Babysitter wanted for two"),
        ("en", "Line a tin with paper. Line a wall.", "Cover a tin with paper. Line a wall."),
        ("en", "return the key to reception, return the key", "bring back the key to reception, return the key"),
        ("fr", "Offre non cumulable avec", "Offre ne pouvant pas être combinée avec"),
        ("fr", "Vos photos ont été sauvegardées", "Vos photos ont été enregistrées"),
        ("fr", "Elle annonce la sortie de son album", "Elle annonce la parution de son album"),
        ("fr", "Fait le job, il fait le job", "Ça marche bien, il fait le job"),
        ("fr", "Petit, fait le job.", "Petit, ça marche bien."),
        ("fr", "oublie pas le pain, il oublie pas", "n'oublie pas le pain, il oublie pas"),
        ("fr", "Oublie pas. Touche pas à ça", "N'oublie pas. Ne touche pas à ça"),
        ("fr", "touche pas", "ne touche pas"),
        ("fr", "On nous a volé, on nous a volé tout", "Quelqu'un nous a volé, quelqu'un nous a volé tout"),
        (
            "fr",
            "On frappe à la porte, on frappe à la porte",
            "Quelqu'un frappe à la porte, quelqu'un frappe à la porte",
        ),
        ("fr", "On t'attend là, on t'attend là", "Nous t'attendons là, nous t'attendons là"),
        ("fr", "on t'attend plus", "on t'attend plus"),
        ("fr", "On t'appelle demain, on t'appelle Tom", "Nous t'appelons demain, on t'appelle Tom"),
        ("fr", "ok, on t'appelle ce soir", "ok, nous t'appelons ce soir"),
        ("fr", "On te rappelle demain, on te rappelle que", "Nous te rappelons demain, on te rappelle que"),
        ("fr", "ok on te rappelle", "ok nous te rappelons"),
        ("fr", "les œufs un à un", "les œufs un par un"),
        ("fr", "L'ascenseur est arrêté pour travaux", "L'ascenseur est hors service pour travaux"),
        ("fr", "Il est arrêté pour travaux", "Il est arrêté pour travaux"),
        ("fr", "vendeur à l'écoute, personnel à l'écoute", "vendeur attentif, personnel attentif"),
        ("fr", "Le personnel est à l'écoute", "Le personnel est très attentif"),
        ("fr", "Loue ce studio", "Loue ce studio"),
        ("fr", "Loue studio meublé", "À louer : studio meublé"),
        ("fr", "Donne cartons, à venir chercher", "Je donne cartons, à venir chercher"),
        ("fr", "Longez la rivière, puis longez le mur", "Suivez la rivière, puis suivez le mur"),
        ("fr", "J'ai mis un temps fou, un temps fou", "J'ai mis très longtemps, un temps fou"),
        ("fr", "La caution vous sera restituée", "La caution vous sera remboursée"),
        ("fr", "Enfourner 20 min puis enfourner 5", "Faire cuire 20 minutes puis faire cuire 5"),
        ("fr", "Chers parents, la sortie au zoo", "Chers parents, la sortie scolaire au zoo"),
        ("fr", "Notez votre trajet. Notez votre nom.", "Évaluez votre trajet. Notez votre nom."),
        ("fr", "Vous ne serez plus prélevé", "Vous ne serez plus débité"),
        ("fr", "La clim de la chambre", "La climatisation de la chambre"),
        ("fr", "rappelle moi asap", "rappelle moi dès que possible"),
        ("fr", "Ne correspond pas à la photo", "Ça ne correspond pas à la photo"),
        ("fr", "Éteindre son téléphone.", "Éteindre votre téléphone."),
        ("fr", "Il faut toujours garder son calme.", "Il faut toujours garder votre calme."),
        ("fr", "Gagner sa vie devient difficile.", "Gagner sa vie devient difficile."),
    ],
)
def test_they_are_read_as_models_know_them(language: str, text: str, read: str) -> None:
    written = with_subject(written_out(normalise(text), language), language)
    assert with_readers_own(written, language).text == read
