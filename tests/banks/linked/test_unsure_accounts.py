"""After a relink, accounts that nothing tells apart: asked about, in no total, then joined."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import Connection, Engine, event

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.detection import Duplicate, DuplicateQuery, DuplicateVerdict
from finplan.model.errors import NotFound
from finplan.model.statement import ImportId
from finplan.model.transaction import SpendingQuery, TransactionQuery, TransactionWord
from finplan.service.banking.accounts import change_account, list_account_records
from finplan.service.imports.imports import undo_import
from finplan.service.planning.views import show_wealth
from finplan.service.spending import query_spending
from finplan.service.transactions import change_transaction, list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from tests.banks.fakes.simplefin import account_id
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import LinkedHome
from tests.service.conftest import Import

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
    assert all(not each.other.counted and "one account for good" in each.why for each in asked)
    assert [hidden for _, hidden in (await twins.records()).values()] == [False, False, True, True]
    assert (await show_wealth(context, Nothing())).balances.net_worth == before.balances.net_worth
    assert (await query_spending(context, SpendingQuery())).total == spent.total
    assert (await twins.home.sync()).ok
    assert len(await twins.asked()) == 4


@pytest.mark.thorough
async def test_what_is_said_joins_them_with_everything(
    twins: Twins, harbour: HeldAt, world: World, import_texts: Import
) -> None:
    """Names, words, notes and rows stay, of both, each row once, and each goes on with its bank."""
    home = twins.home
    old = world.today - timedelta(days=300)
    statement = f"Date,Description,Amount\n{old},STANDING ORDER,-25.00\n"
    one, other = await twins.records()
    report = await import_texts({"savings.csv": statement}, account=one)
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


async def test_what_the_new_listing_does_not_say_stays_known(twins: Twins, harbour: HeldAt) -> None:
    """A rate and a least payment that the bank told once are no less known after it lists anew."""
    known = {"apr": 450, "minimum_payment": 2_500, "credit_limit": 90_000}
    one, _ = await twins.records()
    store = twins.home.context.store
    told = ", ".join(f"{name} = {value}" for name, value in known.items())
    await store.write(
        lambda c: c.exec_driver_sql(f"UPDATE account SET {told} WHERE id = ?", (one,))
    )
    await _relinked(twins, harbour)
    await twins.decide(one, twins.first)
    [held] = await store.read(
        lambda c: c.exec_driver_sql(
            f"SELECT {', '.join(known)} FROM account WHERE id = ?", (one,)
        ).all()
    )
    assert dict(zip(known, held, strict=True)) == known


async def test_what_is_another_account_counts_from_then_on(twins: Twins, harbour: HeldAt) -> None:
    """Said to be none of those that there were, for good; it is not asked about again."""
    former = await _relinked(twins, harbour)
    for each in former:
        assert (await twins.decide(each, twins.first, "different")).status == "different"

    hidden = dict((await twins.records()).values())
    assert hidden[twins.listed(twins.first)] is False
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


class Stopped(Exception):
    """The process ends here."""


@pytest.mark.thorough
async def test_stopped_between_any_two_statements(twins: Twins, harbour: HeldAt) -> None:
    """Two accounts are one or two, never between, and what was stopped can be said again."""
    await _relinked(twins, harbour)
    before = await _everything(twins)
    left = [0]

    def stop(*_told: object) -> None:
        if left[0] == 0:
            raise Stopped
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
        except Stopped:
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
