"""Lists of the whole screen, filled from tables of views."""

import pytest
from rich.text import Text
from textual.app import App, ComposeResult

from finplan.terminal.months import lay_out_months
from finplan.tui.drawing import ledger_of
from finplan.tui.widgets import LedgerTable
from finplan.views.locale import Money
from finplan.views.page import PageTable, ShareBar, TableRow, name, table
from finplan.views.spending import months_table
from tests.cli import made_up
from tests.views.drawing import how

CHARGES = table(
    ("payee<", "=", "why+", "amount>", "id#"),
    [
        TableRow(
            (name("Café\x1b[31m"), ShareBar(1, 2, "good"), "for it", Money(-1250, "USD"), "tx_1"),
            "a",
        ),
        TableRow(
            (name("Long " * 20), ShareBar(2, 2, "good"), "word " * 20, Money(5, "USD"), "tx_2"), "b"
        ),
        TableRow(("All", "", "", Money(-1245, "USD", "strong"), "")),
    ],
)


class _Shown(App[None]):
    def compose(self) -> ComposeResult:
        yield LedgerTable("charges")


async def _filled(shown: PageTable, width: int, *, aloud: bool = False) -> list[list[Text]]:
    app = _Shown()
    async with app.run_test():
        ledger = app.query_one(LedgerTable)
        ledger.fill(shown, width, aloud=aloud)
        assert ledger.keys == ["a", "b", ""]
        assert sum(each.width + 2 for each in ledger.ordered_columns) <= width
        cells = [[each.label for each in ledger.ordered_columns]]
        return cells + [ledger.get_row_at(place) for place in range(ledger.row_count)]


async def test_a_table_fits_and_its_names_are_harmless() -> None:
    heads, first, second, _ = await _filled(CHARGES, 50)
    assert [each.plain for each in heads] == ["payee", "", "why", "amount"]
    assert "\x1b" not in first[0].plain
    assert [row[-1].plain for row in (first, second)] == ["-$12.50", "$0.05"]
    assert first[-1].justify == "right"


async def test_nothing_is_drawn_for_the_eye_alone_where_it_is_read_aloud() -> None:
    heads, *_ = await _filled(CHARGES, 80, aloud=True)
    assert [each.plain for each in heads] == ["payee", "why", "amount"]


async def test_the_cursor_stays_on_its_row() -> None:
    app = _Shown()
    async with app.run_test():
        ledger = app.query_one(LedgerTable)
        ledger.fill(CHARGES, 60)
        ledger.mark("b")
        ledger.fill(PageTable(CHARGES.columns, CHARGES.rows[1:]), 60)
        assert (ledger.marked, ledger.cursor_row) == ("b", 0)
        ledger.move_cursor(row=1)
        assert ledger.marked is None


@pytest.mark.parametrize("trend", [False, True])
@pytest.mark.parametrize("width", range(60, 200, 7))
def test_the_newest_months_that_fit_stand_apart(width: int, *, trend: bool) -> None:
    """The others are one column, so that a line adds up whatever is shown of it."""
    report = made_up.spending_by_category_and_month()
    layout = lay_out_months(report, "USD", width - 2, gap=2, trend=trend)
    heads, lines = ledger_of(months_table(report, how(), layout), width)
    assert sum(each.width + 2 for each in heads) <= width
    months = [each.name for each in heads if each.name in report.months]
    assert (*months,) == report.months[-layout.apart :]
    assert [line.key for line in lines] == [*(each.key for each in report.groups), ""]
    assert ("trend" in [each.name for each in heads]) == (layout.trend > 0)
    summed = " earlier" in heads[1].name
    assert summed == (layout.apart < len(report.months))
