"""Days as an agent may ask for them: from and to, or a period in words."""

from datetime import date
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.errors import BadRequest
from finplan.model.live.paydays import LOOKED_BACK, main_pay, paydays
from finplan.model.recurring import RecurringQuery
from finplan.model.transaction import TransactionQuery
from finplan.operations.detection import LIST_RECURRING
from finplan.operations.plan import SHOW_SNAPSHOT
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.periods.reading import asks_for_paydays, read_period
from finplan.periods.spans import SpokenPeriod, UnclearPeriod

PeriodPhrase = Annotated[
    str,
    Field(
        min_length=1,
        max_length=80,
        description="Days in words instead of from and to: last month, 2026-Q3, ytd, last 90 days,"
        " march to may, this pay period.",
    ),
]


async def read_days(
    call: Call, period: str | None, since: date | None, until: date | None
) -> tuple[date | None, date | None, str | None]:
    """The days that are asked for, and what was understood of words.

    Raises BadRequest for words beside days, and with near matches for words that mean none.
    """
    if period is None:
        return since, until, None
    if since is not None or until is not None:
        raise BadRequest("`period` names the days; leave out `from` and `to`.")
    found = await understand(call, period)
    return found.since, found.until, found.told


async def understand(call: Call, period: str) -> SpokenPeriod:
    """What a period in words means today, where the person lives. Raises BadRequest."""
    today, pay = await today_and_paydays(call, period)
    try:
        return read_period(period, today, pay)
    except UnclearPeriod as refusal:
        raise BadRequest(str(refusal)) from None


async def today_and_paydays(call: Call, words: str) -> tuple[date, list[date]]:
    """What words about days are read by: today, where the person lives, and paydays if they ask so."""
    today = await today_of(call)
    return today, await _paydays(call, today) if asks_for_paydays(words) else []


async def today_of(call: Call) -> date:
    """Today, where the person lives."""
    return call.context.today((await call.settings()).time_zone)


async def _paydays(call: Call, today: date) -> list[date]:
    snapshot = await call.ask(SHOW_SNAPSHOT)
    payday = snapshot.allowance.payday
    found = await call.ask(LIST_RECURRING, RecurringQuery(kind=("income",), active=True))
    pay = main_pay(found, payday)
    if payday is None or pay is None:
        return []
    ask = TransactionQuery(
        merchant=(pay.payee_key,), since=today - LOOKED_BACK, pending=False, limit=500
    )
    rows = (await call.ask(LIST_TRANSACTIONS, ask)).transactions
    return paydays(pay, rows, snapshot.period.since, payday)
