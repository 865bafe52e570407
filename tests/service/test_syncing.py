"""Syncing: pages apply with their cursor, pending rows stand apart, failures never lock a connection.

A page may come any number of times: what is listed is there once, as told last. The demo household
is linked once for a person without data, and never against their will; what it buys when it needs
it is not shown as a bill of once a year.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest

from finplan.banks.base import BankAccount, BankTransaction, Link, SyncPage
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, Institution, LinkRequest, Unlinking
from finplan.model.errors import (
    BankProviderError,
    Conflict,
    NotFound,
    StorageFull,
    UnsupportedProvider,
)
from finplan.model.recurring import RecurringQuery
from finplan.model.transaction import TransactionQuery
from finplan.model.user import SettingsChange
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import (
    list_connections,
    sync_all,
    sync_connection,
    unlink_connection,
)
from finplan.service.banking.linking import link_connection, link_demo_once
from finplan.service.context import Context
from finplan.service.people import change_settings
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.recurring import list_recurring
from finplan.store.queries import people
from finplan.store.store import Store
from tests.patience import LONG_ENOUGH
from tests.service.conftest import dump

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


def _row_of_shop(external_id: str, amount: int, **more: Any) -> BankTransaction:
    return BankTransaction("chk", external_id, 20261118, amount, "CORNER SHOP", **more)


def _page_with(*added: BankTransaction, **more: Any) -> SyncPage:
    values = {"modified": (), "removed": (), "cursor": "next", **more}
    return SyncPage(accounts=(CHECKING,), added=added, **values)


async def _linked(context: Context, bank: Scripted) -> tuple[Context, str]:
    scripted = replace(context, banks={"demo": bank})
    made = await link_connection(scripted, LinkRequest(provider="demo"))
    return scripted, made.answer.connection.id


@pytest.mark.thorough
async def test_linking_the_demo_twice_gives_the_same_connection(context: Context) -> None:
    """The second link answers the first one's connection and adds nothing."""
    first = await link_connection(context, LinkRequest(provider="demo"))
    second = await link_connection(context, LinkRequest(provider="demo"))

    assert (first.new, second.new) == (True, False)
    assert first.answer == second.answer
    assert len(await list_connections(context, Nothing())) == 1


async def test_syncing_twice_adds_nothing(context: Context) -> None:
    """A sync on the same day changes no row."""
    await link_connection(context, LinkRequest(provider="demo"))
    held = await dump(context)
    (report,) = await sync_all(context, Nothing())

    assert (report.ok, report.added, report.complete) == (True, 0, True)
    after = await dump(context)
    assert {name: after[name] for name in ("tx", "pending", "payee", "account", "transfer")} == {
        name: held[name] for name in ("tx", "pending", "payee", "account", "transfer")
    }


@pytest.mark.thorough
async def test_day_by_day_is_the_same_as_all_at_once(context: Context) -> None:
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
        _page_with(_row_of_shop("p1", -10_00, pending=True)),
        _page_with(_row_of_shop("t1", -12_00, replaces="p1")),
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
        _page_with(_row_of_shop("t1", -10_00), _row_of_shop("t2", -20_00)),
        _page_with(modified=(_row_of_shop("t1", -11_00),), removed=("t2",)),
    )
    scripted, connection = await _linked(context, bank)
    report = await sync_connection(scripted, ConnectionId(id=connection))
    page = await list_transactions(scripted, TransactionQuery())

    assert (report.modified, report.removed) == (1, 1)
    assert [row.amount for row in page.transactions] == [-11_00]


async def test_a_failure_is_reported_and_never_blocks_the_next_try(context: Context) -> None:
    """Three failures in a row show as an error; the next success clears it."""
    down = BankProviderError("down", "demo", "provider_error")
    bank = Scripted(_page_with(_row_of_shop("t1", -10_00)), down, down, down, _page_with())
    scripted, connection = await _linked(context, bank)
    statuses = []
    for _ in range(4):
        report = await sync_connection(scripted, ConnectionId(id=connection))
        (record,) = await list_connections(scripted, Nothing())
        statuses.append((report.ok, record.connection.status, record.connection.error))

    assert statuses == [
        (False, "ok", "down"),
        (False, "ok", "down"),
        (False, "error", "down"),
        (True, "ok", None),
    ]
    assert bank.cursors[-1] == "next"


