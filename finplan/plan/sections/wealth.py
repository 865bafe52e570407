"""What the household owns and owes today, and how it came about: month ends of up to two years.

Today's balances are told by the role that each account plays. Cash and cards are today's balances
with later rows taken back. Where statements are missing between others, rows of them moved the
balance and nobody knows how, so the days before a hole are told by a balance that was stated there,
and the days in a hole not at all (plan-semantics, section 8). What has left one account and not yet
arrived on another is cash on its way. Investments and loans are the balances that were recorded,
held flat before the first record: growth that nobody saw is not drawn.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate
from operator import itemgetter

from finplan.model.account import AccountKind
from finplan.model.plan import PlanSnapshot, Role, SnapshotAccount
from finplan.model.snapshot import Wealth, WealthBalances, WealthPoint
from finplan.plan.ledger.classes import role_of, shown_accounts
from finplan.plan.ledger.days import add_months, date_of, day_of, last_day, widened
from finplan.plan.ledger.ledger import Ledger, LedgerAccount
from finplan.plan.ledger.window import MATERIAL


def take_snapshot(ledger: Ledger) -> PlanSnapshot:
    """Balances by role. Debts are signed, so an overpaid card lowers them and net worth is exact.

    netWorth = liquidCash + investments - creditCardDebt - otherDebt. An account without a balance
    keeps its role and adds 0.
    """
    accounts = tuple(
        SnapshotAccount.of(
            account,
            institution_name=account.institution,
            role=role_of(account, ledger.settings.currency),
        )
        for _, account in shown_accounts(ledger)
    )
    sums: Counter[str] = Counter()
    for account in accounts:
        sums[account.kind if account.role == "debt" else account.role] += account.balance or 0
    cash, investments, cards, loans = (
        sums[kind] for kind in ("cash", "investment", "credit", "loan")
    )
    return PlanSnapshot(
        liquid_cash=cash,
        credit_card_debt=cards,
        other_debt=loans,
        investments=investments,
        net_worth=cash + investments - cards - loans,
        accounts=accounts,
    )


def knows_cash(ledger: Ledger) -> bool:
    """Whether there is cash and its every balance is known, so that it can be said to be short."""
    return _knows_all(ledger, "cash", "depository")


def knows_cards(ledger: Ledger) -> bool:
    """Whether the balance of every card is known, where there is any."""
    return _knows_all(ledger, "debt", "credit", otherwise=True)


def _knows_all(ledger: Ledger, role: Role, kind: AccountKind, *, otherwise: bool = False) -> bool:
    balances = [
        account.balance
        for _, account in shown_accounts(ledger)
        if account.kind == kind and role_of(account, ledger.settings.currency) == role
    ]
    return None not in balances if balances else otherwise


_Record = tuple[int, int]
"""A day YYYYMMDD and the balance on it."""

_DAY_OF_RECORD = itemgetter(0)


class PastBalances:
    """The balances of an account with holes; `moves` are day and amount of its rows in any order.

    `stated` are days and balances in order. Days are YYYYMMDD; a balance is owned, or on credit and loan
    accounts owed.
    """

    def __init__(
        self,
        account: LedgerAccount,
        moves: Iterable[tuple[int, int]],
        stated: Sequence[tuple[int, int]],
    ) -> None:
        ordered = sorted(moves)
        self._days = [day for day, _ in ordered]
        self._sums = [0, *accumulate(amount for _, amount in ordered)]
        self._sign = -1 if account.kind in {"credit", "loan"} else 1
        self._runs = [widened(interval) for interval in account.coverage]
        self._stated = stated

    def on(self, day: int) -> int | None:
        """The balance at the end of a day before the last hole; None where nothing tells it."""
        run = next((run for run in self._runs if day <= run.until), self._runs[-1])
        if day < run.since and run is not self._runs[0]:
            return None
        # Where stated balances contradict each other, the later one holds.
        index = bisect_right(self._stated, run.until, key=_DAY_OF_RECORD) - 1
        if index < 0 or self._stated[index][0] < run.since:
            return None
        stated, balance = self._stated[index]
        return balance + self._sign * (self._sum_until(day) - self._sum_until(stated))

    def is_after_holes(self, day: int) -> bool:
        """Whether every day from this one on is covered, so that today's balance tells this day's."""
        return day >= self._runs[-1].since

    def _sum_until(self, day: int) -> int:
        """What all rows up to the end of a day add up to."""
        return self._sums[bisect_right(self._days, day)]


_MONTH_ENDS = 24


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
    # Of an account that the person added without rows, balances say all that is known.
    by_balance = {number for number in by_rows - flows.keys() if accounts[number].own}
    records = _records(ledger, (accounts.keys() - by_rows) | by_balance)
    begin = _begin(accounts, flows, records, day_of(today))
    past = _past_balances(ledger, accounts, flows)
    on_its_way = _on_its_way(ledger, by_rows, first_month)
    ends = [last_day(add_months(first_month, index)) for index in range(_MONTH_ENDS)]
    points = (
        _point(day, accounts, flows, records, past, on_its_way, day_of(today))
        for day in [*(end for end in ends if end >= begin), day_of(today)]
    )
    return tuple(point for point in points if point is not None)


def _past_balances(
    ledger: Ledger, accounts: Mapping[int, LedgerAccount], flows: Mapping[int, "_Flow"]
) -> dict[int, PastBalances]:
    """The past of each material account whose statements have holes."""
    numbers = {
        number
        for number, flow in flows.items()
        if flow.material and len(accounts[number].coverage) > 1
    }
    if not numbers:
        return {}
    moves, stated = ledger.moves_on(numbers), _records(ledger, numbers)
    return {
        number: PastBalances(accounts[number], moves[number], stated[number]) for number in numbers
    }


def _begin(
    accounts: Mapping[int, LedgerAccount],
    flows: Mapping[int, "_Flow"],
    records: Mapping[int, Sequence[_Record]],
    present: int,
) -> int:
    """The day on which history begins: every material account is covered, else the first record."""
    starts = [
        min(min(flow.months) * 100 + 1, accounts[number].covered_since or present)
        for number, flow in flows.items()
        if flow.material
    ]
    if starts:
        return max(starts)
    firsts = (
        accounts[number].since or record[0][0] for number, record in records.items() if record
    )
    return min(firsts, default=present)


@dataclass(slots=True)
class _Flow:
    """How an account's rows changed its balance, by month YYYYMM, and all that moved on it lately."""

    months: dict[int, int] = field(default_factory=dict)
    moved: int = 0
    material: bool = False

    def net(self, after: int) -> int:
        """How the balance changed after a month."""
        return sum(amount for month, amount in self.months.items() if month > after)


