"""The CSV that finplan itself writes, read back word for word: nothing in it is inferred."""

import csv
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TextIO

from finplan.model.money import CODES, LARGEST_AMOUNT, to_minor
from finplan.statements.gathering import gathered
from finplan.statements.journal.entries import kind_named
from finplan.statements.own.write_csv import COLUMNS, FORMER_COLUMNS, unsafe
from finplan.statements.statement import (
    Hints,
    ParsedStatement,
    SourceFile,
    StatementAccount,
    StatementRow,
    UnreadableStatement,
)
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.limits import day_number

_HEADERS = {",".join(columns).encode(): columns for columns in (COLUMNS, FORMER_COLUMNS)}
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_AMOUNT = re.compile(r"-?\d{1,16}(?:\.\d{1,4})?", re.ASCII)
_LONGEST_LINE = 1 << 20
_MOST_ACCOUNTS = 10_000


class OwnCsvReader:
    """Reads a file whose header is the export's; one that another program saved again is any CSV."""

    format = "finplan-csv"

    def recognises(self, source: SourceFile) -> bool:
        """Say whether the first line is the export's."""
        head = source.head.removeprefix(b"\xef\xbb\xbf")
        return any(
            head.startswith(header) and head[len(header) :][:1] in (b"", b"\n", b"\r")
            for header in _HEADERS
        )

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:  # noqa: ARG002  # Nothing is open.
        """Read the rows; the parts raise UnreadableStatement for a row that is damaged."""
        return ParsedStatement(self.format, "utf-8", gathered(_rows(source)))


def _rows(source: SourceFile) -> Iterator[tuple[StatementAccount, StatementRow]]:
    accounts: dict[tuple[str, ...], StatementAccount] = {}
    with source.path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.reader(_lines(file))
        try:
            columns = tuple(next(table, ()))
            if columns not in _HEADERS.values():
                raise UnreadableStatement("The first line is not that of an export of finplan.")
            for cells in table:
                if cells:
                    yield _row(cells, columns, table.line_num, accounts)
        except UnicodeDecodeError as error:
            raise UnreadableStatement(
                "The file is not UTF-8 any more; another program has saved it. Export it again."
            ) from error
        except csv.Error as error:
            raise UnreadableStatement(
                f"Line {table.line_num}: a quotation mark is opened and never closed."
            ) from error


def _lines(file: TextIO) -> Iterator[str]:
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise UnreadableStatement("The file has a line of more than a million characters.")
        yield line


def _row(
    cells: Sequence[str],
    columns: Sequence[str],
    line: int,
    accounts: dict[tuple[str, ...], StatementAccount],
) -> tuple[StatementAccount, StatementRow]:
    if len(cells) != len(columns):
        raise UnreadableStatement(f"Line {line} has {len(cells)} cells and not {len(columns)}.")
    value = dict(zip(columns, cells, strict=True))
    key = (value["account_id"], value["currency"])
    if key not in accounts:
        if value["currency"] not in CODES or not value["account_id"]:
            raise UnreadableStatement(f"Line {line} names no account, or no currency.")
        if len(accounts) >= _MOST_ACCOUNTS:
            raise UnreadableStatement("The file names more than ten thousand accounts.")
        accounts[key] = _account(value)
    date, amount = _DATE.fullmatch(value["date"]), _AMOUNT.fullmatch(value["amount"])
    day = day_number(int(date[1]), int(date[2]), int(date[3])) if date else None
    if day is None:
        raise UnreadableStatement(f"Line {line}: {quoted(value['date'])} is no date.")
    minor = to_minor(Decimal(amount[0]), value["currency"]) if amount else None
    if minor is None or abs(minor) > LARGEST_AMOUNT:
        raise UnreadableStatement(f"Line {line}: {quoted(value['amount'])} is no amount.")
    return accounts[key], StatementRow(
        day,
        minor,
        unsafe(value["description"]),
        unsafe(value["transaction_id"]) or None,
        unsafe(value["payee_key"]) or None,
    )


def _account(value: dict[str, str]) -> StatementAccount:
    return StatementAccount(
        unsafe(value["account_number"]) or None,
        unsafe(value["account"]),
        value["currency"],
        unsafe(value["institution"]) or None,
        kind_named(value["kind"]),
        unsafe(value["subtype"]) or None,
        unsafe(value["account_id"]),
    )
