"""One statement line :61: with its texts to one row."""

import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from finplan.model.money import LARGEST_AMOUNT
from finplan.statements.mt940.text import Narratives
from finplan.statements.statement import StatementRow, StatementRows, UnreadableStatement
from finplan.statements.text.descriptors import quoted
from finplan.statements.text.limits import day_number
from finplan.statements.text.printed import amounts_of, reference_of, why_too_large

_LINE = re.compile(r"(\d{6})(\d{4})?\s?([RE]?[CD])[A-Z]?\s?(\d{1,18}(?:[.,]\d*)?)(.*)")
_SIGNS = {"C": 1, "D": -1, "RC": -1, "RD": 1, "EC": 1, "ED": -1}
"""A reversal of a credit takes money away; an expected credit brings some."""


class StatementLine(NamedTuple):
    """A statement line, what :86: and :NS: say of it, and a number that a message can name it by."""

    text: str
    information: str
    non_swift: str
    place: int


class LineConverter:
    """Converts statement lines to rows, remembering texts that it has seen."""

    def __init__(self) -> None:
        self._narratives = Narratives()

    def convert(self, lines: list[StatementLine], currency: str, *, pending: bool) -> StatementRows:
        """Convert lines of one account.

        Raises UnreadableStatement for a line without a possible day or amount, naming it.
        """
        found = [_LINE.match(line.text) for line in lines]
        printed = [match[4] if match else "" for match in found]
        sizes = amounts_of(printed, currency)
        rows = [
            self._row(line, match, size, currency, pending)
            for line, match, size in zip(lines, found, sizes, strict=True)
        ]
        return StatementRows.of(rows)

    def _row(
        self,
        line: StatementLine,
        match: re.Match[str] | None,
        size: int | None,
        currency: str,
        pending: bool,
    ) -> StatementRow:
        if match is None or size is None:
            raise _refusal(line, "that says no date, direction and amount")
        value, entry, mark, amount, rest = match.groups()
        if size > LARGEST_AMOUNT:
            raise UnreadableStatement(
                f"Transaction {line.place}: {why_too_large(amount, currency)}"
            )
        day = booked_on(value, entry)
        if day is None:
            raise _refusal(line, "whose date is impossible")
        supplement = line.text[match.end() :].strip()
        raw, payee = self._narratives[supplement, line.information, line.non_swift]
        reference = reference_of(rest.partition("//")[2])
        return StatementRow(
            day, _SIGNS[mark] * size, raw or _type_of(rest), reference, payee, pending
        )


@lru_cache(maxsize=1000)
def booked_on(value: str, entry: str | None) -> int | None:
    """Give the booking day of a value date YYMMDD and an entry date MMDD, as YYYYMMDD.

    The entry date has no year: it is in that which brings it nearest to the value date, so that a
    booking of 30 December may have its value on 2 January. Without a possible one it is the value
    date; None when that is impossible too. A value date such as 30 February, which interest is
    reckoned by, still tells the year.
    """
    year, month, day = short_year(value[:2]), int(value[2:4]), int(value[4:])
    valued = day_number(year, month, day)
    if entry is None:
        return valued
    near = day_number(year, month, min(day, 28)) if day else None
    if near is None:
        return None
    candidates = [
        day_number(each, int(entry[:2]), int(entry[2:])) for each in (year - 1, year, year + 1)
    ]
    possible = [candidate for candidate in candidates if candidate is not None]
    return min(possible, key=lambda candidate: _apart(candidate, near), default=valued)


def short_year(digits: str) -> int:
    """Give the year of two digits: 70 to 99 are 1970 to 1999."""
    return int(digits) + (1900 if int(digits) >= 70 else 2000)


def _apart(first: int, second: int) -> int:
    return abs((_date(first) - _date(second)).days)


def _date(day: int) -> date:
    return date(day // 10000, day // 100 % 100, day % 100)


def _type_of(rest: str) -> str:
    """Describe a line that nothing else is said of by its type and the customer's reference."""
    return " ".join(rest.partition("//")[0].split())


def _refusal(line: StatementLine, what: str) -> UnreadableStatement:
    return UnreadableStatement(
        f"Transaction {line.place} has a line {what}: {quoted(line.text, 50)}."
    )
