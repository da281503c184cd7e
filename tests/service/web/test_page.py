"""The web page: its files, and what it does in a browser with a published model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from service.api.answers import WarningSlug
from service.web import FOLDER, PAGE, page_answers
from tests.service.web.browser import Browser, needs_browser, opened_page
from tests.service.web.serving import BESIDE, served

FILES = {path: answer.body.decode() for path, answer in page_answers().items()}
SCRIPTS = {path: text for path, text in FILES.items() if path.endswith(".js")}


def test_the_page_asks_for_no_file_that_is_not_there_and_for_none_of_other_sites() -> None:
    asked = re.findall(r'(?:src|href)="([^"#]+)"', FILES[PAGE])
    imported = [
        name for text in SCRIPTS.values() for name in re.findall(r'^import .* from "(.+)";', text, re.MULTILINE)
    ]
    assert {path for path in asked if not path.startswith("data:")} - FILES.keys() == {"/docs"}
    assert {FOLDER + name.removeprefix("./") for name in imported} < FILES.keys()
    assert not any(re.search(r"https?://|//[a-z]+\.", text.replace("// ", "")) for text in FILES.values())


def test_scripts_name_only_elements_of_the_page() -> None:
    ids = set(re.findall(r' id="([^"]+)"', FILES[PAGE]))
    named = {name for text in SCRIPTS.values() for name in re.findall(r'(?:\$|\bon)\("([^"]+)"', text)}
    assert "translation" in named
    assert named <= ids


def test_every_warning_of_the_api_has_words_of_its_own() -> None:
    assert {slug for slug in get_args(WarningSlug) if f"{slug}:" not in FILES["/web/quality.js"]} == set()


def test_nothing_but_its_own_files_may_run_in_the_page() -> None:
    for answer in page_answers().values():
        headers = dict(answer.headers)
        assert b"default-src 'none'" in headers[b"content-security-policy"]
        assert b"unsafe" not in headers[b"content-security-policy"]
    assert not re.search(r"\son\w+=|style=|<script>|<style>|javascript:", FILES[PAGE])
    assert not any("innerHTML" in text or "eval(" in text for text in SCRIPTS.values())


def busy_at_first(app: Any) -> Any:
    """The application, which refuses the first request for its models."""
    refused: list[str] = []

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/v1/models" and not refused:
            refused.append(scope["path"])
            await send({"type": "http.response.start", "status": 503, "headers": [(b"retry-after", b"1")]})
            await send({"type": "http.response.body", "body": b"{}"})
        else:
            await app(scope, receive, send)

    return answer


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server with published models, one of them without attention."""
    with served(busy_at_first) as address:
        yield address


@needs_browser
def test_a_page_whose_first_question_is_refused_asks_again(browser: Browser, address: str) -> None:
    opened_page(browser, address)  # the first page of all
    assert [error for error in browser.errors if "503" not in error] == []
    assert len(browser.errors) == 1
    assert browser.run("document.getElementById('error').hidden")
    browser.errors.clear()


