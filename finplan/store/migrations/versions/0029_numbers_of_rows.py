"""A number of a transaction is never given again, so that its id always means that very row."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"

NUMBERED = ("tx", "pending")
REFERRING = ("sighting", "transfer", "single_word", "task_answer", "word_part")
"""What refers to them, and to that: dropping a table would take its rows along."""

FORMER = "former_"


def upgrade() -> None:
    """Make the tables anew, the first two with AUTOINCREMENT, which only SQLite has to be told."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    tables = (*NUMBERED, *REFERRING)
    made = {table: _statements(connection, "table", table)[0] for table in tables}
    indexes = [each for table in tables for each in _statements(connection, "index", table)]
    for table in tables:
        connection.exec_driver_sql(f"ALTER TABLE {table} RENAME TO {FORMER}{table}")
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    for table in tables:
        statement = _numbered(made[table]) if table in NUMBERED else made[table]
        connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"INSERT INTO {table} SELECT * FROM {FORMER}{table}")
    # In this order no former table is dropped while rows still refer to it.
    for table in reversed(tables):
        connection.exec_driver_sql(f"DROP TABLE {FORMER}{table}")
    # Where there were no rows no number was given.
    connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE seq = 0")
    for index in indexes:
        connection.exec_driver_sql(index)


def _statements(connection: sa.Connection, kind: str, table: str) -> list[str]:
    """What made a table or its indexes, in the order in which they were made."""
    found = connection.exec_driver_sql(
        "SELECT sql FROM sqlite_master WHERE type = ? AND tbl_name = ? AND sql IS NOT NULL"
        " ORDER BY rowid",
        (kind, table),
    )
    return [str(sql) for (sql,) in found]


def _numbered(made: str) -> str:
    plain, always = "no INTEGER NOT NULL", "no INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"
    without_key = re.sub(r"\s*PRIMARY KEY \(no\),", "", made, count=1)
    return without_key.replace(plain, always, 1)
