"""Stated balances that the rows between them do not explain, though no statement is missing there.

Then a row is missing, is there twice, or was read wrongly. Source: plan-semantics, section 8.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from finplan.plan.ledger.classes import counts_in_totals
from finplan.plan.ledger.ledger import (
    ACCOUNT,
    AMOUNT,
    DAY,
    Ledger,
    LedgerAccount,
    RecordedBalance,
)

_UNCERTAIN = 10
"""Rows on the days of two balances, at most, of which each may be counted in them or not."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two stated balances of an account, and by how much the rows between fail to explain the later.

    `missing` is positive where money came in that no row tells of, or where money went out twice.
    """

    account: LedgerAccount
    earlier: RecordedBalance
    later: RecordedBalance
    missing: int


def contradictions(ledger: Ledger, oldest: int) -> Iterator[Contradiction]:
    """The contradictions of the accounts that totals count, account by account, in the order of days.

    Only balances of statements from a day YYYYMMDD on are compared: what the person or a bank says of
    now may count what is not booked yet.
    """
    stated = _stated(ledger, oldest)
    if not stated:
        return
    moves: dict[int, list[tuple[int, int]]] = {number: [] for number in stated}
    for row in ledger.rows:
        if row[DAY] >= oldest and row[ACCOUNT] in moves:
            moves[row[ACCOUNT]].append((row[DAY], row[AMOUNT]))
    for number, balances in stated.items():
        account = ledger.accounts[number]
        ordered = sorted(moves[number])
        for earlier, later in pairwise(balances):
            if any(
                each.since <= earlier.day and later.day <= each.until for each in account.coverage
            ):
                missing = _unexplained(account, ordered, earlier, later)
                if missing:
                    yield Contradiction(account, earlier, later, missing)


def _stated(ledger: Ledger, oldest: int) -> Mapping[int, Sequence[RecordedBalance]]:
    """The balances that statements stated of each account that has two, in order."""
    found: defaultdict[int, list[RecordedBalance]] = defaultdict(list)
    for record in ledger.recorded:
        account = ledger.accounts[record.account]
        counts = counts_in_totals(account, ledger.settings.currency)
        if record.stated and record.day >= oldest and counts:
            found[record.account].append(record)
    return {number: each for number, each in found.items() if len(each) > 1}


def _unexplained(
    account: LedgerAccount,
    moves: Sequence[tuple[int, int]],
    earlier: RecordedBalance,
    later: RecordedBalance,
) -> int:
    """What the rows between two balances leave open, as money that came in; 0 where they may fit."""
    sign = -1 if account.kind == "credit" else 1
    day = itemgetter(0)
    first, after = (find(moves, earlier.day, key=day) for find in (bisect_left, bisect_right))
    before, last = (find(moves, later.day, key=day) for find in (bisect_left, bisect_right))
    change = sign * (later.balance - earlier.balance)
    left = change - sum(amount for _, amount in moves[after:last])
    # A balance that was fetched during its day counts some of that day's rows.
    uncertain = [-amount for _, amount in moves[first:after]]
    uncertain += [amount for _, amount in moves[before:last]]
    if len(uncertain) > _UNCERTAIN:
        return 0
    possible = {left}
    for amount in uncertain:
        possible |= {each + amount for each in possible}
    return 0 if 0 in possible else left
