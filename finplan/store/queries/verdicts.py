"""The person's verdicts on transfers and series: kept until the person takes them back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select

from finplan.store.queries import remembered
from finplan.store.tables.tables import series_verdict, transfer_verdict


@dataclass(frozen=True, slots=True)
class SavedTransferVerdict:
    """A verdict on two rows; `out` and `into` are their numbers today, None for one that is gone."""

    no: int
    id: str
    verdict: str
    out: int | None
    into: int | None
    rows: tuple[int, int]


def transfer_verdicts(connection: Connection, owner: int) -> list[SavedTransferVerdict]:
    """A person's verdicts on transfers, oldest first, with the rows that they are about today."""
    query = select(transfer_verdict).where(transfer_verdict.c.owner_no == owner)
    rows = connection.execute(query.order_by(transfer_verdict.c.no)).mappings().all()
    today = remembered.current_rows(connection, owner) if rows else {}
    return [
        SavedTransferVerdict(
            no=row["no"],
            id=row["id"],
            verdict=row["verdict"],
            out=today.get(row["out_row_no"]),
            into=today.get(row["in_row_no"]),
            rows=(row["out_row_no"], row["in_row_no"]),
        )
        for row in rows
    ]


def save_transfer_verdict(
    connection: Connection,
    owner: int,
    transfer_id: str,
    verdict: str,
    rows: tuple[remembered.RowIdentity, remembered.RowIdentity],
    now: int,
) -> None:
    """Keep a verdict on the outgoing and the incoming row."""
    out_no, in_no = (remembered.save_identity(connection, owner, row) for row in rows)
    connection.execute(
        insert(transfer_verdict).values(
            id=transfer_id,
            owner_no=owner,
            verdict=verdict,
            out_row_no=out_no,
            in_row_no=in_no,
            decided_at=now,
        )
    )


def drop_transfer_verdict(connection: Connection, verdict: SavedTransferVerdict) -> None:
    """Take a verdict back."""
    # The verdict goes with the rows that it needs.
    remembered.forget_identities(connection, verdict.rows)


def series_verdicts(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's verdicts on series, oldest first."""
    query = select(series_verdict).where(series_verdict.c.owner_no == owner)
    return connection.execute(query.order_by(series_verdict.c.no)).mappings().all()


def save_series_verdict(connection: Connection, owner: int, values: Mapping[str, Any]) -> None:
    """Keep a verdict on a series, in place of an earlier one of the same id."""
    drop_series_verdict(connection, owner, values["id"])
    connection.execute(insert(series_verdict).values(owner_no=owner, **values))


def drop_series_verdict(connection: Connection, owner: int, series_id: str) -> None:
    """Take a verdict on a series back."""
    connection.execute(
        delete(series_verdict).where(
            series_verdict.c.owner_no == owner, series_verdict.c.id == series_id
        )
    )
