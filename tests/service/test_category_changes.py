"""Whatever a person does to categories, in any order: the same money, added up in every way."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from finplan.banks.base import Manual
from finplan.model.base import Nothing
from finplan.model.category import (
    BudgetLine,
    CategoryChange,
    CategoryRemoval,
    RuleRequest,
)
from finplan.model.statement import ImportRequest
from finplan.model.transaction import SpendingQuery
from finplan.operation import UploadedFile
from finplan.service.categories import change_category, list_categories, remove_category
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people import ensure_owner
from finplan.service.rules import list_rules, set_rule
from finplan.service.spending import query_spending
from finplan.store.store import Store
from tests.service.conftest import NOW
from tests.service.filing import make, spent

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
@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
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
