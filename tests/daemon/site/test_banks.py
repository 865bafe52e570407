"""The page of banks in the settings: what is linked there, and the page that waits for a bank's own."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.daemon.surfaces.site.settings_page import BANKS
from tests.banks.conftest import authority
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import HeldAt, World
from tests.daemon.running import NOW, running_daemon
from tests.daemon.site.browsing import Page, Visitor, browsing
from tests.webhooks.receiver import Authority

__all__ = ("authority",)


@dataclass
class Banking:
    """A browser in front of a daemon that reaches banks, and the banks."""

    owner: Visitor
    plaid: PlaidApi
    bridge: SimplefinBridge
    harbour: HeldAt
    seconds: int = 0

    async def opened(self, **typed: str) -> str:
        """Open Plaid's page; answers where the browser is led to."""
        led = await self.owner.act(BANKS, "open-page", **typed)
        assert led.status_code == 303, Page(led.text).said
        return led.headers["location"]

    async def connection(self) -> dict[str, str]:
        """The one bank that is linked."""
        [record] = (await self.owner.daemon.http.get("/api/v1/connections")).json()
        found: dict[str, str] = record["connection"]
        return found


@pytest.fixture
async def banking(
    tmp_path: Path, empty_store: Path, authority: Authority
) -> AsyncIterator[Banking]:
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
        folder = tmp_path / "home"
        folder.mkdir()
        made: list[Banking] = []

        def clock() -> datetime:
            return NOW + timedelta(seconds=made[0].seconds if made else 0)

        plaid.now = clock
        async with (
            running_daemon(folder, empty_store, aggregators=reached, clock=clock) as daemon,
            browsing(daemon) as browser,
        ):
            await browser.open()
            made.append(Banking(browser, plaid, bridge, harbour))
            yield made[0]


async def test_a_bank_is_linked_at_plaids_page(banking: Banking) -> None:
    """The button leads to a page that has the way to Plaid, looks again by itself, and leads back."""
    waiting = await banking.opened()
    answer = await banking.owner.get(waiting)
    link = list(banking.plaid.links.values())[-1]
    assert answer.headers["refresh"] == "4"
    ways = [each for tag, each in Page(answer.text).elements if tag == "a"]
    [way] = [each for each in ways if each.get("href") == link.hosted_url]
    assert (way["target"], way["rel"]) == ("_blank", "noopener noreferrer")

    banking.seconds += 4
    banking.plaid.leave_link(link.token)
    answer = await banking.owner.get(waiting)
    assert "You left Plaid's page" in Page(answer.text).said
    assert answer.headers["refresh"] == "20"
    banking.seconds += 20
    banking.plaid.finish_link(link.token, banking.harbour)
    led = await banking.owner.get(waiting)
    assert led.status_code == 303
    page = await banking.owner.page(led.headers["location"])
    assert "The bank is linked" in page.said
    assert "Harbour Bank" in page.said


async def test_a_bank_that_wants_a_sign_in_gets_it(banking: Banking) -> None:
    """Its trouble is said, and the page to sign in again is one button away."""
    waiting = await banking.opened()
    [token] = banking.plaid.links
    banking.plaid.finish_link(token, banking.harbour)
    await banking.owner.get(waiting)
    bank = await banking.connection()
    [item] = banking.plaid.items.values()
    item.ails = "ITEM_LOGIN_REQUIRED"
    refused = await banking.owner.act(BANKS, "sync-bank", id=bank["id"])
    assert "wants you to sign in again" in Page(refused.text).said
    assert "waits for you to sign in" in (await banking.owner.page(BANKS)).said

    waiting = await banking.opened(id=bank["id"])
    banking.plaid.finish_link(list(banking.plaid.links)[-1], banking.harbour)
    banking.seconds += 4
    assert (await banking.owner.get(waiting)).status_code == 303
    assert (await banking.connection())["status"] == "ok"
    synced = await banking.owner.act(BANKS, "sync-bank", id=bank["id"])
    assert "What is new is here" in (await banking.owner.page(synced.headers["location"])).said


async def test_a_setup_token_is_taken(banking: Banking) -> None:
    """A token of the bridge links its banks; a second use is refused, and the token is not repeated."""
    token = banking.bridge.setup_token()
    linked = await banking.owner.act(BANKS, "link-simplefin", token=token)
    assert linked.status_code == 303, Page(linked.text).said
    assert (await banking.connection())["institutionName"] == "Harbour Bank"
    refused = await banking.owner.act(BANKS, "link-simplefin", token=token)
    assert refused.status_code == 500
    assert "claimed before" in Page(refused.text).said
    assert token not in refused.text


async def test_who_lacks_keys_is_told(owner: Visitor) -> None:
    """Without keys at Plaid the button says what is missing; nothing typed is said so, too."""
    refused = await owner.act(BANKS, "open-page")
    assert "lacks your own keys" in Page(refused.text).said
    refused = await owner.act(BANKS, "link-simplefin", token=" ")
    assert "Paste the setup token" in Page(refused.text).said
    assert (await owner.get(f"{BANKS}/link?id=lnk_0")).status_code == 404
