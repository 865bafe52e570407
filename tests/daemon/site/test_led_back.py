"""A browser that a bank leads back to the site: what was consented to is linked, for them alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from finplan.banks.base import Aggregator
from finplan.banks.enablebanking.api import CALLBACK, EnableBankingApi, RegisteredApplication
from finplan.banks.enablebanking.bank import EnableBanking
from finplan.banks.http import BankHttp
from finplan.model.base import Nothing
from finplan.model.connection import BankLink, BankLinkId, BankLinkRequest, Institution
from finplan.operations.bank import BEGIN_LINK, LIST_CONNECTIONS, SHOW_LINK
from tests.banks.fakes import enable_banking as fake
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.wire import HOST, serving
from tests.banks.fakes.world import World
from tests.daemon.running import RunningDaemon, running_daemon
from tests.daemon.site.browsing import Page, Visitor, browsing
from tests.webhooks.receiver import Authority, make_authority


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("banks"), HOST, "localhost")


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

    assert answer.status_code == 200
    assert "Your bank is linked" in Page(answer.text).said
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    shown = await site.daemon.client.call(SHOW_LINK, BankLinkId(id=link.id))
    assert shown.status == "linked"
    assert shown.connection is not None
    assert shown.connection.institution_name == "Hafenbank"
    again = await site.owner.get(path)
    assert (again.status_code, "Your bank is linked" in Page(again.text).said) == (200, True)
    [record] = await site.daemon.client.call(LIST_CONNECTIONS, Nothing())
    assert record.connection.id == shown.connection.id


async def test_it_begins_and_ends_in_the_browser(site: LinkingSite) -> None:
    """A part of the bank's name opens its page; the address may be pasted where no site answers."""
    forms = (await site.owner.page("/settings/banks")).forms
    token = forms[0]["form_token"][0]
    asked = {"form_token": token, "do": "open-page-in-europe", "country": "de", "bank": "hafen"}
    wrong = await site.owner.post("/settings/banks", asked | {"bank": "Sparkasse"})
    assert (wrong.status_code, "Which is it? Hafenbank." in Page(wrong.text).said) == (400, True)
    led = await site.owner.post("/settings/banks", asked)
    shown = await site.owner.get(led.headers["Location"])
    assert "Refresh" not in shown.headers
    ways = [told.get("href") or "" for tag, told in Page(shown.text).elements if tag == "a"]
    url = next(way for way in ways if "tilisy" in way)
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
    assert "The bank gave no access" in Page(answer.text).said
    shown = await site.daemon.client.call(SHOW_LINK, BankLinkId(id=link.id))
    assert (shown.status, shown.connection) == ("failed", None)


async def test_looking_ahead_uses_no_code_up(site: LinkingSite) -> None:
    """HEAD is not answered by linking."""
    path = site.led_back(await site.begin())
    assert (await site.owner.http.head(path)).status_code == 405
    assert not site.api.asked("/sessions")
