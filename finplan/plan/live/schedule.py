"""The one schedule of what is known to come in and to be paid, day by day.

The cash guard, cash ahead and the forecast are all read from it, so that none can know of a bill or
a pay that another does not. It begins with the cash at hand: the accounts whose money is cash, less
what pending rows have taken from it. Card payments that are pending have left cash and are not due
again. What others pay back every month of what the household pays, for rooms or shared bills, is no
income, since it lowers the spending that it repays; but cash has it on its day.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import accumulate, groupby, islice
from operator import attrgetter
from typing import Literal, NamedTuple

from finplan.plan.detect.cadence import expected_days
from finplan.plan.ledger.books import Books, Series, rows_between
from finplan.plan.ledger.classes import Sheet, pending_outflows, role_of, shown_accounts
from finplan.plan.ledger.days import add_months, date_of, day_of, last_day, month_length
from finplan.plan.ledger.ledger import (
    ACCOUNT,
    AMOUNT,
    DAY,
    PAYEE,
    PEER,
    Ledger,
    RecordedBalance,
    Row,
)
from finplan.plan.live.expected import (
    Period,
    card_bill,
    each_month,
    next_payment,
    payments_ahead,
    usual_payment,
    what_is_expected,
)
from finplan.plan.planned import still_expected
from finplan.plan.sections.debt import CardUse


def pending_spending(ledger: Ledger) -> int:
    """What pending rows will have taken from cash; a card payment takes as much from what is owed."""
    pays_cash = cash_accounts(ledger)
    return -sum(
        row[AMOUNT]
        for row, category in pending_outflows(ledger, ledger.pending)
        if row[ACCOUNT] in pays_cash and category != "card_payment"
    )


def cash_accounts(ledger: Ledger) -> set[int]:
    """The numbers of the accounts that are not hidden and whose money is at hand."""
    currency = ledger.settings.currency
    return {no for no, account in shown_accounts(ledger) if role_of(account, currency) == "cash"}


def pending_out(row: Row) -> int:
    """What a pending row takes out, positive; 0 for money in, which may yet be called back."""
    return max(0, -row[AMOUNT])


class PendingPayment(NamedTuple):
    """A card payment that is pending, minor units; `card` is None where its payee does not tell it."""

    card: int | None
    amount: int


def pending_payments(ledger: Ledger, books: Books, waiting: Sequence[Row]) -> list[PendingPayment]:
    """The card payments among pending rows, each for the one account that its payee has ever paid."""
    outflows = pending_outflows(ledger, waiting)
    rows = [row for row, category in outflows if category == "card_payment"]
    paid: dict[int, set[int]] = {row[PAYEE]: set() for row in rows}
    for sheet in books.sheets:
        if sheet.payee in paid:
            paid[sheet.payee] |= {row[PEER] for row in sheet.rows if row[PEER] and row[AMOUNT] < 0}
    return [
        PendingPayment(min(to) if len(to := paid[row[PAYEE]]) == 1 else None, pending_out(row))
        for row in rows
    ]


def shared_out(sent: Iterable[PendingPayment], minimums: Mapping[int, int]) -> Mapping[int, int]:
    """What of the payments is each card's, by its number, up to what it asks for next.

    Those of a known card are its own; the others go to the cards in the order of `minimums`.
    """
    remaining, paid = dict(minimums), dict.fromkeys(minimums, 0)
    for payment in sorted(sent, key=lambda card_payment: card_payment.card is None):
        amount = payment.amount
        for card in minimums if payment.card is None else {payment.card} & minimums.keys():
            taken = min(amount, remaining[card])
            amount -= taken
            remaining[card] -= taken
            paid[card] += taken
    return paid


_REPAID_MONTHS = 3
"""So many months in turn that were repaid show that the next one will be."""


def expected_repayments(
    ledger: Ledger, books: Books, today: date, until: date
) -> Iterator["CashStep"]:
    """What comes back after today and until a day, both of whoever did so in each of the last months.

    Expected are the least that one of these months brought and the latest day of the month of any.
    """
    this_month = today.year * 100 + today.month
    months = [add_months(this_month, -index) for index in range(1, _REPAID_MONTHS + 1)]
    pays_cash = cash_accounts(ledger)
    for sheet in books.sheets:
        if sheet.flow != "spending":
            continue
        lately = rows_between(sheet, months[-1] * 100 + 1, last_day(months[0]))
        # What a shop gives back of purchases is a refund, which nobody can count on.
        if not lately or any(row[AMOUNT] < 0 for row in lately):
            continue
        repaid = [_repaid_in_month(sheet, month, pays_cash) for month in months]
        if not all(repaid):
            continue
        least = min(sum(row[AMOUNT] for row in rows) for rows in repaid)
        latest = max(row[DAY] % 100 for rows in repaid for row in rows)
        has_come = any(
            row[DAY] <= day_of(today) for row in _repaid_in_month(sheet, this_month, pays_cash)
        )
        month = add_months(this_month, 1) if has_come else this_month
        while month <= until.year * 100 + until.month:
            day = date_of(month * 100 + min(latest, month_length(month)))
            if today < day <= until:
                yield CashStep(day, ledger.payees[sheet.payee].name, least, "income")
            month = add_months(month, 1)


def _repaid_in_month(sheet: Sheet, month: int, pays_cash: Collection[int]) -> Sequence[Row]:
    return [
        row
        for row in rows_between(sheet, month * 100 + 1, last_day(month))
        if row[AMOUNT] > 0 and row[ACCOUNT] in pays_cash
    ]


StepKind = Literal["income", "charge", "minimum", "card bill", "later bill", "transfer", "planned"]


@dataclass(frozen=True, slots=True)
class CashStep:
    """What comes in on a day (positive) or is to be paid, and by what name; minor units.

    `source` is the pay or the charge that it is the next of, `card` the number of the card that is paid;
    both are None for what others pay back, and for planned money.
    """

    day: date
    name: str
    amount: int
    kind: StepKind
    source: Series | None = None
    card: int | None = None


@dataclass(frozen=True, slots=True)
class LowPoint:
    """The day at whose end cash is lowest, the earliest of several, and how much it is then."""

    day: date
    cash: int


@dataclass(frozen=True, slots=True)
class CashSchedule:
    """Cash on `today`, None where it is not known, what is pending of it, and the `steps` by day.

    What is pending has left cash, so no step takes it again: `paying` is what of it pays each card, by
    its number.
    """

    today: date
    cash: int | None
    pending: int
    steps: Sequence[CashStep]
    paying: Mapping[int, int] = field(default_factory=dict)

    @property
    def start(self) -> int:
        """Cash less what is pending; of cash that is not known, 0 less that."""
        return (self.cash or 0) - self.pending

    def lowest(self, since: date, until: date) -> LowPoint:
        """Where cash is lowest at the end of a day, between two days that are both counted."""
        return lowest_of(self.evenings(since, until))

    def evenings(self, since: date, until: date) -> Iterator[LowPoint]:
        """Cash at the end of each day from one to another: `start` and all steps to that day."""
        by_day = {
            day: sum(step.amount for step in steps)
            for day, steps in groupby(self.steps, attrgetter("day"))
        }
        days = [self.today + timedelta(index) for index in range((until - self.today).days + 1)]
        sums = accumulate((by_day.get(day, 0) for day in days), initial=self.start)
        next(sums)
        yield from (
            LowPoint(*evening) for evening in zip(days, sums, strict=True) if evening[0] >= since
        )


def lowest_of(points: Iterable[LowPoint]) -> LowPoint:
    """The point with the least cash, the earliest of several."""
    return min(points, key=lambda point: (point.cash, point.day))


def cash_schedule(
    ledger: Ledger,
    books: Books,
    cards: Sequence[CardUse],
    cash: int | None,
    pending: Sequence[Row],
    period: Period,
    today: date,
    until: date,
) -> CashSchedule:
    """What is known from today to `until`; `cash` is what the accounts hold, None if not known.

    The live view and the forecast give the `pending` rows; a plan gives none, since it rests on posted
    rows alone. Regular pay and repayments come on their days, and what has not come by now tomorrow at
    the earliest. Charges leave the accounts that they are paid from, so one on a card is in its bill.
    Minimums of cards come month by month until nothing is owed; of a card that is paid in full only the
    next bill is known. A card payment that is pending has left cash and lessens what its card takes
    next, nothing later. Planned money comes on its day, from or to cash unless it names another account.
    """
    pays_cash = cash_accounts(ledger)
    waiting = [row for row in pending if row[ACCOUNT] in pays_cash]
    expected = what_is_expected(ledger, books, cards, pending, period, today, until=until)
    charges = [
        CashStep(due.day, due.charge.name, -due.amount, "charge", due.charge)
        for due in expected.charges
        if due.charge.account in pays_cash
    ]
    sent = pending_payments(ledger, books, waiting)
    minimums = (
        CashStep(step.day, step.name, -step.amount, "minimum", card=step.card)
        for step in expected.minimums
    )
    debits = sorted(
        [*_card_bills(ledger, cards, today, until), *minimums],
        key=lambda step: (step.day >= period.end, step.kind == "minimum", step.day, step.name),
    )
    on_its_way = shared_out(sent, _asked_next(debits, cards, today))
    later = {
        card.number: payments_ahead(card, books.window.data_end, today, until)[1:]
        for card in cards
        if next_payment(card, today) is not None
    }
    due = _card_steps(debits, cards, on_its_way, later, until)
    planned = _planned(ledger, books, pays_cash, waiting, today, until)
    steps = [*_income(ledger, books, today, until), *charges, *due, *planned]
    return CashSchedule(
        today=today,
        cash=cash,
        pending=sum(map(pending_out, waiting)),
        steps=sorted(steps, key=lambda step: (step.day, step.name, step.amount)),
        paying=on_its_way,
    )


def _income(ledger: Ledger, books: Books, today: date, until: date) -> Iterator[CashStep]:
    tomorrow = today + timedelta(1)
    if until < tomorrow:
        return
    for source in books.sources:
        if source.active:
            for day in expected_days(source, today, until):
                yield CashStep(max(day, tomorrow), source.name, source.amount, "income", source)
    yield from expected_repayments(ledger, books, today, until)


def _planned(
    ledger: Ledger,
    books: Books,
    pays_cash: Collection[int],
    waiting: Sequence[Row],
    today: date,
    until: date,
) -> Iterator[CashStep]:
    """Planned money that is still to come; late money in comes tomorrow at the earliest."""
    sent = pending_outflows(ledger, waiting)
    tomorrow = today + timedelta(1)
    for followed, day in still_expected(ledger, books.planned, sent, today, until):
        money = followed.money
        if money.account is not None and money.account not in pays_cash:
            continue
        if not money.incoming:
            yield CashStep(day, money.name, -money.amount, "planned")
        elif tomorrow <= until:
            yield CashStep(max(day, tomorrow), money.name, money.amount, "planned")


def _card_bills(
    ledger: Ledger, cards: Iterable[CardUse], today: date, until: date
) -> Iterator[CashStep]:
    """The next bill of each card that is paid in full, on its day from today to `until`."""
    for card in cards:
        paid_on = next_payment(card, today)
        if paid_on is not None and paid_on <= until:
            stated, after = stated_balances(ledger, card.number), paid_on + timedelta(1)
            bill = card_bill(card, stated, after, today)
            if bill:
                yield CashStep(paid_on, card.account.name, -bill, "card bill", card=card.number)


def _asked_next(
    cash_steps: Iterable[CashStep], cards: Iterable[CardUse], today: date
) -> Mapping[int, int]:
    """What each card takes on its next day, by its number, in the order in which cards are paid."""
    taken = {step.card: -step.amount for step in cash_steps if step.card is not None}
    for card in cards:
        if not card.in_full and next_payment(card, today) is not None:
            taken[card.number] = max(taken.get(card.number, 0), usual_payment(card))
    return taken


def _card_steps(
    cash_steps: Iterable[CashStep],
    cards: Iterable[CardUse],
    on_its_way: Mapping[int, int],
    later: Mapping[int, Sequence[date]],
    until: date,
) -> Iterator[CashStep]:
    """What cards ask for less what is on its way, and later minimums up to what is owed.

    `later` are the days of these, of a card whose day is known; of any other they are a month apart.
    """
    owed = {card.number: card.owed for card in cards}
    for step in cash_steps:
        number = step.card or 0
        sent = on_its_way.get(number, 0)
        if sent < -step.amount:
            yield replace(step, amount=step.amount + sent)
        if step.kind == "minimum":
            debt = owed[number] - max(sent, -step.amount)
            for day in later.get(number, islice(each_month(step.day, until), 1, None)):
                if debt > 0:
                    yield replace(step, day=day, amount=-min(debt, -step.amount))
                debt += step.amount


def stated_balances(ledger: Ledger, card: int) -> list[RecordedBalance]:
    """The balances of a card, by its number, that its statements state."""
    return [record for record in ledger.recorded if record.account == card and record.stated]