async def test_a_bank_that_wants_the_person_says_so(context: Context) -> None:
    """The provider's word that a login is needed sets the status at once."""
    locked = BankProviderError("Sign in again.", "demo", "login_required")
    scripted, connection = await _linked(context, Scripted(_page_with(), locked))
    await sync_connection(scripted, ConnectionId(id=connection))
    (record,) = await list_connections(scripted, Nothing())

    assert record.connection.status == "login_required"


async def test_pages_are_fetched_until_there_are_no_more(context: Context) -> None:
    """Each page's cursor is asked for next, and the report adds all pages up."""
    bank = Scripted(
        _page_with(_row_of_shop("t1", -1_00), cursor="a", more=True),
        _page_with(_row_of_shop("t2", -2_00), cursor="b"),
    )
    scripted, _ = await _linked(context, bank)
    page = await list_transactions(scripted, TransactionQuery())

    assert bank.cursors == [None, "a"]
    assert {row.amount for row in page.transactions} == {-1_00, -2_00}


async def test_others_write_meanwhile(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
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
    known, connection_id = await _linked(context, Scripted(_page_with(_row_of_shop("one", -5_00))))
    assert len(asked) == 1
    bank = Scripted(_page_with(cursor="more", more=True), _page_with(_row_of_shop("two", -6_00)))
    report = await sync_connection(
        replace(known, banks={"demo": bank}), ConnectionId(id=connection_id)
    )
    assert (report.added, len(asked)) == (1, 2)


@pytest.mark.thorough
async def test_unlinking_takes_everything_of_the_bank_along(context: Context) -> None:
    """After unlinking no account or row of the connection is left."""
    made = await link_connection(context, LinkRequest(provider="demo"))
    await unlink_connection(context, Unlinking(id=made.answer.connection.id))
    left = await dump(context)

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
    "the last page": _page_with(_row_of_shop("one", -500)),
    "a page of several": _page_with(_row_of_shop("one", -500), more=True),
    "a failure": UNREACHABLE,
}


@pytest.mark.parametrize("answer", ANSWERS)
async def test_unlinked_during_its_sync_it_stays_so(context: Context, answer: str) -> None:
    """Whatever the bank then answers is kept nowhere, and whoever synced it is told of the conflict."""
    scripted, connection_id = await _linked(context, Scripted(_page_with()))
    banks = {"demo": Unlinked(context, ANSWERS[answer])}

    with pytest.raises(Conflict, match="unlinked during"):
        await sync_connection(replace(scripted, banks=banks), ConnectionId(id=connection_id))

    after = await dump(context)
    assert [after[table] for table in ("connection", "account", "tx", "pending")] == [[]] * 4


async def test_a_manual_bank_names_no_place_to_go_on_from(context: Context) -> None:
    """Where a bank has no cursor to give, null says so and not an empty text, after each sync too."""
    ask = LinkRequest(provider="manual", institution=Institution(id=None, name="Bank"))
    linked = (await link_connection(context, ask)).answer
    await sync_all(context, Nothing())
    (listed,) = await list_connections(context, Nothing())

    assert (linked.sync_cursor, listed.sync_cursor) == (None, None)


