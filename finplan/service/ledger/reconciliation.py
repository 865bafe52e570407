"""Reconciliation: after rows were added or removed, transfers are matched and payees categorised.

It runs inside the transaction that moved the rows, so that nobody ever sees rows without it. Rows,
payees and accounts are named by the store's numbers.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from finplan.service.ledger.categorisation import categorise_payees
from finplan.service.ledger.copies import apply_duplicate_verdicts
from finplan.service.ledger.counting import recount_accounts
from finplan.service.ledger.elsewhere import Asking
from finplan.service.ledger.inference import apply_inference
from finplan.service.ledger.transfer_matching import (
    match_account,
    match_new_rows,
    match_rows,
)
from finplan.service.ledger.worded_rows import find_rows_of_words
from finplan.store.queries import categories, payees, people


def reconcile_added_rows(
    connection: Connection,
    owner: int,
    since_no: int,
    touched: Sequence[int] | None,
    unpaired: Sequence[int] = (),
    *,
    ask: Asking | None = None,
) -> None:
    """Reconcile the rows above a number, which name the `touched` payees; None means all payees.

    `unpaired` are rows whose other leg was removed: they may match another one. The shipped data are
    asked by `ask`, else where the store has it fit.
    """
    unpaired = [*unpaired, *apply_duplicate_verdicts(connection, owner)]
    find_rows_of_words(connection, owner)
    if touched is not None and unpaired:
        touched = [*touched, *payees.payees_of_rows(connection, unpaired)]
    apply_inference(connection, owner)
    categorise_payees(connection, owner, touched, ask)
    paired = match_new_rows(connection, owner, since_no, unpaired)
    # A payee that turns out to be paid into a linked loan is categorised again with that knowledge.
    categorise_payees(connection, owner, paired, ask)
    people.raise_generation(connection, owner)


def reconcile_after_removal(
    connection: Connection,
    owner: int,
    unpaired: Sequence[int],
    touched: Sequence[int],
    *,
    ask: Asking | None = None,
) -> None:
    """Match rows whose other leg was removed, and categorise the `touched` payees and theirs.

    The shipped data are asked by `ask`, else where the store has it fit.
    """
    unpaired = [*unpaired, *apply_duplicate_verdicts(connection, owner)]
    find_rows_of_words(connection, owner)
    payees_alone = payees.payees_of_rows(connection, unpaired)
    categorise_payees(connection, owner, sorted({*touched, *payees_alone}), ask)
    categorise_payees(connection, owner, match_rows(connection, owner, unpaired), ask)


def match_left_alone(connection: Connection, owner: int) -> bool:
    """Match every row that is in no pair, and say whether any was; pairs that are made stay.

    What the person said of pairs holds.
    """
    paired = match_new_rows(connection, owner, 0)
    categorise_payees(connection, owner, paired)
    return bool(paired)


def recount_rows(connection: Connection, owner: int, account: int | None = None) -> None:
    """Decide afresh whether rows count, of one account or of all, and judge payees by those that do."""
    recount_accounts(connection, owner, account)
    named = None if account is None else payees.payees_of_account(connection, account)
    categorise_payees(connection, owner, named)
    if named is not None and not categories.filed_payees(connection, owner).keys().isdisjoint(
        named
    ):
        # Whether money goes to a payee that the person filed says what its name teaches.
        people.set_inference_due(connection, owner)


def rematch_account(connection: Connection, owner: int, account: int) -> None:
    """Look for the transfers of one account again, since what they are depends on its kind."""
    named = payees.payees_of_account(connection, account)
    before = {each.payee: each for each in payees.flows(connection, owner, named)}
    paired = match_account(connection, owner, account)
    after = {each.payee: each for each in payees.flows(connection, owner, named)}
    moved = {no for no in named if before.get(no) != after.get(no)}
    touched = sorted({*paired, *moved})
    categorise_payees(connection, owner, touched)
    if categories.filed_payees(connection, owner).keys() & set(touched):
        # Whether money goes to a payee that the person filed says what its name teaches.
        people.set_inference_due(connection, owner)
