"""Whatever a bank answers is a page or a clear error, and harms nothing stored.

What of an answer cannot be read is left out and told, and keeps no other row from coming.
"""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest

from finplan.banks.answer import NotRead, told_left_out
from finplan.banks.enablebanking.api import EnableBankingApi
from finplan.banks.enablebanking.bank import EnableBanking as EnableBankingBank
from finplan.banks.http import BankHttp
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.daemon.aggregators import ReadInWorker
from finplan.daemon.workers import Workers
from finplan.model.base import Nothing
from finplan.service.banking.accounts import list_accounts
from finplan.service.context import Context
from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.wire import Answered, Changed, FakeBank, hosting
from tests.banks.fakes.world import World
from tests.banks.linked.enable.home import enable_home
from tests.banks.linked.household import (
    ComparedHome,
    LinkedHome,
    PlaidHome,
    linked_home,
    plaid_home,
)
from tests.hostile_answers import HOSTILE_ANSWERS
from tests.loop_steps import watching_the_loop
from tests.webhooks.receiver import Authority

SYNC, LISTED = "/transactions/sync", "/accounts/get"
WINDOW = "/simplefin/accounts"


def _odd_row(text: str, **values: Any) -> Changed:
    """Plaid tells one row otherwise."""

    def change(told: Any) -> Any:
        for row in (*told["added"], *told["modified"]):
            if row["name"] == text:
                row.update(values)
        return told

    return Changed(change)


def _odd_account(name: str, of_balance: Any, values: Any) -> Changed:
    """Plaid tells one account otherwise."""

    def change(told: Any) -> Any:
        for account in told["accounts"]:
            if account["name"] == name:
                account["balances"] |= of_balance
                account.update(values)
        return told

    return Changed(change)


async def _must_lack(home: ComparedHome, amount: int) -> None:
    """The store has the world's posted rows but for the one of an amount."""
    lacks = home.true_rows(pending=False) - await home.posted()
    assert [key[2] for key in lacks.elements()] == [amount]
    assert not await home.posted() - home.true_rows(pending=False)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"iso_currency_code": "EUR"}, "transaction in EUR, account in USD"),
        ({"iso_currency_code": None}, "no currency, or two currencies"),
        ({"unofficial_currency_code": "BTC"}, "no currency, or two currencies"),
        ({"transaction_id": None}, "no id"),
        ({"transaction_id": ""}, "no id"),
        ({"amount": "12.30"}, "no amount"),
        ({"amount": True}, "no amount"),
        ({"date": "soon"}, "no date"),
        ({"account_id": "another"}, "the account is not listed"),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
async def test_an_odd_row_of_plaid_stays_out_until_it_can_be_read(
    plaid: PlaidHome, world: World, values: dict[str, Any], why: str, *, is_first: bool
) -> None:
    """The others come with each sync, it is told each time, and it comes once it can be read."""
    card = world.open(world.harbour, "Visa", kind="credit", subtype="credit card")
    world.book(world.checking, -1_000, "MARKET HALL", day=world.today - timedelta(days=40))
    if not is_first:
        await plaid.link(world.harbour)
        world.advance()
    odd = world.book(world.checking, -777, "ODD ONE")
    of = "" if "date" in values else f" of {odd.day.isoformat()}"
    world.book(world.checking, -500, "CORNER CAFE 12")
    world.book(card, -900, "BOOKS BY POST")
    plaid.plaid.misbehave(_odd_row("ODD ONE", **values), SYNC, times=None)
    if is_first:
        await plaid.link(world.harbour)
    for _ in range(3):
        report = await plaid.sync()
        assert (report.ok, report.complete) == (False, False)
        assert re.search(rf"1 transaction{of} \({why}\)\.", str(report.error))
        assert (await plaid.record()).connection.error == report.error
        await _must_lack(plaid, -777)
        world.advance()
        world.book(world.checking, -300 - world.today.day, "KIOSK")
    assert (await plaid.record()).connection.status == "error"
    plaid.plaid.behave()
    report = await plaid.sync()

    assert (report.ok, report.complete, report.error) == (True, True, None)
    assert (await plaid.record()).connection.status == "ok"
    await plaid.must_be_true()
    # From here on the place to go on from is the newest one again.
    again = await plaid.sync()
    assert (again.added, again.modified) == (0, 0)


