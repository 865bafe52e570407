"""What a transaction needs of the shipped data over much is worked out by a worker, not here."""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime
from errno import EAGAIN
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection

from finplan import categorise
from finplan.banks.base import Link, SyncPage
from finplan.banks.demo.bank import Demo
from finplan.categorise import curated
from finplan.daemon.workers import MOST, Workers
from finplan.model.base import Nothing
from finplan.model.category import RuleId, RuleRequest
from finplan.model.connection import LinkRequest
from finplan.model.errors import NotFound
from finplan.model.statement import ImportId
from finplan.service.banking.linking import link_connection
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import undo_import
from finplan.service.imports.reading import LARGE_FILES
from finplan.service.ledger import categorisation
from finplan.service.people import ensure_owner
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.store.offload import apply_elsewhere
from finplan.store.queries import people
from finplan.store.queries.payees import known_payees
from finplan.store.store import Store
from tests.daemon import computations
from tests.daemon.test_workers import lives, wait_until
from tests.patience import LONG_ENOUGH
from tests.service.conftest import importer, live_in

pytestmark = pytest.mark.thorough

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


@pytest.fixture
async def workers(tmp_path: Path) -> AsyncIterator[Workers]:
    """Workers that do what transactions ask for; the test ends them."""
    made = Workers(tmp_path / "finplan.db")
    made.attend(asyncio.get_running_loop())
    yield made
    await made.rest()


@pytest.fixture
async def store(tmp_path: Path, workers: Workers) -> AsyncIterator[Store]:
    """A store whose large computations are done by the workers."""
    opened = Store.open(tmp_path / "finplan.db", tmp_path / "backups", workers)
    yield opened
    opened.close()


@pytest.fixture
async def context(store: Store) -> Context:
    """The context of the store's one person, who lives in dollars."""
    owner = await ensure_owner(store, "ada", 0)
    caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
    made = Context(caller, store, {}, lambda: NOW)
    await live_in(made, "USD")
    return made


def cached() -> list[str]:
    """The caches of the shipped data that hold anything in this process."""
    return [
        f"{module.__name__}.{name}"
        for module in curated._loaded_modules(categorise)
        for name, value in vars(module).items()
        if hasattr(value, "cache_info") and value.cache_info().currsize
    ]


def statement(rows: int) -> str:
    """A file of so many rows of some hundred payees, refunds and pay among them."""
    lines = ["Date,Description,Amount"]
    for number in range(rows):
        day = f"2026-{number % 9 + 1:02}-{number % 28 + 1:02}"
        amount = f"{-5 - number % 40}.00" if number % 7 else f"{900 + number % 3}.00"
        lines.append(f"{day},QUILLZWALD {chr(97 + number % 26) * 3} MARKET {number % 4},{amount}")
    return "\n".join(lines)


