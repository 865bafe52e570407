"""Whose account the rows of a table are: named above the table, in its columns, or by the file.

Rows that are left out are counted by reason for the accounts that they name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from finplan.model.money import CODES
from finplan.statements.statement import (
    NO_AMOUNT,
    StatementAccount,
    StatementPart,
    UnreadableStatement,
)
from finplan.statements.table.columns import Columns
from finplan.statements.table.filter import KeptRows
from finplan.statements.table.table import Table, is_number
from finplan.statements.table.words import ColumnName, meanings_of, words_of
from finplan.statements.text.currencies import currency_of, currency_of_iban
from finplan.statements.text.descriptors import quoted

_MOST_ACCOUNTS = 1000
_NAMES_OF_CATEGORIES = ("income:", "revenue:", "revenues:", "expense:", "expenses:", "equity:")
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?")
_ACCOUNT_NUMBER = re.compile(r"(?=.*[\dXx*]{3})[\w*./ -]{3,40}")
_UNIT = re.compile(r"[\d\s.,'’+−-]+")
_CARD = re.compile(r"\bcard\b|\bkarte\b|\bkreditkarte\b|\bcarte\b|\btarjeta\b", re.IGNORECASE)

_CARD_WORDS = """card cards creditcard kreditkarte kreditkarten visa mastercard amex carte tarjeta
    cartao carta kreditkort kredittkort luottokortti kreditkarta karta"""
_CARDS = frozenset(_CARD_WORDS.split())
_UNPARTED_CARDS = ("信用卡", "クレジットカード", "신용카드", "บัตรเครดิต")
"""The same in scripts that part no words."""


def named_above(preamble: Sequence[Sequence[str]], file_name: str) -> StatementAccount:
    """Read the account from the lines above a table, without currency; else it has the file's name."""
    name = PurePath(file_name).stem or file_name
    account = StatementAccount(None, name, "", currency_is_assumed=True)
    for label, value in _labelled_above(preamble):
        meanings = meanings_of(label)
        is_card = bool(_CARD.search(label))
        if (
            account.number is None
            and ("account" in meanings or is_card)
            and _ACCOUNT_NUMBER.fullmatch(value)
        ):
            account = replace(account, number=value, kind="credit" if is_card else None)
        elif "account name" in meanings and value:
            account = replace(account, name=value[:80])
        elif account.number is None and _IBAN.fullmatch(value):
            account = replace(account, number=value.replace(" ", ""))
    return account


def is_called_card(name: str) -> bool:
    """Say whether the name of a file or an account is that of a credit card."""
    if any(term in name for term in _UNPARTED_CARDS):
        return True
    return not _CARDS.isdisjoint(words_of(name)) and "debit" not in words_of(name)


def currency_above(preamble: Sequence[Sequence[str]]) -> str | None:
    """The one currency that the lines above a table name: alone, labelled, or beside an amount."""
    alone: set[str] = set()
    beside: set[str] = set()
    for label, value in _labelled_above(preamble):
        if value in CODES:
            alone.add(value)
        elif "currency" in meanings_of(label) and (code := currency_of(value)) is not None:
            alone.add(code)
        elif is_number(value):
            beside |= {code for code in map(currency_of, _UNIT.split(value)) if code is not None}
    currencies = alone or beside
    return currencies.pop() if len(currencies) == 1 else None


def ibans_of_every_row(names: Sequence[ColumnName], rows: Sequence[Sequence[str]]) -> list[str]:
    """The IBANs of columns that have one in every row, as the account's own has and no other side's.

    A column with a name that says something else is left out; so is one with a name that says nothing
    unless all of some rows have the same IBAN.
    """
    ibans: list[str] = []
    for index, column in enumerate(zip(*rows, strict=True)):
        cells = set(column)
        is_own = not names or (not names[index].meanings and len(cells) == 1 < len(rows))
        if is_own and all(map(currency_of_iban, cells)):
            ibans += cells
    return ibans


