"""A table of months says in each of its cells what the rows say, and adds up both ways to /spending."""

from collections import Counter
from datetime import date, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.errors import BadRequest
from finplan.model.money import to_text
from finplan.model.transaction import (
    SpendingMonths,
    SpendingMonthsQuery,
    SpendingQuery,
    Transaction,
    TransactionQuery,
)
from finplan.service.banking.accounts import list_accounts
from finplan.service.context import Context
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending, query_spending_months
from finplan.service.transactions import list_transactions
from tests.service.conftest import Import

FIRST = date(2025, 10, 20)
DAYS = st.integers(0, 500).map(lambda days: FIRST + timedelta(days))
SHOPS = ("Safeway", "Netflix.com", "Shell Oil", "Quux Trading", "Zzyx Nine")
ROWS = st.lists(
    st.tuples(DAYS, st.sampled_from(SHOPS), st.sampled_from((-4_50, -60_00, 12_00, -60_01))),
    min_size=1,
    max_size=12,
)
CATEGORIES = ("groceries", "transport", "subscriptions", "uncategorized", "dining", "wages")
EARNED = {each.id for each in BUILT_IN.values() if each.flow == "income"}
FILTERS = st.fixed_dictionaries(
    {"group_by": st.sampled_from(("category", "merchant"))},
    optional={
        "days": st.tuples(DAYS, DAYS).map(sorted),
        "category": st.lists(st.sampled_from(CATEGORIES), min_size=1, max_size=3).map(tuple),
        "merchant": st.lists(st.sampled_from(SHOPS[3:]), min_size=1, unique=True).map(tuple),
        "flow": st.just("income"),
    },
)
RULES = st.lists(
    st.tuples(
        st.sampled_from(SHOPS), st.sampled_from(CATEGORIES[:5]), st.sampled_from((None, 60_00))
    ),
    max_size=3,
)


async def listed(context: Context, **filters: Any) -> list[Transaction]:
    """Every row that some filters name, page by page."""
    rows: list[Transaction] = []
    query = TransactionQuery(limit=500, **filters)
    while True:
        page = await list_transactions(context, query)
        rows += page.transactions
        if page.next_cursor is None:
            return rows
        query = query.model_copy(update={"cursor": page.next_cursor})


async def asked(context: Context, **query: Any) -> SpendingMonths:
    return await query_spending_months(context, SpendingMonthsQuery.model_validate(query))


@pytest.fixture
async def household(context: Context, import_texts: Import) -> Context:
    """A household in which each shop has been paid."""
    rows = "".join(f"2026-01-0{place + 1},{shop},-7.00\n" for place, shop in enumerate(SHOPS))
    await import_texts({"first.csv": f"Date,Description,Amount\n{rows}"}, account="First")
    return context


@pytest.mark.thorough
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=ROWS, rules=RULES, filters=FILTERS)
async def test_cells_are_the_rows_and_add_up_both_ways(
    household: Context,
    import_texts: Import,
    rows: list[tuple[date, str, int]],
    rules: list[tuple[str, str, int | None]],
    filters: dict[str, Any],
) -> None:
    """Down to /spending by month, across to /spending by group, and each cell to the listed rows."""
    written = "".join(f"{day},{shop},{to_text(cents, 'USD')}\n" for day, shop, cents in rows)
    name = f"account-{next(NUMBERS)}"
    await import_texts({f"{name}.csv": f"Date,Description,Amount\n{written}"}, account=name)
    keys = {each.raw: each.payee_key for each in await listed(household)}
    for shop, category, amount in rules:
        rule = RuleRequest(payee_key=keys[shop], category=category, amount=amount)
        await set_rule(household, rule)
    await adds_up(household, filters)


@pytest.mark.thorough
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(filters=FILTERS)
async def test_a_household_with_loans_and_moves_adds_up(
    demo: Context, filters: dict[str, Any]
) -> None:
    """Payments of a loan are spending, moves are none, and a rule of one amount files its rows."""
    filters.pop("merchant", None)
    rent = await listed(demo, category=("rent", "mortgage"))
    rule = RuleRequest(payee_key=rent[0].payee_key, category="dining", amount=-rent[0].amount)
    await set_rule(demo, rule)
    await adds_up(demo, filters)


async def adds_up(household: Context, filters: dict[str, Any]) -> None:
    """Ask for a table, and hold it against /spending and against the rows."""
    filters = dict(filters)
    group_by = filters.pop("group_by")
    if "days" in filters:
        filters["since"], filters["until"] = filters.pop("days")

    table = await asked(household, group_by=group_by, **filters)

    by_group, by_month = [
        await query_spending(household, SpendingQuery.model_validate({"group_by": by, **filters}))
        for by in (group_by, "month")
    ]
    assert (table.since, table.until) == (by_month.since, by_month.until)
    assert [(m, t) for m, t in zip(table.months, table.totals, strict=True)] == [
        (each.key, each.total) for each in by_month.groups
    ]
    assert [(g.key, g.label, g.total, g.count) for g in table.groups] == [
        (each.key, each.label, each.total, each.count) for each in by_group.groups
    ]
    assert table.total == by_group.total == sum(table.totals)
    counted = {
        account.id
        for account in await list_accounts(household, Nothing())
        if account.kind in {"depository", "credit"}
    }
    cells = Counter[tuple[str, str]]()
    flow = filters.pop("flow", "spending")
    for row in await listed(household, pending=False, **filters):
        earned = row.category in EARNED if flow == "income" else row.line == "not_spending"
        if earned == (flow == "income") and row.account_id in counted:
            key = row.category if group_by == "category" else row.payee_key
            cells[key, f"{row.date:%Y-%m}"] += row.amount if flow == "income" else -row.amount
    found = {
        (group.key, month): total
        for group in table.groups
        for month, total in zip(table.months, group.totals, strict=True)
        if total
    }
    assert found == {key: total for key, total in cells.items() if total}
    assert all(sum(group.totals) == group.total for group in table.groups)


NUMBERS = count()


async def test_months_without_spending_are_there(household: Context) -> None:
    """The months are all that the days touch, in order, across the turn of a year."""
    table = await asked(household, since=date(2019, 11, 30), until=date(2020, 2, 1))
    assert table.months == ("2019-11", "2019-12", "2020-01", "2020-02")
    assert (table.totals, table.total, table.groups) == ((0, 0, 0, 0), 0, ())


async def test_a_table_has_a_hundred_years_at_most(household: Context) -> None:
    """More months are refused with what to do; as many as there may be are answered."""
    longest = {"since": date(1927, 1, 1), "until": date(2026, 12, 31)}
    assert len((await asked(household, **longest)).months) == 1200
    with pytest.raises(
        BadRequest, match=r"1,201 months; a table has 1,200 at most\. Ask for fewer"
    ):
        await asked(household, since=date(1926, 12, 31), until=date(2026, 12, 31))
