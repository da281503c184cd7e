"""A real browser, Chromium, driven over a pipe by the Chrome DevTools Protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
WITHIN_S = 60.0
_BECOME = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for end, descriptor in zip(ends, (3, 4)):
    os.dup2(end, descriptor)
    os.close(end)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""A command with a pipe's ends as the descriptors that Chromium takes it by."""


class Browser:
    """One page of a browser."""

    def __init__(self, write: int, read: int) -> None:
        """`write` and `read` are the browser's ends of the pipe: its descriptors 3 and 4."""
        self._write, self._read, self._number, self._received = write, read, 0, b""
        self.errors: list[str] = []
        """What the page's scripts could not do: exceptions, and refusals of the content security policy."""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable", self._session)

    def open(self, url: str) -> None:
        """Go to a page, as somebody who types its address."""
        self._call("Page.navigate", self._session, url="about:blank")
        self._call("Page.navigate", self._session, url=url)

    def run(self, script: str) -> Any:
        """The value of a script in the page, which may be a promise."""
        result = self._call("Runtime.evaluate", self._session, expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait_for(self, script: str) -> Any:
        """The first true value of a script."""
        ends = time.monotonic() + WITHIN_S
        while not (value := self.run(script)):
            assert time.monotonic() < ends, (script, self.run("document.body?.innerText"))
            self.run("new Promise((done) => setTimeout(done, 50))")
        return value

    def text(self, element: str) -> str:
        """What an element of the page says."""
        return str(self.run(f"document.getElementById({element!r}).innerText.trim()"))

    def choose(self, element: str, value: str) -> None:
        """Choose an option or type a text, as somebody does."""
        event = "input" if element == "text" else "change"
        self.run(
            f"(() => {{ const each = document.getElementById({element!r}); each.value = {json.dumps(value)};"
            f" each.dispatchEvent(new Event({event!r}, {{bubbles: true}})); return each.value; }})()"
        )

    def press(self, key: str) -> None:
        """Press a key, by its name (`ArrowDown`), and let it go."""
        for event in ("rawKeyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", self._session, type=event, key=key, code=key)

    def picture(self, path: Path) -> None:
        """Save what the window shows as a PNG file."""
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", self._session)["data"]))

    def resize(self, width: int, height: int) -> None:
        """Give the window this size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", self._session, **size)

    def _call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while (told := self._next()).get("id") != self._number:
            self._notice(told)
        assert "error" not in told, told
        return dict(told["result"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            chunk = os.read(self._read, 1 << 16)
            assert chunk, "the browser has ended"
            self._received += chunk
        message, _, self._received = self._received.partition(b"\0")
        return dict(json.loads(message))

    def _notice(self, told: dict[str, Any]) -> None:
        if told.get("method") == "Runtime.exceptionThrown":
            self.errors.append(str(told["params"]["exceptionDetails"]))
        elif told.get("method") == "Log.entryAdded" and told["params"]["entry"]["level"] == "error":
            self.errors.append(told["params"]["entry"]["text"])


@contextmanager
def opened(profile: Path) -> Iterator[Browser]:
    """A browser without a window, which ends with the block."""
    assert CHROMIUM is not None
    theirs_in, write = os.pipe()
    read, theirs_out = os.pipe()
    options = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --remote-debugging-pipe"
    command = [CHROMIUM, *options.split(), f"--user-data-dir={profile}"]
    process = subprocess.Popen(
        [sys.executable, "-c", _BECOME, str(theirs_in), str(theirs_out), *command],
        pass_fds=(theirs_in, theirs_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(write, read)
    finally:
        os.close(write)  # which ends it
        os.close(read)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def opened_page(browser: Browser, address: str) -> None:
    """The page with the black cat's sentence translated."""
    browser.open(f"{address}/#en-fr/The%20black%20cat%20ate%20the%20mouse.")
    browser.wait_for("document.querySelectorAll('#map td').length")
