"""Remembered rows: known again under other numbers, and never taken for another one."""

from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.store.queries import verdicts
from finplan.store.store import Store

ACCOUNT = (
    "INSERT INTO account (no, id, owner_no, connection_no, external_id, name, kind, currency)"
    " VALUES (?, ?, 1, 1, ?, 'A', 'depository', 'USD')"
)
ROW = (
    "INSERT INTO tx (no, owner_no, account_no, payee_no, day, amount, raw, external_id, ordinal,"
    " source, counts) VALUES (?, 1, ?, 1, ?, ?, ?, ?, ?, 'csv', 1)"
)


def _add(connection: Connection, number: int, **more: Any) -> None:
    row = {"account": 1, "day": 20260105, "amount": -20_00, "raw": "SHOP", "id": None, "ordinal": 0}
    row |= more
    values = (row["account"], row["day"], row["amount"], row["raw"], row["id"], row["ordinal"])
    connection.exec_driver_sql(ROW, (number, *values))


def _prepare(connection: Connection) -> None:
    connection.exec_driver_sql(
        "INSERT INTO person (no, id, email, created_at, time_zone) VALUES (1, 'usr', 'a', 0, 'UTC')"
    )
    connection.exec_driver_sql(
        "INSERT INTO connection (no, id, owner_no, provider, institution_name, status, created_at)"
        " VALUES (1, 'con', 1, 'manual', 'Bank', 'ok', 0)"
    )
    connection.exec_driver_sql(ACCOUNT, (1, "acc_1", "chk"))


@pytest.mark.parametrize(
    ("was", "now", "known"),
    [
        ({}, {}, True),
        ({"raw": "SHOP"}, {"raw": "SHOP CORRECTED"}, True),
        ({"id": "t1"}, {"id": "t1", "day": 20260107, "raw": "OTHER"}, True),
        ({"id": "t1"}, {"id": "t1", "amount": -21_00}, False),
        ({}, {"day": 20260106}, False),
        ({}, {"amount": -20_01}, False),
    ],
    ids=["same", "text", "day with bank's id", "amount with bank's id", "day", "amount"],
)
async def test_a_row_is_known_again(
    store: Store, was: dict[str, Any], now: dict[str, Any], known: bool
) -> None:
    """By its identity, by the bank's id and the amount, or alone by day and amount."""

    def work(connection: Connection) -> dict[int, int]:
        _prepare(connection)
        _add(connection, 1, **was)
        row = verdicts.posted_identities(connection, [1])[1]
        verdicts.save_identity(connection, 1, row)
        connection.exec_driver_sql("DELETE FROM tx")
        _add(connection, 7, **now)
        return verdicts.current_rows(connection, 1)

    found = await store.write(work)
    assert list(found.values()) == ([7] if known else [])


async def test_a_guess_is_not_made_between_two(store: Store) -> None:
    """Two rows of that day and amount: neither is taken for the one that went."""

    def work(connection: Connection) -> tuple[dict[int, int], dict[int, int]]:
        _prepare(connection)
        _add(connection, 1)
        row = verdicts.posted_identities(connection, [1])[1]
        verdicts.save_identity(connection, 1, row)
        connection.exec_driver_sql("DELETE FROM tx")
        _add(connection, 7, raw="ONE")
        alone = verdicts.current_rows(connection, 1, for_certain=True)
        _add(connection, 8, raw="TWO")
        return alone, verdicts.current_rows(connection, 1)

    assert await store.write(work) == ({}, {})


async def test_an_account_made_again_is_known_by_its_key(store: Store) -> None:
    """A bank that is linked again has other ids here, and the same ones there."""

    def work(connection: Connection) -> dict[int, int]:
        _prepare(connection)
        _add(connection, 1)
        verdicts.save_identity(connection, 1, verdicts.posted_identities(connection, [1])[1])
        connection.exec_driver_sql("DELETE FROM account")
        connection.exec_driver_sql(ACCOUNT, (2, "acc_2", "chk"))
        connection.exec_driver_sql(ACCOUNT, (3, "acc_3", "sav"))
        _add(connection, 7, account=2)
        _add(connection, 8, account=3)
        return verdicts.current_rows(connection, 1)

    assert list((await store.write(work)).values()) == [7]


async def test_a_row_that_is_known_is_no_other_by_its_size(store: Store) -> None:
    """Of two rows of a day and an amount one comes back: it is that one, and not the other besides."""

    def work(connection: Connection) -> tuple[int, dict[int, int]]:
        _prepare(connection)
        _add(connection, 1)
        _add(connection, 2, raw="KIOSK")
        was = verdicts.posted_identities(connection, [1, 2])
        shop, _ = (verdicts.save_identity(connection, 1, was[number]) for number in (1, 2))
        connection.exec_driver_sql("DELETE FROM tx")
        _add(connection, 7)
        return shop, verdicts.current_rows(connection, 1)

    shop, known = await store.write(work)
    assert known == {shop: 7}
