"""Logs as JSON lines: one object a line, never the user's text."""

from __future__ import annotations

import json
import logging
import select
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TextIO

from pydantic_core import to_json

ROOT = "attendant"
"""The logger that all of the server's loggers descend from."""
ACCESS = f"{ROOT}.access"

FIELDS = "attendant_fields"
"""Name of the `extra` of a call that logs: fields of its line, by name."""
_encode = json.JSONEncoder(default=str).encode


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
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["frames"] = _frames(record.exc_info[2])
        try:
            return to_json(line, fallback=str).decode()
        except ValueError:  # a lone surrogate, which is no UTF-8
            return _encode(line)


class HeldLines(logging.StreamHandler[TextIO]):
    """Writes lines a moment later, many at a time: a write for every request would cost more than its line.

    A warning, or worse, is written at once with all before it, so only a killed process loses lines, and no more than
    those of the last `hold_s`. Writes of whole lines within PIPE_BUF are atomic: several processes may share a pipe.
    """

    def __init__(self, stream: TextIO, hold_s: float) -> None:
        super().__init__(stream)
        self._hold_s = hold_s
        self._lines: list[str] = []
        self._wake = threading.Event()
        threading.Thread(target=self._write_on, name="log", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Hold the line, or write it with those held. Called with the handler's lock."""
        try:
            self._lines.append(self.format(record) + "\n")
            if record.levelno >= logging.WARNING:
                self.flush()
            elif len(self._lines) == 1:
                self._wake.set()
        except Exception:  # noqa: BLE001 as every handler: a line must not end what it tells of
            self.handleError(record)

    def flush(self) -> None:
        """Write what is held."""
        assert self.lock is not None
        with self.lock:
            lines, self._lines = self._lines, []
            for part in parts(lines):
                self.stream.write(part)
                self.stream.flush()

    def _write_on(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            time.sleep(self._hold_s)
            self.flush()


def parts(lines: list[str]) -> Iterator[str]:
    """The lines joined to parts of at most PIPE_BUF bytes; a longer line is a part by itself."""
    part: list[str] = []
    size = 0
    for line in lines:
        num_bytes = len(line.encode(errors="replace"))
        if part and size + num_bytes > select.PIPE_BUF:
            yield "".join(part)
            part, size = [], 0
        part.append(line)
        size += num_bytes
    if part:
        yield "".join(part)


def configure_logging(
    level: str | int = logging.INFO, stream: TextIO | None = None, hold_s: float = 0.0
) -> logging.Logger:
    """Send the server's logs to a stream (standard error by default), replacing what was configured before.

    With `hold_s` lines are written up to that many seconds later, see `HeldLines`; `flush_logs` before the end.
    """
    logger = logging.getLogger(ROOT)
    stream = stream or sys.stderr
    handler = HeldLines(stream, hold_s) if hold_s else logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logger.handlers[:] = [handler]
    logger.setLevel(level.upper() if isinstance(level, str) else level)
    logger.propagate = False
    return logger


def flush_logs() -> None:
    """Write every line that is held."""
    for handler in logging.getLogger(ROOT).handlers:
        handler.flush()


def log_access(
    request_id: str,
    route: str,
    model: str,
    code: str,
    status: int,
    seconds: float,
    key: str = "",
    sizes: Mapping[str, float] = MappingProxyType({}),
    trace_id: str = "",
) -> None:
    """One line for one answered request. `key` is the name of its API key, `sizes` are counts and milliseconds; text is
    never logged. `trace_id` is that of its trace, if there is one."""
    fields: dict[str, Any] = {"request_id": request_id, "route": route, "model": model, "code": code, "status": status}
    if key:
        fields["key"] = key
    if trace_id:
        fields["trace_id"] = trace_id
    fields["milliseconds"] = round(seconds * 1000, 3)
    level = logging.ERROR if status == 500 else logging.INFO
    logger = logging.getLogger(ACCESS)
    if logger.isEnabledFor(level):
        record = logging.LogRecord(ACCESS, level, "", 0, "request", None, None)  # nobody asks who called
        setattr(record, FIELDS, {**fields, **sizes})
        logger.handle(record)


def _frames(traceback: Any) -> list[str]:
    frames = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        frames.append(f"{code.co_filename}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return frames
