"""A person's own rules: payee, and optionally an exact amount or a direction, to category.

The rule of an exact amount goes before that of a direction, and this before the rule of the payee.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, select

from finplan.store.tables.tables import payee
from finplan.store.tables.tables import rule as table

# What a rule needs is said in the database's own words: a daemon's first one would wait until
# SQLAlchemy has compiled it.
_SAME = (
    "payee_no = :payee_no AND direction = :direction"
    " AND (amount = :amount OR :amount IS NULL AND amount IS NULL)"
)


def list_rules(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's rules with their payee's key, newest first."""
    query = (
        select(table, payee.c.key.label("payee_key"))
        .join(payee, payee.c.no == table.c.payee_no)
        .where(table.c.owner_no == owner)
        .order_by(table.c.saved_at.desc(), table.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def find_rule(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's rule by its id."""
    return next((row for row in list_rules(connection, owner) if row["id"] == public_id), None)


def save_rule(connection: Connection, values: dict[str, Any]) -> int:
    """Save a rule, or change the one for the same payee, amount and direction; answers its number.

    A changed rule keeps its number and its id, and so the answer that made it.
    """
    changed = connection.exec_driver_sql(
        f"UPDATE rule SET category = :category, saved_at = :saved_at WHERE {_SAME} RETURNING no",
        values,
    ).scalar()
    if changed is not None:
        return int(changed)
    inserted = connection.exec_driver_sql(
        "INSERT INTO rule (id, owner_no, payee_no, amount, direction, category, saved_at) VALUES"
        " (:id, :owner_no, :payee_no, :amount, :direction, :category, :saved_at) RETURNING no",
        values,
    )
    return int(inserted.scalar_one())


def remove_rule(connection: Connection, no: int) -> None:
    """Delete a rule, and with it the answer that made it."""
    connection.execute(delete(table).where(table.c.no == no))


def amount_rules(connection: Connection, owner: int) -> dict[int, dict[int, str]]:
    """Each payee's categories by exact amount, positive when money goes out."""
    query = select(table.c.payee_no, table.c.amount, table.c.category).where(
        table.c.owner_no == owner, table.c.amount.is_not(None)
    )
    rules: dict[int, dict[int, str]] = {}
    for payee_no, amount, category in connection.execute(query):
        rules.setdefault(payee_no, {})[amount] = category
    return rules


def find_rule_of(connection: Connection, payee_no: int, amount: int | None) -> RowMapping:
    """A person's rule for one payee and amount, both directions alike, with the payee's key."""
    rows = connection.exec_driver_sql(
        "SELECT rule.*, payee.key AS payee_key FROM rule JOIN payee ON payee.no = rule.payee_no"
        f" WHERE {_SAME}",
        {"payee_no": payee_no, "amount": amount, "direction": "both"},
    )
    return rows.mappings().one()


def filed_payees(connection: Connection, owner: int) -> dict[int, str]:
    """The category that a person filed each payee under as a whole, by the payee's number."""
    query = select(table.c.payee_no, table.c.category).where(
        table.c.owner_no == owner, table.c.amount.is_(None), table.c.direction == "both"
    )
    return {row.payee_no: row.category for row in connection.execute(query)}


def filed_directions(connection: Connection, owner: int) -> dict[int, frozenset[str]]:
    """Of which money, `out` and `in`, a person filed each payee, by the payee's number."""
    query = select(table.c.payee_no, table.c.direction).where(
        table.c.owner_no == owner, table.c.amount.is_(None)
    )
    filed: dict[int, frozenset[str]] = {}
    for payee_no, direction in connection.execute(query):
        said = {"out", "in"} if direction == "both" else {direction}
        filed[payee_no] = filed.get(payee_no, frozenset()) | said
    return filed
