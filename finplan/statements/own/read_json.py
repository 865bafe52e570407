"""The JSON that finplan itself writes, read value by value, so that memory stays small."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.gathering import gathered
from finplan.statements.journal.entries import kind_named
from finplan.statements.own.write_json import MARK, VERSION
from finplan.statements.statement import (
    Hints,
    ParsedStatement,
    SourceFile,
    StatementAccount,
    StatementPart,
    StatementRow,
    UnreadableStatement,
)
from finplan.statements.text.currencies import CODES
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.encoding import glance
from finplan.statements.text.limits import day_number

_BEGINNING = re.compile(rf'\s*\{{\s*"{MARK}"\s*:')
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_SPACE = re.compile(r"[ \t\r\n]*")
_BLOCK = 1 << 16
_LONGEST_VALUE = 1 << 24
_DAMAGED = "The file is damaged or cut off; export it again."


class OwnJsonReader:
    """Reads the export, however its white space is laid out."""

    format = "finplan-json"

    def recognises(self, source: SourceFile) -> bool:
        """Say whether the file is an object whose first name is the export's mark."""
        return bool(_BEGINNING.match(glance(source.head[:4096]).removeprefix("ï»¿")))

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:  # noqa: ARG002  # Nothing is open.
        """Read the rows; the parts raise UnreadableStatement where the file is damaged."""
        return ParsedStatement(self.format, "utf-8", _parts(source))


def _parts(source: SourceFile) -> Iterator[StatementPart]:
    """The rows, and behind them the balances, one in each part."""
    balances: list[StatementPart] = []
    yield from gathered(_rows(source, balances))
    yield from balances


def _rows(
    source: SourceFile, balances: list[StatementPart]
) -> Iterator[tuple[StatementAccount, StatementRow]]:
    with source.path.open(encoding="utf-8-sig", newline="") as file:
        try:
            yield from _read_object(_Values(file), balances)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UnreadableStatement(_DAMAGED) from error


def _read_object(
    values: "_Values", balances: list[StatementPart]
) -> Iterator[tuple[StatementAccount, StatementRow]]:
    accounts: dict[str, StatementAccount] = {}
    values.take("{")
    while True:
        name = values.value()
        values.take(":")
        if name == "transactions":
            for place, value in enumerate(values.items(), 1):
                yield _row(value, place, accounts)
        elif name == "accounts":
            for value in values.items():
                account = accounts[value["id"]] = _account(value)
                balances += (_balance(account, each) for each in value.get("balances") or ())
        elif name == MARK:
            _refuse_newer(values.value())
        else:
            values.value()
        if not values.goes_on("}"):
            return


def _refuse_newer(version: Any) -> None:
    if version != VERSION:
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


def _row(
    value: Any, place: int, accounts: dict[str, StatementAccount]
) -> tuple[StatementAccount, StatementRow]:
    account = accounts.get(value["accountId"])
    day, amount = _day(value["date"]), value["amount"]
    if account is None or day is None or type(amount) is not int or abs(amount) > LARGEST_AMOUNT:
        raise UnreadableStatement(
            f"Transaction {place} of the file has an account, a date or an amount that is none."
        )
    return account, StatementRow(
        day,
        amount,
        _text(value["raw"]),
        _text_or_none(value.get("externalId")),
        _text_or_none(value.get("payeeKey")),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    # Half of a surrogate pair can be written in JSON and is no text.
    value.encode()
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)


class _Values:
    """Takes one value after another from a text that is read block by block."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._kept = ""
        self._place = 0
        self._decoder = json.JSONDecoder(parse_float=str, parse_constant=_refuse)

    def items(self) -> Iterator[Any]:
        """Yield the items of a list."""
        self.take("[")
        if self._next() == "]":
            self.take("]")
            return
        while True:
            yield self.value()
            if not self.goes_on("]"):
                return

    def goes_on(self, end: str) -> bool:
        """Take a comma, or the end of the list or object. Raises ValueError for anything else."""
        if self._next() == end:
            self.take(end)
            return False
        self.take(",")
        return True

    def take(self, sign: str) -> None:
        """Take one sign. Raises ValueError when another one stands there."""
        if self._next() != sign:
            raise ValueError
        self._place += 1

    def value(self) -> Any:
        """Take a whole value. Raises ValueError when there is none."""
        self._next()
        wanted = _BLOCK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._kept, self._place)
            except ValueError:
                if not self._more(wanted):
                    raise
            else:
                # A number goes on where the text that is kept ends.
                if end < len(self._kept) or not self._more(wanted):
                    self._place = end
                    return value
            wanted *= 2

    def _next(self) -> str:
        while True:
            found = _SPACE.match(self._kept, self._place)
            self._place = found.end() if found else self._place
            if self._place < len(self._kept):
                return self._kept[self._place]
            if not self._more(_BLOCK):
                raise ValueError

    def _more(self, wanted: int) -> bool:
        self._kept = self._kept[self._place :]
        self._place = 0
        if len(self._kept) > _LONGEST_VALUE:
            raise ValueError
        block = self._file.read(wanted)
        self._kept += block
        return bool(block)


def _refuse(text: str) -> Any:
    raise ValueError(text)
