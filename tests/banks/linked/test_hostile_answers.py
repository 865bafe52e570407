"""Whatever a bank answers is a page or a clear error, holds up no request, and harms nothing stored."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from finplan.banks.enablebanking.api import EnableBankingApi
from finplan.banks.enablebanking.bank import EnableBanking as EnableBankingBank
from finplan.banks.http import BankHttp
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.daemon.aggregators import ReadInWorker
from finplan.daemon.workers import Workers
from finplan.service.context import Context
from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.wire import FakeBank, hosting
from tests.banks.fakes.world import World
from tests.banks.linked.enable.home import enable_home
from tests.banks.linked.household import ComparedHome, linked_home
from tests.banks.linked.plaid_home import plaid_home
from tests.hostile_answers import HOSTILE_ANSWERS
from tests.loop_steps import watching_the_loop
from tests.webhooks.receiver import Authority

SMALLER = 20
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
