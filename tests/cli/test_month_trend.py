"""Spending by month in one line of the plan: drawn true, and only where it is the plan's own months."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finplan.cli.showing.flow import month_trend
from finplan.cli.showing.plan import NARROWEST, TWO_SCREENS, render_plan
from finplan.model.snapshot import PlanView
from finplan.model.transaction import SpendingGroup, SpendingReport
from tests.cli import made_up_view
from tests.cli.test_plan_page import views

YEAR = [4_000_00, 8_000_00, 0, 1_000_00, *[4_000_00] * 8]


def report(totals: list[int]) -> SpendingReport:
    """The months from November 2024 on."""
    keys = [
        f"{2024 + (10 + place) // 12}-{(10 + place) % 12 + 1:02d}" for place in range(len(totals))
    ]
    return SpendingReport(
        since=date(2024, 11, 1), until=date(2025, 10, 31), group_by="month", total=sum(totals), count=1,
        groups=tuple(
            SpendingGroup(key=key, label=key, total=total, count=1, share=0.0)
            for key, total in zip(keys, totals, strict=True)
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("width", "beside"),
    [
        (110, "  least $0 in Jan 2025, most $8,000 in Dec 2024"),
        (86, "  $0 to $8,000"),
        (54, "  $0 to $8,000"),
        (53, ""),
        (40, ""),
        (39, None),
    ],
)
def test_the_line_is_as_long_as_there_is_room(width: int, beside: str | None) -> None:
    """The figures give way first; columns are never cut off."""
    drawn = month_trend(report(YEAR), "USD", width, 27)
    columns = f"{' Spending by month':<28}▄█ ▁▄▄▄▄▄▄▄▄"

    assert (None if drawn is None else drawn.plain) == (
        None if beside is None else columns + beside
    )


@pytest.mark.parametrize("totals", [[], [5_00], [0, 0], [-5_00, 0]])
def test_what_has_no_trend_has_no_line(totals: list[int]) -> None:
    """A single month, or months without any spending, are no line of columns."""
    assert month_trend(report(totals), "USD", 110, 27) is None
    assert month_trend(report([*totals, 5_00, 5_00]), "USD", 110, 27) is not None


@pytest.mark.parametrize(("months", "shown"), [(12, True), (11, False), (13, False)])
def test_other_months_than_the_plans_are_not_shown(months: int, shown: bool) -> None:
    """Where the plan's means leave a month out, a line with it would say something else."""
    page = render_plan(made_up_view.view(), "USD", 80, report([4_000_00] * months)).plain

    assert made_up_view.view().plan.window.months == 12
    assert ("Spending by month" in page) == shown
    assert "Spending by month" not in render_plan(made_up_view.view(), "USD", 80).plain


@pytest.mark.thorough
@given(views(), st.integers(20, 200))
@settings(max_examples=500)
def test_a_plan_with_its_months_takes_two_screens_at_most(view: PlanView, width: int) -> None:
    """The line takes room from what is folded, not from the end of the page."""
    lines = render_plan(view, "USD", width, report(YEAR)).plain.split("\n")

    assert any(line.startswith(" Spending by month") for line in lines)
    assert len(lines) <= TWO_SCREENS
    assert [line for line in lines if len(line) > max(width, NARROWEST)] == []


def test_a_huge_month_is_cut_and_said() -> None:
    """One month beyond all others takes no height from them, and its amount stands beside the line."""
    totals = [4_000_00, 2_000_00, 4_000_00, 90_000_00, 3_000_00]
    drawn = month_trend(report(totals), "USD", 110, 27)
    assert drawn is not None
    assert drawn.plain.endswith("█▄██▆  least $2,000 in Dec 2024, most $90,000 (cut) in Feb 2025")
