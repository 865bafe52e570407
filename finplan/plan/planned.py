"""Planned money: what the person expects to receive or to pay, and which of it has happened.

An occurrence has happened once a transaction shows it: about its amount, about its day, on its account
if it names one, and in its category or with a payee of its name. It may come before its day, but not
before it was planned. From then on the transaction counts, and the occurrence no longer. One that has
not come ten days after its day is overdue and in no figure. Of what is planned to be paid, a part is set
aside each month. Where finplan finds the recurring charge or income behind planned money that repeats,
its series takes over. Source: plan-semantics, section 15.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

from finplan.plan.detect.cadence import PER_MONTH
from finplan.plan.ledger.books import Series, rows_between
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, date_of, day_of
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, Ledger, PlannedMoney, Row
from finplan.plan.ledger.planned import (
    WAITED_DAYS,
    FollowedMoney,
    expected_between,
    longest_gap,
    occurrences,
)

_AMOUNT_PERCENT = 20
"""How far from its amount a transaction may be."""

_SHORTEST_WORD = 4
"""Letters: shorter words of a name, such as "new" and "for", say nothing of a payee."""


def set_aside(followed: FollowedMoney, today: date) -> int:
    """What is set aside each month for what is to be paid; minor units, half-up.

    A single payment is spread evenly over the months from the one in which it was planned to its own,
    one at least; what repeats is its amount a month, from one period before it begins.
    """
    money = followed.money
    next_day = None if money.incoming else followed.next_day(today)
    if next_day is None:
        return 0
    if money.cadence is None:
        monthly = Fraction(money.amount, months_to_save(money))
    elif today < next_day - timedelta(longest_gap(money.cadence)):
        return 0
    else:
        monthly = money.amount * PER_MONTH[money.cadence]
    return int(monthly + Fraction(1, 2))


def months_to_save(money: PlannedMoney) -> int:
    """How many months a single payment is saved for."""
    months = (money.first.year - money.planned_on.year) * 12
    return max(1, months + money.first.month - money.planned_on.month)


def follow_planned(
    ledger: Ledger, sheets: Sequence[Sheet], series: Iterable[Series], today: date
) -> tuple[FollowedMoney, ...]:
    """Tell which of the planned money has happened; of equal rows each is one occurrence's alone."""
    if not ledger.planned:
        return ()
    running, taken, followed = list(series), set[Row](), []
    for money in ledger.planned:
        candidates = list(_candidates(ledger, money, sheets, today))
        happened: dict[date, Row] = {}
        for day in occurrences(money, today + timedelta(WAITED_DAYS)):
            near = [row for row in candidates if row not in taken and _is_near(row, money, day)]
            if near:
                happened[day] = min(near, key=lambda row: _distance(row, money, day))
                taken.add(happened[day])
        entry = FollowedMoney(money, happened, _is_recurring(money, happened, running))
        followed.append(replace(entry, monthly=set_aside(entry, today)))
    return tuple(followed)


def planned_rows(followed: Iterable[FollowedMoney]) -> frozenset[Row]:
    """The transactions of planned money, which no month brings again unless a series says so."""
    return frozenset(
        row for entry in followed if not entry.recurring for row in entry.happened.values()
    )


def still_expected(
    ledger: Ledger,
    followed: Iterable[FollowedMoney],
    pending: Iterable[tuple[Row, str]],
    today: date,
    until: date,
) -> Iterator[tuple[FollowedMoney, date]]:
    """What is expected from today to a day; a payment among `pending`, rows with category, has left."""
    known = list(followed)
    left = {id(entry) for entry, _ in pending_planned(ledger, known, pending, today)}
    for entry in known:
        yield from ((entry, day) for day in entry.ahead(today, until)[id(entry) in left :])


def pending_planned(
    ledger: Ledger,
    followed: Iterable[FollowedMoney],
    pending: Iterable[tuple[Row, str]],
    today: date,
) -> Iterator[tuple[FollowedMoney, Row]]:
    """The pending rows that are the next occurrence of planned money; each is that of one alone."""
    waiting = list(pending)
    for entry in followed:
        day = entry.next_day(today)
        for row, category in waiting:
            if (
                day is not None
                and _may_show(ledger, entry.money, row, category)
                and _is_near(row, entry.money, day)
            ):
                yield entry, row
                waiting.remove((row, category))
                break


def _candidates(
    ledger: Ledger, money: PlannedMoney, sheets: Iterable[Sheet], today: date
) -> Iterator[Row]:
    since = max(money.planned_on, money.first - timedelta(WAITED_DAYS + 31))
    for sheet in sheets:
        for row in rows_between(sheet, day_of(since), day_of(today)):
            if _may_show(ledger, money, row, sheet.category):
                yield row


def _may_show(ledger: Ledger, money: PlannedMoney, row: Row, category: str) -> bool:
    """Whether a row of a category may be planned money, whatever its day."""
    amount = row[AMOUNT] if money.incoming else -row[AMOUNT]
    if 100 * abs(amount - money.amount) > _AMOUNT_PERCENT * money.amount:
        return False
    if money.account is not None and row[ACCOUNT] != money.account:
        return False
    return category == money.category or bool(
        _words(money.name) & _words(ledger.payees[row[0]].name)
    )


def _words(name: str) -> frozenset[str]:
    text = "".join(letter if letter.isalnum() else " " for letter in name.casefold())
    return frozenset(part for part in text.split() if len(part) >= _SHORTEST_WORD)


def _is_near(row: Row, money: PlannedMoney, day: date) -> bool:
    first, last = expected_between(money, day)
    waited = timedelta(WAITED_DAYS)
    return day_of(first - waited) <= row[DAY] <= day_of(last + waited)


def _distance(row: Row, money: PlannedMoney, day: date) -> tuple[int, int, Row]:
    first, last = expected_between(money, day)
    when = ORDINAL[row[DAY]]
    apart = max(first.toordinal() - when, when - last.toordinal(), 0)
    return apart, abs(abs(row[AMOUNT]) - money.amount), row


def _is_recurring(
    money: PlannedMoney, happened: Mapping[date, Row], series: Iterable[Series]
) -> bool:
    """Whether the latest occurrence of planned money that repeats is in a series."""
    if money.cadence is None or not happened:
        return False
    payee, _, day, amount, *_ = happened[max(happened)]
    row = (date_of(day), abs(amount))
    return any(
        running.active and payee in running.payees and row in {*running.recent, *running.parts}
        for running in series
    )
