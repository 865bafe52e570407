"""A link that ends, and accounts that nothing tells apart after the next one.

What files brought stays with every word, what the bank alone brought goes. Accounts that nothing
tells apart are asked about, in no total, then joined. What is said of linked accounts: their
currency, their kind, and how far back they were read.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event

from finplan.banks.base import BankAccount, Link
from finplan.banks.simplefin.bank import WINDOW, ReadSoFar
from finplan.intake.listed_accounts import told_anew
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, Unlinking
from finplan.model.detection import Duplicate, DuplicateQuery, DuplicateVerdict
from finplan.model.errors import Conflict, NotFound
from finplan.model.statement import ImportId
from finplan.model.transaction import SpendingQuery, TransactionQuery, TransactionWord
from finplan.service.banking.accounts import change_account, list_account_records, list_accounts
from finplan.service.banking.applying import write_update
from finplan.service.banking.connections import list_connections, show_unlinking, unlink_connection
from finplan.service.derived.household import held_accounts
from finplan.service.imports.imports import undo_import
from finplan.service.planning.views import show_wealth
from finplan.service.spending import query_spending
from finplan.service.transactions import change_transaction, list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.store.queries import accounts, people
from tests.banks.fakes.plaid import HISTORICAL, NOT_READY
from tests.banks.fakes.simplefin import Trouble, account_id
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import ComparedHome, LinkedHome, PlaidHome, Rows

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
async def test_what_files_brought_stays(home: LinkedHome, world: World, order: str) -> None:
    """Whichever came first: the file's rows, their words and their account stay, exactly these."""
    savings = world.open(world.harbour, "Savings", subtype="savings", opening=5_000)
    _live(world, world.checking)
    world.book(savings, -700, "FEE", day=world.today - timedelta(days=9))
    text, told = _file(
        world, world.checking, world.today - timedelta(days=70), world.today - timedelta(days=30)
    )
    if order == "before":
        report = await home.bring({"checking.csv": text}, account=NAME)
        await home.link()
    else:
        await home.link()
        linked = next(
            each for each in await list_accounts(home.context, Nothing()) if each.name == NAME
        )
        report = await home.bring({"checking.csv": text}, account=linked.id)
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
    again = await home.bring({"checking.csv": text}, account=account.id)
    assert again.files[0].new == 0
    assert await home.posted() == told
    await undo_import(home.context, ImportId(id=again.id or ""))
    assert await home.posted() == told
    await undo_import(home.context, ImportId(id=report.id or ""))
    assert (await home.posted()).total() == 0
    assert await list_accounts(home.context, Nothing()) == ()
    assert await list_connections(home.context, Nothing()) == ()


async def test_all_may_be_kept(home: LinkedHome, world: World) -> None:
    """Every account, row and balance is as before, and undoing an import takes its own rows alone."""
    world.open(world.harbour, "Savings", subtype="savings", opening=5_000)
    _live(world, world.checking)
    old = world.today - timedelta(days=300)
    text, _ = _file(world, world.checking, world.today - timedelta(days=50), world.today)
    report = await home.bring({"checking.csv": f"{text}{old},OLD,-3.00\n"}, account=NAME)
    await home.link()
    everything, ids = await home.posted(), await _ids(home)

    await unlink_connection(home.context, Unlinking(id=home.connection, keep=True))

    assert await home.posted() == everything
    assert await _ids(home) == ids
    assert await home.balances() == home.true_balances()
    (connection,) = await list_connections(home.context, Nothing())
    assert connection.connection.provider == "manual"
    again = await home.bring({"checking.csv": text}, account=ids[0])
    assert again.files[0].new == 0
    await undo_import(home.context, ImportId(id=again.id or ""))
    await undo_import(home.context, ImportId(id=report.id or ""))
    gone = Counter({(NAME, int(f"{old:%Y%m%d}"), -300): 1})
    assert await home.posted() == everything - gone
    await home.link()
    await home.must_be_true()


