"""Words, between English and French, that models write for others: *depuis un mois*, not *pendant*, of what somebody
has had; a *warm* coat, not a *hot* one."""

from __future__ import annotations

import re

from model_store.contract.calendar import MONTHS
from service.text.mending.term import Term

_HAVE_HAD = re.compile(r"\b(?:[Hh]ave|[Hh]as|'ve|'s) (?:already )?had\b[^.!?]* for ")
_HAS = r"\b(?:[Jj]['\u2019]ai|[Tt]u as|[Ii]l a|[Ee]lle a|[Oo]n a|[Nn]ous avons|[Vv]ous avez|[Ii]ls ont|[Ee]lles ont)"
_WHILE = r"(?= (?:un|une|deux|trois|quatre|cinq|six|sept|huit|dix|quelques|plusieurs|des|\d+)\b)"
_AFTER_A = re.compile(r"\b(?:after|that|when|because) an? ")
_MANY = r"(?:dizaine|vingtaine|trentaine|centaine|majorit\xe9|quart|tiers|million|millier|couple|groupe)"
_PARTICIPLE = r"[a-z\xe0-\xff]+(?:\xe9|u|is|it|ert)"
_OBJECT = r"(?:une?|l[ae]s?|des|deux|sa|son|ses)"
_MONTH = re.compile(rf"\bfor (?:{'|'.join(MONTHS['en'])})\b")
_CLOTHES = re.compile(
    r"\b(?:[Bb]lousons?|[Bb]onnet|[Cc]haussettes|[Cc]ouette|[Cc]ouverture|[Dd]oudoune|[\xc9\xe9]charpe|[Gg]ants"
    r"|[Mm]anteaux?|[Pp]ulls?|[Pp]yjama|[Vv]estes?)\b[^.,!?]{0,30}\bchaud(?:e?s?)\b"
)
_LASTING = re.compile(
    r"\b[Aa]utonomie (?:est )?(?:(?:tr\xe8s|assez|vraiment|un peu|plut\xf4t) )?"
    r"(?:bonne|correcte|d\xe9cevante|excellente|faible|impressionnante|insuffisante|limit\xe9e|mauvaise"
    r"|m\xe9diocre|moyenne)"
)
_GREAT = re.compile(
    r"\AGreat (?:little )?(?:app|atmosphere|bar|book|caf\xe9|cafe|coffee|deal|experience|film|flat|food|game|gift"
    r"|holiday|hotel|location|movie|pizza|place|present|price|product|pub|quality|restaurant|room|service|show|trip|value"
    r"|view|weekend)\b"
)
_RATE = re.compile(r"\d an? (?:head|hour|kilo|night|person|piece)\b")
_COLLECTED = re.compile(r"\bcollected from\b")
_MISSING = re.compile(r"\b(?:has|have) been missing since\b")
_BRING = re.compile(
    r"\bbr(?:ing|ings|inging|ought) (?:along )?(?:an?|her|his|my|our|some|their|the|your) "
    r"(?:boyfriend|brother|children|colleague|dad|dog|friends?|girlfriend|husband|kids|mother|mum|parents|sister|wife)\b(?!['\u2019]s)"
)
FROM_ENGLISH = (
    Term(
        "vous contacter",
        re.compile(r"\b[Pp]lease get in touch\b(?! with\b)"),
        re.compile(r"(?<=euillez )vous(?= contacter\b)"),
        "nous",
    ),
    Term("pport", _BRING, re.compile(r"\bapport(?=(?:er|ez|ons|\xe9|ais|ait)\b)"), "amen"),
    Term("pport", _BRING, re.compile(r"\bapport(?=e(?:s|nt|rai|ra)?\b)"), "am\xe8n"),
    Term(
        " arriv\xe9e ",
        re.compile(r"\barrived\b"),
        re.compile(r"\best arriv\xe9e (?:endommag\xe9|cass\xe9|ab\xeem\xe9|ouvert)(?P<wrong>)(?![\w-])"),
        "e",
    ),
    Term(
        " incomplet",
        re.compile(r"\barrived\b"),
        re.compile(r"\best arriv\xe9e (?P<wrong>incomplet)\b"),
        "incompl\xe8te",
    ),
    Term(
        "oint",
        re.compile(r"\b(?:charged|paid|ordered|bought|sold|returned?|refund(?:ed)?)\b.*\bitem"),
        re.compile(r"\b(?:m\xeame|un|une|les|des|mes|vos|deux|trois) (?P<wrong>point)(?=s?\b)"),
        "article",
    ),
    Term(" du ", _COLLECTED, re.compile(r"\bretir\xe9e?s? (?P<wrong>du)(?= )"), "au"),
    Term("de la", _COLLECTED, re.compile(r"\bretir\xe9e?s? (?P<wrong>de)(?= la )"), "\xe0"),
    Term(
        "actur",
        re.compile(r"\bcharg(?:ed?|ing) it (?:all night|fully|overnight|for \w+ hours|up\b|before|every)"),
        re.compile(r"\b[Ff]actur(?=(?:\xe9e?s?|er|ez?)\b)"),
        "recharg",
    ),
    Term("manque depuis", _MISSING, re.compile(r"\bmanque(?= depuis\b)"), "a disparu"),
    Term("manquent depuis", _MISSING, re.compile(r"\bmanquent(?= depuis\b)"), "ont disparu"),
    Term(
        "et cuisiner",
        re.compile(r"\band cook\b"),
        re.compile(r"ez\b[^.!?]* et (?P<wrong>cuisiner)(?= )"),
        "faites cuire",
    ),
    Term("rand", _GREAT, re.compile(r"\A(?:[Uu]ne? )?[Gg]rande?(?= [a-z])"), "super"),
    Term("nourriture", re.compile(r"\b[Gg]reat food\b"), re.compile(r"\b[Gg]rande nourriture\b"), "excellente cuisine"),
    Term(
        " une ",
        _RATE,
        re.compile(r"(?<=[\d\u20ac\xa3$\ue000-\uf8ff] )une(?= (?:heure|nuit|personne|t\xeate)\b)"),
        "par",
    ),
    Term("ai jamais", re.compile(r"\bnever\b"), re.compile(r"\b[Jj]['\u2019](?=(?:en |y )?ai jamais\b)"), "je n'"),
    Term(
        " l'air ",
        re.compile(
            r"\b(?:earbuds|earphones|guitar|headphones|headset|piano|radio|speakers?) sounds? (?:[a-z]+ )?[a-z]+"
        ),
        re.compile(
            r"\ba (?P<wrong>l'air)(?= (?:excellent|fantastique|formidable|g\xe9nial|incroyable|magnifique|super)\b)"
        ),
        "un son",
    ),
    Term(
        "pendant",
        _HAVE_HAD,
        re.compile(
            rf"{_HAS} (?:d\xe9j\xe0 )?(?:l[ae]s? |l['\u2019]|une? |des |du |ce(?:s|t|tte)? |m(?:on|a|es) )"
            rf"[^.!?,]{{1,50}}? (?P<wrong>pendant){_WHILE}"
        ),
        "depuis",
    ),
    Term(
        " ans et ",
        re.compile(r"\baged \d{1,2} and \d{1,2}\b"),
        re.compile(r"(?<=\d)(?P<wrong> ans)(?= et \d{1,2}\b(?! ans))"),
        "",
    ),
    Term(
        " ans et ",
        re.compile(r"\baged \d{1,2} and \d{1,2}\b"),
        re.compile(r"\d ans et \d{1,2}\b(?P<wrong>)(?! ans)"),
        " ans",
    ),
    Term(
        "Cherche",
        re.compile(r"\bwanted for\b"),
        re.compile(r"\ACherche [\w-]+(?P<wrong>)(?= (?:deux|trois|une?) )"),
        " pour",
    ),
    Term(
        "du personnel",
        re.compile(r"\A[A-Z]\w+ staff\b"),
        re.compile(r"\A(?:Excellent|Super|Bon) (?P<wrong>du )(?=personnel\b)"),
        "",
    ),
    Term(
        " ont ",
        _AFTER_A,
        re.compile(rf"\bqu['\u2019]une? (?!{_MANY}\b)[a-z\xe0-\xff]+ (?P<wrong>ont)(?= {_PARTICIPLE}\b)"),
        "a",
    ),
    Term(
        "pr\xe8s un",
        _AFTER_A,
        re.compile(rf"\b[Aa]pr\xe8s(?P<wrong> )(?=une? [a-z\xe0-\xff]+ a {_PARTICIPLE} {_OBJECT} )"),
        " qu'",
    ),
    Term("otal est \xe0", re.compile(r"\btotal comes to\b"), re.compile(r"\btotal est (?P<wrong>\xe0)(?= )"), "de"),
    Term("de mois d", _MONTH, re.compile(r"(?<=[a-z] )de(?= mois d['\u2019e])"), "du"),
    Term(
        " Je ",
        re.compile(r"\b(?:the|this|that|my) [\w ]+ I [a-z]+"),
        re.compile(r"(?<=[a-z\xe0-\xff]{3})(?P<wrong> J)(?=e )"),
        " que j",
    ),
)
INTO_ENGLISH = (
    *(
        Term(
            wrong,
            re.compile(
                r"\b(?:achats?|badge|billets?|cl\xe9s?|colis|commandes?|objets|paquets?)\b.*\br(?:etir|\xe9cup\xe9r)\xe9"
            ),
            re.compile(rf"\b{wrong}\b"),
            "collected",
        )
        for wrong in ("removed", "recovered")
    ),
    Term(
        "nine",
        re.compile(r"\b(?:comme|\xe9tat|presque|quasi(?:ment)?|tout) neufs?(?=\s*[.,!;)]|\s*\Z)"),
        re.compile(r"\bnine\b"),
        "new",
    ),
    Term(
        "age at ",
        re.compile(r"\b(?:augmenter|porter|reculer|relever|repousser) l['\u2019]\xe2ge\b.*\b\xe0 \d"),
        re.compile(r"\bage (?P<wrong>at)(?= [\d\ue000-\uf8ff])"),
        "to",
    ),
    Term(
        "article",
        re.compile(
            r"\b(?:command|d\xe9bit|factur|rembours|retourn)(?:\xe9|er)\b.*\barticle"
            r"|\barticles? (?:est|sont) (?:\xe9puis|en stock)"
        ),
        re.compile(r"\barticle(?=s?\b)"),
        "item",
    ),
    Term("bacons", re.compile(r"\b[Ll]ardons\b"), re.compile(r"\bbacons\b"), "bacon bits"),
    *(
        Term(
            f" {wrong} ",
            re.compile(r"\b\xe0 \d+(?:[.,]\d+)?\s?\u20ac (?:la )?pi\xe8ce\b"),
            re.compile(rf"(?<=[a-z] ){wrong}(?= [\d\ue000-\uf8ff])"),
            "at",
        )
        for wrong in ("in", "to")
    ),
    Term(
        " are ",
        re.compile(r"\AL[ea] (?:couleur|prix|qualit\xe9|son|taille) (?:de|du|des)\b"),
        re.compile(r"\AThe (?:colour|price|quality|size|sound) of [\w ]{1,30}? (?P<wrong>are)\b"),
        "is",
    ),
    Term(
        "ayment from",
        re.compile(r"\b(?:[Pp]aiement|[Rr]\xe8glement) de \d"),
        re.compile(r"\b[Pp]ayment (?P<wrong>from)(?= [\d\u20ac\ue000-\uf8ff])"),
        "of",
    ),
    Term("hot", _CLOTHES, re.compile(r"\bhot\b"), "warm"),
    Term(" to ", re.compile(r"\bminutes \xe0 \d{2,3}\b"), re.compile(r"(?<=minutes )to(?= [\d\ue000-\uf8ff])"), "at"),
    Term(
        " to ",
        re.compile(r"\A\w+ \xe0 \d+(?:[.,]\d+)? ?\u20ac"),
        re.compile(r"\A\w+ (?P<wrong>to)(?= [\d\u20ac\ue000-\uf8ff])"),
        "for",
    ),
    Term("utonomy", _LASTING, re.compile(r"\b[Aa]utonomy\b"), "battery life"),
)