@needs_browser
def test_a_text_is_translated_and_its_map_drawn(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    assert browser.text("translation") == "Le chat noir a mangé la souris."
    assert browser.run("document.querySelectorAll('#translation .word').length") == 8
    assert browser.run("document.querySelectorAll('#map tbody tr').length") == 8
    assert browser.run("[...document.querySelectorAll('#map thead th')].map((each) => each.innerText).join(' ')") == (
        " The black cat ate the mouse . end of source"
    )
    shares = "[...document.querySelectorAll('#map td')].map((each) => +each.style.getPropertyValue('--weight'))"
    assert browser.run(f"{shares}.reduce((sum, weight) => sum + weight)") == pytest.approx(8, abs=0.05)
    assert "confidence" in browser.text("quality")
    assert browser.run("['text', 'translation'].map((each) => document.getElementById(each).lang).join()") == "en,fr"
    assert "Layer 2, head 2" in browser.text("reading")
    assert browser.errors == []


@needs_browser
def test_a_word_that_is_pointed_at_lights_up_what_it_looked_at(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    browser.run("document.querySelectorAll('#translation .word')[2].dispatchEvent(new Event('pointerenter')), 0")
    shades = "[...document.querySelectorAll('#source .word')].map((each) => +each.style.getPropertyValue('--weight'))"
    weights = browser.run(shades)
    assert max(range(len(weights)), key=weights.__getitem__) == 1  # noir, black
    assert browser.run("document.querySelector('#map tbody th.here').innerText") == "noir"


@needs_browser
def test_a_word_that_is_tapped_stays_lit_and_one_that_a_mouse_leaves_does_not(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    lit = "document.querySelectorAll('#translation .word.here').length"
    for pointer, stays in (("touch", 1), ("mouse", 0)):
        for event in ("pointerenter", "pointerleave"):
            made = f"new PointerEvent('{event}', {{pointerType: '{pointer}'}})"
            browser.run(f"document.querySelectorAll('#translation .word')[2].dispatchEvent({made}), 0")
        assert browser.run(lit) == stays


@needs_browser
def test_what_is_typed_and_chosen_is_asked_for(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    browser.choose("kind", "encoder")
    browser.wait_for("document.querySelectorAll('#map tbody tr').length === 7")
    assert "source looked at the others" in browser.text("reading")
    browser.choose("layer", "3")
    browser.choose("head", "mean")
    browser.wait_for("document.getElementById('reading').innerText.includes('Layer 3, head mean')")
    browser.choose("text", "He reads.  She writes.\n\nThey sleep.")
    browser.wait_for("document.getElementById('which').innerText.includes('1 of 3')")
    assert browser.run("document.getElementById('translation').textContent.split('\\n\\n').length") == 2
    browser.run("document.getElementById('next').click(), 0")
    assert browser.text("source") == "She writes."
    browser.run("document.getElementById('swap').click(), 0")
    browser.wait_for("document.getElementById('quality').innerText.includes('fr-en-transformer')")
    browser.choose("text", "")
    browser.wait_for("document.getElementById('attention').hidden")
    assert browser.errors == []


@needs_browser
def test_other_models_stand_beside_with_maps_of_the_same_text(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    options = browser.run("[...document.getElementById('other').options].map((each) => each.value)")
    bahdanau, seq2seq = (next(each for each in options if each.startswith(f"en-fr-{name}@")) for name in BESIDE)
    card, drawn = f"document.querySelector('[data-model=\"{bahdanau}\"]')", "querySelectorAll('tbody tr').length"
    browser.choose("other", bahdanau)
    browser.wait_for(f"{card}.{drawn} > 0")
    browser.choose("other", seq2seq)
    browser.wait_for(f"/no attention/.test(document.querySelector('[data-model=\"{seq2seq}\"]').innerText)")

    browser.choose("text", "He reads.\nThank you very much.")
    browser.wait_for("document.getElementById('which').innerText.includes('1 of 2')")
    browser.run("document.getElementById('next').click(), 0")
    browser.wait_for(f"/very/.test({card}.querySelector('thead')?.innerText)")
    browser.run("document.getElementById('same').click(), 0")
    browser.wait_for(f"/log-probability/.test({card}.innerText) && !/confidence/.test({card}.innerText)")
    browser.run("document.getElementById('next').click(), 0")
    rows = browser.run(f"[...{card}.querySelectorAll('tbody th')].map((each) => each.innerText).join(' ')")
    assert rows == browser.run(
        "[...document.querySelectorAll('#map tbody th')].map((each) => each.innerText).join(' ')"
    )

    browser.choose("kind", "encoder")
    browser.wait_for(f"/no attention of the source over itself/.test({card}.innerText)")
    browser.run(f"{card}.querySelector('button').click(), 0")
    assert browser.run(f"{card} === null")
    browser.run("document.getElementById('swap').click(), 0")
    browser.wait_for("document.getElementById('quality').innerText.includes('fr-en-transformer')")
    assert browser.run("document.getElementById('beside').hidden && !document.getElementById('others').children.length")
    assert browser.errors == []


@needs_browser
def test_a_model_without_attention_says_so_and_a_refusal_is_shown(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    name = browser.run("[...document.getElementById('model').options].find((each) => /seq2seq/.test(each.value)).value")
    browser.choose("model", name)
    browser.wait_for("!document.getElementById('no-attention').hidden")
    assert "seq2seq has no attention" in browser.text("no-attention")
    assert browser.run("document.getElementById('attention').hidden")
    browser.choose("text", "a" * 5001)  # one word, which the page cannot cut
    browser.wait_for("!document.getElementById('error').hidden")
    assert "5000" in browser.text("error") or "5,000" in browser.text("error")


@needs_browser
def test_text_of_the_user_is_never_taken_for_markup(browser: Browser, address: str, tmp_path: Path) -> None:
    opened_page(browser, address)
    browser.choose("text", "<img src=x onerror=document.title='taken'> The cat sleeps.")
    browser.wait_for("document.body.innerText.includes('Le chat dort')")
    assert browser.run("document.querySelectorAll('main img').length") == 0
    assert browser.run("document.title") == "Attendant"


@needs_browser
def test_characters_are_counted_as_the_api_counts_them_and_subwords_are_called_so(
    browser: Browser, address: str
) -> None:
    opened_page(browser, address)
    browser.choose("text", "I live in 🇫🇷 France.")
    browser.wait_for("document.getElementById('usage').innerText.startsWith('20 characters')")
    assert "each word of the source" in browser.text("reading")
    browser.choose("level", "token")
    browser.wait_for("document.getElementById('reading').innerText.includes('each subword of the source')")
    assert "word" not in browser.text("reading").replace("subword", "")


@needs_browser
def test_a_text_without_anything_to_translate_says_so(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    browser.choose("text", "مرحبا بالعالم")
    browser.wait_for("document.getElementById('no-attention').innerText.includes('the text was copied')")
    assert browser.text("translation") == "مرحبا بالعالم"
    browser.choose("text", "")
    browser.wait_for("document.getElementById('no-attention').hidden")


@needs_browser
def test_a_map_that_goes_while_the_pointer_is_over_it_is_no_fault(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    browser.errors.clear()
    browser.run("document.querySelector('#map td').dispatchEvent(new Event('pointerenter')), 0")
    browser.choose("text", "")
    browser.wait_for("document.getElementById('attention').hidden")
    browser.run("document.querySelector('#map table').dispatchEvent(new Event('pointerleave')), 0")
    assert browser.errors == []


@needs_browser
def test_the_copy_button_says_what_it_did(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    clipboard = "Object.defineProperty(navigator, 'clipboard', {configurable: true, value: %s}), 0"
    browser.run(clipboard % "{writeText: async (text) => { window.copied = text; }}")
    browser.run("document.getElementById('copy').click(), 0")
    browser.wait_for("document.getElementById('copy').innerText === 'Copied'")
    assert browser.run("window.copied") == "Le chat noir a mangé la souris."
    browser.run(clipboard % "undefined")
    browser.run("document.getElementById('copy').click(), 0")
    browser.wait_for("document.getElementById('copy').innerText.startsWith('Marked')")
    assert browser.run("getSelection().toString()") == "Le chat noir a mangé la souris."


@needs_browser
def test_a_phone_shows_the_page_without_scrolling_sideways_and_a_map_keeps_its_heads(
    browser: Browser, address: str
) -> None:
    browser.resize(320, 600)
    opened_page(browser, address)
    browser.choose("text", f"The {'frobnicator' * 5} and https://example.org/{'a/' * 40} sleep.")
    browser.wait_for("document.querySelectorAll('#map thead th').length > 40")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    covering = """(() => { const map = document.getElementById('map'); map.scrollIntoView(); map.scrollTo(300, 250);
        const { left, top } = map.getBoundingClientRect();
        return document.elementFromPoint(left + 5, top + 5).closest('thead') !== null; })()"""
    assert browser.run(covering)
    browser.resize(1280, 900)


@needs_browser
def test_rows_are_said_to_sum_to_100_where_they_do(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    said = """import('/web/map.js').then(({ reading }) => [[[0.5, 0.1]], [[0, 0]], [[0.6, 0.1]]].map((weights) =>
        reading({ weights, others: [0.3], links: new Set(), kind: 'decoder' }).includes('sum to 100%')))"""
    assert browser.run(said) == [False, False, True]
