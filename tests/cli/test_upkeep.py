"""The daemon's upkeep: `backup`, `secrets`, `daemon jobs`, `daemon install`, `sync` and `watch`.

Backups are listed, made, verified and restored, with a daemon, without one, and with damage. The
person moves the key, is told what it means, and why when it cannot be. A change is a line, and what
was known is shown while the daemon is away; what was installed is told, and how to take it back.
"""

import json
import os
import shlex
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.flips import Flip
from finplan.cli.commands.backup import after_restore
from finplan.cli.console.errors import USAGE
from finplan.data_key import data_key, key_at_start
from finplan.model.connection import SyncReport
from finplan.model.credential import DataKeyRotation, DataKeyStatus, SealedCount, SealedKind
from finplan.model.installation import Backup
from finplan.model.job import Job
from finplan.settings import Settings, load_settings
from finplan.store.examination import read_trees
from finplan.store.store import Store
from finplan.views import installation
from tests.cli import made_up
from tests.cli.conftest import Draw, Ended, Run
from tests.cli.made_up_bank import connections
from tests.cli.made_up_plan import NOON
from tests.cli.stub import Stub
from tests.daemon.ports import keep_own_port
from tests.data_key.keyrings import Safe, preferring
from tests.golden_files import Golden
from tests.views.drawing import how


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
    assert "No data to back up" in finplan("backup", "create").err
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
    golden("backups", draw(installation.backups(backups, how())))


@pytest.mark.usefixtures("utc")
@pytest.mark.parametrize(
    ("ended", "words"),
    [
        (None, "may work again"),
        (2, "Removed 2 credentials"),
        (1, "Removed 1 credential "),
    ],
)
def test_what_a_restore_tells_of_keys(settings: Settings, ended: int | None, words: str) -> None:
    """What came back with it is said, and where to end it."""
    saved = f"{settings.places.database}.before-restore-1"
    restored = {
        "id": "mine", "madeAt": 0, "keptAs": saved, "endedCredentials": ended, "hasDataKey": False,
    }  # fmt: skip
    lines = list(after_restore(restored, settings))
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


@pytest.fixture
def safe() -> Iterator[Safe]:
    with preferring(Safe()) as safe:
        yield safe


@pytest.fixture
def key(finplan: Run) -> bytes:
    """The key of a profile whose daemon has started before."""
    file = load_settings().places.data_key
    file.parent.mkdir(parents=True)
    made = key_at_start(file, {})
    assert made is not None
    return made


def test_there_and_back(finplan: Run, key: bytes, safe: Safe) -> None:
    """Each way says where the key is, and what that means; the key is the same all the time."""
    file = load_settings().places.data_key

    there = finplan("secrets", "move", "keyring")
    assert (there.code, there.out) == (0, b"The data key is in the keyring.\n")
    assert "cron or over ssh" in there.err
    assert "exit code 6" in there.err
    assert data_key(file, {}) == key
    assert json.loads(finplan("secrets", "--json").out) == {
        "dataKey": {"source": "keyring", "file": str(file)}
    }

    back = finplan("secrets", "move", "file")
    assert (back.code, back.out) == (0, f"The data key is in {file}.\n".encode())
    assert data_key(file, {}) == key
    again = finplan("secrets", "move", "file")
    assert (again.code, again.err) == (0, "Nothing changed: the key was already in this place.\n")


def test_a_keyring_that_gives_nothing_is_exit_code_6(finplan: Run, key: bytes, safe: Safe) -> None:
    """Neither way goes on without the keyring; a sentence says that the key stays."""
    safe.locked = True
    there = finplan("secrets", "move", "keyring")
    assert (there.code, there.out) == (6, b"")
    assert "data key stays in" in there.err
    safe.locked = False
    finplan("secrets", "move", "keyring")
    safe.locked = True

    back = finplan("secrets", "move", "file")

    assert (back.code, back.out) == (6, b"")
    assert "system keyring" in back.err


