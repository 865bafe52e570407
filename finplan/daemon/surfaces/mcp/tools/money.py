"""The tools about money now and ahead: what is safe to spend, the days ahead, wealth, accounts."""

from datetime import date
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool, ToolReply
from finplan.daemon.surfaces.mcp.tools.wording import write_text
from finplan.model import snapshot
from finplan.model.account import AccountKind, AccountRecord
from finplan.model.base import Amount, Nothing, Timestamp, Whole, Wire
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.plan import SHOW_FORECAST, SHOW_SNAPSHOT, SHOW_WEALTH
from finplan.views import accounts as accounts_view, ahead as ahead_view, live
from finplan.views.live_text import explain_shortage, today_headed

MOST_POINTS = 13
"""How many days a line is told by, at most: of a history, a year's ends of months and today."""


class MonthGroup(Wire):
    """A theme of spending this calendar month: `left` is monthly minus spent minus upcoming."""

    label: str
    monthly: Amount
    spent: Amount
    upcoming: Amount
    left: Amount


class DueCharge(Wire):
    """A charge that is expected; positive when money goes out."""

    date: date
    name: str
    amount: Amount


class SnapshotTold(Wire):
    """What is safe to spend until payday, and what comes meanwhile.

    `headed` is what today's amount is; `why` tells why nothing is safe to spend, and until when.
    """

    headed: str
    why: str
    allowance: snapshot.Allowance
    balances: snapshot.SnapshotBalances
    upcoming: tuple[DueCharge, ...]
    groups: tuple[MonthGroup, ...]
    spendable_from: date | None
    guard: Amount | None
    synced_at: Timestamp | None
    gaps: snapshot.Gaps


async def get_snapshot(call: Call, _ask: Nothing) -> ToolReply[SnapshotTold]:
    """The live view of the household's money. Raises NoConnections."""
    now: snapshot.Snapshot = await call.ask(SHOW_SNAPSHOT)
    how = await call.how()
    shown = SnapshotTold.of(
        now,
        headed=today_headed(now)[0],
        why=explain_shortage(now, how.currency),
        upcoming=tuple(DueCharge.of(each, name=each.title) for each in now.upcoming),
        groups=tuple(map(MonthGroup.of, now.groups)),
        guard=now.period.guard,
    )
    return ToolReply(shown, write_text(live.brief(now, how)))


class ForecastQuestion(Wire):
    """How far to look ahead."""

    days: Annotated[
        int, Field(ge=1, le=snapshot.FURTHEST_DAY_AHEAD, description="How many days after today.")
    ] = 30


class ForecastPoint(Wire):
    """Cash at the end of a day, and the range that four of five paths stay within."""

    date: date
    expected: Amount
    low: Amount | None
    high: Amount | None


class ForecastMove(Wire):
    """A dated thing that moves cash: positive comes in."""

    date: date
    kind: str
    name: str
    amount: Amount


class ForecastTold(Wire):
    """Cash ahead: some days of the line, its lowest day, and what is known to move it."""

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    start: Amount | None
    lowest: snapshot.ForecastLow | None
    points: tuple[ForecastPoint, ...]
    moves: tuple[ForecastMove, ...]
    more_moves: Whole
    notes: tuple[str, ...]


MOST_MOVES = 30


async def get_forecast(call: Call, ask: ForecastQuestion) -> ToolReply[ForecastTold]:
    """What cash is expected to be. Raises NoConnections."""
    ahead: snapshot.Forecast = await call.ask(SHOW_FORECAST, snapshot.ForecastQuery(days=ask.days))
    step = max(1, -(-(len(ahead.days) - 1) // (MOST_POINTS - 1)))
    shown = [*ahead.days[:-1:step], *ahead.days[-1:]]
    moves = [
        ForecastMove.of(item, date=day.date)
        for day in ahead.days
        for item in ahead_view.named_items(day)
    ]
    forecast = ForecastTold.of(
        ahead,
        lowest=ahead.low,
        points=tuple(map(ForecastPoint.of, shown)),
        moves=tuple(moves[:MOST_MOVES]),
        more_moves=max(0, len(moves) - MOST_MOVES),
    )
    return ToolReply(forecast, write_text(ahead_view.brief_forecast(ahead, await call.how())))


class WealthTold(Wire):
    """Balances today, and net worth at some days, the last of which is today."""

    today: date
    balances: snapshot.WealthBalances
    history: tuple[snapshot.WealthPoint, ...]


async def get_wealth(call: Call, _ask: Nothing) -> ToolReply[WealthTold]:
    """What is owned and owed, today and over time."""
    wealth: snapshot.Wealth = await call.ask(SHOW_WEALTH)
    *past, now = wealth.history
    step = max(1, -(-len(past) // (MOST_POINTS - 1)))
    # Counted from the end, so that what the change is told from is one of them.
    shown = (*reversed(past[::-1][::step]), now)
    has = WealthTold(today=wealth.today, balances=wealth.balances, history=shown)
    return ToolReply(has, write_text(ahead_view.brief_wealth(wealth, shown, await call.how())))


class AccountTold(Wire):
    """An account; its balance is what is owned, or owed where the kind is credit or loan."""

    id: str
    institution_name: str
    name: str
    mask: str | None
    kind: AccountKind
    subtype: str | None
    balance: Amount | None
    currency: str
    hidden: bool


class AccountsTold(Wire):
    """The accounts."""

    accounts: tuple[AccountTold, ...]


async def list_accounts(call: Call, _ask: Nothing) -> ToolReply[AccountsTold]:
    """The accounts with their balances, each in its own currency."""
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS)
    accounts = tuple(
        AccountTold.of(each.account, currency=each.currency, hidden=each.hidden) for each in records
    )
    return ToolReply(AccountsTold(accounts=accounts), write_text(accounts_view.brief(records)))


SNAPSHOT = Tool(
    "get_snapshot",
    "Safe to spend",
    "Safe to spend today and until payday, bills due soon, and this month's spending. Use it for "
    "'can I afford this'.",
    (SHOW_SNAPSHOT,),
    "reads",
    get_snapshot,
)
FORECAST = Tool(
    "get_forecast",
    "Forecast",
    "Expected cash for the coming days: the range, the lowest day, and known pay and bills.",
    (SHOW_FORECAST,),
    "reads",
    get_forecast,
)
WEALTH = Tool(
    "get_wealth",
    "Net worth",
    "The person's assets and debts today, and net worth over time.",
    (SHOW_WEALTH,),
    "reads",
    get_wealth,
)
ACCOUNTS = Tool(
    "list_accounts",
    "List accounts",
    "Accounts with their kinds, balances and currencies.",
    (LIST_ACCOUNT_RECORDS,),
    "reads",
    list_accounts,
)
