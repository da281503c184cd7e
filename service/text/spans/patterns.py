"""What must not change in a translation, as regular expressions: addresses, code, emoji, numbers and codes."""

from __future__ import annotations

import re

from model_store.contract.placeholders import CURRENCIES, ENDINGS, TELEPHONE, UNITS

LETTERS = {
    "en": "",
    "fr": "\u00e0\u00e2\u00e6\u00e7\u00e9\u00e8\u00ea\u00eb\u00ee\u00ef\u00f4\u0153\u00f9\u00fb\u00fc\u00ff",
    "de": "\u00e4\u00f6\u00fc\u00df",
}
"""Small letters of each language beside a to z."""
_LETTERS = "".join(letters + letters.upper() for letters in LETTERS.values())
DIGIT = re.compile(r"\d")
SUSPECT = re.compile(
    rf"[\d@`#_\\<{{}}|~^%+]|&\w|[^\x00-\x7f\xa0\xab\xbb{_LETTERS}\u2018\u2019\u201c\u201d\u2026]"
    r"|://|/\w|www\.|\$[A-Za-z$]|\[\^|[a-z][A-Z]|\w\.\w\w|[A-Z][&.][A-Z]|[A-Z]\. [A-Z]\."
    r"|(?:[Ss]ize|[Tt]aille|Gr\u00f6\u00dfe)[ :]+(?:[SML]|X+[SL])\b"
    r"|\([a-dfghivx]{1,4}\)|\*[*a-z]|[:;=][')(DPpOo*|/-]|:[a-z]|(?:\s|\A)[=^xX&]|[\s(\[]--?[A-Za-z]"
)
"""A text without any of these has nothing to protect, unless it has a run that is too long for a word."""
PLAIN = re.compile(r"[A-Z]?[a-z,'?!]*+(?: [A-Z]?[a-z,'?!]*+)*+\.?")
"""Plain English words as a whole text, which have none of these either: a fifth of the time that SUSPECT takes."""
WITHOUT_CAPITALS = re.compile(r"[A-Z]?[a-z']*+(?:[,?!]? (?:[a-z']++|I(?:'[a-z]+)?(?= (?!plc\b)[a-z])))*+[.?!]?")
"""Those of them with no capital but the first letter's and that of the word *I*, where it stands for nothing else."""
_SMALL = f"[a-z'{''.join(LETTERS.values())}]"
_CAPITAL = f"[A-Z{''.join(LETTERS.values()).upper()}]"
PLAIN_SENTENCE = re.compile(
    rf"(?=.{{1,100}}\Z){_CAPITAL}{_SMALL}*+(?:-{_SMALL}++)*+"
    rf"(?:,? (?:{_SMALL}++(?:-{_SMALL}++)*+|I(?:'[a-z]+)?(?= (?!plc\b)[a-z])))*+(?: ?[?!]|\.)"
)
"""One sentence of plain words with its end and no capital but its first, in any of these languages."""
SENTENCE_WITH_CAPITALS = re.compile(
    rf"(?=.{{1,100}}\Z){_CAPITAL}{_SMALL}*+(?:-{_CAPITAL}?{_SMALL}++)*+"
    rf"(?:,? (?:{_CAPITAL}?{_SMALL}++(?:-{_CAPITAL}?{_SMALL}++)*+|I(?:'[a-z]+)?(?= (?!plc\b)[a-z])))*+(?: ?[?!]|\.)"
)
"""The same with capitals of further words: names, German nouns."""
LEAST_LONG = 100
"""In characters; a longer run is no word."""
LONG = rf"(?<![!-~\u00c0-\u024f])[!-~\u00c0-\u024f]{{{LEAST_LONG + 1},}}"
"""A run of Latin letters, digits and marks that is no word: a key, a dump, an address. Translated letter by letter,
5,000 of them took 13 s."""
LONG_RUN = re.compile(LONG)
"""Apart from SUSPECT: in a text that is shorter it costs nothing, as a part of that a third more."""

