"""Advice about spending: where a small change shows, never what to give up."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta
from fractions import Fraction
from itertools import accumulate

from finplan.plan.advise.assessment import Advice, Assessment, listed_wants, wants_by_size
from finplan.plan.advise.shortfall import is_short, missing_a_month
from finplan.plan.detect.cadence import PER_MONTH
from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.ledger.books import Series, rows_in_window
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, Row
from finplan.plan.sections.monthly import PlannedMonth, per_month
from finplan.plan.sections.spending import RARE_CADENCES, running_charges
from finplan.plan.words import count, listed, percent

_NAMED_ABLE = 2
_NAMED_TOGETHER = 3
"""How many categories a sentence names that can give a sum alone, and that can together."""

_RECENT_MONTHS = 3
_PRICE_DAYS = 90

_UNPRICED = frozenset({"utilities", "interest_fees"})
"""What a meter counts, and what is charged on a debt or for an overdraft, has no price that rises."""

_LEAST_CHARGES = 3
"""Fewer charges than three show no rise."""

_FIXED = frozenset({"rent", "mortgage", "taxes", "loan_payment"})
"""Essentials that nobody lowers by looking at them."""


def trim_discretionary(household: Assessment) -> Iterator[Advice]:
    """Known wants exceed their target by a twentieth of income while too little is left over.

    Less is asked for than half of what is known, and no more than what the savings target lacks.
    """
    trim = trimmed(household)
    if trim <= 0:
        return
    spent = household.known_wants
    yield Advice(
        title=f"Lower discretionary spending by {household.money(trim)} a month",
        detail=(
            f"You spend {household.money(spent)} a month; {household.money(spent - trim)} would"
            f" {_what_it_does(household, trim)}. {_where_to_trim(household, trim)}"
        ),
        amount=trim,
    )


def _what_it_does(household: Assessment, trim: int) -> str:
    """What would be left over against today; of a gap that is told already, what of it this closes."""
    surplus = household.planned.surplus
    remainder = _left_over(household, surplus + trim)
    if not is_short(household):
        return f"{remainder} ({_left_now(household, surplus)})"
    gap = missing_a_month(household)
    if trim < gap:
        return f"{remainder} and close part of the gap of {household.money(gap)} above"
    closes = f"close the gap of {household.money(gap)} above"
    return f"{closes} and {remainder}" if surplus + trim else closes


def _where_to_trim(household: Assessment, trim: int) -> str:
    """Where so much can be found: in half of one want, if one is large enough, else in several."""
    wants = wants_by_size(household)
    if not wants:
        return "Most of it is withdrawn cash: set a weekly limit before you withdraw."
    able = [want for want in wants if want.monthly >= 2 * trim][:_NAMED_ABLE]
    if able:
        choose = "choose one" if len(able) > 1 else "set a monthly limit"
        return f"Spending less on {listed_wants(household, able, 'or')} alone is enough: {choose}."
    halves = accumulate(want.monthly for want in wants)
    needed = next((number for number, sum_ in enumerate(halves, 1) if sum_ >= 2 * trim), len(wants))
    together = sum(want.monthly for want in wants)
    if together < 2 * trim:
        names = listed_wants(household, wants[:_NAMED_TOGETHER])
        part = "all" if together < trim else "half"
        return f"That is more than {part} of {names}: withdraw less cash too."
    names = listed_wants(household, wants[: min(needed, _NAMED_TOGETHER)])
    others = f"{names} and others" if needed > _NAMED_TOGETHER else f"{names} together"
    return f"Halving one category is not enough: spend less on {others}."


def trimmed(household: Assessment) -> int:
    """How much less to spend on wants a month, minor units; 0 where nothing calls for it."""
    _, wants, savings = household.budget
    if household.living.applies and household.living.lasts:
        return 0
    planned, spent = household.planned, household.known_wants
    excess = spent - wants.target
    if planned.essentials >= planned.income or 20 * excess < planned.income:
        return 0
    return max(0, min(excess, savings.target - planned.surplus, spent // 2))


def _left_over(household: Assessment, surplus: int) -> str:
    if surplus == 0:
        return "cover your spending"
    if surplus > 0:
        return f"leave you {household.money(surplus)}"
    return f"still take {household.money(-surplus)} from savings or credit"


def _left_now(household: Assessment, surplus: int) -> str:
    if surplus < 0:
        return f"now {household.money(-surplus)} short"
    return f"now {household.money(surplus) if surplus else 'nothing'}"


def review_essentials(household: Assessment) -> Iterator[Advice]:
    """Essentials take more than six tenths of planned income; the one that rose most is named.

    A rise below a tenth of the category or a hundredth of income is how months differ.
    """
    planned = household.planned
    if planned.income <= 0 or 5 * planned.essentials <= 3 * planned.income:
        return
    rises = [
        (rise, usual, category)
        for category in sorted(household.books.categories)
        if household.ledger.catalogue[category].line == "essential" and category not in _FIXED
        for usual, rise in [rise_of(household, category)]
        if 10 * rise >= usual and 100 * rise >= planned.income
    ]
    rise, usual, category = max(rises, key=lambda item: item[0], default=(0, 0, ""))
    if rise < about_one_dollar(household.currency):
        return
    label = household.ledger.catalogue[category].label
    yield Advice(
        title=f"Check why {label} rose by {household.money(rise)} a month",
        detail=(
            f"{_share_of_income(planned)} Regular spending on {label} was"
            f" {household.money(usual + rise)} a month over the last {_RECENT_MONTHS} months, and"
            f" {household.money(usual)} on average. Check the latest bills for what changed."
        ),
        amount=rise,
    )


def _share_of_income(planned: PlannedMonth) -> str:
    """What essentials take of planned income; beyond all of it a share says nothing."""
    if planned.essentials > planned.income:
        return "Essentials take more than your income."
    return f"Essentials take {percent(planned.essentials, planned.income)} of your take-home pay."


def rise_of(household: Assessment, category: str) -> tuple[int, int]:
    """A category's monthly mean, and how far its last three months lie above it; (0, 0) if unknown.

    Only rows that come monthly or more often are looked at: a yearly bill raises no month for good.
    """
    months = household.books.window.month_keys
    rows = _frequent_rows(household, category)
    if len(months) <= _RECENT_MONTHS or sum(row[AMOUNT] < 0 for row in rows) < _LEAST_CHARGES:
        return 0, 0
    recent = set(months[-_RECENT_MONTHS:])
    usual = per_month(-sum(row[AMOUNT] for row in rows), Fraction(len(months)))
    late = -sum(row[AMOUNT] for row in rows if row[DAY] // 100 in recent)
    return usual, max(0, per_month(late, Fraction(_RECENT_MONTHS)) - usual)


def _frequent_rows(household: Assessment, category: str) -> list[Row]:
    """The window's rows of payees that charge in half of the months since their first, twice at least.

    Charges of a rarer rhythm at the same payee are left out.
    """
    books = household.books
    rare = {
        (payee, day_of(day), -amount)
        for charge in books.charges
        if charge.cadence in RARE_CADENCES
        for payee in charge.payees
        for day, amount in charge.parts
    }
    by_payee: dict[int, list[Row]] = defaultdict(list)
    for row in rows_in_window(books, {category}):
        if (row[PAYEE], row[DAY], row[AMOUNT]) not in rare:
            by_payee[row[PAYEE]].append(row)
    months = books.window.month_keys
    return [
        row
        for rows in by_payee.values()
        for paid_months in [{row[DAY] // 100 for row in rows if row[AMOUNT] < 0}]
        if sum(row[AMOUNT] < 0 for row in rows) >= 2
        and 2 * len(paid_months) >= sum(month >= min(paid_months) for month in months)
        for row in rows
    ]


def price_rise(household: Assessment) -> Iterator[Advice]:
    """A recurring charge went up by a twentieth and at least a dollar within 90 days."""
    since = household.books.window.data_end - timedelta(_PRICE_DAYS)
    least = about_one_dollar(household.currency)
    risen = [
        (_yearly(charge, charge.amount - before), charge, before, changed)
        for charge in running_charges(household.books)
        if (before := charge.price_before) is not None
        and (changed := charge.price_changed) is not None
        and changed >= since
        and charge.category not in _UNPRICED
        and 20 * (charge.amount - before) >= before
        and charge.amount - before >= least
    ]
    for yearly, charge, before, changed in sorted(risen, key=lambda item: (-item[0], item[1].name)):
        yield Advice(
            title=(
                f"Check {charge.title}: it rose from {household.money(before)} to"
                f" {household.money(charge.amount)}"
            ),
            detail=(
                f"Since {household.day(changed)}, you pay {household.money(yearly)} more a year. If"
                " the charge is not worth that, change or cancel it."
            ),
            amount=yearly,
        )


def _yearly(charge: Series, amount: int) -> int:
    assert charge.cadence != "irregular", "Only a cadence makes a charge recurring."
    return round(12 * amount * PER_MONTH[charge.cadence])


def review_subscriptions(household: Assessment) -> Iterator[Advice]:
    """Subscriptions take a twentieth of income, or one service is charged twice."""
    bills = [bill for bill in running_charges(household.books) if bill.category == "subscriptions"]
    monthly = sum(bill.monthly for bill in bills)
    doubled = _doubled(bills)
    if doubled:
        twice = doubled[0]
        amounts = listed([household.money(bill.amount) for bill in twice])
        times = "twice" if len(twice) == 2 else f"{len(twice)} times"
        yield Advice(
            title=f"Check whether you need {twice[0].name} {times}",
            detail=(
                f"{twice[0].name} charges {amounts}. Your subscriptions come to"
                f" {household.money(monthly)} a month. Cancel one if one is enough."
            ),
            amount=sum(bill.monthly for bill in twice),
        )
    elif 20 * monthly > household.planned.income > 0:
        largest = listed([f"{bill.title} ({household.money(bill.monthly)})" for bill in bills[:3]])
        subscriptions = count(len(bills), "subscription")
        take = "It takes" if len(bills) == 1 else "Together they take"
        yield Advice(
            title=f"Review {subscriptions}: {household.money(monthly)} a month",
            detail=(
                f"{take} {percent(monthly, household.planned.income)} of your income. Largest:"
                f" {largest}. Cancel the ones you no longer use."
            ),
            amount=monthly,
        )


def _doubled(bills: Sequence[Series]) -> list[list[Series]]:
    """Services charged more than once, those that cost most first."""
    by_name: dict[str, list[Series]] = defaultdict(list)
    for bill in bills:
        by_name[bill.name].append(bill)
    return sorted(
        (series for series in by_name.values() if len(series) > 1),
        key=lambda series: (-sum(bill.monthly for bill in series), series[0].name),
    )