async def test_a_row_that_became_odd_stays_as_it_was(plaid: PlaidHome, world: World) -> None:
    """A change that cannot be read takes nothing away, also where all is read from the beginning."""
    row = world.book(world.checking, -777, "ODD ONE")
    await plaid.link(world.harbour)
    world.alter(row, amount=-888)
    plaid.plaid.misbehave(_odd_row("ODD ONE", iso_currency_code="EUR"), SYNC, times=None)
    for wrong in ("cursor", "''"):
        await _set_cursor(plaid, wrong)
        assert "in EUR" in str((await plaid.sync()).error)
        assert [key[2] for key in await plaid.posted()] == [-777]
    plaid.plaid.behave()
    await plaid.must_sync()


async def _set_cursor(home: PlaidHome, value: str) -> None:
    query = f"UPDATE connection SET cursor = {value}"
    await home.context.store.write(lambda c: c.exec_driver_sql(query))


async def test_a_removal_without_an_id_is_told(plaid: PlaidHome, world: World) -> None:
    """What it took away is not known, so that the update is asked for again."""
    row = world.book(world.checking, -777, "ODD ONE")
    await plaid.link(world.harbour)
    world.withdraw(row)

    def nameless(told: Any) -> Any:
        for each in told["removed"]:
            each["transaction_id"] = None
        return told

    plaid.plaid.misbehave(Changed(nameless), SYNC)
    assert re.search(r"Checking: .* \(no id\)", str((await plaid.sync()).error))
    assert (await plaid.sync()).removed == 1
    await plaid.must_be_true()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("balances", "values", "why"),
    [
        ({"iso_currency_code": None}, {}, "no currency, or two currencies"),
        ({"iso_currency_code": "EUR"}, {}, "currency changed from USD to EUR"),
        ({}, {"balances": None}, "no balances"),
        ({}, {"account_id": None}, "no id"),
    ],
)
async def test_an_odd_account_of_plaid_stays_as_it_was(
    plaid: PlaidHome, world: World, balances: Any, values: Any, why: str
) -> None:
    """Neither its balance nor its rows move, the others go on, and it catches up afterwards."""
    card = world.open(world.harbour, "Visa", kind="credit", subtype="credit card")
    world.book(world.checking, -1_000, "MARKET HALL")
    await plaid.link(world.harbour)
    before = (await plaid.balances())["Everyday Checking"]
    world.advance()
    world.book(world.checking, -500, "CORNER CAFE 12")
    world.book(card, -900, "BOOKS BY POST")
    for route in (SYNC, LISTED):
        fault = _odd_account("Everyday Checking", balances, values)
        plaid.plaid.misbehave(fault, route, times=None)
    report = await plaid.sync()

    assert re.search(rf"Everyday Checking: .* \({why}\)\.", str(report.error))
    assert await plaid.balances() == {"Everyday Checking": before, "Visa": 900}
    plaid.plaid.behave()
    await plaid.must_sync()


async def test_an_odd_row_and_a_waiting_bank_are_told(plaid: PlaidHome, world: World) -> None:
    """What only the person can mend says how the connection stands."""
    await plaid.link(world.harbour)
    world.book(world.checking, -777, "ODD ONE")
    error = {"error_type": "ITEM_ERROR", "error_code": "ITEM_LOGIN_REQUIRED", "error_message": "x"}

    def ail(told: Any) -> Any:
        told["item"]["error"] = error
        return told

    plaid.plaid.misbehave(_odd_row("ODD ONE", amount=None), SYNC)
    plaid.plaid.misbehave(Changed(ail), "/item/get")
    report = await plaid.sync()
    assert "connect plaid --reconnect" in str(report.error)
    assert "no amount" in str(report.error)
    assert (await plaid.record()).connection.status == "login_required"