def test_before_the_first_start_there_is_no_key(finplan: Run, safe: Safe) -> None:
    """Nothing is made by looking, or by moving."""
    assert (finplan("secrets").code, finplan("secrets", "move", "keyring").code) == (4, 4)
    assert not load_settings().places.data.exists()


def test_another_place_is_a_usage_error(finplan: Run, key: bytes) -> None:
    """There are two places, and the help names both."""
    ended = finplan("secrets", "move", "pocket")

    assert ended.code == 2
    assert "keyring" in ended.err


def counted(kind: SealedKind, count: int, closed: int | None, *lost: str) -> SealedCount:
    return SealedCount(kind=kind, count=count, closed=closed, lost=lost)


FILE = "/home/ada/.local/share/finplan/default/data_key.json"
WHOLE = DataKeyStatus(
    source="file",
    file=FILE,
    since=1_788_214_980_000,
    unfinished=False,
    trouble=None,
    sealed=(
        counted("bank_access", 1, 0),
        counted("webhook_secret", 2, 0),
        counted("signing_key", 3, 0),
        counted("kept_reply", 12, 0),
    ),
)


def test_the_status(draw: Draw, golden: Golden) -> None:
    """Where the key is, since when, what is sealed, whether it opens, and what to do if not."""
    told = (
        WHOLE,
        WHOLE.model_copy(
            update={
                "unfinished": True,
                "since": None,
                "sealed": (
                    counted("bank_access", 2, 1, "Harbour Bank"),
                    counted("webhook_secret", 1, 1, "https://hooks.example.com/"),
                    counted("signing_key", 3, 3),
                    counted("kept_reply", 12, 2),
                ),
            }
        ),
        WHOLE.model_copy(
            update={
                "source": "keyring",
                "trouble": "The data key is in the keyring of the system, which does not give it.",
                "sealed": (counted("bank_access", 2, None),),
            }
        ),
        WHOLE.model_copy(update={"source": "FINPLAN_DATA_KEY", "sealed": ()}),
    )
    golden("secrets-status", "\n".join(draw(installation.secrets(each, how())) for each in told))


def test_what_to_do_is_parted_from_the_list(draw: Draw) -> None:
    """An empty line stands before what to do, also where only some sealed things do not open."""
    sealed = (counted("bank_access", 1, 0), counted("kept_reply", 12, 2))
    status = WHOLE.model_copy(update={"sealed": sealed})
    lines = draw(installation.secrets(status, how())).splitlines()

    assert [not line.strip() for line in lines] == [False, True, False, False, False, True, False]


def test_a_key_made_anew(draw: Draw, golden: Golden) -> None:
    """How many secrets are sealed under it now, and how many opened no more before."""
    told = (
        DataKeyRotation(since=1, sealed=18, closed=0),
        DataKeyRotation(since=1, sealed=1, closed=1),
    )
    golden(
        "secrets-rotated",
        "\n".join(draw(installation.describe_rotation(each, how())) for each in told),
    )


NOW = NOON
HOUR = 3_600_000


def job(name: str, schedule: str, **more: Any) -> Job:
    rest: dict[str, Any] = {"next_at": None, "last_at": None, "last_result": None, "error": None}
    return Job(name=name, schedule=schedule, **{**rest, **more})


def made_up_jobs() -> list[Job]:
    """One that went well, one that failed, one that had nothing to do, one that is due, one never."""
    return [
        job("sync", "never; no bank is linked"),
        job(
            "plan",
            "at 06:00, and five minutes after news (Europe/Berlin)",
            next_at=NOW + 18 * HOUR,
            last_at=NOW - 6 * HOUR,
            last_result="skipped",
        ),
        job("prune", "every hour", next_at=NOW, last_at=NOW - HOUR, last_result="ok"),
        job(
            "backup",
            "at 03:30, when something has changed (Europe/Berlin)",
            next_at=NOW + 1,
            last_at=NOW - 30 * HOUR,
            last_result="failed",
            error="There is no room. The older backups are kept.",
        ),
    ]


