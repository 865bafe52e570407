"""What changed in a household, in words: a new job, a higher rent, a source that stopped."""

from datetime import date

from finplan.model.figures import month_span
from finplan.model.snapshot import RunningChange, RunningMonth
from finplan.plan.ledger.books import Books, MonthlyChange
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.sections.monthly import plan_month, take_means
from finplan.plan.words import day, exact_money, money

_DIFFERS_FROM = 20
"""A month from now on differs once it lies the twentieth part of income from the average."""

_NAMED = 3
"""So many changes are told in the text."""

_MOST = 7
"""So many changes are listed."""


def running_month(ledger: Ledger, books: Books, today: date) -> RunningMonth:
    """What a month brings and costs from now on, and why that is not what it was on average."""
    planned, means = plan_month(ledger, books), take_means(books, ledger.catalogue)
    currency = ledger.settings.currency
    changes = tuple(
        RunningChange(
            name=change.series.title,
            kind=change.kind,
            income=change.is_income,
            since=change.since,
            averaged=change.averaged,
            now=change.now,
            text=describe_change(change, currency, today),
        )
        for change in books.running.changes[:_MOST]
    )
    off = max(abs(planned.income - means.income), abs(planned.spend - means.total_spend))
    span = month_span(books.window.since, books.window.until)
    differs = off > 0 and _DIFFERS_FROM * off >= planned.income
    return RunningMonth(
        income=planned.income,
        essentials=planned.essentials,
        discretionary=planned.discretionary,
        total_spend=planned.spend,
        surplus=planned.surplus,
        differs=differs,
        changes=changes,
        text=(
            (
                f"On average, {span}: {_describe_month(means.income, means.total_spend, currency)}",
                f"From now on: {_describe_month(planned.income, planned.spend, currency)}",
                *(change.text for change in changes[:_NAMED]),
            )
            if differs
            else ()
        ),
    )


def _describe_month(income: int, spending: int, currency: str) -> str:
    """What a month brings, costs and leaves or lacks, as the end of a sentence."""
    left = "left" if income >= spending else "short"
    return (
        f"{money(income, currency)} in, {money(spending, currency)} out,"
        f" {money(abs(income - spending), currency)} {left}."
    )


def describe_change(change: MonthlyChange, currency: str, today: date) -> str:
    """Say in one sentence what a source or a bill did."""
    name, since = change.series.title, day(change.since, today)
    now = f"{money(change.now, currency)} a month"
    if change.kind == "yearly":
        paid = exact_money(change.series.amount, currency)
        return f"{name} probably comes every year. Last payment: {paid} on {since}."
    if change.kind == "ended":
        stopped = "stopped paying" if change.is_income else "ended"
        return f"{name} {stopped}. Last payment: {since}."
    before = change.series.price_before
    if change.kind == "stepped" and before is not None:
        amounts = (exact_money(each, currency) for each in (before, change.series.amount))
        return f"{name} went from {' to '.join(amounts)} on {since}."
    verb = "has paid" if change.is_income else "has cost"
    if change.series.count_all == 1 and change.is_income:
        return f"{name} {verb} {now} since {since} (one payment so far)."
    again = " again" if change.kind == "resumed" else ""
    return f"{name} {verb} {now}{again} since {since}."
