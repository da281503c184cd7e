"""The page with long texts, from an address, by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.service.web.browser import Browser, needs_browser, opened_page
from tests.service.web.serving import served


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as address:
        yield address


@needs_browser
def test_a_text_that_is_too_long_for_one_answer_comes_part_by_part_and_its_maps_at_the_end(
    browser: Browser, address: str
) -> None:
    opened_page(browser, address)
    browser.run("""window.seen = [], window.pane = document.getElementById('translation'),
        new MutationObserver(() => seen.push(pane.textContent.length)).observe(pane, {childList: true})""")
    text = "\n\n".join(f"The black cat ate {i} mice. 😺 She went home.\nIt was late." for i in range(100, 220))
    browser.choose("text", text)
    browser.wait_for("document.getElementById('which').innerText.includes('of 360')")
    assert len(set(browser.run("seen"))) >= 5
    translation = browser.run("document.getElementById('translation').textContent")
    assert translation.count("\n") == text.count("\n")
    assert re.findall(r"\d+", translation) == [str(i) for i in range(100, 220)]
    browser.run("document.getElementById('previous').click(), 0")
    assert browser.text("source") == "It was late."
    shown = browser.run("document.querySelector('#translation .sentence.shown').textContent")
    assert translation.endswith(shown)
    rows = browser.run("[...document.querySelectorAll('#map tbody th')].map((each) => each.innerText).join('')")
    assert rows == shown.replace(" ", "")
    assert browser.text("usage").startswith(f"{len(text)} characters")
    assert [error for error in browser.errors if "422" not in error] == []
    browser.errors.clear()


@needs_browser
def test_an_answer_that_breaks_off_says_so_and_keeps_what_came(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    browser.run("""window.fetch = ((ask) => async (path, options) => {
        const answer = await ask(path, options);
        if (!options?.body?.includes('"stream":true')) return answer;
        const data = await answer.text();
        return new Response(data.slice(0, data.lastIndexOf('event: done')), answer);
      })(window.fetch), 0""")
    browser.choose("text", "The cat sleeps.\n\n" * 400)
    browser.wait_for("!document.getElementById('error').hidden")
    assert "broke off" in browser.text("error")
    assert browser.text("translation").startswith("Le chat dort.")
    browser.errors.clear()


@needs_browser
def test_a_server_that_was_gone_is_asked_again(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    browser.run("window.fetched = fetch, window.fetch = async () => { throw new TypeError('gone'); }, 0")
    browser.choose("text", "The cat sleeps.")
    browser.wait_for("!document.getElementById('error').hidden")
    assert browser.text("error") == "The server cannot be reached; asked again in 5 s"
    browser.run("window.fetch = fetched, 0")
    browser.wait_for("document.getElementById('translation').innerText === 'Le chat dort.'")
    assert browser.run("document.getElementById('error').hidden")


@needs_browser
def test_a_pair_of_the_address_that_is_not_served_is_said_and_its_text_not_translated_from_another_language(
    browser: Browser, address: str
) -> None:
    browser.open(f"{address}/#xx-fr/Kaixo%20mundua.")
    browser.wait_for("document.getElementById('notice')?.innerText")
    assert "xx-fr" in browser.text("notice")
    assert browser.run("document.getElementById('text').value") == "Kaixo mundua."
    assert browser.text("translation") == ""
    browser.choose("pair", "0")
    browser.wait_for("document.getElementById('translation').innerText")
    assert browser.text("notice") == ""
    browser.open(f"{address}/#EN-fr/The%20cat%20sleeps.")
    browser.wait_for("document.getElementById('translation')?.innerText === 'Le chat dort.'")
    assert browser.text("notice") == ""


@needs_browser
def test_a_map_is_walked_by_arrow_keys(browser: Browser, address: str) -> None:
    opened_page(browser, address)
    assert browser.run("document.querySelectorAll('#map [tabindex=\"0\"]').length") == 1
    browser.run("document.querySelector('#map [tabindex=\"0\"]').focus(), 0")
    here = "[...document.querySelectorAll('#map th.here')].map((each) => each.innerText).join(' ')"
    focused = "document.activeElement.ariaLabel"
    assert browser.run(here) == "The Le"
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowDown"):
        browser.press(key)
    assert browser.run(here) == "black noir"
    assert re.fullmatch(r"noir → black: \d+%", browser.run(focused))
    assert browser.run("document.querySelectorAll('#translation .word.here').length") == 1
    browser.press("End")
    assert "end of source" in browser.run(focused)
    browser.press("ArrowRight")  # stays
    assert "end of source" in browser.run(focused)
    browser.press("Home")
    assert browser.run(here) == "The noir"
    assert "layer 2, head 2" in browser.run("document.querySelector('#map table').ariaLabel")
    browser.run("document.getElementById('text').focus(), 0")
    assert browser.run(here) == ""
    assert browser.errors == []