@pytest.mark.usefixtures("utc")
def test_jobs_are_listed_with_their_runs(draw: Draw, golden: Golden) -> None:
    """Each says when it is due next, when it ran last and how that went, and what failed."""
    golden(
        "jobs",
        draw(installation.jobs(made_up_jobs(), how()), 120, 120),
    )


@pytest.mark.usefixtures("utc")
def test_no_word_of_when_a_job_is_due_is_cut(draw: Draw, golden: Golden) -> None:
    """Where a terminal is narrow, the words take further lines."""
    golden(
        "jobs-80",
        draw(installation.jobs(made_up_jobs(), how()), 80),
    )


def test_a_job_is_started_by_its_name(finplan: Run, stub: Stub) -> None:
    """It is said where to see what comes of it."""
    stub.answer("POST", "/jobs/prune/run", made_up_jobs()[2], 202)
    ended = finplan("daemon", "jobs", "run", "prune")

    assert (ended.code, ended.out) == (0, b"")
    assert ended.err == "Started prune. See the result: `finplan daemon jobs`.\n"


def report(ok: bool) -> dict[str, Any]:
    error = None if ok else "The bank is closed."
    made = SyncReport(
        connection_id=connections()[0].connection.id,
        ok=ok,
        accounts=2,
        added=3,
        modified=0,
        removed=0,
        complete=True,
        error=error,
    )
    return dict(json.loads(made.model_dump_json()))


@pytest.mark.parametrize(
    ("ok", "quiet", "code", "said"),
    [
        (True, False, 0, True),
        (True, True, 0, False),
        (False, False, 6, True),
        (False, True, 6, True),
    ],
)
def test_cron_hears_of_what_failed(
    finplan: Run, stub: Stub, ok: bool, quiet: bool, code: int, said: bool
) -> None:
    """With --quiet a sync that worked prints nothing; one that failed prints why, and ends with 6."""
    stub.answer("GET", "/connections", connections())
    stub.answer("POST", "/connections/sync", [report(ok)])
    ended = finplan("sync", *(["--quiet"] if quiet else []))

    assert (ended.code, bool(ended.out), ended.err) == (code, said, "")
    assert (b"The bank is closed." in ended.out) is not ok


@pytest.mark.parametrize("option", [(), ("--quiet",)])
def test_no_bank_means_nothing_to_fetch(finplan: Run, stub: Stub, option: tuple[str, ...]) -> None:
    """Nobody's cron line does nothing for ever: the exit code is that of all that wants a bank."""
    stub.answer("POST", "/connections/sync", [])
    ended = finplan("sync", *option)

    assert (ended.code, ended.out) == (6, b"")
    assert ended.err.endswith("`finplan connect demo`.\n")


