"""Banks in the site: what is linked in the settings, the page that waits, and whom a bank leads back.

What was consented to is linked, for who consented alone.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from finplan.banks.base import Aggregator
from finplan.banks.enablebanking.api import CALLBACK, EnableBankingApi, RegisteredApplication
from finplan.banks.enablebanking.bank import EnableBanking
from finplan.banks.http import BankHttp
from finplan.daemon.surfaces.site.settings_page import BANKS
from finplan.model.base import Nothing
from finplan.model.connection import BankLink, BankLinkId, BankLinkRequest, Institution
from finplan.operations.bank import BEGIN_LINK, LIST_CONNECTIONS, SHOW_LINK
from tests.banks.conftest import authority
from tests.banks.fakes import enable_banking as fake
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import HeldAt, World
from tests.banks.linked.household import reaching_harbour
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.daemon.site.browsing import Page, Visitor, browsing, page_in, signed_in
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
    async with reaching_harbour(NOW.date(), authority) as at:
        made: list[Banking] = []

        def clock() -> datetime:
            return NOW + timedelta(seconds=made[0].seconds if made else 0)

        at.plaid.now = clock
        async with (
            running_daemon(
                tmp_path / "home", empty_store, aggregators=at.aggregators, clock=clock
            ) as daemon,
            signed_in(daemon) as browser,
        ):
            made.append(Banking(browser, at.plaid, at.bridge, at.harbour))
            yield made[0]


async def test_a_bank_is_linked_at_plaids_page(banking: Banking) -> None:
    """The button leads to a page that has the way to Plaid, looks again by itself, and leads back."""
    waiting = await banking.opened()
    answer = await banking.owner.get(waiting)
    link = list(banking.plaid.links.values())[-1]
    assert answer.headers["refresh"] == "4"
    [way] = [each for each in Page(answer.text).all("a") if each["href"] == link.hosted_url]
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
    assert "Bank linked" in page.said
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
    assert "has expired" in Page(refused.text).said
    assert "sign in again · synced" in (await banking.owner.page(BANKS)).said

    waiting = await banking.opened(id=bank["id"])
    banking.plaid.finish_link(list(banking.plaid.links)[-1], banking.harbour)
    banking.seconds += 4
    assert (await banking.owner.get(waiting)).status_code == 303
    assert (await banking.connection())["status"] == "ok"
    synced = await banking.owner.act(BANKS, "sync-bank", id=bank["id"])
    assert "Sync finished" in (await banking.owner.page(synced.headers["location"])).said


async def test_a_setup_token_is_taken(banking: Banking) -> None:
    """A token of the bridge links its banks; a second use is refused, and the token is not repeated."""
    token = banking.bridge.setup_token()
    linked = await banking.owner.act(BANKS, "link-simplefin", token=token)
    assert linked.status_code == 303, Page(linked.text).said
    assert (await banking.connection())["institutionName"] == "Harbour Bank"
    refused = await banking.owner.act(BANKS, "link-simplefin", token=token)
    assert "used before" in page_in(refused, 500).said
    assert token not in refused.text


async def test_who_lacks_keys_is_told(owner: Visitor) -> None:
    """Without keys at Plaid the button says what is missing; nothing typed is said so, too."""
    refused = await owner.act(BANKS, "open-page")
    assert "keys are missing" in Page(refused.text).said
    refused = await owner.act(BANKS, "link-simplefin", token=" ")
    assert "Paste the setup token" in Page(refused.text).said
    assert (await owner.get(f"{BANKS}/link?id=lnk_0")).status_code == 404


@dataclass
class LinkingSite:
    """A daemon that an application at Enable Banking leads people back to, and its owner's browser."""

    daemon: RunningDaemon
    api: fake.EnableBanking
    owner: Visitor

    async def begin(self) -> BankLink:
        """Have a bank's page opened for the owner."""
        bank = Institution(id="DE/Hafenbank", name="Hafenbank")
        ask = BankLinkRequest(bank="enablebanking", institution=bank)
        return await self.daemon.client.call(BEGIN_LINK, ask)

    def led_back(self, link: BankLink) -> str:
        """The person consents at the page; the path that they are led to then."""
        return self.led_back_of(link.url)

    def led_back_of(self, url: str) -> str:
        """As `led_back`, for the page's address."""
        parts = urlsplit(self.api.finish(url))
        assert f"{parts.scheme}://{parts.netloc}" == self.daemon.base_url
        return f"{parts.path}?{parts.query}"


