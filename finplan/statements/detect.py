"""Which reader reads a file, told by its content."""

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
    Hints,
    ParsedStatement,
    SourceFile,
    StatementReader,
    UnreadableStatement,
)

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

    Raises UnreadableStatement, which says what the file seems to be instead, and AmbiguousStatement.
    """
    why_not = refusal(source.head)
    if why_not is not None:
        raise UnreadableStatement(why_not)
    for reader in READERS:
        if reader.recognises(source):
            return seen(reader.read(source, hints))
    raise UnreadableStatement(sentence_for_text(source.head))
