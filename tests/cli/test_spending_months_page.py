"""Spending by category and month as a page: it fits, it adds up, and what has no room is said.

The trend by month is drawn true, and only where it is the plan's own months.
"""

import io
import re
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from rich.console import Console

from finplan.cli.console.errors import USAGE
from finplan.cli.console.terminal import shows_blocks
from finplan.model.characters import BLOCKS
from finplan.model.snapshot import PlanView
from finplan.model.transaction import (
    MonthlySpendingGroup,
    RecordedDays,
    SpendingGroup,
    SpendingMonths,
    SpendingReport,
)
from finplan.terminal.lines import NARROWEST
from finplan.terminal.months import lay_out_months
from finplan.terminal.plan import TWO_SCREENS, draw_plan
from finplan.terminal.tables import small_columns
from finplan.views import spending
from finplan.views.page import Page
from tests.cli import made_up, made_up_bank
from tests.cli.conftest import Draw, Run
from tests.cli.stub import Stub
from tests.cli.test_plan_page import views
from tests.golden_files import Golden
from tests.views.drawing import how, look


def beside(
    table: SpendingMonths, width: int, *named: Any, most: int | None = None, blocks: bool = False
) -> Page:
    """A table of months as the command line lays it out in a terminal of a width."""
    layout = lay_out_months(table, "USD", width, most=most, trend=blocks)
    return spending.months(table, how(), layout, *named)


TABLE = made_up.spending_by_category_and_month()
FIGURE = re.compile(r"-?[\d,]+\.\d\d|–")


@pytest.mark.parametrize(("width", "blocks"), [(80, False), (100, True)])
def test_months(draw: Draw, golden: Golden, width: int, blocks: bool) -> None:
    """Months stand side by side as far as they fit; small columns only where they can be shown."""
    page = draw(beside(TABLE, width, blocks=blocks), width, width)
    golden(f"spending-months-{width}", page)
    assert bool(set(page) & set(BLOCKS)) == blocks


@pytest.mark.parametrize("width", range(60, 180, 7))
@pytest.mark.parametrize("most", [None, 1, 3])
def test_every_line_and_column_adds_up(draw: Draw, width: int, most: int | None) -> None:
    """The figures of a line are its total, and those of a column the last line's, whatever is folded."""
    page = draw(beside(TABLE, width, most=most), width, width)
    lines = [[_cents(each) for each in FIGURE.findall(line)] for line in page.splitlines()[3:]]
    *groups, whole = [line for line in lines if len(line) > 1]
    assert all(sum(line[:-1]) == line[-1] for line in (*groups, whole))
    assert [sum(column) for column in zip(*groups, strict=True)] == whole
    assert whole[-1] == TABLE.total
    assert all(len(line) <= width for line in page.splitlines())


def _cents(text: str) -> int:
    return 0 if text == "–" else int(text.replace(",", "").replace(".", ""))


def test_what_has_no_room_is_said(draw: Draw) -> None:
    """Earlier months and further groups are named with how many they are, and where each is."""
    page = draw(beside(TABLE, 80, most=3), 80, 80)
    assert "4 others" in page
    assert "4 categories are combined in one line. --json lists them separately." in page
    assert "8 earlier" in page.splitlines()[2]
    assert "“8 earlier” is 2025-01 to 2025-08. A wider window shows more months." in page
    whole = draw(beside(TABLE, 240, most=7), 240, 240)
    assert "earlier" not in whole
    assert "other" not in whole


@pytest.mark.parametrize(("years", "told"), [(2, False), (3, True)])
def test_a_trend_of_fewer_months_is_said(draw: Draw, years: int, told: bool) -> None:
    """Small columns are of two years at most; where the figures are of more, a sentence says so."""
    months = [f"{year}-{month:02d}" for year in range(2026 - years, 2026) for month in range(1, 13)]
    groups = [
        each.model_copy(update={"totals": each.totals * years, "total": each.total * years})
        for each in TABLE.groups
    ]
    table = TABLE.model_copy(
        update={"months": months, "groups": groups, "totals": TABLE.totals * years}
    )
    page = draw(beside(table, 120, blocks=True), 120, 120)
    assert "earlier" in page
    assert ("The trend shows the last 24 months." in page) == told
    assert "trend" not in draw(beside(table, 120), 120, 120)


def test_one_group_too_many_is_shown(draw: Draw) -> None:
    """No line says less than the group that it stands for."""
    page = draw(beside(TABLE, 80, most=6), 80, 80)
    assert "Fees" in page
    assert "1 others" not in page


