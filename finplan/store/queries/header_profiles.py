"""Header profiles: the answers that people gave to how tables of text are read."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select

from finplan.store.tables.tables import csv_answer as table

OF_ACCOUNT = "account:"
"""What the signature of a row begins with that tells no header, but an external id of an account."""

OF_LAYOUT = "layout:"
"""What the signature of a row begins with that tells where files of a layout went, said or not."""

OF_WAY = "way:"
"""What the signature of a row begins with that tells which way an account's amounts of a layout went."""

OF_ONE_ACCOUNT = (OF_LAYOUT, OF_WAY)
"""What the signature of a row begins with that answers nothing for all files with a header."""


def add_answers(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Keep the answers that a person gave in an import, a row for each header."""
    if rows:
        connection.execute(insert(table), rows)


def list_answers(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's answers, oldest first."""
    query = select(table).where(table.c.owner_no == owner).order_by(table.c.no)
    return connection.execute(query).mappings().all()


def accounts_by_header(connection: Connection, owner: int) -> dict[str, set[int]]:
    """The accounts noted for each signature: of a header, a layout or an external id of an account.

    For a header a person named them; for a layout, whose signature begins with `OF_LAYOUT`, its files
    went there, said or not.
    """
    query = select(table.c.signature, table.c.account_no).where(
        table.c.owner_no == owner, table.c.account_no.is_not(None)
    )
    found: dict[str, set[int]] = {}
    for signature, account_no in connection.execute(query):
        found.setdefault(signature, set()).add(account_no)
    return found


def accounts_by_layout(connection: Connection, owner: int) -> dict[str, set[int]]:
    """The accounts that files of a layout went to, whether a person named them or not."""
    found: dict[str, set[int]] = {}
    for signature, numbers in accounts_by_header(connection, owner).items():
        if signature.startswith((OF_ACCOUNT, OF_WAY)):
            continue
        found.setdefault(signature.removeprefix(OF_LAYOUT), set()).update(numbers)
    return found


def ways_by_layout(connection: Connection, owner: int) -> dict[tuple[str, int], str]:
    """Which way amounts went by an answer in the newest file of a layout, by layout and account."""
    query = (
        select(table.c.signature, table.c.account_no, table.c.direction)
        .where(
            table.c.owner_no == owner,
            table.c.account_no.is_not(None),
            table.c.direction.is_not(None),
            table.c.signature.startswith(OF_WAY, autoescape=True),
        )
        .order_by(table.c.no)
    )
    return {
        (signature.removeprefix(OF_WAY), account): way
        for signature, account, way in connection.execute(query)
    }


def learned_names(connection: Connection, owner: int) -> dict[int, set[str]]:
    """The external ids that a person said are an account's too, by its number."""
    query = select(table.c.header, table.c.account_no).where(
        table.c.owner_no == owner,
        table.c.account_no.is_not(None),
        table.c.signature.startswith(OF_ACCOUNT, autoescape=True),
    )
    found: dict[int, set[str]] = {}
    for external_id, account_no in connection.execute(query):
        found.setdefault(account_no, set()).add(external_id)
    return found


def remove_answers(connection: Connection, import_no: int) -> None:
    """Delete the answers given in an import."""
    connection.execute(delete(table).where(table.c.import_no == import_no))


def forget_header(connection: Connection, owner: int, signature: str) -> None:
    """Delete a person's answers for files with a header, given by its signature."""
    connection.execute(
        delete(table).where(table.c.owner_no == owner, table.c.signature == signature)
    )
