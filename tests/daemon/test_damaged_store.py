"""A damaged store: what is whole is read as before, nothing is written, and every answer says so."""

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.model.errors import StoreDamaged
from finplan.model.notices import HEADER, STORE_DAMAGED, sentence_of
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from finplan.store.store import Store
from tests.daemon.recorded import ASKED, FIRST, sign_in_a_browser
from tests.daemon.running import RunningDaemon, serving
from tests.damage import bytes_of, damage_table

SENTENCE = sentence_of(STORE_DAMAGED)
WRITES = [row for row in OPERATIONS if row.method != "GET"]
READS = [row for row in OPERATIONS if row.method == "GET"]
HARMED = "audit_event"
"""The table that is damaged: one that a single row of the table reads."""


@pytest.fixture
async def damaged(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon of the demo household, with a session and a key, that has just met a damaged page."""
    database = tmp_path / "finplan.db"
    shutil.copy(household_store, database)
    async with serving(database, tmp_path / "uploads") as running:
        await running.store.rest()
        damage_table(database, HARMED)
        met = await running.http.get("/api/v1/audit")
        assert (met.status_code, met.json()["message"]) == (500, SENTENCE)
        yield running


async def asked_of(daemon: RunningDaemon, row: AnyOperation) -> tuple[str, dict[str, Any]] | None:
    """The path and the query of a row that reads; None where the household has nothing to name."""
    given = dict(ASKED.get(row.name, {}).get("parameters", {}))
    if row.name in FIRST:
        parameter, path, steps = FIRST[row.name]
        listed = (await daemon.http.get(f"/api/v1{path}")).json()
        first = listed if isinstance(listed, list) else listed["transactions"]
        if not first:
            return None
        given[parameter] = first[0]
        for step in steps:
            given[parameter] = given[parameter][step]
    if any(name not in given for name in row.path_names):
        return None
    path = row.path.format(**{name: given.pop(name) for name in row.path_names})
    return f"/api/v1{path}", given


async def test_what_is_whole_is_read_as_before(tmp_path: Path, household_store: Path) -> None:
    """Each row that reads answers the same bytes, with the notice; the one that meets damage says so."""
    database = tmp_path / "finplan.db"
    shutil.copy(household_store, database)
    async with serving(database, tmp_path / "uploads") as daemon:
        questions = {
            row.name: asked
            for row in READS
            if row.name != "list_audit" and (asked := await asked_of(daemon, row)) is not None
        }
        assert len(questions) > 30
        before = {
            name: (await daemon.http.get(path, params=query)).content
            for name, (path, query) in questions.items()
        }
        await daemon.store.rest()
        damage_table(database, HARMED)
        files = bytes_of(database)
        assert (await daemon.http.get("/api/v1/audit")).status_code == 500
        for name, (path, query) in questions.items():
            answer = await daemon.http.get(path, params=query)
            assert (name, answer.status_code) == (name, 200)
            assert answer.headers[HEADER] == STORE_DAMAGED
            assert (name, answer.content) == (name, before[name])
        assert bytes_of(database) == files
    assert bytes_of(database) == files


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "one"}])
async def test_every_write_is_refused(damaged: RunningDaemon, headers: dict[str, str]) -> None:
    """Whatever the body: refused with the fault, by a key too, and no byte of the store changes."""
    before = bytes_of(damaged.store.path)
    assert len(WRITES) > 40
    for row in WRITES:
        path = "/api/v1" + row.path.format(**dict.fromkeys(row.path_names, "x"))
        answer = await damaged.http.request(row.method, path, headers=headers)
        told = answer.json()
        assert (row.name, answer.status_code) == (row.name, 500)
        assert (told["code"], told["message"]) == ("INTERNAL_SERVER_ERROR", SENTENCE)
        assert answer.headers[HEADER] == STORE_DAMAGED
        assert bytes_of(damaged.store.path) == before


async def test_credentials_are_still_taken(tmp_path: Path, household_store: Path) -> None:
    """A key, a browser and a token of a program read on, though no use of them can be noted."""
    database = tmp_path / "finplan.db"
    shutil.copy(household_store, database)
    async with serving(database, tmp_path / "uploads") as daemon:
        key = (await daemon.http.post("/api/v1/keys", json={"name": "k"})).json()["key"]
        cookie = await sign_in_a_browser(daemon)
        daemon.store.note_damage(StoreDamaged(SENTENCE))
        before = bytes_of(database)
        daemon.http.cookies.clear()
        by_key = await daemon.http.get("/api/v1/accounts", headers={"x-api-key": key})
        browser = {"cookie": f"finplan_browser_{daemon.port}={cookie}", "accept": "text/html"}
        page = await daemon.http.get("/", headers=browser)
    assert by_key.status_code == 200
    assert page.status_code == 200
    assert bytes_of(database) == before


async def test_no_door_writes_once_damage_was_noted(tmp_path: Path, empty_store: Path) -> None:
    """Every door that writes refuses with the first damage; those that read go on."""
    database = tmp_path / "finplan.db"
    shutil.copy(empty_store, database)
    store = Store.open(database, tmp_path / "backups")
    await store.write(lambda c: c.exec_driver_sql("UPDATE job SET seen = seen"))
    first = StoreDamaged("first")

    def meet_damage(connection: Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE later (no INTEGER)")
        store.note_damage(first)

    with pytest.raises(StoreDamaged, match="first"):
        await store.write(meet_damage)
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'later'"
    assert await store.read(lambda c: c.exec_driver_sql(tables).scalar_one()) == 0
    store.note_damage(StoreDamaged("second"))
    done = list[int]()
    before = bytes_of(database)
    scratch = tmp_path / "scratch.db"
    for door in (
        store.write(lambda _: done.append(1)),
        store.write(lambda _: done.append(2), beside=scratch),
        store.fenced(lambda _: None).write(lambda _: done.append(3)),
        store.write_or_put_off(lambda _: done.append(4)),
        store.compact(),
    ):
        with pytest.raises(StoreDamaged, match="first"):
            await door
    assert done == []
    assert await store.read(lambda c: c.exec_driver_sql("SELECT 1").scalar_one()) == 1
    await store.rest()
    store.close()
    assert bytes_of(database) == before
    assert before["finplan.db-wal"] != ""


async def test_the_next_start_looks_at_the_whole_file(tmp_path: Path, empty_store: Path) -> None:
    """Damage is known from the start on, before anybody meets it, as long as it is there."""
    database, whole = tmp_path / "finplan.db", tmp_path / "whole.db"
    shutil.copy(empty_store, database)
    shutil.copy(empty_store, whole)
    damage_table(database, HARMED)
    for _ in range(2):
        store = Store.open(database, tmp_path / "backups")
        assert store.damage is not None
        with pytest.raises(StoreDamaged):
            await store.read(lambda c: c.exec_driver_sql(f"SELECT * FROM {HARMED}").all())
        store.close()
    whole.replace(database)
    store = Store.open(database, tmp_path / "backups")
    assert store.damage is None
    store.close()
    assert not database.with_name("finplan.db-damaged").exists()


async def test_a_start_that_fails_leaves_the_log(tmp_path: Path, empty_store: Path) -> None:
    """A killed daemon's log stays beside a file that cannot be read, and holds what it held."""
    written, database = tmp_path / "written.db", tmp_path / "finplan.db"
    shutil.copy(empty_store, written)
    damage_table(written, "alembic_version")
    with closing(sqlite3.connect(written)) as connection:
        connection.execute("CREATE TABLE later (no INTEGER)")
        connection.commit()
        for ending in ("", "-wal"):
            shutil.copy(f"{written}{ending}", f"{database}{ending}")
    before = bytes_of(database)
    assert before["finplan.db-wal"] != ""
    with pytest.raises(StoreDamaged):
        Store.open(database, tmp_path / "backups")
    assert bytes_of(database) == before
