"""A page of a bank's may come any number of times: what is listed is there once, as told last."""

from collections import Counter
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from finplan.banks.base import BankAccount, BankTransaction, Link, SyncPage
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, LinkRequest
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import sync_connection
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.store.queries import people

CHECKING = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)


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


async def test_another_amount_or_day_under_a_known_id_takes_its_place(context: Context) -> None:
    """The row moves; it is not there twice."""
    await _applied(
        context, _page(_row("t")), _page(_row("t", -6_00)), _page(_row("t", -6_00, 20261119))
    )
    assert await _held(context) == {("t", 20261119, -6_00): 1}


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


async def test_a_whole_list_may_name_a_row_otherwise(context: Context) -> None:
    """A row of the same payee and amount, at most three days off, goes on under its new id, once."""
    first = _page(_row("a"), _row("b"), _row("c", -6_00))
    whole = _page(_row("x"), _row("y", day=20261119), _row("z", -7_00), is_whole=True)
    known, _ = await _applied(context, first)
    query = "SELECT external_id, no FROM tx"
    listed = await known.store.read(lambda c: c.exec_driver_sql(query).all())
    before = {row[0]: row[1] for row in listed}
    bank = known.banks["demo"]
    assert isinstance(bank, Paged)
    bank.pages.append(whole)
    rows = await known.store.read(lambda c: c.exec_driver_sql("SELECT id FROM connection").all())
    report = await sync_connection(known, ConnectionId(id=rows[0][0]))

    assert (report.added, report.modified, report.removed) == (1, 2, 1)
    assert await _held(context) == {
        ("x", 20261118, -5_00): 1,
        ("y", 20261119, -5_00): 1,
        ("z", 20261118, -7_00): 1,
    }
    listed = await known.store.read(lambda c: c.exec_driver_sql(query).all())
    after = {row[0]: row[1] for row in listed}
    assert {after["x"], after["y"]} == {before["a"], before["b"]}


async def test_a_row_that_is_named_otherwise_posts_nothing(context: Context) -> None:
    """What waits beside it goes on waiting: it was posted before, under another id."""
    told = frozenset({"chk"})
    waits = _row("w", pending=True)
    first = _page(_row("a"), waits, pending_of=told)
    again = _page(_row("x"), waits, pending_of=told, is_whole=True)
    await _applied(context, first, again)
    assert await _held(context, "pending") == {("w", 20261118, -5_00): 1}


async def test_waiting_rows_are_all_that_a_whole_list_has(context: Context) -> None:
    """Where a bank lists all that waits, the rest waits no more; elsewhere it waits on."""
    waits = _page(_row("a", pending=True), _row("b", -6_00, pending=True))
    again = _page(_row("b", -6_50, pending=True))
    await _applied(context, waits, again)
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
async def test_a_page_is_news_where_anything_changed(
    context: Context, second: SyncPage, is_news: bool
) -> None:
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


async def test_a_balance_is_of_the_day_on_which_it_was_seen(context: Context) -> None:
    """What a bank shows of an earlier day is not of today; where it shows nothing, nothing is zero."""
    seen = replace(CHECKING, seen_on=20261101)
    none = replace(CHECKING, external_id="none", balance=None)
    await _applied(context, _page(accounts=(seen, none)))
    rows = await context.store.read(
        lambda c: c.exec_driver_sql(
            "SELECT external_id, day, balance_record.balance FROM balance_record"
            " JOIN account ON account.no = account_no"
        ).all()
    )
    assert [tuple(row) for row in rows] == [("chk", 20261101, 100_00)]
