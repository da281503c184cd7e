"""Towns whose names no language changes, and that are no words of one: models spell the rarer of them in pieces and
write other words (*Schwerin* was *brother-in-law*, *Worcester* was *Arbeit*).
"""

from __future__ import annotations

import re

from service.text.word_sets import word_set

Stretch = tuple[int, int]
TOWN_NAMES = word_set(
    "Aalborg Aarau Aarhus Aberdeen Adelaide Aix-en-Provence Albertville Albuquerque Alençon Amiens Angoulême",
    "Annemasse Ansbach Antibes Arcachon Argenteuil Ashford Aubervilliers Auckland Augsburg Aurillac Auxerre Avignon",
    "Aylesbury Bagnolet Bamberg Barnsley Basildon Basingstoke Bayonne Bayreuth Beauvais Belfort Bergamo Besançon",
    "Biarritz Bielefeld Blackburn Blackpool Blois Bobigny Bochum Bordeaux Bottrop Boulogne-Billancourt Bournemouth",
    "Bracknell Bradford Brescia Brisbane Brive-la-Gaillarde Brno Burnley Busan Béziers Cahors Calgary Carcassonne",
    "Carlisle Castres Chambéry Chamonix Charleroi Charleville-Mézières Chartres Chattanooga Chelmsford Cheltenham",
    "Chemnitz Chesterfield Chichester Christchurch Chur Châteauroux Châtellerault Clermont-Ferrand Coburg",
    "Colchester Colmar Colombes Compiègne Concarneau Cottbus Courbevoie Coventry Crewe Croydon Créteil Cuxhaven",
    "Darlington Darmstadt Dartford Delmenhorst Detmold Dieppe Dijon Dinan Dinard Doncaster Dornbirn Dortmund",
    "Draguignan Drancy Dreux Duisburg Dundee Eastbourne Edmonton Eindhoven Emden Erfurt Erlangen Espoo Esslingen",
    "Euskirchen Feldkirch Flensburg Fontainebleau Fresno Fréjus Fulda Galway Garmisch Gateshead Gdynia",
    "Gelsenkirchen Gillingham Gloucester Goslar Gotha Graz Greifswald Grenoble Grimsby Guildford Guingamp Guéret",
    "Göppingen Görlitz Göttingen Gütersloh Haarlem Haguenau Hanau Harlow Harrogate Heidelberg Heidenheim Heilbronn",
    "Herford Hildesheim Hilversum Hofheim Huddersfield Hyères Ingolstadt Innsbruck Ipswich Iserlohn Issoudun",
    "Issy-les-Moulineaux Itzehoe Ivry-sur-Seine Jacksonville Jena Kaiserslautern Karlsruhe Kassel Kempten Kettering",
    "Kidderminster Kiel Kilkenny Klagenfurt Knoxville Krefeld Kufstein Landshut Lausanne Leicester Leoben",
    "Levallois-Perret Leverkusen Libourne Limerick Limoges Linz Lisieux Loughborough Louviers Lowestoft Ludwigsburg",
    "Ludwigshafen Lunéville Luton Lübeck Lüdenscheid Lüneburg Macclesfield Magdeburg Maidstone Malmö Mannheim",
    "Mansfield Marburg Martigues Maubeuge Memmingen Merseburg Middlesbrough Milwaukee Montauban Montbéliard",
    "Montluçon Montreuil Montreux Montélimar Mulhouse Mönchengladbach Mülheim Münster Namur Nanterre Narbonne",
    "Nashville Neubrandenburg Neuilly-sur-Seine Neumünster Nevers Nijmegen Niort Norderstedt Nordhausen Northampton",
    "Norwich Nottingham Nuneaton Nîmes Oakland Oberhausen Offenbach Offenburg Oldenburg Oldham Omaha Orsay",
    "Osnabrück Ottawa Paderborn Paisley Palaiseau Passau Perpignan Peterborough Pforzheim Pinneberg Pirmasens",
    "Plymouth Poitiers Pontarlier Pontoise Portsmouth Potsdam Quimper Quimperlé Raleigh Rambouillet Ramsgate",
    "Ravensburg Recklinghausen Remscheid Reutlingen Rochdale Rochefort Romorantin Rosenheim Rostock Rotherham",
    "Rotterdam Roubaix Rouen Sacramento Salford Salzgitter Sarcelles Saumur Scarborough Schaffhausen Schiltigheim",
    "Schweinfurt Schwerin Schwetzingen Scunthorpe Sheffield Shrewsbury Siegburg Sindelfingen Soissons Solingen",
    "Southampton Southend Southport Spokane Stevenage Stockport Stockton Stralsund Straubing Stuttgart Suhl",
    "Sunderland Swansea Swindon Tacoma Tampere Tarbes Taunton Telford Thionville Tilburg Torquay Tourcoing",
    "Traunstein Tucson Tübingen Utrecht Valenciennes Vesoul Villach Villeurbanne Villingen Vincennes Vitrolles",
    "Vitry-sur-Seine Wakefield Walsall Warrington Waterford Watford Weimar Wellington Wetzlar Wiesbaden Wigan",
    "Wilhelmshaven Winchester Winnipeg Winterthur Wismar Wolfenbüttel Wolfsburg Wolverhampton Worcester Wrexham",
    "Wuppertal Würzburg Yeovil Zwickau Zwolle Épernay Épinal Évreux Évry",
)
"""In Western Europe, America and Australia."""
WORD = re.compile(r"(?<![\w'\u2019-])[A-Z\u00c0-\u00de][^\W\d_]+(?:-[^\W\d_]+)*(?![\w-]|['\u2019]\w)")
"""A word with a capital, or several with hyphens."""
BEFORE = re.compile(r"\b(?:New|North|South|East|West|Port|Fort|Mount|Lake|Bad|Los|San|Santa)\s\Z")
"""What begins the name of another place."""
MOST_BEFORE = 7
"""Code points before a name that are looked at."""


def named_towns(text: str, is_plain: bool) -> list[Stretch]:
    """Where towns stand in a `text`; one that `is_plain` has no capital but the first."""
    if is_plain:
        first = text.partition(" ")[0]
        return [(0, len(first))] if first in TOWN_NAMES else []
    if text.isupper():
        return []
    matches = (match for match in WORD.finditer(text) if match.group() in TOWN_NAMES)
    return [m.span() for m in matches if BEFORE.search(text[max(0, m.start() - MOST_BEFORE) : m.start()]) is None]