def _flows(
    ledger: Ledger, numbers: Collection[int], first_month: int, present: int
) -> dict[int, _Flow]:
    """What moved on cash and card accounts, those without rows left out: they have stood still.

    `first_month` is the one after which in and out alike say how much an account matters.
    """
    flows = {number: _Flow() for number in numbers}
    for _, number, day, amount, _, _ in ledger.rows:
        flow = flows.get(number)
        if flow is not None and day <= present:
            month = day // 100
            flow.months[month] = flow.months.get(month, 0) + amount
            if month > first_month:
                flow.moved += abs(amount)
    measured = {number: flow for number, flow in flows.items() if flow.months}
    everything = sum(flow.moved for flow in measured.values())
    for flow in measured.values():
        flow.material = flow.moved * MATERIAL >= everything > 0
    return measured


def _on_its_way(ledger: Ledger, numbers: Collection[int], first_month: int) -> dict[int, int]:
    """What was on its way between cash and card accounts at the end of each month since the first.

    It is below zero where money arrived before it left. Only halves of pairs are on their way, where
    both are on such accounts.
    """
    counter: Counter[int] = Counter()
    for _, account, day, amount, peer, counts in ledger.rows:
        # What counts of a pair is a fee, which never arrives.
        if peer in numbers and account in numbers and not counts:
            counter[max(first_month, day // 100)] -= amount
    months = [add_months(first_month, index) for index in range(_MONTH_ENDS)]
    sums = accumulate(counter[month] for month in months)
    return dict(zip(months, sums, strict=True))


def _records(ledger: Ledger, numbers: Collection[int]) -> dict[int, list[_Record]]:
    """The recorded balances of some accounts, (day, balance), oldest first; of a day the last word."""
    records: dict[int, list[_Record]] = {number: [] for number in numbers}
    for record in ledger.recorded:
        if record.account in records:
            records[record.account].append((record.day, record.balance))
    for history in records.values():
        history.sort(key=_DAY_OF_RECORD)
    return records


def _point(
    day: int,
    accounts: Mapping[int, LedgerAccount],
    flows: Mapping[int, _Flow],
    records: Mapping[int, Sequence[_Record]],
    past: Mapping[int, PastBalances],
    on_its_way: Mapping[int, int],
    present: int,
) -> WealthPoint | None:
    """Everything on one day; None where a balance that matters is not known."""
    assets = on_its_way.get(day // 100, 0) if day < present else 0
    debts = 0
    for number, account in accounts.items():
        assert account.balance is not None, "Only accounts with a balance have a history."
        if day < _first_day(account, records.get(number, ())):
            continue
        debt = account.kind in {"credit", "loan"}
        balance = account.balance
        if day < present and number in records:
            balance = _recorded(records[number], day, balance)
        elif number in past and not past[number].is_after_holes(day):
            past_balance = past[number].on(day)
            if past_balance is None:
                return None
            balance = past_balance
        elif day < present and number in flows:
            later = flows[number].net(day // 100)
            balance += later if debt else -later
        if debt:
            debts += balance
        else:
            assets += balance
    return WealthPoint(date=date_of(day), assets=assets, debts=debts, net_worth=assets - debts)


def _first_day(account: LedgerAccount, records: Sequence[_Record]) -> int:
    """The day from which an account belongs to the household, 0 where it always did."""
    if not account.own:
        return 0
    return account.since or (records[0][0] if records else 0)


def _recorded(records: Sequence[_Record], day: int, today: int) -> int:
    """The balance on a day: the last recorded by then, else the first ever, else today's."""
    if not records:
        return today
    index = bisect_right(records, day, key=_DAY_OF_RECORD)
    return records[max(0, index - 1)][1]
