"""Answers in words: what was understood first, then the figures, then what they do not hold."""

from collections.abc import Mapping

from finplan.daemon.surfaces.a2a.household import KnownHousehold
from finplan.daemon.surfaces.a2a.told import (
    ComparisonTold,
    IncomeTold,
    MeanTold,
    PlainTold,
    PurchasesTold,
)
from finplan.daemon.surfaces.mcp.tools.spending_question import (
    SpendingTold,
    describe_part,
    say_group,
    say_income,
    say_mean,
    say_purchase,
    say_spending,
    say_unfiled,
)
from finplan.daemon.surfaces.mcp.tools.wording import counted, lines, listed, quoted
from finplan.model.figures import money
from finplan.questions.question import SpokenComparison, SpokenQuestion


def said_answer(
    told: PlainTold, asked: SpokenQuestion, known: KnownHousehold, more: str | None = None
) -> str:
    """An answer as lines, with what is said beside; foreign text is set apart."""
    return lines(
        f"Understood: {told.understood}.", _said(told, asked, known), *_remarks(asked), more
    )


def said_comparison(told: ComparisonTold, asked: SpokenComparison, known: KnownHousehold) -> str:
    """Two answers as lines, and by how much the first is more."""
    differs = money(abs(told.difference), known.currency)
    verdict = "Both are equal."
    if told.difference:
        verdict = (
            f"The first is {differs} {'more' if told.difference > 0 else 'less'} than the second."
        )
    return lines(
        f"Understood: {told.understood}.",
        "First: " + _said(told.first, asked.first, known),
        "Second: " + _said(told.second, asked.second, known),
        *dict.fromkeys((*_remarks(asked.first), *_remarks(asked.second))),
        verdict,
    )


def _said(told: PlainTold, asked: SpokenQuestion, known: KnownHousehold) -> str:
    currency = known.currency
    if isinstance(told, MeanTold):
        return said_mean(told, currency)
    if isinstance(told, IncomeTold):
        return _said_income(told, currency)
    if isinstance(told, PurchasesTold):
        return _said_purchases(told, currency, known.categories)
    counts = asked.measure is not None and asked.measure.kind == "count"
    return lines(
        f"{counted(told.count, 'row')}; money back is a row, too." if counts else None,
        say_spending(told, currency),
        _month_by_month(told, currency),
    )


def _month_by_month(told: SpendingTold, currency: str) -> str | None:
    """The months of each group, which the tool leaves to its data."""
    if told.months is None:
        return None
    return lines(
        "Month by month:",
        listed(
            f"{quoted(group.label)}: "
            + ", ".join(
                f"{month} {money(total, currency)}"
                for month, total in zip(told.months, group.totals or (), strict=True)
            )
            for group in told.groups
        ),
    )


def said_mean(told: MeanTold, currency: str) -> str:
    """A mean in a sentence, with what it is of."""
    days = f"{told.since} to {told.until}"
    return lines(
        say_mean(told.mean, told.unit, told.units, told.total, days, currency), told.beyond_rows
    )


def _said_income(told: IncomeTold, currency: str) -> str:
    return lines(
        say_income(told.total, told.count, f"{told.since} to {told.until}", currency),
        told.beyond_rows,
        listed(say_group(each, told.group_by, currency) for each in told.groups),
        say_unfiled(told.unfiled, told.unfiled_count, currency) if told.unfiled_count else None,
    )


def _said_purchases(told: PurchasesTold, currency: str, labels: Mapping[str, str]) -> str:
    more = told.count - len(told.transactions)
    return lines(
        f"{counted(told.count, 'purchase')}, together {money(told.total, currency)}, {told.since} to"
        f" {told.until}; the largest first, money back left out.",
        told.beyond_rows,
        listed(
            say_purchase(
                row.date, row.payee, -row.amount, labels.get(row.category, row.category), currency
            )
            for row in told.transactions
        ),
        f"- {counted(more, 'more purchase')}" if more else None,
    )


def _remarks(question: SpokenQuestion) -> list[str]:
    parts = [describe_part(words, label) for words, label in question.parts]
    beside = [
        f"{quoted(each.label)} is a merchant, too: write `merchant` before the name for it alone."
        for each in question.beside
    ]
    return [*parts, *beside]
