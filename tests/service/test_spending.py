"""Totals of spending are those of the listed rows, for any time and grouping, and add up every way.

Whatever a person does to categories, it is the same money; a table of months says in its cells what
rows say.
"""

import asyncio
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from finplan.banks.base import Manual
from finplan.categorise.catalogue import BUILT_IN
from finplan.model.base import Nothing
from finplan.model.category import (
    BudgetLine,
    CategoryChange,
    CategoryRemoval,
    NewCategory,
    RuleRequest,
)
from finplan.model.connection import LinkRequest
from finplan.model.errors import BadRequest
from finplan.model.money import to_text
from finplan.model.statement import ImportRequest
from finplan.model.transaction import (
    SpendingMonths,
    SpendingMonthsQuery,
    SpendingQuery,
    Transaction,
)
from finplan.operation import UploadedFile
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.categories import (
    change_category,
    create_category,
    list_categories,
    remove_category,
)
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people import ensure_owner
from finplan.service.rules import list_rules, set_rule
from finplan.service.spending import query_spending, query_spending_months, report_of
from finplan.store.store import Store
from tests.service.conftest import NOW, bring, examples
from tests.service.said import all_rows, listed, make, spent

PAYEES = ("corner thing", "safeway", "blue heron", "north pier")
MANY = "Date,Description,Amount\n" + "".join(
    f"2026-{month:02d}-{day:02d},{name},{amount}.{cents:02d}\n"
    for month in (7, 8, 9, 10)
    for day, name, amount, cents in (
        (1, "CORNER THING", -25, 10 * (month % 2)),
        (3, "SAFEWAY", -80, month),
        (9, "BLUE HERON", -12, 0),
        (20, "BLUE HERON", 12, 0),
        (21, "NORTH PIER", -4, month),
    )
)

_change = st.one_of(
    st.tuples(
        st.just("make"), st.sampled_from(["essential", "discretionary"]), st.sampled_from(PAYEES)
    ),
    st.tuples(st.just("rule"), st.integers(0, 3), st.sampled_from(PAYEES)),
    st.tuples(st.just("amount"), st.integers(0, 3), st.sampled_from([12_00, -12_00])),
    st.tuples(st.just("rename"), st.integers(0, 3), st.just("")),
    st.tuples(st.just("line"), st.integers(0, 3), st.just("")),
    st.tuples(st.just("merge"), st.integers(0, 3), st.integers(0, 3)),
    st.tuples(st.just("remove"), st.integers(0, 3), st.just("")),
)


