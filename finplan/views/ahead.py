"""The days ahead, and wealth: what cash will be and why, what is owned and owed and how that moved."""

from collections.abc import Iterator, Sequence

from finplan.model import figures
from finplan.model.snapshot import (
    Forecast,
    ForecastDay,
    ForecastItem,
    PlanView,
    Wealth,
    WealthPoint,
)
from finplan.views import live_text, page, unknowns
from finplan.views.live import MOST_TOLD, way_to_tell
from finplan.views.locale import Locale

_NEXT_BILLS = 3
_SHARE_OF_A_MOVE = 10


# --- the days ahead ------------------------------------------------------------------------------


def forecast(ahead: Forecast, how: Locale) -> page.Page:
    """The lowest day, what comes next, then each day that something named moves."""
    until = f"forecast to {figures.long_date(ahead.until)}"
    notes = page.sentences(ahead.notes, "soft", item=True)
    if ahead.low is None or ahead.start is None:
        title = page.Title(page.TextSpan("Forecast unknown", "strong"), until)
        return page.of(title, page.spaced(*notes))
    low = ahead.low
    day = "today" if low.date == ahead.since else f"on {figures.short_date(low.date)}"
    tone = "strong bad" if low.expected < 0 else "strong good"
    lowest = ("Lowest expected cash  ", page.TextSpan(how.money(low.expected), tone), f"  {day}")
    return page.of(
        page.Title(lowest, until),
        page.Sentence(f"Cash now {how.money(ahead.start)}", "soft"),
        _next(ahead, how),
        (*page.spaced(cash_ahead(ahead, how)), *page.spaced(days_table(ahead, how)))
        if ahead.days
        else None,
        page.spaced(*_caption(ahead), *notes),
    )


def _caption(ahead: Forecast) -> tuple[page.Sentence, ...]:
    """What the columns of a range and of everyday spending are, where they are shown."""
    if all(day.low is None for day in ahead.days):
        return ()
    text = (
        "The Everyday column shows other expected spending since the previous row. On any"
        " day, cash has an 80% chance of being in the range."
    )
    return page.sentences([text], "soft", item=True)


def _next(ahead: Forecast, how: Locale) -> page.PageTable:
    """The next pay and the next bills, each on a line: its day, its name, its amount."""
    dated = [(day.date, item) for day in ahead.days for item in day.items]
    pay = [(day, item) for day, item in dated if item.kind == "income"][:1]
    due = [(day, item) for day, item in dated if item.kind in {"bill", "card"} and item.amount < 0]
    listed = [*pay, *due[:_NEXT_BILLS]]
    labels = [*["Next income"][: len(pay)], "Next bills", *[""] * _NEXT_BILLS]
    rows = (
        (
            page.soft(label),
            figures.short_date(day),
            page.name(item.name),
            how.figure(abs(item.amount)),
        )
        for label, (day, item) in zip(labels, listed, strict=False)
    )
    return page.table(
        (page.col("", least=11), page.col("", least=10), "<", ">"), rows, gap=1, headless=True
    )


def cash_ahead(ahead: Forecast, how: Locale, lines: int = 6) -> page.AmountChart:
    """Cash evening by evening, in the range that holds four of five."""
    points = tuple(
        page.ChartPoint(figures.short_date(day.date), day.expected, day.low, day.high)
        for day in ahead.days
    )
    last = ahead.days[-1]
    label = f"{figures.short_date(last.date)} {how.whole(last.expected)}"
    return page.AmountChart("line", points, how.currency, "accent", "today", label, lines, step=7)


def describe_range(ahead: Forecast) -> tuple[page.Sentence, ...]:
    """What the band of the picture is, where it has one."""
    if all(day.low is None for day in ahead.days):
        return ()
    return (page.Sentence("The shaded band is the 80% range.", "soft"),)


def days_table(ahead: Forecast, how: Locale) -> page.PageTable:
    """A row for each day that something named moves, the lowest day and the last one."""
    is_ranged = any(day.low is not None for day in ahead.days)
    low = None if ahead.low is None else ahead.low.date
    rows, since = [], 0
    for day in ahead.days:
        items = named_items(day)
        since += sum(item.amount for item in day.items if item.kind == "spending")
        if items or day.date in {low, ahead.until}:
            rows.append(_day(day, items, since, how, is_lowest=day.date == low, ranged=is_ranged))
            since = 0
    usual = "everyday>~" if is_ranged else ">~"
    amounts = (
        page.col(head, least=12, floor=9, rounds=True) for head in ("change>", usual, "expected>")
    )
    ranges = (page.col("80% range>~", least=19, drops=1),) if is_ranged else ()
    columns: tuple[str | page.TableColumn, ...] = (
        page.TableColumn(page.TextSpan("DAY", "strong"), least=10),
        "event!",
        *amounts,
        *ranges,
    )
    return page.table(columns, rows, spoken="Forecast: what changes cash, day by day", gap=1)


def named_items(day: ForecastDay) -> list[ForecastItem]:
    """What moves a day, but for usual spending."""
    return [item for item in day.items if item.kind != "spending"]


