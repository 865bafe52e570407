"""Settling: after rows arrive or leave, pairs are found and payees are judged.

It runs inside the transaction that moved the rows, so that nobody ever sees rows that are not settled.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from finplan.service.ledger.categorisation import judge_payees
from finplan.service.ledger.copies import settle_copies
from finplan.service.ledger.transfer_matching import (
    pair_account,
    pair_arrivals,
    pair_rows,
    part_rows,
)
from finplan.store.queries import payees, people


def settle_arrivals(
    connection: Connection,
    owner: int,
    since_no: int,
    touched: Sequence[int] | None,
    alone: Sequence[int] = (),
) -> None:
    """Settle the rows above a number, which name the `touched` payees; None means all payees.

    `alone` are rows whose other half went: they may find another one.
    """
    alone = [*alone, *settle_copies(connection, owner)]
    if touched is not None and alone:
        touched = [*touched, *payees.payees_of_rows(connection, alone)]
    judge_payees(connection, owner, touched)
    paired = pair_arrivals(connection, owner, since_no, alone)
    # A payee that turns out to be paid into a linked loan is judged again with that knowledge.
    judge_payees(connection, owner, paired)
    people.raise_generation(connection, owner)


def settle_departure(connection: Connection, owner: int, rows: Sequence[int]) -> list[int]:
    """Part the pairs that some rows are in before the rows go; answers the rows left alone by it.

    When the rows are gone, `settle_left_alone` or `settle_arrivals` takes care of those.
    """
    return part_rows(connection, owner, rows)


def settle_left_alone(
    connection: Connection, owner: int, alone: Sequence[int], touched: Sequence[int]
) -> None:
    """Settle rows whose other half went, and judge the payees that rows came from or went to."""
    alone = [*alone, *settle_copies(connection, owner)]
    payees_alone = payees.payees_of_rows(connection, alone)
    judge_payees(connection, owner, sorted({*touched, *payees_alone}))
    judge_payees(connection, owner, pair_rows(connection, owner, alone))


def pair_afresh(connection: Connection, owner: int, account: int) -> None:
    """Look for the transfers of one account again, since what they are depends on its kind."""
    pair_account(connection, owner, account)
    judge_payees(connection, owner, None)
