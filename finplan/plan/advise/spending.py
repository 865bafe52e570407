"""Advice about spending: where a small change shows, never what to give up."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta
from fractions import Fraction

from finplan.model.money import half_even
from finplan.plan.advise.advice import Advice, largest_wants
from finplan.plan.advise.assessment import Assessment
from finplan.plan.detect.cadence import PER_MONTH
from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.ledger.books import CategoryTotal, Series
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PAYEE, Row
from finplan.plan.ledger.lookup import rows_in_window
from finplan.plan.sections.cards import is_fee
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.spending import running_charges
from finplan.plan.words import count, listed, percent

_RECENT_MONTHS = 3
_PRICE_DAYS = 90

_UNPRICED = frozenset({"utilities", "interest_fees"})
"""What a meter counts, and what is charged on a debt or for an overdraft, has no price that rises."""

_FIXED = frozenset({"rent", "mortgage", "taxes", "loan_payment"})
"""Essentials that nobody lowers by looking at them."""


def trim_discretionary(household: Assessment) -> Iterator[Advice]:
    """Wants exceed their target by a twentieth of income while too little is left over."""
    _, wants, savings = household.budget
    excess, income = wants.current - wants.target, household.means.income
    if 20 * excess < income or excess <= 0 or savings.current >= savings.target:
        return
    largest = largest_wants(household, 2)
    where = f"The largest: {largest}. Choose one" if largest else "Choose one place"
    now = household.money(savings.current) if savings.current > 0 else "nothing"
    yield Advice(
        title=f"Aim for {household.money(excess)} a month less discretionary spending",
        detail=(
            f"It is {household.money(wants.current)} a month; {household.money(wants.target)} would"
            f" leave {household.money(savings.target)} over, where {now} is left now. {where} to"
            " spend less on."
        ),
        amount=excess,
    )


def review_essentials(household: Assessment) -> Iterator[Advice]:
    """Essentials take more than six tenths of income; the one that rose most of late is named.

    A rise below a tenth of the category or a hundredth of income is how months differ.
    """
    means, months = household.means, household.books.window.months
    if means.income <= 0 or 5 * means.essentials <= 3 * means.income:
        return
    rises = [
        (rise, entry)
        for category, entry in sorted(household.books.categories.items())
        if household.ledger.catalogue[category].line == "essential"
        and category not in _FIXED
        and 10 * (rise := _rise(entry)) >= per_month(entry.total, months)
        and 100 * rise >= means.income
    ]
    rise, entry = max(rises, key=lambda item: item[0], default=(0, None))
    if entry is None or rise < about_one_dollar(household.currency):
        return
    label = household.ledger.catalogue[entry.category].label
    usual = per_month(entry.total, months)
    yield Advice(
        title=f"See why {label} rose by {household.money(rise)} a month",
        detail=(
            f"Essentials take {percent(means.essentials, means.income)} of your take-home pay."
            f" {label} came to {household.money(usual + rise)} a month over the last"
            f" {_RECENT_MONTHS} months, against {household.money(usual)} on average: look at the"
            " latest bills for what changed."
        ),
        amount=rise,
    )


def _rise(entry: CategoryTotal) -> int:
    """How much the mean of the last three months lies above the window's; 0 for a short window."""
    months = len(entry.by_month)
    if months <= _RECENT_MONTHS:
        return 0
    recent = per_month(sum(entry.by_month[-_RECENT_MONTHS:]), Fraction(_RECENT_MONTHS))
    return max(0, recent - per_month(sum(entry.by_month), Fraction(months)))