def of_days(since: str, until: str, recorded: tuple[str, str]) -> SpendingMonths:
    """A table of rent and one dinner, of which rows reach some months alone."""
    first, last = (date.fromisoformat(each) for each in recorded)
    rows = RecordedDays(since=first, until=last)
    begin, end = date.fromisoformat(since), date.fromisoformat(until)
    numbers = range(begin.year * 12 + begin.month - 1, end.year * 12 + end.month)
    months = tuple(f"{each // 12}-{each % 12 + 1:02}" for each in numbers)
    lived = [
        rows.since.strftime("%Y-%m") <= each <= rows.until.strftime("%Y-%m") for each in months
    ]
    rent = tuple(900_00 * each for each in lived)
    dinner = tuple(41_50 * (month == months[-1]) for month in months)
    totals = tuple(map(sum, zip(rent, dinner, strict=True)))
    return SpendingMonths(
        since=begin,
        until=end,
        recorded=rows,
        group_by="category",
        months=months,
        totals=totals,
        total=sum(totals),
        groups=tuple(
            MonthlySpendingGroup(key=name, label=name, totals=each, total=sum(each), count=1)
            for name, each in (("Rent", rent), ("Dining", dinner))
        ),
    )


def test_months_that_no_row_reaches_take_no_room(draw: Draw) -> None:
    """Of a year that has just begun the months that were are shown, and what is left out is said."""
    table = of_days("2025-06-01", "2027-12-31", ("2025-11-03", "2026-02-28"))
    page = draw(beside(table, 80), 80, 80)
    assert re.findall(r"20\d\d-\d\d(?!-)", page.splitlines()[2]) == [
        *("2025-11", "2025-12"),
        *("2026-01", "2026-02"),
    ]
    told = spending.beyond_rows(table.since, table.until, table.recorded)
    assert f"{told} Other months" in " ".join(page.split())
    assert "starts" not in page
    assert "ends" not in page


def test_a_month_that_is_held_in_part_is_said(draw: Draw) -> None:
    """Ninety days back may begin on a month's last day; that column is no month without spending."""
    table = of_days("2025-08-31", "2025-11-28", ("2024-11-02", "2025-11-27"))
    page = draw(beside(table, 80), 80, 80)
    assert "2025-08 starts on 2025-08-31 and 2025-11 ends on 2025-11-27." in page
    assert "excluded" not in page
    whole = of_days("2025-08-01", "2025-10-31", ("2024-11-02", "2025-11-27"))
    assert "starts" not in draw(beside(whole, 80), 80, 80)


def test_nothing_spent_where_no_row_reaches_says_so(draw: Draw) -> None:
    """A total of nothing says nothing of days before the first row, or after the last."""
    table = of_days("2026-12-01", "2026-12-31", ("2024-11-02", "2026-11-27"))
    empty = table.model_copy(update={"groups": (), "totals": (0,), "total": 0})
    report = SpendingReport(
        since=empty.since,
        until=empty.until,
        recorded=empty.recorded,
        group_by="month",
        total=0,
        count=0,
        groups=(),
    )
    told = "No data for these days: your last transaction is on 2026-11-27."
    for drawn in (beside(empty, 80), spending.totals(report, how())):
        assert told in " ".join(draw(drawn).split())


def test_months_of_a_report_are_those_that_rows_reach(draw: Draw) -> None:
    """One grouping beside the table: no line for a month of which nothing is known."""
    table = of_days("2025-10-05", "2026-03-31", ("2025-10-05", "2026-02-27"))
    groups = tuple(
        SpendingGroup(key=month, label=month, total=total, count=int(total > 0), share=0.2)
        for month, total in zip(table.months, table.totals, strict=True)
    )
    report = SpendingReport(
        since=table.since,
        until=table.until,
        recorded=table.recorded,
        group_by="month",
        total=table.total,
        count=5,
        groups=groups,
    )
    page = draw(spending.totals(report, how()))
    assert "2026-03 " not in page
    assert "2025-10 starts on 2025-10-05 and 2026-02 ends on 2026-02-27." in page


def test_nothing_spent_is_a_sentence(draw: Draw) -> None:
    """Where nothing was spent, the page says so, and still which account no total holds."""
    empty = TABLE.model_copy(update={"groups": (), "totals": (0,) * 12, "total": 0})
    page = draw(beside(empty, 80, ("Rent",), made_up_bank.accounts()), 80, 80)
    assert "Only Rent." in page
    assert "No spending in this period." in page
    assert "not USD." in page
    assert "earlier" not in page


@given(st.lists(st.integers(-(10**9), 10**9), max_size=30))
def test_small_columns_keep_the_order_of_what_they_show(values: list[int]) -> None:
    """The largest fills its line, a smaller value is never higher, and only nothing is blank."""
    drawn = small_columns(values)
    heights = [BLOCKS.find(each) for each in drawn]
    assert len(drawn) == len(values)
    assert [height == -1 for height in heights] == [value <= 0 for value in values]
    assert max(heights, default=-1) == (7 if any(value > 0 for value in values) else -1)
    pairs = sorted(zip(values, heights, strict=True))
    assert [height for _, height in pairs] == sorted(height for _, height in pairs)


def test_a_cut_trend_is_said(draw: Draw) -> None:
    """The table tells when a month of a line that it draws goes beyond its small columns."""
    first, *rest = TABLE.groups
    huge = first.model_copy(update={"totals": (10**9, *first.totals[1:])})
    told = "The trend cuts off months with far more spending than the others."
    for groups, is_told in (((huge, *rest), True), (TABLE.groups, False), ((*rest, huge), True)):
        table = TABLE.model_copy(update={"groups": groups})
        page = draw(beside(table, 240, most=3, blocks=True), 240, 240)
        assert (told in page) is is_told


