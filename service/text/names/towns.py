"""Towns whose names are words: *I live in Reading*, *Portland, OR 97205*, *Rennes > Brest*."""

from __future__ import annotations

import re

from service.text.names.common_names import everyday_names
from service.text.names.proper import BEFORE_COMPANY
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

TOWNS = word_set(
    "Bath Battle Bend Boulder Buffalo Bury Corby Cork Deal Diss Eureka Flint Hove Hull Mobile Normal",
    "Orange Phoenix Poole Reading Rugby Rye Salem Sandwich Ware Wells Worthing Agde Agen Albi Angers",
    "Annecy Arles Auch Bar Bayeux Brest Cannes Condom Dax Dole Foix Gap Laval Lens Lorient Melun Metz",
    "Nancy Pau Redon Rennes Riom Saintes Sens Sète Tours Troyes Vannes Vire Vichy Villeneuve Ahlen Bergen",
    "Bonn Burg Celle Düren Essen Forst Füssen Gießen Hagen Halle Hameln Hamm Herne Hof Kehl Lahr Leer",
    "Marl Melle Minden Moers Neuss Plauen Siegen Singen Speyer Stade Ulm Unna Verden Weiden Werl",
    "Wesel Witten Worms Baden Biel Derby Split Wels Zug",
)
"""Towns that all three languages write alike."""
CHANGED = word_set(
    "Londres London Londen Edinburgh Édimbourg Dover Douvres Canterbury Cantorbéry Paris Nice Nizza Lyons",
    "Marseilles Strasbourg Straßburg Dunkirk Dunkerque Munich München Cologne Köln Nuremberg Nürnberg",
    "Hanover Hannover Hanovre Hamburg Hambourg Dresden Dresde Mainz Mayence Trier Trèves Aachen",
    "Regensburg Ratisbonne Frankfurt Francfort Leipzig Brunswick Braunschweig Bremen Brême Konstanz",
    "Constance Freiburg Fribourg Vienna Vienne Wien Salzburg Salzbourg Geneva Genève Genf Basel Bâle Bern",
    "Berne Zurich Zürich Lucerne Luzern Brussels Bruxelles Brüssel Antwerp Anvers Antwerpen Ghent Gand",
    "Gent Bruges Brügge Liège Lüttich Louvain Löwen Leuven Luxembourg Luxemburg Rome Rom Milan Milano",
    "Mailand Venice Venise Venedig Florence Florenz Firenze Naples Neapel Napoli Turin Torino Genoa Gênes",
    "Genua Lisbon Lisbonne Lissabon Porto Seville Séville Sevilla Barcelona Barcelone Prague Prag Warsaw",
    "Varsovie Warschau Krakow Cracovie Krakau Moscow Moscou Moskau Kiev Kyiv Kiew Athens Athènes Athen",
    "Copenhagen Copenhague Kopenhagen Cairo Caire Kairo Beijing Pékin Peking Tokyo Tokio Jerusalem",
    "Jérusalem Havana Havanna Hague Haag Algiers Alger Algier Tunis Bucharest Bucarest Bukarest Belgrade",
    "Belgrad Damascus Damas Damaskus Tripoli Mecca Mekka Mecque Montreal Montréal Quebec Québec Mexico",
    "Singapore Singapour Singapur Philadelphia Philadelphie Philly",
)
"""Those that one of them writes in another way."""
_STATES = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
_CITY = r"(?:[A-Z][a-z]*\.? ){0,2}[A-Z][a-z]+(?:-[A-Z][a-z]+)*"
_BEFORE_CITY = r"(?i:in|from|to|near|outside|of|at|à|de|nach|aus|bei)"
STATE = re.compile(
    rf"\b{_CITY}, (?:{_STATES}) \d{{5}}(?:-\d{{4}})?\b"
    rf"|(?:\b(?P<before>{_BEFORE_CITY}) |\A){_CITY}, (?:OR|ME|IN|(?(before)(?:OK|HI)|(?!)))(?=\s*(?:[,.;)!]|\Z))"
)
"""A city with the code of its state, which may be a word: *OR*."""
POSTCODE = re.compile(rf"{_CITY}(?= [A-Z]{{1,2}}\d[A-Z\d]? \d[A-Z]{{2}}\b)")
"""A British one before its postcode."""
POSTCODE_HINT = re.compile(r"\d[A-Z]? \d[A-Z]{2}\b")
STATE_HINT = re.compile(r"[a-z], [A-Z]{2}\b")
_NAME = "|".join(sorted(TOWNS))
LIVING = {
    "en": re.compile(
        r"\b(?i:liv(?:es?|ed|ing)|born|grew up|moved?|based|flat|house|home|train|bus|way|drove|driven?|driving|went"
        r"|gone|go(?:ing)?|came|come|travell?(?:ed|ing)?|stay(?:ed|ing)?|studied|works?|worked|working)"
        rf"(?: back| over| down| up)? (?:in|to|from|near) (?P<town>{_NAME})\b(?!['\u2019-]\w| [A-Z]| and [A-Z])"
    ),
    "de": re.compile(
        rf"\b(?i:wohn|leb|arbeit|studier|gezogen|geboren|aufgewachsen|zieh|zog|fahr|fuhr|komm|kam)\w*(?: \w+){{0,3}}?"
        rf" (?:in|nach|aus) (?P<town>{_NAME})\b(?!-)"
        r"(?! (?:und|oder) [A-Z\u00c4\u00d6\u00dc]| \d| in (?:die|den|das)\b| [A-Z])"
    ),
}
"""A town by what is said of it."""
MAY_BE = re.compile(r" (?:in|to|from|near|nach|aus) ([A-Z]\w+)")
_TOWN = r"[A-Z\u00c0-\u00de][^\W\d_]+(?:-[^\W\d_]+)*"
ROUTE = re.compile(rf"(?P<start>{_TOWN}) ?(?:-?>|\u2192|\u2194) ?(?P<end>{_TOWN})")
"""Two towns with an arrow between them are the whole text."""
LONGEST_ROUTE = 40


