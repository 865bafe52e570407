"""Rematching: a row is paired afresh once a word says what it is for by itself, or says so no more."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from sqlalchemy import Connection

from finplan.service.derived.household import catalogue_of
from finplan.service.ledger.categorisation import categorise_payees
from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.transfer_matching import (
    keeps_from_pairs,
    match_rows,
    unpair_rows,
)
from finplan.store.queries import payees, people, single_words, transfers, verdicts
from finplan.store.queries.single_words import RowWord

TRANSFER = "transfer"
"""The category of money between own accounts."""


def heed_word(connection: Connection, owner: int, row: int, before: RowWord, word: RowWord) -> bool:
    """Let the pairs of a posted row follow from the word on it; answers whether any may have changed."""
    catalogue = catalogue_of(connection, owner)
    keeps = keeps_from_pairs(word, catalogue)
    is_moved = TRANSFER in (before.category, word.category) and before.category != word.category
    if keeps == keeps_from_pairs(before, catalogue) and not is_moved:
        return False
    return _match_afresh(connection, owner, row, keeps=keeps)


def unfile_row(connection: Connection, owner: int, number: int) -> None:
    """Leave the row of a word, by the word's number, to rules and to its pair again; a note stays."""
    row, word = single_words.find_word(connection, number)
    single_words.unfile(connection, number)
    if row is not None and heed_word(connection, owner, row, word, RowWord(note=word.note)):
        people.raise_generation(connection, owner)


def heed_rule(connection: Connection, owner: int, payee: int, categories: Iterable[str]) -> bool:
    """Let the pairs of a payee follow from a rule that came or went; answers whether any may have.

    `categories` are those that the rule names and named. What the person puts between own accounts is
    paired with its other halves, whatever their age, and parted from them once it is not.
    """
    if TRANSFER not in categories:
        return False
    rows = transfers.rows_of_payee(connection, owner, payee)
    confirmed = {
        row
        for verdict in verdicts.transfer_verdicts(connection, owner)
        if verdict.verdict == "confirm"
        for row in (verdict.out, verdict.into)
    }
    loose = [row for row in rows if row not in confirmed]
    parted = unpair_rows(connection, owner, loose)
    recount_accounts(connection, owner)
    touched = [payee, *payees.payees_of_rows(connection, parted)]
    categorise_payees(connection, owner, touched)
    paired = match_rows(connection, owner, [*loose, *parted])
    categorise_payees(connection, owner, paired)
    people.raise_generation(connection, owner)
    return True


def kept_apart(connection: Connection, owner: int) -> frozenset[int]:
    """The posted rows that the person's words keep from pairs."""
    catalogue = catalogue_of(connection, owner)
    words = single_words.words_on_posted(connection, owner)
    return frozenset(row for row, word in words.items() if keeps_from_pairs(word, catalogue))


def heed_categories(connection: Connection, owner: int, kept_before: AbstractSet[int]) -> None:
    """Match the rows afresh that words keep from pairs now and did not before, or the reverse."""
    kept_now = kept_apart(connection, owner)
    for row in sorted(kept_before ^ kept_now):
        if _match_afresh(connection, owner, row, keeps=row in kept_now):
            people.raise_generation(connection, owner)


def _match_afresh(connection: Connection, owner: int, row: int, *, keeps: bool) -> bool:
    """Match a row and all that are as large the other way, whatever was before.

    Where a word `keeps` it from pairs, there may be nothing to match.
    """
    rows = [row, *transfers.opposites(connection, owner, row)]
    if keeps and len(rows) == 1 and not transfers.is_paired(connection, row):
        return False
    rows += unpair_rows(connection, owner, rows)
    # Rows in no pair count by their category, and a payee is categorised by its rows that count.
    recount_accounts(connection, owner)
    categorise_payees(connection, owner, payees.payees_of_rows(connection, rows))
    categorise_payees(connection, owner, match_rows(connection, owner, rows))
    return True
