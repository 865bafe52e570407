"""Totals of spending are those of the listed rows, for any time and grouping, and groups add up."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finplan.categorise.catalogue import BUILT_IN
from finplan.model.base import Nothing
from finplan.model.category import NewCategory, RuleRequest
from finplan.model.connection import LinkRequest
from finplan.model.transaction import SpendingQuery, Transaction, TransactionQuery
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.categories import create_category
from finplan.service.context import Context
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending, report_of
from finplan.service.transactions import list_transactions

FIRST, LAST = date(2024, 10, 1), date(2026, 12, 31)
DAYS = st.integers(0, (LAST - FIRST).days).map(lambda days: FIRST + timedelta(days))
GROUPINGS = st.sampled_from(("category", "merchant", "month", None))
INCOME = {each.id for each in BUILT_IN.values() if each.flow == "income"}
TOTALS = st.dictionaries(
    st.text(max_size=9), st.tuples(st.integers(-(10**9), 10**12), st.integers(0, 9999))
)


@pytest.fixture
async def demo(context: Context) -> Context:
    """The demo household with an own category, a rule, and a rule of an exact amount."""
    await link_connection(context, LinkRequest(provider="demo"))
    page = await list_transactions(context, TransactionQuery())
    spent = [
        each for each in page.transactions if each.line == "discretionary" and not each.pending
    ]
    made = await create_category(context, NewCategory(name="Hobby", line="discretionary"))
    own = made.answer.category.category
    await set_rule(context, RuleRequest(payee_key=spent[0].payee_key, category=own))
    other = next(each for each in spent if each.payee_key != spent[0].payee_key)
    await set_rule(
        context, RuleRequest(payee_key=other.payee_key, category=own, amount=-other.amount)
    )
    return context


async def listed(context: Context) -> list[Transaction]:
    """Every row, page by page."""
    rows: list[Transaction] = []
    query = TransactionQuery(limit=500)
    while True:
        page = await list_transactions(context, query)
        rows += page.transactions
        if page.next_cursor is None:
            return rows
        query = TransactionQuery(limit=500, cursor=page.next_cursor)


def key_of(row: Transaction, group_by: str | None) -> str:
    if group_by == "category":
        return row.category
    if group_by == "merchant":
        return row.payee_key
    return f"{row.date:%Y-%m}" if group_by == "month" else ""


@pytest.mark.thorough
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    first=DAYS,
    last=DAYS,
    group_by=GROUPINGS,
    flow=st.sampled_from(("spending", "income")),
    places=st.lists(st.integers(0, 7), max_size=2, unique=True),
)
async def test_totals_are_those_of_the_rows(
    demo: Context, first: date, last: date, group_by: str | None, flow: str, places: list[int]
) -> None:
    """Posted rows of spending or income, of all accounts or some, added up one by one."""
    since, until = sorted((first, last))
    accounts = await list_accounts(demo, Nothing())
    asked = [accounts[place].id for place in places if place < len(accounts)]
    query = SpendingQuery.model_validate(
        {
            "since": since,
            "until": until,
            "group_by": group_by,
            "flow": flow,
            "account": tuple(asked),
        }
    )
    report = await query_spending(demo, query)

    counted = {
        account.id
        for account in accounts
        if account.kind in {"depository", "credit"} and (not asked or account.id in asked)
    }
    totals, counts = Counter[str](), Counter[str]()
    for row in await listed(demo):
        if flow == "income":
            is_asked = row.category in INCOME and not row.pending
        else:
            is_asked = row.line in {"essential", "discretionary"} and not row.pending
        if is_asked and row.account_id in counted and since <= row.date <= until:
            totals[key_of(row, group_by)] += row.amount if flow == "income" else -row.amount
            counts[key_of(row, group_by)] += 1
    assert (report.total, report.count) == (totals.total(), counts.total())
    found = {group.key: (group.total, group.count) for group in report.groups if group.count}
    assert found == (
        {} if group_by is None else {key: (totals[key], counts[key]) for key in counts}
    )
    if group_by in ("category", "merchant"):
        assert list(report.groups) == sorted(
            report.groups, key=lambda each: (-each.total, each.key)
        )


@given(totals=TOTALS, group_by=GROUPINGS)
def test_shares_are_of_all_positive_totals(
    totals: dict[str, tuple[int, int]], group_by: str | None
) -> None:
    """To four decimals; a group that gave money back has none, and without a grouping none is shown."""
    day = date(2026, 3, 18)
    groups = [(key, "Apples" if key == "a" else key, *sum_) for key, sum_ in totals.items()]
    report = report_of(day, day, group_by, groups)  # type: ignore[arg-type]

    positive = sum(total for total, _ in totals.values() if total > 0)
    assert (report.total, report.count) == tuple(
        sum(each[place] for each in totals.values()) for place in (0, 1)
    )
    assert [each.key for each in report.groups] == ([] if group_by is None else list(totals))
    for group in report.groups:
        assert group.label == ("Apples" if group.key == "a" else group.key)
        assert group.share == pytest.approx(max(0, group.total) / (positive or 1), abs=0.00005)
