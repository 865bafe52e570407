"""`finplan daemon jobs`, and `finplan sync` as cron runs it."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from finplan.cli.showing.installation import draw_jobs
from finplan.model.connection import SyncReport
from finplan.model.job import Job
from tests.cli.conftest import Draw, Run
from tests.cli.made_up_bank import connections
from tests.cli.made_up_plan import NOON
from tests.cli.stub import Stub
from tests.golden_files import Golden

NOW = NOON
HOUR = 3_600_000


def job(name: str, schedule: str, **more: Any) -> Job:
    rest: dict[str, Any] = {"next_at": None, "last_at": None, "last_result": None, "error": None}
    return Job(name=name, schedule=schedule, **{**rest, **more})


def made_up_jobs() -> list[Job]:
    """One that went well, one that failed, one that had nothing to do, one that is due, one never."""
    return [
        job("sync", "not while no bank is linked"),
        job(
            "plan",
            "at 06:00, and five minutes after news (Europe/Berlin)",
            next_at=NOW + 18 * HOUR,
            last_at=NOW - 6 * HOUR,
            last_result="skipped",
        ),
        job(
            "prune",
            "every hour",
            next_at=NOW,
            last_at=NOW - HOUR,
            last_result="ok",
        ),
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
    golden("jobs", draw(draw_jobs(made_up_jobs(), datetime.fromtimestamp(NOON / 1000, UTC)), 120))


@pytest.mark.usefixtures("utc")
def test_no_word_of_when_a_job_is_due_is_cut(draw: Draw, golden: Golden) -> None:
    """Where a terminal is narrow, the words take further lines."""
    golden("jobs-80", draw(draw_jobs(made_up_jobs(), datetime.fromtimestamp(NOON / 1000, UTC)), 80))


def test_a_job_is_started_by_its_name(finplan: Run, stub: Stub) -> None:
    """It is said where to see what comes of it."""
    stub.answer("POST", "/jobs/prune/run", made_up_jobs()[2].model_dump_json().encode(), 202)
    ended = finplan("daemon", "jobs", "run", "prune")

    assert (ended.code, ended.out) == (0, b"")
    assert ended.err == "prune begins now. `finplan daemon jobs` shows what comes of it.\n"


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
    listed = ",".join(each.model_dump_json() for each in connections())
    stub.answer("GET", "/connections", f"[{listed}]".encode())
    stub.answer("POST", "/connections/sync", [report(ok)])
    ended = finplan("sync", *(["--quiet"] if quiet else []))

    assert (ended.code, bool(ended.out), ended.err) == (code, said, "")
    assert (b"The bank is closed." in ended.out) is not ok


@pytest.mark.parametrize("option", [(), ("--quiet",)])
def test_a_home_without_a_bank_fetches_nothing_and_says_so(
    finplan: Run, stub: Stub, option: tuple[str, ...]
) -> None:
    """Nobody's cron line does nothing for ever: the exit code is that of all that wants a bank."""
    stub.answer("POST", "/connections/sync", [])
    ended = finplan("sync", *option)

    assert (ended.code, ended.out) == (6, b"")
    assert ended.err.startswith("finplan: No bank is linked yet: `finplan connect demo`")


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
