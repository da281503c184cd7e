"""What is protected becomes a placeholder and comes back as it was."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from model_store.contract.placeholders import ADDRESS, NUMBER, PLACEHOLDERS, THING, TIME
from service.text.formats.surroundings import cells, inner_stretch
from service.text.mending.numbers import lost_numbers
from service.text.names.literal import letters
from service.text.names.proper import proper_stretches
from service.text.protection import (
    Finder,
    Protector,
    may_be_protected,
    number_stretches,
    translatable,
)
from service.text.restoring import put_back, restore
from service.text.spans.normalise import normalise
from service.text.spans.patterns import LONG_RUN, SUSPECT, WITHOUT_CAPITALS

KNOWN = set("éèàçôûïœßüöä«»“”’–—…€")
PROTECTOR = Protector(PLACEHOLDERS, KNOWN.__contains__)


def copies(text: str, further: Finder | None = None) -> list[str]:
    return [copy for _, copy in PROTECTOR.protect(normalise(text), text, further).copies]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Write to jo.doe+x@mail.example.org, please.", ["jo.doe+x@mail.example.org"]),
        ("See https://example.com/a?b=c&d=%20#e.", ["https://example.com/a?b=c&d=%20#e"]),
        ("(see www.example.fr/x)", ["www.example.fr/x"]),
        ("Run it with --fix, -v or --out=a.txt (see --help).", ["--fix, -v", "--out=a.txt", "--help"]),
        ("She left --and came -I think- back, ls -a", ["-a"]),
        ("It is well-known - or so -- and pre-war, -er is an ending.", []),
        ("A vCard (.vcf) file, the .env file, done .then go", ["vCard", ".vcf", ".env"]),
        ("Build #{number} by @{user} failed", ["#{number}", "@{user}"]),
        (
            "Wait {seconds} s or {size} MB at {total}% in {ms} ms; {name} says",
            ["{seconds} s", "{size}", "{total}%", "{ms} ms; {name}"],
        ),
        ("She is 5'7\" tall, not 6 '2.", ["5'7\""]),
        ("It costs $1,249.99 or 30 €.", ["$1,249.99", "30 €"]),
        ("Run `rm -rf /` now", ["`rm -rf /`"]),
        ("On 22/11/2026 at 14:05.", ["22/11/2026", "14:05"]),
        ("Flight AF-1234, gate B12.", ["AF-1234", "B12"]),
        ("Order #A-1042 for @anna, see #42.", ["#A-1042", "@anna", "#42"]),
        ("Call +33 6 12 34 56 78.", ["+33 6 12 34 56 78"]),
        ("I \u2764\ufe0f you \U0001f469\u200d\U0001f4bb!", ["\u2764\ufe0f", "\U0001f469\u200d\U0001f4bb"]),
        ("Привет means hello.", ["Привет"]),
        ("Open /usr/local/bin. Then stop.", ["/usr/local/bin"]),
        ("Hello {name}, <b>welcome</b>", ["{name}, <b>", "</b>"]),
        ("my_variable is 1234567", ["my_variable", "1234567"]),
        (f"The key {'Ab' * 60} is new.", ["Ab" * 60]),
        ("A \ue003 sign", ["\ue003"]),
        ("He said \u2014 no.", ["\u2014"]),
        ("\u00bfQu\u00e9?", ["\u00bf"]),
        ("10 \u00b1 2", ["\u00b1"]),
        ("Q&A with the R&D team about A/B tests", ["Q&A", "R&D", "A/B"]),
        ("They met in N.Y. yesterday.", ["N.Y."]),
        ("It cost $2.5bn.", ["$2.5bn"]),
        ("It cost \u00a31.2m or $5k.", ["\u00a31.2m", "$5k"]),
        ("The 3.5GB are full", ["3.5GB"]),
        ("500 g of flour, 5km away, -5 °C and 2 l", ["500 g", "5km", "-5 °C", "2 l"]),
        ("80 km/h or 3\u20135 kg or 20 m\u00b2, 10 mg/ml", ["80 km/h", "3\u20135 kg", "20 m\u00b2, 10 mg/ml"]),
        ("Prices rose by 3.5% in 2023, up from 2%.", ["3.5"]),
        (
            "Pages 10\u201312, 2010\u20132020 and 15%\u201325% or 2% - 3%",
            ["10\u201312, 2010\u20132020", "15%\u201325%", "2% - 3%"],
        ),
        ("AT&T and H&M use C++ and C#.", ["AT&T", "H&M", "C++", "C#"]),
        ("Press Ctrl+V or Shift + Enter, 50+ times", ["Ctrl+V", "Shift + Enter, 50+"]),
        ("It costs USD 20, 40 GBP or EUR 1,500.00 a year", ["USD 20, 40 GBP", "EUR 1,500.00"]),
        ("Size: M, or S, M, XL; size L, not I, M or He", ["M", "S, M, XL", "L"]),
        ("A room of 5 m x 4 m, 2.5 m x 3 m x 2 m", ["5 m x 4 m, 2.5 m x 3 m x 2 m"]),
        ("@my.shop_uk and @john.doe. Then", ["@my.shop_uk", "@john.doe"]),
        ("J. R. R. Tolkien and J. P. Morgan. A. B. said", ["J. R. R.", "J. P."]),
        ('A 27" monitor, 24" TV in "Room 15" and 13.3"', ['27"', '24"', '13.3"']),
        ("Plan A, vitamins B and D, Option C or D?, groupe A, Gruppe A", ["A", "B", "D", "C", "D", "A", "A"]),
        ("The team I like, a step up", []),
        ("Take exit C and I wait; group B and I am here", ["C", "B"]),
        ("Please send ALL of it, reply TODAY, send NO money, reply NO.", ["NO"]),
        ("TRY 7 DAYS FREE or TRY 250.50", ["TRY 250.50"]),
        ("Reply STOP or text YES; REPLY TO ALL NOW", ["STOP", "YES"]),
        ("Word document", ["Word"]),
        ("Export the Excel files to Outlook, un fichier Word", ["Excel", "Word"]),
        ("Open it in Word or join the Teams call", ["Word", "Teams"]),
        ("Wir treffen uns per Teams.", ["Teams"]),
        ("Teams meet in Teams of five, Excel at it, Word of mouth", []),
        ("Teams file their entries. Our Teams file reports. Wir arbeiten in Teams.", []),
        ("We bought it from Doe & Co. Ltd.", ["Doe & Co. Ltd"]),
        ("It opens at 9:00AM.", ["9:00"]),
        ("Es beginnt um 10.30Uhr.", ["10.30"]),
        ("Von 9:00-17:00Uhr offen", ["9:00-17:00"]),
        ("Die COVID-19-Pandemie", ["COVID-19"]),
        ("Die CO2-Emissionen, der G20-Gipfel", ["CO2", "G20"]),
        ("Ein 3D-Drucker im 5G-Netz", ["3D", "5G"]),
        ("COVID-19-related deaths", ["COVID-19"]),
        ("Order SKU-12-ab-34 of X1-B-2c", ["SKU-12-ab-34", "X1-B-2c"]),
        ("Wi-Fi password: sunny-day-42", ["sunny-day-42"]),
        ("It is Sunny-Day-42", ["Sunny-Day-42"]),
        ("Pay to IBAN DE89 3704 0044 0532 0130 00 today", ["IBAN DE89 3704 0044 0532 0130 00"]),
        ("In 2023 $5 was a lot", ["$5"]),
        ("It was 100 $US or 5 US$ then", ["100 $US", "5 US$"]),
        ("Hello %1$s, it is %.2f of %d or %(name)s", ["%1$s", "%.2f", "%d", "%(name)s"]),
        ("You have %{count} messages, 5%", ["%{count}"]),
        (
            "See Figure~\\ref{fig:a} of \\cite[p.~3]{b} where $x^2 + y_1$ is in \\LaTeX{}",
            ["\\ref{fig:a}", "\\cite[p.~3]{b}", "$x^2 + y_1$", "\\LaTeX{}"],
        ),
        ("It costs $5 or $6 and a_b", ["$5", "$6", "a_b"]),
        (
            "Hi {{ user.name }} or {% if x %}it{% endif %} on {day, date, long}",
            [
                "{{ user.name }}",
                "{% if x %}",
                "{% endif %}",
                "{day, date, long}",
            ],
        ),
        (
            "In C:\\Program Files\\My App\\a.ini or C:\\b and D:\\c",
            ["C:\\Program Files\\My App\\a.ini", "C:\\b", "D:\\c"],
        ),
        (
            "At $0\\,^{\\circ}$C and \\SI{80}{\\celsius} is $T$ or $$a < b$$ now",
            [
                "$0\\,^{\\circ}$",
                "\\SI{80}{\\celsius}",
                "$T$",
                "$$a < b$$",
            ],
        ),
        ("A note[^1] of Apt 12B, on __/__/____", ["[^1]", "Apt 12B", "__/__/____"]),
        ("We rent Apt 12 I think, the place is $$ and the bar is $$$", ["Apt 12"]),
        ("Save it in C:\\Temp and the rest in Documents\\Photos", ["C:\\Temp"]),
        ("Copy <source> to {{{raw}}} with {% a '{x}' %}", ["<source>", "{{{raw}}}", "{% a '{x}' %}"]),
        ("Hello %@ with {1:d} and {name!r:>8}", ["%@", "{1:d}", "{name!r:>8}"]),
        ("See /home/x (/home/x) and /usr/bin/python3.", ["/home/x", "/home/x", "/usr/bin/python3"]),
        ("Type /help or look into ~/x, ./run.sh and /etc", ["/help", "~/x, ./run.sh", "/etc"]),
        ("Das kostet 20 \u20ac/Monat", ["20 \u20ac"]),
        ("Cela co\u00fbte 10 \u20ac/mois", ["10 \u20ac"]),
        ("It costs \u20ac5 /month", ["\u20ac5"]),
        (
            '<b translate="no">Big Sale</b> or <i class="x notranslate">Old <i>Red</i> Mill</i>, but <b>not</b> there',
            ['<b translate="no">Big Sale</b>', '<i class="x notranslate">Old <i>Red</i> Mill</i>', "<b>", "</b>"],
        ),
    ],
)
def test_what_must_not_change_is_found(text: str, kept: list[str]) -> None:
    assert copies(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "I was born in 1990.",
        "The 2nd door, 5 people away, at 7pm",
        "café, naïve, 20 men",
        "Yes/no and so on...",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft!",
        "It's 25% off",
        "The U.S. and the U.K. met, I know",
        "\u00abOui\u00bb, he \u201csaid\u201d\u2026",
        "THE 20TH CENTURY, THE 1990S, THE 1ST",
        "OPEN FROM 9AM TO 5PM",
        "DIE 90ER JAHRE",
        "I am 100% sure, 100%",
        "It grows 50 %/year",
        "The top-10 list, under-21-year-olds, a state-of-the-art-3-in-1 tool, two-to-1",
        "The teacher(/in) took his /her coat and /or bag.",
        "Der Lehrer (/in) sagt es",
    ],
)
def test_what_a_model_can_translate_is_left_to_it(text: str) -> None:
    assert copies(text) == []


@pytest.mark.parametrize(("known", "kept"), [("\u201e", []), ("", ["\u201e"])])
def test_the_german_quote_is_left_to_a_vocabulary_that_has_it(known: str, kept: list[str]) -> None:
    text = "Er sagte: \u201eIch komme.\u201c"
    protector = Protector(PLACEHOLDERS, (KNOWN | set(known)).__contains__)
    assert [copy for _, copy in protector.protect(normalise(text), text).copies] == kept


AMOUNT = st.from_regex(
    r"[$\u20ac\u00a3][1-9]{1,3}([.,][1-9]{1,2})?(bn|m|k|M|B)?",
    fullmatch=True,
    alphabet="$\u20ac\u00a3123456789.,bnmkMB",
)
SIZE = st.from_regex(r"[1-9]{1,3}([.,][1-9]{1,2})?(GB|MB|GHz|TB|V|W)", fullmatch=True, alphabet="123456789.,GBMHzTVW")
SIGN = THING[0]
A_CODE = st.from_regex(r"[A-Z]{1,3}-?[1-9]{1,3}(-[A-Z1-9]{1,3})?", fullmatch=True)


@given(st.one_of(AMOUNT, SIZE), st.sampled_from(["", ".", "!", ","]))
def test_an_amount_is_protected_as_a_whole(amount: str, mark: str) -> None:
    assert copies(f"It has {amount}{mark}") == [amount]


@given(A_CODE, st.from_regex(r"[A-Z]?[a-z]{4,9}", fullmatch=True))
def test_a_compound_is_read_as_its_code_and_a_word(code: str, word: str) -> None:
    text = f"die {code}-{word}"
    read = PROTECTOR.protect(normalise(text), text)
    assert read.copies == ((SIGN, code),)
    assert read.normalised.text == f"die {SIGN} {word}"
    assert read.normalised.original_span(4, 5) == (4, 4 + len(code))
    assert read.normalised.original_span(5, 6) == (4 + len(code), 5 + len(code))


@given(st.text(st.sampled_from("abAB ,'?!.:/@0-\u00e9"), max_size=130))
def test_a_text_that_looks_plain_has_nothing_to_protect(text: str) -> None:
    assert may_be_protected(text) == bool(SUSPECT.search(text) or LONG_RUN.search(text))


def test_each_stretch_has_a_placeholder_of_its_kind() -> None:
    text = "Call +49 30 1234567 or write to a@b.org by 14:30: it costs $30, ask \u2764 or see B12."
    signs = [sign for sign, _ in PROTECTOR.protect(normalise(text), text).copies]
    assert signs == [*ADDRESS, TIME[0], NUMBER[0], *THING]


def test_every_number_is_protected_when_that_is_asked_for() -> None:
    assert copies("In 1990 he had 3 cats.", number_stretches) == ["1990", "3"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Unscrew the screws (A) on the back.", ["A"]),
        ("Screw B, vegan (VG), gluten-free (GF)", ["B", "VG", "GF"]),
        ("The child(S) and the man (I) saw (US) it.", []),
    ],
)
def test_letters_that_are_names_are_found(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in letters(text)] == expected


PLAIN_WORDS = ["Plan", "plan", "Tom", "and", "I", "I'm", "xD", "rue", "bis", "plc", "no", "Sarah", "text", "OK"]
BETWEEN = st.sampled_from([" ", ", ", "! ", "'", "."])


@given(st.lists(st.sampled_from(PLAIN_WORDS), max_size=6), BETWEEN, st.text("?.!D", max_size=3))
@example(["Plan", "I", "plc"], " ", "")
def test_words_without_capitals_have_nothing_to_protect(words: list[str], between: str, end: str) -> None:
    text = between.join(words) + end
    if WITHOUT_CAPITALS.fullmatch(text):
        assert letters(text) == []
        assert proper_stretches(text, "en", "fr", {"it"}) == []
        assert not may_be_protected(text)


@given(st.text(st.sampled_from("ab .,@/:0123456789-_é\u2764\ufe0fП\ue000\u2019\t"), max_size=60))
def test_what_was_protected_comes_back_as_it_was(text: str) -> None:
    normalised = normalise(text)
    read = PROTECTOR.protect(normalised, text)
    assert len(read.normalised.text) == len(read.normalised.starts) == len(read.normalised.ends)
    spans = [(i, i + 1) for i in range(len(read.normalised.text))]
    restored = restore(read.normalised.text, spans, read.copies, PLACEHOLDERS)
    assert not restored.lost
    pieces = [text[a:b] for a, b in zip(read.normalised.starts, read.normalised.ends, strict=True)]
    expected = [piece if c in PLACEHOLDERS else c for c, piece in zip(read.normalised.text, pieces, strict=True)]
    assert restored.text == "".join(expected)
    assert [restored.text[a:b] for a, b in restored.spans] == expected


def test_more_stretches_than_placeholders_come_back_in_order() -> None:
    text = " then ".join(f"a{i}@b.org" for i in range(11))
    read = PROTECTOR.protect(normalise(text), text)
    assert len(read.copies) == 11
    assert restore(read.normalised.text, [], read.copies, PLACEHOLDERS).text == text


def test_strays_go_and_lost_copies_are_put_where_they_are_wanted() -> None:
    one, two = PLACEHOLDERS[:2]
    restored = restore(f"Le {one} et {one}.", [(0, 2), (3, 4), (8, 9)], [(one, "x@y.org"), (two, "B12")], PLACEHOLDERS)
    assert restored.text == "Le x@y.org et."
    assert restored.lost == (1,)
    text, spans = put_back(restored, [(one, "x@y.org"), (two, "B12")], lambda number, found: len(found.text) - 1)
    assert text == "Le x@y.org et B12."
    assert [text[a:b] for a, b in spans] == ["Le", "x@y.org", ""]


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("- buy milk", "buy milk"),
        ("3. Open the door", "Open the door"),
        ("\U0001f600 Thank you! \U0001f389\U0001f389", "Thank you!"),
        ("Thank you - good night", "Thank you - good night"),
        ("\u2764\ufe0f", ""),
        ("-5 degrees", "-5 degrees"),
        ("## Opening hours", "Opening hours"),
        ("**Note**", "Note"),
        ("- __Never again!__ \U0001f389", "Never again!"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("**One** and **two**", "**One** and **two**"),
        ("3. Oktober ist Feiertag.", "3. Oktober ist Feiertag."),
        ("- 1. Mai", "1. Mai"),
        ("24. Dez. 2023", "24. Dez. 2023"),
        ("3. May I come in?", "May I come in?"),
        ("3) Oktober", "Oktober"),
        ("Ships to \U0001f1e9\U0001f1ea \U0001f1eb\U0001f1f7", "Ships to"),
        ("- [ ] Buy milk", "Buy milk"),
        ("<v Roger>We could go.", "We could go."),
        ('<img src="a.png"> <a href="x">The house</a>', '<a href="x">The house</a>'),
        ("<i>The door</i>", "<i>The door</i>"),
        ("<br/>- Buy milk", "Buy milk"),
        ("<1>you", "<1>you"),
        ("<username> has joined", "<username> has joined"),
        ('<x id="1"/> of ten', '<x id="1"/> of ten'),
        ("<v.loud Tom>Go", "Go"),
        ("a) Buy milk :)", "Buy milk"),
        ("Have a great day xx", "Have a great day"),
        ("Love you xxx \U0001f618", "Love you"),
        ("Page xx of xxi", "Page xx of xxi"),
        ("Read more >>", "Read more"),
        ("Read more \u00bb", "Read more"),
        ("\u00ab Previous", "Previous"),
        ("<< Back", "Back"),
        ("\u00ab Yes \u00bb", "\u00ab Yes \u00bb"),
        ("if a < b >", "if a < b >"),
        ("a <b>", "a <b>"),
        ("Buy \U0001f95b and \U0001f35e now", "Buy \U0001f95b and \U0001f35e now"),
        ("Buy \U0001f95b and bread \U0001f35e\U0001f44d", "Buy \U0001f95b and bread"),
    ],
)
def test_emoji_and_signs_of_lists_around_a_sentence_stay_outside(text: str, inner: str) -> None:
    start, end = inner_stretch(text)
    assert text[start:end] == inner


EMOJI = [
    "\U0001f1e9\U0001f1ea",
    "\U0001f1e9",
    "\U0001f44d\U0001f3fb\U0001f3ff",
    "\U0001f3fb",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    "1\ufe0f\u20e3",
    "\u2764\ufe0f ",
]


@pytest.mark.parametrize("emoji", EMOJI)
@pytest.mark.parametrize("behind", ["", " today.", "! Go", " 1"])
def test_thousands_of_emoji_are_read_once(emoji: str, behind: str) -> None:
    """With a repetition that reads a flag as one emoji and as two, twenty of them took minutes."""
    text = f"Ships to {emoji * 2000}{behind}"
    start, end = inner_stretch(text)
    assert text[start:end] == (text if behind else "Ships to")
    assert copies(text) == [(emoji * 2000).strip()]


@pytest.mark.parametrize("unit", ["-11", "-a1", "-A1", "-a-1", "/a.", "%1$", "{:", "$2.5", "2.5", "\xb7e"])
@pytest.mark.parametrize("count", [30, 1500])
def test_codes_and_numbers_of_many_parts_are_read_once(unit: str, count: int) -> None:
    text = f"A11{unit * count}, B2-Haus. A11{unit * count}-x"
    assert translatable(PROTECTOR.protect(normalise(text), text).normalised.text, PLACEHOLDERS)


@given(st.lists(st.sampled_from([*EMOJI, " ", "\n"]), max_size=30), st.sampled_from(["", "a", "Ships to"]))
def test_emoji_behind_a_sentence_stay_outside_whatever_they_are(emoji: list[str], words: str) -> None:
    text = words + "".join(emoji)
    start, end = inner_stretch(text)
    assert text[start:end].strip() == words


@pytest.mark.parametrize("text", ["\u24bd\u24d4\u24db\u24db\u24de", "Say \U0001f157\U0001f154\U0001f15b"])
def test_words_in_circles_are_no_emoji(text: str) -> None:
    assert inner_stretch(text) == (0, len(text))
    assert inner_stretch(f"\U0001f600 {text}") == (2, 2 + len(text))
    assert inner_stretch("Yes \u24d0\u24d1") == (0, 3)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("| Name | Age |", ["Name", "Age"]),
        ("Name\tAge\t\tCity", ["Name", "Age", "City"]),
        ("a || b", ["a", "b"]),
        ("a|b", ["a|b"]),
        ("no table", ["no table"]),
        (" | ", []),
        ("Save all\\tCtrl+S", ["Save all", "Ctrl+S"]),
        ("C:\\temp and a\\tb", ["C:\\temp and a\\tb"]),
    ],
)
def test_tabs_and_bars_separate_cells(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in cells(text, 0, len(text))] == found


def test_text_without_letters_has_nothing_to_translate() -> None:
    assert not translatable(f"12:30 {PLACEHOLDERS[0]} !", PLACEHOLDERS)
    assert translatable("a", PLACEHOLDERS)


def test_numbers_are_compared_whatever_their_order() -> None:
    assert not lost_numbers("3 of 12", "12 dont 3")
    assert lost_numbers("3 of 12", "12")
    assert lost_numbers("none", "1")


@pytest.mark.parametrize(
    ("languages", "expected"),
    [(("de", "en"), ["Tom", "Maria", "Ada Lovelace"]), (("en", "de"), ["Tom Maria", "Ada Lovelace"])],
)
def test_german_subject_and_object_are_two(languages: tuple[str, str], expected: list[str]) -> None:
    text = "mag Tom Maria oder Ada Lovelace?"
    protector = Protector(PLACEHOLDERS, KNOWN.__contains__, languages)
    found = protector.protect(normalise(text), text, lambda text: [(4, 7), (8, 13), (19, 22), (23, 31)])
    assert [copy for _, copy in found.copies] == expected
