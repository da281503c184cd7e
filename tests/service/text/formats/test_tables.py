"""Tables of comma-separated values: which of their fields are text, and that a program can still read them."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.documents import joined, pieces
from service.text.formats.quoting import escaped, in_quotes
from service.text.formats.tables import table_of

WORDS = (
    st.text(alphabet="ab \u00e9'\",;.", min_size=1, max_size=12)
    .map(lambda text: f"a {text.strip()} b")
    .filter(
        lambda text: '""' not in text  # taken for a copy from a field, where they are one
    )
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'id,name,text\n1,Red chair,A comfortable chair\n2,Lamp,"A lamp, ""small"""\n',
            ["Red chair", "A comfortable chair", "Lamp", 'A lamp, ""small""'],
        ),
        ("\ufeffname;price\r\nGreen apple;2.50\r\nBread;1.20\r\n", ["Green apple", "Bread"]),
        ("Name,Age\nA friend,12", ["Name", "Age", "A friend"]),
        ("sku,url,title\nab-1,https://a.b/c,Red shoe\nCHAIR,x,Blue shoe", ["Red shoe", "Blue shoe"]),
        ('Question,Answer\nWho?,"One line\nand another"', ["Question", "Answer", "Who?", "One line\nand another"]),
        ("Name,Text,Note\nChair,,\nTable,,", ["Name", "Text", "Note", "Chair", "Table"]),
        (",question,answer\n0,Who?,A friend\n1,When?,At noon", ["Who?", "A friend", "When?", "At noon"]),
        ('"Nom de l\'article","Prix (€)"\n"Une chaise","5"', ["Nom de l'article", "Prix (€)", "Une chaise"]),
        ("Name,2023,2024\nApples,5,6", ["Name", "2023", "2024", "Apples"]),
        ("1,5 kg Mehl\n0,5 l Milch", None),
        ("1,200,000 people\n1,300,000 cars", None),
        ("Kaffee 2,50\nTee 2,20\nKuchen 3,80", None),
        ("hello,peter\nhow are you,my friend", None),
        ("Yes,please\nNo,thanks\nMaybe,later", None),
        ("Hi,how are you\nFine,thanks", None),
        ("Berlin,Germany\nParis,France", None),
        ("Well, yes, but no.\nOh, no, not again.", None),
        ("Dear Paul,\nThank you,\nAnna,", None),
        ("Name,Age\nPaul", None),
        ("name,age", None),
        ('name,age\n"open,1', None),
        ("", None),
        ("ref;d\u00e9signation;prix\nA12;Chaise;24,90", ["Chaise"]),
        ('id,name,Note,"Unit price"\n1,"Red chair",A chair,20', ["Note", "Unit price", "Red chair", "A chair"]),
        ("id,Name,Text\n1,Red chair,A chair", ["Name", "Text", "Red chair", "A chair"]),
        ('Name,product_id,"Time"\nLamp,12,"two days, or three"', ["Name", "Time", "Lamp", "two days, or three"]),
        ('"id","Name","A text"\n"1","Lamp","It is big"', ["Name", "A text", "Lamp", "It is big"]),
        ('He said,"yes"\nShe said,"no"', None),
        ("hello,Peter\nhow are you,my friend", None),
        ("hello,Peter\n5,6", None),
        ("Name,City,Job\nAnna Miller,Reading,Teacher", ["Name", "City", "Job", "Teacher"]),
        ("First name;Town\nRose;Munich\nGrace;Bath", ["First name", "Town", "Munich"]),
        ("Name,Price\nTable,20\nRed Lamp,30", ["Name", "Price", "Table", "Red Lamp"]),
        ("Artikelnr.;Farbe;Preis\n47;rot;24,90", ["Artikelnr.", "Farbe", "Preis", "rot"]),
    ],
)
def test_fields_for_people_are_found_in_tables(text: str, expected: list[str] | None) -> None:
    found = table_of(text)
    assert (None if found is None else [text[start:end] for start, end in found.stretches]) == expected


@given(
    st.lists(st.tuples(WORDS, WORDS, st.integers(0, 99)), min_size=1, max_size=5),
    st.sampled_from(",;"),
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_table_stays_one_whatever_its_fields_become(
    rows: list[tuple[str, str, int]], sign: str, translations: list[str], line_end: str
) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=sign, lineterminator=line_end).writerows([("one", "two", "three"), *rows])
    text = written.getvalue()
    found = table_of(text)
    assert found is not None
    parts = [translations[number % len(translations)] for number in range(len(found.stretches))]
    starts, ends = [start for start, _ in found.stretches], [end for _, end in found.stretches]
    gaps = [text[a:b] for a, b in zip([0, *ends], [*starts, len(text)], strict=True)]
    inner = [escaped(part, (), quote)[0] for part, quote in zip(parts, found.quotes, strict=True)]
    gaps = list(in_quotes(gaps, inner, found.quotes))
    answer = "".join(gap + part for gap, part in zip(gaps, [*inner, ""], strict=True))
    read = list(csv.reader(io.StringIO(answer), delimiter=sign))
    waiting = iter(parts)
    expected = [[next(waiting), next(waiting), str(number)] for *_, number in rows]
    assert read == [["one", "two", "three"], *expected]


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        (["a\n1,1. ", ",x"], ['a\n1,"1. ', '",x']),
        (["\ufeff- ", '"!\r\nb'], ['\ufeff"- ', '""!"\r\nb']),
        (["1,", ""], ['1,"', '"']),
    ],
)
def test_quotation_marks_stand_round_the_whole_field(gaps: list[str], expected: list[str]) -> None:
    assert in_quotes(gaps, ["one, two"], [","]) == expected


def test_sentences_of_one_field_stand_in_the_same_quotation_marks() -> None:
    assert in_quotes(["a,", " ", ",b\nc,", ""], ["one, two.", "three", "four"], [",", ",", ","]) == [
        'a,"',
        " ",
        '",b\nc,',
        "",
    ]


def test_a_document_that_is_a_table_is_asked_for_field_by_field() -> None:
    document = 'id,text\n1,A chair\n2,"A ""red"" chair"\n'
    found = pieces(document, 2000)
    assert [piece.text for piece in found] == ["A chair", 'A "red" chair']
    answer = joined(document, found, ["Ein Stuhl, bequem", 'Ein "roter" Stuhl'])
    assert list(csv.reader(io.StringIO(answer))) == [
        ["id", "text"],
        ["1", "Ein Stuhl, bequem"],
        ["2", 'Ein "roter" Stuhl'],
    ]