EMOJI = (
    r"(?:[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3|"
    r"[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff][\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"
    r"(?:\u200d[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]*)*)"
)
"""One emoji. A flag is one, and two of the letters that make it: a repetition must not try both, see EMOJI_RUN."""
CIRCLED = "(?:[\u24b6-\u24e9\U0001f130-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189]\ufe0f?){3,}"
"""A word in circles or squares; fewer such letters are signs of items or a blood group."""
CIRCLED_WORD = re.compile(CIRCLED)
KISSES = r"(?<!\benter )(?<!\btype )(?<!\bvalue )xx+(?=\W*\Z)"
EMOTICON = rf"(?<!\S)(?:[:;=]['\u2019]?-?[)(DPpOo3*|/]+|[xX]D+|{KISSES}|<3+|\^_?\^)(?!\S)"
"""A face, a heart or kisses out of other signs, which stand alone."""
SHORTCODE = r"(?<![\w:]):[a-z][\w+-]*:(?![\w:])"
"""An emoji's name, as chats have it: `:smile:`."""
EMOJI_RUN = re.compile(rf"(?:(?>{EMOJI}|{EMOTICON})\s*+)++")
"""Emoji, emoticons and the white space between and behind them. Nothing is read twice: its time grows with the
length."""

FILES = "pdf|docx?|xlsx?|pptx?|odt|txt|csv|tsv|png|jpe?g|gif|svg|zip|gz|tar|exe|py|js|json|html?|xml|ya?ml|md|mp[34]"
ENDING = rf"(?<![^\s(])\.(?:{FILES}|env|vcf|ics|gitignore|bak|log|ini|cfg|toml|conf)\b(?!\.?\w)"
"""Of names of files, by itself: *.vcf*."""
_NO_OPTION = (
    "and|or|but|at|the|an?|he|she|it|we|they|you|i|if|so|not|no|which|who|et|ou|mais|il|elle|und|oder|aber|er|sie"
)
OPTION = (
    rf"(?<![^\s(\[])(?:--(?!(?i:{_NO_OPTION})\b)[A-Za-z][\w-]*(?:=[^\s,;)\]]*[^\s.,;:!?)\]])?"
    r"|-(?![aAI]\s\w)[A-Za-z](?=[\s,;.)\]]|\Z))"
)
"""Of a command: *--verbose*, *-v*."""
ADDRESS = (
    r"(?:https?|ftp|file)://[^\s<>\"\u00ab\u00bb]+[^\s<>\"\u00ab\u00bb.,;:!?)\]'\u2019]"
    r"|www\.[^\s<>\"]+[^\s<>\".,;:!?)\]'\u2019]"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # e-mail
    rf"|\b[\w-]+(?:\.[\w-]+)*\.(?:{ENDINGS})\b(?:/[^\s<>\",;]*[^\s<>\".,;:!?)])?"
    rf"|\b[\w-]+(?:\.[\w-]+)*\.(?:{FILES})\b"
)
"""Addresses of pages and people, and names of files."""

PROSE = (
    r"(?i:and|or|he|her|hers|him|his|its|she|their|them|they|et|ou|elles?|ils?|la|les?|nes?|sa|unes?"
    r"|und|oder|das|der|die|er|es|ihn|ihre?[mnrs]?|in|innen|nen|sie)"
)
"""What people write behind a slash and a space: *his /her*, *Lehrer (/in)*."""
PATH = (
    r"(?<![\w/%\u2030$\u20ac\u00a3\u00a5)\]])"
    rf"(?!(?:/{PROSE})+(?!\.?[\w/-])|(?<=\w\()/[^\W\d_]+\)|(?<=[\d%\u2030$\u20ac\u00a3\u00a5]\s)/[^\W\d_]+(?!\.?[\w/-]))"
    r"(?:~|\.{1,2})?(?:/[\w.-]+)+(?<=\w)/?|\b[A-Za-z]:\\"
    r"(?:(?:[^\\/:*?\"<>|\s]+|[A-Z0-9][\w.-]*(?: [A-Z0-9(][\w().-]*){1,3})\\)*[^\s\"<>|]+"
)
"""A path of a file; not *20 €/month* nor *Lehrer(/in)*."""
CHAT = r"<(?:[@#!][^\s<>]*|a?:\w+:\d+|t:\d+(?::[A-Za-z])?)>"
"""People, channels, pictures and times as chats write them: `<@U12>`, `<#C9|kitchen>`, `<:cat:12>`, `<t:1718:f>`."""
EXPRESSION = r"\{\{[^{}\n]*\}\}|\{%(?:(?!%\}).)*%\}"
"""A hole or a command of a template, with whatever stands in it: `{{ user.name }}`, `{% if it %}`."""
_NESTED = r"[^{}]*+"
for _ in range(5):
    _NESTED = rf"(?:[^{{}}]|\{{{_NESTED}\}})*+"
