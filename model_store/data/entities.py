"""Things that are the same in every language, drawn by chance: a model that sees enough of them learns to copy."""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random

Kind = Callable[[Random], str]
"""Makes up a thing of one kind."""

FIRST_NAMES = [
    "Aaliyah", "Adam", "Agnes", "Ahmed", "Aiko", "Alejandro", "Alice", "Amara", "Amélie", "Ana", "Anders", "Andrea",
    "Anita", "Antoine", "Arjun", "Astrid", "Ayşe", "Beatriz", "Ben", "Bianca", "Björn", "Camille", "Carlos", "Chiara",
    "Chloé", "Christopher", "Claire", "Dagmar", "Daniel", "Darya", "Deepak", "Diego", "Dmitri", "Elena", "Eliza",
    "Emeka", "Emma", "Enrique", "Erik", "Esra", "Fatima", "Felix", "Fiona", "Florence", "François", "Freya",
    "Gabriel", "George", "Gita", "Giulia", "Grace", "Hannah", "Hans", "Hector", "Helga", "Hiroshi", "Ibrahim", "Ines",
    "Ingrid", "Isabel", "Ivan", "Jack", "Jamal", "Jan", "Jana", "Javier", "Jean-Luc", "Jens", "Joana", "Johanna",
    "José", "Julia", "Kai", "Karim", "Katarzyna", "Kenji", "Kofi", "Lara", "Lars", "Laura", "Leila", "Li", "Liam",
    "Linh", "Luca", "Lucía", "Magnus", "Malik", "Marco", "Maria", "Mateo", "Mei", "Mehmet", "Mia", "Miguel",
    "Mohamed", "Monika", "Nadia", "Naomi", "Nikolai", "Nina", "Noah", "Nora", "Olga", "Oliver", "Omar", "Oskar",
    "Otto", "Paola", "Pavel", "Pedro", "Petra", "Pierre", "Priya", "Quentin", "Rafael", "Rahul", "Renate", "Ricardo",
    "Rosa", "Ruth", "Samir", "Sana", "Sara", "Sebastián", "Sergei", "Sophie", "Stefan", "Sven", "Tanja", "Tariq",
    "Thomas", "Uta", "Valentina", "Vera", "Victor", "Wei", "Werner", "Xavier", "Yara", "Yuki", "Yusuf", "Zainab",
    "Zoë",
]  # fmt: skip
LAST_NAMES = [
    "Abe", "Adeyemi", "Aguilar", "Ahmadi", "Almeida", "Andersson", "Bach", "Baker", "Banerjee", "Becker", "Bernard",
    "Bianchi", "Björk", "Boateng", "Braun", "Brown", "Castro", "Chen", "Cohen", "Conti", "Cruz", "Dahl", "Delgado",
    "Demir", "Diaz", "Dubois", "Duran", "Eriksen", "Evans", "Fernández", "Ferrari", "Fischer", "Fontaine", "Fournier",
    "Fraser", "Fujita", "García", "Gauthier", "Girard", "Gomes", "Gonzalez", "Grant", "Greene", "Gruber", "Gupta",
    "Haddad", "Hansen", "Harris", "Hoffmann", "Horvat", "Hughes", "Ibáñez", "Ito", "Ivanova", "Jansen", "Jensen",
    "Johnson", "Joshi", "Kaplan", "Kaya", "Keller", "Khan", "Kim", "Klein", "Kovács", "Kowalski", "Krause", "Kumar",
    "Lambert", "Larsen", "Laurent", "Lefèvre", "Lehmann", "Lindqvist", "Lopez", "Luo", "Marchetti", "Martin",
    "McCarthy", "Meyer", "Mitchell", "Molina", "Moreau", "Müller", "Murphy", "Nakamura", "Nguyen", "Nielsen", "Novák",
    "O'Brien", "O'Connor", "Okafor", "Olsen", "Ortiz", "Osman", "Park", "Patel", "Pereira", "Petrov", "Popescu",
    "Przybylski", "Quinn", "Ramos", "Reyes", "Ricci", "Robinson", "Rossi", "Roux", "Saito", "Salazar", "Sanchez",
    "Santos", "Sato", "Schäfer", "Schmidt", "Schneider", "Schwarz", "Silva", "Singh", "Smirnov", "Sørensen", "Suzuki",
    "Szabó", "Tanaka", "Torres", "Tremblay", "Turner", "Vargas", "Vasquez", "Vogel", "Wagner", "Wang", "Weber",
    "Wilson", "Wójcik", "Wright", "Yamamoto", "Yilmaz", "Zhang", "Zimmermann",
]  # fmt: skip
SYLLABLES = [
    "ba", "bel", "bor", "bri", "cal", "cha", "chi", "cor", "da", "del", "dor", "dra", "el", "en", "fan", "fer", "fi",
    "gar", "gel", "gri", "ha", "hel", "ho", "is", "jan", "jo", "ka", "kel", "ki", "kor", "la", "lan", "lem", "li",
    "lor", "lu", "ma", "mar", "mei", "mi", "mon", "na", "nar", "ni", "nor", "o", "ol", "pa", "pel", "pi", "por",
    "qua", "ra", "ren", "ri", "ron", "ru", "sa", "sch", "sel", "shi", "sko", "ste", "ta", "tar", "tch", "ti", "tor",
    "tri", "u", "ul", "va", "vel", "vi", "vor", "wa", "wei", "wi", "xa", "ya", "yo", "za", "zel", "zi", "zor", "é",
    "ü", "ö", "ñ", "ø",
]  # fmt: skip
UNITS = "kg km cm mm g ml GB MB kWh °C mph"
CURRENCIES = "$ € £ ¥"


