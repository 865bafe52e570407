"""Tables in cells: what stands below a row keeps to the columns of the row."""

import pytest

from finplan.terminal.tables import draw_table
from finplan.views import page
from tests.views.drawing import look


@pytest.mark.parametrize(("least", "lines"), [(7, 2), (6, 2), (5, 3)])
def test_an_id_in_the_margin_stands_beside_the_words_it_fits_beside(least: int, lines: int) -> None:
    """One that is wider than the first cell has a line of its own, and is never cut."""
    below = page.RowPart(page.name("raw words"), indent=0, margin="tx_812")
    row = page.TableRow(("x" * 3, "shop"), below=(below,))
    table = page.table((page.col("", least=least), page.col("")), [row], gap=2)
    drawn = [line.plain for line in draw_table(table, look(60))]
    assert len(drawn) == lines
    assert drawn[1].startswith("tx_812")
    assert drawn[-1].index("raw words") == drawn[0].index("shop")
