"""What is expected to be paid in the days to come: charges, and what cards take from cash.

The period is the days from one payday to the next, over which an allowance is spread. Recurring
charges still to come are told apart from the rows that are theirs. The semantics give a series one
amount, its usual one, from which its month follows; what is due on a day is told apart from it
where two years of bills show that the same month a year before says more: heating in December is no
median of the summer. A card takes its minimum if it revolves, else its bill. Single payments of
yearly kinds are among the charges, a year after their day.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import takewhile
from statistics import median_low

from finplan.model.recurring import SURE
from finplan.model.snapshot import Upcoming
from finplan.plan.detect.cadence import expected_days, is_active, rhythm_of_series
from finplan.plan.ledger.amounts import expected_amount
from finplan.plan.ledger.books import Books, Series, by_payee
from finplan.plan.ledger.classes import pending_outflows
from finplan.plan.ledger.days import ORDINAL, add_months, date_of, day_of, month_length
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, Ledger, RecordedBalance, Row
from finplan.plan.planned import still_expected
from finplan.plan.sections.debt import STATEMENT_LAGS, CardUse, is_fee, least_minimum, owed_card
from finplan.plan.sections.emergency import minimum_due, wage_sources

_LONGEST_PAY_GAP = 35
"""Days: pay that comes less often than monthly paces nobody's spending."""


@dataclass(frozen=True, slots=True)
class Period:
    """From `start` to the day before `end`; `payday` is `end`, or None in a calendar month."""

    start: date
    end: date
    payday: date | None

    @property
    def days(self) -> int:
        """How many days the period has."""
        return (self.end - self.start).days

    @property
    def months(self) -> Fraction:
        """The period's length in months: what a monthly figure is multiplied with."""
        return Fraction(self.days * 12, 365)


def period_of(sources: Sequence[Series], today: date) -> Period:
    """The period that holds today: between paydays of the largest regular pay, else the month."""
    pay = primary_source(sources)
    if pay is not None:
        return _between_paydays(pay, today)
    start = today.replace(day=1)
    length = month_length(today.year * 100 + today.month)
    return Period(start, start + timedelta(length), None)


def primary_source(sources: Sequence[Series]) -> Series | None:
    """The active wage source with the largest month that pays at least every 35 days."""
    frequent = [
        source
        for source in wage_sources(sources)
        if source.active and source.interval_days and source.interval_days <= _LONGEST_PAY_GAP
    ]
    return max(frequent, key=lambda source: (source.monthly, source.name), default=None)


