"""Journals of plain-text accounting: read twice, once for what they declare and once for their rows."""

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

from finplan.statements import statement
from finplan.statements.journal.entries import AmountReader, Chart, JournalEntry
from finplan.statements.journal.parser import BeancountParser, HledgerParser
from finplan.statements.journal.writer import BEANCOUNT_MARK, HLEDGER_MARK
from finplan.statements.text.encoding import Charset, find_charset, glance, lines_of

_TABS_OF_A_TABLE = 2
_LOOKED_AT = 1 << 16
_BEANCOUNT = re.compile(
    r"^(?:option[ \t]+\"\w+\"[ \t]+\"|plugin[ \t]+\"|include[ \t]+\"[^\"\n]*\.(?:beancount|bean)\""
    r"|\d{4}[-/]\d\d?[-/]\d\d?[ \t]+(?:"
    r"(?:open|close|balance|pad|note|document)[ \t]+[^\W\d_a-z][^\s:]{0,80}:\S"
    r"|commodity[ \t]+[A-Z]"
    r"|(?:txn|[*!])(?:[ \t][^\n]*)?\n(?:[ \t][^\n]*\n){0,40}?"
    r"[ \t]{1,40}(?:[*!] )?[^\W\d_a-z][\w-]{0,80}:[^\s:]"
    r"(?=[^\n]*\d[ \t]+[A-Z][A-Z0-9'._-]{0,22}[ \t]*(?:$|[{@;]))))",
    re.MULTILINE,
)
_HLEDGER_HEAD = re.compile(r"(?:\d{4}[-/.])?\d{1,2}[-/.]\d{1,2}(?:=[\d/.-]+)?(?:\s.*|$)")
_HLEDGER_POSTING = re.compile(r"\s+(?:[*!]\s?)?[^\s;#%|\"<>{}\d]")
_BETWEEN = re.compile(r"\t| {2}")
_INCLUDE = re.compile(
    r"^[!@]?include[ \t]++[^\n\"]{1,200}\.(?:journal|ledger|hledger|dat|j|timeclock)[ \t]*$",
    re.MULTILINE,
)


class _Parser(Protocol):
    def entries(self, lines: Iterable[str]) -> Iterator[JournalEntry]: ...


class HledgerReader:
    """Reads journals of hledger and ledger; a transaction marked “!” is pending."""

    format = "hledger"

    def recognises(self, source: statement.SourceFile) -> bool:
        """Say whether a dated line has postings below it, or another journal is included."""
        text = _begun(source)
        is_own = text.startswith(HLEDGER_MARK)
        return is_own or _has_postings(text) or bool(_INCLUDE.search(text))

    def read(
        self, source: statement.SourceFile, hints: statement.Hints
    ) -> statement.ParsedStatement:
        """Read a journal. Raises UnreadableStatement and AmbiguousStatement, as do the parts."""
        charset = find_charset(source, hints.encoding)
        chart, amounts = Chart(hints.assumed_currency), AmountReader(hints.decimal_sign)
        _learn(HledgerParser(chart, amounts), source, charset)
        amounts.conclude()
        parts = _parts(HledgerParser(chart, amounts), chart, source, charset)
        return statement.ParsedStatement(self.format, charset.name, parts)


class BeancountReader:
    """Reads journals of beancount, where a point is always the decimal sign."""

    format = "beancount"

    def recognises(self, source: statement.SourceFile) -> bool:
        """Say whether an account is opened, an option is set, or a transaction has quoted texts."""
        text = _begun(source)
        return text.startswith(BEANCOUNT_MARK) or bool(_BEANCOUNT.search(text))

    def read(
        self, source: statement.SourceFile, hints: statement.Hints
    ) -> statement.ParsedStatement:
        """Read a journal. Raises UnreadableStatement, as do the parts."""
        charset = find_charset(source, hints.encoding)
        chart, amounts = Chart(hints.assumed_currency), AmountReader(None, always_point=True)
        _learn(BeancountParser(chart, amounts), source, charset)
        amounts.conclude()
        parts = _parts(BeancountParser(chart, amounts), chart, source, charset)
        return statement.ParsedStatement(self.format, charset.name, parts)


def _begun(source: statement.SourceFile) -> str:
    text = glance(source.head)[:_LOOKED_AT]
    return text.removeprefix("ï»¿").replace("\r\n", "\n").replace("\r", "\n") + "\n"


def _has_postings(text: str) -> bool:
    """Say whether some indented line below a dated one has an amount behind two blanks or a tab."""
    is_below = False
    for line in text.split("\n"):
        if line[:1] not in (" ", "\t"):
            # A line of several tabs is a table's row, whose next one may begin with an empty cell.
            is_below = line.count("\t") < _TABS_OF_A_TABLE and bool(
                _HLEDGER_HEAD.fullmatch(line[:200])
            )
        elif is_below and _HLEDGER_POSTING.match(line):
            _, *amount = _BETWEEN.split(line.strip(), maxsplit=1)
            if amount and any(map(str.isdigit, amount[0].partition(";")[0])):
                return True
    return False


def _learn(parser: _Parser, source: statement.SourceFile, charset: Charset) -> None:
    for _ in parser.entries(lines_of(source, charset)):
        pass


def _parts(
    parser: _Parser, chart: Chart, source: statement.SourceFile, charset: Charset
) -> Iterator[statement.StatementPart]:
    rows = (row for entry in parser.entries(lines_of(source, charset)) for row in chart.rows(entry))
    is_empty = True
    for part in statement.gathered(rows):
        is_empty = False
        yield part
    yield from chart.left_out()
    if is_empty and chart.has_investments:
        raise statement.UnreadableStatement(
            "The journal's asset and liability accounts contain only investments, no money."
        )
    if is_empty and not _begun(source).startswith((HLEDGER_MARK, BEANCOUNT_MARK)):
        raise statement.UnreadableStatement(
            "The journal contains no transaction in an account under assets or liabilities."
        )