def _odd_window(name: str, text: str = "", **values: Any) -> Changed:
    """SimpleFIN tells an account otherwise, or those of its rows that have a text."""

    def change(told: Any) -> Any:
        for account in told["accounts"]:
            if account["name"] == name:
                rows = account["transactions"] if text else [account]
                for row in rows:
                    if not text or row["description"] == text:
                        row.update(values)
        return told

    return Changed(change)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("ago", [1, 45, 75])
@pytest.mark.parametrize("values", [{"id": None}, {"amount": "much"}, {"amount": "1e999"}])
async def test_an_odd_row_of_simplefin_stays_out_until_it_can_be_read(
    home: LinkedHome, world: World, ago: int, values: Any
) -> None:
    """The others come, it is told, and it comes once it can be read, from whichever window."""
    card = world.open(world.harbour, "Visa", kind="credit", subtype="credit card")
    for days in (2, 30, 61, 80):
        world.book(world.checking, -days, "CORNER CAFE 12", day=world.today - timedelta(days=days))
    world.book(world.checking, -777, "ODD ONE", day=world.today - timedelta(days=ago))
    home.bridge.misbehave(_odd_window("Everyday Checking", "ODD ONE", **values), WINDOW, times=None)
    record = await home.link()
    assert "Checking: skipped 1" in str(record.connection.error)
    await _must_lack(home, -777)
    world.advance()
    world.book(card, -900, "BOOKS BY POST")
    report = await home.sync()
    assert not report.ok
    await _must_lack(home, -777)
    home.bridge.behave()
    for _ in range(2):
        world.advance()
        report = await home.sync()
    assert (report.ok, report.complete) == (True, True)
    await home.must_be_true()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"currency": None}, "no currency"),
        ({"currency": "EUR"}, "currency changed from USD to EUR"),
        ({"id": None}, "no id"),
    ],
)
async def test_an_odd_account_of_simplefin_stays_as_it_was(
    home: LinkedHome, world: World, values: Any, why: str
) -> None:
    """Neither its balance nor its rows move, the others go on, and it catches up afterwards."""
    card = world.open(world.harbour, "Visa", kind="credit", subtype="credit card")
    await home.link()
    before = (await home.balances())["Everyday Checking"]
    world.advance()
    world.book(world.checking, -500, "CORNER CAFE 12")
    world.book(card, -900, "BOOKS BY POST")
    home.bridge.misbehave(_odd_window("Everyday Checking", **values), WINDOW)
    report = await home.sync()

    assert re.search(rf"Everyday Checking: .* \({why}\)\.", str(report.error))
    assert await home.balances() == {"Everyday Checking": before, "Visa": 900}
    world.advance()
    await home.must_sync()


async def test_an_old_window_without_names_is_read_again(home: LinkedHome, world: World) -> None:
    """An account that is told without an id may be any, so that nobody's past is passed over."""
    for days in (2, 61, 85):
        world.book(world.checking, -days, "CORNER CAFE 12", day=world.today - timedelta(days=days))
    wrong = Answered(200, '{"accounts":[{"name":"without an id"}]}')
    home.bridge.misbehave(wrong, WINDOW, nth=2)
    await home.link()
    for _ in range(2):
        world.advance()
        await home.must_sync()


@pytest.mark.parametrize("kind", ["depository", "credit"])
async def test_an_untold_balance_goes_by_rows(plaid: PlaidHome, world: World, kind: str) -> None:
    """What an account was worth on a day and what was booked since say what it is worth now."""
    account = world.checking
    if kind == "credit":
        account = world.open(
            world.harbour, "Visa", kind="credit", subtype="credit card", opening=-9_000
        )
    await plaid.link(world.harbour)
    world.advance()
    world.book(account, -500, "CORNER CAFE 12")
    untold = {"current": None, "available": None}
    plaid.plaid.misbehave(_odd_account(account.name, untold, {}), LISTED)
    assert (await plaid.sync()).ok
    accounts = await list_accounts(plaid.context, Nothing())
    assert {each.name: each.balance for each in accounts} == plaid.true_balances()


ROWS_KEPT = "SELECT currency, amount FROM tx JOIN account ON account.no = tx.account_no"


