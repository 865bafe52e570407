"""Cash ahead: what it is known to be at the end of each day to come, with expected pay and with bills.

The guard ends with the period and counts no pay. Whether the next pay carries what falls due after it is
seen here.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.model.money import half_even
from finplan.plan.detect.cadence import expected_days
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import add_months, date_of, month_length
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, Ledger
from finplan.plan.ledger.lookup import rows_in_window
from finplan.plan.live.cash_guard import card_bills_due, cash_accounts
from finplan.plan.live.expected import what_is_expected
from finplan.plan.live.groups import group_of, line_of
from finplan.plan.live.period import Period
from finplan.plan.live.repayments import expected_repayments
from finplan.plan.sections.cards import CardUse
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.spending import running_charges

_USUAL = frozenset({"groceries", "transportation"})
"""The needs that are paid for every few days, without a bill."""


@dataclass(frozen=True, slots=True)
class CashStep:
    """What comes in on a day (positive) or is to be paid, and by what name; minor units."""

    day: date
    name: str
    amount: int


@dataclass(frozen=True, slots=True)
class LowPoint:
    """The day at whose end cash is lowest, the earliest of several, and how much it is then."""

    day: date
    cash: int


@dataclass(frozen=True, slots=True)
class CashAhead:
    """Cash on `today`, the `steps` that are known from then on, by day, and usual needs a month.

    `usual` is what groceries and transport take from cash beside the bills; minor units.
    """

    today: date
    cash: int
    steps: Sequence[CashStep]
    usual: int

    def lowest(self, since: date, until: date) -> LowPoint:
        """Where cash is lowest between two days, both counted, at the end of the day."""
        return self._lowest(since, until, lambda _day: 0)

    def lowest_in_use(self, since: date, until: date, set_aside: int) -> LowPoint:
        """The same where usual needs are met from tomorrow, and a sum a month put aside from `since`.

        Both are taken evenly, a part each day.
        """

        def taken(day: date) -> int:
            each_day = self.usual * (day - self.today).days + set_aside * (day - since).days
            return half_even(12 * each_day, 365)

        return self._lowest(since, until, taken)

    def _lowest(self, since: date, until: date, taken: Callable[[date], int]) -> LowPoint:
        days = [since + timedelta(each) for each in range((until - since).days + 1)]
        points = [LowPoint(day, self._known_on(day) - taken(day)) for day in days]
        return min(points, key=lambda point: (point.cash, point.day))

    def _known_on(self, day: date) -> int:
        return self.cash + sum(each.amount for each in self.steps if each.day <= day)

    def bills(self, since: date, until: date) -> Sequence[CashStep]:
        """What is to be paid between two days, both counted, the largest first."""
        due = [each for each in self.steps if each.amount < 0 and since <= each.day <= until]
        return sorted(due, key=lambda each: (each.amount, each.day, each.name))


def cash_ahead(
    ledger: Ledger,
    books: Books,
    cards: Sequence[CardUse],
    cash: int,
    period: Period,
    today: date,
    until: date,
) -> CashAhead:
    """Cash from today to `until` by what is posted; `cash` is what the accounts hold.

    Regular pay and repayments come on their days, bills leave as the guard counts them, minimums of
    cards month by month. Of a card that is paid in full only the bill to come is known.
    """
    steps = [
        *_pay(books, today, until),
        *(
            CashStep(each.day, each.name, each.amount)
            for each in expected_repayments(ledger, books, today, until)
        ),
        *_bills(ledger, books, cards, period, today, until),
    ]
    return CashAhead(
        today=today,
        cash=cash,
        steps=sorted(steps, key=lambda each: (each.day, each.name, each.amount)),
        usual=usual_needs(ledger, books),
    )


def _pay(books: Books, today: date, until: date) -> Iterator[CashStep]:
    for source in books.sources:
        if source.active:
            for day in expected_days(source, today, until):
                yield CashStep(day, source.name, source.amount)


def _bills(
    ledger: Ledger,
    books: Books,
    cards: Sequence[CardUse],
    period: Period,
    today: date,
    until: date,
) -> Iterator[CashStep]:
    pays_cash = cash_accounts(ledger)
    expected = what_is_expected(ledger, books, cards, (), period, today, until=until)
    for due in expected.charges:
        if due.charge.account in pays_cash:
            yield CashStep(due.day, due.charge.name, -due.amount)
    for minimum in expected.minimums:
        for day in _each_month(minimum.day, until):
            yield CashStep(day, minimum.name, -minimum.amount)
    for bill in card_bills_due(ledger, cards, today, until):
        yield CashStep(bill.date, bill.name, -bill.amount)


def _each_month(first: date, until: date) -> Iterator[date]:
    """A day and the same one of the months after it; in a shorter month its last."""
    month, day = first.year * 100 + first.month, first
    while day <= until:
        yield day
        month = add_months(month, 1)
        day = date_of(month * 100 + min(first.day, month_length(month)))


def usual_needs(ledger: Ledger, books: Books) -> int:
    """What groceries and transport take from cash a month beside recurring charges, minor units."""
    pays_cash, catalogue = cash_accounts(ledger), ledger.catalogue
    wanted = {
        category
        for category in books.categories
        if group_of(catalogue, category) in _USUAL and line_of(catalogue, category) == "essential"
    }
    spent = -sum(row[AMOUNT] for row in rows_in_window(books, wanted) if row[ACCOUNT] in pays_cash)
    billed = sum(
        charge.monthly
        for charge in running_charges(books)
        if charge.category in wanted and charge.account in pays_cash
    )
    return max(0, per_month(spent, books.window.months) - billed)
