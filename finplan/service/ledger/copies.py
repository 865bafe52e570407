"""Setting rows aside that are copies of others, by the person's word, and bringing them back.

A copy stays away however often a bank or a file brings it, and comes back when the row that it is a copy
of goes.
"""

from sqlalchemy import Connection

from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.transfer_matching import part_rows
from finplan.store.queries import duplicates


def settle_copies(connection: Connection, owner: int) -> list[int]:
    """Let every verdict on rows hold; answers the posted rows whose pairs have to be looked for."""
    said = [each for each in duplicates.on_duplicates(connection, owner) if not each.accounts]
    if not said:
        return []
    aside = duplicates.aside(connection, owner)
    changed: list[int] = []
    for each in said:
        if each.verdict == "same" and each.kept is not None:
            changed += _set_aside(connection, owner, each)
        elif each.no in aside:
            back = duplicates.bring_back(connection, each.no)
            changed += [] if back is None else [back]
    if changed:
        recount_accounts(connection, owner)
    return changed


def _set_aside(connection: Connection, owner: int, said: duplicates.OnDuplicate) -> list[int]:
    if said.other is None or (said.other == said.kept and not said.pending):
        return []
    if said.pending:
        duplicates.set_pending_aside(connection, said.no, said.other)
        return []
    alone = part_rows(connection, owner, [said.other])
    duplicates.set_row_aside(connection, said.no, said.other)
    return alone
