from __future__ import annotations

import io
import json
import logging
import os
import re
import select
from pathlib import Path
from typing import Any

from service.observability.logs import ROOT, HeldLines, configure_logging, flush_logs, log_access, parts

SERVICE = Path(__file__).parents[3] / "service"


def logged(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_every_record_is_one_json_object_on_one_line() -> None:
    stream = io.StringIO()
    configure_logging("info", stream).info("two\nlines of %s", "é")

    (line,) = logged(stream)

    assert line["message"] == "two\nlines of é"
    assert (line["level"], line["logger"]) == ("info", ROOT)
    assert line["time"].endswith("+00:00")


def test_a_line_that_is_no_utf8_is_written_escaped() -> None:
    stream = io.StringIO()
    configure_logging("info", stream).info("half of %s", "\ud83d")
    assert logged(stream)[0]["message"] == "half of \ud83d"
    assert stream.getvalue().isascii()


def test_an_answered_request_is_logged_with_sizes_and_codes() -> None:
    stream = io.StringIO()
    configure_logging(stream=stream)
    log_access("abc", "/v1/translate", "en-fr@1", "overloaded", 429, 0.0123, sizes={"num_texts": 2})

    (line,) = logged(stream)

    assert line["request_id"] == "abc"
    assert (line["code"], line["status"], line["num_texts"]) == ("overloaded", 429, 2)
    assert line["milliseconds"] == 12.3


def test_an_exception_is_logged_without_its_message_which_may_quote_the_user() -> None:
    stream = io.StringIO()
    logger = configure_logging(stream=stream)
    try:
        int("my secret diary")
    except ValueError:
        logger.exception("request failed")

    (line,) = logged(stream)

    assert line["error"] == "ValueError"
    assert "test_logs.py" in line["frames"][0]
    assert "secret" not in stream.getvalue()


def test_every_logger_of_ours_descends_from_the_one_with_the_handler() -> None:
    """Ray's and matplotlib's are set by name, to be quiet."""
    strays: list[str] = []
    for file in SERVICE.rglob("*.py"):
        for name in re.findall(r"getLogger\((.+?)\)", file.read_text(encoding="utf-8")):
            is_ours = name == "ACCESS" or re.match(r'ROOT$|f"\{ROOT\}\.|"attendant\.', name)
            is_theirs = file.parent.name == "deployments" and re.fullmatch(r'name|"ray(\.serve)?"', name)
            is_theirs = is_theirs or (file.name == "picture.py" and name == '"matplotlib.font_manager"')
            strays += [] if is_ours or is_theirs else [f"{file}: {name}"]
    assert strays == []


def test_levels_below_the_one_configured_are_left_out() -> None:
    stream = io.StringIO()
    configure_logging("warning", stream)
    logging.getLogger(f"{ROOT}.engine").info("quiet")
    assert stream.getvalue() == ""


def test_configuring_twice_does_not_log_twice() -> None:
    stream = io.StringIO()
    configure_logging(stream=stream)
    configure_logging(stream=stream).info("once")
    assert len(logged(stream)) == 1


def test_lines_are_held_a_moment_and_written_in_parts_that_a_pipe_takes_whole() -> None:
    reader, writer = os.pipe()
    handler = HeldLines(os.fdopen(writer, "w"), hold_s=0.01)
    handler.setFormatter(logging.Formatter("%(message)s"))
    lines = [f"line {number} {'é' * 300}" for number in range(20)]
    for line in lines:
        handler.handle(logging.LogRecord("a", logging.INFO, "", 0, line, None, None))

    found = b""
    while found.count(b"\n") < len(lines):
        part = os.read(reader, 1 << 20)  # several writes may have come together
        found += part
    assert found.decode().splitlines() == lines
    assert all(len(part.encode()) <= select.PIPE_BUF for part in parts([f"{line}\n" for line in lines]))


def test_a_warning_is_written_at_once_behind_what_was_held() -> None:
    stream = io.StringIO()
    logger = configure_logging(stream=stream, hold_s=3600.0)
    logger.info("first")
    assert stream.getvalue() == ""
    logger.warning("second")
    assert [line["message"] for line in logged(stream)] == ["first", "second"]


def test_nothing_is_held_after_a_flush() -> None:
    stream = io.StringIO()
    configure_logging(stream=stream, hold_s=3600.0).info("held")
    flush_logs()
    assert [line["message"] for line in logged(stream)] == ["held"]
