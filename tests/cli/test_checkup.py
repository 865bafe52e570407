"""What is wrong with a machine is said: its data key, its settings, and a damaged store.

A setting that cannot be leaves what helps working, and everything says where it is put right. A
daemon of a damaged store starts, says so at once and changes nothing.
"""

import json
import os
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from finplan.cli.commands.checkup import _notify_command, failed_jobs, findings, misread_imports
from finplan.client import connect as client_room
from finplan.client.connect import Ready, probe, start, stop
from finplan.client.failures import DaemonUnreachable, say_nothing
from finplan.model.installation import STORE_DAMAGED, Finding, sentence_of
from finplan.model.job import Job
from finplan.model.statement import FileReport, ImportRecord, ImportReport
from finplan.settings import DATA_KEY_VARIABLE, Settings, load_settings, places_of
from finplan.store.backup import back_up
from finplan.store.examination import make_sums
from finplan.store.migrate import HEAD
from finplan.store.store import Store
from finplan.views import installation
from tests.cli.conftest import Run
from tests.cli.stub import stub_daemon
from tests.daemon.ports import free_ports
from tests.damage import bytes_of, damage_table
from tests.patience import LONG_ENOUGH
from tests.present import present
from tests.processes import awaited
from tests.views.drawing import drawn


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    settings = load_settings("default")
    settings.places.data.mkdir(mode=0o700)
    return settings


def found(settings: Settings, name: str) -> Finding | None:
    return next((each for each in findings(settings) if each.name == name), None)


def test_before_the_first_start_there_is_no_key(settings: Settings) -> None:
    """What has not been chosen yet is nothing to worry about."""
    finding = present(found(settings, "data key"))

    assert (finding.state, finding.text.split(";")[0]) == ("ok", "none yet")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("file", "in /"),
        ("keyring", "in the system keyring"),
        (DATA_KEY_VARIABLE, f"from {DATA_KEY_VARIABLE}"),
        ("finplan-data-key", "from finplan-data-key"),
    ],
)
def test_the_source_that_was_chosen_is_named(settings: Settings, source: str, told: str) -> None:
    """Each source is told from the others, and the key itself is never shown."""
    file = settings.places.data_key
    file.write_text(json.dumps({"source": source, "key": "c2VjcmV0"}))
    file.chmod(0o600)

    finding = present(found(settings, "data key"))

    assert finding.state == "ok"
    assert finding.text.startswith(told)
    assert "c2VjcmV0" not in finding.text


def test_a_key_that_others_can_read_is_warned_of(settings: Settings) -> None:
    """The file with the key is its owner's alone."""
    settings.places.data_key.write_text('{"source": "file", "key": ""}')
    settings.places.data_key.chmod(0o644)

    finding = present(found(settings, "data key"))

    assert (finding.state, "`chmod 600 " in finding.advice) == ("warn", True)


@pytest.mark.parametrize("content", ["", "[]", "{}"])
def test_a_broken_choice_is_bad(settings: Settings, content: str) -> None:
    """Without it the daemon does not start, so the doctor says what to do."""
    settings.places.data_key.write_text(content)

    finding = present(found(settings, "data key"))

    assert finding.state == "bad"
    assert finding.advice


