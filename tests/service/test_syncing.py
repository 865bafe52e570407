"""Syncing: pages apply with their cursor, pending rows stand apart, failures never lock a connection."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest

from finplan.banks.base import BankAccount, BankTransaction, Link, SyncPage
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, Institution, LinkRequest, Unlinking
from finplan.model.errors import BankProviderError, Conflict, NotFound, UnsupportedProvider
from finplan.model.transaction import TransactionQuery
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.connections import (
    list_connections,
    sync_all,
    sync_connection,
    unlink_connection,
)
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.transactions import list_transactions
from finplan.store.queries import people
from finplan.store.store import Store
from tests.patience import LONG_ENOUGH

Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

CHECKING = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)


class Scripted:
    """A bank that answers prepared pages, or fails as told."""

    def __init__(self, *script: SyncPage | BankProviderError) -> None:
        self.script = list(script)
        self.cursors: list[str | None] = []

    async def sync(self, _link: Link, cursor: str | None, _today: date) -> SyncPage:
        self.cursors.append(cursor)
        step = self.script.pop(0)
        if isinstance(step, BankProviderError):
            raise step
        return step


def _row(external_id: str, amount: int, **more: Any) -> BankTransaction:
    return BankTransaction("chk", external_id, 20261118, amount, "CORNER SHOP", **more)


def _page(*added: BankTransaction, **more: Any) -> SyncPage:
    values = {"modified": (), "removed": (), "cursor": "next", **more}
    return SyncPage(accounts=(CHECKING,), added=added, **values)


async def _linked(context: Context, bank: Scripted) -> tuple[Context, str]:
    scripted = replace(context, banks={"demo": bank})
    made = await link_connection(scripted, LinkRequest(provider="demo"))
    return scripted, made.answer.connection.id


async def test_linking_the_demo_twice_gives_the_same_connection(context: Context) -> None:
    """The second link answers the first one's connection and adds nothing."""
    first = await link_connection(context, LinkRequest(provider="demo"))
    second = await link_connection(context, LinkRequest(provider="demo"))

    assert (first.new, second.new) == (True, False)
    assert first.answer == second.answer
    assert len(await list_connections(context, Nothing())) == 1


async def test_syncing_twice_adds_nothing(context: Context, dump: Dump) -> None:
    """A sync on the same day changes no row."""
    await link_connection(context, LinkRequest(provider="demo"))
    held = await dump()
    (report,) = await sync_all(context, Nothing())

    assert (report.ok, report.added, report.complete) == (True, 0, True)
    after = await dump()
    assert {name: after[name] for name in ("tx", "pending", "payee", "account", "transfer")} == {
        name: held[name] for name in ("tx", "pending", "payee", "account", "transfer")
    }


@pytest.mark.thorough
async def test_day_by_day_is_the_same_as_all_at_once(context: Context, dump: Dump) -> None:
    """Syncing on each of ten days ends with the same rows as one sync on the tenth."""
    await link_connection(context, LinkRequest(provider="demo"))
    for day in range(22, 31):
        noon = datetime(2026, 11, day, 12, tzinfo=UTC)
        later = replace(context, now=partial(datetime.fromtimestamp, noon.timestamp(), UTC))
        await sync_all(later, Nothing())
    page = await list_transactions(later, TransactionQuery(limit=200))

    ids = {row.id for row in page.transactions}
    assert len(ids) == len(page.transactions)
    pending = [row for row in page.transactions if row.pending]
    assert all(row.date >= date(2026, 11, 24) for row in pending)


async def test_a_posted_row_takes_the_place_of_its_pending_one(context: Context) -> None:
    """A pending row leaves when the bank says that it posted, at whatever amount."""
    bank = Scripted(
        _page(_row("p1", -10_00, pending=True)), _page(_row("t1", -12_00, replaces="p1"))
    )
    scripted, connection = await _linked(context, bank)
    before = await list_transactions(scripted, TransactionQuery())
    await sync_connection(scripted, ConnectionId(id=connection))
    after = await list_transactions(scripted, TransactionQuery())

    assert [(row.amount, row.pending) for row in before.transactions] == [(-10_00, True)]
    assert [(row.amount, row.pending) for row in after.transactions] == [(-12_00, False)]


