"""Reconciliation: after rows were added or removed, transfers are matched and payees categorised.

It runs inside the transaction that moved the rows, so that nobody ever sees rows without it. Rows,
payees and accounts are named by the store's numbers.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from finplan.service.ledger.categorisation import categorise_payees, categorise_similar
from finplan.service.ledger.copies import apply_duplicate_verdicts
from finplan.service.ledger.transfer_matching import (
    match_account,
    match_new_rows,
    match_rows,
    unpair_rows,
)
from finplan.store.queries import payees, people, rules


def reconcile_added_rows(
    connection: Connection,
    owner: int,
    since_no: int,
    touched: Sequence[int] | None,
    unpaired: Sequence[int] = (),
) -> None:
    """Reconcile the rows above a number, which name the `touched` payees; None means all payees.

    `unpaired` are rows whose other leg was removed: they may match another one.
    """
    unpaired = [*unpaired, *apply_duplicate_verdicts(connection, owner)]
    if touched is not None and unpaired:
        touched = [*touched, *payees.payees_of_rows(connection, unpaired)]
    categorise_payees(connection, owner, touched)
    paired = match_new_rows(connection, owner, since_no, unpaired)
    # A payee that turns out to be paid into a linked loan is categorised again with that knowledge.
    categorise_payees(connection, owner, paired)
    people.raise_generation(connection, owner)


def unpair_before_removal(connection: Connection, owner: int, rows: Sequence[int]) -> list[int]:
    """Undo the pairs of some rows before these are removed; answers the other legs.

    Once the rows are removed, `reconcile_after_removal` or `reconcile_added_rows` takes those legs.
    """
    return unpair_rows(connection, owner, rows)


def reconcile_after_removal(
    connection: Connection, owner: int, unpaired: Sequence[int], touched: Sequence[int]
) -> None:
    """Match rows whose other leg was removed, and categorise the `touched` payees and theirs."""
    unpaired = [*unpaired, *apply_duplicate_verdicts(connection, owner)]
    payees_alone = payees.payees_of_rows(connection, unpaired)
    categorise_payees(connection, owner, sorted({*touched, *payees_alone}))
    categorise_payees(connection, owner, match_rows(connection, owner, unpaired))


def rematch_account(connection: Connection, owner: int, account: int) -> None:
    """Look for the transfers of one account again, since what they are depends on its kind."""
    named = payees.payees_of_account(connection, account)
    before = {each.payee: each for each in payees.flows(connection, owner, named)}
    paired = match_account(connection, owner, account)
    after = {each.payee: each for each in payees.flows(connection, owner, named)}
    moved = {no for no in named if _says_else(before.get(no), after.get(no))}
    touched = sorted({*paired, *moved})
    categorise_payees(connection, owner, touched)
    # Whether money goes to a payee that the person filed says what its name teaches.
    filed = rules.filed_payees(connection, owner).keys() & set(touched)
    if filed:
        categorise_similar(connection, owner, sorted(filed))


def _says_else(before: payees.Flows | None, after: payees.Flows | None) -> bool:
    """Whether a payee may be judged otherwise; of charges it only matters that there are any."""
    was, now = (each or payees.Flows(0, 0, 0, 0) for each in (before, after))
    return bool(was.credits or now.credits) or (was.debits > 0) != (now.debits > 0)
