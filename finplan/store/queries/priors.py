"""The priors of payees: what is known of each before anything is learnt from the person's rules.

A prior stands for the rows that count and for one edition of the shipped data. One that does not hold
any more has no body, and is worked out anew when a rule is set.
"""

from collections.abc import Collection, Iterable
from contextlib import closing
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.store.engine import many


class Unsure(NamedTuple):
    """A payee that no shipped rule files; `known` is 1 when its prior holds, else 0."""

    no: int
    key: str
    known: int


class Teacher(NamedTuple):
    """A payee that the person filed; `spends` says that money goes to it, or neither goes nor comes.

    `asks` is what its prior says; None where there is none.
    """

    no: int
    key: str
    name: str
    raw: str
    category: str
    spends: bool
    asks: bool | None


def save_priors(
    connection: Connection,
    owner: int,
    edition: int,
    priors: Iterable[tuple[int, bool, str | None]],
) -> None:
    """Keep priors in place of older ones: each a payee, whether it asks, and its body."""
    many(
        connection,
        "INSERT INTO payee_prior (payee_no, owner_no, edition, asks, body)"
        f" VALUES (?, {owner:d}, {edition:d}, ?, ?) ON CONFLICT (payee_no) DO UPDATE"
        " SET edition = excluded.edition, asks = excluded.asks, body = excluded.body",
        [(payee, int(asks), body) for payee, asks, body in priors],
    )


def unsure_payees(connection: Connection, owner: int, edition: int) -> list[Unsure]:
    """The payees that no shipped rule files, by number."""
    with closing(
        connection.exec_driver_sql(
            # The sign keeps the database from the index by owner, which would look each payee up.
            "SELECT no, key, no IN (SELECT payee_no FROM payee_prior WHERE owner_no = ?"
            " AND edition = ? AND body IS NOT NULL) FROM payee"
            " WHERE +owner_no = ? AND (source IS NULL OR source = 'auto') ORDER BY no",
            (owner, edition, owner),
        )
    ) as result:
        return [Unsure(*row) for row in result.cursor.fetchall()]


def bodies(connection: Connection, payees: Collection[int]) -> dict[int, str]:
    """The priors of some payees that have one, by the payee's number."""
    named = ",".join(map(str, payees))
    rows = connection.exec_driver_sql(
        f"SELECT payee_no, body FROM payee_prior WHERE payee_no IN ({named}) AND body IS NOT NULL"
    )
    return {row[0]: row[1] for row in rows}


def teachers(connection: Connection, owner: int, edition: int) -> list[Teacher]:
    """The payees that the person filed, by number."""
    rows = connection.exec_driver_sql(
        "SELECT payee.no, key, name, raw, rule.category, asks,"
        " EXISTS (SELECT 1 FROM tx WHERE tx.owner_no = payee.owner_no AND tx.payee_no = payee.no"
        " AND counts = 1 AND amount < 0) OR NOT EXISTS (SELECT 1 FROM tx"
        " WHERE tx.owner_no = payee.owner_no AND tx.payee_no = payee.no AND counts = 1"
        " AND amount > 0)"
        " FROM rule JOIN payee ON payee.no = rule.payee_no"
        " LEFT JOIN payee_prior ON payee_prior.payee_no = payee.no AND edition = ?"
        " WHERE rule.owner_no = ? AND rule.amount IS NULL ORDER BY payee.no",
        (edition, owner),
    )
    return [
        Teacher(no, key, name, raw, category, bool(spends), None if asks is None else bool(asks))
        for no, key, name, raw, category, asks, spends in rows
    ]


def forget_priors(connection: Connection, payees: Iterable[int]) -> None:
    """Say of some payees that their rows are others now, so that their priors do not hold."""
    many(
        connection,
        "UPDATE payee_prior SET body = NULL WHERE payee_no = ?",
        [(payee,) for payee in payees],
    )