async def test_what_the_bank_alone_brought_goes(home: LinkedHome, world: World) -> None:
    """Without files nothing stays, and linking anew brings the bank's rows back, once each."""
    _live(world, world.checking)
    await home.link()
    await unlink_connection(home.context, Unlinking(id=home.connection))
    assert (await home.posted()).total() == 0
    assert await list_connections(home.context, Nothing()) == ()
    await home.link()
    await home.must_be_true()


async def test_a_stated_balance_stays(home: LinkedHome, world: World) -> None:
    """What the bank held goes with it; what the person said of an account is theirs."""
    _live(world, world.checking)
    text, _ = _file(world, world.checking, world.today - timedelta(days=50), world.today)
    await home.bring({"checking.csv": text}, account=NAME)
    await home.link()
    (account,) = await list_accounts(home.context, Nothing())
    await change_account(home.context, AccountChange(id=account.id, balance=77_700, apr=1.5))
    await unlink_connection(home.context, Unlinking(id=home.connection))
    (record,) = await list_account_records(home.context, Nothing())
    assert (record.account.balance, record.apr) == (77_700, 1.5)


async def test_statement_files_have_nothing_to_keep(home: LinkedHome) -> None:
    """They are told so, with the way to take an import back; unlinked they go as a whole."""
    await home.bring({"a.csv": "Date,Description,Amount\n2026-06-01,CAFE,-4.00\n"}, account="A")
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
    home: LinkedHome, world: World, *, keep: bool
) -> None:
    """The bank is linked or it is not, with all its rows or those of the files, never between."""
    _live(world, world.checking, days=20)
    text, told = _file(world, world.checking, world.today - timedelta(days=12), world.today)
    await home.bring({"checking.csv": text}, account=NAME)
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


OPENING = 500_000


@dataclass
class Twins:
    """A home with two savings accounts of one name, whose rows are equal, and a checking account."""

    home: LinkedHome
    first: Held
    second: Held

    async def records(self) -> dict[str, tuple[str, bool]]:
        """The bank's id of each savings account and whether it is hidden, by finplan's id."""
        query = "SELECT id, external_id, hidden FROM account WHERE name = 'Savings' ORDER BY no"
        rows = await self.home.context.store.read(lambda c: c.exec_driver_sql(query).all())
        return {row[0]: (row[1], bool(row[2])) for row in rows}

    def listed(self, account: Held) -> str:
        """The id that the bank lists an account by now."""
        return account_id(self.home.world.accounts[account.number])

    async def asked(self) -> list[Duplicate]:
        """What is open."""
        query = DuplicateQuery(status=("open",))
        return [each for each in await list_duplicates(self.home.context, query) if each.relinked]

    async def decide(self, former: str, account: Held, verdict: str = "same") -> Duplicate:
        """Say that a former account is the one that the bank lists an account by now."""
        of = {name: no for no, (name, _) in (await self.records()).items()}
        listed = of[self.listed(account)]
        found = next(
            each
            for each in await self.asked()
            if (each.kept.account_id, each.other.account_id) == (former, listed)
        )
        ask = DuplicateVerdict.model_validate({"id": found.id, "verdict": verdict}, strict=False)
        return await decide_duplicate(self.home.context, ask)


def _equal_rows(world: World, *accounts: Held) -> None:
    for account in accounts:
        for ago in (75, 45):
            world.book(account, -2_500, "STANDING ORDER", day=world.today - timedelta(days=ago))


@pytest.fixture
async def twins(home: LinkedHome, world: World, harbour: HeldAt, checking: Held) -> Twins:
    first = world.open(harbour, "Savings", subtype="savings", opening=OPENING)
    second = world.open(harbour, "Savings", subtype="savings", opening=OPENING)
    _equal_rows(world, first, second)
    for ago in range(1, 80, 3):
        world.book(checking, -100 - ago, "CORNER CAFE 12", day=world.today - timedelta(days=ago))
    await home.link()
    return Twins(home, first, second)


