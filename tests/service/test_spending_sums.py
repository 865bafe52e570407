"""Running sums answer spending questions exactly as the rows do."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finplan.model.category import (
    CategoryChange,
    CategoryRemoval,
    NewCategory,
    RuleId,
    RuleRequest,
)
from finplan.model.connection import LinkRequest
from finplan.model.spending import SpendingQuery, SpendingReport
from finplan.model.transaction import Transaction, TransactionQuery
from finplan.model.user import SettingsChange
from finplan.service.banking.connections import link_connection
from finplan.service.categories.categories import change_category, create_category, remove_category
from finplan.service.categories.rules import remove_rule, set_rule
from finplan.service.context import Context
from finplan.service.people.people import change_settings, state_of
from finplan.service.spending import rows as spending_rows
from finplan.service.spending import sums as spending_sums
from finplan.service.spending.kept import ASKED, MOST_PEOPLE, Generations, KeptSums
from finplan.service.spending.rows import RowSums
from finplan.service.spending.spending import query_spending
from finplan.service.spending.sums import SpendingSums
from finplan.service.transactions.transactions import list_transactions
from finplan.store.queries.spending import PaidDay

FIRST, LAST = date(2024, 10, 1), date(2026, 12, 31)
DAYS = st.integers(0, (LAST - FIRST).days).map(lambda days: FIRST + timedelta(days))
GROUPINGS = st.sampled_from(("category", "merchant", "month", None))


@pytest.fixture
async def demo(demo: Context, context: Context) -> Context:
    """The demo household with an own category, a rule, and a rule of an exact amount."""
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


class Counted:
    """How often everything is added up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        monkeypatch.setattr("finplan.service.spending.spending.add_everything_up", self._add_up)

    def _add_up(self, *args: object) -> object:
        self.times += 1
        return spending_sums.add_everything_up(*args)  # type: ignore[arg-type]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


async def test_sums_outlive_what_leaves_the_rows_as_they_are(
    demo: Context, counted: Counted
) -> None:
    """Payees filed elsewhere, exact amounts and categories of one's own move within the same sums."""
    await warm(demo)
    rows = (await list_transactions(demo, TransactionQuery())).transactions
    spent = [row for row in rows if row.line == "essential" and not row.pending]
    other = next(row for row in spent if row.payee_key != spent[0].payee_key)
    paid = next(row for row in rows if row.amount > 0 and not row.pending)
    made = await create_category(demo, NewCategory(name="Boats", line="discretionary"))
    boats = made.answer.category.category

    await file_under(demo, spent[0], boats)
    await file_under(demo, other, boats, exactly=True)
    await file_under(demo, paid, "groceries")
    await change_category(demo, CategoryChange(category=boats, line="not_spending"))
    await same_as_rows(demo)
    await change_category(demo, CategoryChange(category=boats, line="essential", name="Ships"))
    await same_as_rows(demo)
    rule = await file_under(demo, other, "dining")
    await same_as_rows(demo)
    await remove_rule(demo, RuleId(id=rule))
    await same_as_rows(demo)
    await remove_category(demo, CategoryRemoval(category=boats, merge_into="travel"))
    await same_as_rows(demo)
    await change_settings(demo, SettingsChange(time_zone="Asia/Tokyo"))
    await same_as_rows(demo)
    assert counted.times == 1

    await link_connection(demo, LinkRequest(provider="demo"))
    await change_settings(demo, SettingsChange(currency="EUR"))
    await warm(demo)
    await same_as_rows(demo)
    assert counted.times == 2


async def file_under(
    context: Context, row: Transaction, category: str, *, exactly: bool = False
) -> str:
    """File a row's payee, or its charges of the very amount; the sums then answer as the rows do."""
    amount = -row.amount if exactly else None
    ask = RuleRequest(payee_key=row.payee_key, category=category, amount=amount)
    rule = await set_rule(context, ask)
    await same_as_rows(context)
    return rule.id


async def same_as_rows(context: Context) -> None:
    """Every grouping, of everything and of a part, is what the store says."""
    for group_by in ("category", "merchant", "month", None):
        for since in (None, date(2026, 1, 17)):
            query = SpendingQuery(group_by=group_by, since=since)
            by_rows = await query_spending(without_sums(context), query)
            assert await query_spending(context, query) == by_rows
    state = await state_of(context)
    assert context.sums.ready(context.caller.owner, state.generation) is not None


