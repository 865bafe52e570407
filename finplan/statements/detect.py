"""Which reader reads a file, told by its content."""

from dataclasses import replace
from typing import Any

from finplan.statements.camt.reader import CamtReader
from finplan.statements.csv.reader import CsvReader
from finplan.statements.foreign import refusal, sentence_for_text
from finplan.statements.journal.reader import BeancountReader, HledgerReader
from finplan.statements.mt940.reader import Mt940Reader
from finplan.statements.ofx.reader import OfxReader
from finplan.statements.own.read_csv import OwnCsvReader
from finplan.statements.own.read_json import OwnJsonReader
from finplan.statements.qif.reader import QifReader
from finplan.statements.seen import seen
from finplan.statements.statement import (
    AmbiguousStatement,
    Hints,
    ParsedStatement,
    Question,
    SourceFile,
    StatementReader,
    UnreadableStatement,
)
from finplan.statements.unneeded_answers import unneeded_in_format

READERS: tuple[StatementReader, ...] = (
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


def read(source: SourceFile, hints: Hints) -> ParsedStatement:
    """Read a file with the reader that recognises it.

    Raises UnreadableStatement, which says what the file seems to be instead, and AmbiguousStatement
    with all that the file leaves open.
    """
    parsed, questions = read_as_likely(source, hints)
    if parsed is None or questions:
        raise AmbiguousStatement(*questions)
    return parsed


def read_as_likely(
    source: SourceFile, hints: Hints
) -> tuple[ParsedStatement | None, tuple[Question, ...]]:
    """Read a file, taking the first choice where it leaves something open, and tell what that is.

    So all questions of a file come at once, and what else is to be found out of it can be, though it
    must not be imported so; None where it cannot be read like that. Raises UnreadableStatement for a
    file that leaves nothing open.
    """
    why_not = refusal(source.head)
    if why_not is not None:
        raise UnreadableStatement(why_not)
    reader = next((reader for reader in READERS if reader.recognises(source)), None)
    if reader is None:
        raise UnreadableStatement(sentence_for_text(source.head))
    questions: list[Question] = []
    ignored = () if isinstance(reader, CsvReader) else unneeded_in_format(reader.format, hints)
    while True:
        try:
            parsed = seen(reader.read(source, hints))
            return replace(parsed, notes=(*parsed.notes, *ignored)), tuple(questions)
        except AmbiguousStatement as ambiguous:
            asked = {question.about for question in questions}
            new = [each for each in ambiguous.questions if each.about not in asked]
            questions += new
            if not new:
                return None, tuple(questions)
            for question in new:
                likely: dict[str, Any] = {question.about: question.choices[0].value}
                hints = replace(hints, **likely)
        except UnreadableStatement:
            if not questions:
                raise
            return None, tuple(questions)