async def _relinked(twins: Twins, harbour: HeldAt) -> list[str]:
    """Relink; answers the ids of the savings accounts that there were, in their order."""
    former = list(await twins.records())
    twins.home.world.relink(harbour)
    await twins.home.relink()
    return former


async def test_what_is_not_sure_is_asked_and_counts_nowhere(twins: Twins, harbour: HeldAt) -> None:
    """Each former account with each new one; what is owned and spent is as before, to the cent."""
    context = twins.home.context
    before = await show_wealth(context, Nothing())
    spent = await query_spending(context, SpendingQuery())
    former = await _relinked(twins, harbour)

    asked = await twins.asked()
    assert {each.kept.account_id for each in asked} == set(former)
    assert len(asked) == 4
    assert all(
        not each.other.counted and "merges the two permanently" in each.why for each in asked
    )
    assert [hidden for _, hidden in (await twins.records()).values()] == [False, False, True, True]
    assert (await show_wealth(context, Nothing())).balances.net_worth == before.balances.net_worth
    assert (await query_spending(context, SpendingQuery())).total == spent.total
    assert (await twins.home.sync()).ok
    assert len(await twins.asked()) == 4


@pytest.mark.thorough
async def test_what_is_said_joins_them_with_everything(
    twins: Twins, harbour: HeldAt, world: World
) -> None:
    """Names, words, notes and rows stay, of both, each row once, and each goes on with its bank."""
    home = twins.home
    old = world.today - timedelta(days=300)
    statement = f"Date,Description,Amount\n{old},STANDING ORDER,-25.00\n"
    one, other = await twins.records()
    report = await twins.home.bring({"savings.csv": statement}, account=one)
    await change_account(home.context, AccountChange(id=one, name="Rainy days"))
    page = await list_transactions(home.context, TransactionQuery(text="STANDING", limit=50))
    mine = next(row for row in page.transactions if row.account_id == one and row.date != old)
    await change_transaction(
        home.context, TransactionWord(id=mine.id, category="gifts_donations", note="for Bo")
    )
    await _relinked(twins, harbour)
    world.book(twins.first, -7_700, "BOILER", day=world.today)
    await home.sync()
    page = await list_transactions(home.context, TransactionQuery(text="BOILER"))
    await change_transaction(home.context, TransactionWord(id=page.transactions[0].id, note="cold"))

    decided = await twins.decide(one, twins.first)

    assert (decided.status, decided.kept.account_id) == ("same", one)
    assert [(each.kept.account_id) for each in await twins.asked()] == [other]
    await twins.decide(other, twins.second)
    assert await twins.asked() == []
    assert {name: hidden for name, (_, hidden) in (await twins.records()).items()} == {other: False}
    records = await list_account_records(home.context, Nothing())
    assert [each.account.id for each in records if each.account.name == "Rainy days"] == [one]
    page = await list_transactions(home.context, TransactionQuery(limit=200))
    noted = {row.note: (row.account_id, row.category, row.amount) for row in page.transactions}
    assert noted["for Bo"] == (one, "gifts_donations", -2_500)
    assert noted["cold"][0] == one
    await undo_import(home.context, ImportId(id=report.id or ""))
    await change_account(home.context, AccountChange(id=one, name="Savings"))
    await home.must_be_true()
    world.book(twins.second, -100, "KIOSK", day=world.today)
    assert (await home.sync()).added == 1
    await home.must_be_true()


KNOW = "UPDATE account SET apr = ?, minimum_payment = ?, credit_limit = ? WHERE id = ?"
KNOWN = "SELECT apr, minimum_payment, credit_limit FROM account WHERE id = ?"


