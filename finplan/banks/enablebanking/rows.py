"""Rows as Enable Banking tells them, and what each is known by.

An amount has no sign: a word says which way it goes. The bank's own reference of a row may be missing,
may come days after the row, may only count rows of a day, and may be given twice. So a row is known by
its reference together with its day, else by its day, amount and text; what is alike in all is counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from finplan.banks.base import BankTransaction
from finplan.banks.enablebanking.money import read_amount
from finplan.banks.http import Unreadable, remark
from finplan.banks.left_out import NotRead

_WAITS = {"PDNG", "HOLD"}
_NEVER_BOOKED = {"CNCL", "RJCT", "SCHD", "INFO"}
"""Cancelled, rejected, only planned, or told for information: none of them moves money."""

_PLACE = re.compile(r"^\d{4}-?\d{2}-?\d{2}[-._/ ]\d{1,4}\Z")
"""A reference that is a day and a number: a place in that day's list, which moves as the list grows."""

_LONGEST_REFERENCE = 100


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


def read_rows(told: Iterable[object], account: str) -> tuple[list[ToldRow], list[NotRead]]:
    """The rows that money moves or will move by, and those of the account that cannot be read."""
    rows, left_out = [], []
    for each in told:
        row = each if isinstance(each, dict) else {}
        status = str(row.get("status") or "")
        if status in _NEVER_BOOKED:
            continue
        try:
            rows.append(_row(row, status))
        except Unreadable as error:
            left_out.append(NotRead(account, str(error), is_row=True, day=_named_day(row)))
    return rows, left_out


def _named_day(told: Mapping[str, Any]) -> str | None:
    """The day by which a person finds a row at their bank, None where none is told."""
    days = (told.get("booking_date"), told.get("value_date"), told.get("transaction_date"))
    return next((str(each)[:10] for each in days if _day(each) is not None), None)


def _row(told: Mapping[str, Any], status: str) -> ToldRow:
    size = read_amount(told.get("transaction_amount"))
    if size is None:
        raise Unreadable("it has no amount in a currency")
    amount = abs(size.amount)
    way = told.get("credit_debit_indicator")
    if way == "DBIT":
        amount = -amount
    elif way != "CRDT":
        raise Unreadable("it does not say which way it goes")
    booked = _day(told.get("booking_date"))
    days = (booked, _day(told.get("value_date")), _day(told.get("transaction_date")))
    pending = status in _WAITS or (status != "BOOK" and booked is None)
    if pending:
        days = (days[2], days[1], days[0])
    day = next(filter(None, days), None)
    if day is None and not pending:
        raise Unreadable("it has no day")
    party = _name(told.get("creditor" if amount < 0 else "debtor"))
    return ToldRow(
        currency=size.currency,
        day=day,
        amount=amount,
        raw=_text(told, party),
        payee=party,
        pending=pending,
        reference=_reference(told.get("entry_reference")),
        code=_merchant_code(told.get("merchant_category_code")),
    )


def named_rows(
    account: Mapping[str, str], rows: Iterable[ToldRow], today: int
) -> list[BankTransaction]:
    """Rows with their ids, oldest first; `account` has the id of what holds each currency."""
    met: Counter[tuple[str, str, int]] = Counter()
    found = []
    for row in rows:
        holder = account[row.currency]
        known_by = _known_by(row)
        # Rows of another amount are told apart by that.
        met[holder, known_by, row.amount] += 1
        nth = met[holder, known_by, row.amount]
        found.append(
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
    return sorted(found, key=lambda row: (row.day, row.account, row.external_id, row.amount))


def _known_by(row: ToldRow) -> str:
    if row.pending:
        # A row that posts may keep its reference, and is another row from then on.
        return f"waiting {row.reference or _digest(row)}"
    return f"{row.day} {row.reference or _digest(row)}"


def _digest(row: ToldRow) -> str:
    text = " ".join(f"{row.raw} {row.payee or ''}".casefold().split())
    return sha256(f"{row.day} {row.amount} {text}".encode()).hexdigest()[:24]


def _reference(told: object) -> str | None:
    text = remark(told).strip()
    if not text or _PLACE.match(text):
        return None
    return text if len(text) <= _LONGEST_REFERENCE else sha256(text.encode()).hexdigest()[:40]


def _text(told: Mapping[str, Any], party: str | None) -> str:
    lines = told.get("remittance_information")
    listed = lines if isinstance(lines, list) else [lines]
    text = remark(" ".join(dict.fromkeys(remark(line) for line in listed if remark(line))))
    kind = told.get("bank_transaction_code")
    described = remark(kind.get("description")) if isinstance(kind, dict) else ""
    others = (remark(told.get("note")), party or "", described)
    return text or next(filter(None, others), "No description")


def _name(told: object) -> str | None:
    return (remark(told.get("name")) or None) if isinstance(told, dict) else None


def _merchant_code(told: object) -> str | None:
    text = str(told or "")
    return text if len(text) == 4 and text.isdecimal() else None


def _day(told: object) -> int | None:
    try:
        day = date.fromisoformat(str(told)[:10])
    except ValueError:
        return None
    return day.year * 10_000 + day.month * 100 + day.day
