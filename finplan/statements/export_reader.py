"""The CSV and the JSON that finplan itself writes, read back word for word: nothing is inferred.

The JSON is read value by value, so that memory stays small.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, TextIO

from finplan.model.household import ExportedHome
from finplan.model.money import CODES, LARGEST_AMOUNT, to_minor
from finplan.statements import export, statement
from finplan.statements.export_household import JsonValues, read_home
from finplan.statements.journal.entries import parse_kind
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.encoding import glance
from finplan.statements.text.printed import day_number

_CSV_HEADERS = {
    ",".join(columns).encode(): columns
    for columns in (export.CSV_COLUMNS, *export.FORMER_CSV_COLUMNS)
}
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_AMOUNT = re.compile(r"-?\d{1,16}(?:\.\d{1,4})?", re.ASCII)
_LONGEST_LINE = 1 << 20
_MOST_ACCOUNTS = 10_000


class OwnCsvReader:
    """Reads a file whose header is the export's; one that another program saved again is any CSV."""

    format = "finplan-csv"

    def recognises(self, source: statement.SourceFile) -> bool:
        """Say whether the first line is the export's."""
        head = source.head.removeprefix(b"\xef\xbb\xbf")
        return any(
            head.startswith(header) and head[len(header) :][:1] in (b"", b"\n", b"\r")
            for header in _CSV_HEADERS
        )

    def read(
        self,
        source: statement.SourceFile,
        hints: statement.Hints,  # noqa: ARG002  # Nothing is open.
    ) -> statement.ParsedStatement:
        """Read the rows; the parts raise UnreadableStatement for a row that is damaged."""
        return statement.ParsedStatement(
            self.format, "utf-8", statement.gathered(_rows_of_csv(source))
        )


def _rows_of_csv(
    source: statement.SourceFile,
) -> Iterator[tuple[statement.StatementAccount, statement.StatementRow]]:
    accounts: dict[tuple[str, ...], statement.StatementAccount] = {}
    with source.path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.reader(_lines_of_csv(file))
        try:
            columns = tuple(next(table, ()))
            if columns not in _CSV_HEADERS.values():
                raise statement.UnreadableStatement(
                    "The first line is not the header of a finplan export."
                )
            for cells in table:
                if cells:
                    yield _row_of_csv(cells, columns, table.line_num, accounts)
        except UnicodeDecodeError as error:
            raise statement.UnreadableStatement(
                "The file is no longer UTF-8: another program saved it. Export it again."
            ) from error
        except csv.Error as error:
            raise statement.UnreadableStatement(
                f"Line {table.line_num}: a quotation mark is never closed. Export the file again."
            ) from error


def _lines_of_csv(file: TextIO) -> Iterator[str]:
    while line := file.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise statement.UnreadableStatement(statement.LONG_LINE)
        yield line


def _row_of_csv(
    cells: Sequence[str],
    columns: Sequence[str],
    line: int,
    accounts: dict[tuple[str, ...], statement.StatementAccount],
) -> tuple[statement.StatementAccount, statement.StatementRow]:
    if len(cells) != len(columns):
        raise statement.UnreadableStatement(
            f"Line {line} has {len(cells)} cells instead of {len(columns)}. Export the file again."
        )
    value = dict(zip(columns, cells, strict=True))
    key = (value["account_id"], value["currency"])
    if key not in accounts:
        if value["currency"] not in CODES or not value["account_id"]:
            raise statement.UnreadableStatement(
                f"Line {line}: missing account or currency. Export the file again."
            )
        if len(accounts) >= _MOST_ACCOUNTS:
            raise statement.UnreadableStatement("The file names more than ten thousand accounts.")
        accounts[key] = _account_of_csv(value)
    date, amount = _DATE.fullmatch(value["date"]), _AMOUNT.fullmatch(value["amount"])
    day = day_number(int(date[1]), int(date[2]), int(date[3])) if date else None
    if day is None:
        raise statement.UnreadableStatement(f"Line {line}: {quoted(value['date'])} is not a date.")
    minor = to_minor(Decimal(amount[0]), value["currency"]) if amount else None
    if minor is None or abs(minor) > LARGEST_AMOUNT:
        raise statement.UnreadableStatement(
            f"Line {line}: {quoted(value['amount'])} is not an amount."
        )
    return accounts[key], statement.StatementRow(
        day,
        minor,
        export.unsafe_cell(value["description"]),
        export.unsafe_cell(value["transaction_id"]) or None,
        export.unsafe_cell(value["payee_key"]) or None,
    )


def _account_of_csv(value: dict[str, str]) -> statement.StatementAccount:
    return statement.StatementAccount(
        export.unsafe_cell(value["account_number"]) or None,
        export.unsafe_cell(value["account"]),
        value["currency"],
        export.unsafe_cell(value["institution"]) or None,
        parse_kind(value["kind"]),
        export.unsafe_cell(value["subtype"]) or None,
        export.unsafe_cell(value["account_id"]),
    )


_JSON_BEGINNING = re.compile(rf'\s*\{{\s*"{export.JSON_MARK}"\s*:')

_TRANSFER = re.compile("trf_[0-9a-z]{1,40}")
_DAMAGED = "The file is damaged or cut off. Export it again."


class OwnJsonReader:
    """Reads the export, however its white space is laid out."""

    format = "finplan-json"

    def recognises(self, source: statement.SourceFile) -> bool:
        """Say whether the file is an object whose first name is the export's mark."""
        return bool(_JSON_BEGINNING.match(glance(source.head[:4096]).removeprefix("ï»¿")))

    def read(
        self,
        source: statement.SourceFile,
        hints: statement.Hints,  # noqa: ARG002  # Nothing is open.
    ) -> statement.ParsedStatement:
        """Read the household, then the rows; either raises UnreadableStatement for a damaged file."""
        return statement.ParsedStatement(
            self.format, "utf-8", _parts_of_json(source), home=_home_in_json(source)
        )


