"""Setting rows aside that are copies of others, by the person's word, and bringing them back.

A copy stays away however often a bank or a file brings it, and comes back when the row that it is a copy
of goes.
"""

from sqlalchemy import Connection

from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.transfer_matching import unpair_rows
from finplan.store.queries import duplicates


def apply_duplicate_verdicts(connection: Connection, owner: int) -> list[int]:
    """Apply every verdict on rows; answers the numbers of the posted rows that have to be matched."""
    decided = [
        each for each in duplicates.duplicate_verdicts(connection, owner) if not each.accounts
    ]
    if not decided:
        return []
    aside = duplicates.rows_set_aside(connection, owner)
    changed: list[int] = []
    for each in decided:
        if each.verdict == "same" and each.kept is not None:
            changed += _set_aside(connection, owner, each)
        elif each.no in aside:
            back = duplicates.restore_row(connection, each.no)
            changed += [] if back is None else [back]
    if changed:
        recount_accounts(connection, owner)
    return changed


def _set_aside(
    connection: Connection, owner: int, verdict: duplicates.SavedDuplicateVerdict
) -> list[int]:
    if verdict.other is None or (verdict.other == verdict.kept and not verdict.pending):
        return []
    if verdict.pending:
        duplicates.set_pending_aside(connection, verdict.no, verdict.other)
        return []
    unpaired = unpair_rows(connection, owner, [verdict.other])
    duplicates.set_row_aside(connection, verdict.no, verdict.other)
    return unpaired