def test_an_unreachable_daemon_ends_with_7(finplan: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cron can tell that apart from a bank's failure."""
    from finplan.client import connect
    from finplan.client.failures import DaemonUnreachable

    def refuse(*_: object) -> None:
        raise DaemonUnreachable("The daemon cannot be started: it is asleep.")

    monkeypatch.setattr(connect, "connect", refuse)
    assert finplan("sync", "--quiet").code == 7


@pytest.mark.parametrize(
    "line", ["sync", "connections sync", "connections sync con_a1k3f9x2m7q4w8r1t5v6y0z"]
)
@pytest.mark.parametrize("ok", [True, False])
def test_a_program_gets_the_same_exit_code(finplan: Run, stub: Stub, line: str, ok: bool) -> None:
    """With --json the answer is printed as it came, and a bank that failed ends it with 6, too."""
    words = line.split()
    one = len(words) == 3
    path = f"/connections/{words[2]}/sync" if one else "/connections/sync"
    answer = report(ok) if one else [report(ok), report(ok)]
    stub.answer("POST", path, answer)
    ended = finplan(*words, "--json")
    assert (ended.code, ended.err) == (0 if ok else 6, "")
    assert json.loads(ended.out) == answer


def test_a_program_learns_that_no_bank_is_linked(finplan: Run, stub: Stub) -> None:
    """The empty list is printed, and the exit code is 6 as without --json."""
    stub.answer("POST", "/connections/sync", [])
    ended = finplan("sync", "--json")
    assert (ended.code, ended.out) == (6, b"[]\n")
    assert "No bank is linked yet" in ended.err


def view(today: int) -> bytes:
    """A plan's view in which so much is safe to spend."""
    made = made_up.view()
    allowance = made.snapshot.allowance.model_copy(update={"today": today})
    snapshot = made.snapshot.model_copy(update={"allowance": allowance})
    return made.model_copy(update={"snapshot": snapshot}).model_dump_json().encode()


def test_each_change_is_a_line(finplan: Run, stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --json figures that stay are printed once; Ctrl-C ends it without a complaint."""
    answers = iter([view(100), view(100), view(200)])
    stub.answers["GET", "/plan/view"] = lambda: (200, next(answers))
    looks = iter([None, None])

    def sleep(_seconds: float) -> None:
        if next(looks, KeyboardInterrupt) is KeyboardInterrupt:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", sleep)
    ended = finplan("watch", "--json", "--every", "1")
    lines = [json.loads(line) for line in ended.out.splitlines()]
    assert (ended.code, ended.err) == (0, "")
    assert [each["allowance"]["today"] for each in lines] == [100, 200]


def test_nobody_watches_off_a_terminal(finplan: Run, stub: Stub) -> None:
    """Where nobody looks it is said what to do instead, and the daemon is asked nothing."""
    ended = finplan("watch")
    assert (ended.code, ended.out, stub.asked) == (USAGE, b"", [])
    assert "finplan watch --json" in ended.err


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")


@pytest.fixture
def unit(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the unit would be, on a system whose tool does as it is told."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    tool = home / "bin" / "systemctl"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexit 0\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    return home / ".config" / "systemd" / "user" / "finplan.service"


@on_linux
def test_it_is_shown_and_nothing_is_done(finplan: Run, unit: Path) -> None:
    """--print writes the file to stdout, and where it would be to stderr."""
    ended = finplan("daemon", "install", "--print")

    assert (ended.code, ended.err) == (0, f"{unit}:\n")
    assert ended.out.startswith(b"[Unit]\nDescription=finplan, profile default\n")
    assert ended.out.endswith(b"WantedBy=default.target\n")
    assert not unit.exists()


@on_linux
def test_the_way_back_is_told(finplan: Run, unit: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed, the status names the file; a second removal finds nothing, with exit code 4."""
    monkeypatch.setenv("FINPLAN_PORT", "8999")
    before = finplan("daemon", "status", "--json")
    shown = finplan("daemon", "install", "--print")
    installed = finplan("daemon", "install")
    status = finplan("daemon", "status", "--json")
    removed = finplan("daemon", "uninstall")
    again = finplan("daemon", "uninstall")

    assert json.loads(before.out)["startedAtLoginBy"] is None
    assert (installed.code, installed.out) == (0, b"")
    first, settings, last = installed.err.splitlines()
    assert first == f"Wrote {unit}. To undo this: `finplan daemon uninstall`."
    assert ": port. " in settings
    assert shown.err.splitlines() == [f"{unit}:", settings]
    assert "login" in last
    assert json.loads(status.out)["startedAtLoginBy"] == str(unit)
    assert (removed.code, again.code) == (0, 4)
    assert removed.err.startswith(f"Removed {unit}.")
    assert not unit.exists()


@on_linux
def test_a_system_that_refuses_is_quoted(finplan: Run, unit: Path) -> None:
    """The file is there all the same, and the sentence says which command failed and why."""
    tool = Path(os.environ["PATH"].partition(os.pathsep)[0]) / "systemctl"
    tool.write_text("#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n")
    ended = finplan("daemon", "install")

    assert ended.code == 1
    assert "`systemctl --user daemon-reload` failed: Failed to connect to bus." in ended.err
    assert "The service file is saved, but you must enable the service yourself." in ended.err
    assert unit.exists()
