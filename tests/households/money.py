"""What the accounts of a made-up household hold: rows on days, without chance in any of them.

Amounts are in minor units, positive when money comes in.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import cycle

_METER = (14, -9, 3, -17, 21, -4, -12, 8, -4, 11, -16, 5)
"""How far the bills of a meter lie from their mean, per cent: nine of them cancel out, and so do all."""


@dataclass(frozen=True)
class Row:
    """One booking, in the words of the bank."""

    day: date
    text: str
    amount: int


@dataclass
class Money:
    """An account whose rows are known until a day; `closing` is what it holds then, owed below zero."""

    until: date
    closing: int = 0
    rows: list[Row] = field(default_factory=list)

    def book(self, day: date, text: str, amount: int) -> None:
        """One row, unless its day has not come."""
        if day <= self.until:
            self.rows.append(Row(day, text, amount))

    def monthly(self, since: date, day: int, text: str, *amounts: int) -> None:
        """A row on a day of each month from the one of `since` on, the amounts by turns."""
        for (year, month), amount in zip(months(since, self.until), cycle(amounts), strict=False):
            self.book(date(year, month, day), text, amount)

    def every(self, days: int, since: date, text: str, *amounts: int) -> None:
        """A row every so many days, the amounts by turns."""
        when = since
        for amount in cycle(amounts):
            if when > self.until:
                return
            self.book(when, text, amount)
            when += timedelta(days)

    def metered(self, since: date, day: int, text: str, mean: int) -> None:
        """A bill each month that a meter counts: exactly `mean` over nine months and over twelve."""
        self.monthly(since, day, text, *(mean + mean * per_cent // 100 for per_cent in _METER))

    def visits(self, since: date, total: int, often: int, *texts: str) -> None:
        """Purchases on days and of amounts that never repeat, which add up to `total` each month."""
        for place, (year, month) in enumerate(months(since, self.until)):
            weights = [
                600 + 97 * (place + 3) ** 2 * (visit + 2) ** 3 % 701 for visit in range(often)
            ]
            left = total
            for visit, weight in enumerate(weights):
                day = 2 + visit * (27 // often) + (5 * place + 3 * visit) % 4
                last = visit == often - 1
                amount = left if last else total * weight // sum(weights)
                left -= amount
                self.book(date(year, month, day), texts[(place + visit) % len(texts)], amount)

    def ordered(self) -> list[Row]:
        """The rows as a bank lists them, oldest first."""
        return sorted(self.rows, key=lambda row: (row.day, row.text, row.amount))

    def opening(self) -> int:
        """What it held before its first row."""
        return self.closing - sum(row.amount for row in self.rows)


def months(since: date, until: date) -> Iterator[tuple[int, int]]:
    """The months from one day to another, both included."""
    for number in range(since.year * 12 + since.month - 1, until.year * 12 + until.month):
        yield number // 12, number % 12 + 1
