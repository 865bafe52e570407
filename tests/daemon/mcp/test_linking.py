"""`link_connection` at a bank's own page: opened, asked for, reconnected."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from finplan.banks.enablebanking.api import EnableBankingApi, RegisteredApplication
from finplan.banks.enablebanking.bank import EnableBanking
from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from tests.banks.conftest import authority
from tests.banks.fakes import enable_banking as fake
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import World
from tests.daemon.mcp.connected import connected, refusal, text_of, told_by
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.webhooks.receiver import Authority

__all__ = ("authority",)

Reached = tuple[RunningDaemon, PlaidApi, list[int]]


@pytest.fixture
async def reached(
    tmp_path: Path, empty_store: Path, authority: Authority
) -> AsyncIterator[Reached]:
    """A daemon that reaches Plaid, and the seconds that have passed."""
    world = World(NOW.date())
    world.open(world.bank("Harbour Bank"), "Everyday Checking", opening=120_050)
    seconds = [0]

    def clock() -> datetime:
        return NOW + timedelta(seconds=seconds[0])

    async with serving(PlaidApi(world), authority) as plaid:
        plaid.now = clock
        keys = PlaidKeys(plaid.keys.client_id, plaid.keys.secret, "sandbox", host=plaid.url)
        banks = {"plaid": Plaid(BankHttp("Plaid", trust=trusting(authority)), keys)}
        async with running_daemon(tmp_path, empty_store, aggregators=banks, clock=clock) as daemon:
            yield daemon, plaid, seconds


async def test_an_agent_hands_the_page_to_its_person(reached: Reached) -> None:
    """The agent gets the address and an id, and by that the bank once the person has signed in."""
    daemon, plaid, seconds = reached
    [bank] = plaid.world.banks.values()
    async with connected(daemon) as client:
        opened = await client.call_tool("link_connection", {"bank": "plaid"})
        page = opened.structured_content["page"]
        assert page["url"] in text_of(opened)
        assert f"link `{page['id']}`" in text_of(opened) or page["id"] in text_of(opened)
        plaid.leave_link(list(plaid.links)[-1])
        left = await told_by(client, "link_connection", link=page["id"])
        assert (left["connection"], left["page"]["status"]) == (None, "failed")
        plaid.finish_link(list(plaid.links)[-1], bank)
        seconds[0] += 3
        linked = await told_by(client, "link_connection", link=page["id"])
        assert linked["connection"]["institutionName"] == "Harbour Bank"

        again = await told_by(client, "link_connection", bank="plaid", reconnect="harbour bank")
        assert again["page"]["status"] == "pending"
        said = await refusal(client, "link_connection", {"bank": "plaid", "reconnect": "nobody"})
        assert "bank 'nobody'" in said


async def test_a_european_bank_is_named_with_its_country(
    tmp_path: Path, empty_store: Path, authority: Authority
) -> None:
    """What is left open is asked; the address that the browser is led to links it."""
    world = World(NOW.date())
    world.open(world.bank("Hafenbank", country="DE"), "Girokonto", currency="EUR", opening=5_00)
    async with serving(fake.EnableBanking(world), authority) as api:
        application = RegisteredApplication(api.app_id, api.private_key, api.redirect_urls[0])
        http = BankHttp("Enable Banking", trust=trusting(authority))
        bank = EnableBanking(EnableBankingApi(http, application, api.url), now=api.now)
        banks = {"enablebanking": bank}
        async with (
            running_daemon(tmp_path, empty_store, aggregators=banks) as daemon,
            connected(daemon) as client,
        ):
            asked = await refusal(client, "link_connection", {"bank": "enablebanking"})
            assert "In which country is your bank?" in str(asked)
            named = {"bank": "enablebanking", "institution": "DE/Hafenbank"}
            opened = await client.call_tool("link_connection", named)
            assert "set publicToken to" in text_of(opened)
            led = api.finish(opened.structured_content["page"]["url"])
            linked = await told_by(client, "link_connection", publicToken=led)
            assert linked["connection"]["institutionName"] == "Hafenbank"