"""Text with braces in it that are closed."""
_UNIT_BEHIND = r"(?:\s?(?:ms|px|km|kg|cm|mm|[MG]Hz|fps|%)(?![\w%])|\ss(?=[\s.,;:)]|\Z))?"
HOLE = (
    r"(?:\{\{\{[^{}\n]*\}\}\}|"
    rf"{EXPRESSION}"
    r"|\{\w+,\s?(?:number|date|time|spellout|ordinal|duration)\b[^{}]*\}"
    rf"|\{{\w+,\s?(?:plural|select|selectordinal)\b{_NESTED}\}}"
    r"|\{\s?[$-][\w-]+(?:\.\w+)?\s?\}|\$t\([^()\n]*\)|\$[A-Z][A-Z_]+\b"
    r"|(?<![\d%])(?<!\d\s)%(?:n|L?[1-9]\d?)(?![\w%$])"
    r"|[#@]?\{\{?[\w.]*(?:![rsa])?(?::[^{}\s]*)?\}?\}|\$\{\w+\}|%\(\w+\)[sd]\b|%\{\w+\}"
    r"|(?<!\d)%(?:\d+\$)?[-+0#]*+\d*+(?:\.\d+)?(?:@|(?:l{0,2}[diu]|[sfgexXc])(?!\w)))"
    rf"{_UNIT_BEHIND}"
)
"""A hole of a template or of a format string, with the unit behind it. What follows a number is a percentage.

Also variables of Fluent (`{ $user }`) and of shells (`$HOME`), nested keys of i18next (`$t(key)`), Qt's `%n` and `%1`.
"""

