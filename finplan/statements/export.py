"""What finplan writes when a person takes the data along: rows, and as CSV and JSON whole files.

A file that finplan wrote is read again to the same rows of the same accounts, so every format carries
the account's id, the bank's text and id of each row, and the key of its payee.

The CSV export has one transaction in a row, with everything that identifies it and its account. The
JSON export has the household, its payees, the accounts, then the transactions, one on each line: what a
reader needs first stands first, so that a file is read from its beginning to its end.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from finplan.model.household import ExportedHome
from finplan.model.money import to_text
from finplan.model.transaction import RowRemarks, remark_texts
from finplan.statements.statement import StatementAccount

Side = Literal["expenses", "income", "equity"]
"""Where the other side of a row belongs in double entry: money that only moves is equity."""


class ExportedPart(NamedTuple):
    """A part of a row that the person split; the amounts of all parts add up to that of the row."""

    amount: int
    category: str
    note: str | None = None


class ExportedRow(NamedTuple):
    """One posted row; `day` is YYYYMMDD, `amount` in minor units, positive when money comes in.

    `account` is the account's id. `payee_key` names the payee for good, `payee` for a reader. `source`
    and `ordinal` tell it from equal rows, `code` is the bank's own of what it was for. `transfer` is the
    id of the pair whose leg it is, and `spends` says that it is spending all the same. `remarks`, by
    their names, and `parts` are what the person said of this row alone; `parts` is empty where it is
    whole.
    """

    account: str
    day: int
    amount: int
    raw: str
    external_id: str | None
    payee_key: str
    payee: str
    category: str
    source: str = ""
    ordinal: int = 0
    code: str | None = None
    transfer: str | None = None
    spends: bool = False
    remarks: Mapping[str, Any] = MappingProxyType({})
    parts: tuple[ExportedPart, ...] = ()

    @property
    def filed(self) -> Sequence[ExportedPart]:
        """What each share of the amount is for: the parts, or all of it."""
        return self.parts or (ExportedPart(self.amount, self.category),)


class CounterAccount(NamedTuple):
    """What a category is in double entry: a side, and the words of its account below."""

    side: Side
    words: str


@dataclass(frozen=True, slots=True)
class Exported:
    """What a writer knows before the first row: the accounts by id, and each category's counter.

    `balances` has day and balance of each account by its id, oldest first: positive is what is owned,
    but on credit and loan accounts what is owed. `home` is all that is known besides the rows, for JSON
    alone; None where only some rows are exported.
    """

    accounts: Mapping[str, StatementAccount]
    counters: Mapping[str, CounterAccount]
    balances: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    home: ExportedHome | None = None

    @property
    def currencies(self) -> list[str]:
        """The currencies of the accounts, each once, in alphabetical order."""
        return sorted({account.currency for account in self.accounts.values()})


class StatementWriter(Protocol):
    """Writes one file: its head, then its rows in runs of any length, then its tail."""

    def head(self) -> str:
        """What stands before the first row."""
        ...

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next rows."""
        ...

    def tail(self) -> str:
        """What stands after the last row."""
        ...


def iso_date(day: int) -> str:
    """Write a day YYYYMMDD as 2026-11-21."""
    return f"{day // 10000:04d}-{day // 100 % 100:02d}-{day % 100:02d}"


CSV_COLUMNS = (
    "date", "account", "payee", "description", "category", "amount", "currency",
    "transaction_id", "payee_key", "account_id", "account_number", "institution", "kind", "subtype",
    "note", "splits", *(name for name in RowRemarks.model_fields if name != "note"),
)  # fmt: skip
"""The header; a file with exactly this one is read back word for word."""

_FIRST_CSV_COLUMNS = CSV_COLUMNS.index("subtype") + 1

FORMER_CSV_COLUMNS = (
    CSV_COLUMNS[:_FIRST_CSV_COLUMNS],
    CSV_COLUMNS[: CSV_COLUMNS.index("splits") + 1],
)
"""The headers of the files that older versions wrote, which had fewer columns at the end."""

_NEEDS_QUOTES = re.compile(r'[",\r\n]')
_COMMANDS = ("=", "+", "-", "@", "\t", "\r", "'")


