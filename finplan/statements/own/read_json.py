"""The JSON that finplan itself writes, read value by value, so that memory stays small."""

import re
from collections.abc import Iterator
from typing import Any

from finplan.model.household import ExportedHome
from finplan.model.money import CODES, LARGEST_AMOUNT
from finplan.statements.gathering import ExportedStatementRow, gathered_export
from finplan.statements.journal.entries import kind_named
from finplan.statements.own.json_values import JsonValues
from finplan.statements.own.read_household import read_home
from finplan.statements.own.write_json import (
    HOUSEHOLD_MARK,
    HOUSEHOLD_VERSION,
    MARK,
    SINCE_HOUSEHOLDS,
    VERSION,
)
from finplan.statements.statement import (
    ExportedOrigin,
    Hints,
    ParsedStatement,
    SourceFile,
    StatementAccount,
    StatementPart,
    StatementRow,
    UnreadableStatement,
)
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.encoding import glance
from finplan.statements.text.limits import day_number

_BEGINNING = re.compile(rf'\s*\{{\s*"{MARK}"\s*:')
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_TRANSFER = re.compile("trf_[0-9a-z]{1,40}")
_DAMAGED = "The file is damaged or cut off; export it again."


class OwnJsonReader:
    """Reads the export, however its white space is laid out."""

    format = "finplan-json"

    def recognises(self, source: SourceFile) -> bool:
        """Say whether the file is an object whose first name is the export's mark."""
        return bool(_BEGINNING.match(glance(source.head[:4096]).removeprefix("ï»¿")))

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:  # noqa: ARG002  # Nothing is open.
        """Read the household, then the rows; either raises UnreadableStatement for a damaged file."""
        return ParsedStatement(self.format, "utf-8", _parts(source), home=_home(source))


def _home(source: SourceFile) -> ExportedHome | None:
    """What stands before the rows, where the export holds the whole household."""
    with source.path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return read_home(_names(JsonValues(file)))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UnreadableStatement(_DAMAGED) from error


def _names(values: JsonValues) -> Iterator[tuple[str, JsonValues]]:
    """Each name of the file before its transactions, with the values that go on behind it.

    Raises UnreadableStatement for a file of a newer version of finplan.
    """
    for name in values.names():
        if name == "transactions":
            return
        if name in _VERSIONS:
            _refuse_newer(values.value(), _VERSIONS[name])
        else:
            yield name, values


def _parts(source: SourceFile) -> Iterator[StatementPart]:
    """The rows, and behind them the balances, one in each part."""
    balances: list[StatementPart] = []
    yield from gathered_export(_rows(source, balances))
    yield from balances


def _rows(source: SourceFile, balances: list[StatementPart]) -> Iterator[ExportedStatementRow]:
    with source.path.open(encoding="utf-8-sig", newline="") as file:
        try:
            yield from _read_object(JsonValues(file), balances)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UnreadableStatement(_DAMAGED) from error


def _read_object(
    values: JsonValues, balances: list[StatementPart]
) -> Iterator[ExportedStatementRow]:
    accounts: dict[str, StatementAccount] = {}
    for name in values.names():
        if name == "transactions":
            for place, value in enumerate(values.items(), 1):
                yield _row(value, place, accounts)
        elif name == "accounts":
            for value in values.items():
                account = accounts[value["id"]] = _account(value)
                balances += (_balance(account, each) for each in value.get("balances") or ())
        elif name in _VERSIONS:
            _refuse_newer(values.value(), _VERSIONS[name])
        else:
            values.skip()


_VERSIONS = {
    MARK: range(VERSION, VERSION + 1),
    HOUSEHOLD_MARK: range(SINCE_HOUSEHOLDS, HOUSEHOLD_VERSION + 1),
}
"""The versions that this one reads, by the names under which a file tells its own."""


def _refuse_newer(version: Any, known: range) -> None:
    if type(version) is not int or version not in known:
        raise UnreadableStatement(
            f"The file is of version {quoted(str(version), 20)} of the export; "
            "update finplan to read it."
        )


def _account(value: Any) -> StatementAccount:
    if value["currency"] not in CODES:
        raise UnreadableStatement(f"{quoted(str(value['currency']), 20)} is no currency.")
    return StatementAccount(
        _text_or_none(value.get("number")),
        _text(value["name"]),
        value["currency"],
        _text_or_none(value.get("institutionName")),
        kind_named(value.get("kind")),
        _text_or_none(value.get("subtype")),
        _text(value["id"]),
    )


def _balance(account: StatementAccount, value: Any) -> StatementPart:
    """One balance of an account, in the bank's sign: what is owed is negative."""
    day, balance = _day(value["date"]), value["balance"]
    if day is None or type(balance) is not int or abs(balance) > LARGEST_AMOUNT:
        raise UnreadableStatement(
            f"The account {quoted(account.name)} has a balance or the date of one that is none."
        )
    owed = account.kind in {"credit", "loan"}
    return StatementPart(account, balance=-balance if owed else balance, balance_day=day)


def _day(printed: str) -> int | None:
    date = _DATE.fullmatch(printed)
    return day_number(int(date[1]), int(date[2]), int(date[3])) if date else None


def _row(value: Any, place: int, accounts: dict[str, StatementAccount]) -> ExportedStatementRow:
    account = accounts.get(value["accountId"])
    day, amount = _day(value["date"]), value["amount"]
    if account is None or day is None or type(amount) is not int or abs(amount) > LARGEST_AMOUNT:
        raise UnreadableStatement(
            f"Transaction {place} of the file has an account, a date or an amount that is none."
        )
    row = StatementRow(
        day,
        amount,
        _text(value["raw"]),
        _text_or_none(value.get("externalId")),
        _text_or_none(value.get("payeeKey")),
        code=_text_or_none(value.get("code")),
    )
    return account, row, _origin(value, place)


def _origin(value: Any, place: int) -> ExportedOrigin:
    ordinal, spends = value.get("ordinal", 0), value.get("spends", False)
    if type(ordinal) is not int or not 0 <= ordinal <= LARGEST_AMOUNT or type(spends) is not bool:
        raise TypeError
    transfer = _text_or_none(value.get("transferId"))
    if transfer is not None and not _TRANSFER.fullmatch(transfer):
        raise ValueError
    return ExportedOrigin(place, _text_or_none(value.get("source")), ordinal, transfer, spends)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    # Half of a surrogate pair can be written in JSON and is no text.
    value.encode()
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)
