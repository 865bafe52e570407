"""A person's own categories, what is filed under them, and the suggestions that were dismissed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, RowMapping, delete, insert, or_, select, text, update

from finplan.store.queries.payees import apply_rules
from finplan.store.queries.single_words import IN_PARTS, file_rows, unfile, words_in
from finplan.store.tables.tables import custom_category as table
from finplan.store.tables.tables import (
    dismissed_suggestion,
    payee,
    rule,
    single_word,
    word_part,
)


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
        *(int(connection.execute(each, values).scalar_one()) for each in (merchants, charges))
    )


def refile(connection: Connection, owner: int, category: str, target: str) -> None:
    """Let every rule, word and payee of a category be of another category instead."""
    for said in (rule, single_word, word_part):
        connection.execute(
            update(said)
            .where(said.c.owner_no == owner, said.c.category == category)
            .values(category=target)
        )
    for column in (payee.c.category_out, payee.c.category_in):
        connection.execute(
            update(payee)
            .where(payee.c.owner_no == owner, column == category)
            .values({column.name: target})
        )
    file_rows(connection, owner)


def remove_rules(connection: Connection, owner: int, category: str) -> None:
    """Delete every rule and word of a category; its payees are filed as the rules that are left say."""
    for number in words_in(connection, owner, category):
        unfile(connection, number)
    connection.execute(delete(rule).where(rule.c.owner_no == owner, rule.c.category == category))
    under = select(payee.c.no).where(
        payee.c.owner_no == owner,
        or_(payee.c.category_out == category, payee.c.category_in == category),
    )
    for number in connection.execute(under).scalars().all():
        apply_rules(connection, number)


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
