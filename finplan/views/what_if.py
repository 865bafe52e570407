"""What if: the figures of a plan before and after changes, side by side."""

from collections.abc import Iterator
from typing import NamedTuple

from finplan.model import figures
from finplan.model.what_if import WhatIf, WhatIfFigures
from finplan.views import page
from finplan.views.locale import Locale

_AS_IT_IS = "Nothing would change."
NO_RUNWAY = "no limit"


class _Line(NamedTuple):
    """A figure before and after, and how it moves; empty where it stays."""

    name: str
    before: str
    after: str
    moves: page.TextSpan


def compare(tried: WhatIf, how: Locale) -> page.Page:
    """All figures that the changes move, and what they rest on."""
    lines = list(_lines(tried.before, tried.after, how))
    moved = [line for line in lines if line.before != line.after]
    if not moved:
        return page.of(page.Sentence(_AS_IT_IS), tuple(_notes(tried)))
    rows = [page.TableRow((line.name, line.before, line.after, line.moves)) for line in moved]
    columns = ("figure<", "now>", "with changes>", "difference>")
    return page.of(page.table(columns, rows, spoken="What if"), tuple(_notes(tried)))


def can_afford(tried: WhatIf, how: Locale) -> page.Page:
    """Whether cash carries the changes in all likelihood, then all figures."""
    return page.of(page.Sentence(verdict(tried, how), "strong"), *compare(tried, how).parts)


def verdict(tried: WhatIf, how: Locale) -> str:
    """Yes where even the low end of the range stays above zero, close where only expected cash does."""
    after = tried.after
    if after.low is None:
        return "Unknown: the forecast needs the balance of each cash account."
    day, expected = figures.short_date(after.low.date), how.money(after.low.expected)
    lowest = f"Cash is lowest on {day}, at {expected}"
    low = after.low.low
    if after.low.expected < 0:
        return f"No: cash would run out. {lowest}."
    if low is not None and low < 0:
        return f"Close: {lowest}, and it may fall to {how.money(low)}."
    least = "" if low is None else f", and at least {how.money(low)} in most cases"
    return f"Yes: cash lasts. {lowest}{least}."


def brief(tried: WhatIf, how: Locale) -> page.Lines:
    """What the changes move, a line each, for agents."""
    yield verdict(tried, how)
    for line in _lines(tried.before, tried.after, how):
        if line.before != line.after:
            yield f"{line.name}: {line.before} now, {line.after} with the changes."
    yield from tried.notes


def _notes(tried: WhatIf) -> Iterator[page.Sentence]:
    for note in tried.notes:
        yield page.Sentence(page.mentioning(note), item=True)


def _lines(before: WhatIfFigures, after: WhatIfFigures, how: Locale) -> Iterator[_Line]:
    amounts = (
        ("Safe to spend a day", before.allowance, after.allowance, 1),
        ("Planned income a month", before.planned_income, after.planned_income, 1),
        ("Spending a month from now on", before.running_spend, after.running_spend, -1),
        ("Set aside for planned payments a month", before.set_aside, after.set_aside, 0),
        ("Left to save a month", before.capacity, after.capacity, 1),
        (
            "To the emergency fund a month",
            before.fund.monthly_contribution,
            after.fund.monthly_contribution,
            0,
        ),
        ("Missing in the emergency fund", before.fund.gap, after.fund.gap, -1),
        ("Card debt", before.debt.total, after.debt.total, -1),
        ("To the cards a month", before.debt.monthly_payment, after.debt.monthly_payment, 0),
        ("Net worth", before.net_worth, after.net_worth, 1),
    )
    for name, was, now, better in amounts:
        yield _Line(name, how.money(was), how.money(now), _describe_move(now - was, better, how))
    if before.low is not None and after.low is not None:
        lows: tuple[tuple[str, int | None, int | None], ...] = (
            ("Lowest expected cash", before.low.expected, after.low.expected),
            ("Low end of its range", before.low.low, after.low.low),
        )
        for name, low_now, low_then in lows:
            if low_now is not None and low_then is not None:
                moves = _describe_move(low_then - low_now, 1, how)
                yield _Line(name, how.money(low_now), how.money(low_then), moves)
        days = [figures.short_date(low.date) for low in (before.low, after.low)]
        yield _Line("Day of the lowest cash", days[0], days[1], page.TextSpan(""))
    yield _Line(
        "Emergency fund covers",
        _months(before.fund.months_covered),
        _months(after.fund.months_covered),
        page.TextSpan(""),
    )
    yield _Line(
        "Cards paid off in",
        _whole_months(before.debt.months_to_clear),
        _whole_months(after.debt.months_to_clear),
        page.TextSpan(""),
    )
    yield _Line(
        "Cash lasts",
        _months(before.runway_months),
        _months(after.runway_months),
        page.TextSpan(""),
    )


def _describe_move(amount: int, better: int, how: Locale) -> page.TextSpan:
    """How an amount moves, in the colour of what is better for the person."""
    if not amount:
        return page.TextSpan("")
    sign = "+" if amount > 0 else ""
    tone = "" if not better else "good" if amount * better > 0 else "bad"
    return page.TextSpan(f"{sign}{how.money(amount)}", tone)


def _months(months: float | None) -> str:
    return NO_RUNWAY if months is None else f"{months:.1f} months"


def _whole_months(months: int | None) -> str:
    return "unknown" if months is None else figures.count(months, "month")
