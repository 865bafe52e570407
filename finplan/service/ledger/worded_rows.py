"""Which row of today each of the person's words on single rows is about.

A word on a pending row goes on to the row that is posted for it: on the same account, as large, up to a
week later, and by the bank's id, the text or the payee the same. Where none is as large, it goes on to
the only one that a tip made larger.
"""

from collections import Counter
from collections.abc import Collection, Mapping

from sqlalchemy import Connection

from finplan.categorise.payee import payee_of
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.duplicates import POSTED_WITHIN
from finplan.store.queries import single_words, verdicts
from finplan.store.queries.verdicts import PostedLater

LARGEST_TIP = 30
"""By how many hundredths a charge may be larger than it waited, for a tip."""

TIPPED_WITHIN = 3
"""How many days after it waited a charge with a tip is posted."""


def find_rows_of_words(connection: Connection, owner: int) -> None:
    """Let each word hold for the row of today that it is about; of two on one row the newer does."""
    said = single_words.list_words(connection, owner)
    words = {word["row_no"]: word["no"] for word in said}
    if not words:
        return
    posted = verdicts.current_rows(connection, owner)
    waiting = verdicts.current_pending(connection, owner)
    left = words.keys() - posted.keys() - waiting.keys()
    taken = {posted[row] for row in words.keys() & posted.keys()}
    later = _posted_since(verdicts.posted_later(connection, owner, left), taken)
    larger = verdicts.posted_later(connection, owner, left - later.keys(), larger=True)
    held = {word["row_no"]: word["tx_no"] for word in said if word["tx_no"] is not None}
    later |= _with_a_tip(larger, {*taken, *later.values()}, held)
    single_words.set_rows(
        connection,
        owner,
        posted={number: {**posted, **later}.get(row) for row, number in words.items()},
        pending={number: waiting.get(row) for row, number in words.items()},
    )


def _posted_since(candidates: Collection[PostedLater], taken: Collection[int]) -> dict[int, int]:
    """The posted row that each remembered pending one became: the likest, and then the earliest.

    No row is what two became, so that each of two equal charges keeps what was said of it.
    """
    likely = [
        (-_likeness(each), each.day, each.no, each.was_day, each.was)
        for each in candidates
        if 0 <= ORDINAL[each.day] - ORDINAL[each.was_day] <= POSTED_WITHIN and _likeness(each)
    ]
    found: dict[int, int] = {}
    free = {no for _, _, no, _, _ in likely}.difference(taken)
    for _, _, no, _, was in sorted(likely):
        if no in free and was not in found:
            found[was] = no
            free.remove(no)
    return found


def _with_a_tip(
    candidates: Collection[PostedLater], taken: Collection[int], held: Mapping[int, int]
) -> dict[int, int]:
    """The larger row that each remembered pending one became: one that no other may be, nor it another.

    `held` are the rows that words are on already, where they stay.
    """
    found: dict[int, list[int]] = {}
    for each in candidates:
        days = ORDINAL[each.day] - ORDINAL[each.was_day]
        tip = 100 * abs(each.amount) <= (100 + LARGEST_TIP) * abs(each.was_amount)
        if tip and _likeness(each) and 0 <= days <= TIPPED_WITHIN and each.no not in taken:
            found.setdefault(each.was, []).append(each.no)
    for was, rows in found.items():
        found[was] = [held[was]] if held.get(was) in rows else rows
    wanted = Counter(row for rows in found.values() for row in rows)
    return {was: rows[0] for was, rows in found.items() if len(rows) == 1 and wanted[rows[0]] == 1}


def _likeness(row: PostedLater) -> int:
    """How surely a posted row is the one that was pending; 0 where nothing but its size says so."""
    if row.by_banks_id:
        return 3
    if row.raw == row.was_raw:
        return 2
    return int(payee_of(row.raw, None).key == payee_of(row.was_raw, None).key)