def _day(
    day: ForecastDay,
    items: Sequence[ForecastItem],
    usual: int,
    how: Locale,
    *,
    is_lowest: bool,
    ranged: bool,
) -> page.TableRow:
    total = sum(item.amount for item in items)
    names: page.TableCell = page.Names(tuple(item.name for item in items))
    if not items:
        names = page.soft("lowest day" if is_lowest else "")
    tone = "bad" if day.expected < 0 else "strong" if is_lowest else ""
    moved: page.TableCell = how.figure(total, "good" if total > 0 else "") if total else ""
    cells = (
        figures.short_date(day.date),
        names,
        moved,
        how.figure(usual, signed=usual > 0) if usual else "",
        how.figure(day.expected, tone),
    )
    if not ranged:
        return page.TableRow(cells)
    if day.low is None or day.high is None:
        return page.TableRow((*cells, ""))
    least, most = (
        figures.fitted(limit, how.currency, 8, in_units=True) for limit in (day.low, day.high)
    )
    return page.TableRow((*cells, f"{least} – {most}"))


def days_ahead(ahead: Forecast | None, how: Locale, lines: int = 6) -> page.Section:
    """Cash in the days ahead as a picture under its lowest day."""
    title = "Forecast"
    if ahead is None or ahead.low is None or not ahead.days:
        notes = () if ahead is None else page.sentences(ahead.notes, "soft")
        return page.Section("ahead", title, notes, live_text.NOT_KNOWN_YET)
    low = ahead.low
    lowest = f"lowest {how.whole(low.expected)} on {figures.short_date(low.date)}"
    remark = page.TextSpan(lowest, "strong bad" if low.expected < 0 else "soft")
    return page.Section("ahead", title, (cash_ahead(ahead, how, lines),), remark)


# --- wealth --------------------------------------------------------------------------------------

_WHY_UNKNOWN = {
    "Cash": "balance missing",
    "Investments": "a balance is missing",
    "Cards": "balance missing",
    "Loans": "balance missing",
    "Cash after cards": "needs cash and card balances",
}
"""What stands beside a figure that is not known, by its label."""


def wealth(has: Wealth, how: Locale, view: PlanView | None = None) -> page.Page:
    """Today's balances, and how net worth has moved month by month.

    `view` tells which balances nobody has told: what rests on these is a bound or unknown.
    """
    accounts = () if view is None else view.plan.snapshot.accounts
    is_known = unknowns.worths_of(view).net_worth != "unknown"
    lacks = () if view is None else unknowns.list_unknowns(accounts, view.standing)
    return page.of(
        page.Title(("Net worth  ", net_worth(has, how, view)), figures.long_date(has.today)),
        page.Sentence(""),
        page.FactList(tuple(_balances(has, how, view))),
        way_to_tell(accounts),
        page.sentences(lacks, "soft", item=True),
        page.Sentence(""),
        history(has, how, is_known=is_known),
    )


def net_worth(has: Wealth, how: Locale, view: PlanView | None) -> page.TextSpan:
    """Net worth today, with what it is worth before it."""
    worth = unknowns.worths_of(view).net_worth
    if worth == "unknown":
        return page.UNKNOWN
    return page.TextSpan(unknowns.bounded(worth, how.money(has.balances.net_worth)))


def _balances(has: Wealth, how: Locale, view: PlanView | None) -> Iterator[page.Fact]:
    balances, worth = has.balances, unknowns.worths_of(view)
    rows = (
        ("Cash", balances.cash, worth.cash, "available now", "overdrawn"),
        (
            "Investments",
            balances.investments,
            worth.investments,
            "and other long-term assets",
            "below zero",
        ),
        ("Cards", -balances.card_debt, worth.cards, _overpaid(balances.card_debt), "owed"),
        ("Loans", -balances.loans, worth.loans, _overpaid(balances.loans), "owed"),
        (
            "Cash after cards",
            balances.available,
            worth.available,
            "after paying every card",
            "short after paying every card",
        ),
    )
    for label, amount, bound, remark, below_zero in rows:
        if bound == "unknown":
            yield page.Fact(label, page.UNKNOWN, _WHY_UNKNOWN[label])
            continue
        note = below_zero if amount < 0 else remark
        figure = how.figure(amount, "bad" if amount < 0 else "strong")
        yield page.Fact(label, figure, note if bound == "exact" else f"{bound}; {note}")


def _overpaid(debt: int) -> str:
    """What stands beside a debt of nothing or less."""
    return "overpaid, in your favor" if debt < 0 else "owed"


def history(has: Wealth, how: Locale, *, is_known: bool) -> page.Section:
    """The months line by line; a net worth that is not known has neither a figure nor a bar."""
    worths = [point.net_worth for point in has.history]
    before = (None, *(point.net_worth for point in has.history))
    rows = (
        _month(point, was, worths, how, is_known=is_known)
        for point, was in zip(has.history, before, strict=False)
    )
    sums = (
        page.col(head, least=12, floor=11, most=12) for head in ("own>~", "owe>~", "net worth>")
    )
    trend = "trend=~" if is_known else "known part=~"
    columns: tuple[str | page.TableColumn, ...] = (
        page.col("over time", least=10),
        trend,
        *sums,
        page.col("change>", least=11, floor=10),
    )
    over_time = page.table(columns, rows, spoken="Net worth over time", gap=1, headed=True)
    return page.Section("history", "Over time", (over_time,))


