"""Advice about a month that is short: how much is missing, what may explain it, where to start.

What changed in a household is said in words: a new job, a higher rent, a source that stopped.
"""

from collections.abc import Iterator
from datetime import date

from finplan.model.figures import month_span
from finplan.model.snapshot import RunningChange, RunningMonth
from finplan.plan.advise.assessment import Advice, Assessment, listed_wants, wants_by_size
from finplan.plan.advise.fees import avoidable_fees
from finplan.plan.ledger.books import Books, MonthlyChange
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.sections.monthly import per_month, plan_month, take_means
from finplan.plan.sections.wealth import knows_cash
from finplan.plan.words import day, exact_money, lasting, money

_MONTH_DIFFERS_FROM = 20
"""A month from now on differs once it lies the twentieth part of income from the average."""

_CHANGES_TOLD = 3
"""So many changes are told in the text."""

_CHANGES_LISTED = 7
"""So many changes are listed."""


def running_month(ledger: Ledger, books: Books, today: date) -> RunningMonth:
    """What a month brings and costs from now on, and why that is not what it was on average."""
    planned, means = plan_month(ledger, books), take_means(books, ledger.catalogue)
    currency = ledger.settings.currency
    changes = tuple(
        RunningChange.of(
            change,
            name=change.series.title,
            income=change.is_income,
            text=describe_change(change, currency, today),
        )
        for change in books.running.changes[:_CHANGES_LISTED]
    )
    off = max(abs(planned.income - means.income), abs(planned.spend - means.total_spend))
    span = month_span(books.window.since, books.window.until)
    differs = off > 0 and _MONTH_DIFFERS_FROM * off >= planned.income
    return RunningMonth.of(
        planned,
        total_spend=planned.spend,
        differs=differs,
        changes=changes,
        text=(
            (
                f"On average, {span}: {_describe_month(means.income, means.total_spend, currency)}",
                f"From now on: {_describe_month(planned.income, planned.spend, currency)}",
                *(change.text for change in changes[:_CHANGES_TOLD]),
            )
            if differs
            else ()
        ),
    )


def _describe_month(income: int, spending: int, currency: str) -> str:
    """What a month brings, costs and leaves or lacks, as the end of a sentence."""
    ending = "left" if income >= spending else "short"
    return (
        f"{money(income, currency)} in, {money(spending, currency)} out,"
        f" {money(abs(income - spending), currency)} {ending}."
    )


def describe_change(change: MonthlyChange, currency: str, today: date) -> str:
    """Say in one sentence what a source or a bill did."""
    name, since = change.series.title, day(change.since, today)
    now = f"{money(change.now, currency)} a month"
    if change.kind == "yearly":
        paid = exact_money(change.series.amount, currency)
        return f"{name} is probably yearly. Last payment: {paid} on {since}."
    if change.kind == "ended":
        stopped = "stopped paying" if change.is_income else "ended"
        return f"{name} {stopped}. Last payment: {since}."
    before = change.series.price_before
    if change.kind == "stepped" and before is not None:
        amounts = (exact_money(amount, currency) for amount in (before, change.series.amount))
        return f"{name} went from {' to '.join(amounts)} on {since}."
    verb = "has paid" if change.is_income else "has cost"
    if change.series.count_all == 1 and change.is_income:
        return f"{name} {verb} {now} since {since} (one payment so far)."
    again = " again" if change.kind == "resumed" else ""
    return f"{name} {verb} {now}{again} since {since}."


_SHORT_FROM = 50
"""A month is short from the fiftieth part of planned income on."""

_NAMED_CHANGES = 2
_NAMED_WANTS = 2
_WORTH_NAMING = 3
"""Wants that come to less than a third of a gap are nowhere to start."""


def cover_shortfall(household: Assessment) -> Iterator[Advice]:
    """Spending exceeds income over at least two months, and savings do not carry it for long.

    Where pay is known to arrive in an account that is not linked, and while much of the money in waits
    for an answer, no shortfall is known.
    """
    if not is_short(household):
        return
    gap = household.money(missing_a_month(household))
    title = f"Close a gap of {gap} a month"
    sentences = (
        _figures_of_gap(household),
        _fees_in_it(household),
        _what_changed(household),
        _unknown_inflows(household),
        _where_to_start(household),
    )
    yield Advice(
        title=title,
        detail=" ".join(sentence for sentence in sentences if sentence),
        amount=missing_a_month(household),
    )