async def test_sums_are_made_when_they_pay(
    demo: Context, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for the first questions after a change, once for all later ones, and for no large store."""
    for asked in range(1, 2 * ASKED):
        await query_spending(demo, SpendingQuery())
        assert counted.times == (asked >= ASKED)

    for bound in ("MOST_ROWS", "MOST_PAYEES"):
        monkeypatch.setattr(spending_sums, bound, 10)
        large = without_sums(demo)
        answers: list[SpendingReport] = [
            await query_spending(large, SpendingQuery()) for _ in range(ASKED + 1)
        ]
        assert len(set(answers)) == 1
        state = await state_of(large)
        assert large.sums.ready(large.caller.owner, state.generation) is None
        monkeypatch.undo()


FIRST_OF_ALL = Generations(1, 1)
NOTHING = SpendingSums(RowSums([], {}), (), (), {}, {})


def never(*_args: object) -> SpendingSums:
    raise AssertionError("Nothing has to be made.")


def test_sums_of_a_few_people_are_kept_and_forgotten() -> None:
    """The memory is bounded by people, and given back at rest."""
    kept = KeptSums()
    for owner in range(MOST_PEOPLE + 1):
        for _ in range(ASKED):
            kept.of(owner, FIRST_OF_ALL, lambda: NOTHING, never)
    assert kept.of(1, FIRST_OF_ALL, never, never) is kept.ready(1, 1) is NOTHING
    assert kept.ready(0, 1) is None
    answers = [kept.of(0, FIRST_OF_ALL, lambda: NOTHING, never) for _ in range(ASKED)]
    assert answers == [None] * (ASKED - 1) + [NOTHING]

    kept.forget()
    assert kept.of(1, FIRST_OF_ALL, never, never) is None


def test_sums_that_failed_are_tried_again() -> None:
    """A failure on the way does not keep a person from ever having sums."""
    kept = KeptSums()
    for _ in range(ASKED - 1):
        kept.of(1, FIRST_OF_ALL, never, never)
    with pytest.raises(AssertionError):
        kept.of(1, FIRST_OF_ALL, never, never)
    answers = [kept.of(1, FIRST_OF_ALL, lambda: NOTHING, never) for _ in range(ASKED)]
    assert answers[-1] is NOTHING


def test_older_sums_replace_no_newer_ones() -> None:
    """Who read before a change, and is slow, takes nothing away from who read after it."""
    kept = KeptSums()
    newer = SpendingSums(RowSums([], {}), (), (), {}, {})
    for _ in range(ASKED):
        kept.of(1, Generations(5, 1), lambda: NOTHING, never)
    kept.of(1, Generations(7, 1), never, lambda _sums: newer)
    kept.of(1, Generations(6, 1), never, lambda _sums: NOTHING)
    assert kept.ready(1, 7) is newer


@st.composite
def paid_days(draw: st.DrawFn) -> list[PaidDay]:
    """Rows of a few payees, added up by day, in the order of the days."""
    places = draw(st.sets(st.tuples(st.integers(0, 400), st.integers(1, 4))))
    rows: list[PaidDay] = []
    for offset, payee in sorted(places):
        day = int(f"{FIRST + timedelta(offset):%Y%m%d}")
        outflow, inflow = draw(st.integers(-1000, -1)), draw(st.integers(0, 1000))
        outflows, inflows = draw(st.sampled_from([(1, 0), (2, 0), (0, 1), (3, 2)]))
        total = (outflow if outflows else 0) + (inflow if inflows else 0)
        rows.append((payee, day, total, outflows + inflows, inflow if inflows else 0, inflows))
    return rows


@given(rows=paid_days(), first=DAYS, last=DAYS, marks=st.integers(1, 50))
def test_a_time_is_a_difference(rows: list[PaidDay], first: date, last: date, marks: int) -> None:
    """Between two days each payee comes to what plain addition says, however many marks there are."""
    since, until = (int(f"{day:%Y%m%d}") for day in sorted((first, last)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spending_rows, "MOST_MARKS", marks)
        sums = RowSums(rows, {payee: payee - 1 for payee in range(1, 5)})
    totals, counts = sums.between(since, until)

    expected: dict[int, list[int]] = {}
    for payee, day, total, count, inflow, inflows in rows:
        if since <= day <= until:
            for slot, spent, times in (
                (payee - 1, inflow - total, count - inflows),
                (sums.inflows.get(payee - 1, -1), -inflow, inflows),
            ):
                if times:
                    place = expected.setdefault(slot, [0, 0])
                    place[0], place[1] = place[0] + spent, place[1] + times
    found = {slot: [totals[slot], counts[slot]] for slot in range(len(totals)) if counts[slot]}
    assert found == expected
    everything = list(sums.facts())
    assert sorted(sums.facts_of(range(len(totals)))) == sorted(everything)
