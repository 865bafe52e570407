"""A store works in a folder of any name, and writes nowhere else."""

import asyncio
import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import Connection

from finplan.daemon.maintenance import check_store
from finplan.daemon.workers import Workers
from finplan.service.people import ensure_owner
from finplan.settings import Places
from finplan.store.backup import back_up
from finplan.store.examination import integrity_faults
from finplan.store.migrate import HEAD, revision
from finplan.store.staging import Stage
from finplan.store.store import Store
from tests.daemon import computations
from tests.daemon.ports import free_ports
from tests.nasty_paths import NASTY_NAMES
from tests.service.one_truth import ofx
from tests.store.kept import FIRST, make_empty


def _entries(folder: Path) -> set[bytes]:
    return {os.fsencode(found) for found in folder.rglob("*")}


def _staged(connection: Connection) -> object:
    return connection.exec_driver_sql("SELECT count(*) FROM staged.arrived").scalar_one()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NASTY_NAMES)
async def test_any_folder_holds_a_store(tmp_path: Path, empty_store: Path, name: str) -> None:
    """Opened, written, read beside a stage, copied and checked: all of it in this very folder."""
    home = tmp_path / name
    home.mkdir()
    path, backups = home / "finplan.db", home / "backups"
    shutil.copyfile(empty_store, path)
    store = Store.open(path, backups)
    await ensure_owner(store, "ada", 0)
    stage = Stage(home / "stage.db")
    stage.add(0, 0, {"day": [20260101], "amount": [-100], "raw": ["Shop"], "payee": [0]})
    stage.finish()
    stage.close()
    assert await store.read(_staged, beside=home / "stage.db") == 1
    assert await store.write(_staged, beside=home / "stage.db") == 1
    await store.compact()
    back_up(path, backups / "copy.db")
    assert integrity_faults(backups / "copy.db") == []
    assert check_store(Places(home, home, home))["copies"] == 1
    store.close()
    copies = {"backups/copy.db", "backups/copy.digest"}
    expected = {"finplan.db", "finplan.db-sums", "stage.db", "backups", *copies}
    assert _entries(tmp_path) == {
        os.fsencode(home),
        *(os.fsencode(home / each) for each in expected),
    }


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", NASTY_NAMES)
async def test_a_new_store_is_made_in_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    """It stands where it was asked for, whole, with the sums of its pages beside it."""
    home = tmp_path / name
    home.mkdir()
    Store.open(home / "finplan.db", home / "backups").close()
    assert integrity_faults(home / "finplan.db") == []
    assert (home / "finplan.db").stat().st_size > 0
    assert len(_entries(tmp_path)) == 3


@pytest.mark.thorough
async def test_an_older_store_is_upgraded_in_a_folder_of_any_name(tmp_path: Path) -> None:
    """The revisions are made there, too; each by itself takes a while, so these are the worst."""
    for name in ("what? mine", "%(here)s", os.fsdecode(b"caf\xe9")):
        home = tmp_path / name
        home.mkdir()
        make_empty(home / "finplan.db", FIRST)
        Store.open(home / "finplan.db", home / "backups").close()
        assert revision(home / "finplan.db") == HEAD
        assert integrity_faults(home / "finplan.db") == []
        (copy,) = (home / "backups").glob("*.db")
        assert revision(copy) == FIRST
    assert len(_entries(tmp_path)) == 18


@pytest.mark.thorough
async def test_a_worker_reads_the_store_in_a_folder_of_any_name(
    tmp_path: Path, empty_store: Path
) -> None:
    """A process of its own is told the path as it is."""

    async def people(name: str) -> int:
        home = tmp_path / name
        home.mkdir()
        shutil.copyfile(empty_store, home / "finplan.db")
        store = Store.open(home / "finplan.db", home / "backups")
        await ensure_owner(store, "ada", 0)
        workers = Workers(store.path)
        _, found = await workers.run(computations.process_and_people)
        await workers.rest()
        store.close()
        return int(found)

    worst = ("what? mine", "per%cent", "new\nline", "--help", os.fsdecode(b"\xff\xfe"))
    assert await asyncio.gather(*map(people, worst)) == [1] * len(worst)


@pytest.mark.slow
@pytest.mark.parametrize("name", NASTY_NAMES[::3])
def test_a_household_lives_in_a_home_of_any_name(tmp_path: Path, name: str) -> None:
    """The command line starts a daemon there, imports a statement, and the doctor finds it whole."""
    home = tmp_path / name
    home.mkdir()
    environment = {**os.environ, "FINPLAN_HOME": str(home), "FINPLAN_PORT": str(free_ports(1))}

    def finplan(*words: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "finplan", *words]
        return subprocess.run(command, env=environment, capture_output=True, check=False)

    statement = tmp_path / "rows.ofx"
    statement.write_text(ofx([(date(2026, 10, 5), -20_00, "Shop")]))
    try:
        brought = finplan("import", str(statement), "--yes")
        assert brought.returncode == 0, brought.stderr
        looked = finplan("doctor")
        assert looked.returncode == 0, looked.stdout
    finally:
        finplan("daemon", "stop")
    assert {each.name for each in tmp_path.iterdir()} == {name, "rows.ofx"}