def test_the_keys_variable_is_known(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told that the place where the key is given is unknown."""
    monkeypatch.setenv(DATA_KEY_VARIABLE, "given")

    assert found(settings, "environment") is None


def _store(settings: Settings) -> Path:
    path = settings.places.database
    Store.open(path, settings.places.backups).close()
    return path


@pytest.mark.thorough
def test_a_whole_store_is_told_with_its_revision_and_backup(settings: Settings) -> None:
    """How old the newest backup is and how large stands beside, and that there is none."""
    path = _store(settings)
    whole, none = found(settings, "integrity"), found(settings, "backup")
    assert whole == Finding("integrity", "ok", f"good, revision {HEAD}")
    assert none is not None
    assert none.text.startswith("none yet in ")

    copy = settings.places.backups / "before.db"
    back_up(path, copy)
    three_days_ago = time.time() - 3 * 86_400 - 60
    os.utime(copy, (three_days_ago, three_days_ago))
    made = found(settings, "backup")
    assert made is not None
    size = f"{copy.stat().st_size / 2**20:.1f} MB"
    assert made.text == f"newest of 1 in {settings.places.backups}: made 3 days ago, {size}"


@pytest.mark.thorough
def test_a_damaged_store_is_bad_whether_the_daemon_runs_or_not(settings: Settings) -> None:
    """It is told as damaged, with the newest copy that is whole."""
    path = _store(settings)
    back_up(path, settings.places.backups / "good.db")
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    finding = found(settings, "integrity")
    assert finding is not None
    assert (finding.state, finding.text.partition(":")[0]) == ("bad", "damaged")
    assert finding.advice.startswith("Restore backup good: `finplan backup restore`.")
    (settings.places.backups / "good.db").write_bytes(b"spoilt" * 9)
    finding = found(settings, "integrity")
    assert finding is not None
    assert finding.advice.startswith("No good backup in ")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("revision", "state", "told"),
    [("0001", "ok", f"updates it to {HEAD}"), ("9999", "bad", "by a newer finplan")],
)
def test_a_store_of_another_version_is_told(
    settings: Settings, revision: str, state: str, told: str
) -> None:
    """An older one is brought up to date by the next start; a newer one needs a newer finplan."""
    path = _store(settings)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        database.commit()
    finding = found(settings, "integrity")
    assert finding is not None
    assert finding.state == state
    assert told in finding.text


@pytest.mark.thorough
def test_a_store_that_is_gone_beside_its_key_is_bad(settings: Settings) -> None:
    """Nobody is told that the first command makes a store where one was before."""
    path = _store(settings)
    settings.places.data_key.write_text(json.dumps({"source": "file", "key": "c2VjcmV0"}))
    path.write_bytes(b"")
    emptied = found(settings, "integrity")
    assert emptied is not None
    assert (emptied.state, emptied.text.partition(",")[0]) == ("bad", "empty")
    path.unlink()
    gone = found(settings, "database")
    assert gone is not None
    assert (gone.state, settings.places.data_key.name in gone.text) == ("bad", True)
    settings.places.data_key.unlink()
    path.touch()
    assert found(settings, "integrity") == Finding(
        "integrity", "ok", "empty; the first start sets it up"
    )
    path.unlink()
    assert found(settings, "database") == Finding(
        "database", "ok", "none yet; the first command creates it"
    )


def test_an_import_that_was_read_wrongly_is_named() -> None:
    """It is told what was wrong and how to undo it, until it is undone."""
    file = FileReport(
        file="card.csv", format="CSV", encoding="utf-8", accounts=(), transactions=1, new=1, known=0,
        ambiguous=0, error=None,
    )  # fmt: skip
    report = ImportReport(id="imp_1", dry_run=False, digest="", files=(file,))
    wrong = ImportRecord(id="imp_1", imported_at=1, undone_at=None, report=report, misread="signs")
    right = wrong.model_copy(update={"misread": None})
    undone = wrong.model_copy(update={"undone_at": 2})

    (finding,) = misread_imports([right, wrong, undone])

    assert (finding.state, finding.text) == (
        "warn", "card.csv: imported with money in and money out swapped"
    )  # fmt: skip
    assert "`finplan imports undo imp_1`" in finding.advice


@pytest.mark.thorough
def test_a_strange_row_is_bad(settings: Settings) -> None:
    """What would stop a start or a page is told with its row, and with the newest copy without it."""
    path = _store(settings)
    assert found(settings, "rows") is None
    back_up(path, settings.places.backups / "before.db")
    change = (
        "INSERT INTO person (id, email, created_at, time_zone, currency)"
        " VALUES ('usr_1', 'a@localhost', 0, 'UTC', 'x1')"
    )
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(change)
    make_sums(path)
    back_up(path, settings.places.backups / "after.db")
    finding = found(settings, "rows")

    assert finding is not None
    assert finding.state == "bad"
    assert "row 1 of the table person (currency: " in finding.text
    assert "`finplan backup restore before`" in finding.advice
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "INSERT INTO person (id, email, created_at, time_zone, currency)"
            " VALUES ('usr_2', 'b@localhost', 0, 'UTC', 'x1')"
        )
    finding = found(settings, "rows")
    assert finding is not None
    assert finding.text.endswith(", and 1 more.")


def test_what_failed_by_itself_is_named() -> None:
    """Each job whose last run failed is named with its reason; one that went well is not."""
    rest: dict[str, Any] = {"schedule": "at 03:30", "next_at": None, "last_at": 1}
    good = Job(name="plan", last_result="ok", error=None, **rest)
    bad = Job(name="backup", last_result="failed", error="There is no room.", **rest)
    idle = Job(name="sync", last_result=None, error=None, **rest)

    (finding,) = failed_jobs([good, bad, idle])
    assert (finding.name, finding.state) == ("schedule", "warn")
    assert finding.text == "backup failed: There is no room."
    assert "finplan daemon jobs run backup" in finding.advice


def test_a_changed_file_is_told_until_it_is_in_force(settings: Settings) -> None:
    """The settings are named, with what puts them in force; a daemon that has them is worth no word."""
    file = settings.places.configuration / "finplan.toml"
    with stub_daemon(settings):
        assert found(settings, "settings") is None
        file.write_text('webhook_private_targets = "home.local"\n')
        finding = found(load_settings("default"), "settings")
    assert finding is not None
    assert (finding.state, finding.text) == (
        "warn",
        f"changed in {file}, not applied yet: webhook_private_targets",
    )
    assert "`finplan daemon stop`" in present(finding.advice)


def test_a_program_that_is_not_there_is_told(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare name is looked for on the search path, `~/` at home; what can be run is worth no word."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    (tmp_path / "bin").mkdir()
    for program, name in (("tell-me", "tell-me"), ("~/bin/tell-me", f"{tmp_path}/bin/tell-me")):
        monkeypatch.setenv("FINPLAN_NOTIFY_COMMAND", f"{program} --loud")
        named = load_settings("default")
        finding = next(iter(_notify_command(named)))
        assert finding.text == f"program not found: {name}"
        tool = tmp_path / "bin" / "tell-me"
        tool.touch(0o700)
        assert list(_notify_command(named)) == []
        tool.unlink()
    for off in ("off", ""):
        monkeypatch.setenv("FINPLAN_NOTIFY_COMMAND", off)
        assert list(_notify_command(load_settings("default"))) == []


def test_enable_banking_wants_its_key(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an id nothing is said; with one the key must be there, and nobody else's to read."""
    assert found(settings, "eu banks") is None
    monkeypatch.setenv("FINPLAN_ENABLEBANKING_APPLICATION_ID", "7d0c4a52")
    settings = load_settings("default")
    missing = present(found(settings, "eu banks"))
    assert (missing.state, "enablebanking.pem" in (missing.advice or "")) == ("bad", True)
    file = settings.places.enablebanking_key
    file.write_text("-----BEGIN PRIVATE KEY-----\nMIIC\n-----END PRIVATE KEY-----\n")
    file.chmod(0o644)
    open_to_all = present(found(settings, "eu banks"))
    assert (open_to_all.state, "chmod 600" in open_to_all.text) == ("bad", True)
    file.chmod(0o600)
    assert present(found(settings, "eu banks")).state == "ok"


@pytest.mark.parametrize(
    ("state", "advice", "told"),
    [
        ("ok", "", ["ok    daemon       It runs."]),
        ("warn", "Do it.", ["warn  daemon       It runs.", "                   Do it."]),
        ("bad", "", ["bad   daemon       It runs."]),
    ],
)
def test_a_finding_begins_with_how_bad_it_is(state: Any, advice: str, told: list[str]) -> None:
    """The sign, the name, the sentence, and what to do about it under it."""
    page = installation.finding(Finding("daemon", state, "It runs.", advice))
    assert [line.rstrip() for line in drawn(page, 60).plain.splitlines()] == told


VARIABLE = "finplan: FINPLAN_PORT is 'web', not a whole number."
ADVICE = "Correct or remove the variable FINPLAN_PORT."
FILE = "The rate limit 0 is not valid."


@pytest.fixture
def bad(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One value of the environment and one of the file cannot be."""
    file = places_of("default").configuration / "finplan.toml"
    file.parent.mkdir(parents=True, mode=0o700)
    file.write_text('\nrate_limit = 0\nlog_level = "debug"\n')
    monkeypatch.setenv("FINPLAN_PORT", "web")
    return file


def test_a_daemon_can_be_stopped(finplan: Run, bad: Path) -> None:
    """It is told to stop, after each fault has been told, also to who wants quiet."""
    ended = finplan("daemon", "stop")
    assert ended.code == 0
    first, second, said = ended.err.splitlines()
    assert first == f"{VARIABLE} {ADVICE}"
    assert FILE in second
    assert second.endswith(f" Correct or remove line 2 of {bad}.")
    assert said == "The background service was not running."
    assert VARIABLE in finplan("daemon", "stop", "--quiet").err


def test_the_values_are_shown(finplan: Run, bad: Path) -> None:
    """What can be holds, what cannot is at its default and told beside."""
    ended = finplan("config")
    assert ended.code == 0
    assert ended.err.startswith(VARIABLE)
    assert FILE in ended.err
    assert b"debug" in ended.out
    shown = json.loads(finplan("config", "--json").out)
    assert [fault["name"] for fault in shown["faults"]] == ["port", "rate_limit"]
    assert {each["name"]: each["value"] for each in shown["settings"]}["port"] is None


def test_where_the_keys_of_banks_belong_is_shown(finplan: Run, bad: Path) -> None:
    """The places of all files are told, with which of them are not there yet, and no secret."""
    places = places_of("default")
    places.plaid_secret.write_text("only for Plaid", encoding="utf-8")
    ended = finplan("config")
    lines = {line.split()[0]: line for line in ended.out.decode().splitlines() if "/" in line}
    assert lines["plaid"].split()[1:] == ["secret", str(places.plaid_secret)]
    assert lines["enablebanking"].endswith(f"key {places.enablebanking_key}  none yet")
    assert b"only for Plaid" not in ended.out
    shown = json.loads(finplan("config", "--json").out)
    assert shown["places"]["plaid_secret"] == str(places.plaid_secret)


@pytest.mark.thorough
def test_the_doctor_names_them_and_looks_on(finplan: Run, bad: Path) -> None:
    """Each is a finding with its advice; whether the store is whole is looked at all the same."""
    places = places_of("default")
    Store.open(places.database, places.backups).close()
    ended = finplan("doctor", "--json")
    assert ended.code == 1
    found = json.loads(ended.out)
    told = [each for each in found if each["name"] == "settings"]
    assert [each["state"] for each in told] == ["bad", "bad"]
    assert told[0]["advice"] == ADVICE
    assert told[1]["advice"] == f"Correct or remove line 2 of {bad}."
    (whole,) = (each for each in found if each["name"] == "integrity")
    assert whole["state"] == "ok"


@pytest.mark.usefixtures("bad")
@pytest.mark.parametrize(
    "line",
    [
        "accounts",
        "plan",
        "snapshot",
        "import x.csv",
        "mcp",
        "mcp serve",
        "webhooks",
        "keys",
        "daemon",
        "sync",
        "daemon status",
        "daemon start",
        "daemon run",
        "daemon logs",
        "daemon jobs",
        "secrets",
        "open",
    ],
)
def test_everything_else_is_refused_with_the_sentence(finplan: Run, line: str) -> None:
    """Bad input: nothing is begun under settings that nobody chose."""
    ended = finplan(*line.split())
    assert (ended.code, ended.out) == (3, b"")
    assert ended.err.startswith(f"{VARIABLE} {ADVICE} {FILE}")
    assert ended.err.count("\n") == 1


SENTENCE = sentence_of(STORE_DAMAGED)
ERROR = f"finplan: {SENTENCE}\n"


@pytest.fixture
def household_settings(
    home: Path, household_store: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Settings]:
    """A profile with the demo household, whose notices are written to a file; no daemon runs yet."""
    heard = home / "heard"
    command = (
        f"'{sys.executable}' -c 'import sys; open(sys.argv[1], \"a\").write(sys.stdin.read())'"
    )
    monkeypatch.setenv("FINPLAN_NOTIFY_COMMAND", f"{command} '{heard}'")
    monkeypatch.setattr(client_room, "NO_SIGN", LONG_ENOUGH)
    loaded = load_settings()
    loaded.places.data.mkdir(parents=True)
    loaded.places.port_file.write_text(str(free_ports(1)))
    shutil.copy(household_store, loaded.places.database)
    yield loaded
    stop(loaded)


def has_notice(household_settings: Settings) -> bool:
    found = probe(household_settings)
    return isinstance(found, Ready) and found.notice == STORE_DAMAGED


@pytest.mark.thorough
def test_damage_is_told_once_by_each_command_and_outlives_the_daemon(
    finplan: Run, household_settings: Settings, home: Path
) -> None:
    """Met while it runs or known from the start on: commands answer, and say so once, quiet ones too."""
    database = household_settings.places.database
    start(household_settings, say_nothing)
    assert finplan("accounts").err == ""
    damage_table(database, "audit_event")
    before = bytes_of(database)

    whole = finplan("daemon", "status", "--json")
    met = finplan("audit")
    assert (json.loads(whole.out)["notice"], met.code, met.err) == (None, 1, ERROR)
    awaited(lambda: (home / "heard").exists() and (home / "heard").read_text() == f"{SENTENCE}\n")
    for daemon_ends in (None, signal.SIGTERM, signal.SIGKILL):
        found = probe(household_settings)
        if daemon_ends is not None and isinstance(found, Ready):
            os.kill(found.pid, daemon_ends)
            awaited(lambda: not isinstance(probe(household_settings), Ready))
            start(household_settings, say_nothing)
        assert has_notice(household_settings)
        status = finplan("daemon", "status")
        assert "The store is damaged" in " ".join(status.out.decode().split())
        for arguments in (("accounts",), ("accounts", "--json"), ("accounts", "--quiet")):
            read = finplan(*arguments)
            assert (read.code, read.err) == (0, ERROR)
            assert read.out
        refused = finplan("me", "set", "--name", "Ada")
        assert (refused.code, refused.err) == (1, ERROR)
    stop(household_settings)
    assert bytes_of(database) == before
    assert (home / "heard").read_text() == f"{SENTENCE}\n" * 3
    log = household_settings.places.log.read_text()
    assert log.count(f"ERROR {SENTENCE}") == 3
    assert "Traceback" not in log


@pytest.mark.thorough
def test_a_store_whose_owner_cannot_be_read_ends_the_start(household_settings: Settings) -> None:
    """Nobody could ask such a daemon: the start fails with a sentence, and no byte changes."""
    database = household_settings.places.database
    damage_table(database, "person")
    before = bytes_of(database)
    with pytest.raises(DaemonUnreachable) as refused:
        start(household_settings, say_nothing)

    assert str(refused.value).endswith(
        f" The store {database} is damaged and cannot be read. Restore the newest good backup:"
        " `finplan backup restore`."
    )
    assert bytes_of(database)[database.name] == before[database.name]
    # The connection that only reads may be closed last, and leaves the log that it made, without a byte.
    log = database.with_name(f"{database.name}-wal")
    assert not log.exists() or not log.stat().st_size
