"""The days on which pay came, for words such as "this pay period"."""

from datetime import date

from finplan.model.base import Nothing
from finplan.model.live.paydays import LOOKED_BACK, main_pay, paydays
from finplan.model.recurring import RecurringQuery
from finplan.model.transaction import TransactionQuery
from finplan.operations.detection import LIST_RECURRING
from finplan.operations.plan import SHOW_SNAPSHOT
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.tui.feed import Feed


async def known_paydays(feed: Feed, today: date) -> list[date]:
    """The days on which the main pay came lately, and the next one. Raises NotAnswered."""
    payday = (await feed.ask(SHOW_SNAPSHOT, Nothing())).allowance.payday
    found = await feed.ask(LIST_RECURRING, RecurringQuery(kind=("income",), active=True))
    pay = main_pay(found, payday)
    if payday is None or pay is None:
        return []
    query = TransactionQuery(
        merchant=(pay.payee_key,), since=today - LOOKED_BACK, pending=False, limit=500
    )
    rows = (await feed.ask(LIST_TRANSACTIONS, query)).transactions
    return paydays(pay, rows, payday, today)
