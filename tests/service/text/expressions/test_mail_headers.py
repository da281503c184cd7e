"""Lines above quoted mails."""

from __future__ import annotations

import time

import pytest

from service.text.expressions.mail_headers import mail_headers


@pytest.mark.parametrize(
    ("language", "text", "written"),
    [
        ("de", "Am 3. Februar 2024 schrieb Paul Gerhardt:", "On 3 February 2024, Paul Gerhardt wrote"),
        ("de", "Am 03.02.2024 um 10:12 schrieb abc <a@web.de>:", "On 03.02.2024 at 10:12, abc <a@web.de> wrote"),
        ("fr", "Le 03/02/2024, Paul <a@web.fr> a \xe9crit :", "On 03/02/2024, Paul <a@web.fr> wrote"),
        ("de", "Am Mo., 5. Feb. 2024 um 18:03 Uhr schrieb Anna:", "On Monday, 5 February 2024 at 18:03, Anna wrote"),
        ("fr", "Le 1er mai 2024 \xe0 10h12, Paul a \xe9crit :", "On 1 May 2024 at 10:12, Paul wrote"),
        ("fr", "Le lun. 5 f\xe9vr. 2024, Anna Weber a \xe9crit :", "On Monday, 5 February 2024, Anna Weber wrote"),
    ],
)
def test_dates_and_people_stand_before_the_verb(language: str, text: str, written: str) -> None:
    found = list(mail_headers(text, language, "en"))
    english = text
    for each in reversed(found):
        english = english[: each.start] + each.translated + english[each.end :]
    assert english == f"{written}:"
    assert not any("@" in text[each.start : each.end] for each in found)
    assert list(mail_headers(text, language, "de")) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Am 5. M\xe4rz 2024 schrieb er ein Buch:"),
        ("de", "Am 5. M\xe4rz 2024 schrieb Paul: Ich komme."),
        ("de", "Am 5. M\xe4rz schrieb der Minister:"),
        ("fr", "Le 1er mai 2024, il a \xe9crit :"),
        ("fr", "Le 1er mai 2024, Paul a \xe9crit une lettre."),
    ],
)
def test_sentences_are_no_headers(language: str, text: str) -> None:
    assert list(mail_headers(text, language, "en")) == []


def test_long_texts_take_no_time() -> None:
    started = time.perf_counter()
    for begins in ("Am 5. M\xe4rz 2024 schrieb Paul", "Am ", "Le 1er mai 2024, Paul"):
        for sign in (" a", " a \xe9crit", " schrieb P", "@", "\xa0", "1"):
            list(mail_headers(begins + sign * 20_000, "de", "en"))
            list(mail_headers(begins + sign * 20_000, "fr", "en"))
    assert time.perf_counter() - started < 1
