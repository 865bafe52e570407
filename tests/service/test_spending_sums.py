"""Running sums answer spending questions exactly as the rows do."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finplan.model.category import NewCategory, RuleRequest
from finplan.model.connection import LinkRequest
from finplan.model.spending import SpendingQuery, SpendingReport
from finplan.model.transaction import TransactionQuery
from finplan.service import spending_sums
from finplan.service.categories import create_category
from finplan.service.connections import link_connection
from finplan.service.core import Context
from finplan.service.rules import set_rule
from finplan.service.spending import query_spending
from finplan.service.spending_sums import ASKED, KeptSums, RunningSums
from finplan.service.transactions import list_transactions

FIRST, LAST = date(2024, 10, 1), date(2026, 12, 31)
DAYS = st.integers(0, (LAST - FIRST).days).map(lambda days: FIRST + timedelta(days))
GROUPINGS = st.sampled_from(("category", "merchant", "month", None))


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


def without_sums(context: Context) -> Context:
    """The same, but each question is the first one."""
    return replace(context, sums=KeptSums())


async def warm(context: Context) -> None:
    """Ask until the sums are kept."""
    for _ in range(ASKED):
        await query_spending(context, SpendingQuery())


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(first=DAYS, last=DAYS, group_by=GROUPINGS)
async def test_sums_and_rows_answer_alike(
    demo: Context, first: date, last: date, group_by: str | None
) -> None:
    """Any time, any grouping: the same groups in the same order, exempt rows and loans among them."""
    since, until = sorted((first, last))
    query = SpendingQuery.model_validate({"since": since, "until": until, "group_by": group_by})
    await warm(demo)
    assert await query_spending(demo, query) == await query_spending(without_sums(demo), query)


async def test_a_change_is_seen_at_once(demo: Context) -> None:
    """Sums of an older generation answer nothing."""
    await warm(demo)
    rows = (await list_transactions(demo, TransactionQuery())).transactions
    # A rule of an exact amount outlives one of the whole payee.
    ruled = {row.payee_key for row in rows if row.why.source == "user"}
    spent = (row for row in rows if row.line == "discretionary" and not row.pending)
    key = next(row.payee_key for row in spent if row.payee_key not in ruled)
    before = await query_spending(demo, SpendingQuery(group_by="merchant"))
    assert key in {group.key for group in before.groups}
    await set_rule(demo, RuleRequest(payee_key=key, category="transfer"))

    after = await query_spending(demo, SpendingQuery(group_by="merchant"))
    assert key not in {group.key for group in after.groups}


async def test_sums_are_made_when_they_pay(demo: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for the first questions after a change, once for all later ones, and for no large store."""
    made = []
    real = spending_sums.add_everything_up

    def add_up(*args: object) -> object:
        made.append(args)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("finplan.service.spending.add_everything_up", add_up)
    for asked in range(1, 2 * ASKED):
        await query_spending(demo, SpendingQuery())
        assert len(made) == (asked >= ASKED)

    monkeypatch.setattr(spending_sums, "MOST_ROWS", 10)
    large = without_sums(demo)
    answers: list[SpendingReport] = [
        await query_spending(large, SpendingQuery()) for _ in range(ASKED + 1)
    ]
    assert len(set(answers)) == 1


def test_sums_of_a_few_people_are_kept_and_forgotten() -> None:
    """The memory is bounded by people, and given back at rest."""
    empty = RunningSums([])
    sums = spending_sums.SpendingSums(empty, {}, {})
    kept = KeptSums()
    for owner in range(spending_sums.MOST_PEOPLE + 1):
        for _ in range(ASKED):
            kept.of(owner, 1, lambda: sums)
    assert kept.of(1, 1, lambda: None) is sums
    assert kept.of(0, 1, lambda: None) is None

    kept.forget()
    assert kept.of(1, 1, lambda: sums) is None


FACTS = st.lists(
    st.tuples(
        st.integers(0, 400).map(lambda n: int(f"{FIRST + timedelta(n):%Y%m%d}")),
        st.integers(-1000, 1000),
        st.integers(-2, 2),
    )
)


@given(facts=FACTS, first=DAYS, last=DAYS)
def test_a_time_is_a_difference(facts: list[spending_sums.Fact], first: date, last: date) -> None:
    """Between two days is what plain addition says, and the months add up to it."""
    since, until = (int(f"{day:%Y%m%d}") for day in sorted((first, last)))
    inside = [fact for fact in facts if since <= fact[0] <= until]
    sums = RunningSums(facts)

    expected = (sum(fact[1] for fact in inside), sum(fact[2] for fact in inside))
    assert sums.between(since, until) == expected
    months = sums.by_month(since, until)
    assert set(months) == {fact[0] // 100 for fact in inside}
    assert tuple(map(sum, zip(*months.values(), strict=True))) == (expected if months else ())