def price_rise(household: Assessment) -> Iterator[Advice]:
    """A recurring charge went up by a twentieth and at least a dollar within 90 days."""
    since = household.books.window.data_end - timedelta(_PRICE_DAYS)
    risen = [
        (_yearly(charge, charge.amount - charge.price_before), charge, charge.price_before)
        for charge in running_charges(household.books)
        if charge.category not in _UNPRICED
        and charge.price_before is not None
        and charge.price_changed is not None
        and charge.price_changed >= since
        and 20 * (charge.amount - charge.price_before) >= charge.price_before
        and charge.amount - charge.price_before >= about_one_dollar(household.currency)
    ]
    for yearly, charge, before in sorted(risen, key=lambda item: (-item[0], item[1].name)):
        assert charge.price_changed is not None
        yield Advice(
            title=(
                f"{charge.name} went from {household.money(before)} to"
                f" {household.money(charge.amount)}"
            ),
            detail=(
                f"That is {household.money(yearly)} more a year since"
                f" {household.day(charge.price_changed)}. Keep it if it is worth that, else change"
                " or cancel it."
            ),
            amount=yearly,
        )


def _yearly(charge: Series, amount: int) -> int:
    assert charge.cadence != "irregular", "Only a rhythm makes a charge recurring."
    yearly = 12 * amount * PER_MONTH[charge.cadence]
    return half_even(yearly.numerator, yearly.denominator)


def review_subscriptions(household: Assessment) -> Iterator[Advice]:
    """Subscriptions take a twentieth of income, or one service is charged twice."""
    held = [each for each in running_charges(household.books) if each.category == "subscriptions"]
    monthly = sum(each.monthly for each in held)
    doubled = _doubled(held)
    if doubled:
        twice = doubled[0]
        amounts = listed([household.money(each.amount) for each in twice])
        yield Advice(
            title=f"Check whether you need {twice[0].name} {_times(len(twice))}",
            detail=(
                f"{twice[0].name} charges {amounts}, and subscriptions come to"
                f" {household.money(monthly)} a month. Cancel one if one is enough."
            ),
            amount=sum(each.monthly for each in twice),
        )
    elif 20 * monthly > household.means.income > 0:
        largest = listed([f"{each.name} ({household.money(each.monthly)})" for each in held[:3]])
        subscriptions = count(len(held), "subscription")
        yield Advice(
            title=f"Look through {subscriptions}: {household.money(monthly)} a month",
            detail=(
                f"They take {percent(monthly, household.means.income)} of your income; the largest"
                f" {'is' if len(held) == 1 else 'are'} {largest}. Cancel what you no longer use."
            ),
            amount=monthly,
        )


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _doubled(held: Sequence[Series]) -> list[list[Series]]:
    """Services charged more than once, those that cost most first."""
    by_name: dict[str, list[Series]] = defaultdict(list)
    for each in held:
        by_name[each.name].append(each)
    return sorted(
        (series for series in by_name.values() if len(series) > 1),
        key=lambda series: (-sum(each.monthly for each in series), series[0].name),
    )


def avoid_fees(household: Assessment) -> Iterator[Advice]:
    """Bank fees or cash-advance interest in two months or more."""
    window = household.books.window
    rows = [
        row
        for row in rows_in_window(household.books, {"interest_fees"})
        if _is_avoidable(household, row)
    ]
    months = {row[DAY] // 100 for row in rows if row[AMOUNT] < 0}
    total = -sum(row[AMOUNT] for row in rows)
    if len(months) < 2 or total <= 0:
        return
    yearly = per_month(12 * total, window.months)
    yield Advice(
        title=f"Avoid about {household.money(yearly)} a year in fees",
        detail=(
            f"Fees came in {len(months)} of {count(household.full_months, 'month')},"
            f" {household.money(total)} in all. Ask the bank to waive them, or set an alert before"
            " the balance runs low."
        ),
        amount=yearly,
    )


def _is_avoidable(household: Assessment, row: Row) -> bool:
    """A fee on a cash account, or one on a card that is not its yearly price."""
    payee = household.ledger.payees[row[PAYEE]]
    name = payee.name.lower()
    if household.ledger.accounts[row[ACCOUNT]].kind != "credit":
        return True
    yearly = "annual" in name or "member" in name
    return "cash advance" in name or (is_fee(payee) and not yearly)