def _digits(chance: Random, count: int) -> str:
    return str(chance.randint(1, 9)) + "".join(chance.choices(string.digits, k=count - 1)) if count else ""


def coined(chance: Random) -> str:
    """A capitalised word that no dictionary has."""
    return "".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))).capitalize()


def name(chance: Random) -> str:
    """A first name, a last name, or a made-up one."""
    return chance.choice(
        (*chance.sample(FIRST_NAMES, 2), *chance.sample(LAST_NAMES, 2), coined(chance), coined(chance))
    )


def full_name(chance: Random) -> str:
    """First and last name."""
    return f"{chance.choice((chance.choice(FIRST_NAMES), coined(chance)))} {name(chance)}"


def product(chance: Random) -> str:
    """A brand as brands are written: NovaTech, iZelor, Karmi 7."""
    word = coined(chance)
    return chance.choice(
        (word + coined(chance), "i" + word, f"{word} {_digits(chance, chance.randint(1, 3))}", word.upper())
    )


def integer(chance: Random) -> str:
    """1 to 6 digits, few more often than many."""
    return _digits(chance, chance.choice((1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6)))


def year(chance: Random) -> str:
    """1700 to 2099."""
    return str(chance.randint(1700, 2099))


def decimal(chance: Random) -> str:
    """2.5, 0,75."""
    return f"{chance.randint(0, 99)}{chance.choice('..,')}{chance.randint(0, 99)}"


def thousands(chance: Random) -> str:
    """1,249 or 12,000,000.50: separators stay as they are."""
    whole = f"{chance.randint(1000, 10 ** chance.randint(4, 8)):,}"
    return whole + (f".{chance.randint(0, 99):02d}" if chance.random() < 0.3 else "")


def amount(chance: Random) -> str:
    """$1,249.99, 30€, €45."""
    number = chance.choice((integer, decimal, thousands))(chance)
    sign = chance.choice(CURRENCIES.split())
    return f"{sign}{number}" if chance.random() < 0.7 else f"{number}{chance.choice(('', ' '))}{sign}"


def measure(chance: Random) -> str:
    """25%, 12 kg, 3.5 km."""
    number = chance.choice((integer, decimal))(chance)
    return f"{number}%" if chance.random() < 0.5 else f"{number} {chance.choice(UNITS.split())}"


def time(chance: Random) -> str:
    """14:05."""
    return f"{chance.randint(0, 23)}:{chance.randint(0, 59):02d}"


def date(chance: Random) -> str:
    """2026-11-22, 22/11/2026, 22.11.26."""
    day, month, number = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1950, 2049)
    sign = chance.choice("/.-")
    return chance.choice(
        (f"{number}-{month:02d}-{day:02d}", f"{day:02d}{sign}{month:02d}{sign}{number}", f"{day}/{month}")
    )


def code(chance: Random) -> str:
    """B-204, XK9, 4f7a, v2.1, #204, #B-204."""
    letters = "".join(chance.choices(string.ascii_uppercase, k=chance.randint(1, 4)))
    return chance.choice(
        (
            f"{letters}-{_digits(chance, chance.randint(1, 5))}",
            f"{letters}{_digits(chance, chance.randint(1, 4))}",
            f"{_digits(chance, 1)}{letters}{_digits(chance, 2)}",
            f"v{chance.randint(0, 20)}.{chance.randint(0, 20)}",
            f"#{_digits(chance, chance.randint(1, 5))}",
            f"#{letters}-{_digits(chance, chance.randint(1, 5))}",
            f"@{coined(chance).lower()}",
        )
    )


def address(chance: Random) -> str:
    """anna@zorbel.org, https://zorbel.fr/ka12, www.zorbel.com."""
    site = f"{coined(chance).lower()}.{chance.choice(('com', 'org', 'fr', 'de', 'io'))}"
    return chance.choice(
        (
            f"{chance.choice(('info', 'contact', 'support', coined(chance).lower()))}@{site}",
            f"https://{site}/{_digits(chance, chance.randint(1, 4))}",
            f"www.{site}",
            site,
        )
    )


def telephone(chance: Random) -> str:
    """+49 30 1234567."""
    return f"+{_digits(chance, 2)} {_digits(chance, 2)} {_digits(chance, chance.randint(5, 8))}"


NUMBERS: tuple[Kind, ...] = (
    *(integer,) * 5,
    *(year,) * 2,
    decimal,
    thousands,
    amount,
    amount,
    measure,
    time,
    date,
)
NAMES: tuple[Kind, ...] = (*(name,) * 6, full_name, full_name, product)
"""Kinds, as often as they are drawn."""


def number(chance: Random) -> str:
    """Any kind of number."""
    return chance.choice(NUMBERS)(chance)


def called(chance: Random) -> str:
    """Any kind of name."""
    return chance.choice(NAMES)(chance)


def anything(chance: Random) -> str:
    """Any kind of thing that only can be copied."""
    return chance.choice((*(number, called) * 4, code, code, address))(chance)