def _labelled_above(preamble: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Give each cell above the table with its label, from the same cell or from the one before."""
    labels = []
    for row in preamble:
        label = ""
        for cell in (cell.strip() for cell in row):
            before, colon, after = cell.partition(":")
            if colon and after.strip():
                labels.append((before.strip(), after.strip()))
            elif cell:
                labels.append((label, cell.strip(": ")))
            label = cell.strip(": ")
    return labels


class AccountColumns:
    """Tells the accounts of a table's rows apart by its account and currency columns.

    `by_iban` says that the country of an account's IBAN is the best evidence of its currency.
    """

    def __init__(
        self, default: StatementAccount, columns: Columns, *, by_iban: bool = False
    ) -> None:
        self.default = default
        self._by_iban = by_iban
        places = (columns.account, columns.account_name, columns.currency)
        self._account, self._name, self._currency = places
        self.places = tuple(index for index in places if index is not None)
        self.known: dict[tuple[str, ...], StatementAccount] = {}
        """The accounts that rows have named so far, by `key_of` these rows."""

    def of(self, row: Sequence[str]) -> StatementAccount:
        """Give the account of a row. Raises UnreadableStatement when there are too many to be true."""
        key = self.key_of(row)
        if key not in self.known:
            if len(self.known) >= _MOST_ACCOUNTS:
                raise UnreadableStatement(
                    "The table lists more than a thousand accounts, so it is not a bank statement."
                )
            self.known[key] = self._read(row)
        return self.known[key]

    def key_of(self, row: Sequence[str]) -> tuple[str, ...]:
        """Give the cells that name the account of a row."""
        return tuple(row[index] for index in self.places)

    def _read(self, row: Sequence[str]) -> StatementAccount:
        number = _unquoted(row[self._account]) if self._account is not None else ""
        name = _unquoted(row[self._name]) if self._name is not None else ""
        currency = currency_of(row[self._currency]) if self._currency is not None else None
        if currency is None and self._by_iban:
            currency = currency_of_iban(number)
        return replace(
            self.default,
            number=number or name or self.default.number,
            name=name or _called_by_number(number) or self.default.name,
            currency=currency or self.default.currency,
            currency_is_assumed=currency is None and self.default.currency_is_assumed,
        )


def _called_by_number(number: str) -> str:
    """What a person calls an account that the file names by a number alone.

    Nobody knows an IBAN by heart, so its last digits stand for it, as in other formats.
    """
    return f"Account {number[-4:]}" if _IBAN.fullmatch(number) else number


def _unquoted(cell: str) -> str:
    """Drop the apostrophe with which banks keep spreadsheets from reading a number."""
    return cell.strip().removeprefix("'")


def by_account(
    kept_rows: KeptRows, accounts: AccountColumns
) -> list[tuple[StatementAccount, KeptRows]]:
    """Divide transactions between their accounts, each keeping the order of the file.

    A journal's income and expense accounts are categories: their legs are no account's rows.
    """
    if not kept_rows.days:
        return []
    keys = [kept_rows.cells[index] for index in accounts.places]
    if all(len(set(column)) == 1 for column in keys):
        return [(accounts.of(kept_rows.cells.row(0)), kept_rows)]
    places: dict[StatementAccount, list[int]] = {}
    for index, row in enumerate(kept_rows.cells.rows):
        places.setdefault(accounts.of(row), []).append(index)
    return [
        (account, kept_rows.only(own))
        for account, own in places.items()
        if not (account.number or "").lower().startswith(_NAMES_OF_CATEGORIES)
    ]


_MOST_NAMES_COUNTED = 1000
_MOST_ROWS_NAMED = 3
"""How many rows without an amount are named by their lines, each of which is searched in the file."""


class LeftOutRows:
    """Counts rows as they are left out, and tells them account by account in the end."""

    def __init__(self, accounts: AccountColumns, columns: Columns) -> None:
        self._accounts = accounts
        self._columns = columns
        self._without_amount: list[Sequence[str]] = []
        self._counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)

    def add(self, rows: Iterable[tuple[Sequence[str], str]]) -> None:
        """Count rows, each with its reason."""
        for row, reason in rows:
            key = self._accounts.key_of(row)
            if reason == NO_AMOUNT and len(self._without_amount) < _MOST_ROWS_NAMED:
                self._without_amount.append(row)
            # However many names the rows have, only so many can be those of accounts.
            is_counted = len(self._counts) < _MOST_NAMES_COUNTED or key in self._counts
            self._counts[key if is_counted else ()][reason] += 1

    def add_all(self, counts: Mapping[str, int]) -> None:
        """Count rows that name no account, by reason."""
        self._counts[()].update(counts)

    def lines_without_amount(self, table: Table) -> dict[int, Sequence[str]]:
        """The lines of the first rows that have no amount, as far as they stand in the file as read."""
        lines = {table.line_of(row): row for row in self._without_amount}
        return {line: row for line, row in lines.items() if line}

    def note(self, lines: Mapping[int, Sequence[str]]) -> str:
        """The sentence that names the `lines` without an amount, and counts all further ones."""
        examples = [f"line {line}{self._quote_row(row)}" for line, row in lines.items()]
        extra = sum(counts[NO_AMOUNT] for counts in self._counts.values()) - len(examples)
        examples += [f"{extra:,} more"] if extra > 0 else []
        *first, last = examples
        listed = f"{', '.join(first)} and {last}" if first else last
        return f"Skipped {listed}: no amount."

    def _quote_row(self, row: Sequence[str]) -> str:
        text = " ".join(row[index].strip() for index in self._columns.descriptions).strip()
        return f" {quoted(text)}" if text else ""

    def parts(self, accounts: Collection[StatementAccount]) -> Iterator[StatementPart]:
        """Give the counts of each of the accounts with transactions; the first one takes all others.

        A row that is left out makes no account, so a file without any transaction gives none.
        """
        by_key = {
            key: candidate
            for key, candidate in self._accounts.known.items()
            if candidate in accounts
        }
        totals: defaultdict[StatementAccount, Counter[str]] = defaultdict(Counter)
        for key, counts in self._counts.items():
            account = by_key.get(key) or next(iter(by_key.values()), None)
            if account is not None:
                totals[account].update(counts)
        for account, counts in totals.items():
            yield StatementPart(account, left_out=dict(counts))
