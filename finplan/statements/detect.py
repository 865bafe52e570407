"""Which reader reads a file, told by its content, and what a file is that none of them reads.

The latter is told from the file's first bytes, for a sentence to the person.
"""

import re
from dataclasses import replace
from typing import Any

from finplan import STATEMENT_FORMATS
from finplan.statements import statement
from finplan.statements.camt import CamtReader
from finplan.statements.export_reader import OwnCsvReader, OwnJsonReader
from finplan.statements.journal.reader import BeancountReader, HledgerReader
from finplan.statements.mt940 import Mt940Reader
from finplan.statements.ofx import OfxReader
from finplan.statements.qif import QifReader
from finplan.statements.seen import clean_statement
from finplan.statements.table.reader import CsvReader
from finplan.statements.text.encoding import glance

_ADVICE = f"Ask your bank for {STATEMENT_FORMATS}."
_SIGNATURES = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"II*\x00", "an image"),
    (b"MM\x00*", "an image"),
    (b"\x1f\x8b", "a compressed file"),
    (b"BZh", "a compressed file"),
    (b"\xfd7zXZ", "a compressed file"),
    (b"7z\xbc\xaf", "a compressed file"),
    (b"Rar!\x1a", "a compressed file"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "a word processor file"),
    (b"\x7fELF", "a program"),
)
_KINDS_OF_TEXT = (
    (r"\A\s*+(?:(?:<\?xml[^>]*>|<!--.*?-->)\s*+)*+<(?:!doctype\s+html|html[\s>])", "a web page"),
    (
        r"\A\s*(?:<|OFXHEADER).*?<!(?:DOCTYPE|ENTITY)",
        "XML that declares its own entities",
    ),
    # A table whose rows mean different things, with amounts in cents.
    (r"\A000\t[0-9]{8}\t[^\r\n]*\r?\n0[12]0\t", "a Lithuanian LITAS-ESIS statement"),
    (r"\A\s*[\[{]\s*(?!\"finplan\"\s*:)[\"\[{]", "JSON"),
)
_WEAKER_KINDS_OF_TEXT = ((r"\A\s*<", "XML without a bank statement"),)
_KIND_PATTERNS = [
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.DOTALL), kind)
    for pattern, kind in _KINDS_OF_TEXT
]
_WEAKER_PATTERNS = [
    (re.compile(pattern, re.MULTILINE), kind) for pattern, kind in _WEAKER_KINDS_OF_TEXT
]
_CONTROLS = re.compile(r"[\x00\x02\x04-\x08\x0b\x0e-\x19\x1c-\x1f]")
"""Without those that stand around a SWIFT message and at the end of old text files."""

_LOOKED_AT = 1 << 14
_BINARY_SHARE = 0.01


def refusal_of_foreign(head: bytes) -> str | None:
    """Say in a sentence why a file that begins with `head` cannot be read, where that is certain."""
    if not head:
        return "The file is empty."
    if not head.strip(b"\0"):
        return (
            "The file contains only zero bytes, so it was damaged when it was saved. Download it"
            " again."
        )
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return _sentence(kind)
    text = glance(head)[:_LOOKED_AT]
    if not text.strip():
        return "The file is empty."
    if len(_CONTROLS.findall(text)) > _BINARY_SHARE * len(text):
        return _sentence("binary data")
    return next((_sentence(kind) for pattern, kind in _KIND_PATTERNS if pattern.search(text)), None)


def sentence_for_text(head: bytes) -> str:
    """Say what a text seems to be that no reader recognises."""
    text = glance(head)[:_LOOKED_AT]
    kinds = (_sentence(kind) for pattern, kind in _WEAKER_PATTERNS if pattern.search(text))
    return next(kinds, f"No line of this text has both a date and an amount. {_ADVICE}")


def _sentence(kind: str) -> str:
    return f"This is {kind}, which finplan cannot import. {_ADVICE}"


READERS: tuple[statement.StatementReader, ...] = (
    OfxReader(),
    CamtReader(),
    Mt940Reader(),
    QifReader(),
    OwnJsonReader(),
    OwnCsvReader(),
    BeancountReader(),
    HledgerReader(),
    CsvReader(),
)
"""In the order in which they are asked: a table is recognised last, since much text is one."""


def read(source: statement.SourceFile, hints: statement.Hints) -> statement.ParsedStatement:
    """Read a file with the reader that recognises it.

    Raises UnreadableStatement, which says what the file seems to be instead, and AmbiguousStatement
    with all that the file leaves open.
    """
    parsed, questions = read_as_likely(source, hints)
    if parsed is None or questions:
        raise statement.AmbiguousStatement(*questions)
    return parsed


def read_as_likely(
    source: statement.SourceFile, hints: statement.Hints
) -> tuple[statement.ParsedStatement | None, tuple[statement.Question, ...]]:
    """Read a file, taking the first choice where it leaves something open, and tell what that is.

    So all questions of a file come at once, and what else is to be found out of it can be, though it
    must not be imported so; None where it cannot be read like that. Raises UnreadableStatement for a
    file that leaves nothing open.
    """
    why_not = refusal_of_foreign(source.head)
    if why_not is not None:
        raise statement.UnreadableStatement(why_not)
    reader = next((reader for reader in READERS if reader.recognises(source)), None)
    if reader is None:
        raise statement.UnreadableStatement(sentence_for_text(source.head))
    questions: list[statement.Question] = []
    ignored = (
        () if isinstance(reader, CsvReader) else statement.unneeded_in_format(reader.format, hints)
    )
    while True:
        try:
            parsed = clean_statement(reader.read(source, hints))
            return replace(parsed, notes=(*parsed.notes, *ignored)), tuple(questions)
        except statement.AmbiguousStatement as ambiguous:
            topics = {question.about for question in questions}
            new = [candidate for candidate in ambiguous.questions if candidate.about not in topics]
            questions += new
            if not new:
                return None, tuple(questions)
            for question in new:
                likely: dict[str, Any] = {question.about: question.choices[0].value}
                hints = replace(hints, **likely)
        except statement.UnreadableStatement:
            if not questions:
                raise
            return None, tuple(questions)
