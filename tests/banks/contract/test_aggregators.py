"""Plaid's sandbox and SimpleFIN's demo bridge: a made-up login is linked, mended and removed.

The bridge's setup token may be claimed again and again; the sandbox has no browser.
"""

import asyncio
import os
from dataclasses import replace

import pytest

from finplan.banks.base import Access, PageWanted
from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidApi, PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, LinkRequest, SyncReport, Unlinking
from finplan.model.errors import NotFound
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.connections import show_connection, sync_connection, unlink_connection
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from tests.service.own_money import sealer

CLIENT = os.environ.get("FINPLAN_TEST_PLAID_CLIENT_ID", "")
SECRET = os.environ.get("FINPLAN_TEST_PLAID_SECRET", "")
"""Read before the tests put such variables away."""

TRIES, PAUSE = 40, 3.0
"""How often, and how far apart in seconds, the sandbox is asked whether it has made up its history."""


class NotedPlaid(Plaid):
    """Plaid, with the access noted that it gave last: the sandbox's own questions need it."""

    secret = ""

    async def exchange(self, public_token: str) -> Access:
        """Exchange a token."""
        access = await super().exchange(public_token)
        self.secret = access.secret
        return access


async def _whole(context: Context, connection: ConnectionId) -> SyncReport:
    """Sync until the history is there, which the sandbox makes up within a minute or two."""
    for _ in range(TRIES):
        report = await sync_connection(context, connection)
        if report.complete or not report.ok:
            return report
        await asyncio.sleep(PAUSE)
    raise AssertionError("the sandbox did not finish its history")


@pytest.mark.skipif(
    not (CLIENT and SECRET),
    reason="set FINPLAN_TEST_PLAID_CLIENT_ID and FINPLAN_TEST_PLAID_SECRET, those of the sandbox",
)
async def test_a_login_is_linked_renewed_and_removed(context: Context) -> None:
    """Exchange, every page of the history, a sign-in that is due, its page, and the end of the item."""
    http, keys = BankHttp("Plaid"), PlaidKeys(CLIENT, SECRET, "sandbox")
    sandbox, bank = PlaidApi(http, keys), NotedPlaid(http, keys)
    known = replace(context, aggregators={"plaid": bank}, sealer=sealer)
    opened = await bank.begin(PageWanted("person"))
    assert opened.url.startswith("https://")
    assert await bank.look(opened.ticket) is None
    made = await sandbox.ask(
        "/sandbox/public_token/create",
        institution_id="ins_109508",
        initial_products=["transactions"],
    )
    ask = LinkRequest(provider="aggregator", public_token=str(made["public_token"]))
    linked = ConnectionId(id=(await link_connection(known, ask)).answer.connection.id)
    try:
        report = await _whole(known, linked)
        assert (report.ok, report.error) == (True, None)
        accounts = await list_accounts(known, Nothing())
        assert {each.kind for each in accounts} >= {"depository", "credit"}
        count = "SELECT count(*) FROM tx"
        [(rows,)] = await known.store.read(lambda c: c.exec_driver_sql(count).all())
        assert rows
        assert (await sync_connection(known, linked)).removed == 0

        await sandbox.ask("/sandbox/item/reset_login", access_token=bank.secret)
        assert not (await sync_connection(known, linked)).ok
        record = await show_connection(known, linked)
        assert record.connection.status == "login_required"
        page = await bank.begin(PageWanted("person", secret=bank.secret))
        assert page.url.startswith("https://")
        assert await bank.look(page.ticket) is None
    finally:
        await unlink_connection(known, Unlinking(id=linked.id))
    with pytest.raises(NotFound):
        await show_connection(known, linked)


TOKEN = os.environ.get("FINPLAN_TEST_SIMPLEFIN_TOKEN")
"""Read before the tests put such variables away."""


@pytest.mark.skipif(
    TOKEN is None,
    reason="set FINPLAN_TEST_SIMPLEFIN_TOKEN, such as to the demo's token of the protocol's page",
)
async def test_the_bridge_is_read(context: Context) -> None:
    """A token is claimed, accounts and rows come, and a second sync adds nothing."""
    bridge = SimpleFin(BankHttp("SimpleFIN"))
    known = replace(context, aggregators={"simplefin": bridge}, sealer=sealer)
    ask = LinkRequest(provider="aggregator", public_token=TOKEN)
    connection = (await link_connection(known, ask)).answer.connection

    assert (connection.status, connection.error) == ("ok", None)
    accounts = await list_accounts(known, Nothing())
    assert accounts
    assert all(each.balance is not None for each in accounts)
    count = "SELECT count(*) FROM tx"
    [(rows,)] = await known.store.read(lambda c: c.exec_driver_sql(count).all())
    assert rows
    report = await sync_connection(known, ConnectionId(id=connection.id))
    assert (report.ok, report.removed) == (True, 0)
    assert [each.id for each in await list_accounts(known, Nothing())] == [
        each.id for each in accounts
    ]