async def test_modified_and_removed_rows_follow_the_bank(context: Context) -> None:
    """A modified row has the bank's new amount, a removed one is gone."""
    bank = Scripted(
        _page(_row("t1", -10_00), _row("t2", -20_00)),
        _page(modified=(_row("t1", -11_00),), removed=("t2",)),
    )
    scripted, connection = await _linked(context, bank)
    report = await sync_connection(scripted, ConnectionId(id=connection))
    page = await list_transactions(scripted, TransactionQuery())

    assert (report.modified, report.removed) == (1, 1)
    assert [row.amount for row in page.transactions] == [-11_00]


async def test_a_failure_is_reported_and_never_blocks_the_next_try(context: Context) -> None:
    """Three failures in a row show as an error; the next success clears it."""
    down = BankProviderError("The bank is down.", "demo", "provider_error")
    bank = Scripted(_page(_row("t1", -10_00)), down, down, down, _page())
    scripted, connection = await _linked(context, bank)
    statuses = []
    for _ in range(4):
        report = await sync_connection(scripted, ConnectionId(id=connection))
        (record,) = await list_connections(scripted, Nothing())
        statuses.append((report.ok, record.connection.status, record.connection.error))

    assert statuses == [
        (False, "ok", "The bank is down."),
        (False, "ok", "The bank is down."),
        (False, "error", "The bank is down."),
        (True, "ok", None),
    ]
    assert bank.cursors[-1] == "next"


async def test_a_bank_that_wants_the_person_says_so(context: Context) -> None:
    """The provider's word that a login is needed sets the status at once."""
    locked = BankProviderError("Sign in again.", "demo", "login_required")
    scripted, connection = await _linked(context, Scripted(_page(), locked))
    await sync_connection(scripted, ConnectionId(id=connection))
    (record,) = await list_connections(scripted, Nothing())

    assert record.connection.status == "login_required"


async def test_pages_are_fetched_until_there_are_no_more(context: Context) -> None:
    """Each page's cursor is asked for next, and the report adds all pages up."""
    bank = Scripted(
        _page(_row("t1", -1_00), cursor="a", more=True), _page(_row("t2", -2_00), cursor="b")
    )
    scripted, _ = await _linked(context, bank)
    page = await list_transactions(scripted, TransactionQuery())

    assert bank.cursors == [None, "a"]
    assert {row.amount for row in page.transactions} == {-1_00, -2_00}


