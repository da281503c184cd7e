"""Code beside text: fenced and indented blocks of Markdown, elements of HTML that hold code, commands behind a prompt,
commands of LaTeX.

Code inside of a sentence is a placeholder, see `patterns.py`; a block is no part of any sentence and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from service.text.formats import wiki_marks
from service.text.formats.program_lines import program_lines
from service.text.spans.kept import kept_elements
from service.text.spans.stretches import Stretch, disjoint

FENCE = re.compile(r"[ \t]*(?:[-*+>][ \t]+|\d+[.)][ \t]+)?(?P<fence>`{3,}+)[^`\n]*$")
"""The line before a fenced block (CommonMark 0.31, section 4.5). Tildes are rather a line between parts of a text."""
ELEMENT = re.compile(r"<(?P<name>pre|script|style|samp|kbd|code)\b[^<>]*>.*?</(?P=name)\s*>", re.DOTALL | re.IGNORECASE)
"""An element of HTML that holds code; what holds some of a sentence only, is one of the sentence's marks."""
LONGEST_WORD = 500
"""Characters of an element that is not to be translated which a sentence may have; a longer one is a block."""
DECLARATION = re.compile(r"<!doctype\b|<\?xml\b|<!--", re.IGNORECASE)
"""The beginning of what is no text of HTML, where it stands by itself."""
ENDS = {"<!d": ">", "<?x": "?>", "<!-": "-->"}
INLINE = ("code", "kbd", "samp")
INDENTED = re.compile(r"(?<=\n\n)(?:(?: {4}|\t)[ \t]*[^\s\n][^\n]*(?:\n|\Z))+(?=\n|\Z)")
"""CommonMark 0.31, section 4.4, behind a blank line."""
PROSE_LINE = re.compile(
    r"\s*(?:[-*+\u2022]\s|\d+[.)]\s|[^\W\d_]?[A-Z\u00c0-\u00de\"'\u00ab\u201c\u201e(])", re.MULTILINE
)
"""A line that begins as a sentence or an item of a list does."""
_PYTHON = r">>>(?= (?:[a-z_][\w.]*(?:\(| ?= |[ \t]*$)|import |from \w+ import |\d))"
PROMPT = re.compile(rf"^[ \t]*(?:\$(?= [a-z./~])|{_PYTHON}|PS [A-Z]:\\[^>\n]*>|C:\\[^>\n]*>) [^\n]*$", re.MULTILINE)
"""A command behind the prompt of a shell or of Python; *>>> Hello* is a mail that was quoted three times."""
CALL = re.compile(r"^[ \t]*[\w.]+\([\"'][^\n]*\)[ \t]*;?[ \t]*$", re.MULTILINE)
"""A line that calls a function with a string."""
CUE = re.compile(r"^[ \t]*(?:\d+:)?\d+:\d+[.,]\d+[ \t]+-->[ \t]+\d[^\n]*$", re.MULTILINE)
"""The times and settings of a cue (WebVTT, section 4.1; SubRip)."""
CUE_BLOCK = re.compile(r"^(?:NOTE(?=[ \t]|$)|STYLE$|REGION$)[^\n]*(?:\n(?![ \t]*$)[^\n]+)*", re.MULTILINE)
"""A comment, styles or a region of WebVTT (sections 4.1 and 4.2)."""
LATEX_LINE = re.compile(
    r"^[ \t]*(?:\\(?:begin|end|usepackage|documentclass|label|bibliography(?:style)?|includegraphics|input|include"
    r"|set\w+|[vh]space\*?|maketitle|tableofcontents|newpage|clearpage|appendix|hline|toprule|midrule|bottomrule|pagestyle)"
    r"(?![A-Za-z])(?:\{[^{}\n]*\}|\[[^\]\n]*\])*|\\(?:(?:re)?newcommand|def)(?![A-Za-z])[^\n]*|%(?![\d({sd])[^\n]*)",
    re.MULTILINE,
)
"""A line of commands and their arguments, or a comment."""
LATEX_BLOCK = re.compile(
    r"\\begin\{(?P<name>verbatim|lstlisting|minted|equation\*?|align\*?|gather\*?|displaymath|tikzpicture)\}.*?\\end\{(?P=name)\}"
    r"|\\\[.*?\\\]|\$\$.+?\$\$",
    re.DOTALL,
)
"""Code and formulas that stand by themselves."""
LATEX_ITEM = re.compile(r"^[ \t]*\\item(?![A-Za-z])[ \t]*", re.MULTILINE)
LATEX_HEADING = re.compile(
    r"^(?P<opening>[ \t]*\\(?:(?:sub)*section|chapter|part|(?:sub)?paragraph|title|author|caption)\*?"
    r"(?:\[[^\]\n]*\])?\{)"
    r"[^\n]*?(?P<closing>\}[ \t]*(?:\\label\{[^{}\n]*\})?[ \t]*)$",
    re.MULTILINE,
)
LATEX = re.compile(r"\\(?:begin|(?:sub)*section|chapter|item|documentclass|usepackage|title|caption)(?![A-Za-z])")
HINTS = ("```", "    ", "\t", "<", "$ ", ">>>", "[/", "[[", "{|", '("', "('", ":\\", "-->", "\\")


