"""One-offs: single rows that no month brings again, such as a car, a hospital or an inheritance.

They are in what was, and in no figure that is planned with. Source: plan-semantics, section 2a.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from finplan.plan.ledger.amounts import median
from finplan.plan.ledger.books import Series, WindowFacts, rows_between, rows_within
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, add_months, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PEER, Ledger, Row

_Side = Literal["spent", "received", "moved"]
"""Spending, money in of any flow, and money out that is no spending."""

_MONTHS = 24
"""So many months up to the data end are searched for a row that is like it."""

_NEAR_PERCENT = 30
"""How far from an amount another one still is like it."""

_TIMES_USUAL = 3
"""How many usual months of its category a one-off comes to at least."""

_SELDOM = frozenset({"travel", "health", "home_upkeep", "car", "education"})
"""What most households pay a large sum for now and then: a one-off from two months of spending on."""

_YEARLY = frozenset({"taxes", "insurance"})
"""What is due again a year later."""

_PAIRED_MOVES = frozenset({"transfer", "card_payment"})

_MOST_A_YEAR = 2
"""So many of a side are one-offs within a year; if more occur, the others are what a year brings."""

_A_YEAR = 365

_BACK_DAYS = 180
"""So long after a one-off money in may be its refund."""

_BACK_PERCENT = 10
"""What of a one-off another payee's money in is at least, to be its reimbursement."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    sheet: Sheet
    row: Row

    @property
    def size(self) -> int:
        return abs(self.row[AMOUNT])


def find_one_offs(
    ledger: Ledger, window: WindowFacts, sheets: Sequence[Sheet], series: Iterable[Series]
) -> frozenset[Row]:
    """The one-offs of the 24 months up to the data end, each with what came back of it.

    `series` are the charges and sources that are known. Empty without a full month to compare with.
    """
    if not window.month_keys:
        return frozenset()
    last = day_of(window.data_end)
    since = add_months(last // 100, -_MONTHS) * 100 + last % 100
    recent = _Recent(sheets, since, last)
    in_series = {
        (payee, day_of(day))
        for known_series in series
        if known_series.cadence != "irregular"
        for payee in known_series.payees
        for day, _ in (*known_series.recent, *known_series.parts)
    }
    least = _least(sheets, window)
    accepted: dict[_Side, list[_Candidate]] = defaultdict(list)
    one_offs: set[Row] = set()
    for candidate, side in recent.candidates(least):
        row, payee = candidate.row, ledger.payees[candidate.sheet.payee]
        if (candidate.sheet.payee, row[DAY]) in in_series:
            continue
        if side == "received" and payee.inflow_sign == "windfall":
            one_offs.add(row)
        elif (
            candidate.size >= least[side] * (2 if candidate.sheet.category in _SELDOM else 1)
            and _is_unusual(candidate, sheets, window)
            and not recent.holds_another_like(candidate)
        ):
            accepted[side].append(candidate)
    for candidates in accepted.values():
        for candidate in _largest_of_each_year(candidates):
            one_offs.add(candidate.row)
            if candidate.row[AMOUNT] < 0:
                one_offs.update(recent.came_back_of(candidate))
    return frozenset(one_offs)


class _Recent:
    """The rows from one day to another, by sheet."""

    def __init__(self, sheets: Sequence[Sheet], since: int, last: int) -> None:
        self._sheets = [(sheet, rows_between(sheet, since, last)) for sheet in sheets]
        self._last = last

    def candidates(self, least: Mapping[_Side, int]) -> Iterator[tuple[_Candidate, _Side]]:
        """What is large for its side; of money in all, since words alone may make it a one-off."""
        for sheet, rows in self._sheets:
            if sheet.category in _YEARLY or sheet.flow == "reimbursable":
                continue
            for row in rows:
                if sheet.category in _PAIRED_MOVES and row[PEER]:
                    continue
                if row[AMOUNT] > 0 and sheet.flow != "spending":
                    yield _Candidate(sheet, row), "received"
                elif row[AMOUNT] < 0 and sheet.flow != "income":
                    side: _Side = "spent" if sheet.flow == "spending" else "moved"
                    if -row[AMOUNT] >= least[side]:
                        yield _Candidate(sheet, row), side

    def holds_another_like(self, candidate: _Candidate) -> bool:
        """Whether its payee or its category has another row of about its amount."""
        amount, times = candidate.row[AMOUNT], 0
        for sheet, rows in self._sheets:
            if candidate.sheet.payee == sheet.payee or candidate.sheet.category == sheet.category:
                for row in rows:
                    times += 100 * abs(row[AMOUNT] - amount) <= _NEAR_PERCENT * candidate.size
        return times > 1

    def came_back_of(self, candidate: _Candidate) -> list[Row]:
        """Its refunds and reimbursements, the largest first, together no more than it is."""
        bought, remaining = ORDINAL[candidate.row[DAY]], candidate.size
        returned = sorted(
            (
                row
                for sheet, rows in self._sheets
                if sheet.category == candidate.sheet.category
                for row in rows
                if row[AMOUNT] > 0
                and 0 <= ORDINAL[row[DAY]] - bought <= _BACK_DAYS
                and (
                    sheet.payee == candidate.sheet.payee
                    or 100 * row[AMOUNT] >= _BACK_PERCENT * candidate.size
                )
            ),
            key=lambda row: (-row[AMOUNT], row),
        )
        taken = []
        for row in returned:
            if row[AMOUNT] <= remaining:
                taken.append(row)
                remaining -= row[AMOUNT]
        return taken


def _least(sheets: Iterable[Sheet], window: WindowFacts) -> Mapping[_Side, int]:
    """A median month of spending and one of money in, of each side the least that a one-off is.

    Who is paid in few months only has money in measured by spending.
    """
    months: dict[str, Counter[int]] = {"spent": Counter(), "received": Counter()}
    for sheet in sheets:
        if sheet.flow == "spending":
            _add_months(months["spent"], sheet, window, sign=-1)
        elif sheet.flow == "income" or sheet.category == "unknown_inflow":
            _add_months(months["received"], sheet, window, sign=1)
    spent, received = (
        max(1, median([months[side][month] for month in window.month_keys]))
        for side in ("spent", "received")
    )
    return {"spent": spent, "moved": spent, "received": received if received > 1 else spent}


def _add_months(months: Counter[int], sheet: Sheet, window: WindowFacts, sign: int) -> None:
    for row in rows_within(sheet, window):
        months[row[DAY] // 100] += sign * row[AMOUNT]


def _is_unusual(candidate: _Candidate, sheets: Iterable[Sheet], window: WindowFacts) -> bool:
    """Whether it is several of its category's usual months: those with any beside it."""
    months: Counter[int] = Counter()
    sign = 1 if candidate.row[AMOUNT] > 0 else -1
    for sheet in sheets:
        if sheet.category == candidate.sheet.category:
            _add_months(months, sheet, window, sign)
    months[candidate.row[DAY] // 100] -= candidate.size
    usual = [months[month] for month in window.month_keys if months[month]]
    return not usual or candidate.size >= _TIMES_USUAL * median(usual)


def _largest_of_each_year(candidates: Collection[_Candidate]) -> Iterator[_Candidate]:
    """The largest ones, so that no year holds more than `_MOST_A_YEAR`."""
    days: list[int] = []
    for candidate in sorted(candidates, key=lambda purchase: (-purchase.size, purchase.row)):
        day = ORDINAL[candidate.row[DAY]]
        if sum(abs(day - other_day) < _A_YEAR for other_day in days) < _MOST_A_YEAR:
            days.append(day)
            yield candidate