async def test_what_the_new_listing_does_not_say_stays_known(twins: Twins, harbour: HeldAt) -> None:
    """A rate and a least payment that the bank told once are no less known after it lists anew."""
    known = (450, 2_500, 90_000)
    one, _ = await twins.records()
    store = twins.home.context.store
    await store.write(lambda c: c.exec_driver_sql(KNOW, (*known, one)))
    await _relinked(twins, harbour)
    await twins.decide(one, twins.first)
    [held] = await store.read(lambda c: c.exec_driver_sql(KNOWN, (one,)).all())
    assert tuple(held) == known


async def test_what_is_another_account_counts_from_then_on(twins: Twins, harbour: HeldAt) -> None:
    """Said to be none of those that there were, for good; it is not asked about again."""
    for each in await _relinked(twins, harbour):
        assert (await twins.decide(each, twins.first, "different")).status == "different"

    assert dict((await twins.records()).values())[twins.listed(twins.first)] is False
    assert len(await twins.asked()) == 2
    await twins.home.sync()
    assert len(await twins.asked()) == 2


async def test_a_word_that_was_said_is_said_once(twins: Twins, harbour: HeldAt) -> None:
    """What was joined is no question any more, and says so to whoever asks again."""
    former = await _relinked(twins, harbour)
    asked = await twins.asked()
    await twins.decide(former[0], twins.first)
    for each in asked:
        if each.kept.account_id == former[0]:
            with pytest.raises(NotFound):
                await decide_duplicate(
                    twins.home.context, DuplicateVerdict(id=each.id, verdict="same")
                )


class StoppedAmidJoining(Exception):
    """The process ends here."""


@pytest.mark.thorough
async def test_joining_stopped_between_any_two_statements(twins: Twins, harbour: HeldAt) -> None:
    """Two accounts are one or two, never between, and what was stopped can be said again."""
    await _relinked(twins, harbour)
    before = await _everything(twins)
    left = [0]

    def stop(*_told: object) -> None:
        if left[0] == 0:
            raise StoppedAmidJoining
        left[0] -= 1

    asked = await twins.asked()
    ask = DuplicateVerdict(id=asked[0].id, verdict="same")
    step = 0
    while True:
        left[0] = step
        event.listen(Engine, "before_cursor_execute", stop)
        try:
            await decide_duplicate(twins.home.context, ask)
            break
        except StoppedAmidJoining:
            step += 1
        finally:
            event.remove(Engine, "before_cursor_execute", stop)
        assert await _everything(twins) == before
    assert step > 30
    assert len(await twins.asked()) == 1


