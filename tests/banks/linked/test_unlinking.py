"""A link that ends: what files brought stays with every word, what the bank alone brought goes."""

from collections import Counter
from datetime import date, timedelta

import pytest
from sqlalchemy import Engine, event

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, Unlinking
from finplan.model.errors import Conflict
from finplan.model.statement import ImportId
from finplan.model.transaction import SpendingQuery, TransactionQuery, TransactionWord
from finplan.service.banking.accounts import change_account, list_account_records, list_accounts
from finplan.service.banking.connections import (
    list_connections,
    show_unlinking,
    unlink_connection,
)
from finplan.service.imports.imports import undo_import
from finplan.service.spending import query_spending
from finplan.service.transactions import change_transaction, list_transactions
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import LinkedHome, Rows
from tests.service.conftest import Import

NAME = "Everyday Checking"


def _live(world: World, account: Held, days: int = 80) -> None:
    for ago in range(1, days, 3):
        day = world.today - timedelta(days=ago)
        world.book(account, -100 - ago, f"CORNER CAFE {ago}", day=day)


def _file(world: World, account: Held, since: date, until: date) -> tuple[str, Rows]:
    """A file of an account's rows of some days, and these rows."""
    rows = [row for row in world.rows_of(account) if since <= row.day <= until and not row.pending]
    lines = [f"{row.day},{row.text},{row.amount / 100:.2f}" for row in rows]
    counted = Counter((NAME, int(f"{row.day:%Y%m%d}"), row.amount) for row in rows)
    return "\n".join(["Date,Description,Amount", *lines, ""]), counted


@pytest.mark.thorough
@pytest.mark.parametrize("order", ["before", "beside"])
async def test_what_files_brought_stays(
    home: LinkedHome,
    world: World,
    harbour: HeldAt,
    checking: Held,
    import_texts: Import,
    order: str,
) -> None:
    """Whichever came first: the file's rows, their words and their account stay, exactly these."""
    savings = world.open(harbour, "Savings", subtype="savings", opening=5_000)
    _live(world, checking)
    world.book(savings, -700, "FEE", day=world.today - timedelta(days=9))
    text, told = _file(
        world, checking, world.today - timedelta(days=70), world.today - timedelta(days=30)
    )
    if order == "before":
        report = await import_texts({"checking.csv": text}, account=NAME)
        await home.link()
    else:
        await home.link()
        linked = next(
            each for each in await list_accounts(home.context, Nothing()) if each.name == NAME
        )
        report = await import_texts({"checking.csv": text}, account=linked.id)
        assert report.files[0].new == 0
    await home.must_be_true()
    page = await list_transactions(home.context, TransactionQuery(text="CAFE 40", limit=5))
    noted = TransactionWord(id=page.transactions[0].id, category="gifts_donations", note="for Bo")
    await change_transaction(home.context, noted)
    (before,) = [each for each in await list_accounts(home.context, Nothing()) if each.name == NAME]

    effect = await show_unlinking(home.context, ConnectionId(id=home.connection))
    assert (effect.accounts_gone, effect.accounts_kept) == (("Savings",), (NAME,))
    everything = await home.posted()
    assert effect.rows_kept.count == told.total()
    assert effect.rows_gone.count == everything.total() - told.total()
    assert effect.rows_gone.until == world.today - timedelta(days=1)
    await unlink_connection(home.context, Unlinking(id=home.connection))

    assert await home.posted() == told
    (account,) = await list_accounts(home.context, Nothing())
    assert account.id == before.id
    (connection,) = await list_connections(home.context, Nothing())
    assert connection.connection.provider == "manual"
    assert connection.connection.institution_name == "Harbour Bank"
    assert connection.last_synced_at is not None
    page = await list_transactions(home.context, TransactionQuery(text="CAFE 40"))
    assert [(row.note, row.category) for row in page.transactions] == [
        ("for Bo", "gifts_donations")
    ]
    spent = await query_spending(home.context, SpendingQuery())
    assert spent.total == -sum(amount * count for (_, _, amount), count in told.items())
    again = await import_texts({"checking.csv": text}, account=account.id)
    assert again.files[0].new == 0
    assert await home.posted() == told
    await undo_import(home.context, ImportId(id=again.id or ""))
    assert await home.posted() == told
    await undo_import(home.context, ImportId(id=report.id or ""))
    assert (await home.posted()).total() == 0
    assert await list_accounts(home.context, Nothing()) == ()
    assert await list_connections(home.context, Nothing()) == ()