@pytest.mark.parametrize("unlinked", [0, 1])
async def test_an_unlinked_one_keeps_no_other_from_syncing(context: Context, unlinked: int) -> None:
    """Of several banks the others are synced all the same, whether they come before or after it."""
    manual = LinkRequest(provider="manual", institution=Institution(id=None, name="Bank"))
    named = replace(context, banks={"manual": Scripted(_page_with(), _page_with())})
    linked = [await link_connection(named, manual) for _ in range(2)]
    goes = linked[unlinked].answer.connection.id

    class Leaving(Scripted):
        async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
            if len(self.cursors) == unlinked:
                await unlink_connection(context, Unlinking(id=goes))
            return await super().sync(link, cursor, today)

    answering = Leaving(
        _page_with(_row_of_shop("one", -500)), _page_with(_row_of_shop("one", -500))
    )
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
    passing = BankProviderError("Left out.", "demo", "provider_error")
    other = BankProviderError("Sign in.", "demo", others, lasting=True)
    first, last = (other, passing) if is_reversed else (passing, other)
    bank = Scripted(
        _page_with(),
        _page_with(_row_of_shop("one", -5_00), cursor="a", more=True, trouble=first),
        _page_with(_row_of_shop("two", -6_00), cursor="b", more=True, trouble=first),
        _page_with(_row_of_shop("three", -7_00), cursor="c", trouble=last),
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
        _row_of_shop("p1", -5_00, pending=True),
        _row_of_shop("p1", -6_00, pending=True)._replace(account="sav"),
    ]
    first, then = _page_with(*waits), _page_with(_row_of_shop("p1", -9_00), cursor="then")
    both = (CHECKING, savings)
    bank = Scripted(replace(first, accounts=both), replace(then, accounts=both))
    scripted, connection = await _linked(context, bank)
    await sync_connection(scripted, ConnectionId(id=connection))

    rows = (await list_transactions(scripted, TransactionQuery())).transactions
    assert sorted((row.amount, row.pending) for row in rows) == [(-9_00, False), (-6_00, True)]


class Paged:
    """A bank that answers the pages of a script."""

    def __init__(self, *pages: SyncPage) -> None:
        self.pages = list(pages)

    async def sync(self, _link: Link, _cursor: str | None, _today: date) -> SyncPage:
        return self.pages.pop(0)


def _row(name: str, amount: int = -5_00, day: int = 20261118, **more: Any) -> BankTransaction:
    return BankTransaction("chk", name, day, amount, more.pop("raw", "CORNER SHOP"), **more)


def _page(
    *added: BankTransaction, accounts: tuple[BankAccount, ...] = (CHECKING,), **more: Any
) -> SyncPage:
    return SyncPage(accounts, added, **{"modified": (), "removed": (), "cursor": "next", **more})


async def _applied(context: Context, *pages: SyncPage) -> tuple[Context, str]:
    known = replace(context, banks={"demo": Paged(*pages)})
    made = await link_connection(known, LinkRequest(provider="demo"))
    asked = ConnectionId(id=made.answer.connection.id)
    for _ in pages[1:]:
        report = await sync_connection(known, asked)
        assert report.ok
    return known, asked.id


async def _held(context: Context, table: str = "tx") -> Counter[tuple[str, int, int]]:
    query = f"SELECT external_id, day, amount FROM {table}"
    rows = await context.store.read(lambda c: c.exec_driver_sql(query).all())
    return Counter((name, day, amount) for name, day, amount in rows)


@pytest.mark.parametrize("name", ["t", "a\0b", '"', "ä,\n"])
async def test_another_amount_or_day_under_a_known_id_takes_its_place(
    context: Context, name: str
) -> None:
    """The row moves, whatever text its id is; it is not there twice."""
    rows = (_row(name), _row(name, -6_00), _row(name, -6_00, 20261119))
    await _applied(context, *map(_page, rows))
    assert await _held(context) == {(name, 20261119, -6_00): 1}


async def test_rows_of_one_page_may_share_an_id(context: Context) -> None:
    """Two that a bank lists side by side under one id are two, however often they come."""
    twins = _page(_row("t"), _row("t", -6_00))
    await _applied(context, twins, twins)
    assert await _held(context) == {("t", 20261118, -5_00): 1, ("t", 20261118, -6_00): 1}


async def test_a_whole_list_takes_away_what_it_lacks(context: Context) -> None:
    """From its first day on; what lies before is not spoken of."""
    first = _page(_row("old", day=20261101), _row("gone"), _row("stays", -6_00))
    whole = _page(_row("first", day=20261110), _row("stays", -6_00), is_whole=True)
    await _applied(context, first, whole)
    assert {name for name, _, _ in await _held(context)} == {"old", "first", "stays"}


KNOWN_AS = "SELECT external_id, no FROM tx"


