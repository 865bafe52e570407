"""What tools make of answers of rows that the demo household has none of."""

from collections.abc import Mapping
from datetime import date
from typing import Any, cast

import pytest

from finplan.daemon.surfaces.mcp.tools.plans import MOST_ROWS, FigureQuestion, explain_figure
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.explain import Explanation, FeedingRow, Rest
from finplan.operation import AnyOperation
from finplan.operations.planning import EXPLAIN_PLAN
from finplan.service.context import Context


def told(answers: Mapping[AnyOperation, Any]) -> Call:
    """A call to which each row answers what is given, whatever it is asked."""

    async def ask_row(_context: Any, row: AnyOperation, _question: Any) -> Any:
        return answers[row]

    async def nobody(*_told: Any) -> None:
        return None

    return Call(cast("Context", None), ask_row, nobody, nobody)


@pytest.mark.parametrize(
    ("listed", "beyond", "more"), [(0, 0, 0), (8, 0, 0), (9, 0, 1), (20, 0, 12), (20, 5, 17)]
)
async def test_rows_that_feed_a_figure_are_shown_or_counted(
    listed: int, beyond: int, more: int
) -> None:
    """The first eight rows of an explanation are shown; all others, listed or not, are counted."""
    rows = tuple(
        FeedingRow(date=date(2026, 3, 2), payee=str(n), account="Giro", category="pets", amount=n)
        for n in range(listed)
    )
    explanation = Explanation(
        section="monthly",
        title="A month",
        generated_on=date(2026, 3, 18),
        figures=(),
        reasons=(),
        transactions=rows,
        more=Rest(count=beyond, command="finplan transactions") if beyond else None,
        plan=None,
    )
    answer = await explain_figure(
        told({EXPLAIN_PLAN: explanation}), FigureQuestion(section="monthly")
    )
    assert answer.transactions == rows[:MOST_ROWS]
    assert answer.more_rows == more
