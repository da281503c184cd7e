"""Shorthand that is written out, with the way back to the client's own text."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from service.text.sentences.abbreviations import without_abbreviations
from service.text.spans.normalise import normalise
from service.text.typed.shorthand import FILE, compiled, written_out

TABLES = tomllib.loads(files("service.text.typed").joinpath(FILE).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "thx for ur help!!", "thanks for your help!!"),
        ("en", "idk, call me asap", "I don't know, call me as soon as possible"),
        ("en", "Plz send it. BTW", "Please send it. by the way"),
        ("en", "PLS SEND IT", "PLEASE SEND IT"),
        ("en", "r u coming? c u", "are you coming? see you"),
        ("en", "u r late, ur welcome", "you are late, you're welcome"),
        ("en", "I've gotta go and I gotta eat", "I've got to go and I have to eat"),
        ("en", "I'm outta here, get outta the car", "I'm outta here, get out of the car"),
        ("en", "dont worry bout it, a bout of flu", "don't worry about it, a bout of flu"),
        ("en", "w/ or w/o you, e.g. now", "with or without you, for example now"),
        ("en", "I can't, Ty; it's 5 r, at u@ur.org, u-turn, #u", "I can't, Ty; it's 5 r, at u@ur.org, u-turn, #u"),
        ("en", "Fish&Chips, Salt&pepper", "Fish & Chips, Salt & pepper"),
        (
            "en",
            "H&M, R&D, page?size=10&next=two, a&nbsp;b, cat&copy;",
            "H&M, R&D, page?size=10&next=two, a&nbsp;b, cat&copy;",
        ),
        ("de", "Heizung&Sanit\u00e4r", "Heizung & Sanit\u00e4r"),
        ("en", "I'll be there in 5, back in 10.", "I'll be there in 5 minutes, back in 10 minutes."),
        ("en", "He was back in 5 BC, in 5 of 10.", "He was back in 5 BC, in 5 of 10."),
        (
            "en",
            "Is the wifi down? He put the wifi down to luck.",
            "Is the wifi not working? He put the wifi down to luck.",
        ),
        ("en", "He won't. We're in the wood.", "He won't. We're in the wood."),
        ("fr", "slt cv ? jai rdv, c pas grave", "Salut ça va ? j'ai rendez-vous, c'est pas grave"),
        ("fr", "Ma commande n° 20391, stp", "Ma commande numéro 20391, s'il te plaît"),
        ("de", "vllt morgen, ca. 10 oder ca.5 Leute", "vielleicht morgen, etwa 10 oder etwa 5 Leute"),
        ("fr", "jetais malade, si tu jetais, je les jetais", "j'\u00e9tais malade, si tu jetais, je les jetais"),
        ("fr", "Ou est ma cl\u00e9 ?", "O\u00f9 est ma cl\u00e9 ?"),
        ("fr", "Ou vas-tu ce soir ?", "O\u00f9 vas-tu ce soir ?"),
        ("fr", "Ou est-ce une erreur ?", "Ou est-ce une erreur ?"),
        ("fr", "Ou es-tu malade ?", "Ou es-tu malade ?"),
        ("fr", "Ou est le lundi.", "Ou est le lundi."),
        ("fr", "ou est ce que tu vas", "o\u00f9 est-ce que tu vas"),
        ("fr", "Est ce que c'est ce que tu veux", "Est-ce que c'est ce que tu veux"),
        ("fr", "Qu'est ce qu'il dit", "Qu'est-ce qu'il dit"),
        ("fr", "ou sont mes cl\u00e9s ?", "o\u00f9 sont mes cl\u00e9s ?"),
        ("fr", "ou acheter un v\u00e9lo ?", "o\u00f9 acheter un v\u00e9lo ?"),
        ("fr", "t'es ou ?", "t'es o\u00f9 ?"),
        ("fr", "tu habites ou", "tu habites o\u00f9"),
        ("fr", "tu vas au cin\u00e9 ou ?", "tu vas au cin\u00e9 ou ?"),
        ("fr", "Livraison offerte, frais de port offerts", "Livraison gratuite, frais de port gratuits"),
        ("fr", "Un caf\u00e9 offert par la maison", "Un caf\u00e9 offert par la maison"),
        ("fr", "ou alors on y va demain", "ou alors on y va demain"),
        ("fr", "ou est-ce une erreur ?", "ou est-ce une erreur ?"),
        ("en", "Ann, n\u00e9e Hill, sent a r\u00e9sum\u00e9", "Ann, born Hill, sent a CV"),
        ("de", "mfg Anna", "Mit freundlichen Grüßen Anna"),
        ("de", "MfG Peter Kurz", "Mit freundlichen Grüßen, Peter Kurz"),
        ("de", "LG Anna", "Herzliche Grüße, Anna"),
        ("de", "VG, Anna", "Beste Grüße, Anna"),
        ("de", "Gruß Ernst", "Beste Grüße, Ernst"),
        ("de", "LG Monitor, VG Berlin, LG Berlin", "LG Monitor, VG Berlin, LG Berlin"),
        ("de", "LG Waschmaschine", "LG Waschmaschine"),
        ("de", "Bis morgen, LG Anna Kurz", "Bis morgen, Herzliche Grüße, Anna Kurz"),
        ("de", "Viele Grüße aus Rom, Grüße an Ernst", "Viele Grüße aus Rom, Grüße an Ernst"),
        ("en", "Best, Anna", "Kind regards, Anna"),
        ("en", "Just a heads-up: ping me", "Just a warning: write to me"),
        ("en", "Google it. Let's catch up. Ring us", "look it up on Google. Let's talk. Call us"),
        ("en", "Any updates on this? Same here", "Is there any news about this? Same here"),
        ("en", "My bad habits, the ring her mother gave her", "My bad habits, the ring her mother gave her"),
        ("en", "Due 14/12, the rent is due 1.12.", "Payable on 14/12, the rent is payable on 1.12."),
        ("en", "Call ext. 204, the ext. wall", "Call number 204, the ext. wall"),
        ("en", "It is due 5 days later", "It is due 5 days later"),
        ("en", "Mail me at a@b.org or e-mail us.", "Write to me at a@b.org or write to us."),
        ("en", "Please email me the file, mail a@b.org", "Please send me the file, write to a@b.org"),
        ("en", "Email a@b.org for help. Email me your list.", "Write to a@b.org for help. Send me your list."),
        ("en", "E-mail a@b.org, my e-mail a@b.org, by mail", "E-mail a@b.org, my e-mail a@b.org, by mail"),
        ("en", "I got her mail. The mail us.", "I got her mail. The mail us."),
        ("en", "Yours truly,", "Kind regards,"),
        ("en", "Cheers, Will", "Kind regards, Will"),
        ("en", "Best, worst and cheers, all. Yours, mine", "Best, worst and cheers, all. Yours, mine"),
        ("en", "Best, French Restaurant in Town", "Best, French Restaurant in Town"),
        ("en", "Yours, I believe?", "Yours, I believe?"),
        ("en", "Cheers, Mate!", "Cheers, Mate!"),
        ("en", "Do not eat, drink or smoke here.", "You must not eat, drink or smoke here."),
        ("en", "Stop. Don't drive or swim.", "Stop. You must not drive or swim."),
        (
            "en",
            "Don't move or I'll shoot. Do not feed cats or dogs.",
            "Don't move or I'll shoot. Do not feed cats or dogs.",
        ),
        ("en", "I hope you are well. We hope you are all fine.", "I hope you're well. We hope you're all fine."),
        ("en", "I hope you are right. Closed Mondays.", "I hope you are right. Closed on Mondays."),
        ("en", "Great app but slow", "Excellent app but slow"),
        ("fr", "Je l'attends depuis le mois d'août.", "Je l'attends depuis août."),
        ("fr", "Le mois de mai avant le mois prochain", "Le mois de mai avant le mois prochain"),
        ("fr", "La carte a été débitée de 38,50 € en mai.", "La carte a été débitée 38,50 € en mai."),
        ("fr", "coucou tout le monde !", "salut tout le monde !"),
        ("fr", "Cdt, Pierre", "Cordialement, Pierre"),
        ("fr", "Amitiés", "Cordialement"),
        ("fr", "Gros bisous,", "Bises,"),
        ("fr", "Gros bisous de Paris", "Gros bisous de Paris"),
        ("fr", "Coucou Anna !", "Salut Anna !"),
        ("fr", "Coucou suisse", "Coucou suisse"),
        ("de", "inklusive Frühstück, LG Monitor, HDL 60", "inklusive Frühstück, LG Monitor, HDL 60"),
        ("de", "Obst, z. B. Äpfel bzw. Birnen, d.h. viel", "Obst, zum Beispiel Äpfel oder Birnen, das bedeutet, viel"),
        ("de", "Z.B. 5 Std. mit Hr. Müller, 3 Mio.", "Zum Beispiel 5 Stunden mit Herr Müller, 3 Millionen."),
        ("de", "Zimmer Nr. 5, Brot & Butter, Müller & Co", "Zimmer Nummer 5, Brot und Butter, Müller & Co"),
        ("en", "Tom & Mary wait 10 min. for 2 hrs.", "Tom and Mary wait 10 minutes for 2 hours."),
        ("fr", "Du thé & des fruits, p. ex. 5 min de marche", "Du thé et des fruits, par exemple 5 minutes de marche"),
        ("en", "im Haus, im at home", "im Haus, I'm at home"),
        ("en", "Wat Pho, the letter u, f(u), u=5, MSG", "Wat Pho, the letter u, f(u), u=5, MSG"),
        ("en", "PLS SEND THE MSG", "PLEASE SEND THE MESSAGE"),
        (
            "fr",
            "Un cv ? Le fichier jsp, pk 35, STP, le langage c le plus",
            "Un cv ? Le fichier jsp, pk 35, s'il te plaît, le langage c le plus",
        ),
        ("en", "From 12th Feb to Sept. 5 or 3 Dec.", "From 12th February to September 5 or 3 December."),
        ("en", "On 3 Dec. we met, Jan 7, not in Jan or Oct", "On 3 December we met, January 7, not in Jan or Oct"),
        ("fr", "Le 3 déc. 2026, le 14 févr. et en avr.", "Le 3 décembre 2026, le 14 février et en avr."),
        ("de", "Am 3. Dez. 2026, am 5. Okt.", "Am 3. Dezember 2026, am 5. Oktober."),
        ("pl", "thx u, 3 Dec", "thx u, 3 Dec"),
        ("en", "Jan 5 people, 1 min, 5 min, 10 max, H & M", "Jan 5 people, 1 min, 5 min, 10 max, H & M"),
        ("en", "The US army, the U.S. and the UK", "The American army, the United States and the United Kingdom"),
        ("en", "Tracking no. 1Z999; I said no. Five came.", "Tracking number 1Z999; I said no. Five came."),
        ("en", "the invoice (no. 4471-B), no (no.)", "the invoice (number 4471-B), no (no.)"),
        ("de", "10 % MwSt., die MwSt. ist drin.", "10 % Mehrwertsteuer, die Mehrwertsteuer ist drin."),
        ("en", "No. 10 is here. VAT no.: 5; no. No.", "Number 10 is here. VAT number: 5; no. No."),
        (
            "de",
            "Kunden-Nr. 445566, Bestell-Nr.: 4, Art.-Nr. 7",
            "Kundennummer 445566, Bestellnummer: 4, Artikelnummer 7",
        ),
        ("de", "Fr. M\u00fcller kommt; Mo bis Fr. Danach", "Frau M\u00fcller kommt; Mo bis Fr. Danach"),
        ("en", "The CEO of the UN told us", "The managing director of the United Nations told us"),
        ("en", "The US has it; the IT team, IT here", "The United States has it; the computer team, IT here"),
        ("fr", "Le chef de l'ONU et l'UE", "Le chef des Nations unies et l'Union européenne"),
        ("fr", "L'ONU et le PDG", "les Nations unies et le directeur général"),
        ("en", "Run `make`, run the tests, run a marathon", "Execute `make`, execute the tests, run a marathon"),
        ("en", "Tickets are €12 pp, kids go free", "Tickets are €12 per person, kids go free"),
        ("fr", "votre n° de tél. ou 2 fois par sem. le soir", "votre n° de téléphone ou 2 fois par semaine le soir"),
        ("de", "Moin, bis dann, lg Tim", "Hallo, bis dann, herzliche Grüße, Tim"),
        (
            "en",
            "Let John know that. I let my boss know why, let me know",
            "Tell John that. I tell my boss why, let me know",
        ),
        (
            "en",
            "You have the check, please",
            "You have the bill, please",
        ),
        (
            "en",
            "FYI it has timed out, from Dec. 23 through Jan. 2",
            "For your information, it has expired, from December 23 to January 2",
        ),
        ("fr", "Suite à votre mail, Je viens, suite au vol", "À la suite de votre mail, je viens, à la suite du vol"),
        ("fr", "Suite et fin, donner suite à, Jean Je", "Suite et fin, donner suite à, Jean Je"),
        (
            "fr",
            "ya plus de pain mais ya des œufs, la semaine pro",
            "il n'y a plus de pain mais il y a des œufs, la semaine prochaine",
        ),
        ("fr", "aux + de 60 ans, les - de 6 ans, 3 + de 4", "aux plus de 60 ans, les moins de 6 ans, 3 + de 4"),
        ("de", "Köln Hbf im 2. OG", "Köln Hauptbahnhof im 2. Stock"),
        ("de", "Kaffee u. Kuchen f. Kinder u. a.", "Kaffee und Kuchen für Kinder u. a."),
        (
            "de",
            "Kundennr. 5, Kd.-Nr.: 6, 10 Min., I.d.R. gut",
            "Kundennummer 5, Kundennummer: 6, 10 Minuten, Normalerweise gut",
        ),
        ("de", "ab 10 h, um 8 h, von 9 bis 12 h, dauert 2 h", "ab 10 Uhr, um 8 Uhr, von 9 bis 12 Uhr, dauert 2 h"),
        ("de", "I.d.R. dauert es", "Normalerweise dauert es"),
        ("de", "Am Fr. Jan 7 Jahre. Müller u. a. haben", "Am Fr. Jan 7 Jahre. Müller u. a. haben"),
        (
            "de",
            "Es sind 3 Mio. Das ist viel, d. h., es reicht",
            "Es sind 3 Millionen. Das ist viel, das bedeutet, es reicht",
        ),
        ("en", "Meet me at half eight by the mill", "Meet me at half past eight by the mill"),
        ("en", "We met between half six and half seven", "We met between half past six and half past seven"),
        ("en", "It's half ten. The shop opens at half one", "It's half past ten. The shop opens at half past one"),
        (
            "en",
            "It's half one and half the other, he ate half one cake",
            "It's half one and half the other, he ate half one cake",
        ),
        ("en", "half five people left, at half two-thirds", "half five people left, at half two-thirds"),
        ("en", "I left b/c of you, a/b/c, hepatitis B/C", "I left because of you, a/b/c, hepatitis B/C"),
        ("en", "Tell 'em: an 'em dash', the 'em'", "Tell them: an 'em dash', the 'em'"),
        ("en", "Y'all came, I miss y'all, y'all's", "You all came, I miss you all, y'all's"),
        (
            "en",
            "A state-of-the-art car, the most state-of-the-art one, the state of the art",
            "A very modern car, the very modern one, the state of the art",
        ),
        ("en", "RSVP by May. Please RSVP. The RSVP list", "Please reply by May. Please reply. The RSVP list"),
        ("en", "My new ETA is 5, the ETA attack, ETA killed", "My new arrival time is 5, the ETA attack, ETA killed"),
        ("en", "ETA: 6 pm", "Expected arrival: 6 pm"),
        (
            "en",
            "It is TBA, the price is TBC and the room is still TBD",
            "It is not yet known, the price is not yet confirmed and the room is still not known",
        ),
        ("en", "TBA Records, at TBC Bank, is TBC Bank", "TBA Records, at TBC Bank, is TBC Bank"),
        (
            "en",
            "5bn people, 40 bn euros, $5bn in, EUR 5bn in",
            "5 billion people, 40 billion euros, $5bn in, EUR 5bn in",
        ),
        ("en", "3m people, 10M views, 3m of rope", "3 million people, 10 million views, 3m of rope"),
        ("en", "the 2nd-largest, 3rd highest, 2nd guest", "the second-largest, third-highest, 2nd guest"),
        ("en", "fruit (e.g. pears), (e.g. to me)", "fruit (for example, pears), (for example to me)"),
        ("en", "Fig. 2b, figs. 3 and 4, a fig. A fig", "Figure 2b, Figures 3 and 4, a fig. A fig"),
        ("en", "Read Ch. 3 and Chap. 4. TV on ch. 5", "Read chapter 3 and chapter 4. TV on ch. 5"),
        ("en", "In Sept. 2019, since Oct 2020, Jan 2019", "In September 2019, since October 2020, Jan 2019"),
        ("en", "in Mar 2019-20, from Dec. 20 people came", "in Mar 2019-20, from Dec. 20 people came"),
        ("en", "My DOB, I'm AFK", "My date of birth, I'm away"),
        ("fr", "Le XIXe s., au Ve s. ici, au XVe s.", "Le XIXe siècle, au Ve siècle ici, au XVe siècle."),
        ("fr", "Les Xe s'ouvrent", "Les Xe s'ouvrent"),
        ("fr", "12 ans et +, et + si, C'est + cher, 3 + 4", "12 ans et plus, et + si, C'est plus cher, 3 + 4"),
        ("fr", "Ma puce, merci ma puce !", "Ma chérie, merci ma chérie !"),
        ("fr", "J'ai perdu ma puce. Ma puce est là", "J'ai perdu ma puce. Ma puce est là"),
        ("fr", "Ma puce, celle du badge", "Ma puce, celle du badge"),
        (
            "fr",
            "Demain, c.-à-d. lundi, c.-à-d. que je pars, c.-à-d. aussi ici",
            "Demain, à savoir lundi, ce qui veut dire que je pars, c'est-à-dire aussi ici",
        ),
        (
            "fr",
            "Moi, c'est-à-dire un ami, c'est-à-dire souvent",
            "Moi, à savoir un ami, c'est-à-dire souvent",
        ),
        ("fr", "Lyon vs Paris, Lyon vs. Nice", "Lyon contre Paris, Lyon contre Nice"),
        ("fr", "5 Md de gens, 3 M d'euros, 3 M de haut", "5 milliards de gens, 3 millions d'euros, 3 M de haut"),
        ("fr", "la 2e plus grande, la 2e fois", "la deuxième plus grande, la 2e fois"),
        ("fr", "Il a 3 ans et 1/2, 2 et 1/2", "Il a 3 ans et demi, 2 et 1/2"),
        ("fr", "J'arrive ds 5 min, un ds, ma ds lite", "J'arrive dans 5 minutes, un ds, ma ds lite"),
        ("fr", "Bon we, ce w-e, le we-go", "Bon week-end, ce week-end, le we-go"),
        ("fr", "La Ve République, RSVP avant mardi", "La Cinquième République, RSVP avant mardi"),
        ("fr", "RSVP avant mardi", "Réponse souhaitée avant mardi"),
        ("fr", "en sept. 2019, depuis janv. 2020", "en septembre 2019, depuis janvier 2020"),
        ("de", "Im Sept. 2019, seit Okt. 2020, Jan 2019", "Im September 2019, seit Oktober 2020, Jan 2019"),
        ("de", "Bitte bringen Sie ggf. Geld mit", "Bitte bringen Sie falls nötig Geld mit"),
        ("de", "Der Zug hält auf Gl. 7, siehe Gl. 7", "Der Zug hält auf Gleis 7, siehe Gl. 7"),
        ("de", "Setzen Sie x in Gl. 7 ein", "Setzen Sie x in Gl. 7 ein"),
        ("de", "Köln vs. Bonn, bis spät. Freitag", "Köln gegen Bonn, bis spätestens Freitag"),
        ("de", "Meine Tel.-Nr. ist", "Meine Telefonnummer ist"),
    ],
)
def test_shorthand_is_written_out(language: str, text: str, read: str) -> None:
    assert written_out(without_abbreviations(normalise(text), language), language).text == read


def test_each_word_stands_for_all_of_its_shorthand() -> None:
    text = "so  thx u"
    found = written_out(normalise(text), "en")
    at = found.text.index("thanks")
    assert found.original_span(at, at + 6) == (4, 7)
    assert found.original_span(at + 2, at + 3) == (4, 7)
    assert text[slice(*found.original_span(at + 7, at + 10))] == "u"
    assert len(found.starts) == len(found.ends) == len(found.text)


def test_the_word_before_stands_for_one_that_is_left_out() -> None:
    text = "Let John know that."
    found = written_out(normalise(text), "en")
    at = found.text.index("John")
    assert text[slice(*found.original_span(at, at + 4))] == "John know"


def test_the_lists_lead_to_no_other_shorthand_and_capitals_are_of_the_list() -> None:
    for language, table in TABLES.items():
        assert {*table["capitals"]} <= table["words"].keys()
        for words in table["words"].values():
            assert written_out(normalise(words), language).text == words
        assert all(word == word.lower() for word in table["words"])


def test_every_pattern_can_be_made() -> None:
    patterns = [phrase["pattern"] for table in TABLES.values() for phrase in table["phrases"].values()]
    assert len(patterns) > 200
    assert not [
        pattern for pattern in patterns if "<" in compiled(pattern).pattern.replace("(?<", "").replace("(?P<", "")
    ]