async def _everything(twins: Twins) -> dict[str, list[tuple[object, ...]]]:
    tables = ("account", "tx", "pending", "duplicate_verdict", "remembered_row", "coverage")

    def read(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
        return {
            each: [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {each}")]
            for each in tables
        }

    return await twins.home.context.store.read(read)


MILES = "https://harbour.example/miles"


async def _currency(home: ComparedHome) -> str | None:
    owner = home.context.caller.owner
    found = await home.context.store.read(lambda it: people.get_person(it, owner))
    return None if found["currency"] is None else str(found["currency"])


async def _forget(home: ComparedHome, currency: str | None) -> None:
    """Let a household have no currency, or one of the person's."""
    owner = home.context.caller.owner
    await home.context.store.write(
        lambda it: people.change_person(it, owner, {"currency": currency})
    )


def _spend(world: World, account: Held, rows: int, *, since: int = 0) -> None:
    for ago in range(since, since + rows):
        world.book(account, -700, "KIOSK", day=world.today - timedelta(days=ago % 85))


@pytest.mark.parametrize(
    ("before", "opened", "rows", "after"),
    [
        (None, ["EUR"], 3, "EUR"),
        (None, ["EUR"], 1, "USD"),
        (None, ["EUR", "EUR"], 0, "EUR"),
        (None, ["EUR"], 0, "USD"),
        (None, [MILES, MILES], 3, "USD"),
        ("CHF", ["EUR"], 3, "CHF"),
    ],
)
async def test_the_first_bank_brings_the_households_currency(
    home: LinkedHome, world: World, before: str | None, opened: list[str], rows: int, after: str
) -> None:
    """It is that of most rows, without any that of most accounts; one that is known stays."""
    for each in opened:
        _spend(
            world, world.open(world.harbour, f"Reise {each[:3]}", currency=each, opening=100), rows
        )
    _spend(world, world.checking, 2 if rows else 0)
    await _forget(home, before)
    await home.link()
    assert await _currency(home) == after


SPENT = "SELECT count(*) FROM tx WHERE counts"


async def test_all_windows_are_counted(home: LinkedHome, world: World) -> None:
    """A month abroad is most of the newest window, and not most of what the bank tells."""
    _spend(world, world.open(world.harbour, "Reise", currency="EUR", opening=100), 15)
    _spend(world, world.checking, 10)
    _spend(world, world.checking, 10, since=62)
    await _forget(home, None)
    await home.link()
    assert await _currency(home) == "USD"
    spent = await home.context.store.read(lambda c: c.exec_driver_sql(SPENT).scalar_one())
    assert spent == 20


async def test_miles_alone_bring_none(home: LinkedHome, world: World) -> None:
    """Points are what no household counts in, so that the next account brings its currency."""
    del world.accounts[world.checking.number]
    world.open(world.harbour, "Miles", currency=MILES, opening=900_000)
    await _forget(home, None)
    await home.link()
    assert await _currency(home) is None
    world.open(world.harbour, "Girokonto", currency="EUR", opening=100)
    await home.sync()
    assert await _currency(home) == "EUR"


async def test_rows_that_are_not_read_yet_are_waited_for(plaid: PlaidHome, world: World) -> None:
    """The account that a bank lists first decides nothing, also while its history is still read."""
    travel = world.open(world.harbour, "Travel", currency="EUR", opening=100)
    everyday = world.open(world.harbour, "Everyday", opening=100)
    _spend(world, travel, 1)
    _spend(world, everyday, 20)
    await _forget(plaid, None)
    plaid.plaid.progress = NOT_READY
    await plaid.link(world.harbour)
    assert await _currency(plaid) is None
    plaid.item.progress = HISTORICAL
    await plaid.sync()
    assert await _currency(plaid) == "USD"


BLUE = "Blue Rewards 4417"
"""A name that does not say that it is a card's."""


async def _blue(home: LinkedHome) -> Any:
    records = await list_account_records(home.context, Nothing())
    (found,) = [each for each in records if each.account.mask == "4417"]
    return found


def _owing(world: World, harbour: HeldAt) -> Held:
    return world.open(harbour, BLUE, kind="credit", subtype="credit card", opening=-50_000)


async def test_what_a_card_owes_stays_owed_with_each_sync(home: LinkedHome, world: World) -> None:
    """Who says that an account is a card owes what the bank calls below zero, now and later."""
    card = _owing(world, world.harbour)
    await home.link()
    assert (await _blue(home)).account.balance == -50_000
    said = await _blue(home)
    await change_account(home.context, AccountChange(id=said.account.id, kind="credit"))
    assert (await _blue(home)).account.balance == 50_000

    world.advance()
    world.book(card, -1_000, "MARKET HALL")
    await home.sync()

    known = await _blue(home)
    assert (known.account.kind, known.account.balance) == ("credit", 51_000)
    assert [each.balance for each in known.anchors] == [50_000, 51_000]


async def test_a_card_of_files_owes_what_the_bank_says(home: LinkedHome, world: World) -> None:
    """An account that joins the one of its files has that one's kind, and its balance the sign of it."""
    card = _owing(world, world.harbour)
    rows = [world.book(card, -1_000 - each, f"MARKET HALL {each}") for each in range(6)]
    lines = [f"{row.day:%m/%d/%Y},{row.text},{-row.amount / 100:.2f}" for row in rows]
    content = "\n".join(["Transaction Date,Description,Amount", *lines, ""])
    await home.bring({"card.csv": content}, account=BLUE, account_kind="credit", direction="out")
    await home.link()

    known = await _blue(home)
    assert (known.account.kind, known.account.balance) == ("credit", -home._owned(card))


@pytest.mark.parametrize("is_told", [True, False])
async def test_a_kind_that_becomes_known_turns_balances(home: LinkedHome, *, is_told: bool) -> None:
    """What was owned is owed with the other sign, recorded balances too, whether it is told or not."""
    await home.link()
    context = home.context

    def found_out(connection: Connection) -> tuple[int, list[int]]:
        [row] = accounts.list_accounts(connection, 1)
        before = row["balance"]
        known = BankAccount(
            external_id=row["external_id"],
            name=row["name"],
            mask=row["mask"],
            kind="credit",
            subtype=None,
            currency=row["currency"],
            balance=-before if is_told else None,
        )
        [held] = held_accounts(connection, 1)
        write_update(connection, held.no, told_anew(held, known, None, row["balance_day"]))
        now = next(
            each for each in accounts.list_accounts(connection, 1) if each["no"] == row["no"]
        )
        assert now["balance"] == -before
        return before, [balance for _, balance in accounts.balances_of(connection, row["no"])]

    before, recorded = await context.store.write(found_out)
    assert recorded == [-before]


async def test_an_account_is_covered_from_its_own_first_row(plaid: PlaidHome, world: World) -> None:
    """What another account of the same sign-in has of earlier days covers nothing of this one."""
    young = world.open(world.harbour, "Rainy Day", subtype="savings", mask="0042")
    first = {
        world.checking.name: world.today - timedelta(days=60),
        "Rainy Day": world.today - timedelta(9),
    }
    world.book(world.checking, -500, "CORNER CAFE 12", day=first[world.checking.name])
    world.book(young, 700, "STANDING ORDER", day=first["Rainy Day"])
    await plaid.link(world.harbour)

    records = await list_account_records(plaid.context, Nothing())
    assert {each.account.name: [span.since for span in each.coverage] for each in records} == {
        name: [day] for name, day in first.items()
    }


@pytest.mark.parametrize(("days", "reaches"), [([1], WINDOW - 1), ([1, 75], 75)])
async def test_simplefin_covers_its_windows(
    home: LinkedHome, world: World, days: list[int], reaches: int
) -> None:
    """From the first day of the newest window, or from an older row, through today."""
    for ago in days:
        world.book(world.checking, -500, "CORNER CAFE 12", day=world.today - timedelta(days=ago))
    await home.link()
    (record,) = await list_account_records(home.context, Nothing())
    (span,) = record.coverage
    assert (span.since, span.until) == (world.today - timedelta(days=reaches), world.today)


def test_a_window_is_as_long_as_it_says() -> None:
    """The newest window of who was never read has its length in days, the last of them today."""
    today = date(2026, 6, 15)
    since = ReadSoFar().window_since(today)
    assert len([since + timedelta(days=each) for each in range((today - since).days + 1)]) == WINDOW


async def test_a_page_with_a_trouble_is_not_all_that_there_is(home: LinkedHome) -> None:
    """A bank that a part of the accounts is not brought of has more to give, also on its last page."""
    await home.link()
    user, password = next(iter(home.bridge._access.items()))
    secret = f"https://{user}:{password}@{home.bridge.url.removeprefix('https://')}/simplefin"
    simplefin = home.context.aggregators["simplefin"]
    link = Link("usr_ada", "Harbour Bank", secret)
    cursor, page = None, await simplefin.sync(link, None, home.world.today)
    while page.more:
        cursor = page.cursor
        page = await simplefin.sync(link, cursor, home.world.today)
    assert page.complete

    home.bridge.says.append(
        Trouble("con.auth", "You must reauthenticate.", home.world.checking.bank)
    )
    page = await simplefin.sync(link, page.cursor, home.world.today)
    assert (page.more, page.complete) == (False, False)