def _month(
    point: WealthPoint, was: int | None, worths: Sequence[int], how: Locale, *, is_known: bool
) -> page.TableRow:
    own, owe = _own_and_owe(point)
    sums = tuple(how.rounded(amount) for amount in (own, owe))
    lowest, highest = min(worths), max(worths)
    # A bar grows from a little below the lowest point, since net worth moves little for its size.
    floor = lowest - max(1, (highest - lowest) // _SHARE_OF_A_MOVE)
    moves = is_known and lowest != highest
    bar = page.ShareBar(point.net_worth - floor if moves else 0, highest - floor, "accent")
    if not is_known:
        return page.TableRow((f"{point.date}", bar, *sums, page.UNKNOWN, ""))
    change = 0 if was is None else point.net_worth - was
    changed = page.TextSpan(
        figures.difference(change, how.currency, 10), "bad" if change < 0 else "good"
    )
    worth = how.rounded(point.net_worth, "strong")
    return page.TableRow((f"{point.date}", bar, *sums, worth, changed))


def _own_and_owe(point: WealthPoint) -> tuple[int, int]:
    """What is owned and what is owed, neither below nothing: what is overdrawn is owed."""
    overdrawn, overpaid = max(0, -point.assets), max(0, -point.debts)
    return max(0, point.assets) + overpaid, max(0, point.debts) + overdrawn


def worth_over_time(has: Wealth | None, how: Locale, view: PlanView) -> page.Section:
    """Net worth today over a picture of how it came to that."""
    bound = unknowns.worths_of(view).net_worth
    today = unknowns.bounded(bound, how.whole(view.snapshot.balances.net_worth))
    if has is None or len(has.history) < 2:
        empty = page.Sentence("No history yet.", "soft")
        return page.Section("worth", "Net worth", (empty,), today)
    first, last = has.history[0], has.history[-1]
    change = figures.difference(last.net_worth - first.net_worth, how.currency) or "unchanged"
    points = tuple(page.ChartPoint(f"{point.date:%B %Y}", point.net_worth) for point in has.history)
    chart = page.AmountChart(
        "line",
        points,
        how.currency,
        "good",
        first=f"{first.date:%b %Y}",
        last=f"{change} since {first.date:%b %Y}",
    )
    return page.Section("worth", "Net worth", (chart,), today)


def balances(has: Wealth, how: Locale, view: PlanView) -> page.Section:
    """What is owned and owed, each with what its figure is worth."""
    blocks: tuple[page.PageBlock, ...] = (page.FactList(tuple(_balances(has, how, view))),)
    return page.Section("wealth", "Net worth", blocks, net_worth(has, how, view))


# --- what agents are told ------------------------------------------------------------------------

_KINDS = {"income": "pay", "bill": "bill", "card": "card bill"}


def brief_forecast(ahead: Forecast, how: Locale) -> page.Lines:
    """Cash now, on the lowest day and on the last one, and what is known to move it."""
    if ahead.start is None or ahead.low is None or not ahead.days:
        yield "Forecast unknown: no cash balance."
        yield from map(page.mentioning, ahead.notes)
        return
    last = ahead.days[-1]
    span = ""
    if last.low is not None and last.high is not None:
        span = f" (80% range: {how.money(last.low)} to {how.money(last.high)})"
    yield (
        f"Cash now {how.money(ahead.start)}; lowest {how.money(ahead.low.expected)} on"
        f" {ahead.low.date}; {last.date}: {how.money(last.expected)}{span}."
    )
    moves = [(day.date, item) for day in ahead.days for item in named_items(day)]
    for day, item in moves[:MOST_TOLD]:
        kind = _KINDS.get(item.kind, item.kind)
        yield f"- {day} {kind} ", page.name(item.name), f" {how.money(item.amount)}"
    if (hidden := len(moves) - MOST_TOLD) > 0:
        yield f"{figures.count(hidden, 'more event')} until {ahead.until}."
    yield from map(page.mentioning, ahead.notes)


def brief_wealth(has: Wealth, points: Sequence[WealthPoint], how: Locale) -> page.Lines:
    """What is owned and owed, how net worth moved last, and net worth at some `points`."""
    balances = has.balances
    yield (
        f"Net worth {how.money(balances.net_worth)} on {has.today}: cash"
        f" {how.money(balances.cash)}, investments {how.money(balances.investments)}, card debt"
        f" {how.money(balances.card_debt)}, loans {how.money(balances.loans)}."
    )
    if len(has.history) > 1:
        before, now = has.history[-2:]
        change = now.net_worth - before.net_worth
        moved = f"{'up' if change > 0 else 'down'} by {how.money(abs(change))}"
        moved = moved if change else "unchanged"
        yield (
            f"Since {before.date}, net worth is {moved}; to explain the change, call"
            " explain_figure with section wealth."
        )
    for point in points:
        yield f"- {point.date}: {how.money(point.net_worth)}"
