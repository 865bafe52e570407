"""A household that is known to a day, and what its cash truly was on the days after it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from random import Random

from benchmarks.quality.chain import ledger_of
from benchmarks.quality.forecast.unrest import unruly_household
from benchmarks.quality.world.truth import Household, Span
from finplan.plan.ledger.ledger import Ledger, LedgerAccount
from finplan.plan.live.schedule import cash_accounts

DAYS = 60
"""So many days of each household are hidden, and foretold."""

_CASH = (100_000, 1_500_000)
_LATEST = 4


@dataclass(frozen=True, slots=True)
class Future:
    """The ledger of a household on `today`, and the change of its cash on each day since its first.

    `past` are the changes of the days to today, the oldest first; `true` is what cash was on each
    evening after today.
    """

    ledger: Ledger
    today: date
    past: Sequence[int]
    true: Sequence[int]


def future(seed: int, later: int = 0) -> Future | None:
    """The household of a seed with its last days hidden; balances are of its last known day.

    It is known so many days `later` than that, with what the days between brought. None for a household
    whose cards are paid as nobody pays them.
    """
    whole = unruly_household(seed)
    if _pays_as_nobody_does(whole):
        return None
    first_cut = whole.today - timedelta(DAYS)
    today = first_cut + timedelta(later)
    known = _until(whole, today)
    ledger = ledger_of(known)
    at_hand = cash_accounts(ledger)
    cash = Random(seed).randint(*_CASH) + sum(
        row.amount for row in whole.rows if row.account in at_hand and first_cut < row.day <= today
    )
    ledger = replace(ledger, accounts=_balances(known, ledger, at_hand, cash))
    first = min(row.day for row in whole.rows)
    moved = [0] * ((whole.today - first).days + 1)
    for row in whole.rows:
        if row.account in at_hand:
            moved[(row.day - first).days] += row.amount
    split = (today - first).days + 1
    true, evening = [], cash
    for change in moved[split:]:
        evening += change
        true.append(evening)
    return Future(ledger, today, moved[:split], true)


def _balances(
    known: Household, ledger: Ledger, at_hand: Collection[int], cash: int
) -> Mapping[int, LedgerAccount]:
    """All cash on the first account of its kind, and what each card owes."""
    first = min(at_hand)
    found = {}
    for number, account in ledger.accounts.items():
        balance = account.balance
        if number in at_hand:
            balance = cash if number == first else 0
        elif account.kind == "credit":
            balance = _owed(known, number)
        found[number] = replace(account, balance=balance)
    return found


def _owed(known: Household, card: int) -> int:
    """What a card owes: all that its rows leave, or where it is paid in full, all since it was.

    Rows that are lost with their statements would leave a card that is paid in full with a debt.
    """
    paired = {row.pair for row in known.rows if row.account == card and row.amount > 0} - {None}
    paid = [row for row in known.rows if row.pair in paired and row.amount < 0]
    latest = [-row.amount for row in paid[-_LATEST:]]
    in_part = 2 * sum(amount % 500 == 0 for amount in latest) > len(latest)
    since = paid[-1].day if paid and not in_part else date.min
    rows = (row for row in known.rows if row.account == card and row.day >= since)
    return max(0, -sum(row.amount for row in rows if in_part or row.pair not in paired))


def _pays_as_nobody_does(whole: Household) -> bool:
    """Whether two cards are of one issuer: each is paid the same 35 a month, whatever it owes."""
    issuers = [each.institution for each in whole.accounts if each.kind == "credit"]
    return len({*issuers}) < len(issuers)


def _until(whole: Household, today: date) -> Household:
    """A household as it was known on a day."""
    rows = [row for row in whole.rows if row.day <= today]
    last = {row.account: row.day for row in rows}
    coverage = {
        account: [
            Span(span.since, min(span.until, today if span.stated else last[account]), span.stated)
            for span in spans
            if span.since <= today and account in last
        ]
        for account, spans in whole.coverage.items()
    }
    return replace(whole, today=today, rows=rows, coverage=coverage)