async def test_payees_are_worked_out_while_others_write(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whose page waits for a worker holds no door of the store: both are free meanwhile."""
    asked = []
    elsewhere = Store.elsewhere

    async def look(store: Store, work: Any) -> Any:
        owner = context.caller.owner
        async with asyncio.timeout(LONG_ENOUGH):
            await store.write(lambda c: people.raise_generation(c, owner))
            asked.append((await store.read(lambda c: people.get_person(c, owner)))["id"])
        return await elsewhere(store, work)

    monkeypatch.setattr(Store, "elsewhere", look)
    known, connection_id = await _linked(context, Scripted(_page(_row("one", -5_00))))
    assert len(asked) == 1
    bank = Scripted(_page(cursor="more", more=True), _page(_row("two", -6_00)))
    report = await sync_connection(
        replace(known, banks={"demo": bank}), ConnectionId(id=connection_id)
    )
    assert (report.added, len(asked)) == (1, 2)


async def test_unlinking_takes_everything_of_the_bank_along(context: Context, dump: Dump) -> None:
    """After unlinking no account or row of the connection is left."""
    made = await link_connection(context, LinkRequest(provider="demo"))
    await unlink_connection(context, Unlinking(id=made.answer.connection.id))
    left = await dump()

    assert await list_accounts(context, Nothing()) == ()
    assert [left[name] for name in ("connection", "account", "tx", "pending", "transfer")] == [
        [] for _ in range(5)
    ]
    with pytest.raises(NotFound):
        await unlink_connection(context, Unlinking(id=made.answer.connection.id))


async def test_an_unknown_provider_is_refused(context: Context) -> None:
    """A provider without an adapter is UNSUPPORTED_PROVIDER."""
    with pytest.raises(UnsupportedProvider, match="demo, manual"):
        await link_connection(context, LinkRequest(provider="moonbank"))


class Unlinked(Scripted):
    """A bank that is unlinked while it answers."""

    def __init__(self, context: Context, *script: SyncPage | BankProviderError) -> None:
        super().__init__(*script)
        self.context = context

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        (record, *_) = await list_connections(self.context, Nothing())
        await unlink_connection(self.context, Unlinking(id=record.connection.id))
        return await super().sync(link, cursor, today)


UNREACHABLE = BankProviderError("The bank does not answer.", "demo", "provider_error")
ANSWERS: dict[str, SyncPage | BankProviderError] = {
    "the last page": _page(_row("one", -500)),
    "a page of several": _page(_row("one", -500), more=True),
    "a failure": UNREACHABLE,
}


@pytest.mark.parametrize("answer", ANSWERS)
async def test_unlinked_during_its_sync_it_stays_so(
    context: Context, dump: Dump, answer: str
) -> None:
    """Whatever the bank then answers is kept nowhere, and whoever synced it is told of the conflict."""
    scripted, connection_id = await _linked(context, Scripted(_page()))
    banks = {"demo": Unlinked(context, ANSWERS[answer])}

    with pytest.raises(Conflict, match="was unlinked while it was synced"):
        await sync_connection(replace(scripted, banks=banks), ConnectionId(id=connection_id))

    after = await dump()
    assert [after[table] for table in ("connection", "account", "tx", "pending")] == [[]] * 4


async def test_a_manual_bank_names_no_place_to_go_on_from(context: Context) -> None:
    """Where a bank has no cursor to give, null says so and not an empty text, after each sync too."""
    ask = LinkRequest(provider="manual", institution=Institution(id=None, name="Bank"))
    linked = (await link_connection(context, ask)).answer
    await sync_all(context, Nothing())
    (listed,) = await list_connections(context, Nothing())

    assert (linked.sync_cursor, listed.sync_cursor) == (None, None)


@pytest.mark.parametrize("unlinked", [0, 1])
async def test_one_that_is_unlinked_keeps_no_other_from_its_sync(
    context: Context, unlinked: int
) -> None:
    """Of several banks the others are synced all the same, whether they come before or after it."""
    manual = LinkRequest(provider="manual", institution=Institution(id=None, name="Bank"))
    named = replace(context, banks={"manual": Scripted(_page(), _page())})
    linked = [await link_connection(named, manual) for _ in range(2)]
    goes = linked[unlinked].answer.connection.id

    class Leaving(Scripted):
        async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
            if len(self.cursors) == unlinked:
                await unlink_connection(context, Unlinking(id=goes))
            return await super().sync(link, cursor, today)

    answering = Leaving(_page(_row("one", -500)), _page(_row("one", -500)))
    reports = await sync_all(replace(context, banks={"manual": answering}), Nothing())

    stays = linked[1 - unlinked].answer.connection.id
    assert [(report.connection_id, report.added) for report in reports] == [(stays, 1)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize(
    ("others", "status"), [("login_required", "login_required"), ("provider_error", "error")]
)
async def test_the_troubles_of_all_pages_are_told(
    context: Context, others: Any, status: str, *, is_reversed: bool
) -> None:
    """Each once; what only the person can mend comes first, and says how the connection stands."""
    passing = BankProviderError("One row is left out.", "demo", "provider_error")
    other = BankProviderError("Sign in at Elm Gate.", "demo", others, lasting=True)
    first, last = (other, passing) if is_reversed else (passing, other)
    bank = Scripted(
        _page(),
        _page(_row("one", -5_00), cursor="a", more=True, trouble=first),
        _page(_row("two", -6_00), cursor="b", more=True, trouble=first),
        _page(_row("three", -7_00), cursor="c", trouble=last),
    )
    scripted, connection = await _linked(context, bank)
    report = await sync_connection(scripted, ConnectionId(id=connection))

    said = [other.message, passing.message] if others == "login_required" else None
    told = said or [first.message, last.message]
    assert (report.ok, report.added, report.error) == (False, 3, " ".join(told))
    (record,) = await list_connections(scripted, Nothing())
    assert (record.connection.status, record.connection.error) == (status, report.error)


async def test_a_row_that_posts_under_its_own_id_waits_no_longer(context: Context) -> None:
    """At whatever amount, and where not all that waits is listed; another account's is another row."""
    savings = replace(CHECKING, external_id="sav", name="Savings", mask="2222")
    waits = [
        _row("p1", -5_00, pending=True),
        _row("p1", -6_00, pending=True)._replace(account="sav"),
    ]
    first, then = _page(*waits), _page(_row("p1", -9_00), cursor="then")
    both = (CHECKING, savings)
    bank = Scripted(replace(first, accounts=both), replace(then, accounts=both))
    scripted, connection = await _linked(context, bank)
    await sync_connection(scripted, ConnectionId(id=connection))

    rows = (await list_transactions(scripted, TransactionQuery())).transactions
    assert sorted((row.amount, row.pending) for row in rows) == [(-9_00, False), (-6_00, True)]