def _between_paydays(pay: Series, today: date) -> Period:
    """From the last payday to the next.

    Pay that is late, or too recent to be in the data, counts as paid on its day: a period must not
    start anew each morning until the money arrives.
    """
    rhythm = rhythm_of_series(pay, pay.days)
    start = pay.days[-1]
    for slot in rhythm.slots(start + rhythm.interval_days // 2):
        if slot > today.toordinal():
            return Period(date.fromordinal(start), date.fromordinal(slot), date.fromordinal(slot))
        start = slot
    raise AssertionError("A cadence has slots without end.")


_LEAST_OF_SEASONS = 10
"""So many of the last twelve months must have a bill a year before, or nobody knows the seasons."""

_MONTHS_A_YEAR = 12
_HALF_A_MONTH = 15

Bills = Sequence[tuple[date, int]]
"""The bills of a series, oldest first: day and amount."""


def amount_due(series: Series, day: date) -> int:
    """What is expected on a day: as a year before if that foretells the bills better, else as usual."""
    if series.cadence != "monthly" or series.steady:
        return series.amount
    before = _a_year_before(series.recent, day)
    return before if before is not None and _has_seasons(series.recent) else series.amount


def _has_seasons(bills: Bills) -> bool:
    """Whether a year ago told the bills of the last twelve months better than the usual amount did."""
    amounts = [amount for _, amount in bills]
    judged = [
        (abs(amounts[index] - before), abs(amounts[index] - expected_amount(amounts[:index])))
        for index in range(max(1, len(bills) - _MONTHS_A_YEAR), len(bills))
        if (before := _a_year_before(bills[:index], bills[index][0])) is not None
    ]
    by_season, by_usual = (sum(errors[way] for errors in judged) for way in (0, 1))
    return len(judged) >= _LEAST_OF_SEASONS and by_season < by_usual


def _a_year_before(bills: Bills, day: date) -> int | None:
    """The amount of the bill nearest to the day a year before, None without one in that month."""
    apart, _, amount = min(
        (abs((day - paid_on).days - 365), paid_on, amount) for paid_on, amount in bills
    )
    return amount if apart < _HALF_A_MONTH else None


@dataclass(frozen=True, slots=True)
class ExpectedCharge:
    """One charge expected on a day, and what it is expected to come to then; minor units."""

    day: date
    charge: Series
    amount: int


def expected_charges(
    charges: Iterable[Series], pending: Sequence[Row], today: date, until: date
) -> list[ExpectedCharge]:
    """The charges expected from today to `until`, by day; one that is pending has come already."""
    charges_ahead = [
        ExpectedCharge(day, charge, amount_due(charge, day))
        for charge in charges
        if charge.active
        for day in _days_of_charge(charge, pending, today, until)
    ]
    return sorted(
        charges_ahead,
        key=lambda due: (due.day, due.charge.name, due.amount, due.charge.payees),
    )


def _days_of_charge(charge: Series, pending: Sequence[Row], today: date, until: date) -> list[date]:
    taken = [date_of(row[DAY]) for row in pending if is_charge_of(row, charge)]
    latest = max((day for day in taken if day > charge.last_date), default=None)
    if latest is None or charge.cadence == "irregular" or charge.interval_days is None:
        return expected_days(charge, today, until)
    rhythm = rhythm_of_series(charge, {*charge.days, latest.toordinal()})
    slots = rhythm.slots(latest.toordinal() + charge.interval_days // 2)
    ahead = map(date.fromordinal, takewhile(lambda slot: slot <= until.toordinal(), slots))
    return [day for day in ahead if day >= today]


def is_charge_of(row: Row, charge: Series) -> bool:
    """Whether a pending row is a charge of this series: its payee, out, and about its amount.

    A charge that comes in parts on one day is known by each of its latest parts.
    """
    amount = -row[AMOUNT]
    if row[PAYEE] not in charge.payees or amount <= 0:
        return False
    parts = [part for day, part in charge.parts if day == charge.last_date]
    likely = [charge.amount, *(parts if len(parts) > 1 else ())]
    return not charge.steady or any(100 * abs(amount - level) <= 15 * level for level in likely)


class SeriesRows:
    """Tells the rows that belong to some recurring charges from those that do not; each is asked once.

    A row is compared with single charges, never with what a day of them adds up to.
    """

    def __init__(self, charges: Iterable[Series]) -> None:
        self._by_payee = by_payee(charges)
        self._left = Counter(
            (payee, day_of(day), amount)
            for payee, rows_of_payee in self._by_payee.items()
            for charge in rows_of_payee
            for day, amount in charge.parts
        )

    def take_posted(self, row: Row) -> bool:
        """Whether a posted row is one of the charges: of equal rows, as many as there are charges."""
        charge = (row[PAYEE], row[DAY], -row[AMOUNT])
        if not self._left[charge]:
            return False
        self._left[charge] -= 1
        return True

    def pending(self, row: Row) -> bool:
        """Whether a pending row looks like the next occurrence."""
        return any(is_charge_of(row, charge) for charge in self._by_payee.get(row[PAYEE], ()))


_OVERDUE_DAYS = 10
"""Days after which an expected payment that has not come is not waited for."""

_DAYS_A_MONTH = 30

_LAST_CARD_PAYMENTS = 6
"""So many payments to a card that revolves show what is usually paid."""


@dataclass(frozen=True, slots=True)
class ExpectedMinimum:
    """The minimum of a card that revolves, on the day on which it is expected; minor units.

    `card` is the number of its account.
    """

    day: date
    name: str
    amount: int
    card: int


def expected_minimums(
    cards: Iterable[CardUse], currency: str, period: Period, today: date, until: date
) -> list[ExpectedMinimum]:
    """The minimums from today to `until`, by day; one of an unknown day is due before payday.

    A card that is owed and never seen paid still asks for its minimum: cash must hold it.
    """
    least = least_minimum(currency)
    minimums = []
    for card in cards:
        if card.owed and not card.in_full:
            due = next_payment(card, today) or min(period.end - timedelta(1), until)
            amount = minimum_due(owed_card(card), least)
            if due <= until and amount:
                minimums.append(
                    ExpectedMinimum(due, f"{card.account.name} minimum", amount, card.number)
                )
    return sorted(minimums, key=lambda minimum: (minimum.day, minimum.name, minimum.amount))


def card_bill(card: CardUse, stated: Sequence[RecordedBalance], end: date, today: date) -> int:
    """What a card that is paid in full takes from cash before a day, less what has been paid since.

    `stated` are the balances that its statements state. Without one, and where the payments do not tell
    which balance they pay, the bill is not known and 0. A card that revolves has its minimum instead.
    """
    due = next_payment(card, today)
    if not card.owed or not card.in_full or due is None or due >= end:
        return 0
    closed = _statement_of_payment(card, stated, due, today)
    if closed is None:
        return 0
    closing, balance = closed
    paid_since = sum(amount for paid_on, amount in card.payments if paid_on > closing)
    return max(0, min(card.owed, balance - paid_since))


def next_payment(card: CardUse, today: date) -> date | None:
    """A month after the last payment, today when that is overdue, None when no rhythm is seen."""
    if not card.payments:
        return None
    last = date.fromordinal(card.payments[-1][0])
    month = add_months(last.year * 100 + last.month, 1)
    due = date_of(month * 100 + min(last.day, month_length(month)))
    if due >= today:
        return due
    return today if due >= today - timedelta(_OVERDUE_DAYS) else None


def payments_ahead(card: CardUse, data_end: date, today: date, until: date) -> list[date]:
    """The days on which a card is paid from today to `until`; what is overdue moves no later one.

    One that is overdue for long, or fell due after the data end, was left out once. None where payments
    had stopped before that.
    """
    if not card.payments:
        return []
    last, due = card.payments[-1][0], next_payment(card, today)
    if due is None and not is_active(last, _DAYS_A_MONTH, data_end.toordinal()):
        return []
    own = [day for day in each_month(date.fromordinal(last), until) if day >= today]
    is_overdue = due is not None and due not in own and due <= until
    return [due, *own] if due is not None and is_overdue else own


def each_month(first: date, until: date) -> Iterator[date]:
    """A day and the same one of the months after it; in a shorter month its last."""
    month, day = first.year * 100 + first.month, first
    while day <= until:
        yield day
        month = add_months(month, 1)
        day = date_of(month * 100 + min(first.day, month_length(month)))


def usual_payment(card: CardUse) -> int:
    """What is usually paid to a card that has been paid: the middle one of its last payments."""
    return median_low([amount for _, amount in card.payments[-_LAST_CARD_PAYMENTS:]])


def is_stated(card: CardUse, stated: Iterable[RecordedBalance], today: date) -> bool:
    """Whether a statement says what the next payment of a card pays."""
    due = next_payment(card, today)
    return due is not None and bool(_statements_due(stated, due))


def _statement_of_payment(
    card: CardUse, stated: Iterable[RecordedBalance], due: date, today: date
) -> tuple[int, int] | None:
    """The day, an ordinal, and the balance of the statement behind a payment; None if not known."""
    statements = _statements_due(stated, due)
    if statements:
        return max(statements)
    if card.lag is None:
        return None
    closing = min(due.toordinal() - card.lag, today.toordinal())
    return closing, card.history.on(closing)


def _statements_due(stated: Iterable[RecordedBalance], due: date) -> list[tuple[int, int]]:
    """The days, ordinals, and balances of the statements that a payment may be for."""
    return [
        (ORDINAL[statement.day], statement.balance)
        for statement in stated
        if due.toordinal() - ORDINAL[statement.day] in STATEMENT_LAGS
    ]


AHEAD = 30
"""Days that are looked ahead."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The charges, what is expected again, the minimums and planned payments to come, each by day."""

    charges: Sequence[ExpectedCharge]
    minimums: Sequence[ExpectedMinimum]
    planned: Sequence[Upcoming] = ()

    def listed(self) -> tuple[Upcoming, ...]:
        """All that is to be paid, by day."""
        return tuple(sorted(self._each(), key=lambda item: (item.date, item.name, item.amount)))

    def before(self, end: date) -> int:
        """What is to be paid before a day, minor units."""
        return sum(upcoming.amount for upcoming in self._each() if upcoming.date < end)

    def _each(self) -> Iterator[Upcoming]:
        for due in self.charges:
            likely = due.charge.arrival is not None and due.charge.arrival < SURE
            yield Upcoming(date=due.day, name=due.charge.title, amount=due.amount, likely=likely)
        for minimum in self.minimums:
            yield Upcoming(date=minimum.day, name=minimum.name, amount=minimum.amount)
        yield from self.planned


def what_is_expected(
    ledger: Ledger,
    books: Books,
    cards: Sequence[CardUse],
    pending: Sequence[Row],
    period: Period,
    today: date,
    *,
    until: date | None = None,
) -> Expected:
    """What is expected from today to `until`, thirty days ahead where that is not said.

    A charge among `pending` has come already. The interest of a card is added to what it owes, so nobody
    pays it on its day. Purchases count when they are made, so no bill of a card that is paid in full is
    expected here.
    """
    until = until or today + timedelta(AHEAD)
    billed = [charge for charge in books.bills if not _is_card_interest(ledger, charge)]
    return Expected(
        expected_charges(billed, pending, today, until),
        expected_minimums(cards, ledger.settings.currency, period, today, until),
        [
            Upcoming(date=day, name=followed.money.name, amount=followed.money.amount)
            for followed, day in still_expected(
                ledger, books.planned, pending_outflows(ledger, pending), today, until
            )
            if not followed.money.incoming
        ],
    )


def _is_card_interest(ledger: Ledger, charge: Series) -> bool:
    """Whether a charge is interest on a card; a fee for having the card is a bill like any other."""
    on_card = ledger.accounts[charge.account].kind == "credit"
    fee = any(is_fee(ledger.payees[payee]) for payee in charge.payees)
    return charge.category == "interest_fees" and on_card and not fee
