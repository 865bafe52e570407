"""The tools about money now and ahead: what is safe to spend, the days ahead, wealth, accounts."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool
from finplan.daemon.surfaces.mcp.tools.wording import (
    counted,
    lines,
    listed,
    quoted,
    sentence,
    with_names,
)
from finplan.model import snapshot
from finplan.model.account import AccountKind, AccountRecord
from finplan.model.base import Amount, Nothing, Timestamp, Whole, Wire
from finplan.model.figures import money, owed_money
from finplan.model.live_words import SAFE_TODAY, short_said, today_headed
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.plan import SHOW_FORECAST, SHOW_SNAPSHOT, SHOW_WEALTH

MOST_POINTS = 13
"""How many days a line is told by, at most: of a history, a year's ends of months and today."""

MOST_SAID = 12
"""How many charges and moves a text names; the others are in what it stands beside."""


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


async def get_snapshot(call: Call, _ask: Nothing) -> SnapshotTold:
    """The live view of the household's money. Raises NoConnections."""
    now: snapshot.Snapshot = await call.ask(SHOW_SNAPSHOT)
    return SnapshotTold(
        headed=today_headed(now)[0],
        why=short_said(now, (await call.settings()).currency),
        allowance=now.allowance,
        balances=now.balances,
        upcoming=tuple(
            DueCharge(date=each.date, name=each.title, amount=each.amount) for each in now.upcoming
        ),
        groups=tuple(
            MonthGroup(
                label=each.label,
                monthly=each.monthly,
                spent=each.spent,
                upcoming=each.upcoming,
                left=each.left,
            )
            for each in now.groups
        ),
        spendable_from=now.spendable_from,
        guard=now.period.guard,
        synced_at=now.synced_at,
        gaps=now.gaps,
    )


def _say_snapshot(told: SnapshotTold, currency: str) -> str:
    allowance = told.allowance
    payday = (
        f" until {allowance.payday}, the next payday of the largest regular pay"
        if allowance.payday
        else " until the month ends"
    )
    behind = ", ".join(quoted(each.institution_name) for each in told.gaps.behind)
    more = len(told.upcoming) - MOST_SAID
    return lines(
        f"{SAFE_TODAY} is unknown, since a balance of cash is (list_accounts);"
        f" spent today {money(allowance.spent_today, currency)}."
        if told.guard is None
        else f"{told.headed}: {money(abs(allowance.today), currency)}"
        f" ({money(allowance.daily, currency)} a day{payday});"
        f" spent today {money(allowance.spent_today, currency)}."
        f" Left this period {money(allowance.breakdown.remaining, currency)},"
        f" {counted(allowance.breakdown.days_left, 'day')} with today.",
        sentence(told.why) if told.guard is not None else None,
        f"Cash {money(told.balances.cash, currency)}, net worth"
        f" {money(told.balances.net_worth, currency)}, investments included.",
        "Due in the next 30 days:" if told.upcoming else None,
        listed(
            f"{each.date} {quoted(each.name)} {money(each.amount, currency)}"
            for each in told.upcoming[:MOST_SAID]
        ),
        f"{counted(more, 'more charge')} by {told.upcoming[-1].date}." if more > 0 else None,
        f"Data are old from: {behind}." if behind else None,
    )


