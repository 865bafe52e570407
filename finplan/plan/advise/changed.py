"""What changed in a household, in words: a new job, a higher rent, a source that stopped."""

from finplan.plan.advise.assessment import Assessment
from finplan.plan.ledger.books import Change

_LATELY = 120
"""Days: what began so long ago or less is told with its day."""


def describe_change(household: Assessment, change: Change) -> str:
    """One sentence about a source or a bill that began, went on, changed or ended."""
    name, since = change.series.title, household.day(change.since)
    now = f"{household.money(change.now)} a month"
    verb = "pays" if change.is_income else "costs"
    if change.kind == "yearly":
        paid = household.exact(change.series.amount)
        return f"{name} is likely to come every year: {paid} on {since}, {now}."
    if change.kind == "ended":
        stopped = "stopped paying" if change.is_income else "ended"
        return f"{name} {stopped}: last seen on {since}."
    if change.kind == "stepped" and change.series.price_before is not None:
        before = household.exact(change.series.price_before)
        return f"{name} went from {before} to {household.exact(change.series.amount)} on {since}."
    again = "again " if change.kind == "resumed" else ""
    return f"{name} {again}{verb} {now} since {since}."


def largest_changes(household: Assessment, most: int = 3) -> list[str]:
    """Sentences about the changes that move a month most, the largest first."""
    return [describe_change(household, change) for change in household.books.running.changes[:most]]
