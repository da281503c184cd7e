"""Lines that programs write and read: logs, tracebacks, messages of commits, definitions of Markdown, catalogues."""

from __future__ import annotations

import re

from service.text.spans.stretches import Stretch

TIME = r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?\]?"
LEVEL = r"\[?(?:CRITICAL|DEBUG|ERROR|FATAL|INFO|NOTICE|TRACE|WARN(?:ING)?)\]?:?"
THREAD = r"\[[^\]\n]{1,60}\]"
CLASS = r"(?:\w+(?:[.$]\w+)+|[A-Za-z]+[a-z][A-Z]\w*)"
LOG = re.compile(
    rf"^[ \t]*{TIME}[ \t]+(?:{LEVEL}[ \t]+(?:{THREAD}[ \t]*)?(?:{CLASS}:[ \t]+)?(?=\S)|(?=[A-Z\u00c0-\u00de]))",
    re.MULTILINE,
)
"""What stands before the message of a line of a log: time, level, thread, and the name of a class."""
TRACEBACK = re.compile(
    r"^Traceback \(most recent call last\):\r?\n(?:[ \t]+[^\n]*(?:\n|\Z))+"
    r"(?:(?:\w+\.[\w.]+|\w*(?:Error|Exception|Exit|Interrupt|Iteration|Warning))(?::[^\n]*)?(?=\r?\n|\r?\Z))?",
    re.MULTILINE,
)
_PLACE = r"(?:[^()\n]*(?::\d+|\.java|\.js)|native|Native Method|<anonymous>)"
FRAME = re.compile(rf"^[ \t]+at (?:async )?[\w.$<>]+(?: \[as \w+\])?[ \t]?\({_PLACE}\)[ \t\r]*$", re.MULTILINE)
"""A line of a stack of Java or JavaScript."""
COMMIT_TYPE = re.compile(
    r"\A\s*(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w./, -]+\))?!?: (?=\w)"
)
"""What a message of a commit begins with (conventionalcommits.org, 1.0.0)."""
TRAILER = re.compile(r"^(?:Signed-off|Co-authored|Reviewed|Acked|Tested|Reported)-by: [^\n]*$", re.MULTILINE)
_ADDRESS = r"(?:<[^<>\s]*[:/.#][^<>\s]*>|(?:https?:|mailto:|\.{0,2}/)\S+|#[\w-]+)"
_TITLE = r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?"
DEFINITION = re.compile(rf"^[ ]{{0,3}}\[(?!\^)[^\]\n]+\]:[ \t]+{_ADDRESS}{_TITLE}[ \t\r]*$", re.MULTILINE)
"""The address of a link (CommonMark 0.31, section 4.7)."""
FOOTNOTE = re.compile(r"^[ ]{0,3}\[\^[\w-]+\]:[ \t]+", re.MULTILINE)
_PICTURE = r"!\[[^\]\n]*\]\([^()\s]*\)"
BADGES = re.compile(
    rf"^[ \t]*(?=[^\n]*\[!\[|[^\n]*!\[[^\n]*!\[)(?:(?:\[{_PICTURE}\]\([^()\s]*\)|{_PICTURE})[ \t]*)+\r?$", re.MULTILINE
)
"""A line of nothing but pictures."""
CATALOGUE = re.compile(r"(?:[ \t]*(?:(?:#|msg(?:ctxt|id|id_plural|str)\b|\").*)?(?:\n|\Z))+")
"""Of GNU gettext. `attendant translate --document` fills one."""
HINTS = ("20", "19", "Traceback (", " at ", "\tat ", ": ", "-by:", "]:", "![", "msgid")


def program_lines(text: str) -> list[Stretch]:
    """What of `text` is for programs, maybe beside text in the same line."""
    if not any(map(text.__contains__, HINTS)):
        return []
    if "msgid " in text and "msgstr" in text and CATALOGUE.fullmatch(text):
        return [(0, len(text))]
    found = [match.span() for match in COMMIT_TYPE.finditer(text)]
    if ":" in text and "-" in text:
        found += [match.span() for match in LOG.finditer(text)]
    if "\n" not in text and "]" not in text:
        return found
    patterns = TRACEBACK, FRAME, TRAILER, DEFINITION, FOOTNOTE, BADGES
    return found + [match.span() for pattern in patterns for match in pattern.finditer(text)]