def test_one_huge_value_flattens_no_small_columns() -> None:
    """It is as high as the largest of the others, which stay apart."""
    assert small_columns([8, 1, 4, 900, 6]) == "█▁▄█▆"
    assert small_columns([8, 1, 4, 24, 6]) == "▃▁▂█▂"


def test_small_columns_are_of_eighths() -> None:
    """An eighth is one step, and what is a little more than it is two."""
    assert small_columns([8, 1, 2, 7]) == "█▁▂▇"
    assert small_columns([80, 11, 1]) == "█▂▁"


@pytest.mark.parametrize(
    ("encoding", "term", "terminal", "shown"),
    [
        ("utf-8", "xterm-256color", True, True),
        ("utf-8", "xterm-256color", False, False),
        ("ascii", "xterm-256color", True, False),
        ("cp437", "xterm-256color", True, False),
        ("utf-8", "linux", True, False),
        ("utf-8", "dumb", True, False),
    ],
)
def test_terminals_may_lack_columns(encoding: str, term: str, terminal: bool, shown: bool) -> None:
    """Elsewhere there are none, instead of squares and question marks."""
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert shows_blocks(Console(file=file, force_terminal=terminal), {"TERM": term}) == shown


def test_the_command_asks_for_the_table(finplan: Run, stub: Stub) -> None:
    """--monthly asks for months by the grouping that was named; months by month are refused in words."""
    stub.answer("GET", "/spending/months", TABLE)
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", "/accounts/records", made_up_bank.accounts())
    ended = finplan("spending", "--monthly", "--by", "merchant", "--from", "2025-01")
    assert ended.code == 0, ended.err
    assert "2025-01" in ended.out.decode()
    assert stub.requests("GET", "/spending/months")[0].query == {
        "groupBy": ["merchant"],
        "from": ["2025-01-01"],
    }
    refused = finplan("spending", "--monthly", "--by", "month")
    assert (refused.code, "category, merchant or tag" in refused.err) == (USAGE, True)


def test_a_category_that_is_no_spending_is_said_to_be_none(finplan: Run, stub: Stub) -> None:
    """Nothing spent on pay is no month without pay: the rows are named by the command that has them."""
    stub.answer("GET", "/spending/months", TABLE)
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", "/accounts/records", [])
    stub.answer("GET", "/categories", made_up.category_choices())
    ended = finplan("spending", "--monthly", "--category", "repaid", "--category", "groceries")
    assert "`finplan transactions --category work_expenses`" in ended.err
    assert "Groceries" not in ended.err


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
    ("width", "label", "said"),
    [
        (110, 28, "  least $0 in Jan 2025, most $8,000 in Dec 2024"),
        (86, 28, "  $0 to $8,000"),
        (60, 22, "  $0 to $8,000"),
    ],
)
def test_the_line_is_as_long_as_there_is_room(width: int, label: int, said: str) -> None:
    """The figures give way first; columns are never cut off."""
    lines = draw_plan(made_up.view(), how(), look(width), report(YEAR)).plain.split("\n")
    assert f"{' Spending by month':<{label}}▄█ ▁▄▄▄▄▄▄▄▄{said}" in lines


@pytest.mark.parametrize("totals", [[], [5_00], [0, 0], [-5_00, 0]])
def test_what_has_no_trend_has_no_line(totals: list[int]) -> None:
    """A single month, or months without any spending, are no line of columns."""
    assert spending.months_in_a_line(report(totals), how()) == ()
    assert spending.months_in_a_line(report([*totals, 5_00, 5_00]), how()) != ()


@pytest.mark.parametrize(("months", "shown"), [(12, True), (11, False), (13, False)])
def test_other_months_than_the_plans_are_not_shown(months: int, shown: bool) -> None:
    """Where the plan's means leave a month out, a line with it would say something else."""
    page = draw_plan(made_up.view(), how(), look(), report([4_000_00] * months)).plain

    assert made_up.view().plan.window.months == 12
    assert ("Spending by month" in page) == shown
    assert "Spending by month" not in draw_plan(made_up.view(), how(), look()).plain


@pytest.mark.thorough
@given(views(), st.integers(20, 200))
@settings(max_examples=500)
def test_a_plan_with_its_months_takes_two_screens_at_most(view: PlanView, width: int) -> None:
    """The line takes room from what is folded, not from the end of the page."""
    lines = draw_plan(view, how(), look(width), report(YEAR)).plain.split("\n")

    assert any(line.startswith(" Spending by month") for line in lines)
    assert len(lines) <= TWO_SCREENS
    assert [line for line in lines if len(line) > max(width, NARROWEST)] == []


def test_a_huge_month_is_cut_and_said() -> None:
    """One month beyond all others takes no height from them, and its amount stands beside the line."""
    totals = [4_000_00, 2_000_00, 4_000_00, 90_000_00, 3_000_00]
    assert small_columns(totals) == "█▄██▆"
    longest, *_ = spending.months_in_a_line(report(totals), how())
    assert longest == "  least $2,000 in Dec 2024, most $90,000 (cut) in Feb 2025"