class ForecastQuestion(Wire):
    """How far to look ahead."""

    days: Annotated[
        int, Field(ge=1, le=snapshot.FURTHEST_DAY_AHEAD, description="Days after today.")
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


async def get_forecast(call: Call, ask: ForecastQuestion) -> ForecastTold:
    """What cash is expected to be. Raises NoConnections."""
    ahead: snapshot.Forecast = await call.ask(SHOW_FORECAST, snapshot.ForecastQuery(days=ask.days))
    step = max(1, -(-(len(ahead.days) - 1) // (MOST_POINTS - 1)))
    shown = [*ahead.days[:-1:step], *ahead.days[-1:]]
    moves = [
        ForecastMove(date=day.date, kind=item.kind, name=item.name, amount=item.amount)
        for day in ahead.days
        for item in day.items
        if item.kind != "spending"
    ]
    return ForecastTold(
        since=ahead.since,
        until=ahead.until,
        start=ahead.start,
        lowest=ahead.low,
        points=tuple(
            ForecastPoint(date=day.date, expected=day.expected, low=day.low, high=day.high)
            for day in shown
        ),
        moves=tuple(moves[:MOST_MOVES]),
        more_moves=max(0, len(moves) - MOST_MOVES),
        notes=ahead.notes,
    )


_KINDS = {"income": "pay", "bill": "bill", "card": "card bill"}


def _say_forecast(told: ForecastTold, currency: str) -> str:
    if told.start is None or told.lowest is None or not told.points:
        return lines(
            "No balance of cash is known, so nothing ahead can be told.",
            *map(with_names, told.notes),
        )
    last = told.points[-1]
    more = len(told.moves) + told.more_moves - MOST_SAID
    span = (
        ""
        if last.low is None or last.high is None
        else f" (four of five: {money(last.low, currency)} to {money(last.high, currency)})"
    )
    return lines(
        f"Cash now {money(told.start, currency)}; lowest {money(told.lowest.expected, currency)} on"
        f" {told.lowest.date}; {last.date}: {money(last.expected, currency)}{span}.",
        listed(
            f"{each.date} {_KINDS.get(each.kind, each.kind)} {quoted(each.name)}"
            f" {money(each.amount, currency)}"
            for each in told.moves[:MOST_SAID]
        ),
        f"{counted(more, 'more move')} until {told.until}." if more > 0 else None,
        *map(with_names, told.notes),
    )


class WealthTold(Wire):
    """Balances today, and net worth at some days, the last of which is today."""

    today: date
    balances: snapshot.WealthBalances
    history: tuple[snapshot.WealthPoint, ...]


async def get_wealth(call: Call, _ask: Nothing) -> WealthTold:
    """What is owned and owed, today and over time."""
    wealth: snapshot.Wealth = await call.ask(SHOW_WEALTH)
    *past, now = wealth.history
    step = max(1, -(-len(past) // (MOST_POINTS - 1)))
    # Counted from the end, so that what the change is told from is one of them.
    shown = (*reversed(past[::-1][::step]), now)
    return WealthTold(today=wealth.today, balances=wealth.balances, history=shown)


def _say_wealth(told: WealthTold, currency: str) -> str:
    has = told.balances
    return lines(
        f"Net worth {money(has.net_worth, currency)} on {told.today}: cash"
        f" {money(has.cash, currency)}, investments {money(has.investments, currency)}, cards owe"
        f" {money(has.card_debt, currency)}, loans {money(has.loans, currency)}.",
        _moved(told.history, currency),
        listed(f"{each.date}: {money(each.net_worth, currency)}" for each in told.history),
    )


def _moved(history: Sequence[snapshot.WealthPoint], currency: str) -> str | None:
    if len(history) < 2:
        return None
    before, now = history[-2:]
    change = now.net_worth - before.net_worth
    way = "up" if change > 0 else "down"
    moved = f"{way} by {money(abs(change), currency)}" if change else "unchanged"
    return f"Since {before.date} it is {moved}; explain_figure with section wealth tells why."


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


async def list_accounts(call: Call, _ask: Nothing) -> AccountsTold:
    """The accounts with their balances, each in its own currency."""
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS)
    return AccountsTold(
        accounts=tuple(
            AccountTold(
                id=each.account.id,
                institution_name=each.account.institution_name,
                name=each.account.name,
                mask=each.account.mask,
                kind=each.account.kind,
                subtype=each.account.subtype,
                balance=each.account.balance,
                currency=each.currency,
                hidden=each.hidden,
            )
            for each in records
        )
    )


def _say_accounts(told: AccountsTold, _currency: str) -> str:
    return lines(
        f"{counted(len(told.accounts), 'account')}{':' if told.accounts else '.'}",
        listed(
            f"{quoted(each.name)}{f' …{each.mask}' if each.mask else ''} at"
            f" {quoted(each.institution_name)} ({each.kind}{', hidden' if each.hidden else ''}):"
            f" {_balance(each)} [{each.id}]"
            for each in told.accounts
        ),
    )


def _balance(account: AccountTold) -> str:
    if account.balance is None:
        return "balance unknown"
    if account.kind in {"credit", "loan"}:
        return owed_money(account.balance, account.currency)
    return money(account.balance, account.currency)


SNAPSHOT = Tool(
    "get_snapshot",
    "What is safe to spend",
    "What is safe to spend today and until payday, what is due soon, and how this month stands."
    " Use it for 'can I afford'.",
    Nothing,
    SnapshotTold,
    (SHOW_SNAPSHOT,),
    "reads",
    get_snapshot,
    _say_snapshot,
)
FORECAST = Tool(
    "get_forecast",
    "Look ahead",
    "What cash is expected to be in the days ahead, its range, its lowest day, and known pay and bills.",
    ForecastQuestion,
    ForecastTold,
    (SHOW_FORECAST,),
    "reads",
    get_forecast,
    _say_forecast,
)
WEALTH = Tool(
    "get_wealth",
    "Net worth",
    "What the person owns and owes today, and net worth over time.",
    Nothing,
    WealthTold,
    (SHOW_WEALTH,),
    "reads",
    get_wealth,
    _say_wealth,
)
ACCOUNTS = Tool(
    "list_accounts",
    "List accounts",
    "Accounts with kind and balance, each in its own currency.",
    Nothing,
    AccountsTold,
    (LIST_ACCOUNT_RECORDS,),
    "reads",
    list_accounts,
    _say_accounts,
)
