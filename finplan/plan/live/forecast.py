"""The days ahead: cash evening by evening, by all that is known and by what is usual.

What they rest on and leave out is said beside them, a sentence each. Source: plan-semantics,
section 7a.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain

from finplan.model import snapshot
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.classes import nature_of, shown_accounts
from finplan.plan.ledger.ledger import ACCOUNT, Ledger, Row
from finplan.plan.live.expected import Period, next_payment
from finplan.plan.live.outcomes import CashRange, ranges
from finplan.plan.live.schedule import (
    CashSchedule,
    CashStep,
    StepKind,
    cash_accounts,
    cash_schedule,
)
from finplan.plan.live.usual import (
    LEAST_DAYS,
    UsualDays,
    card_paces,
    later_bills,
    planned_transfers,
    saving_plans,
    usual_days,
)
from finplan.plan.live.view import LiveView
from finplan.plan.sections.debt import CardUse
from finplan.plan.words import count, day as day_in_words, exact_money, listed


def forecast_notes(
    ledger: Ledger, books: Books, live: LiveView, *, is_usual: bool, is_moved: bool
) -> Iterator[str]:
    """The sentences that are true of this household.

    `is_usual` says whether there is history enough for usual spending, `is_moved` whether any pay or
    bill is known.
    """
    cash_accounts = [
        account for _, account in shown_accounts(ledger) if nature_of(account) == "cash"
    ]
    currency = ledger.settings.currency
    own = [account for account in cash_accounts if account.currency == currency]
    if not own:
        yield (
            f"No forecast: no cash account in {currency}. Link the bank of such an account, or"
            " import its statements."
        )
    unknown = [account.name for account in own if account.balance is None]
    if unknown:
        yield (f"No forecast: {_balance_missing(unknown)}. Set it with `finplan accounts set`.")
    if own and not unknown:
        yield from _describe_uncertainty(is_usual=is_usual, is_moved=is_moved)
        yield from _unknown_cards(live, is_usual=is_usual)
    if live.schedule.pending:
        pending = exact_money(live.schedule.pending, currency)
        yield f"Cash is shown after pending charges of {pending}."
    if is_usual:
        yield from _without_rhythm(books)
    if books.window.data_end < live.today:
        ends = day_in_words(books.window.data_end, live.today)
        yield (
            f"The data ends on {ends}. The cash shown is that day's balance, without later"
            " transactions."
        )
    abroad = [account.name for account in cash_accounts if account.currency != currency]
    if abroad:
        yield f"Excludes {count(len(abroad), 'account')} in another currency: {listed(abroad)}."
    hidden = sum(
        account.hidden and nature_of(account) == "cash" for account in ledger.accounts.values()
    )
    if hidden:
        yield f"Excludes {count(hidden, 'hidden account')}."


def _without_rhythm(books: Books) -> Iterator[str]:
    """Which income has no day, and which of it is not expected."""
    active = [income for income in books.sources if income.cadence == "irregular" and income.active]
    planned = [source.name for source in active if source.planned]
    if planned:
        yield (
            f"Irregular income ({listed(planned)}) has no date, so the forecast spreads its average"
            " evenly over the days."
        )
    others = [source.name for source in active if not source.planned]
    if others:
        yield f"Income too rare or too new to predict ({listed(others)}) is excluded."


def _describe_uncertainty(*, is_usual: bool, is_moved: bool) -> Iterator[str]:
    if not is_usual and is_moved:
        yield "Less than a month of history: the forecast has only known pay and bills, and no range."
    elif not is_usual:
        yield (
            "Less than a month of history, and no known pay or bills: the forecast stays flat. Import"
            " older statements to see more."
        )


def _unknown_cards(live: LiveView, *, is_usual: bool) -> Iterator[str]:
    """What the days hold of cards of which nobody told what is owed."""
    unknown = [card for card in live.cards if card.account.balance is None]
    paid = [card for card in unknown if is_usual and next_payment(card, live.today) is not None]
    silent = [card.account.name for card in unknown if card not in paid]
    if paid:
        missing = _balance_missing([card.account.name for card in paid])
        yield (
            f"The forecast assumes a typical next card bill: {missing}. Set it with `finplan accounts"
            " set`."
        )
    if silent:
        missing = _balance_missing(silent)
        yield f"The forecast excludes a card: {missing}. Set it with `finplan accounts set`."


def _balance_missing(names: Sequence[str]) -> str:
    """Whose balance is missing, as the end of a sentence."""
    balance, is_missing = ("balance", "is") if len(names) == 1 else ("balances", "are")
    return f"the {balance} of {listed(names)} {is_missing} missing"


_KINDS_OF_STEPS: Mapping[StepKind, snapshot.ForecastKind] = {
    "income": "income",
    "charge": "bill",
    "transfer": "bill",
    "minimum": "card",
    "card bill": "card",
    "later bill": "card",
}
"""Planned money is income or a bill by its sign."""

LEAST_SHARE = 0.1
"""What is rarer lies outside of the range, and is not told."""

USUAL_NAME = "Everyday spending"
UNTIMED_NAME = "Other money in and out"


@dataclass(frozen=True, slots=True)
class CashOutlook:
    """What moves each of the days from today, and how far cash strays on its evening.

    `ranges` are empty where cash is not known or no month of history tells what is usual.
    """

    schedule: CashSchedule
    items: Sequence[Sequence[snapshot.ForecastItem]]
    ranges: Sequence[CashRange]

    @property
    def has_ranges(self) -> bool:
        """Whether it can be said how far cash strays."""
        return bool(self.ranges)

    def lowest(self, days: int) -> int:
        """The least that cash may be on an evening of today and so many days after it."""
        return min(cash_range.low for cash_range in self.ranges[: days + 1])

    def below_zero(self, days: int) -> float:
        """How likely cash has fallen below zero by the evening so many days after today, 0..1."""
        return self.ranges[days].below_zero


def forecast(ledger: Ledger, books: Books, live: LiveView, days: int) -> snapshot.Forecast:
    """What cash is expected to be on today's evening and those of so many `days` after it.

    Fewer days are the first of more, byte for byte.
    """
    today, cash = live.today, live.schedule.cash
    until = today + timedelta(days)
    outlook = look_ahead(ledger, books, live.cards, cash, ledger.pending, live.period, today)
    days_ahead = [] if cash is None else list(_days(outlook, today, until))
    lowest = min(days_ahead, key=lambda day: (day.expected, day.date), default=None)
    falls = [day.below_zero for day in outlook.ranges[: days + 1]]
    return snapshot.Forecast(
        since=today,
        until=until,
        start=None if cash is None else outlook.schedule.start,
        low=None
        if lowest is None
        else snapshot.ForecastLow(date=lowest.date, expected=lowest.expected),
        days=tuple(days_ahead),
        notes=(
            *_shortage(falls, today),
            *forecast_notes(
                ledger,
                books,
                live,
                is_usual=books.window.days >= LEAST_DAYS,
                is_moved=any(outlook.items),
            ),
        ),
    )


def look_ahead(
    ledger: Ledger,
    books: Books,
    cards: Sequence[CardUse],
    cash: int | None,
    pending: Sequence[Row],
    period: Period,
    today: date,
) -> CashOutlook:
    """What is known of the days ahead, and with a month of history what is usual and how far it strays.

    `cash` and `pending` are as a schedule has them.
    """
    furthest, pays_cash = today + timedelta(snapshot.FURTHEST_DAY_AHEAD), cash_accounts(ledger)
    schedule = cash_schedule(ledger, books, cards, cash, pending, period, today, furthest)
    dates = [today + timedelta(index) for index in range(snapshot.FURTHEST_DAY_AHEAD + 1)]
    plans = saving_plans(ledger, books, pays_cash, today)
    apart = set(chain.from_iterable(rows for _, rows in plans))
    usual = usual_days(ledger, books, pays_cash, apart)
    if usual is None:
        return CashOutlook(schedule, _items_by_day(schedule.steps, {}, dates), [])
    waiting = [row for row in pending if row[ACCOUNT] in pays_cash]
    paces = card_paces(books, cards)
    steps = [
        *schedule.steps,
        *planned_transfers([plan for plan, _ in plans], waiting, today, furthest),
        *later_bills(ledger, cards, schedule, paces, books.window.data_end, furthest),
    ]
    # What is planned was not there in the past, so nothing of the past is levelled by it.
    dated = sum(step.amount for step in steps if step.kind != "planned")
    fraction = Fraction(dated, snapshot.FURTHEST_DAY_AHEAD)
    items = _items_by_day(steps, _beside_steps(usual, fraction, dates), dates)
    if cash is None:
        return CashOutlook(schedule, items, [])
    middle = _evenings(schedule.start, items)
    today_range, *later = ranges(middle, steps, usual, paces, dates)
    widened = map(
        partial(_widened, usual.spread),
        later,
        middle[1:],
        items[1:],
        _other_levels(steps, dates[1:]),
    )
    return CashOutlook(schedule, items, [today_range, *widened])


def _shortage(below_zero: Sequence[float], today: date) -> Iterator[str]:
    """From when on cash may be gone, and how likely, where the range reaches so far."""
    begins = next((n for n, share in enumerate(below_zero) if share > LEAST_SHARE), None)
    if begins is not None:
        first, last = (
            day_in_words(today + timedelta(n), today) for n in (begins, len(below_zero) - 1)
        )
        yield (
            f"Cash may run out from {first}: in {round(100 * below_zero[-1])} of 100 cases, cash"
            f" falls below zero by {last}."
        )


def _other_levels(steps: Sequence[CashStep], dates: Sequence[date]) -> Iterator[tuple[int, int]]:
    """What next pays may bring by each day beyond what is expected, below 0 and above, if one changed.

    Of each source the next pay alone: that it came twice makes it the level.
    """
    first: dict[int, CashStep] = {}
    for step in steps:
        if step.kind == "income" and step.source is not None:
            first.setdefault(id(step.source), step)
    changes = [
        (step.day, step.source.other_level - step.amount)
        for step in first.values()
        if step.source is not None and step.source.other_level is not None
    ]
    for day in dates:
        so_far = [change for since, change in changes if since <= day]
        yield sum(min(0, level) for level in so_far), sum(max(0, level) for level in so_far)


def _widened(
    spread: int,
    cash_range: CashRange,
    expected: int,
    items: Sequence[snapshot.ForecastItem],
    levels: tuple[int, int],
) -> CashRange:
    """The range of a day after today: what usual days stray at least, and its items a day late.

    `levels` is what pay at another level may bring beyond what is expected, below 0 and above.
    """
    dated = [item.amount for item in items if item.kind != "spending"]
    comes = sum(amount for amount in dated if amount > 0)
    goes = sum(amount for amount in dated if amount < 0)
    return replace(
        cash_range,
        low=min(cash_range.low, expected - spread - comes, expected + levels[0]),
        high=max(cash_range.high, expected + spread - goes, expected + levels[1]),
    )


def _beside_steps(
    usual: UsualDays, fraction: Fraction, dates: Sequence[date]
) -> Mapping[date, Sequence[snapshot.ForecastItem]]:
    """What is usual on each of the days but today: nobody knows how much of that is over by now.

    What comes and goes on no day of its own is spread so that the sum of any days is exact.
    """
    each_day = usual.untimed + usual.levelled(fraction)
    by_day = {}
    for index, day in enumerate(dates[1:], start=1):
        amounts = (
            (USUAL_NAME, usual.mean_of(day)),
            (UNTIMED_NAME, round(each_day * index) - round(each_day * (index - 1))),
        )
        by_day[day] = [
            snapshot.ForecastItem(kind="spending", name=name, amount=amount, probability=None)
            for name, amount in amounts
            if amount
        ]
    return by_day


def _items_by_day(
    steps: Sequence[CashStep],
    beside: Mapping[date, Sequence[snapshot.ForecastItem]],
    dates: Sequence[date],
) -> list[list[snapshot.ForecastItem]]:
    by_day: dict[date, list[CashStep]] = {}
    for step in steps:
        by_day.setdefault(step.day, []).append(step)
    return [[*_items(by_day.get(day, ())), *beside.get(day, ())] for day in dates]


def _evenings(start: int, items: Sequence[Sequence[snapshot.ForecastItem]]) -> list[int]:
    """Expected cash at the end of each day."""
    return list(accumulate((sum(item.amount for item in day) for day in items), initial=start))[1:]


def _days(outlook: CashOutlook, today: date, until: date) -> Iterator[snapshot.ForecastDay]:
    count = (until - today).days + 1
    evenings = _evenings(outlook.schedule.start, outlook.items[:count])
    for index, expected in enumerate(evenings):
        cash_range = outlook.ranges[index] if outlook.has_ranges else None
        yield snapshot.ForecastDay(
            date=today + timedelta(index),
            expected=expected,
            low=None if cash_range is None else min(cash_range.low, expected),
            high=None if cash_range is None else max(cash_range.high, expected),
            items=tuple(outlook.items[index]),
        )


def _items(steps: Sequence[CashStep]) -> list[snapshot.ForecastItem]:
    """The items of a day, what comes in first; what one card takes on a day is one item."""
    sums: dict[tuple[snapshot.ForecastKind, str, float | None], int] = {}
    for step in steps:
        name = step.name.removesuffix(" minimum") if step.card is not None else step.name
        probability = None if step.source is None else step.source.probability
        kind = _KINDS_OF_STEPS.get(step.kind, "income" if step.amount > 0 else "bill")
        key = (kind, name, probability)
        sums[key] = sums.get(key, 0) + step.amount
    ordered = sorted(sums.items(), key=lambda entry: (-entry[1], entry[0][1], entry[0][0]))
    return [
        snapshot.ForecastItem(kind=kind, name=name, amount=amount, probability=probability)
        for (kind, name, probability), amount in ordered
    ]
