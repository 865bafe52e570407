"""Rematching: a row is paired afresh once the person says, or says no more, what it is for by itself."""

from sqlalchemy import Connection

from finplan.service.derived.household import catalogue_of
from finplan.service.ledger.categorisation import categorise_payees
from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.transfer_matching import (
    keeps_from_pairs,
    match_rows,
    unpair_rows,
)
from finplan.store.queries import payees, transfers
from finplan.store.queries.single_words import RowWord


def heed_word(connection: Connection, owner: int, row: int, before: RowWord, word: RowWord) -> bool:
    """Let the pairs of a posted row follow from the word on it; answers whether any may have changed.

    Where the word keeps a row from pairs, or does so no more, all rows that might be its other leg are
    matched afresh with it, so that the pairs are those that there would be without the word before.
    """
    catalogue = catalogue_of(connection, owner)
    if (before.category, before.parts) == (word.category, word.parts) or not (
        keeps_from_pairs(before, catalogue) or keeps_from_pairs(word, catalogue)
    ):
        return False
    rows = [row, *transfers.opposites(connection, owner, row)]
    if len(rows) == 1 and not transfers.is_paired(connection, row):
        return False
    rows += unpair_rows(connection, owner, rows)
    # Rows in no pair count by their category, and a payee is categorised by its rows that count.
    recount_accounts(connection, owner)
    categorise_payees(connection, owner, payees.payees_of_rows(connection, rows))
    categorise_payees(connection, owner, match_rows(connection, owner, rows))
    return True