async def test_a_large_import_leaves_the_daemon_without_the_shipped_data(
    context: Context, tmp_path: Path
) -> None:
    """Its payees are read, joined and judged in workers; a small file is not worth a process."""
    text = statement(LARGE_FILES // 20)
    assert len(text) > LARGE_FILES
    curated.clear_caches()

    bring = importer(context, tmp_path)
    await bring({"checking.csv": text}, account="Checking")
    assert cached() == []

    await bring({"more.csv": statement(30)}, account="Savings")
    assert "finplan.categorise.curated.curated" in cached()


class OneHousehold(Demo):
    """The demo bank with one household, whoever asks."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """Answer as to one and the same person."""
        return await super().sync(replace(link, owner="ada"), cursor, today)


async def test_a_sync_leaves_the_daemon_without_the_shipped_data(
    context: Context, tmp_path: Path
) -> None:
    """However small the store, a worker reads, joins and judges its payees, and comes to the same."""
    alone = Store.open(tmp_path / "alone.db", tmp_path / "backups")
    owner = await ensure_owner(alone, "ada", 0)
    found = []
    caller = Caller(owner, context.caller.scopes, "session")
    for each in (context, Context(caller, alone, {}, lambda: NOW)):
        curated.clear_caches()
        await live_in(each, "USD")
        banks = {"demo": OneHousehold()}
        await link_connection(replace(each, banks=banks), LinkRequest(provider="demo"))
        found.append((cached() == [], await each.store.read(partial(known_payees, owner=owner))))
    alone.close()

    assert [elsewhere for elsewhere, _ in found] == [True, False]
    assert found[0][1] == found[1][1]
    assert sum(each.decided.source is not None for each in found[0][1]) > 20


async def test_over_a_large_store_a_rule_teaches_elsewhere(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it teaches of other payees is worked out by a worker, and comes to what it does here."""
    alike = ("QUILLON ZWALDHOF", "QUILLON ZWALDHOF WEXLIN")
    rows = [f"2026-0{month}-05,{payee},-2{month}.00" for month in range(5, 10) for payee in alike]
    text = "\n".join(["Date,Description,Amount", *rows])
    await importer(context, tmp_path)({"checking.csv": text}, account="Checking")
    inferred = []
    for least in (len(rows) + 1, len(rows)):
        monkeypatch.setattr(categorisation, "LARGE_STORE", least)
        curated.clear_caches()
        rule = await set_rule(context, RuleRequest(payee_key="quillon zwaldhof", category="kids"))
        rules = await list_rules(context, Nothing())
        inferred.append([each for each in rules if each.source == "auto"])
        await remove_rule(context, RuleId(id=rule.id))
        await list_rules(context, Nothing())
        assert bool(cached()) == (least > len(rows))
    assert inferred[0] == inferred[1] != []


async def test_over_a_large_store_an_import_is_undone_without_the_shipped_data(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where hardly a row is left, and a payee that the person filed is judged without one."""
    rows = statement(30)
    brought = await importer(context, tmp_path)({"checking.csv": rows}, account="Checking")
    await set_rule(context, RuleRequest(payee_key="quillzwald aaa market", category="kids"))
    await list_rules(context, Nothing())
    monkeypatch.setattr(categorisation, "LARGE_STORE", 30)
    curated.clear_caches()
    assert brought.id is not None

    await undo_import(context, ImportId(id=brought.id))

    assert cached() == []


async def test_a_transaction_waits_for_no_computation(store: Store, tmp_path: Path) -> None:
    """While every place is taken, what it needs is done at once, in another process than this one."""
    notes = [tmp_path / str(number) for number in range(MOST)]
    running = [
        asyncio.create_task(
            store.offload(partial(computations.say_and_stay, path=note), large=True)
        )
        for note in notes
    ]
    await wait_until(lambda: all(note.exists() and note.read_text() for note in notes))

    def look(connection: Connection) -> int:
        return apply_elsewhere(connection, os.getpid)

    async with asyncio.timeout(LONG_ENOUGH):
        asked = [await store.write(look), await store.read(look)]
    assert os.getpid() not in asked
    assert len({*asked, *(int(note.read_text()) for note in notes)}) == MOST + 1
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def test_transactions_take_turns_in_one_process(store: Store) -> None:
    """However many need something at once, they start one process, which ends at rest."""

    def look(connection: Connection) -> int:
        return apply_elsewhere(connection, os.getpid)

    asked = await asyncio.gather(store.read(look), store.read(look), store.write(look))
    assert len(set(asked)) == 1
    assert lives(asked[0])
    assert store._workers is not None
    await store._workers.rest()  # type: ignore[attr-defined]
    assert not lives(asked[0])


async def test_where_the_process_ends_it_is_done_here(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody's change is lost because the system ended a worker; the log tells of it."""
    work = partial(computations.die_unless_in, os.getpid())
    assert await store.write(lambda c: apply_elsewhere(c, work)) == "survived"
    assert "ended with code -9" in caplog.text


async def test_where_no_process_can_start_it_is_done_here(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A system without room for another process costs nobody their change; the log says why."""

    async def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(EAGAIN, "Resource temporarily unavailable")

    with monkeypatch.context() as full:
        full.setattr(asyncio, "create_subprocess_exec", refuse)
        assert await store.write(lambda c: apply_elsewhere(c, os.getpid)) == os.getpid()
        assert await store.elsewhere(os.getpid) == os.getpid()
    assert "No worker took it" in caplog.text
    assert "Resource temporarily unavailable" in caplog.text
    assert await store.elsewhere(os.getpid) != os.getpid()


async def test_what_it_raises_is_raised_in_the_transaction(store: Store) -> None:
    """Which is then rolled back, as for any other error."""
    owner = await ensure_owner(store, "ada", 0)

    def change_and_fail(connection: Connection) -> None:
        people.raise_generation(connection, owner)
        apply_elsewhere(connection, computations.refuse)

    with pytest.raises(NotFound, match="no such thing"):
        await store.write(change_and_fail)
    assert (await store.read(lambda c: people.get_person(c, owner)))["generation"] == 0


async def test_without_workers_it_is_done_here(tmp_path: Path) -> None:
    """A store alone does it in this very process."""
    store = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    assert await store.write(lambda c: apply_elsewhere(c, os.getpid)) == os.getpid()
    store.close()