async def test_all_may_be_kept(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held, import_texts: Import
) -> None:
    """Every account, row and balance is as before, and undoing an import takes its own rows alone."""
    world.open(harbour, "Savings", subtype="savings", opening=5_000)
    _live(world, checking)
    old = world.today - timedelta(days=300)
    text, _ = _file(world, checking, world.today - timedelta(days=50), world.today)
    report = await import_texts({"checking.csv": f"{text}{old},OLD,-3.00\n"}, account=NAME)
    await home.link()
    everything, ids = await home.posted(), await _ids(home)

    await unlink_connection(home.context, Unlinking(id=home.connection, keep=True))

    assert await home.posted() == everything
    assert await _ids(home) == ids
    assert await home.balances() == home.true_balances()
    (connection,) = await list_connections(home.context, Nothing())
    assert connection.connection.provider == "manual"
    again = await import_texts({"checking.csv": text}, account=ids[0])
    assert again.files[0].new == 0
    await undo_import(home.context, ImportId(id=again.id or ""))
    await undo_import(home.context, ImportId(id=report.id or ""))
    gone = Counter({(NAME, int(f"{old:%Y%m%d}"), -300): 1})
    assert await home.posted() == everything - gone
    await home.link()
    await home.must_be_true()


async def test_what_the_bank_alone_brought_goes(
    home: LinkedHome, world: World, checking: Held
) -> None:
    """Without files nothing stays, and linking anew brings the bank's rows back, once each."""
    _live(world, checking)
    await home.link()
    await unlink_connection(home.context, Unlinking(id=home.connection))
    assert (await home.posted()).total() == 0
    assert await list_connections(home.context, Nothing()) == ()
    await home.link()
    await home.must_be_true()


async def test_a_balance_of_the_persons_stays(
    home: LinkedHome, world: World, checking: Held, import_texts: Import
) -> None:
    """What the bank held goes with it; what the person said of an account is theirs."""
    _live(world, checking)
    text, _ = _file(world, checking, world.today - timedelta(days=50), world.today)
    await import_texts({"checking.csv": text}, account=NAME)
    await home.link()
    (account,) = await list_accounts(home.context, Nothing())
    await change_account(home.context, AccountChange(id=account.id, balance=77_700, apr=1.5))
    await unlink_connection(home.context, Unlinking(id=home.connection))
    (record,) = await list_account_records(home.context, Nothing())
    assert (record.account.balance, record.apr) == (77_700, 1.5)


async def test_statement_files_have_no_link_to_keep_without(
    home: LinkedHome, import_texts: Import
) -> None:
    """They are told so, with the way to take an import back; unlinked they go as a whole."""
    await import_texts({"a.csv": "Date,Description,Amount\n2026-06-01,CAFE,-4.00\n"}, account="A")
    (connection,) = await list_connections(home.context, Nothing())
    files = connection.connection.id
    with pytest.raises(Conflict, match="finplan imports undo"):
        await unlink_connection(home.context, Unlinking(id=files, keep=True))
    effect = await show_unlinking(home.context, ConnectionId(id=files))
    assert (effect.accounts_gone, effect.rows_gone.count, effect.accounts_kept) == (("A",), 1, ())
    await unlink_connection(home.context, Unlinking(id=files))
    assert await list_accounts(home.context, Nothing()) == ()


class Stopped(Exception):
    """The process ends here."""


@pytest.mark.thorough
@pytest.mark.parametrize("keep", [False, True])
async def test_stopped_between_any_two_statements(
    home: LinkedHome, world: World, checking: Held, import_texts: Import, *, keep: bool
) -> None:
    """The bank is linked or it is not, with all its rows or those of the files, never between."""
    _live(world, checking, days=20)
    text, told = _file(world, checking, world.today - timedelta(days=12), world.today)
    await import_texts({"checking.csv": text}, account=NAME)
    await home.link()
    before = await home.posted(), await home.dump(), await _ids(home)
    left = [0]

    def stop(*_told: object) -> None:
        if left[0] == 0:
            raise Stopped
        left[0] -= 1

    step = 0
    while True:
        left[0] = step
        event.listen(Engine, "before_cursor_execute", stop)
        try:
            await unlink_connection(home.context, Unlinking(id=home.connection, keep=keep))
            break
        except Stopped:
            step += 1
        finally:
            event.remove(Engine, "before_cursor_execute", stop)
        assert (await home.posted(), await home.dump(), await _ids(home)) == before
    assert step > 20
    assert await home.posted() == (before[0] if keep else told)


async def _ids(home: LinkedHome) -> list[str]:
    return [each.id for each in await list_accounts(home.context, Nothing())]
