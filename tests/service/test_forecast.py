"""What `GET /forecast` answers of the demo household."""

from datetime import timedelta

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.errors import NoConnections
from finplan.model.snapshot import ForecastQuery
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.planning.views import show_forecast, show_snapshot


async def test_without_a_connection_nothing_is_foretold(context: Context) -> None:
    """There is no plan to rest on."""
    with pytest.raises(NoConnections):
        await show_forecast(context, ForecastQuery())


@pytest.mark.thorough
async def test_it_looks_as_far_as_it_is_asked(context: Context) -> None:
    """Sixty days where nothing is said, today beside them, and the first plan is built for it."""
    await link_connection(context, LinkRequest(provider="demo"))
    usual = await show_forecast(context, ForecastQuery())
    assert usual.until - usual.since == timedelta(60)
    assert len(usual.days) == 61
    week = await show_forecast(context, ForecastQuery(days=7))
    assert week.days == usual.days[:8]


@pytest.mark.thorough
async def test_it_begins_where_the_snapshot_stands(context: Context) -> None:
    """Start is cash less what is pending, and a corrected balance moves it at once."""
    await link_connection(context, LinkRequest(provider="demo"))
    before = await show_forecast(context, ForecastQuery())
    assert before.start is not None
    assert before.start <= (await show_snapshot(context, Nothing())).balances.cash
    held = next(
        each for each in await list_accounts(context, Nothing()) if each.kind == "depository"
    )
    assert held.balance is not None
    more = AccountChange(id=held.id, balance=held.balance + 100_00)
    await change_account(context, more)
    assert (await show_forecast(context, ForecastQuery())).start == before.start + 100_00
