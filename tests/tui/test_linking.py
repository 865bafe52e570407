"""Linking a bank from the screen of accounts: by a token, and at a page of the bank's."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.tui.app import FinplanApp
from finplan.tui.flows import linking
from tests.banks.conftest import authority
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import HeldAt, World
from tests.daemon.running import NOW, running_daemon
from tests.tui.opening import Opened, open_screens
from tests.webhooks.receiver import Authority

__all__ = ("authority",)


@dataclass
class AtBanks:
    """The program before a household that has no bank yet, and the banks."""

    opened: Opened
    plaid: PlaidApi
    bridge: SimplefinBridge
    harbour: HeldAt
    led_to: list[str]
    seconds: float = 0.0

    async def soon(self, happened: Callable[[], bool]) -> None:
        """Wait until something is so; time passes meanwhile, as a page is not asked of at once again."""

        def looked() -> bool:
            self.seconds += 0.1
            return happened()

        await self.opened.until(looked)


@pytest.fixture
async def at_banks(
    tmp_path: Path, empty_store: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[AtBanks]:
    """Accounts are open; the browser of the machine notes where it is led to."""
    monkeypatch.setattr(linking, "PAUSE_BETWEEN_LOOKS", 0.01)
    led_to: list[str] = []
    monkeypatch.setattr(FinplanApp, "open_url", lambda _app, url: led_to.append(url))
    world = World(NOW.date())
    harbour = world.bank("Harbour Bank")
    account = world.open(harbour, "Everyday Checking", opening=120_050)
    world.book(account, -450, "CORNER CAFE 12")
    async with (
        serving(PlaidApi(world), authority) as plaid,
        serving(SimplefinBridge(world), authority) as bridge,
    ):
        keys = PlaidKeys(plaid.keys.client_id, plaid.keys.secret, "sandbox", host=plaid.url)
        trust = trusting(authority)
        reached = {
            "simplefin": SimpleFin(BankHttp("SimpleFIN", trust=trust)),
            "plaid": Plaid(BankHttp("Plaid", trust=trust), keys),
        }
        made: list[AtBanks] = []

        def clock() -> datetime:
            return NOW + timedelta(seconds=made[0].seconds if made else 0)

        plaid.now = lambda: NOW
        folder = tmp_path / "home"
        folder.mkdir()
        async with (
            running_daemon(folder, empty_store, aggregators=reached, clock=clock) as daemon,
            open_screens(daemon, opens="accounts") as opened,
        ):
            made.append(AtBanks(opened, plaid, bridge, harbour, led_to))
            yield made[0]


@pytest.mark.thorough
async def test_a_page_is_opened_and_waited_for(at_banks: AtBanks) -> None:
    """Plaid's page opens in the browser; as soon as the person has signed in the bank is there."""
    opened = at_banks.opened
    await opened.press("c", "down", "enter")
    await at_banks.soon(lambda: bool(at_banks.led_to))
    [link] = at_banks.plaid.links.values()
    assert at_banks.led_to == [link.hosted_url]
    assert str(link.hosted_url) in opened.text.replace("\n", "").replace(" ", "").replace("│", "")
    at_banks.plaid.finish_link(link.token, at_banks.harbour)
    await at_banks.soon(lambda: "Harbour Bank is linked" in opened.said)
    await at_banks.soon(lambda: "Everyday Checking" in opened.text)


@pytest.mark.thorough
async def test_who_leaves_the_page_is_told_that_it_stays_open(at_banks: AtBanks) -> None:
    """Escape waits no longer; nothing is linked by it, and nothing is lost."""
    opened = at_banks.opened
    await opened.press("c", "down", "enter")
    await at_banks.soon(lambda: bool(at_banks.led_to))
    await opened.press("escape")
    assert "stays open" in opened.said


@pytest.mark.thorough
async def test_a_page_that_was_closed_links_nothing(at_banks: AtBanks) -> None:
    """Where the person closes the page without a sign-in, why nothing came of it is said."""
    opened = at_banks.opened
    await opened.press("c", "down", "enter")
    await at_banks.soon(lambda: bool(at_banks.led_to))
    [link] = at_banks.plaid.links.values()
    at_banks.plaid.leave_link(link.token)
    await at_banks.soon(lambda: "Plaid" in opened.said)


@pytest.mark.thorough
async def test_a_token_is_pasted(at_banks: AtBanks) -> None:
    """SimpleFIN's setup token links all banks of the access."""
    opened = at_banks.opened
    await opened.press("c", "enter")
    await opened.drop(at_banks.bridge.setup_token())
    await opened.press("enter")
    await at_banks.soon(lambda: "is linked" in opened.said)


@pytest.mark.thorough
async def test_what_a_link_takes_over_is_said(at_banks: AtBanks) -> None:
    """A second token of the same access takes the place of the first connection, which is told."""
    opened = at_banks.opened
    for _ in range(2):
        await opened.press("c", "enter")
        await opened.drop(at_banks.bridge.setup_token())
        await opened.press("enter")
        await at_banks.soon(lambda: "is linked" in opened.said or "part of this" in opened.said)
        await opened.until(lambda: "Harbour Bank" in opened.text)
    await at_banks.soon(lambda: "part of this link now" in opened.said)


@pytest.mark.thorough
async def test_a_bank_that_is_not_set_up_is_said(at_banks: AtBanks) -> None:
    """Without an application of one's own at Enable Banking its way says what it lacks."""
    opened = at_banks.opened
    await opened.press("c", "down", "down", "enter")
    await at_banks.soon(lambda: "not set up" in opened.said)


@pytest.mark.thorough
async def test_what_is_no_token_is_asked_for_once_more(at_banks: AtBanks) -> None:
    """A wrong paste is told where it was pasted, and the right one links from there."""
    opened = at_banks.opened
    await opened.press("c", "enter")
    await opened.type("junk")
    await opened.press("enter")
    await at_banks.soon(lambda: "copy all of it" in opened.text)
    await opened.drop(at_banks.bridge.setup_token())
    await opened.press("enter")
    await at_banks.soon(lambda: "is linked" in opened.said)
