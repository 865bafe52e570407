"""`finplan backup`: listed, made, verified and restored, with a daemon, without one, and with damage."""

import json
import shlex
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.flips import Flip
from finplan.cli.showing.installation import Backup, describe_restored, draw_backups
from finplan.settings import Settings, load_settings
from finplan.store.examination import read_trees
from finplan.store.store import Store
from tests.cli.conftest import Draw, Ended, Run
from tests.daemon.ports import keep_own_port
from tests.golden_files import Golden


@pytest.fixture
def settings(home: Path) -> Settings:
    """The default profile, whose store has somebody in it."""
    settings = load_settings()
    settings.places.data.mkdir(parents=True)
    Store.open(settings.places.database, settings.places.backups).close()
    return settings


@pytest.fixture
def daemon(finplan: Run) -> Iterator[None]:
    """A daemon that runs, and stops with the test."""
    keep_own_port(load_settings())
    assert finplan("daemon", "start").code == 0
    yield
    finplan("daemon", "stop")


def answer(ended: Ended) -> Any:
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def damage(store: Path) -> None:
    """Flip one bit in a page of a table."""
    root = next(tree.root for tree in read_trees(store) if tree.name == "alembic_version")
    Flip(root, 4090 * 8, "table leaf").apply(store, 4096)


@pytest.mark.thorough
def test_a_damaged_store_comes_back(finplan: Run, settings: Settings) -> None:
    """What doctor advises is one command, and after it all is well."""
    made = answer(finplan("backup", "create", "--json"))
    assert (made["kind"], made["state"]) == ("manual", "good")
    damage(settings.places.database)
    seen = finplan("doctor", "--json")
    assert seen.code == 1
    (finding,) = (each for each in json.loads(seen.out) if each["name"] == "integrity")
    assert "(table alembic_version) differs in one bit" in finding["text"]
    assert "`finplan backup restore`" in finding["advice"]
    # SQLite sees this one as well, so that to delete the sums would not help.
    assert "-sums" not in finding["advice"]
    refused = finplan("backup", "create")
    assert refused.code == 1
    assert "No backup was made" in refused.err

    restored = answer(finplan("backup", "restore", "--yes", "--json"))
    assert restored["id"] == made["id"]
    assert Path(restored["keptAs"]).exists()
    assert finplan("doctor", "--json").code == 0


@pytest.mark.thorough
@pytest.mark.usefixtures("daemon")
def test_a_running_daemon_goes_on_with_what_was_restored(finplan: Run) -> None:
    """It is stopped for it, and started again, since it ran."""
    finplan("backup", "create", "--quiet")
    finplan("me", "set", "--name", "Changed since")
    assert finplan("backup", "restore", "--yes").code == 0
    assert answer(finplan("daemon", "status", "--json"))["answering"]
    assert answer(finplan("me", "--json"))["name"] != "Changed since"


@pytest.mark.thorough
def test_backups_are_verified_and_listed(finplan: Run, settings: Settings) -> None:
    """A damaged one is told as that, is not restored by itself, and not by its name."""
    for copy in ("good", "bad"):
        with closing(sqlite3.connect(settings.places.database)) as source:
            settings.places.backups.mkdir(exist_ok=True)
            with closing(sqlite3.connect(settings.places.backups / f"{copy}.db")) as target:
                source.backup(target)
    states = {each["id"]: each["state"] for each in answer(finplan("backup", "list", "--json"))}
    assert states == {"good": "unverified", "bad": "unverified"}
    for name in states:
        assert answer(finplan("backup", "verify", name, "--json"))["faults"] == []
    damage(settings.places.backups / "bad.db")
    assert finplan("backup", "verify", "bad").code == 1
    states = {each["id"]: each["state"] for each in answer(finplan("backup", "--json"))}
    assert states == {"good": "good", "bad": "damaged"}
    refused = finplan("backup", "restore", "bad", "--yes")
    assert (refused.code, "Nothing was changed" in refused.err) == (4, True)
    assert answer(finplan("backup", "restore", "--yes", "--json"))["id"] == "good"


@pytest.mark.thorough
def test_what_is_not_there_is_a_sentence(finplan: Run, home: Path) -> None:
    """No backup, none of that name, and no store."""
    none = finplan("backup")
    assert (none.code, "No backups yet" in none.err) == (0, True)
    for words in (("verify", "mine"), ("restore", "mine", "--yes"), ("restore", "--yes")):
        assert finplan("backup", *words).code == 4
    assert "There is no data to back up yet" in finplan("backup", "create").err
    assert not list(home.glob("**/*.db"))


@pytest.mark.thorough
@pytest.mark.usefixtures("settings")
def test_nothing_is_restored_unasked(finplan: Run, person: list[str]) -> None:
    """Enter is no; where nobody can be asked, --yes is needed."""
    finplan("backup", "create", "--quiet")
    person.append("")
    declined = finplan("backup", "restore")
    assert (declined.code, declined.err.endswith("Nothing was changed.\n")) == (0, True)


def test_a_restore_without_yes_in_a_script_is_a_usage_error(finplan: Run) -> None:
    """Before anything is looked for."""
    assert finplan("backup", "restore").code == 2


@pytest.mark.usefixtures("utc")
def test_the_page_of_backups(draw: Draw, golden: Golden) -> None:
    """Each kind and state."""
    at = 1_795_000_000_000
    backups = [
        Backup("manual-2026-11-18-091500", "manual", at, 1_400_000, "good", at),
        Backup("daily-2026-11-18", "daily", at - 10_000_000, 1_400_000, "damaged", at),
        Backup("daily-2026-10-18", "weekly", at - 2_600_000_000, 900_000, "good", at),
        Backup("before-0029-from-0028", "before_migration", at, 12_345_678, "unverified", None),
        Backup("mine", "other", at, 1_000, "unverified", None),
    ]
    golden("backups", draw(draw_backups(backups)))


@pytest.mark.usefixtures("utc")
@pytest.mark.parametrize(
    ("ended", "words"),
    [
        (None, "may work again"),
        (2, "Removed 2 credentials that"),
        (1, "Removed 1 credential that"),
    ],
)
def test_what_a_restore_says_of_credentials(
    settings: Settings, ended: int | None, words: str
) -> None:
    """What came back with it is said, and where to end it."""
    saved = f"{settings.places.database}.before-restore-1"
    restored = {
        "id": "mine", "madeAt": 0, "keptAs": saved, "endedCredentials": ended, "hasDataKey": False,
    }  # fmt: skip
    lines = list(describe_restored(restored, settings))
    assert words in lines[-2]
    assert lines[-1] == "The data key is missing. Link your banks again: `finplan connect`."


@pytest.mark.thorough
def test_a_restore_is_undone_by_what_it_prints(finplan: Run, settings: Settings) -> None:
    """The commands bring back the previous data, whole and with their checksums."""
    finplan("backup", "create", "--quiet")
    before = settings.places.database.read_bytes()
    restored = finplan("backup", "restore", "--yes")
    assert finplan("daemon", "start").code == 0
    commands = [line.strip() for line in restored.err.splitlines() if line.startswith("  ")]
    assert commands[0] == "finplan daemon stop"
    assert finplan("daemon", "stop").code == 0
    for command in commands[1:]:
        subprocess.run(shlex.split(command), check=True)
    assert settings.places.database.read_bytes() == before
    assert not list(settings.places.data.glob("*before-restore*"))
    assert finplan("doctor").code == 0
