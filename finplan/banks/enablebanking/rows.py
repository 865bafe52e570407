"""Rows and balances as Enable Banking tells them, and what each row is known by.

An amount is a decimal text with its currency, and has no sign: a word says which way it goes. The
bank's own reference of a row may be missing, may come days after the row, may only count rows of a
day, and may be given twice. So a row is known by its reference together with its day, else by its
day, amount and text; what is alike in all is counted.

Banks tell several balances of an account, by ISO 20022's codes. What is booked is wanted, since rows
that wait are in no total: the balance of the day so far (ITBD) or of the last day that closed (CLBD),
whichever is the newer; then what is expected (XPCD), which counts what waits, and older kinds. What
is available (ITAV, CLAV) counts a credit line, too: it comes last.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from finplan.banks import answer as answers
from finplan.banks.base import BankTransaction, in_order
from finplan.model.money import CODES


class WrittenAmount(NamedTuple):
    """Minor units of a currency, with the sign that was written."""

    amount: int
    currency: str


def currency_of(value: object) -> str | None:
    """A currency's code, None for what is none; an account of several has `XXX`."""
    code = value.strip().upper() if isinstance(value, str) else ""
    return code if code in CODES else None


def read_amount(value: object) -> WrittenAmount | None:
    """An amount, None where there is none in a currency. Raises OddValue."""
    if not isinstance(value, Mapping):
        return None
    currency = currency_of(value.get("currency"))
    if currency is None:
        return None
    number = answers.read_text_number(value.get("amount"))
    return (
        None if number is None else WrittenAmount(answers.minor_units(number, currency), currency)
    )


_WAITS = {"PDNG", "HOLD"}
_NEVER_BOOKED = {"CNCL", "RJCT", "SCHD", "INFO"}
"""Cancelled, rejected, only planned, or told for information: none of them moves money."""

_PLACE = re.compile(r"^\d{4}-?\d{2}-?\d{2}[-._/ ]\d{1,4}\Z")
"""A reference that is a day and a number: a place in that day's list, which moves as the list grows."""

_LONGEST_REFERENCE = 100
_LONGEST_KEY = 2_000


MOST_ROWS = 50_000
"""Of one account in one sync; two years of the busiest household are a tenth of it."""

LONGEST_OVERLAP = 20
"""Rows by which a page that moved is looked for at most."""


class ToldRow(NamedTuple):
    """A row as it is told; `day` is None where a row that waits has none yet."""

    currency: str
    day: int | None
    amount: int
    raw: str
    payee: str | None
    pending: bool
    reference: str | None
    code: str | None


class RowPage(NamedTuple):
    """A page of an account's list: its rows, those left out, and the key of the next one, if any.

    `listed` is how many rows it lists. `first` and `last` are digests of those at its two ends.
    """

    rows: list[ToldRow]
    left_out: list[answers.NotRead]
    key: str | None
    listed: int
    first: tuple[str, ...]
    last: tuple[str, ...]

    def goes_on_twice(self, before: Sequence[str]) -> bool:
        """Whether the page begins with the rows that the ones before end with, by their digests."""
        most = min(len(before), len(self.first))
        return any(tuple(before[-size:]) == self.first[:size] for size in range(1, most + 1))


def read_page(answer: Mapping[str, Any], account: str) -> RowPage:
    """A page of the list of an account that is called so. Raises Unreadable."""
    listed, key = answer.get("transactions"), answer.get("continuation_key")
    if not isinstance(listed, list):
        raise answers.Unreadable("the list of transactions is missing")
    if len(listed) > MOST_ROWS:
        raise answers.Unreadable(f"more than {MOST_ROWS:,} transactions at once")
    if key is not None and key != "" and not _is_key(key):
        raise answers.Unreadable("invalid key for the next page")
    rows, left_out = read_rows(listed, account)
    return RowPage(
        *(rows, left_out, None if key is None or key == "" else str(key), len(listed)),
        first=tuple(map(_digest_of_row, listed[:LONGEST_OVERLAP])),
        last=tuple(map(_digest_of_row, listed[-LONGEST_OVERLAP:])),
    )


def _is_key(key: object) -> bool:
    if isinstance(key, int):
        return True
    return isinstance(key, str) and len(key) <= _LONGEST_KEY and key.isprintable()


def _digest_of_row(row: object) -> str:
    return sha256(json.dumps(row, sort_keys=True, default=str).encode()).hexdigest()[:24]


def read_rows(
    entries: Iterable[object], account: str
) -> tuple[list[ToldRow], list[answers.NotRead]]:
    """The rows that money moves or will move by, and those of the account that cannot be read."""
    rows, left_out = [], []
    for entry in entries:
        row = entry if isinstance(entry, dict) else {}
        status = str(row.get("status") or "")
        if status in _NEVER_BOOKED:
            continue
        try:
            rows.append(_row(row, status))
        except answers.Unreadable as error:
            left_out.append(answers.NotRead(account, str(error), is_row=True, day=_named_day(row)))
    return rows, left_out


def _named_day(fields: Mapping[str, Any]) -> str | None:
    """The day by which a person finds a row at their bank, None where none is told."""
    days = (fields.get(name) for name in ("booking_date", "value_date", "transaction_date"))
    return next(
        (str(day)[:10] for day in days if answers.try_read(answers.read_day, day) is not None),
        None,
    )


