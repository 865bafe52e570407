"""What tools make and say of answers of rows that the demo household has none of."""

from collections.abc import Mapping
from datetime import date, timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest

from finplan.categorise.catalogue import BUILT_IN
from finplan.daemon.surfaces.mcp.tools import money, plans
from finplan.daemon.surfaces.mcp.tools.spending import query_spending
from finplan.daemon.surfaces.mcp.tools.spending_question import SpendingQuestion
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.transactions import (
    RowsQuestion,
    list_transactions,
)
from finplan.model.base import Nothing
from finplan.model.explain import Explanation, FeedingRow, Rest
from finplan.model.snapshot import (
    Forecast,
    ForecastDay,
    ForecastItem,
    ForecastLow,
    Wealth,
    WealthBalances,
    WealthPoint,
)
from finplan.model.transaction import MonthlySpendingGroup, SpendingMonths, TransactionPage
from finplan.model.user import HouseholdSettings
from finplan.operation import AnyOperation
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.person import SHOW_SETTINGS
from finplan.operations.plan import EXPLAIN_PLAN, SHOW_FORECAST, SHOW_WEALTH
from finplan.operations.transaction import LIST_TRANSACTIONS, QUERY_SPENDING_MONTHS
from finplan.service.context import Context
from tests.cli import made_up_bank

TODAY = date(2026, 3, 18)
SETTINGS = HouseholdSettings(
    currency="USD", time_zone="UTC", budget_shares=None, target_months=None
)


def told(answers: Mapping[AnyOperation, Any]) -> Call:
    """A call to which each row answers what is given, whatever it is asked."""
    known = {SHOW_SETTINGS: SETTINGS, **answers}

    async def ask_row(_context: Any, row: AnyOperation, _question: Any) -> Any:
        return known[row]

    async def nobody(*_told: Any) -> None:
        return None

    context = SimpleNamespace(today=lambda _zone: TODAY)
    return Call(cast("Context", context), ask_row, nobody, nobody)


@pytest.mark.parametrize(
    ("listed", "beyond", "more"), [(0, 0, 0), (8, 0, 0), (9, 0, 1), (20, 0, 12), (20, 5, 17)]
)
async def test_rows_of_a_figure_are_shown_or_counted(listed: int, beyond: int, more: int) -> None:
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
    answer = await plans.explain_figure(
        told({EXPLAIN_PLAN: explanation}), plans.FigureQuestion(section="monthly")
    )
    assert answer.told.transactions == rows[: plans.MOST_ROWS]
    assert answer.told.more_rows == more
    assert answer.text.count("Giro") == 0
    assert sum(line.startswith("- 2026-03-02") for line in answer.text.splitlines()) == min(
        listed, 8
    )


@pytest.mark.parametrize("ends", [0, 1, 11, 12, 13, 24, 25, 100])
async def test_net_worth_is_told_by_a_year_of_months_and_today(ends: int) -> None:
    """Twelve ends of months at most and today, evenly apart and the latest of them: all, if so few."""
    days = [TODAY - timedelta(30 * back) for back in reversed(range(ends + 1))]
    history = tuple(WealthPoint(date=day, assets=0, debts=0, net_worth=0) for day in days)
    balances = WealthBalances(**dict.fromkeys(WealthBalances.model_fields, 0))
    wealth = Wealth(today=TODAY, balances=balances, history=history)
    shown = [
        days.index(each.date)
        for each in (await money.get_wealth(told({SHOW_WEALTH: wealth}), Nothing())).told.history
    ]
    assert shown[-2:] == [ends - 1, ends][-len(shown) :]
    assert len({after - before for before, after in pairwise(shown[:-1])}) <= 1
    assert len(shown) == ends + 1 if ends <= 12 else 7 <= len(shown) <= 13


@pytest.mark.parametrize("many", [1, 2, 12, 13, 14, 25, 26, 27, 30, 31, 61, 91, 120, 121])
async def test_a_forecast_is_told_by_thirteen_days(many: int) -> None:
    """Thirteen days at most, evenly apart from today on, and the last one: all, if there are so few."""
    answer = await money.get_forecast(
        told({SHOW_FORECAST: ahead(many, 0)}), money.ForecastQuestion(days=120)
    )
    shown = [(each.date - TODAY).days for each in answer.told.points]
    assert (shown[0], shown[-1]) == (0, many - 1)
    assert len({after - before for before, after in pairwise(shown[:-1])}) <= 1
    assert len(shown) == many if many <= 13 else 7 <= len(shown) <= 13


