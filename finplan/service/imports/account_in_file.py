"""What one file says of one account, apart from its rows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from finplan.plan.ledger.days import Interval, merged
from finplan.statements.statement import StatementPart, StatementRows

_MOST_STATED = 1000
"""How many stated periods of one file are told apart."""


@dataclass
class AccountInFile:
    """The days that a file knows of an account, its rows as a whole, its closing balance.

    `stated` are the days that the file states, `first` and `last` those of its booked rows, YYYYMMDD.
    `booked` counts these, `money_in` and `money_out` are what they add up to, both positive.
    `balance` has the bank's own sign; `fits` says whether it follows from the rows by what the file
    itself states, None where it does not tell. `left_out` counts rows by reason.
    """

    stated: list[Interval] = field(default_factory=list)
    first: int | None = None
    last: int | None = None
    booked: int = 0
    money_in: int = 0
    money_out: int = 0
    balance: int | None = None
    balance_day: int | None = None
    fits: bool | None = None
    left_out: Counter[str] = field(default_factory=Counter)
    assumed: list[str] = field(default_factory=list)

    def include(self, part: StatementPart, booked: Sequence[int]) -> None:
        """Let a part of the file, which has rows booked on some days, add what it says."""
        if booked:
            self._take_days(min(booked), max(booked))
            self._take_amounts(part.rows, len(booked))
        if part.until is not None:
            since = part.since or min(booked, default=part.until)
            self.state([Interval(min(since, part.until), part.until)])
        self._take_balance(part.balance, part.balance_day)
        self._take_fit(part.balance_fits)
        self.left_out.update(part.left_out)
        self.assumed += part.assumed

    def merge(self, other: "AccountInFile") -> None:
        """Add what the file says of the account under another name."""
        self.state(other.intervals)
        if other.first is not None and other.last is not None:
            self._take_days(other.first, other.last)
        self.booked += other.booked
        self.money_in += other.money_in
        self.money_out += other.money_out
        self._take_balance(other.balance, other.balance_day)
        self._take_fit(other.fits)
        self.left_out.update(other.left_out)
        self.assumed += other.assumed

    @property
    def intervals(self) -> list[Interval]:
        """The days as intervals; rows outside of the stated days widen them."""
        spans = merged(self.stated)
        if self.first is None or self.last is None:
            return spans
        if not spans:
            return [Interval(self.first, self.last, since_stated=False, until_stated=False)]
        if self.first < spans[0].since:
            spans[0] = spans[0]._replace(since=self.first)
        if self.last > spans[-1].until:
            spans[-1] = spans[-1]._replace(until=self.last)
        return spans

    def state(self, intervals: Sequence[Interval]) -> None:
        """Add days that the file states itself."""
        self.stated += intervals
        if len(self.stated) > _MOST_STATED:
            self.stated = merged(self.stated)
        if len(self.stated) > _MOST_STATED:
            # No bank states so many periods with holes between them: a file of them is damaged.
            self.stated = [Interval(self.stated[0].since, self.stated[-1].until)]

    def _take_days(self, first: int, last: int) -> None:
        self.first = first if self.first is None else min(self.first, first)
        self.last = last if self.last is None else max(self.last, last)

    def _take_amounts(self, rows: StatementRows, booked: int) -> None:
        amounts = rows.amounts
        if booked < len(amounts):
            amounts = [
                amount for amount, waits in zip(amounts, rows.pending, strict=True) if not waits
            ]
        total, came_in = sum(amounts), sum(amount for amount in amounts if amount > 0)
        self.booked += len(amounts)
        self.money_in += came_in
        self.money_out += came_in - total

    def _take_balance(self, balance: int | None, day: int | None) -> None:
        """Keep the newest balance; of two of one day the later one."""
        if balance is not None and (day or 0) >= (self.balance_day or 0):
            self.balance, self.balance_day = balance, day

    def _take_fit(self, fits: bool | None) -> None:
        """All of several balances must fit."""
        if fits is not None:
            self.fits = fits and self.fits is not False
