"""Which months of an answer have rows at all, and which of them it holds in part."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from rich.text import Text

from finplan.cli.showing.layout import wrapped
from finplan.model.spending import RecordedDays, SpendingMonths, SpendingReport
from finplan.model.words.spending import beyond_rows


def reached(months: Sequence[str], recorded: RecordedDays | None) -> list[str]:
    """The months that rows reach, all where none does: of others nothing is known."""
    if recorded is None:
        return list(months)
    first, last = f"{recorded.since:%Y-%m}", f"{recorded.until:%Y-%m}"
    return [month for month in months if first <= month <= last] or list(months)


def nothing_spent(report: SpendingReport | SpendingMonths, width: int) -> list[Text]:
    """That there is nothing, and whether that is because no row reaches the days."""
    told = "No spending in these days."
    if report.recorded is not None:
        told = f"{told} {beyond_rows(report.since, report.until, report.recorded) or ''}"
    return wrapped(told, width, style="dim")


def reach_said(
    months: Sequence[str], since: date, until: date, recorded: RecordedDays | None, width: int
) -> Iterator[Text]:
    """Which of the months asked for are left out, and on which day the first and last one begin and end.

    A month of which an answer holds a day looks like one in which nothing was spent.
    """
    if recorded is None or not months:
        return
    shown = reached(months, recorded)
    if len(shown) < len(months):
        told = f"{beyond_rows(since, until, recorded)} Other months are left out."
        yield from wrapped(told, width, style="dim")
    cut = []
    if since.day > 1 and shown[0] == f"{since:%Y-%m}":
        cut.append(f"{shown[0]} begins on {since}")
    last = min(until, recorded.until)
    if (last + timedelta(1)).day > 1 and shown[-1] == f"{last:%Y-%m}":
        cut.append(f"{shown[-1]} ends on {last}")
    if cut:
        yield from wrapped(f"{' and '.join(cut)}.", width, style="dim")
