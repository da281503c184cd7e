"""Lines that programs write and read: logs, tracebacks, messages of commits, definitions of Markdown, catalogues."""

from __future__ import annotations

import re

from service.text.spans.stretches import Stretch

TIME = r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?\]?"
LEVEL = r"\[?(?:CRITICAL|DEBUG|ERROR|FATAL|INFO|NOTICE|TRACE|WARN(?:ING)?)\]?:?"
LOG = re.compile(
    rf"^[ \t]*{TIME}[ \t]+(?:{LEVEL}[ \t]+(?:\[[^\]\n]{{1,60}}\][ \t]*)?(?:[\w.$]{{2,60}}:[ \t]+)?)?(?=\S)",
    re.MULTILINE,
)
"""What stands before the message of a line of a log: time, level, thread, and the name of a class."""
TRACEBACK = re.compile(
    r"^Traceback \(most recent call last\):\n(?:[ \t]+[^\n]*(?:\n|\Z))+(?:[A-Za-z_][\w.]*(?::[^\n]*)?(?=\n|\Z))?",
    re.MULTILINE,
)
FRAME = re.compile(r"^[ \t]+at (?:async )?[\w.$<>]+(?: \[as \w+\])?[ \t]?\([^()\n]*\)[ \t]*$", re.MULTILINE)
"""A line of a stack of Java or JavaScript."""
COMMIT_TYPE = re.compile(
    r"\A\s*(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w./, -]+\))?!?: (?=\w)"
)
"""What a message of a commit begins with (conventionalcommits.org, 1.0.0)."""
TRAILER = re.compile(r"^(?:Signed-off|Co-authored|Reviewed|Acked|Tested|Reported)-by: [^\n]*$", re.MULTILINE)
_ADDRESS = r"(?:<[^<>\n]*>|(?:https?:|mailto:|[/.#])\S+)"
DEFINITION = re.compile(rf"^[ ]{{0,3}}\[(?!\^)[^\]\n]+\]:[ \t]+{_ADDRESS}(?:[ \t]+[\"'(][^\n]*)?[ \t]*$", re.MULTILINE)
"""The address of a link (CommonMark 0.31, section 4.7)."""
FOOTNOTE = re.compile(r"^[ ]{0,3}\[\^[\w-]+\]:[ \t]+", re.MULTILINE)
_PICTURE = r"!\[[^\]\n]*\]\([^()\s]*\)"
BADGES = re.compile(
    rf"^[ \t]*(?=[^\n]*\[!\[|[^\n]*!\[[^\n]*!\[)(?:(?:\[{_PICTURE}\]\([^()\s]*\)|{_PICTURE})[ \t]*)+$", re.MULTILINE
)
"""A line of nothing but pictures."""
CATALOGUE = re.compile(r"^msgid[ \t]+\"[^\n]*\n(?:\"[^\n]*\n)*msg(?:str|id_plural)\b", re.MULTILINE)
"""Of GNU gettext. `attendant translate --document` fills one."""
HINTS = ("20", "19", "Traceback (", " at ", "\tat ", ": ", "-by:", "]:", "![", "msgid")


def program_lines(text: str) -> list[Stretch]:
    """What of `text` is for programs, maybe beside text in the same line."""
    if not any(map(text.__contains__, HINTS)):
        return []
    if "msgid" in text and CATALOGUE.search(text):
        return [(0, len(text))]
    found = [match.span() for match in COMMIT_TYPE.finditer(text)]
    if ":" in text and "-" in text:
        found += [match.span() for match in LOG.finditer(text)]
    if "\n" not in text and "]" not in text:
        return found
    patterns = TRACEBACK, FRAME, TRAILER, DEFINITION, FOOTNOTE, BADGES
    return found + [match.span() for pattern in patterns for match in pattern.finditer(text)]
