"""The days that accounts are covered for, as intervals, each with the import that brought it."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Keep what each import recorded of its days; of other accounts, the days that they had."""
    coverage = op.create_table(
        "coverage",
        sa.Column(
            "account_no", BIG, sa.ForeignKey("account.no", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("import_no", BIG, autoincrement=False, nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=False),
        sa.Column("since_stated", sa.Integer(), nullable=False),
        sa.Column("until_stated", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_no", "import_no", "since", "until"),
    )
    connection = op.get_bind()
    accounts = connection.execute(
        sa.text(
            "SELECT account.no, account.id, covered_since, covered_until, provider FROM account"
            " JOIN connection ON connection.no = account.connection_no"
        )
    ).all()
    rows = list(_of_imports(connection, {row.id: row.no for row in accounts}))
    told = {row["account_no"] for row in rows}
    for no, _, since, until, provider in accounts:
        # Days of a bank are no import's, so they stay however many imports are undone.
        if until is not None and (provider != "manual" or no not in told):
            rows.append(_row(no, 0, since or until, until, since_stated=since is not None))
    if rows:
        connection.execute(coverage.insert(), rows)
    op.drop_column("account", "covered_since")
    op.drop_column("account", "covered_until")


def _of_imports(connection: sa.Connection, numbers: dict[str, int]) -> Iterator[dict[str, Any]]:
    imports = connection.execute(
        sa.text(
            "SELECT no, before FROM import_batch WHERE status = 'committed' AND before IS NOT NULL"
        )
    )
    for no, before in imports:
        for account, days in json.loads(before).get("accounts", {}).items():
            if account in numbers and days["since"] is not None and days["until"] is not None:
                yield _row(numbers[account], no, days["since"], days["until"])


def _row(
    account: int, batch: int, since: int, until: int, *, since_stated: bool = True
) -> dict[str, Any]:
    # Nobody kept whether a file stated its days or its rows told them; all are taken as stated.
    return {
        "account_no": account,
        "import_no": batch,
        "since": since,
        "until": until,
        "since_stated": int(since_stated),
        "until_stated": 1,
    }