async def test_an_account_of_another_currency_is_no_heir(home: LinkedHome, world: World) -> None:
    """A second link that tells it in another currency leaves the rows of the first one as they are."""
    world.book(world.checking, -500, "CORNER CAFE 12")
    await home.link()
    world.accounts[world.checking.number] = replace(world.checking, currency="EUR")
    world.book(world.checking, -300, "CORNER CAFE 12")
    await home.link()
    rows = await home.context.store.read(lambda c: c.exec_driver_sql(ROWS_KEPT).all())
    assert sorted(map(tuple, rows)) == [("EUR", -500), ("EUR", -300), ("USD", -500)]


async def test_a_value_that_no_rows_tell_is_not_known(plaid: PlaidHome, world: World) -> None:
    """What shares were worth on a day says nothing of now, where the bank does not tell it any more."""
    world.open(world.harbour, "Brokerage", kind="investment", subtype="brokerage", opening=777_777)
    await plaid.link(world.harbour)
    untold = {"current": None, "available": None}
    plaid.plaid.misbehave(_odd_account("Brokerage", untold, {}), LISTED)
    assert (await plaid.sync()).ok
    assert (await plaid.balances())["Brokerage"] is None


async def test_an_odd_account_without_rows_stops_nobody(plaid: PlaidHome, world: World) -> None:
    """Nothing is lost by going on from where the update ended, so that no update grows for ever."""
    world.open(world.harbour, "Points", kind="other", subtype="other")
    await plaid.link(world.harbour)
    places = []
    for route in (SYNC, LISTED):
        fault = _odd_account("Points", {"iso_currency_code": None}, {})
        plaid.plaid.misbehave(fault, route, times=None)
    for each in range(3):
        world.book(world.checking, -500 - each, "CORNER CAFE 12")
        report = await plaid.sync()
        assert (report.ok, report.complete, report.added) == (False, False, 1)
        places.append((await plaid.record()).sync_cursor)
    assert len(set(places)) == 3
    await plaid.must_be_true()


async def test_rows_of_an_id_that_has_gone_are_left_out(plaid: PlaidHome, world: World) -> None:
    """Where Plaid lists an account under a new id, and tells a row of the former one, nothing breaks."""
    world.book(world.checking, -600, "CORNER CAFE 12")
    await plaid.link(world.harbour)
    world.advance()
    world.book(world.checking, -700, "CORNER CAFE 12")

    def renamed(told: Any) -> Any:
        for account in told["accounts"]:
            account["account_id"] = f"new{account['account_id']}"
        return told

    def none_listed(told: Any) -> Any:
        return {**told, "accounts": []}

    plaid.plaid.misbehave(Changed(renamed), LISTED)
    plaid.plaid.misbehave(Changed(none_listed), SYNC)
    report = await plaid.sync()
    assert not report.ok
    assert "skipped 1" in (report.error or "")
    assert len(await list_accounts(plaid.context, Nothing())) == 1
    await _must_lack(plaid, -700)


def test_several_rows_that_lack_the_same_are_told_as_several() -> None:
    """One sentence tells of all of them, from the first of their days to the last."""
    rows = [NotRead("Checking", "no amount", is_row=True, day=f"2026-03-0{n}") for n in (3, 1, 2)]
    told = r"Checking: .* 3 .* 2026-03-01 .* 2026-03-03 \(no amount\)\."
    assert re.search(told, told_left_out("Plaid", rows))


SMALLER = 200
"""By how much the answers are smaller here than where tests may take long."""


@dataclass
class Reached:
    """A linked home, and the bank that it is reached by."""

    home: Any
    bank: FakeBank


@pytest.fixture
async def workers(context: Context) -> AsyncIterator[Workers]:
    made = Workers(context.store.path)
    yield made
    await made.rest()


@pytest.fixture
def simplefin(world: World, authority: Authority) -> Iterator[SimplefinBridge]:
    with hosting(SimplefinBridge(world), authority) as bank:
        yield bank


@pytest.fixture
def plaid_api(world: World, authority: Authority) -> Iterator[PlaidApi]:
    with hosting(PlaidApi(world), authority) as bank:
        yield bank


