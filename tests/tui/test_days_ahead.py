"""The days ahead for a screen reader: a figure a week, and each day that cash moves on."""

import re
from datetime import timedelta

import pytest

from finplan.model import figures
from finplan.tui.drawing import overview, plan
from tests.cli import made_up_plan
from tests.cli.made_up_plan import TODAY

DAYS = re.compile(r"(\w{3} \d{1,2} \w{3}) +(−?-?[$][\d,]+)$")


@pytest.mark.parametrize("draw", [overview.draw_ahead, plan.draw_ahead])
@pytest.mark.parametrize(("days", "told"), [(5, []), (6, [6]), (30, [6, 13, 20, 27])])
def test_a_week_has_one_figure(draw: object, days: int, told: list[int]) -> None:
    """The evening that ends each week from today on is told with its day, and no other evening."""
    assert callable(draw)
    ahead = made_up_plan.forecast(days=days)
    lines = draw(ahead, "USD", 80, aloud=True).plain.splitlines()
    found = [each.groups() for line in lines if (each := DAYS.search(line.strip()))]
    assert found == [
        (
            figures.short_date(ahead.days[place].date),
            figures.whole_money(ahead.days[place].expected, "USD"),
        )
        for place in told
    ]


@pytest.mark.parametrize(
    ("bills", "more"),
    [(14, ""), (15, "and 1 more day that moves it"), (20, "and 6 more days that move it")],
)
def test_fourteen_days_that_move_cash_are_named(bills: int, more: str) -> None:
    """Fourteen days with what moves them, and the number of the others; what is usual names no day."""
    ahead = made_up_plan.forecast(days=30)
    [bill] = ahead.days[0].items
    days = tuple(
        each.model_copy(update={"items": (bill,) if place < bills else ()})
        for place, each in enumerate(ahead.days)
    )
    told = plan.draw_ahead(
        ahead.model_copy(update={"days": days}), "USD", 80, aloud=True
    ).plain.splitlines()
    named = [line for line in told if bill.name in line]
    assert len(named) == 14
    assert figures.short_date(TODAY + timedelta(13)) in named[-1]
    assert any(line.startswith(more) for line in told) if more else "more day" not in str(told)
