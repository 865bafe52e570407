"""Which row of today each of the person's words on single rows is about.

A word on a pending row goes on to the row that is posted for it: on the same account, as large, up to a
week later, and by the bank's id, the text or the payee the same.
"""

from collections.abc import Collection, Mapping

from sqlalchemy import Connection

from finplan.categorise.payee import payee_of
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.duplicates import POSTED_WITHIN
from finplan.store.queries import remembered, single_words
from finplan.store.queries.remembered import PostedLater


def find_rows_of_words(connection: Connection, owner: int) -> None:
    """Let each word hold for the row of today that it is about; of two on one row the newer does."""
    words = {word["row_no"]: word["no"] for word in single_words.list_words(connection, owner)}
    if not words:
        return
    posted = remembered.current_rows(connection, owner)
    waiting = remembered.current_pending(connection, owner)
    left = words.keys() - posted.keys() - waiting.keys()
    taken = {posted[row] for row in words.keys() & posted.keys()}
    later = _posted_since(remembered.posted_later(connection, owner, left), taken)
    single_words.set_rows(
        connection,
        owner,
        posted={number: {**posted, **later}.get(row) for row, number in words.items()},
        pending={number: waiting.get(row) for row, number in words.items()},
    )


def _posted_since(candidates: Collection[PostedLater], taken: Collection[int]) -> Mapping[int, int]:
    """The posted row that each remembered pending one became, the likest and then the earliest."""
    found: dict[int, tuple[int, int]] = {}
    for each in candidates:
        days = ORDINAL[each.day] - ORDINAL[each.was_day]
        likeness = _likeness(each)
        if likeness and 0 <= days <= POSTED_WITHIN and each.no not in taken:
            found[each.was] = min(found.get(each.was, (0, each.no)), (-likeness, each.no))
    return {was: no for was, (_, no) in found.items()}


def _likeness(row: PostedLater) -> int:
    """How surely a posted row is the one that was pending; 0 where nothing but its size says so."""
    if row.by_banks_id:
        return 3
    if row.raw == row.was_raw:
        return 2
    return int(payee_of(row.raw, None).key == payee_of(row.was_raw, None).key)