@pytest.fixture
def enable(world: World, authority: Authority) -> Iterator[EnableBanking]:
    with hosting(EnableBanking(world), authority) as bank:
        yield bank


async def _linked(
    bank: Any, context: Context, world: World, authority: Authority, workers: Workers
) -> Any:
    """A home that is linked through a bank, whose answers workers read."""

    def http(title: str) -> BankHttp:
        return BankHttp(title, trust=trusting(authority), apart=ReadInWorker(workers))

    home: Any
    at = world.bank("Hafenbank", country="DE" if isinstance(bank, EnableBanking) else "US")
    currency = "EUR" if isinstance(bank, EnableBanking) else "USD"
    world.book(
        world.open(at, "Current", opening=120_050, currency=currency), -500, "CORNER CAFE 12"
    )
    if isinstance(bank, SimplefinBridge):
        home = linked_home(context, world, bank, authority)
        reached: Any = {"simplefin": SimpleFin(http("SimpleFIN"))}
    elif isinstance(bank, PlaidApi):
        home = plaid_home(context, world, bank, authority)
        keys = home.context.aggregators["plaid"]._api.keys
        reached = {"plaid": Plaid(http("Plaid"), keys)}
    else:
        home = enable_home(context, world, bank, authority)
        application = home.context.aggregators["enablebanking"]._api.application
        api = EnableBankingApi(http("Enable Banking"), application, bank.url)
        reached = {"enablebanking": EnableBankingBank(api, now=bank.now)}
    home.context = replace(home.context, aggregators=reached)
    await (home.link(at) if isinstance(bank, PlaidApi) else home.link())
    return home


async def _meet_all(bank: Any, name: str, home: ComparedHome, world: World, scale: int) -> None:
    met = 0
    for called, hostile in HOSTILE_ANSWERS.items():
        if hostile.bank != name:
            continue
        met += 1
        world.advance()
        stored = await home.posted()
        bank.misbehave(hostile.scaled(scale), hostile.route, times=None)
        with watching_the_loop() as watch:
            report = await home.sync()
        bank.behave()
        # What is no error is a page; what it left out, or why it is none, stands in a sentence.
        assert report.ok == (report.error is None), called
        assert len(report.error or "") < 6_000, called
        assert "Traceback" not in (report.error or ""), called
        if report.error is not None:
            assert not stored - await home.posted(), called
        try:
            watch.must_be_free()
        except AssertionError as held:
            raise AssertionError(f"{called}: {held}") from None
    assert met >= 20


@pytest.mark.thorough
@pytest.mark.parametrize("scale", [SMALLER, pytest.param(1, marks=pytest.mark.slow)])
async def test_no_answer_of_simplefin_holds_up_the_loop(
    simplefin: SimplefinBridge,
    context: Context,
    world: World,
    authority: Authority,
    workers: Workers,
    scale: int,
) -> None:
    """Each is a page or an error in a sentence; what was stored before stays."""
    home = await _linked(simplefin, context, world, authority, workers)
    await _meet_all(simplefin, "simplefin", home, world, scale)


@pytest.mark.thorough
@pytest.mark.parametrize("scale", [SMALLER, pytest.param(1, marks=pytest.mark.slow)])
async def test_no_answer_of_plaid_holds_up_the_loop(
    plaid_api: PlaidApi,
    context: Context,
    world: World,
    authority: Authority,
    workers: Workers,
    scale: int,
) -> None:
    """Each is a page or an error in a sentence; what was stored before stays."""
    home = await _linked(plaid_api, context, world, authority, workers)
    await _meet_all(plaid_api, "plaid", home, world, scale)


@pytest.mark.thorough
@pytest.mark.parametrize("scale", [SMALLER, pytest.param(1, marks=pytest.mark.slow)])
async def test_no_answer_of_enable_banking_holds_up_the_loop(
    enable: EnableBanking,
    context: Context,
    world: World,
    authority: Authority,
    workers: Workers,
    scale: int,
) -> None:
    """Each is a page or an error in a sentence; what was stored before stays."""
    home = await _linked(enable, context, world, authority, workers)
    await _meet_all(enable, "enablebanking", home, world, scale)