@pytest.mark.parametrize(("moves", "more"), [(0, 0), (30, 0), (31, 1), (45, 15)])
async def test_thirty_moves_are_told_and_the_others_counted(moves: int, more: int) -> None:
    """What moves cash is told by day, thirty of it; what is usual is in the line alone."""
    answer = await money.get_forecast(
        told({SHOW_FORECAST: ahead(moves + 1, moves)}), money.ForecastQuestion(days=60)
    )
    assert [each.amount for each in answer.told.moves] == [-each for each in range(min(moves, 30))]
    assert {each.kind for each in answer.told.moves} <= {"bill"}
    assert answer.told.more_moves == more


@pytest.mark.parametrize(("length", "shown"), [(119, 119), (120, 120), (121, 120), (500, 120)])
async def test_a_statements_text_is_told_up_to_120_characters(length: int, shown: int) -> None:
    """A row's text as its bank wrote it is cut, so that no stranger fills what a model reads."""
    row = made_up_bank.transactions()[0].model_copy(update={"raw": "x" * length, "splits": None})
    call = told(
        {
            LIST_CATEGORIES: tuple(each.as_choice() for each in BUILT_IN.values()),
            LIST_ACCOUNT_RECORDS: made_up_bank.accounts(),
            SHOW_SETTINGS: SETTINGS,
            LIST_TRANSACTIONS: TransactionPage(transactions=(row,), next_cursor=None, total=None),
        }
    )
    answer = (await list_transactions(call, RowsQuestion())).told
    assert [each.raw for each in answer.transactions] == ["x" * shown]


@pytest.mark.parametrize(
    ("months", "limit", "shown"), [(10, 90, 90), (12, 90, 83), (12, 20, 20), (250, 90, 4)]
)
async def test_a_table_has_a_thousand_amounts_at_most(months: int, limit: int, shown: int) -> None:
    """As many groups are told as have a thousand amounts together; the others are told in one."""
    groups = tuple(
        MonthlySpendingGroup(
            key=f"{place}",
            label=f"{place}",
            totals=(place,) * months,
            total=place * months,
            count=2,
        )
        for place in reversed(range(90))
    )
    table = SpendingMonths(
        since=date(2000, 1, 1),
        until=TODAY,
        group_by="category",
        months=tuple(f"{2000 + month // 12}-{month % 12 + 1:02d}" for month in range(months)),
        totals=(sum(range(90)),) * months,
        total=sum(range(90)) * months,
        groups=groups,
    )
    answer = await query_spending(
        told({QUERY_SPENDING_MONTHS: table, SHOW_SETTINGS: SETTINGS}),
        SpendingQuestion(by_month=True, limit=limit),
    )
    assert [each.key for each in answer.groups] == [each.key for each in groups[:shown]]
    left = groups[shown:]
    rest = answer.left_out
    assert (rest is None) == (not left)
    if rest is not None:
        assert (rest.groups, rest.count) == (len(left), 2 * len(left))
        assert rest.total + sum(each.total for each in answer.groups) == answer.total


def ahead(days: int, bills: int) -> Forecast:
    """So many days from today, each with what is usual, the first ones with a bill besides."""

    def items(place: int) -> tuple[ForecastItem, ...]:
        usual = ForecastItem(kind="spending", name="Usual", amount=-1, probability=None)
        bill = ForecastItem(kind="bill", name="Rent", amount=-place, probability=0.9)
        return (bill, usual) if place < bills else (usual,)

    line = tuple(
        ForecastDay(
            date=TODAY + timedelta(place), expected=0, low=None, high=None, items=items(place)
        )
        for place in range(days)
    )
    return Forecast(
        since=TODAY,
        until=line[-1].date,
        start=0,
        low=ForecastLow(date=TODAY, expected=0),
        days=line,
        notes=(),
    )