def _row(fields: Mapping[str, Any], status: str) -> ToldRow:
    size = answers.try_read(read_amount, fields.get("transaction_amount"))
    if size is None:
        raise answers.Unreadable("no amount with a currency")
    amount = abs(size.amount)
    way = fields.get("credit_debit_indicator")
    if way == "DBIT":
        amount = -amount
    elif way != "CRDT":
        raise answers.Unreadable("neither money in nor money out")
    names = ("booking_date", "value_date", "transaction_date")
    try:
        pending = status in _WAITS or (
            status != "BOOK" and answers.read_day(fields.get("booking_date")) is None
        )
        days = (
            answers.read_day(fields.get(name)) for name in (reversed(names) if pending else names)
        )
        day = next(filter(None, days), None)
    except answers.OddValue:
        raise answers.Unreadable("no date") from None
    if day is None and not pending:
        raise answers.Unreadable("no date")
    party = _name(fields.get("creditor" if amount < 0 else "debtor"))
    return ToldRow(
        currency=size.currency,
        day=day,
        amount=amount,
        raw=_text(fields, party),
        payee=party,
        pending=pending,
        reference=_reference(fields.get("entry_reference")),
        code=answers.merchant_code(fields.get("merchant_category_code")),
    )


def named_rows(
    account: Mapping[str, str], rows: Iterable[ToldRow], today: int
) -> tuple[BankTransaction, ...]:
    """Rows with their ids, oldest first; `account` has the id of what holds each currency."""
    met: Counter[tuple[str, str, int]] = Counter()
    identified = []
    for row in rows:
        holder = account[row.currency]
        known_by = _known_by(row)
        # Rows of another amount are told apart by that.
        met[holder, known_by, row.amount] += 1
        nth = met[holder, known_by, row.amount]
        identified.append(
            BankTransaction(
                account=holder,
                external_id=known_by if nth == 1 else f"{known_by} #{nth}",
                day=row.day or today,
                amount=row.amount,
                raw=row.raw,
                payee=row.payee,
                pending=row.pending,
                code=row.code,
            )
        )
    return in_order(identified)


def _known_by(row: ToldRow) -> str:
    if row.pending:
        # A row that posts may keep its reference, and is another row from then on.
        return f"waiting {row.reference or _digest(row)}"
    return f"{row.day} {row.reference or _digest(row)}"


def _digest(row: ToldRow) -> str:
    text = " ".join(f"{row.raw} {row.payee or ''}".casefold().split())
    return sha256(f"{row.day} {row.amount} {text}".encode()).hexdigest()[:24]


def _reference(value: object) -> str | None:
    text = answers.remark(value).strip()
    if not text or _PLACE.match(text):
        return None
    return text if len(text) <= _LONGEST_REFERENCE else sha256(text.encode()).hexdigest()[:40]


def _text(fields: Mapping[str, Any], party: str | None) -> str:
    lines = fields.get("remittance_information")
    listed = lines if isinstance(lines, list) else [lines]
    text = answers.remark(
        " ".join(dict.fromkeys(answers.remark(line) for line in listed if answers.remark(line)))
    )
    kind = fields.get("bank_transaction_code")
    described = answers.remark(kind.get("description")) if isinstance(kind, dict) else ""
    others = (answers.remark(fields.get("note")), party or "", described)
    return text or next(filter(None, others), "No description")


def _name(party: object) -> str | None:
    return (answers.remark(party.get("name")) or None) if isinstance(party, dict) else None


_BOOKED_BALANCES = ("ITBD", "CLBD")
_OTHER_BALANCES = ("XPCD", "OPBD", "PRCD", "VALU", "OTHR")
_AVAILABLE_BALANCES = ("ITAV", "CLAV", "FWAV", "OPAV")


class ShownBalance(NamedTuple):
    """What an account is worth, below zero when it owes, and the day that is of, if it is told."""

    amount: int
    day: int | None


class ReadBalances(NamedTuple):
    """The balance to show of each currency, and the names of fields that are odd."""

    by_currency: dict[str, ShownBalance]
    odd: list[str]


def read_balances(answer: Mapping[str, Any], today: int, limit: int | None) -> ReadBalances:
    """The balances of an account; `limit` is its credit line."""
    odd, entries = answers.OddFields(), answer.get("balances")
    listed = (
        [fields for fields in entries if isinstance(fields, dict)]
        if isinstance(entries, list)
        else []
    )
    by_currency: dict[str, list[tuple[str, ShownBalance]]] = {}
    for fields in listed:
        amount = odd.read("balance", read_amount, fields.get("balance_amount"))
        if amount is not None:
            day = odd.read(
                "day of the balance",
                partial(_day_of_balance, today=today),
                fields.get("reference_date"),
            )
            of = by_currency.setdefault(amount.currency, [])
            of.append((str(fields.get("balance_type")), ShownBalance(amount.amount, day)))
    chosen = ((currency, _chosen_balance(of, limit)) for currency, of in by_currency.items())
    balances = {currency: balance for currency, balance in chosen if balance is not None}
    return ReadBalances(balances, list(dict.fromkeys(odd.names)))


def _chosen_balance(
    balances: Iterable[tuple[str, ShownBalance]], limit: int | None
) -> ShownBalance | None:
    by_kind = dict(reversed(list(balances)))
    booked = [by_kind[kind] for kind in _BOOKED_BALANCES if kind in by_kind]
    if booked:
        # Without a day it is of now.
        return max(booked, key=lambda balance: balance.day or 99_999_999)
    for kind in _OTHER_BALANCES:
        if kind in by_kind:
            return by_kind[kind]
    for kind in _AVAILABLE_BALANCES:
        if kind in by_kind:
            available = by_kind[kind]
            return available._replace(amount=available.amount - (limit or 0))
    return None


def _day_of_balance(value: object, today: int) -> int | None:
    """The day that a balance is of, None for now: a day to come says nothing. Raises OddValue."""
    day = answers.read_day(value)
    return day if day is not None and day < today else None
