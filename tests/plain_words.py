"""What people read, found in the product's sources and pages, and the shapes that plain words avoid."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

FORBIDDEN: Mapping[str, str] = {
    r"anew": "again",
    r"besides": "also",
    r"beside": "next to",
    r"lately": "recently",
    r"thus|hence|whereof": "so",
    r"for want of": "without",
    r"as the data say": "estimated",
    r"(?<!thing )(?<!body )(?<!where )(?<!one )else": "or, otherwise",
    r"(?:is|are|was|were) no(?! longer| more than| less than)": "is not a …; No … yet.",
    r"told": "name who does what: recorded, set by you, sent",
    r"(?:is|are|was|were|be|been) said": "name who says it",
    r"(?:is|are|was|were) known to": "name who knows it",
    r"whole screen": "full screen",
    r"com(?:e|es|ing) again": "recurring",
    r"(?:tak(?:e|es|en|ing)|took) (?:it |them |this |that )?back": "undo",
    r"(?:what|how much) (?:is|was) owed": "you owe, debt",
    r"days ahead": "forecast",
    r"program in the background": "background service",
    r"(?:seen|there) twice": "duplicate",
    r"fil(?:e|es|ed|ing) (?:it |them |this |these |those )?under|(?:is|are|was|were|be|been) filed": (
        "put in, categorized"
    ),
    r"allowance": "safe to spend",
    r"provisional(?:ly)?": "estimate",
    r"left out|leav(?:e|es|ing) (?:it |them )?out": "excluded",
    r"what (?:it|they|money|one|a row|a payee) (?:is|was|are|were) for": "category",
    r"who was paid": "payee",
    r"br(?:ing|ings|inging|ought) in": "import",
    r"what (?:comes|goes|came|went|flows) (?:in|out)": "money in, spending",
    r"give(?:s|n)? way": "name what happens",
    r"rhythm": "irregular, regular",
}
"""What no person reads, with what stands in its place."""

_FORBIDDEN = {
    re.compile(rf"\b(?:{shape})\b", re.IGNORECASE): plain for shape, plain in FORBIDDEN.items()
}

_FREE_RELATIVE = re.compile(
    r"(?:^|(?<=[.:;!?] ))(?:What|Whoever|Whatever|Whose|Who|Whichever)\b(?![^.?!]*\?)[^.?!]*\."
)
"""A sentence that begins with a free relative, such as "What is due stands above."."""

LONGEST_SENTENCE = 25
"""In words; code counts as one."""

LEAST_WORDS = 3
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_CODE = re.compile(r"``?[^`]*``?")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SENTENCE_END = re.compile(r"(?<=[.!?:;]) +(?=[A-Z`“\"'*\[X]|code\b|finplan\b)|\n\n|\n")
_SQL = re.compile(
    r"\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|FROM|WHERE|AND|OR|JOIN|LEFT|ORDER|GROUP|PRAGMA"
    r"|EXISTS|CASE|UNION|VALUES)\b"
)
_NO_PROSE = re.compile(
    r"\(\?|\\[bwdsS]|^\s*[<(#^/]|CASE WHEN|\bSELECT\b| = :|\{rows\}|\|\w+\|\w+\||^code\]"
)
"""Patterns, pages' markup, SQL and scripts of shells."""

_HELP_IN = ("finplan/cli/commands", "finplan/daemon/surfaces/mcp/tools")
"""Where the docstring of a decorated function is a help text or a tool's description."""


class Text(NamedTuple):
    """A text that somebody reads, and where it stands."""

    path: str
    line: int
    text: str


class Fault(NamedTuple):
    """What is wrong with a text: where, what, and the text."""

    path: str
    line: int
    what: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}\n    {' '.join(self.text.split())[:200]}"


def texts_of_source(path: Path, name: str) -> Iterator[Text]:
    """Every text of three words or more in a module; docstrings only where they are help."""
    tree = ast.parse(path.read_text("utf-8"))
    inner: set[int] = set()
    silent: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inner |= {id(each) for each in ast.walk(node) if isinstance(each, ast.Constant)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
    if name.startswith(_HELP_IN):
        silent -= {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.decorator_list
            and isinstance(node.body[0], ast.Expr)
        }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            pieces = (
                str(each.value) if isinstance(each, ast.Constant) else "X" for each in node.values
            )
            text = "".join(pieces)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) in inner | silent:
                continue
            text = node.value
        else:
            continue
        if len(_WORD.findall(text)) >= LEAST_WORDS and not (
            _SQL.match(text) or _NO_PROSE.search(text)
        ):
            yield Text(name, node.lineno, text)


def texts_of_page(path: Path, name: str) -> Iterator[Text]:
    """The paragraphs, items and headings of a page; code and tables apart."""
    is_code, paragraph, start = False, list[str](), 1
    for number, raw in enumerate([*path.read_text("utf-8").splitlines(), ""], 1):
        line = raw
        if line.strip().startswith("```"):
            is_code, line = not is_code, ""
        elif is_code or line.startswith(("|", "    ")):
            line = ""
        begins = re.match(r"#+ |[-*] |\d+\. |\s*$", line)
        if begins:
            if paragraph:
                yield Text(name, start, " ".join(paragraph))
            paragraph, start = [], number
            line = line[begins.end() :]
        if line.strip():
            paragraph.append(line.strip())


def prose(text: str) -> str:
    """A text with links as they are read, and each piece of code as one word."""
    return _CODE.sub("code", _LINK.sub(r"\1", text)).replace("**", "")


def sentences(text: str) -> list[str]:
    """The sentences of a text, code counted as one word."""
    return [each for each in _SENTENCE_END.split(prose(text)) if each and each.strip()]


def words(text: str) -> list[str]:
    """The words of a text, as far as they are of letters."""
    return _WORD.findall(text)


def faults(text: Text) -> Iterator[Fault]:
    """What plain words avoid and this text has."""
    read = prose(text.text)
    for shape, plain in _FORBIDDEN.items():
        for match in shape.finditer(read):
            yield Fault(text.path, text.line, f"“{match[0]}”: {plain}", text.text)
    for match in _FREE_RELATIVE.finditer(read):
        yield Fault(text.path, text.line, f"begins with a clause: {match[0][:40]}", text.text)
    for sentence in sentences(text.text):
        if (count := len(words(sentence))) > LONGEST_SENTENCE:
            yield Fault(text.path, text.line, f"{count} words in a sentence", sentence)


def reading_difficulty(page: str) -> float:
    """The LIX of a page's prose: words in a sentence, and words of over six letters in a hundred.

    Below 40 is easy, 40 to 50 is a newspaper, above 60 is hard (Björnsson 1968).
    """
    read, long = words(page), [each for each in words(page) if len(each) > 6]
    return len(read) / max(1, len(sentences(page))) + 100 * len(long) / max(1, len(read))
