"""Net worth today, and how it came about: month ends of up to two years.

Cash and cards are today's balances with later rows taken back. Investments and loans are the balances
that were recorded, held flat before the first record: growth that nobody saw is not drawn.
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from finplan.model.wealth import Wealth, WealthBalances, WealthPoint
from finplan.plan.days import add_months, date_of, day_of, last_day
from finplan.plan.ledger import Ledger, LedgerAccount
from finplan.plan.roles import role_of
from finplan.plan.snapshot import shown_accounts, take_snapshot

_MONTH_ENDS = 24

_MATERIAL = 20
"""An account whose rows move one twentieth of the money must be covered before history begins."""


_Record = tuple[int, int]
"""A day YYYYMMDD and the balance on it."""


def wealth(ledger: Ledger, today: date) -> Wealth:
    """Balances and their history; the last point is today and equals the balances.

    `available` is cash after cards: cash less what is owed on them; an overpaid card adds nothing.
    Debts are signed, so netWorth = assets - debts at each point.
    """
    now = take_snapshot(ledger)
    owed = sum(
        max(0, account.balance or 0)
        for _, account in shown_accounts(ledger)
        if account.kind == "credit" and _plays(account, ledger)
    )
    return Wealth(
        today=today,
        balances=WealthBalances(
            cash=now.liquid_cash,
            investments=now.investments,
            card_debt=now.credit_card_debt,
            loans=now.other_debt,
            net_worth=now.net_worth,
            available=now.liquid_cash - owed,
        ),
        history=_history(ledger, today),
    )


def _plays(account: LedgerAccount, ledger: Ledger) -> bool:
    """Whether an account has a balance that counts: household currency, a role, not unknown."""
    return account.balance is not None and role_of(account, ledger.settings.currency) != "none"


def _history(ledger: Ledger, today: date) -> tuple[WealthPoint, ...]:
    accounts = {
        number: account for number, account in shown_accounts(ledger) if _plays(account, ledger)
    }
    by_rows = {
        number
        for number, account in accounts.items()
        if account.kind == "credit" or role_of(account, ledger.settings.currency) == "cash"
    }
    first_month = add_months(today.year * 100 + today.month, -_MONTH_ENDS)
    flows = _flows(ledger, by_rows, first_month, day_of(today))
    records = _records(ledger, accounts.keys() - by_rows)
    begin = _begin(flows, records, day_of(today))
    ends = [last_day(add_months(first_month, place)) for place in range(_MONTH_ENDS)]
    return tuple(
        _point(day, accounts, flows, records, day_of(today))
        for day in [*(end for end in ends if end >= begin), day_of(today)]
    )


def _begin(flows: Mapping[int, "_Flow"], records: Mapping[int, Sequence[_Record]], now: int) -> int:
    """The first day of history: every material account is covered, else the first record."""
    starts = [flow.since for flow in flows.values() if flow.material]
    if starts:
        return max(starts)
    return min((known[0][0] for known in records.values() if known), default=now)


@dataclass(slots=True)
class _Flow:
    """An account's rows: their signed sums by month, and from which day they are known."""

    since: int
    by_month: dict[int, int] = field(default_factory=dict)
    material: bool = False

    def after(self, day: int) -> int:
        """The signed sum of the rows later than a month's end."""
        return sum(amount for month, amount in self.by_month.items() if month > day // 100)


def _flows(
    ledger: Ledger, numbers: Collection[int], first_month: int, present: int
) -> dict[int, _Flow]:
    """What moved on cash and card accounts, those without rows left out: they have stood still."""
    since: dict[int, int] = {}
    sums: dict[tuple[int, int], int] = {}
    moved: dict[int, int] = {}
    for _, number, day, amount, _, _ in ledger.rows:
        if number not in numbers or day > present:
            continue
        if day < since.get(number, present + 1):
            since[number] = day
        month = day // 100
        if month > first_month:
            sums[number, month] = sums.get((number, month), 0) + amount
            moved[number] = moved.get(number, 0) + abs(amount)
    everything = sum(moved.values())
    flows = {
        number: _Flow(
            since=min(day, ledger.accounts[number].covered_since or day),
            material=moved.get(number, 0) * _MATERIAL >= everything > 0,
        )
        for number, day in since.items()
    }
    for (number, month), amount in sums.items():
        flows[number].by_month[month] = amount
    return flows


def _records(ledger: Ledger, numbers: Collection[int]) -> dict[int, list[_Record]]:
    """The recorded balances of investments and loans, (day, balance), oldest first."""
    records: dict[int, list[_Record]] = {number: [] for number in numbers}
    for record in ledger.recorded:
        if record.account in records:
            records[record.account].append((record.day, record.balance))
    for known in records.values():
        known.sort()
    return records


def _point(
    day: int,
    accounts: Mapping[int, LedgerAccount],
    flows: Mapping[int, _Flow],
    records: Mapping[int, Sequence[_Record]],
    present: int,
) -> WealthPoint:
    assets = debts = 0
    for number, account in accounts.items():
        assert account.balance is not None, "Only accounts with a balance have a history."
        debt = account.kind in {"credit", "loan"}
        balance = account.balance
        if day < present and number in records:
            balance = _recorded(records[number], day, balance)
        elif day < present and number in flows:
            later = flows[number].after(day)
            balance += later if debt else -later
        if debt:
            debts += balance
        else:
            assets += balance
    return WealthPoint(date=date_of(day), assets=assets, debts=debts, net_worth=assets - debts)


def _recorded(known: Sequence[_Record], day: int, today: int) -> int:
    """The balance on a day: the last recorded by then, else the first ever, else today's."""
    if not known:
        return today
    place = bisect_right(known, day, key=lambda record: record[0])
    return known[max(0, place - 1)][1]