ENTITY = r"&(?:[A-Za-z]{2,8}|#\d{2,6}|#x[0-9A-Fa-f]{2,5});"
"""A character as HTML has it: `&amp;`."""
FORMULA = r"\$\$(?=[^$\s])(?=[^$\n]*[\\^_={<])[^$\n]*[^$\s]\$\$"
LATEX = (
    r"\\(?:(?:eq|page|auto|[cC])?ref|cite\w*|label|url|href|texttt|verb|input|includegraphics|footnote\w*"
    r"|SI(?:range)?|si|num|qty|unit|ang|ce|gls\w{0,9}|\w{1,9}cite\w{0,9})\*?(?:\[[^\]\n]*\])*"
    r"(?:\{[^{}\n]*\})+|\\(?:La)?TeX\b(?:\{\})?|\\l?dots\b|\\\((?:(?!\\\)).)+\\\)|\\[%&#_]"
    r"|\$[A-Za-z]\$(?!\w)|\$(?=[^$\s])(?=[^$\n]*\\)[^$\n]*[^$\s]\$(?!\d)"
    rf"|\$(?=[^$\s])(?=[^$\n]*[\^_={{])[^$\n]*[^$\s]\$(?!\w)|{FORMULA}"
)
"""Commands of LaTeX without text in them, and formulas."""
INLINE_CODE = r"`[^`\n]+`"
COMMENT = r"<!--.*?-->"
DOLLARS = "US|CA|AU|NZ|HK"
MONEY = (
    r"[$\u20ac\u00a3\u00a5]\s?\d+(?:[.,'\u2019\u00a0\u202f ]\d+)*(?:(?:[kKMB]|bn|mn?|tn)\b|(?!\w|[.,]\d))"
    rf"|\b\d+(?:[.,]\d+)*\s?(?:\$(?:{DOLLARS})\b|(?:{DOLLARS})?[\u20ac\u00a3\u00a5$](?!\d))"
)
"""An amount. A sign before a number belongs to that: *in 2023 $5*."""
MONEY_CODE = (
    rf"\b(?!TRY\s\d{{1,2}}\b)(?:{CURRENCIES})\s?\d+(?:[.,'\u2019]\d+)*\b"
    rf"|\b\d+(?:[.,'\u2019\u00a0\u202f]\d+)*\s?(?:{CURRENCIES})\b"
)
"""An amount with the code of its currency: *USD 20*, *20 EUR*."""
NO_CENTS = (
    rf"(?:\b(?:{CURRENCIES}|Fr\.)\s?|[$\u20ac\u00a3]\s?|\b(?=\d))\d{{1,3}}(?:['\u2019.]?\d{{3}})*[.,][-\u2013\u2014]{{1,2}}"
    rf"(?:\s?(?:\u20ac|(?:{CURRENCIES})\b))?(?!\w)"
)
"""An amount with a dash for the cents: *CHF 129.\u2013*, *5,- \u20ac*."""
MINUS = r"(?:(?<![^\s(])[-\u2212](?=[\d$\u20ac\u00a3]))?"
"""A sign that belongs to a number."""
BLANKS = r"(?<!\w)_{2,}(?:\s?[/.-]\s?_{2,})*(?!\w)"
"""To be filled in."""
KEYS = r"\b(?:Ctrl|Strg|Shift|Umschalt|Maj|Alt|AltGr|Cmd|Win|Fn)(?:\s?\+\s?[A-Z0-9]\w*)+"
"""Keys that are pressed together: *Ctrl+Shift+V*."""
SIZE = r"(?:X{0,3}[SML]|X+L)"
SIZES = (
    rf"(?:(?<=\b[Ss]ize )|(?<=\b[Ss]ize: )|(?<=\b[Tt]aille )|(?<=\b[Tt]aille : )|(?<=\bGr\u00f6\u00dfe )"
    rf"|(?<=\bGr\u00f6\u00dfe: )){SIZE}\b|\b(?:{SIZE}(?:, ?| ?/ ?))+{SIZE}\b"
)
"""Sizes of clothes: behind their name, or several."""
NO_CODE = r"\d+(?:ST|ND|RD|TH|AM|PM|ER|UHR)\b|\d*0S\b|\d+(?:[.,]\d+)*Uhr\b"
"""What looks like a code in text in capitals and is read there: ordinals, times of day and decades."""
CODE = (
    rf"\bv\d+(?:\.\d+)*\b|\b(?!{NO_CODE})(?:[A-Z]+-?\d|(?<!\d[.,:])\d+(?:[.,]\d+)*[A-Z])\w*"
    r"(?:-(?>(?=[A-Z0-9]+\b|\w*\d)\w+|[a-z]{1,3}(?=-\w*\d)))*+"
)
"""A version, or a code such as B12 and AF-1234; of a compound only that, not the words: CO2 of *CO2-Emissionen*."""
SLUG = r"\b[A-Za-z][a-z]+(?:-(?!(?:by|in|on|to)-)[A-Za-z][a-z]+)+-\d+\b(?![-\u2019'](?=\w))"
"""Words and a number, all joined by hyphens, as in passwords: *Sunny-Day-42*; not *two-to-1*."""
_TERM = r"(?:\d{1,6}(?:[.,]\d+)?[a-zA-Z]?|[a-zA-Z])[\d\xb2\xb3\xb9\u2070-\u209c]?"
EQUATION = (
    rf"(?<![\w.,'\u2019-])(?=[^=\n]{{1,60}}[=\u2248\u2264\u2265])[\u221a\xb1-]?{_TERM}"
    rf"(?:\s(?:[=!<>]=|[+*/=<>\xb7\xd7\u2212\u2248\u2264\u2265-])\s[\u221a\xb1-]?{_TERM})+(?![\w'\u2019-])"
)
"""Numbers and variables of a letter with signs between, one of them an equals sign: *x\u00b2 + y\u00b2 = 1*."""
_MEMBER = r"\((?:\d{1,3}[a-z]?|[a-z]|[ivx]{1,4})\)"
LAW = (
    r"\xa7{1,2}\s?\d+[a-z]?(?:\s(?:ff?\.|(?:Abs|Nr|S|Alt|Ziff)\.\s?\d+|(?:Absatz|Nummer|Satz)\s\d+|lit\.\s?[a-z]\b))*"
    r"(?:\s[A-Z][A-Za-z]{0,5}[A-Z]\b)?"
    rf"|\b[Aa]rt\.\s?(?:[LRD]\.?\s?)?\d+(?:-\d+)*[a-z]?(?:{_MEMBER})*(?:,?\s(?:(?:al|Abs|par|para|Nr)\.\s?|Absatz\s|Nummer\s)\d+)*"
    rf"|(?<![\w.])\d+[a-z]?(?:{_MEMBER})+(?![\w(])|\((?<!\S\()(?:[a-dfgh]|[ivx]{{1,4}})\)(?!\S)"
)
"""A place in a law: *\u00a7 12 Abs. 3 BGB*, *Art. 5(2)(a)*, *art. L. 121-3, al. 2*; the sign of an item: *(iv)*."""
CITED = r"\b[A-Z][\w'\u2019-]+ et al\.(?:,? (?:\d{4}[a-z]?\b|\(\d{4}[a-z]?\)))?"
"""Authors of a paper: *Smith et al., 2019*."""
REGISTERED = (
    r"\b(?:IBAN\s)?[A-Z]{2}\d{2}(?=(?:[A-Z ]*\d){8})(?:\s[A-Z0-9]{4}){3,7}(?:\s[A-Z0-9]{1,3})?\b"
    r"|\b[A-Z\xc4\xd6\xdc]{1,3}-[A-Z]{1,2}\s\d{1,4}[EH]?\b|\b(?:ICE|IC|EC|TGV|TER|RER|RE|RB|IR|RJ)\s\d{1,5}\b"
)
"""An account (IBAN), a German licence plate, a train."""
_SIXTIETHS = r"\s?\d{1,2}(?:[.,]\d+)?"
DEGREES = rf"\d{{1,3}}(?:[.,]\d+)?\xb0(?:{_SIXTIETHS}['\u2019\u2032](?:{_SIXTIETHS}[\"\u201d\u2033])?)?\s?[NSEWO]\b"
"""A latitude or a longitude."""
RELEASE = r"\bv?\d+(?:\.\d+)+-?(?:alpha|beta|rc|pre|dev|snapshot)(?:[.-]?\d+)*\b"
"""A version before its release: *v2.0.1-beta*."""
NUMBERS = (
    r"\b\d{1,2}['\u2019\u2032]\s?\d{1,2}(?:[\"\u201d\u2033]|'')"  # feet and inches
    r"|\b\d+(?:[.,]\d+)?\s?[\u2032\u2033](?!\w)"
    rf"|{TELEPHONE}|\b0\d{{2,4}}(?:[ .-]\d{{3,6}}){{1,2}}\b(?![.,]?\d)"
    r"|\b\d{1,3}(?:[ \u00a0\u202f]\d{3})+\b"
    r"|\b\d+(?:[.,]\d+)*\s?%\s?[-\u2013]\s?\d+(?:[.,]\d+)*\s?%(?!\w)"
    r"|\b\d+(?:[.,]\d+)?\s?(?:[mck]?m|ft)(?:\s?[x\u00d7]\s?\d+(?:[.,]\d+)?\s?(?:[mck]?m|ft))+\b"
    r"|\b\d+\+(?!\w)"
    rf"|\b\d+(?:[.,/]\d+)*(?:\s?[-\u2013]\s?\d+(?:[.,]\d+)*)?\s?(?:{UNITS})(?![\w'\u2019-])"
    r"|\b\d+(?:[.,:/'\u2019\u2013-]\d+)+\b(?![-\u2019'](?=\w)|[.,:/]\d)"
    r"|\b\d+(?:[.,:-]\d+)+(?=(?:Uhr|UHR|[AaPp][Mm])\b)"
    r"|\b\d{5,}\b|\b\d+(?:[.,]\d+)?\s?[x\u00d7](?:\s?\d+(?:[.,]\d+)?(?:\s?[x\u00d7]\s?\d+(?:[.,]\d+)?)*(?:\s?(?:[mck]?m|px|ft|[mk]?g|[mc]?l)\b)?)?(?!\w)"
)
_MORE_UNITS = (
    r"[kmM]?V|[kMG]?Wh?|[kM]?VA|m?Ah|mA|\u03a9|dB|Hz|ms|s|bar|Nm|lm|[hkM]?Pa|psi|rpm|kcal|kJ"
    r"|[KMG]bit/s|[KMG]bps|fps|dpi"
)
"""Units that models take for words."""
MEASURED = (
    rf"\b(?:\d{{1,3}}(?:[ \u00a0\u202f]\d{{3}})+|\d+)(?:[.,]\d+)*\s(?:{_MORE_UNITS})(?![\w'\u2019-])"
    r"|\b\d+(?:[.,]\d+)?\sA(?=\s*(?:[.,;:/)!?]|\Z))"
    r"|\b\d+[.,]\d+\sA(?=\s(?:and|at|bei|charg\w+|current|de|et|fuse|m[ai]n|max|oder|of|or|ou|output|per|pour|und)\b)"
    r"|(?<=[GMT][Bo]\s)(?:SSD|HDD|NVMe)\b"
    r"|\b\d+(?:[.,]\d+)?\s?['\u2019\u2032\"\u201d\u2033](?:\s?[x\u00d7]\s?\d+(?:[.,]\d+)?\s?['\u2019\u2032\"\u201d\u2033])+"
)
"""Numbers with such a unit, but for *A* that may be an article; feet and inches."""
MARKS = r"[\u2012-\u2015\u2020-\u2022\u2030\u201a\u2039\u203a\xa1\xa7\xb1\xb7\xbf\xd7]"
"""Rare marks."""
FORUM = (
    r"(?i:\[(?P<forum>code|pre|noparse|img|youtube|video|media|attach|gallery)\b[^\[\]\n]*\]"
    r"(?:(?!\[(?P=forum)\b).)*?\[/(?P=forum)\])"
)
"""Code and pictures as forums have them: `[img]https://a.org/a.png[/img]`."""
CENSORED = re.compile(
    r"(?<![\w*@./-])(?:[A-Za-z]{1,3}\*{2,}[A-Za-z\xdf]{1,6}|[A-Za-z]{1,3}\*{3,}(?![*\w])|[A-Za-z]\*\*(?=\W*(?:\s|\Z))"
    r"|(?i:sh\*t\w*|f\*ck\w*|h\*ll|d\*mn\w*|b\*tch\w*|c\*nt\w*|d\*ck\w*|p\*ss\w*|cr\*p\w*|m\*rde\w*|p\*tain\w*"
    r"|sch\*i\xdf\w*|sch\*iss\w*|a\*sch\w*|f\*tze\w*))(?![*\w])"
)
"""A word that is not written out: `f***`, `sh*t`. Apart from PATTERN: nearly all texts have no star."""
RARE = r"[{}|^]+|(?<!\S)[~\\<>]+(?!\S)|={2,}|``+"
"""Signs that stand in no sentence, and which models therefore take for anything."""
OPERATOR = r"(?<=\s)(?:[=+&<>]|[=-]>|<[=-]|[=!<>]=)(?=\s)"
"""Between things, not words of a sentence."""