def _home_in_json(source: statement.SourceFile) -> ExportedHome | None:
    """What stands before the rows, where the export holds the whole household."""
    with source.path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return read_home(_names_in_json(JsonValues(file)))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise statement.UnreadableStatement(_DAMAGED) from error


def _names_in_json(values: JsonValues) -> Iterator[tuple[str, JsonValues]]:
    """Each name of the file before its transactions, with the values that go on behind it.

    Raises UnreadableStatement for a file of a newer version of finplan.
    """
    for name in values.names():
        if name == "transactions":
            return
        if name in _JSON_VERSIONS:
            _refuse_newer(values.value(), _JSON_VERSIONS[name])
        else:
            yield name, values


def _parts_of_json(source: statement.SourceFile) -> Iterator[statement.StatementPart]:
    """The rows, and behind them the balances, one in each part."""
    balances: list[statement.StatementPart] = []
    yield from statement.gathered_export(_rows_of_json(source, balances))
    yield from balances


def _rows_of_json(
    source: statement.SourceFile, balances: list[statement.StatementPart]
) -> Iterator[statement.ExportedStatementRow]:
    with source.path.open(encoding="utf-8-sig", newline="") as file:
        try:
            yield from _read_object(JsonValues(file), balances)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise statement.UnreadableStatement(_DAMAGED) from error


def _read_object(
    values: JsonValues, balances: list[statement.StatementPart]
) -> Iterator[statement.ExportedStatementRow]:
    accounts: dict[str, statement.StatementAccount] = {}
    for name in values.names():
        if name == "transactions":
            for index, value in enumerate(values.items(), 1):
                yield _row_of_json(value, index, accounts)
        elif name == "accounts":
            for value in values.items():
                account = accounts[value["id"]] = _account_of_json(value)
                balances += (
                    _balance_of_json(account, balance) for balance in value.get("balances") or ()
                )
        elif name in _JSON_VERSIONS:
            _refuse_newer(values.value(), _JSON_VERSIONS[name])
        else:
            values.skip()


_JSON_VERSIONS = {
    export.JSON_MARK: range(export.VERSION, export.VERSION + 1),
    export.HOUSEHOLD_MARK: range(export.SINCE_HOUSEHOLDS, export.HOUSEHOLD_VERSION + 1),
}
"""The versions that this one reads, by the names under which a file tells its own."""


def _refuse_newer(version: Any, versions: range) -> None:
    if type(version) is not int or version not in versions:
        raise statement.UnreadableStatement(
            f"This finplan cannot read export version {quoted(str(version), 20)}. Update finplan."
        )


def _account_of_json(value: Any) -> statement.StatementAccount:
    if value["currency"] not in CODES:
        raise statement.UnreadableStatement(
            f"{quoted(str(value['currency']), 20)} is not a currency. Export the file again."
        )
    return statement.StatementAccount(
        _text_of_json_or_none(value.get("number")),
        _text_of_json(value["name"]),
        value["currency"],
        _text_of_json_or_none(value.get("institutionName")),
        parse_kind(value.get("kind")),
        _text_of_json_or_none(value.get("subtype")),
        _text_of_json(value["id"]),
    )


def _balance_of_json(account: statement.StatementAccount, value: Any) -> statement.StatementPart:
    """One balance of an account, in the bank's sign: what is owed is negative."""
    day, balance = _day(value["date"]), value["balance"]
    if day is None or type(balance) is not int or abs(balance) > LARGEST_AMOUNT:
        raise statement.UnreadableStatement(
            f"The account {quoted(account.name)} has an invalid balance or date. Export the file again."
        )
    owed = account.kind in {"credit", "loan"}
    return statement.StatementPart(account, balance=-balance if owed else balance, balance_day=day)


def _day(printed: str) -> int | None:
    date = _DATE.fullmatch(printed)
    return day_number(int(date[1]), int(date[2]), int(date[3])) if date else None


def _row_of_json(
    value: Any, number: int, accounts: dict[str, statement.StatementAccount]
) -> statement.ExportedStatementRow:
    account = accounts.get(value["accountId"])
    day, amount = _day(value["date"]), value["amount"]
    if account is None or day is None or type(amount) is not int or abs(amount) > LARGEST_AMOUNT:
        raise statement.UnreadableStatement(
            f"Transaction {number} has an invalid account, date or amount. Export the file again."
        )
    row = statement.StatementRow(
        day,
        amount,
        _text_of_json(value["raw"]),
        _text_of_json_or_none(value.get("externalId")),
        _text_of_json_or_none(value.get("payeeKey")),
        code=_text_of_json_or_none(value.get("code")),
    )
    return account, row, _origin_of_json(value, number)


def _origin_of_json(value: Any, number: int) -> statement.ExportedOrigin:
    ordinal, spends = value.get("ordinal", 0), value.get("spends", False)
    if type(ordinal) is not int or not 0 <= ordinal <= LARGEST_AMOUNT or type(spends) is not bool:
        raise TypeError
    transfer = _text_of_json_or_none(value.get("transferId"))
    if transfer is not None and not _TRANSFER.fullmatch(transfer):
        raise ValueError
    return statement.ExportedOrigin(
        number, _text_of_json_or_none(value.get("source")), ordinal, transfer, spends
    )


def _text_of_json(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    # Half of a surrogate pair can be written in JSON and is no text.
    value.encode()
    return value


def _text_of_json_or_none(value: Any) -> str | None:
    return None if value is None else _text_of_json(value)
