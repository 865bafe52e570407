"""The schedule of a real daemon: a run that was killed with it is done again by the next one, once."""

import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from finplan.client.connect import Ready, probe, stop
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.settings import Settings, load_settings
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH
from tests.processes import awaited, running

pytestmark = pytest.mark.slow

HURRIED = """
import asyncio, os, sys
from contextlib import suppress
from dataclasses import replace
from finplan.daemon import process
from finplan.daemon.__main__ import main
from finplan.daemon.background import Schedule
from finplan.service.automation import kinds, running
from finplan.service.automation.job import DONE
from finplan.service.automation.job import Every
from finplan.store.queries import jobs

process.STOP_GRACE = 1.0
Schedule.run.__defaults__ = (0.0,)
jobs.LEASE, jobs.LONGEST_LEASE, running.RENEWED_EVERY = 1000, 2000, 0.3

async def note(context, run):
    with open(sys.argv[1], "a") as file:
        print(os.getpid(), file=file)
    if sys.argv[2] == "hang":
        await asyncio.Event().wait()
    while sys.argv[2] == "never end":
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
    return DONE

kinds.KINDS["prune"] = replace(kinds.KINDS["prune"], timing=Every(100_000), perform=note)
raise SystemExit(main([]))
"""
"""A daemon in a hurry, whose pruning notes that it ran, and ends only where it may."""


def prune_of(client: httpx.Client) -> dict[str, Any]:
    jobs = client.get("/jobs").raise_for_status().json()
    return next(job for job in jobs if job["name"] == "prune")


def client_of(settings: Settings) -> httpx.Client:
    awaited(lambda: isinstance(probe(settings), Ready))
    found = probe(settings)
    assert isinstance(found, Ready)
    cookies = {SESSION_COOKIE: found.token}
    return httpx.Client(
        base_url=f"{found.url}{API_ROOT}", cookies=cookies, trust_env=False, timeout=LONG_ENOUGH
    )


def test_a_run_that_was_killed_is_caught_up_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After kill -9 in the middle of a run the next daemon does it again, and then it is not due."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    monkeypatch.setenv("FINPLAN_PORT", str(free_ports(1)))
    settings, noted = load_settings(), tmp_path / "noted"

    def runs() -> list[str]:
        return noted.read_text().split() if noted.exists() else []

    with running(sys.executable, "-c", HURRIED, str(noted), "hang") as first:
        with client_of(settings) as client:
            assert client.post("/jobs/prune/run").status_code == 202
            awaited(lambda: len(runs()) == 1)
            assert prune_of(client)["lastResult"] is None
        first.kill()
        first.wait()
    with (
        running(sys.executable, "-c", HURRIED, str(noted), "end") as second,
        client_of(settings) as client,
    ):
        awaited(lambda: prune_of(client)["lastResult"] == "ok")
        assert runs() == [str(first.pid), str(second.pid)]
        # Whoever asks once more has it done once more; nothing else was left to do.
        client.post("/jobs/prune/run").raise_for_status()
        awaited(lambda: len(runs()) == 3 and prune_of(client)["nextAt"] > time.time() * 1000)
        stop(settings)
    assert runs() == [str(first.pid), str(second.pid), str(second.pid)]


@pytest.mark.parametrize("manner", ["hang", "never end"])
def test_a_run_that_hangs_keeps_no_daemon_from_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    """It is handed back, or where it would not end it ends with its process, before that is killed."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    monkeypatch.setenv("FINPLAN_PORT", str(free_ports(1)))
    settings, noted = load_settings(), tmp_path / "noted"

    with running(sys.executable, "-c", HURRIED, str(noted), manner) as daemon:
        with client_of(settings) as client:
            assert client.post("/jobs/prune/run").status_code == 202
            awaited(lambda: noted.exists() and bool(noted.read_text()))
        assert stop(settings)
        assert daemon.wait(LONG_ENOUGH) == 0