PATTERN = re.compile(
    rf"{LONG}|{FORUM}"
    rf"|{INLINE_CODE}"
    rf"|{ADDRESS}"
    rf"|{PATH}"
    rf"|<(?P<tag>code|kbd|samp|var|tt|script|style)\b[^<>]*>[^<>]*</(?P=tag)>"
    r"|</?(?:[A-Za-z][^<>\n]*|\d{1,2}/?)>|<[%?].*?[%?]>"
    r"|\[!\[[^\]\n]*\]\([^()\s]*\)\]\([^()\s]*\)"  # a badge
    rf"|{COMMENT}|{HOLE}|{ENTITY}|{LATEX}|{BLANKS}"
    r"|\[\^[\w-]+\]"  # a footnote
    r"|\bApt\.? ?#?\d+(?:[A-Z]|\s[A-HJ-Z](?=[,.;]|\s*\Z))?\b"
    r"|\b[A-Z](?:(?:/|\s?&\s?)[A-Z])+\b|\b[A-Z]{2,3}&[A-Z]{1,3}\b"  # Q&A, AT&T
    r"|\b[A-Z]\.(?: [A-Z]\.)+(?= [A-Z][a-z])"  # J. R. R. Tolkien
    r"|\b[A-Za-z]\+\+(?!\w)|\bC#(?!\w)"
    rf"|{CHAT}|{KEYS}|{OPTION}|{ENDING}"
    rf"|{RELEASE}|{CITED}|{REGISTERED}|{LAW}|{DEGREES}|{EQUATION}|~\s?\d+(?:[.,]\d+)*(?:\s?(?:{UNITS})(?![\w'\u2019-]))?"
    r"|\b(?!(?:[EU]\.U|U\.[KNS]|U\.S\.A|D\.C|S\.V\.P|R\.S\.V\.P)\.)(?:[A-Z]\.){2,}"  # N.Y.
    rf"|(?<!\w)[@#]\w+(?:[.-]\w+)*|{SIZES}"
    r"|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b"  # names of programs
    rf"|{EMOJI}|{EMOTICON}|{SHORTCODE}|{OPERATOR}"
    rf"|{MARKS}"
    rf"|{NO_CENTS}|{MINUS}(?:{MONEY}|{MONEY_CODE}|{MEASURED}|{NUMBERS})"
    rf"|{CODE}"
    rf"|{SLUG}"
    r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4,12})+\b"
    rf"|{RARE}"
)
"""Whatever must not change."""