async def test_a_whole_list_may_name_a_row_otherwise(context: Context) -> None:
    """A row of the same payee and amount, at most three days off, goes on under its new id, once."""
    first = _page(_row("a"), _row("b"), _row("c", -6_00))
    whole = _page(_row("x"), _row("y", day=20261119), _row("z", -7_00), is_whole=True)
    known, _ = await _applied(context, first)
    listed = await known.store.read(lambda c: c.exec_driver_sql(KNOWN_AS).all())
    before = {row[0]: row[1] for row in listed}
    bank = known.banks["demo"]
    assert isinstance(bank, Paged)
    bank.pages.append(whole)
    (linked,) = await list_connections(known, Nothing())
    report = await sync_connection(known, ConnectionId(id=linked.connection.id))

    assert (report.added, report.modified, report.removed) == (1, 2, 1)
    assert await _held(context) == {
        ("x", 20261118, -5_00): 1,
        ("y", 20261119, -5_00): 1,
        ("z", 20261118, -7_00): 1,
    }
    listed = await known.store.read(lambda c: c.exec_driver_sql(KNOWN_AS).all())
    after = {row[0]: row[1] for row in listed}
    assert {after["x"], after["y"]} == {before["a"], before["b"]}


async def test_a_row_that_is_named_otherwise_posts_nothing(context: Context) -> None:
    """What waits beside it goes on waiting: it was posted before, under another id."""
    told = frozenset({"chk"})
    waits = _row("w", pending=True)
    first = _page(_row("a"), waits, pending_of=told)
    await _applied(context, first, _page(_row("x"), waits, pending_of=told, is_whole=True))
    assert await _held(context, "pending") == {("w", 20261118, -5_00): 1}


async def test_waiting_rows_are_all_that_a_whole_list_has(context: Context) -> None:
    """Where a bank lists all that waits, the rest waits no more; elsewhere it waits on."""
    waits = _page(_row("a", pending=True), _row("b", -6_00, pending=True))
    await _applied(context, waits, _page(_row("b", -6_50, pending=True)))
    assert {(name, amount) for name, _, amount in await _held(context, "pending")} == {
        ("a", -5_00),
        ("b", -6_50),
    }


async def test_a_set_of_waiting_rows_replaces_the_one_before(context: Context) -> None:
    """Rows that a whole list of waiting rows lacks are gone, and so it is with an empty one."""
    told = frozenset({"chk"})
    waits = _page(_row("a", pending=True), _row("b", pending=True), pending_of=told)
    await _applied(context, waits, _page(_row("b", pending=True), pending_of=told))
    assert {name for name, _, _ in await _held(context, "pending")} == {"b"}


async def test_the_last_waiting_row_goes(context: Context) -> None:
    """An empty list of waiting rows says that none waits."""
    told = frozenset({"chk"})
    await _applied(context, _page(_row("a", pending=True), pending_of=told), _page(pending_of=told))
    assert not await _held(context, "pending")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("second", "is_news"),
    [
        (_page(_row("t"), _row("p", pending=True), pending_of=frozenset({"chk"})), False),
        (_page(_row("t"), pending_of=frozenset({"chk"})), True),
        (_page(_row("t"), _row("p", -6_00, pending=True), pending_of=frozenset({"chk"})), True),
        (_page(_row("t", -6_00), _row("p", pending=True)), True),
        (_page(removed=("t",)), True),
        (_page(accounts=(replace(CHECKING, balance=1),)), True),
        (_page(accounts=(replace(CHECKING, mask="2222"),)), True),
    ],
)
async def test_a_page_of_changes_is_news(context: Context, second: SyncPage, is_news: bool) -> None:
    """What brings nothing new makes no new plan."""
    first = _page(_row("t"), _row("p", pending=True), pending_of=frozenset({"chk"}))
    known, connection = await _applied(context, first)
    before = await known.store.read(lambda c: people.last_event(c, known.caller.owner))
    after = replace(known, banks={"demo": Paged(second)})
    await sync_connection(after, ConnectionId(id=connection))
    now = await known.store.read(lambda c: people.last_event(c, known.caller.owner))
    assert (now != before) == is_news


