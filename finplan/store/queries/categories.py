"""A person's own categories, what is filed under them, and the suggestions that were dismissed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, delete, insert, select, text, update

from finplan.store.tables.tables import custom_category as table
from finplan.store.tables.tables import dismissed_suggestion, payee, rule


class FiledCounts(NamedTuple):
    """How many payees are under a category, and how many rows that count."""

    merchants: int
    charges: int


def list_categories(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's own categories, oldest first."""
    query = select(table).where(table.c.owner_no == owner).order_by(table.c.no)
    return connection.execute(query).mappings().all()


def add_category(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a category of a person's own; its name must be new to the person."""
    connection.execute(insert(table).values(**values))


def change_category(
    connection: Connection, owner: int, category: str, values: Mapping[str, Any]
) -> None:
    """Set some columns of a person's own category."""
    query = update(table).where(table.c.owner_no == owner, table.c.id == category)
    connection.execute(query.values(**values))


def remove_category(connection: Connection, owner: int, category: str) -> None:
    """Delete a person's own category; what is filed under it must have gone before."""
    connection.execute(delete(table).where(table.c.owner_no == owner, table.c.id == category))


def filed_under(connection: Connection, owner: int, category: str) -> FiledCounts:
    """What is in a category by rules of payees and of exact amounts, and by what was learnt of them.

    A paired transfer is where its pair says, so it is not counted.
    """
    under = (
        "SELECT payee_no FROM rule WHERE owner_no = :owner AND category = :category UNION"
        " SELECT no FROM payee WHERE owner_no = :owner AND :category IN (category_out, category_in)"
    )
    merchants = text(f"SELECT count(*) FROM ({under}) AS filed")
    charges = text(
        "SELECT count(*) FROM tx JOIN payee ON payee.no = tx.payee_no"
        " LEFT JOIN rule ON rule.payee_no = tx.payee_no AND rule.amount = -tx.amount"
        f" WHERE tx.owner_no = :owner AND tx.counts = 1 AND tx.payee_no IN ({under})"
        " AND tx.peer_no IS NULL AND coalesce(rule.category, CASE WHEN tx.amount < 0"
        " THEN payee.category_out ELSE payee.category_in END) = :category"
    )
    values = {"owner": owner, "category": category}
    return FiledCounts(
        *(int(connection.execute(each, values).scalar_one()) for each in (merchants, charges))
    )


def refile(connection: Connection, owner: int, category: str, target: str) -> None:
    """Let every rule of a category, and every payee under it, be of another category instead."""
    connection.execute(
        update(rule)
        .where(rule.c.owner_no == owner, rule.c.category == category)
        .values(category=target)
    )
    for column in (payee.c.category_out, payee.c.category_in):
        connection.execute(
            update(payee)
            .where(payee.c.owner_no == owner, column == category)
            .values({column.name: target})
        )


def remove_rules(connection: Connection, owner: int, category: str) -> None:
    """Delete every rule of a category; its payees are filed as was decided for them."""
    connection.execute(delete(rule).where(rule.c.owner_no == owner, rule.c.category == category))
    for column, decided in (
        (payee.c.category_out, payee.c.decided_out),
        (payee.c.category_in, payee.c.decided_in),
    ):
        connection.execute(
            update(payee)
            .where(payee.c.owner_no == owner, column == category)
            .values({column.name: decided})
        )


def dismissed_names(connection: Connection, owner: int) -> frozenset[str]:
    """The names of the suggestions that a person dismissed."""
    query = select(dismissed_suggestion.c.name).where(dismissed_suggestion.c.owner_no == owner)
    return frozenset(row[0] for row in connection.execute(query))


def set_dismissed(connection: Connection, owner: int, name: str, *, dismissed: bool) -> None:
    """Keep a dismissal, or with False forget it."""
    kept = dismissed_suggestion
    connection.execute(delete(kept).where(kept.c.owner_no == owner, kept.c.name == name))
    if dismissed:
        connection.execute(insert(kept).values(owner_no=owner, name=name))