@asynccontextmanager
async def linking_site(
    folder: Path, empty_store: Path, authority: Authority
) -> AsyncIterator[LinkingSite]:
    """The site, with a bank in Germany behind it."""
    world = World(date(2026, 3, 18))
    account = world.open(world.bank("Hafenbank", country="DE"), "Girokonto", currency="EUR")
    world.book(account, -350, "CAFÉ")
    reached: dict[str, Aggregator] = {}
    async with (
        serving(fake.EnableBanking(world), authority) as api,
        running_daemon(folder, empty_store, aggregators=reached) as daemon,
        browsing(daemon) as owner,
    ):
        api.redirect_urls = [f"{daemon.base_url}{CALLBACK}"]
        application = RegisteredApplication(api.app_id, api.private_key, api.redirect_urls[0])
        http = BankHttp("Enable Banking", trust=trusting(authority))
        bank = EnableBanking(EnableBankingApi(http, application, api.url), now=api.now)
        reached["enablebanking"] = bank
        await owner.open()
        yield LinkingSite(daemon, api, owner)


@pytest.fixture
async def site(
    tmp_path: Path, empty_store: Path, authority: Authority
) -> AsyncIterator[LinkingSite]:
    async with linking_site(tmp_path, empty_store, authority) as made:
        yield made


async def test_a_consent_is_linked_where_the_browser_is_led(site: LinkingSite) -> None:
    """The page says so, and so does the link that a command line waits for; twice is one bank."""
    link = await site.begin()
    path = site.led_back(link)
    answer = await site.owner.get(path)

    assert "Bank linked" in page_in(answer, 200).said
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    shown = await site.daemon.client.call(SHOW_LINK, BankLinkId(id=link.id))
    assert shown.status == "linked"
    assert shown.connection is not None
    assert shown.connection.institution_name == "Hafenbank"
    again = await site.owner.get(path)
    assert "Bank linked" in page_in(again, 200).said
    [record] = await site.daemon.client.call(LIST_CONNECTIONS, Nothing())
    assert record.connection.id == shown.connection.id


async def test_it_begins_and_ends_in_the_browser(site: LinkingSite) -> None:
    """A part of the bank's name opens its page; the address may be pasted where no site answers."""
    token = (await site.owner.page("/settings/banks")).forms[0]["form_token"][0]
    asked = {"form_token": token, "do": "open-page-in-europe", "country": "de", "bank": "hafen"}
    wrong = await site.owner.post("/settings/banks", asked | {"bank": "Sparkasse"})
    assert "Hafenbank." in page_in(wrong, 400).said
    led = await site.owner.post("/settings/banks", asked)
    shown = await site.owner.get(led.headers["Location"])
    assert "Refresh" not in shown.headers
    url = next(way for way in Page(shown.text).values("href", "a") if "tilisy" in way)
    address = f"{site.daemon.base_url}{site.led_back_of(url)}"
    taken = await site.owner.post(
        "/settings/banks", {"form_token": token, "do": "take-address", "address": f" {address} "}
    )
    assert taken.status_code == 303
    [record] = await site.daemon.client.call(LIST_CONNECTIONS, Nothing())
    assert record.connection.institution_name == "Hafenbank"


async def test_nobody_else_is_linked_to_it(site: LinkingSite) -> None:
    """A browser that is not signed in is asked to; a state that nobody was given opens nothing."""
    path = site.led_back(await site.begin())
    async with browsing(site.daemon) as stranger:
        answer = await stranger.get(path)
        assert (answer.status_code, answer.headers["Location"][:8]) == (303, "/sign-in")
    for wrong in (f"{CALLBACK}?state=guess&code=guess", CALLBACK, f"{CALLBACK}?{'x' * 5_000}"):
        answer = await site.owner.get(wrong)
        assert "No bank was linked" in Page(answer.text).said
    assert not site.api.asked("/sessions")
    assert (await site.owner.get(path)).status_code == 200


async def test_who_does_not_consent_is_told_so(site: LinkingSite) -> None:
    """Nothing is linked, and the link says why."""
    link = await site.begin()
    led = urlsplit(site.api.deny(link.url))
    answer = await site.owner.get(f"{led.path}?{led.query}")
    assert "The bank did not give access" in Page(answer.text).said
    shown = await site.daemon.client.call(SHOW_LINK, BankLinkId(id=link.id))
    assert (shown.status, shown.connection) == ("failed", None)


async def test_looking_ahead_uses_no_code_up(site: LinkingSite) -> None:
    """HEAD is not answered by linking."""
    path = site.led_back(await site.begin())
    assert (await site.owner.http.head(path)).status_code == 405
    assert not site.api.asked("/sessions")
