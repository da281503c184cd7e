"""Files of strings: what of them is text, and escapes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.quoting import ASCII_DOUBLE, DOUBLE, SINGLE, escaped, unescaped
from service.text.formats.strings import strings_of
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"title": "Welcome back", "count": 3, "items": ["Red", "Dark blue"]}', ["Welcome back", "Red", "Dark blue"]),
        ('["Yes", "No"]', ["Yes", "No"]),
        ('{"id": "save", "type": "button", "class": "btn btn-primary", "lang": "en-US"}', []),
        ('{"type": "Bug report", "due_date": "Due date", "created_at": "today"}', ["Bug report", "Due date"]),
        ('{"code": "E_NOT_FOUND", "event": "fontSize", "mime": "image/png", "name": "Tom"}', ["Tom"]),
        ('{"text": "One.\\n\\nTwo.", "path": "C:\\\\new"}', ["One.", "Two."]),
        ('{"note": "C:\\\\new folder"}', ["C:\\\\new folder"]),
        ('{"a": "He said \\"yes\\": really."}', ['He said \\"yes\\": really.']),
        ('"save.all" = "Save all";\n/* a comment */\n"open" = "Open";', ["Save all", "Open"]),
        ('  "title": "Welcome",\n  "body": "Hello"', ["Welcome", "Hello"]),
        (
            "# messages\nwelcome.title=Welcome back\nwelcome.body = You have {0} messages",
            ["Welcome back", "You have {0} messages"],
        ),
        ("save_all: Save all\nopen_file: Open a file", ["Save all", "Open a file"]),
        ("[menu]\n; comment\ntitle = Welcome back\nicon = v1.2\nhint=", ["Welcome back"]),
        ("[Unreleased]\n\ntitle = Welcome", ["Welcome"]),
        ("[menu]\nThis is text.", None),
        ("[main]\nenabled = true\nlevel = debug\ntype = Application\nName = Text editor", ["Text editor"]),
        ("St.Gallen: eine Stadt", None),
        ("14.12.2024: Weihnachtsfeier\n15.12.2024: Ruhetag", None),
        ("page.title: Home\npage.body: Welcome", ["Home", "Welcome"]),
        ("Note: this may take a while.", None),
        ("The end: it was late.", None),
        ("12:30 Lunch\n14:00 Dentist", None),
        ("[Unreleased]\n- Added", None),
        ('He said: "Hello."', None),
        ("x = 5", None),
        ("z.B.: das Auto", None),
        ("{}", None),
        ("[1, 2]", None),
        ('["open', None),
        ("", None),
        ("[" * 5000 + '"' + "]" * 5000, None),
        ("a_b: 'It''s gone.'\nc_d: It is.", ["It''s gone.", "It is."]),
        ("tip.long=Drag it \\\n    or press it.\nmenu.open=Open", ["Drag it", "or press it.", "Open"]),
        ("[Paths]\nbackup_dir=D:\\Backup\\\nwelcome_text=Welcome back", ["D:\\Backup\\", "Welcome back"]),
        ("path.dir=C:\\\\Temp\\\\\nsave.all=Save all", ["C:\\\\Temp\\\\", "Save all"]),
        ("class.path=lib/a.jar,\\\n  lib/b.jar\nmenu.open=Open", ["Open"]),
        ('menu.ok=Click \\"OK\\" and \\\n  go on\nmenu.open=Open', ['Click \\"OK\\" and', "go on", "Open"]),
        ("hello=Caf\\u00e9 owner\nbye=Goodbye", ["Caf\\u00e9 owner", "Goodbye"]),
        ("hello=Caf\u00e9 owner\nbye=Goodbye", None),
        ("save_all: 'Save all files',\nopen_app: 'Open the app',", ["Save all files", "Open the app"]),
    ],
)
def test_strings_for_people_are_found_in_files_of_strings(text: str, expected: list[str] | None) -> None:
    found = strings_of(text)
    assert (None if found is None else [text[start:end] for start, end in found.stretches]) == expected


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
    st.booleans(),
)
def test_what_is_found_lies_inside_of_strings_and_may_become_anything(value: object, is_ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii)
    found = strings_of(text)
    assert found is None or set(found.quotes) <= {DOUBLE, ASCII_DOUBLE}
    for start, end in reversed(found.stretches if found else []):
        assert 0 <= start <= end <= len(text)
        changed, spans = escaped('\u00ab Oui \u00bb, "yes" \\x \\n \\u12\x07', [(0, 7), (9, 14)], DOUBLE)
        assert [changed[first:last] for first, last in spans] == ["\u00ab Oui \u00bb", '\\"yes\\"']
        text = text[:start] + changed + text[end:]
    json.loads(text)


@given(st.text(st.sampled_from('ab "\\/\u00e9\U0001f600')), st.booleans())
def test_what_is_escaped_reads_as_before(text: str, is_ascii: bool) -> None:
    inside = json.dumps(text, ensure_ascii=is_ascii)[1:-1]
    read = unescaped(normalise(inside), DOUBLE)
    assert read.text == normalise(text).text
    assert all(0 <= start < end <= len(inside) for start, end in zip(read.starts, read.ends, strict=True))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ('He said \\"yes\\".', 'He said "yes".'),
        ("caf\\u00e9 \\ud83d\\ude00", "caf\u00e9 \U0001f600"),
        ("a\\/b \\\\ c", "a/b \\ c"),
        ("tab\\u0009 lone \\ud83d", "tab\\u0009 lone \\ud83d"),
        ("plain", "plain"),
    ],
)
def test_escapes_of_one_character_are_that_character(inside: str, expected: str) -> None:
    assert unescaped(normalise(inside), DOUBLE).text == expected


def test_an_apostrophe_between_apostrophes_is_doubled_in_yaml_and_typographic_in_a_translation() -> None:
    assert unescaped(normalise("It''s \\n here"), SINGLE).text == "It's \\n here"
    assert escaped("L'eau \\", [(0, 5)], SINGLE) == ("L\u2019eau \\", [(0, 5)])
