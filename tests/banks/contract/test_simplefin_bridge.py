"""SimpleFIN's demo bridge, whose setup token may be claimed again and again."""

import os
from dataclasses import replace

import pytest

from finplan.banks.http import BankHttp
from finplan.banks.simplefin.bank import SimpleFin
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, LinkRequest
from finplan.service.banking.accounts import list_accounts
from finplan.service.banking.connections import sync_connection
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from tests.service.own_money import sealer

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
