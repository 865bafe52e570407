"""Charts in cells fit whatever their values, and are told by the week to who listens."""

import pytest
from hypothesis import example, given, strategies as st
from rich.text import Text

from finplan.terminal.charts import draw_columns, draw_line
from finplan.terminal.lines import Look
from finplan.terminal.pages import draw_block
from finplan.terminal.tables import draw_bar
from finplan.views import ahead
from finplan.views.page import ChartPoint, ShareBar
from tests.cli import made_up_plan
from tests.views.drawing import how

AMOUNTS = st.integers(-(10**12), 10**12)
ANY_WIDTHS = st.integers(0, 160)
LINES = st.integers(0, 20)


def measured(drawn: list[Text]) -> tuple[int, set[int]]:
    return len(drawn), {each.cell_len for each in drawn}


@given(st.lists(AMOUNTS, max_size=40), ANY_WIDTHS, LINES)
@example([1, 2], 10, 1)
@example([1, 2], 1, 2)
@example([1, 2], 2, 2)
def test_columns_fit(values: list[int], width: int, lines: int) -> None:
    """Columns take the lines that they are given and are all as wide, within the width."""
    drawn = draw_columns([ChartPoint("Jan", each) for each in values], width, lines, "good")
    if not values or width < 2 or lines < 2:
        assert drawn == []
        return
    high, widths = measured(drawn)
    assert high == lines
    assert len(widths) == 1
    assert max(widths) <= width


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=12), st.integers(2, 12))
def test_what_is_there_is_seen_and_the_highest_is_full(values: list[int], lines: int) -> None:
    """The highest column reaches the top, and each that is more than nothing shows something."""
    width = len(values) * 7
    drawn = [
        each.plain
        for each in draw_columns([ChartPoint("x", v) for v in values], width, lines, "good")
    ]
    wide = (
        len(drawn[0].split(" ")[0]) if len(values) == 1 else (len(drawn[0]) + 1) // len(values) - 1
    )
    for place, value in enumerate(values):
        at = place * (wide + 1)
        assert drawn[-2][at] != " "
        assert (drawn[0][at] == "█") >= (value == max(values))


@given(st.lists(st.integers(-(10**9), -1), min_size=1, max_size=12), st.integers(2, 12))
def test_what_is_below_nothing_hangs(values: list[int], lines: int) -> None:
    """Of values below nothing alone each hangs from the ground, and the lowest reaches the end."""
    drawn = [
        each.plain
        for each in draw_columns([ChartPoint("x", v) for v in values], 100, lines, "good")
    ]
    assert len(drawn) == lines
    assert "█" in drawn[0]
    assert "█" in drawn[-2]


def test_what_is_below_nothing_hangs_by_its_share() -> None:
    """Up and down are on one scale: half as far below hangs half as far, and what is above stands."""
    values = [ChartPoint("a", -2), ChartPoint("b", -4), ChartPoint("c", 4)]
    drawn = [each.plain for each in draw_columns(values, 6, 9, "good")]
    above, hanging, below = "    █", "█ █  ", "  █  "
    assert drawn == [above] * 4 + [hanging] * 2 + [below] * 2 + ["a b c"]


def test_nothing_but_zeros_draws_nothing() -> None:
    """Columns of nothing are empty, over their names."""
    *bodies, names = draw_columns([ChartPoint("a", 0), ChartPoint("b", 0)], 20, 4, "good")
    assert {each.plain.strip() for each in bodies} == {""}
    assert names.plain.split() == ["a", "b"]


@given(st.lists(AMOUNTS, max_size=60), st.integers(0, 10**9), ANY_WIDTHS, LINES)
def test_a_line_fits(values: list[int], spread: int, width: int, lines: int) -> None:
    """A line with its band takes exactly its width and lines; one value or none is no line."""
    plain = [ChartPoint("", each) for each in values]
    band = [ChartPoint("", each, each - spread, each + spread) for each in values]
    for each in (plain, band):
        drawn = draw_line(each, width, lines, "good")
        if len(values) < 2 or width < 2 or lines < 2:
            assert drawn == []
        else:
            assert measured(drawn) == (lines, {width})


@given(st.integers(-(10**9), 10**9), st.integers(2, 60), st.integers(2, 10))
def test_a_line_of_one_height_is_level(value: int, width: int, lines: int) -> None:
    """Values that are all the same lie in one line of the chart."""
    drawn = draw_line([ChartPoint("", value)] * 3, width, lines, "good")
    assert len([each for each in drawn if each.plain.strip(" ─")]) == 1


@given(AMOUNTS, AMOUNTS, st.integers(0, 100))
def test_a_bar_fills_its_track(part: int, whole: int, width: int) -> None:
    """A bar is as wide as its track; a part of nothing is empty, and more than the whole is full."""
    plain = draw_bar(ShareBar(part, whole, "good", rest=True), width).plain
    assert len(plain) == max(0, width)
    filled = len(plain.rstrip("─"))
    if part <= 0 or whole <= 0:
        assert filled == 0
    elif part >= whole:
        assert filled == max(0, width)
    elif width > 0:
        assert filled >= 1


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**6), st.integers(1, 80))
def test_more_is_longer(one: int, other: int, whole: int, width: int) -> None:
    """Of two parts of a whole the bar of the larger one is no shorter."""
    less, more = sorted((one, other))
    short, long = (
        draw_bar(ShareBar(each, whole, "good"), width).plain.count("━") for each in (less, more)
    )
    assert short <= long


@pytest.mark.parametrize(("days", "told"), [(5, []), (6, [6]), (30, [6, 13, 20, 27])])
def test_a_week_has_one_figure(days: int, told: list[int]) -> None:
    """The evening that ends each week from today on is told with its day, and no other evening."""
    forecast = made_up_plan.forecast(days=days)
    chart = ahead.cash_ahead(forecast, how())
    lines = [line.plain.split() for line in draw_block(chart, Look(80, aloud=True))]
    expected = [(chart.points[place].label, chart.points[place].value) for place in told]
    assert [" ".join(line[:-1]) for line in lines] == [label for label, _ in expected]
    assert [line[-1] for line in lines] == [how().whole(value) for _, value in expected]
