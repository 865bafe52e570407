"""Spending as tables of the whole screen: their heads, what fits, and what it adds up to."""

import pytest

from finplan.model import figures
from finplan.tui.drawing.spending import group_lines, month_lines
from tests.cli import made_up


@pytest.mark.parametrize(
    ("width", "aloud", "has_bar"),
    [(71, False, False), (72, False, True), (120, False, True), (120, True, False)],
)
def test_groups_stand_under_their_kind(width: int, aloud: bool, has_bar: bool) -> None:
    """Sum, share and charges beside the name; a bar where there is room and somebody looks."""
    report = made_up.spending_by_merchant()
    heads, lines = group_lines(report, "USD", width, aloud=aloud)
    assert [each.name for each in heads] == [
        *("merchant", "spent", "share", "charges"),
        *([""] if has_bar else []),
    ]
    assert [(line.key, *line.cells[:2], line.cells[3]) for line in lines] == [
        (each.key, each.label, figures.fitted(each.total, "USD", 13), f"{each.count:,}")
        for each in report.groups
    ]
    assert {len(line.cells) for line in lines} == {len(heads)}
    assert sum(each.width + 2 for each in heads) == width


@pytest.mark.parametrize(("width", "fit"), [(40, 1), (58, 1), (59, 2), (80, 3), (81, 4), (300, 99)])
def test_the_newest_months_that_fit_are_shown(width: int, fit: int) -> None:
    """The newest stand there, those left out are counted, and what a line comes to is of all months."""
    report = made_up.spending_by_category_and_month()
    heads, lines, left_out = month_lines(report, "USD", width)
    shown = min(fit, len(report.months))
    assert len(heads) == shown + 2
    assert left_out == len(report.months) - shown
    assert (heads[0].name, heads[-1].name) == (report.group_by, "all")
    for line, group in zip(lines, report.groups, strict=False):
        assert line.cells[0] == group.label
        assert line.cells[-1] == figures.fitted(group.total, "USD", 9, whole=True)
        assert len(line.cells) == len(heads)
    assert str(lines[-1].cells[0]) == "Total"
    assert lines[-1].cells[-1] == figures.fitted(report.total, "USD", 9, whole=True)