@pytest.fixture(scope="module")
def filed_store(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The file of a store with a few payees' charges and refunds."""
    folder = tmp_path_factory.mktemp("filed")
    shutil.copy(empty_store, folder / "finplan.db")
    (folder / "checking.csv").write_text(MANY)

    async def fill(context: Context) -> None:
        file = UploadedFile("checking.csv", folder / "checking.csv")
        await import_files(context, ImportRequest(currency="USD"), (file,))

    asyncio.run(_with_context(folder / "finplan.db", fill))
    return folder / "finplan.db"


async def _with_context(database: Path, work: Callable[[Context], Awaitable[None]]) -> None:
    store = Store.open(database, database.parent / "backups")
    try:
        owner = await ensure_owner(store, "ada", int(NOW.timestamp() * 1000))
        caller = Caller(owner, frozenset({"read", "write"}), "session")
        await work(Context(caller, store, {"manual": Manual()}, lambda: NOW))
    finally:
        store.close()


async def _apply(context: Context, number: int, change: tuple[str, Any, Any]) -> None:
    """Do one change to the categories there are by then; one that there is no category for is left."""
    own = [each for each in await list_categories(context, Nothing()) if each.custom]
    what, first, second = change
    if what == "make":
        await make(context, f"Own {number}", first, second)
        return
    if not own:
        return
    held = own[first % len(own)]
    match what:
        case "rule":
            await set_rule(context, RuleRequest(payee_key=second, category=held.category))
        case "amount":
            ask = RuleRequest(payee_key="blue heron", category=held.category, amount=second)
            await set_rule(context, ask)
        case "rename":
            ask_change = CategoryChange(category=held.category, name=f"New {number}")
            await change_category(context, ask_change)
        case "line":
            line: BudgetLine = "essential" if held.line == "discretionary" else "discretionary"
            await change_category(context, CategoryChange(category=held.category, line=line))
        case "merge" if own[second % len(own)] != held:
            target = own[second % len(own)].category
            await remove_category(
                context, CategoryRemoval(category=held.category, merge_into=target)
            )
        case "remove":
            await remove_category(context, CategoryRemoval(category=held.category))


@pytest.mark.thorough
@examples(20)
@given(changes=st.lists(_change, min_size=1, max_size=8))
def test_no_change_of_categories_moves_a_total(
    filed_store: Path, tmp_path: Path, changes: list[tuple[str, Any, Any]]
) -> None:
    """Whatever is made, renamed, merged and removed: Σ categories = Σ merchants = Σ months = total.

    While every category is on a line of spending, that total never changes, and no row is touched.
    """
    database = tmp_path / "finplan.db"
    shutil.copy(filed_store, database)

    async def live(context: Context) -> None:
        everything = (await query_spending(context, SpendingQuery())).total
        for number, change in enumerate(changes):
            await _apply(context, number, change)
            assert sum((await spent(context)).values()) == everything
        labels = {each.label for each in await list_categories(context, Nothing())}
        assert set(await spent(context)) <= labels
        for rule in await list_rules(context, Nothing()):
            assert rule.source != "user" or rule.category.startswith("cat_")

    asyncio.run(_with_context(database, live))


FIRST_IN_MONTHS = date(2025, 10, 20)
DAYS_IN_MONTHS = st.integers(0, 500).map(lambda days: FIRST_IN_MONTHS + timedelta(days))
SHOPS = ("Safeway", "Netflix.com", "Shell Oil", "Quux Trading", "Zzyx Nine")
ROWS = st.lists(
    st.tuples(
        DAYS_IN_MONTHS, st.sampled_from(SHOPS), st.sampled_from((-4_50, -60_00, 12_00, -60_01))
    ),
    min_size=1,
    max_size=12,
)
CATEGORIES = ("groceries", "transport", "subscriptions", "uncategorized", "dining", "wages")
EARNED = {each.id for each in BUILT_IN.values() if each.flow == "income"}
FILTERS = st.fixed_dictionaries(
    {"group_by": st.sampled_from(("category", "merchant"))},
    optional={
        "days": st.tuples(DAYS_IN_MONTHS, DAYS_IN_MONTHS).map(sorted),
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


async def asked(context: Context, **query: Any) -> SpendingMonths:
    return await query_spending_months(context, SpendingMonthsQuery.model_validate(query))


@pytest.fixture
async def household(context: Context) -> Context:
    """A household in which each shop has been paid."""
    rows = "".join(f"2026-01-0{place + 1},{shop},-7.00\n" for place, shop in enumerate(SHOPS))
    await bring(context, {"first.csv": f"Date,Description,Amount\n{rows}"}, account="First")
    return context


@pytest.mark.thorough
@examples(15)
@given(rows=ROWS, rules=RULES, filters=FILTERS)
async def test_cells_are_the_rows_and_add_up_both_ways(
    household: Context,
    rows: list[tuple[date, str, int]],
    rules: list[tuple[str, str, int | None]],
    filters: dict[str, Any],
) -> None:
    """Down to /spending by month, across to /spending by group, and each cell to the listed rows."""
    written = "".join(f"{day},{shop},{to_text(cents, 'USD')}\n" for day, shop, cents in rows)
    name = f"account-{next(NUMBERS)}"
    await bring(household, {f"{name}.csv": f"Date,Description,Amount\n{written}"}, account=name)
    keys = {each.raw: each.payee_key for each in await listed(household)}
    for shop, category, amount in rules:
        rule = RuleRequest(payee_key=keys[shop], category=category, amount=amount)
        await set_rule(household, rule)
    await adds_up(household, filters)


@pytest.mark.thorough
@examples(15)
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
    with pytest.raises(BadRequest, match=r"1,201 months, .*at most 1,200"):
        await asked(household, since=date(1926, 12, 31), until=date(2026, 12, 31))


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
    spent = [
        each
        for each in await all_rows(context)
        if each.line == "discretionary" and not each.pending
    ]
    made = await create_category(context, NewCategory(name="Hobby", line="discretionary"))
    own = made.answer.category.category
    await set_rule(context, RuleRequest(payee_key=spent[0].payee_key, category=own))
    other = next(each for each in spent if each.payee_key != spent[0].payee_key)
    await set_rule(
        context, RuleRequest(payee_key=other.payee_key, category=own, amount=-other.amount)
    )
    return context


def key_of(row: Transaction, group_by: str | None) -> str:
    if group_by == "category":
        return row.category
    if group_by == "merchant":
        return row.payee_key
    return f"{row.date:%Y-%m}" if group_by == "month" else ""


@pytest.mark.thorough
@examples(20)
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
@example(totals={"a": (1, 1)}, group_by="category")
@example(totals={"a": (1, 1), "b": (3, 1)}, group_by="category")
def test_shares_are_of_positives(totals: dict[str, tuple[int, int]], group_by: str | None) -> None:
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
