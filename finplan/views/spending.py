"""Totals of spending: one grouping with its bars, or groups beside months."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from finplan.model import figures
from finplan.model.account import AccountRecord
from finplan.model.spending import SpendingTold
from finplan.model.transaction import (
    MonthlySpendingGroup,
    RecordedDays,
    SpendingMonths,
    SpendingReport,
)
from finplan.views import page
from finplan.views.locale import Locale


def totals(
    report: SpendingReport,
    how: Locale,
    only: Sequence[str] = (),
    accounts: Sequence[AccountRecord] = (),
) -> page.Page:
    """A report, of which every group has its line.

    `only` are the categories and merchants that it is of, where the person named some. Those of the
    `accounts` that no total holds, because they are in another currency, are named.
    """
    charges = figures.count(report.count, "transaction")
    days = f"{report.since} to {report.until}"
    title = page.Title(
        page.TextSpan(f"{how.money(report.total)} spent", "strong"), f"{charges}, {days}"
    )
    left_out = foreign_accounts(accounts, how)
    if not report.count:
        return page.of(title, narrowed(only), nothing_spent(report), left_out)
    months = [group.key for group in report.groups] if report.group_by == "month" else []
    texts = [*describe_reach(months, report.since, report.until, report.recorded)]
    left_out = (*page.sentences(texts, "soft"), *left_out)
    return page.of(
        title,
        narrowed(only),
        page.spaced(group_table(report, how) if report.groups else None),
        page.spaced(*left_out),
    )


def group_table(report: SpendingReport, how: Locale) -> page.PageTable:
    """Each group with its bar, total, share and number of charges."""
    months = [group.key for group in report.groups] if report.group_by == "month" else []
    visible = set(reached(months, report.recorded))
    largest = max((group.total for group in report.groups), default=0)
    rows = (
        page.TableRow(
            (
                page.name(group.label),
                page.ShareBar(group.total, largest, "accent"),
                how.figure(group.total, "good" if group.total < 0 else "strong"),
                figures.share(group.share),
                f"{group.count:,}",
            ),
            key=group.key,
        )
        for group in report.groups
        if not months or group.key in visible
    )
    first = page.col(
        "<",
        head=(report.group_by or "").capitalize(),
        least=8 if months else 30,
        floor=8 if months else 20,
    )
    counts = (page.col(head, least=7) for head in ("share>~", "count>~"))
    columns = (first, page.col("=", least=8), page.col("total>", least=14), *counts)
    return page.table(columns, rows, spoken="Spending", gap=1)


def narrowed(only: Sequence[str]) -> tuple[page.Sentence, ...]:
    """What totals are of, where the person named categories or merchants."""
    return (page.Sentence(f"Only {', '.join(only)}.", "soft"),) if only else ()


def foreign_accounts(accounts: Sequence[AccountRecord], how: Locale) -> tuple[page.Sentence, ...]:
    """Which accounts no total holds, a sentence each."""
    foreign = (
        f"Totals exclude {account.account.name}: it is in {account.currency}, not {how.currency}."
        for account in accounts
        if account.currency != how.currency and not account.hidden
    )
    return page.sentences(foreign, "soft")


def nothing_spent(report: SpendingReport | SpendingMonths) -> page.Sentence:
    """That there is nothing, and whether that is because no row reaches the days."""
    text = "No spending in this period."
    if report.recorded is not None:
        text = f"{text} {beyond_rows(report.since, report.until, report.recorded) or ''}"
    return page.Sentence(text.strip(), "soft")


_CHART_MONTHS = 12

# --- months --------------------------------------------------------------------------------------


class MonthsLayout(NamedTuple):
    """How many of the last months have a column each, and how many months a trend is of; 0 for none.

    Where there are more than the `most` groups those after them share a line, unless it would be one
    alone.
    """

    apart: int
    trend: int = 0
    most: int | None = None


def months(
    report: SpendingMonths,
    how: Locale,
    layout: MonthsLayout,
    only: Sequence[str] = (),
    accounts: Sequence[AccountRecord] = (),
) -> page.Page:
    """Groups beside months, the largest first; `only` and `accounts` are as for `totals`.

    Earlier months are one column and further groups one line, so that each line and column adds up.
    """
    days = f"in {how.currency}, {report.since} to {report.until}"
    title = page.Title(page.TextSpan(f"{how.money(report.total)} spent", "strong"), days)
    foreign = foreign_accounts(accounts, how)
    if not report.groups:
        return page.of(title, narrowed(only), nothing_spent(report), page.spaced(*foreign))
    remarks = (*page.sentences(summed_up(report, layout), "soft"), *foreign)
    table = months_table(of_reached_months(report), how, layout)
    return page.of(title, narrowed(only), page.spaced(table), page.spaced(*remarks))


def months_table(report: SpendingMonths, how: Locale, layout: MonthsLayout) -> page.PageTable:
    """Each group beside its months and its total, and the sum of all last."""
    first = len(report.months) - layout.apart
    heads = (*([earlier(first)] if first else []), *report.months[first:])

    def amount(total: int, tone: str = "") -> page.TextSpan:
        if not total:
            return page.TextSpan("–", "soft")
        return page.TextSpan(figures.number(total, how.currency), "good" if total < 0 else tone)

    rows = (
        page.TableRow(
            (
                page.name(line.label),
                *([amount(sum(line.totals[:first]))] if first else []),
                *map(amount, line.totals[first:]),
                amount(line.total, "strong"),
                *([page.Trend(line.totals[-layout.trend :])] if layout.trend else []),
            ),
            key=line.key,
            tone="strong" if line.label == ALL and not line.key else "",
        )
        for line in month_lines(report, layout.most)
    )
    columns = (
        page.col(f"{report.group_by.capitalize()}<"),
        *(page.col(f"{head}>") for head in (*heads, "total")),
        *([page.col("trend", tone="accent")] if layout.trend else []),
    )
    return page.table(columns, rows, spoken="Spending by month", gap=1)


ALL = "All"


def month_lines(report: SpendingMonths, most: int | None) -> list[MonthlySpendingGroup]:
    """The groups that have a line each, the others together, and all of them."""

    def line(label: str, groups: Sequence[MonthlySpendingGroup]) -> MonthlySpendingGroup:
        totals = tuple(map(sum, zip(*(group.totals for group in groups), strict=True)))
        count = sum(group.count for group in groups)
        return MonthlySpendingGroup(
            key="", label=label, totals=totals, total=sum(totals), count=count
        )

    hidden = report.groups[_lines_apart(report, most) :]
    others = [line(f"{len(hidden):,} others", hidden)] if hidden else []
    listed = report.groups[: len(report.groups) - len(hidden)]
    return [*listed, *others, line(ALL, report.groups)] if listed else []


def _lines_apart(report: SpendingMonths, most: int | None) -> int:
    # One group by itself would take the same line under a name that says less.
    return len(report.groups) if most is None or len(report.groups) <= most + 1 else most


def earlier(months: int) -> str:
    """What the column of the first months is called, which stand in it together."""
    return f"{months} earlier"


def summed_up(report: SpendingMonths, layout: MonthsLayout) -> Iterator[str]:
    """What has no column or line of its own, and where it has; and which months are not whole."""
    table = of_reached_months(report)
    first = len(table.months) - layout.apart
    if first:
        start, last = table.months[0], table.months[first - 1]
        span = f"{start} to {last}" if first > 1 else start
        yield f"“{earlier(first)}” is {span}. A wider window shows more months."
    if layout.trend and len(table.months) > layout.trend:
        yield f"The trend shows the last {layout.trend} months."
    trends = (line.totals[-layout.trend :] for line in month_lines(table, layout.most))
    if layout.trend and any(map(_is_cut, trends)):
        yield "The trend cuts off months with far more spending than the others."
    folded = len(table.groups) - _lines_apart(table, layout.most)
    if folded:
        names = f"{table.group_by}s".replace("ys", "ies")
        yield f"{folded:,} {names} are combined in one line. --json lists them separately."
    yield from describe_reach(report.months, report.since, report.until, report.recorded)


def _is_cut(totals: Sequence[int]) -> bool:
    return figures.largest_usual([total for total in totals if total > 0]) is not None


def of_reached_months(table: SpendingMonths) -> SpendingMonths:
    """A table without the months that no row reaches, which would take the room of others."""
    visible = set(reached(table.months, table.recorded))
    places = [index for index, month in enumerate(table.months) if month in visible]

    def at(totals: Sequence[int]) -> tuple[int, ...]:
        return tuple(totals[index] for index in places)

    groups = (group.model_copy(update={"totals": at(group.totals)}) for group in table.groups)
    months = tuple(table.months[index] for index in places)
    return table.model_copy(
        update={"months": months, "totals": at(table.totals), "groups": tuple(groups)}
    )


def months_in_a_line(report: SpendingReport, how: Locale) -> tuple[str, ...]:
    """The least and the most of the months of a report, ever shorter; nothing where there are not two.

    A huge month is cut in a line of small columns, which is said.
    """
    months = {group.key: group.total for group in report.groups}
    if len(months) < 2 or max(months.values()) <= 0:
        return ()
    least, most = (choose(months, key=lambda key: months[key]) for choose in (min, max))
    low, high = (how.whole(months[key]) for key in (least, most))
    if figures.largest_usual([total for total in months.values() if total > 0]) is not None:
        high += " (cut)"
    return (
        f"  least {low} in {_format_month(least)}, most {high} in {_format_month(most)}",
        f"  {low} to {high}",
        "",
    )


def by_month(report: SpendingReport, how: Locale) -> page.Section:
    """Spending of the last months as columns under its mean."""
    title, groups = "Spending by month", report.groups[-_CHART_MONTHS:]
    if not groups:
        return page.Section("months", title, (page.Sentence("No full month yet.", "soft"),))
    mean = how.whole(round(sum(group.total for group in groups) / len(groups)))
    points = tuple(
        page.ChartPoint(_first_of(group.key).strftime("%b %Y"), group.total) for group in groups
    )
    chart = page.AmountChart("columns", points, how.currency, "essential")
    return page.Section("months", title, (chart,), f"{mean} a month")


def _first_of(month: str) -> date:
    return date.fromisoformat(f"{month}-01")


def _format_month(month: str) -> str:
    return f"{_first_of(month):%b %Y}"


# --- how far rows reach --------------------------------------------------------------------------


def reached(months: Sequence[str], recorded: RecordedDays | None) -> list[str]:
    """The months that rows reach, all where none does: of others nothing is known."""
    if recorded is None:
        return list(months)
    first, last = f"{recorded.since:%Y-%m}", f"{recorded.until:%Y-%m}"
    return [month for month in months if first <= month <= last] or list(months)


def describe_reach(
    months: Sequence[str], since: date, until: date, recorded: RecordedDays | None
) -> Iterator[str]:
    """Which of the months asked for are left out, and on which day the first and last one begin and end.

    A month of which an answer holds a day looks like one in which nothing was spent.
    """
    if recorded is None or not months:
        return
    visible = reached(months, recorded)
    if len(visible) < len(months):
        yield f"{beyond_rows(since, until, recorded)} Other months are excluded."
    cut = []
    if since.day > 1 and visible[0] == f"{since:%Y-%m}":
        cut.append(f"{visible[0]} starts on {since}")
    last = min(until, recorded.until)
    if (last + timedelta(1)).day > 1 and visible[-1] == f"{last:%Y-%m}":
        cut.append(f"{visible[-1]} ends on {last}")
    if cut:
        yield f"{' and '.join(cut)}."


# --- what agents are told ------------------------------------------------------------------------


def brief(answer: SpendingTold, how: Locale) -> page.Lines:
    """A figure, its groups or transactions, and what they do not hold."""
    days, money = f"{answer.since} to {answer.until}", how.money
    outside = page.named_each(answer.outside_totals)
    if answer.count or not answer.not_spending:
        yield _brief_figure(answer, days, how)
    yield answer.beyond_rows
    for group in answer.groups:
        label = group.label if answer.group_by == "month" else page.name(group.label)
        yield "- ", label, f": {money(group.total)}"
    hidden = answer.left_out
    if hidden is not None:
        yield f"- {figures.count(hidden.groups, 'more group')}: {money(hidden.total)}"
    if answer.months is not None and answer.totals is not None:
        yield "Total by month (`totals` has the months of each group):"
        for month, total in zip(answer.months, answer.totals, strict=True):
            yield f"- {month}: {money(total)}"
    for row in answer.largest or ():
        on = (", on ", page.name(row.account), f" [{row.id}]")
        yield *brief_purchase(row.date, row.payee, money(row.amount), row.category), *on
    if answer.unfiled_count:
        yield (
            f"Another {money(answer.unfiled)} of money in"
            f" ({figures.count(answer.unfiled_count, 'transaction')}) is not categorized yet"
            " and may also be income. See `finplan tasks`."
        )
    if outside:
        yield (
            "These are transactions of ",
            *outside,
            " itself, transfers excluded. No other total of spending or income includes them.",
        )
    yield from answer.notes
    if answer.not_spending:
        why = f"is not {answer.flow}, so it is not counted here. Query income separately;"
        where = "list_transactions shows transfers and savings."
        yield page.TextSpan(f"{', '.join(answer.not_spending)} {why} {where}", kind="label")


def _brief_figure(answer: SpendingTold, days: str, how: Locale) -> page.Phrase:
    total = how.money(answer.total)
    of_income = answer.flow == "income"
    if answer.mean is not None:
        units = answer.units or 0
        of = "purchase" if answer.unit == "purchase" else f"whole {answer.unit}"
        if units != 1:
            of = "purchases" if answer.unit == "purchase" else f"{of}s"
        mean = f"{how.money(answer.mean)} a {answer.unit}"
        return f"On average {mean}: {total} over {units:,} {of}, {days}."
    if answer.largest is not None:
        count = answer.count
        which = "largest transaction" if count == 1 else f"{count} largest transactions"
        beside = "" if of_income else "; refunds excluded"
        return f"The {which}, together {total}, {days}{beside}."
    transactions = figures.count(answer.count, "transaction")
    if answer.outside_totals:
        verb = "Received on " if of_income else "Charged on "
        return (
            verb,
            *page.named_each(answer.outside_totals),
            f": {total} in {transactions}, {days}.",
        )
    if of_income:
        return f"Received {total} of income in {transactions}, {days}."
    return f"Spent {total} in {transactions}, {days}."


def brief_purchase(
    day: date, payee: str, amount: str, label: str
) -> tuple[str | page.TextSpan, ...]:
    """A transaction in a line; without a label it is in no category."""
    return (
        f"- {day} ",
        page.name(payee),
        f" {amount}",
        *((", ", page.name(label)) if label else ()),
    )


def brief_months(answer: SpendingTold, how: Locale) -> page.Lines:
    """The months of each group of a table."""
    if answer.months is None:
        return
    yield "Month by month:"
    for group in answer.groups:
        months = zip(answer.months, group.totals or (), strict=True)
        amounts = ", ".join(f"{month} {how.money(total)}" for month, total in months)
        yield "- ", page.name(group.label), f": {amounts}"


NO_ROWS = "No transactions yet: link a bank or import statements."


def beyond_rows(since: date, until: date, recorded: RecordedDays | None) -> str | None:
    """What of some days nothing is known, since no row is of them; None where rows reach them all."""
    if recorded is None:
        return NO_ROWS
    first, last = recorded.since, recorded.until
    if until < first:
        return f"No data for these days: your first transaction is on {first}."
    if since > last:
        return f"No data for these days: your last transaction is on {last}."
    texts = [
        f"Your first transaction is on {first}." if since < first else "",
        f"Your last transaction is on {last}." if until > last else "",
    ]
    return " ".join(filter(None, texts)) or None
