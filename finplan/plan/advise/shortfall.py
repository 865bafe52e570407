"""Advice about a month that is short: how much is missing, what may explain it, where to start."""

from collections.abc import Iterator

from finplan.plan.advise.advice import Advice, listed_wants, wants_by_size
from finplan.plan.advise.assessment import Assessment
from finplan.plan.advise.changed import describe_change
from finplan.plan.advise.fees import avoidable_fees
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.wealth import cash_is_known
from finplan.plan.words import lasting

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
    told = (
        _figures(household),
        _fees_in_it(household),
        _what_changed(household),
        _unknown_inflows(household),
        _where_to_start(household),
    )
    yield Advice(
        title=title,
        detail=" ".join(sentence for sentence in told if sentence),
        amount=missing_a_month(household),
    )


def is_short(household: Assessment) -> bool:
    """Whether a month lacks money from now on, nothing else explains it, and savings do not carry it."""
    living, planned = household.living, household.planned
    lasts = living.applies and living.lasts
    unseen = any(found.missing == "income" for found in household.missing)
    trusted = household.books.window.months >= 2
    if planned.unanswered:
        return False
    short = planned.surplus < 0 and -_SHORT_FROM * planned.surplus >= planned.income
    return short and trusted and not lasts and not unseen


def missing_a_month(household: Assessment) -> int:
    """What a month lacks from now on, minor units."""
    return -household.planned.surplus


def uncovered_at_least(household: Assessment) -> int:
    """What a month lacks even if all money in that waits for an answer is income, minor units."""
    planned = household.planned
    return max(0, -planned.surplus - planned.unanswered)


def _figures(household: Assessment) -> str:
    """What goes out and comes in, and for who lives on savings how long these last."""
    planned, living = household.planned, household.living
    gap, spent = household.money(missing_a_month(household)), household.money(planned.spend)
    if not living.applies:
        return (
            f"You spend {spent} a month and receive {household.money(planned.income)}. The missing"
            f" {gap} comes from cash or credit."
        )
    coming = household.money(planned.income)
    comes = f"receive {coming}" if planned.income else "no pay is expected"
    return f"You spend {spent} a month and {comes}. {_reach(household)}"


def _reach(household: Assessment) -> str:
    """How long savings last, with as much discretionary spending as the budget leaves."""
    living = household.living
    if not living.drawable and not cash_is_known(household.ledger):
        return "How long savings last cannot be told without the balance of your cash."
    if not living.drawable or living.months_told is None:
        return "No savings are left to draw on."
    savings, last = household.money(living.drawable), lasting(living.months_told)
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
    left = household.exact(monthly - gap) if monthly > gap else "nothing"
    named = f"{fees.named[0].upper()}{fees.named[1:]}"
    missing = "left over" if monthly > gap else "missing"
    return (
        f"{named} take {household.exact(monthly)} a month: without them {left} would be {missing}."
    )


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
    found = household.books.categories.get("unknown_inflow")
    if found is None or found.total <= 0:
        return ""
    monthly = per_month(found.total, household.books.window.months)
    return (
        f"{household.money(monthly)} a month came in that is not counted until you say what it is:"
        " `finplan tasks answer`."
    )


_UNKNOWN_SPENDING = {
    "uncategorized": "Say what the charges in no category are, to see where to start.",
    "unlinked_card": "Link the card that is paid from here, to see where to start.",
    "cash": "Most of it is cash withdrawn: set a sum for the week before you withdraw.",
}
"""What to do where nothing more is known of the money than how it left."""


def _where_to_start(household: Assessment) -> str:
    """The largest wants if they are worth it; else an essential to lower, or how to learn more."""
    wants = wants_by_size(household)[:_NAMED_WANTS]
    if _WORTH_NAMING * sum(each.monthly for each in wants) >= missing_a_month(household) and wants:
        return f"Start with {listed_wants(household, wants)}."
    if household.planned.essentials > 0:
        return "Look through the essentials for one to lower."
    if wants:
        return f"Start with {listed_wants(household, wants)}."
    spent = max(household.categories, key=lambda entry: entry.monthly, default=None)
    known = spent.category if spent else ""
    return _UNKNOWN_SPENDING.get(known, "Look at the latest pay for what was taken back.")
