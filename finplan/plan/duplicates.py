"""Accounts that look like one account seen through two connections."""

from collections.abc import Iterator
from itertools import combinations

from finplan.plan.ledger import Ledger, LedgerAccount
from finplan.plan.snapshot import shown_accounts


def likely_duplicates(ledger: Ledger) -> list[tuple[LedgerAccount, LedgerAccount]]:
    """Pairs of shown accounts of one institution, mask, kind and currency whose rows are the same.

    They must come from different connections and share at least half of the rows of the one that has
    fewer in the days that both cover.
    """
    return [
        (ledger.accounts[one], ledger.accounts[other])
        for one, other in _alike(ledger)
        if _same_rows(ledger, one, other)
    ]


def _alike(ledger: Ledger) -> Iterator[tuple[int, int]]:
    for (one, first), (other, second) in combinations(shown_accounts(ledger), 2):
        if (
            first.mask
            and first.connection_id != second.connection_id
            and (
                (first.institution, first.mask, first.kind, first.currency)
                == (second.institution, second.mask, second.kind, second.currency)
            )
        ):
            yield one, other


def _same_rows(ledger: Ledger, one: int, other: int) -> bool:
    seen: dict[int, set[tuple[int, int]]] = {one: set(), other: set()}
    for row in ledger.rows:
        if row[1] in seen:
            seen[row[1]].add((row[2], row[3]))
    if not all(seen.values()):
        return False
    since = max(min(rows)[0] for rows in seen.values())
    until = min(max(rows)[0] for rows in seen.values())
    first, second = (
        {(day, amount) for day, amount in rows if since <= day <= until} for rows in seen.values()
    )
    fewer = min(len(first), len(second))
    return fewer > 0 and 2 * len(first & second) >= fewer