_NO_TOWN = (
    r"(?:Barth\u00e9lemy|Bernard|Christophe|Domingue|Empire|Esprit|Gall|Georges|H\u00e9l\u00e8ne|Jacques|Laurent|Lucie|Marc|Marin"
    r"|Nicolas|Office|Paul|P\u00e8re|P\u00e9tersbourg|Pierre|S\u00e9bastien|Si\u00e8ge|Sylvestre|Valentin|Vierge|Vincent)\b"
)
_PART = r"[A-Z\u00c0-\u00de][^\W\d_]+"
SAINT = re.compile(
    rf"(?<!\bla )(?<!\bLa )(?<![\w-])Sainte?-(?!{_NO_TOWN}){_PART}(?:-(?:{_PART}|de|du|des|en|l[ae\u00e8]s?|sur|sous))*"
    r"(?![\w-])"
)
"""A French one with a saint's name, which a model takes for a feast: *Saint-Aubin*, not *la Saint-Jean*, nor one
with another name in English, or a person."""


def town_stretches(text: str, source: str, target: str) -> list[Stretch]:
    """Where towns stand in a `text` of the language `source` that could be taken for words."""
    found = [_city(match) for match in STATE.finditer(text)] if ", " in text and STATE_HINT.search(text) else []
    if POSTCODE_HINT.search(text):
        found += [match.span() for match in POSTCODE.finditer(text)]
    if source in LIVING and not TOWNS.isdisjoint(MAY_BE.findall(text)):
        found += [match.span("town") for match in LIVING[source].finditer(text)]
    if source == "fr" and "Saint" in text:
        found += [match.span() for match in SAINT.finditer(text)]
    if len(text) <= LONGEST_ROUTE and (">" in text or "\u2192" in text or "\u2194" in text):
        route, alike = ROUTE.fullmatch(text), TOWNS | everyday_names(source, target).alike
        found += [route.span()] if route and {route["start"], route["end"]} <= alike else []
    return found


def _city(match: re.Match[str]) -> Stretch:
    start, end = match.span()
    if match["before"]:
        start = match.end("before") + 1
    first, *others = match.string[start:end].partition(",")[0].split(" ")
    while others and first in BEFORE_COMPANY:
        start += len(first) + 1
        first, *others = others
    return start, end