async def test_a_guessed_kind_never_takes_the_place_of_another(context: Context) -> None:
    """What a name hints at makes a new account's kind, and no later one's; the person's word stays."""
    guess = replace(CHECKING, kind_is_guess=True)
    card = replace(guess, kind="credit", subtype="credit card", name="Visa")
    known, connection = await _applied(context, _page(accounts=(guess,)), _page(accounts=(card,)))
    [account] = await list_accounts(known, Nothing())
    assert (account.name, account.kind) == ("Visa", "depository")
    await change_account(known, AccountChange(id=account.id, kind="savings"))
    sure = replace(
        known, banks={"demo": Paged(_page(accounts=(replace(card, kind_is_guess=False),)))}
    )
    await sync_connection(sure, ConnectionId(id=connection))
    [account] = await list_accounts(known, Nothing())
    assert (account.kind, account.subtype) == ("depository", "savings")


BALANCES = (
    "SELECT external_id, day, balance_record.balance FROM balance_record"
    " JOIN account ON account.no = account_no"
)


async def test_a_balance_is_of_the_day_on_which_it_was_seen(context: Context) -> None:
    """What a bank shows of an earlier day is not of today; where it shows nothing, nothing is zero."""
    seen = replace(CHECKING, seen_on=20261101)
    none = replace(CHECKING, external_id="none", balance=None)
    await _applied(context, _page(accounts=(seen, none)))
    rows = await context.store.read(lambda c: c.exec_driver_sql(BALANCES).all())
    assert [tuple(row) for row in rows] == [("chk", 20261101, 100_00)]


async def providers(context: Context) -> list[str]:
    """The providers of a person's connections, oldest first."""
    records = await list_connections(context, Nothing())
    return [record.connection.provider for record in records]


async def test_a_newcomer_gets_the_household_once(newcomer: Context) -> None:
    """The first start links and syncs it; later ones change nothing."""
    assert await link_demo_once(newcomer) is True
    before = await list_connections(newcomer, Nothing())
    assert await link_demo_once(newcomer) is False

    assert await list_connections(newcomer, Nothing()) == before
    assert before[0].last_synced_at is not None


@pytest.mark.thorough
async def test_a_person_who_unlinked_it_does_not_get_it_back(newcomer: Context) -> None:
    """Unlinking holds for all later starts; linking it by hand works."""
    await link_demo_once(newcomer)
    (record,) = await list_connections(newcomer, Nothing())
    await unlink_connection(newcomer, Unlinking(id=record.connection.id))

    assert await link_demo_once(newcomer) is False
    assert await providers(newcomer) == []
    await link_connection(newcomer, LinkRequest(provider="demo"))
    assert await providers(newcomer) == ["demo"]


async def test_a_profile_in_use_stays_as_it_is(newcomer: Context) -> None:
    """A profile with statement files or settings of the person's own is not made a demo."""
    await change_settings(newcomer, SettingsChange(currency="EUR"))
    assert await link_demo_once(newcomer) is False
    await link_connection(newcomer, LinkRequest(provider="manual"))
    assert await link_demo_once(newcomer) is False
    assert await providers(newcomer) == ["manual"]


async def test_a_failed_start_is_redone(newcomer: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves the person without data, so the next start links the household."""

    async def refuse(*_work: object, **_how: object) -> None:
        raise StorageFull("no room")

    with monkeypatch.context() as patch:
        patch.setattr(type(newcomer.store), "write", refuse)
        with pytest.raises(StorageFull):
            await link_demo_once(newcomer)

    assert await link_demo_once(newcomer) is True


DAY = datetime(2026, 3, 18, 12, tzinfo=UTC)
VISITS = ("Lakeside Medical Group", "Westbrook Pediatrics", "Oakhaven Veterinary Clini")


CALL = "UPDATE person SET id = ?"


@pytest.mark.thorough
@pytest.mark.parametrize("household", ["usr_visits_34", "usr_visits_30", "usr_visits_35"])
async def test_a_visit_to_a_clinic_is_no_yearly_bill(context: Context, household: str) -> None:
    """Two visits a year apart cost the same here, by chance; what is renewed yearly is found beside."""
    await context.store.write(lambda c: c.exec_driver_sql(CALL, (household,)).close())
    at_home = replace(context, now=lambda: DAY)
    await link_connection(at_home, LinkRequest(provider="demo"))

    found = await list_recurring(at_home, RecurringQuery())
    yearly = {each.name for each in found if each.cadence == "annual"}

    assert any(name.startswith("Beacon Term") for name in yearly)
    assert yearly.isdisjoint(VISITS)
