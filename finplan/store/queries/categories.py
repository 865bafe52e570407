"""A person's own rules and categories, what is filed under them, and dismissed suggestions.

A rule goes from payee, and optionally an exact amount or a direction, to category. The rule of an
exact amount goes before that of a direction, and this before the rule of the payee.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, or_, select, text, update

from finplan.store.queries.payees import apply_rules
from finplan.store.queries.rows import add, every, remove
from finplan.store.queries.single_words import IN_PARTS, file_rows, unfile, words_in
from finplan.store.tables import tables

# What a rule needs is said in the database's own words: a daemon's first one would wait until
# SQLAlchemy has compiled it.
_SAME_RULE = (
    "payee_no = :payee_no AND direction = :direction"
    " AND (amount = :amount OR :amount IS NULL AND amount IS NULL)"
)


def list_rules(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's rules with their payee's key, newest first."""
    query = (
        select(tables.rule, tables.payee.c.key.label("payee_key"))
        .join(tables.payee, tables.payee.c.no == tables.rule.c.payee_no)
        .where(tables.rule.c.owner_no == owner)
        .order_by(tables.rule.c.saved_at.desc(), tables.rule.c.no.desc())
    )
    return every(connection, query)


def find_rule(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's rule by its id."""
    return next((row for row in list_rules(connection, owner) if row["id"] == public_id), None)


def save_rule(connection: Connection, values: dict[str, Any]) -> int:
    """Save a rule, or change the one for the same payee, amount and direction; answers its number.

    A changed rule keeps its number and its id, and so the answer that made it.
    """
    changed = connection.exec_driver_sql(
        f"UPDATE rule SET category = :category, saved_at = :saved_at WHERE {_SAME_RULE} RETURNING no",
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
    remove(connection, tables.rule, no=no)


def amount_rules(connection: Connection, owner: int) -> dict[int, dict[int, str]]:
    """Each payee's categories by exact amount, positive when money goes out."""
    query = select(tables.rule.c.payee_no, tables.rule.c.amount, tables.rule.c.category).where(
        tables.rule.c.owner_no == owner, tables.rule.c.amount.is_not(None)
    )
    rules: dict[int, dict[int, str]] = {}
    for payee_no, amount, category in connection.execute(query):
        rules.setdefault(payee_no, {})[amount] = category
    return rules


def find_rule_of(connection: Connection, payee_no: int, amount: int | None) -> RowMapping:
    """A person's rule for one payee and amount, both directions alike, with the payee's key."""
    rows = connection.exec_driver_sql(
        "SELECT rule.*, payee.key AS payee_key FROM rule JOIN payee ON payee.no = rule.payee_no"
        f" WHERE {_SAME_RULE}",
        {"payee_no": payee_no, "amount": amount, "direction": "both"},
    )
    return rows.mappings().one()


def filed_payees(connection: Connection, owner: int) -> dict[int, str]:
    """The category that a person filed each payee under as a whole, by the payee's number."""
    query = select(tables.rule).filter_by(owner_no=owner, amount=None, direction="both")
    return {row["payee_no"]: row["category"] for row in every(connection, query)}


def filed_directions(connection: Connection, owner: int) -> dict[int, frozenset[str]]:
    """Of which money, `out` and `in`, a person filed each payee, by the payee's number."""
    query = select(tables.rule.c.payee_no, tables.rule.c.direction).filter_by(
        owner_no=owner, amount=None
    )
    filed: dict[int, frozenset[str]] = {}
    for payee_no, direction in connection.execute(query):
        directions = {"out", "in"} if direction == "both" else {direction}
        filed[payee_no] = filed.get(payee_no, frozenset()) | directions
    return filed


class FiledCounts(NamedTuple):
    """How many payees are under a category, and how many rows that count."""

    merchants: int
    charges: int


def list_categories(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's own categories, oldest first."""
    query = "SELECT * FROM custom_category WHERE owner_no = ? ORDER BY no"
    return connection.exec_driver_sql(query, (owner,)).mappings().all()


def add_category(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a category of a person's own; its name must be new to the person."""
    add(connection, tables.custom_category, values)


def change_category(
    connection: Connection, owner: int, category: str, values: Mapping[str, Any]
) -> None:
    """Set some columns of a person's own category."""
    own = update(tables.custom_category).filter_by(owner_no=owner, id=category)
    connection.execute(own.values(**values))


def remove_category(connection: Connection, owner: int, category: str) -> None:
    """Delete a person's own category; what is filed under it must have gone before."""
    remove(connection, tables.custom_category, owner_no=owner, id=category)


def filed_under(connection: Connection, owner: int, category: str) -> FiledCounts:
    """What is in a category by words on rows, by rules, and by what was learnt of those.

    A paired transfer is where its pair says, so it is not counted.
    """
    part = (
        "EXISTS (SELECT 1 FROM word_part AS part WHERE part.word_no = word.no"
        " AND part.category = :category)"
    )
    under = (
        "SELECT payee_no FROM rule WHERE owner_no = :owner AND category = :category UNION"
        " SELECT no FROM payee WHERE owner_no = :owner AND :category IN (category_out, category_in)"
        " UNION SELECT payee_no FROM single_word AS word JOIN tx ON tx.no = word.tx_no"
        f" WHERE word.owner_no = :owner AND (word.category = :category OR {part})"
    )
    merchants = text(f"SELECT count(*) FROM ({under}) AS filed")
    charges = text(
        "SELECT count(*) FROM tx JOIN payee ON payee.no = tx.payee_no"
        " LEFT JOIN rule ON rule.payee_no = tx.payee_no AND rule.amount = -tx.amount"
        " LEFT JOIN single_word AS word ON word.tx_no = tx.no"
        f" WHERE tx.owner_no = :owner AND tx.counts = 1 AND tx.payee_no IN ({under})"
        " AND tx.peer_no IS NULL AND CASE"
        f" WHEN tx.filed = '{IN_PARTS}' THEN {part}"
        " ELSE coalesce(word.category, rule.category, CASE WHEN tx.amount < 0"
        " THEN payee.category_out ELSE payee.category_in END) = :category END"
    )
    values = {"owner": owner, "category": category}
    return FiledCounts(
        *(int(connection.execute(query, values).scalar_one()) for query in (merchants, charges))
    )


def refile(connection: Connection, owner: int, category: str, target: str) -> None:
    """Let every rule, word and payee of a category be of another category instead."""
    for table in (tables.rule, tables.single_word, tables.word_part):
        of_category = update(table).filter_by(owner_no=owner, category=category)
        connection.execute(of_category.values(category=target))
    for column in ("category_out", "category_in"):
        payees = update(tables.payee).filter_by(**{"owner_no": owner, column: category})
        connection.execute(payees.values({column: target}))
    file_rows(connection, owner)


def remove_rules(connection: Connection, owner: int, category: str) -> None:
    """Delete every rule and word of a category; its payees are filed as the rules that are left say."""
    for number in words_in(connection, owner, category):
        unfile(connection, number)
    remove(connection, tables.rule, owner_no=owner, category=category)
    under = select(tables.payee.c.no).where(
        tables.payee.c.owner_no == owner,
        or_(tables.payee.c.category_out == category, tables.payee.c.category_in == category),
    )
    for number in connection.execute(under).scalars().all():
        apply_rules(connection, number)


def dismissed_names(connection: Connection, owner: int) -> frozenset[str]:
    """The names of the suggestions that a person dismissed."""
    query = select(tables.dismissed_suggestion.c.name).filter_by(owner_no=owner)
    return frozenset(connection.execute(query).scalars())


def set_dismissed(connection: Connection, owner: int, name: str, *, dismissed: bool) -> None:
    """Keep a dismissal, or with False forget it."""
    table = tables.dismissed_suggestion
    remove(connection, table, owner_no=owner, name=name)
    if dismissed:
        add(connection, table, {"owner_no": owner, "name": name})
