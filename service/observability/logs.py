"""Logs as JSON lines: one object a line, never the user's text."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

ROOT = "attendant"
"""The logger that all of the server's loggers descend from."""
ACCESS = f"{ROOT}.access"

_FIELDS = "attendant_fields"
_encode = json.JSONEncoder(ensure_ascii=False, default=str).encode


class JsonFormatter(logging.Formatter):
    """A record as one JSON object: time, level, logger, message, its own fields and, for errors, the traceback.

    Only the exception's class and its frames are written: the message of a foreign exception may quote its input.
    """

    def format(self, record: logging.LogRecord) -> str:
        """One line without a line break."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            **getattr(record, _FIELDS, {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["frames"] = _frames(record.exc_info[2])
        return _encode(line)


def configure_logging(level: str | int = logging.INFO, stream: TextIO | None = None) -> logging.Logger:
    """Send the server's logs to a stream (standard error by default), replacing what was configured before."""
    logger = logging.getLogger(ROOT)
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper() if isinstance(level, str) else level)
    logger.propagate = False
    return logger


def log_access(request_id: str, route: str, model: str, code: str, status: int, seconds: float, **sizes: int) -> None:
    """One line for one answered request. `sizes` are counts (texts, characters, tokens); text is never logged."""
    fields: dict[str, Any] = {"request_id": request_id, "route": route, "model": model, "code": code, "status": status}
    fields["milliseconds"] = round(seconds * 1000, 3)
    level = logging.ERROR if status == 500 else logging.INFO
    logger = logging.getLogger(ACCESS)
    if logger.isEnabledFor(level):
        record = logging.LogRecord(ACCESS, level, "", 0, "request", None, None)  # nobody asks who called
        setattr(record, _FIELDS, fields | {k: int(v) for k, v in sizes.items()})
        logger.handle(record)


def _frames(traceback: Any) -> list[str]:
    frames = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        frames.append(f"{code.co_filename}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return frames