class CsvWriter:
    """Amounts are decimal, positive when money comes in; lines end as in Unix, the text is UTF-8.

    A row that is split stays one line, so that the amounts of a file add up to what was booked; its
    parts stand in one cell.
    """

    def __init__(self, exported: Exported) -> None:
        self._exported = exported

    def head(self) -> str:
        """The names of the columns."""
        return ",".join(CSV_COLUMNS) + "\n"

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next transactions."""
        return "".join(map(self._line, rows))

    def tail(self) -> str:
        """Nothing."""
        return ""

    def _line(self, row: ExportedRow) -> str:
        account = self._exported.accounts[row.account]
        values = {**remark_texts(row.remarks), "splits": _parts_in_a_cell(row, account.currency)}
        cells = (
            iso_date(row.day),
            safe_cell(account.name),
            safe_cell(row.payee),
            safe_cell(row.raw),
            row.category,
            to_text(row.amount, account.currency),
            account.currency,
            *map(safe_cell, (row.external_id, row.payee_key, account.id, account.number)),
            *map(safe_cell, (account.institution, account.kind, account.subtype)),
            *(safe_cell(values.get(name)) for name in CSV_COLUMNS[_FIRST_CSV_COLUMNS:]),
        )
        return ",".join(map(_quoted_cell, cells)) + "\n"


def _parts_in_a_cell(row: ExportedRow, currency: str) -> str:
    """The parts of a row, like "groceries -30.00; gifts -12.50 (for Ada)"."""
    return "; ".join(
        f"{part.category} {to_text(part.amount, currency)}"
        + (f" ({part.note})" if part.note else "")
        for part in row.parts
    )


def safe_cell(text: str | None) -> str:
    """Write a text so that no spreadsheet takes it for a formula: with an apostrophe before it."""
    text = text or ""
    return f"'{text}" if text.startswith(_COMMANDS) else text


def unsafe_cell(text: str) -> str:
    """Read what `safe` wrote."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_COMMANDS) else text


def _quoted_cell(cell: str) -> str:
    # The library leaves a lone carriage return bare where lines end without one.
    if _NEEDS_QUOTES.search(cell):
        return '"' + cell.replace('"', '""') + '"'
    return cell


JSON_MARK = "finplan"
"""The first name in the file; its value is the version of how accounts and rows are written."""

VERSION = 1

HOUSEHOLD_MARK = "exportVersion"
"""The name whose value is the version of the whole file, the household included."""

HOUSEHOLD_VERSION = 3
"""Files without the mark are of version 1, which held accounts and transactions alone."""

SINCE_HOUSEHOLDS = 2
"""The first version that held the household; words on rows had no notes and parts in it."""


class JsonWriter:
    """Amounts are minor units, positive when money comes in; names are the interface's."""

    def __init__(self, exported: Exported) -> None:
        self._exported = exported
        self._is_begun = False

    def head(self) -> str:
        """The mark, the household if it is whole, and the accounts."""
        exported = self._exported
        if exported.home is None:
            begins = f'{{"{JSON_MARK}": {VERSION},\n'
            accounts = [self._account(account_id) for account_id in exported.accounts]
        else:
            household, payees, home_accounts = exported.home
            home = "\n".join(
                (
                    f'"household": {household.model_dump_json(by_alias=True)},',
                    _json_list(
                        "payees", [payee.model_dump_json(by_alias=True) for payee in payees]
                    ),
                )
            )
            begins = (
                f'{{"{JSON_MARK}": {VERSION}, "{HOUSEHOLD_MARK}": {HOUSEHOLD_VERSION},\n{home},\n'
            )
            accounts = [account.model_dump_json(by_alias=True) for account in home_accounts]
        return f'{begins}{_json_list("accounts", accounts)},\n"transactions": ['

    def _account(self, account_id: str) -> str:
        """An account as far as its rows need it, with its balances."""
        account = self._exported.accounts[account_id]
        return _json_line(
            {
                "id": account.id,
                "name": account.name,
                "number": account.number,
                "institutionName": account.institution,
                "kind": account.kind,
                "subtype": account.subtype,
                "currency": account.currency,
                "balances": [
                    {"date": iso_date(day), "balance": balance}
                    for day, balance in self._exported.balances.get(account_id, ())
                ],
            }
        )

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next transactions, each after a comma but the first."""
        written = list(map(self._row, rows))
        before = ",\n" if self._is_begun else "\n"
        self._is_begun = self._is_begun or bool(written)
        return before + ",\n".join(written) if written else ""

    def tail(self) -> str:
        """The end of the list and of the object."""
        return "\n]}\n"

    def _row(self, row: ExportedRow) -> str:
        transaction: dict[str, object] = {
            "accountId": row.account,
            "date": iso_date(row.day),
            "amount": row.amount,
            "currency": self._exported.accounts[row.account].currency,
            "payeeKey": row.payee_key,
            "payee": row.payee,
            "raw": row.raw,
            "category": row.category,
            "externalId": row.external_id,
        }
        # Most rows have nothing of what follows, and there may be a million rows.
        if row.source:
            transaction["source"] = row.source
        if row.ordinal:
            transaction["ordinal"] = row.ordinal
        if row.code is not None:
            transaction["code"] = row.code
        if row.transfer is not None:
            transaction["transferId"] = row.transfer
        if row.spends:
            transaction["spends"] = True
        transaction.update((name, remark) for name, remark in row.remarks.items() if remark)
        if row.parts:
            transaction["splits"] = [part._asdict() for part in row.parts]
        return _json_line(transaction)


def _json_list(name: str, lines: Sequence[str]) -> str:
    listed = ",\n".join(lines)
    return f'"{name}": [\n{listed}\n]'


def _json_line(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