def is_short(household: Assessment) -> bool:
    """Whether a month lacks money from now on, nothing else explains it, and savings do not carry it."""
    living, planned = household.living, household.planned
    lasts = living.applies and living.lasts
    unseen = any(finding.missing == "income" for finding in household.missing)
    trusted = household.books.window.months >= 2
    if planned.unanswered:
        return False
    short = planned.surplus < 0 and -_SHORT_FROM * planned.surplus >= planned.income
    return short and trusted and not lasts and not unseen


def missing_a_month(household: Assessment) -> int:
    """What a month lacks from now on, minor units."""
    return -household.planned.surplus


def missing_in_any_case(household: Assessment) -> str:
    """What a month lacks even if all money in that waits is income, as a sentence after a blank."""
    least = missing_a_month(household) - household.planned.unanswered
    if not household.planned.unanswered or least <= 0:
        return ""
    return (
        f" Even if all of it is income, you spend at least {household.money(least)} a month more than"
        " you receive."
    )


def _figures_of_gap(household: Assessment) -> str:
    """What goes out and comes in, and for who lives on savings how long these last."""
    planned, living = household.planned, household.living
    gap, spent = household.money(missing_a_month(household)), household.money(planned.spend)
    if not living.applies:
        return (
            f"You spend {spent} a month and receive {household.money(planned.income)}. The remaining"
            f" {gap} comes from cash or credit."
        )
    coming = household.money(planned.income)
    comes = f"receive {coming}" if planned.income else "no pay is expected"
    return f"You spend {spent} a month and {comes}. {_reach_of_savings(household)}"


def _reach_of_savings(household: Assessment) -> str:
    """How long savings last, with as much discretionary spending as the budget leaves."""
    living = household.living
    if not living.drawable and not knows_cash(household.ledger):
        return "Add your cash balance to see how long your savings last."
    if not living.drawable or living.months_by_targets is None:
        return "You have no savings to draw on."
    savings, last = household.money(living.drawable), lasting(living.months_by_targets)
    if living.discretionary < household.planned.discretionary:
        return (
            f"With {household.money(living.discretionary)} of discretionary spending instead of"
            f" {household.money(household.planned.discretionary)}, your savings of {savings} last"
            f" {last}."
        )
    return f"Your savings of {savings} last {last}."


def _fees_in_it(household: Assessment) -> str:
    """The fees that could be avoided, where they alone make a month short."""
    fees, gap = avoidable_fees(household), missing_a_month(household)
    monthly = per_month(fees.total, household.books.window.months) if fees else 0
    if fees is None or monthly < gap:
        return ""
    amount = household.exact(monthly - gap) if monthly > gap else "nothing"
    title = f"{fees.label[0].upper()}{fees.label[1:]}"
    missing = "left" if monthly > gap else "missing"
    return f"{title} take {household.exact(monthly)} a month. Without them, {amount} would be {missing}."


def _what_changed(household: Assessment) -> str:
    """The changes that make a month short, or shorter than it was on average."""
    worse = [
        change
        for change in household.books.running.changes
        if (change.now < change.averaged) == change.is_income
    ]
    return " ".join(
        describe_change(change, household.currency, household.today)
        for change in worse[:_NAMED_CHANGES]
    )


def _unknown_inflows(household: Assessment) -> str:
    """What came in from nobody knows where, which may close a gap; nothing where nothing did."""
    entry = household.books.categories.get("unknown_inflow")
    if entry is None or entry.total <= 0:
        return ""
    monthly = per_month(entry.total, household.books.window.months)
    return (
        f"Another {household.money(monthly)} a month came in but does not count until you categorize"
        " it: `finplan tasks answer`."
    )


_UNKNOWN_SPENDING = {
    "uncategorized": "Categorize your uncategorized spending to see where to start.",
    "unlinked_card": "Link the card that you pay from here to see where to start.",
    "cash": "Most of it is withdrawn cash: set a weekly limit before you withdraw.",
}
"""What to do where nothing more is known of the money than how it left."""


def _where_to_start(household: Assessment) -> str:
    """The largest wants if they are worth it; else an essential to lower, or how to learn more."""
    wants = wants_by_size(household)[:_NAMED_WANTS]
    if _WORTH_NAMING * sum(want.monthly for want in wants) >= missing_a_month(household) and wants:
        return f"Start with {listed_wants(household, wants)}."
    if household.planned.essentials > 0:
        return "Look for an essential cost to lower."
    if wants:
        return f"Start with {listed_wants(household, wants)}."
    spent = max(household.categories, key=lambda entry: entry.monthly, default=None)
    category = spent.category if spent else ""
    return _UNKNOWN_SPENDING.get(category, "Check whether your latest pay was reversed.")
