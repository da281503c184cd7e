from __future__ import annotations

import io
import json
import logging
from typing import Any

from service.observability.logs import ROOT, configure_logging, log_access


def logged(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_every_record_is_one_json_object_on_one_line() -> None:
    stream = io.StringIO()
    configure_logging("info", stream).info("two\nlines of %s", "é")

    (line,) = logged(stream)

    assert line["message"] == "two\nlines of é"
    assert (line["level"], line["logger"]) == ("info", ROOT)
    assert line["time"].endswith("+00:00")


def test_an_answered_request_is_logged_with_sizes_and_codes() -> None:
    stream = io.StringIO()
    configure_logging(stream=stream)
    log_access("abc", "/v1/translate", "en-fr@1", "overloaded", 429, 0.0123, num_texts=2)

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
