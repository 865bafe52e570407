"""QIF: Quicken's old format, whose dates and numbers only the whole file can tell how to read."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from finplan.model.account import AccountKind
from finplan.model.money import LARGEST_AMOUNT, to_text
from finplan.statements.left_out import NO_CASH, STATES_BALANCE
from finplan.statements.qif.records import QifAccount, QifFile, QifRows, printed_day
from finplan.statements.statement import (
    Hints,
    ParsedStatement,
    SourceFile,
    StatementAccount,
    StatementPart,
    StatementRows,
    UnreadableStatement,
)
from finplan.statements.table.dates import DateConverter, DateEvidence, DateReading
from finplan.statements.table.numbers import AmountConverter, NumberEvidence
from finplan.statements.text.currencies import known_currency
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.encoding import find_charset, glance
from finplan.statements.text.shapes import shapes_of

_HEAD = re.compile(r"^!(?:type:|account\s*$|option:|clear:)", re.IGNORECASE | re.MULTILINE)
_KINDS: dict[str, tuple[AccountKind, str]] = {
    "bank": ("depository", "checking"),
    "cash": ("depository", "cash"),
    "ccard": ("credit", "credit card"),
    "oth a": ("other", "asset"),
    "oth l": ("loan", "liability"),
}
_SMALL = 8 << 20
"""Bytes of a file whose records are kept between the two passes; they take several times as many."""


class QifReader:
    """Reads QIF; one pass infers the order of dates and the decimal sign, and one converts."""

    format = "QIF"

    def recognises(self, source: SourceFile) -> bool:
        """Say whether a section's head stands in the first bytes."""
        return _HEAD.search(glance(source.head).replace("\r", "\n")) is not None

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:
        """Infer how the file is read; the rows are converted while the parts are taken.

        Raises UnreadableStatement, for a record without a possible date or amount and for a file
        without bank transactions, and AmbiguousStatement, both before any part.
        """
        charset = find_charset(source, hints.encoding)
        file = QifFile(source.path, charset)
        dates, numbers = DateEvidence(), NumberEvidence()
        is_small = source.path.stat().st_size <= _SMALL
        kept = []
        rows = None
        for rows in file.rows():
            dates.add(rows.days)
            numbers.add(0, rows.amounts, shapes_of(rows.amounts))
            if is_small:
                kept.append(rows)
        if rows is None:
            raise UnreadableStatement(file.why_nothing())
        currency = known_currency(hints.assumed_currency)
        sign = numbers.conclude(currency, hints.decimal_sign)
        order = dates.conclude(hints.date_order, decimal_comma=numbers.proves_comma)
        converter = _Converter(
            DateConverter(DateReading(order)),
            AmountConverter(sign, currency),
            currency,
            PurePath(source.name).stem,
        )
        parts = converter.parts(kept or file.rows(), file)
        return ParsedStatement(self.format, charset.name, parts)


class _Converter:
    """Converts rows account by account, and adds up those whose opening balance is stated."""

    def __init__(
        self, dates: DateConverter, amounts: AmountConverter, currency: str, file_name: str
    ) -> None:
        self._dates = dates
        self._amounts = amounts
        self._currency = currency
        self._file_name = file_name
        self._seen = 0
        self._balances: dict[StatementAccount, tuple[int, int]] = {}
        self._stated: dict[StatementAccount, tuple[int, int]] = {}

    def parts(self, runs: Iterable[QifRows], file: QifFile) -> Iterator[StatementPart]:
        """Yield the rows of each run, and in the end the balances that the file tells.

        The last account is told of the records of investments, which belong to none.
        """
        account = None
        for rows in runs:
            account = self._account(rows.account)
            days, amounts = self._days(rows), self._minor(rows)
            self._seen += len(days)
            self._add_up(account, rows, days, amounts)
            left_out = {} if rows.opening is None else {STATES_BALANCE: 1}
            booked = _without_opening(rows, days, amounts)
            yield StatementPart(account, booked, left_out=left_out)
        for each, (balance, day) in (self._stated | self._balances).items():
            if abs(balance) <= LARGEST_AMOUNT:
                yield StatementPart(
                    each, balance=balance, balance_day=day, balance_fits=self._fits(each)
                )
        if account is not None and file.investments:
            yield StatementPart(account, left_out={NO_CASH: file.investments})

    def _fits(self, account: StatementAccount) -> bool | None:
        """Whether opening balance and rows make the balance that the account's statement says."""
        if account not in self._stated or account not in self._balances:
            return None
        return self._stated[account][0] == self._balances[account][0]

    def _account(self, account: QifAccount) -> StatementAccount:
        kind, subtype = _KINDS[account.section]
        if account.section == "bank" and "saving" in account.name.lower():
            subtype = "savings"
        return StatementAccount(
            number=account.name or None,
            name=account.name or self._file_name,
            currency=self._currency,
            kind=kind,
            subtype=subtype,
            currency_is_assumed=True,
        )

    def _days(self, rows: QifRows) -> list[int]:
        days = self._dates.convert(rows.days)
        if min(days) <= 0:
            place = days.index(min(days))
            raise self._refusal(rows, place, f"{quoted(rows.days[place])} is no possible date")
        return days

    def _minor(self, rows: QifRows) -> list[int]:
        shapes = shapes_of(rows.amounts)
        if not self._amounts.knows(set(shapes)):
            known = [self._amounts.knows([shape]) for shape in shapes]
            place = known.index(False)
            raise self._refusal(rows, place, f"{quoted(rows.amounts[place])} is no amount")
        amounts = self._amounts.convert(rows.amounts, shapes)
        largest = max(amounts, key=abs)
        if abs(largest) > LARGEST_AMOUNT:
            limit = to_text(LARGEST_AMOUNT, self._currency)
            printed = to_text(largest, self._currency)
            raise self._refusal(
                rows,
                amounts.index(largest),
                f"{printed} is too large; an amount is at most {limit}",
            )
        return amounts

    def _add_up(
        self, account: StatementAccount, rows: QifRows, days: list[int], amounts: list[int]
    ) -> None:
        """Follow the balance from its opening, and note what the account's statement says.

        Programs write the opening record only where all that follows it is in the file.
        """
        if rows.opening is not None:
            self._balances[account] = 0, 0
        if account in self._balances:
            balance, day = self._balances[account]
            self._balances[account] = balance + sum(amounts), max(day, *days)
        stated = rows.account
        shapes = shapes_of([stated.statement_balance])
        (day,) = self._dates.convert([printed_day(stated.statement_day)])
        if stated.statement_balance and day > 0 and self._amounts.knows(shapes):
            (balance,) = self._amounts.convert([stated.statement_balance], shapes)
            self._stated[account] = balance, day

    def _refusal(self, rows: QifRows, place: int, what: str) -> UnreadableStatement:
        name = f" ({quoted(rows.raws[place])})" if rows.raws[place] else ""
        return UnreadableStatement(f"Transaction {self._seen + place + 1}{name}: {what}.")


def _without_opening(rows: QifRows, days: list[int], amounts: list[int]) -> StatementRows:
    """Give the rows without the one that states the opening balance, which moves no money."""
    columns = (days, amounts, rows.raws, rows.payees)
    if rows.opening is not None:
        for column in columns:
            del column[rows.opening]
    count = len(days)
    return StatementRows(days, amounts, rows.raws, [None] * count, rows.payees, [False] * count)
