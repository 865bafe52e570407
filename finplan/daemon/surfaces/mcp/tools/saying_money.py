"""How sums, means and the largest transactions are put into words."""

from collections.abc import Iterable
from datetime import date

from finplan.daemon.surfaces.mcp.tools.money_shapes import SpendingTold, SpentGroup
from finplan.daemon.surfaces.mcp.tools.wording import counted, lines, listed, quoted, sentence
from finplan.model.figures import money


def say_spending(told: SpendingTold, currency: str) -> str:
    """An answer as lines: its figure, the groups or transactions, and what they do not hold."""
    rest = told.left_out
    of_nothing = told.not_spending and not told.count
    return lines(
        None if of_nothing else _say_figure(told, currency),
        told.beyond_rows,
        listed(say_group(each, told.group_by, currency) for each in told.groups),
        None
        if rest is None
        else f"- {counted(rest.groups, 'more group')}: {money(rest.total, currency)}",
        *_say_months(told, currency),
        listed(
            f"{say_purchase(each.date, each.payee, each.amount, each.category, currency)}, on"
            f" {quoted(each.account)} [{each.id}]"
            for each in told.largest or ()
        ),
        sentence(say_unfiled(told.unfiled, told.unfiled_count, currency))
        if told.unfiled_count
        else None,
        _say_outside(told),
        *told.notes,
        _say_not_spending(told),
    )


def _say_figure(told: SpendingTold, currency: str) -> str:
    days, total = f"{told.since} to {told.until}", money(told.total, currency)
    if told.mean is not None:
        return say_mean(told.mean, told.unit or "", told.units or 0, told.total, days, currency)
    if told.largest is not None:
        which = "largest transaction" if told.count == 1 else f"{told.count} largest transactions"
        beside = "" if told.flow == "income" else "; refunds are left out"
        return f"The {which}, together {total}, {days}{beside}."
    if told.outside_totals:
        verb = "Received" if told.flow == "income" else "Charged"
        names = ", ".join(map(quoted, told.outside_totals))
        return f"{verb} on {names}: {total} in {counted(told.count, 'transaction')}, {days}."
    if told.flow == "income":
        return say_income(told.total, told.count, days, currency)
    return f"Spent {total} in {counted(told.count, 'row')}, {days}."


def say_income(total: int, count: int, days: str, currency: str) -> str:
    """What was earned, in a sentence."""
    return (
        f"Received {money(total, currency)} of income in {counted(count, 'transaction')}, {days}."
    )


def _say_outside(told: SpendingTold) -> str | None:
    """What to say of accounts whose own transactions an answer is of."""
    if not told.outside_totals:
        return None
    names = ", ".join(map(quoted, told.outside_totals))
    return (
        f"These are transactions of {names} itself, without transfers. No other total of spending or"
        " income counts them."
    )


def say_mean(mean: int, unit: str, units: int, total: int, days: str, currency: str) -> str:
    """A mean in a sentence, with what it is of."""
    of = "purchases (rows)" if unit == "purchase" else f"whole {unit}s"
    if units == 1:
        of = "purchase (row)" if unit == "purchase" else f"whole {unit}"
    return (
        f"On average {money(mean, currency)} a {unit}: {money(total, currency)} over {units:,} {of},"
        f" {days}."
    )


def say_unfiled(total: int, count: int, currency: str) -> str:
    """What to say of money in that is in no category yet."""
    return (
        f"Another {money(total, currency)} came in by {counted(count, 'row')} in no category yet; it may"
        " be income, too. `finplan tasks` asks what it is."
    )


def say_group(group: SpentGroup, group_by: str | None, currency: str) -> str:
    """One group in a line."""
    label = group.label if group_by == "month" else quoted(group.label)
    return f"{label}: {money(group.total, currency)}"


def say_purchase(day: date, payee: str, amount: int, label: str, currency: str) -> str:
    """One of the largest transactions in a line; without a label it is in no category."""
    what_for = f", {quoted(label)}" if label else ""
    return f"{day} {quoted(payee)} {money(amount, currency)}{what_for}"


def _say_months(told: SpendingTold, currency: str) -> Iterable[str]:
    """What each month of a table comes to; those of each group are beside the text."""
    if told.months is None or told.totals is None:
        return
    yield "All of it by month (each group's months are its `totals`):"
    yield listed(
        f"{month}: {money(total, currency)}"
        for month, total in zip(told.months, told.totals, strict=True)
    )


def _say_not_spending(told: SpendingTold) -> str | None:
    if not told.not_spending:
        return None
    labels = ", ".join(map(sentence, told.not_spending))
    return (
        f"{labels} is not {told.flow}, so nothing of it is counted here. Ask for income by itself;"
        " list_transactions shows transfers and savings."
    )