def code_blocks(text: str) -> list[Stretch]:
    """Where blocks of code lie in `text`, in order and apart."""
    found = program_lines(text)
    if not any(map(text.__contains__, HINTS)):
        return disjoint(found)  # as in most texts
    found += _fenced(text)
    found += [
        match.span()
        for match in ELEMENT.finditer(text)
        if match["name"].lower() not in INLINE or _is_block(text, *match.span())
    ]
    found += [each for each in kept_elements(text) if each[1] - each[0] > LONGEST_WORD or _is_block(text, *each)]
    found += [stretch for stretch in declarations(text) if _is_block(text, *stretch)]
    if "[" in text or "{|" in text:
        found += [match.span() for match in wiki_marks.CODE.finditer(text) if _is_block(text, *match.span())]
    found += [match.span() for match in INDENTED.finditer(text) if not PROSE_LINE.match(match.group())]
    found += [match.span() for pattern in (PROMPT, CALL, CUE) for match in pattern.finditer(text)]
    if text.lstrip("\ufeff").startswith("WEBVTT"):
        found += [match.span() for match in CUE_BLOCK.finditer(text)]
    found += _latex(text)
    return disjoint(found)


def declarations(text: str) -> list[Stretch]:
    """Where declarations and comments of HTML and XML lie in `text`, in order and apart."""
    found: list[Stretch] = []
    at, without_end = 0, set[str]()
    for match in DECLARATION.finditer(text):
        kind = match.group()[:3].lower()
        if match.start() < at or kind in without_end:
            continue
        end = text.find(ENDS[kind], match.end())
        if end < 0:
            without_end.add(kind)  # nor has a later one
        elif kind != "<!d" or "<" not in text[match.end() : end]:
            at = end + len(ENDS[kind])
            found.append((match.start(), at))
    return found


def without_code(text: str) -> list[Stretch] | None:
    """What blocks of code leave of `text`; None where there are none."""
    blocks = code_blocks(text)
    return between(text, blocks) if blocks else None


def between(text: str, blocks: list[Stretch]) -> list[Stretch]:
    """What `blocks` leave of `text`."""
    ends = [0, *(end for _, end in blocks)]
    starts = [*(start for start, _ in blocks), len(text)]
    return [(end, start) for end, start in zip(ends, starts, strict=True) if end < start]


def _fenced(text: str) -> Iterator[Stretch]:
    """Fenced blocks; one without an end goes on to the end of the text."""
    at, start, fence = 0, 0, ""
    for line in text.split("\n"):
        end = at + len(line)
        if not fence and (opening := FENCE.match(line)):
            start, fence = at, opening["fence"]
        elif fence and line.strip().startswith(fence) and not line.strip().strip("`"):
            yield start, end
            fence = ""
        at = end + 1
    if fence:
        yield start, len(text)


def _latex(text: str) -> Iterator[Stretch]:
    """Commands of LaTeX that stand round text, or by themselves."""
    if LATEX.search(text) is None:
        return
    for pattern in (LATEX_BLOCK, LATEX_LINE, LATEX_ITEM):
        yield from (match.span() for match in pattern.finditer(text))
    for match in LATEX_HEADING.finditer(text):
        yield from (match.span("opening"), match.span("closing"))


def _is_block(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` stands by itself on its lines."""
    before = text[text.rfind("\n", 0, start) + 1 : start]
    line_end = text.find("\n", end)
    behind = text[end : line_end if line_end >= 0 else len(text)]
    return not before.strip() and not behind.strip()
