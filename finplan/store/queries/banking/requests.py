"""Requests to banks that allow so many a day, each noted before it is sent."""

from sqlalchemy import Connection


def requests_since(connection: Connection, connection_no: int, since: int) -> list[int]:
    """When one connection's bank was asked after an instant, in ms, oldest first."""
    rows = connection.exec_driver_sql(
        "SELECT asked_at FROM bank_request WHERE connection_no = ? AND asked_at > ? ORDER BY asked_at",
        (connection_no, since),
    )
    return [row[0] for row in rows]


def note_request(connection: Connection, connection_no: int, now: int, since: int) -> None:
    """Note a request at an instant, and forget those of before another one."""
    connection.exec_driver_sql(
        "DELETE FROM bank_request WHERE connection_no = ? AND asked_at <= ?", (connection_no, since)
    )
    connection.exec_driver_sql(
        "INSERT INTO bank_request (connection_no, asked_at) VALUES (?, ?)", (connection_no, now)
    )
