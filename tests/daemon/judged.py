"""A daemon for judges that we did not write: a process of its own, on a home that is thrown away."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from finplan.client.announcement import read_announcement
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.settings import load_settings
from tests.patience import LONG_ENOUGH

RATE_LIMIT = "1000000"
"""Judges ask faster than anybody; what the limit does is tested by itself."""

RECEIVER = "https://127.0.0.1:9/finplan"
"""Where webhooks may be, besides the internet, whose names a test must not ask for: nobody listens."""

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Judged:
    """Where the daemon is, a key that may read and write, and whether it has the demo household."""

    url: str
    key: str
    household: bool


@contextmanager
def judged(home: Path, *, household: bool) -> Iterator[Judged]:
    """Start the daemon of a profile, with the demo household or with nothing; stop it in the end."""
    profile = "demo" if household else "own"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("FINPLAN_")}
    environment = {
        **clean,
        "FINPLAN_HOME": str(home),
        "FINPLAN_RATE_LIMIT": RATE_LIMIT,
        "FINPLAN_WEBHOOK_PRIVATE_TARGETS": "127.0.0.1",
    }

    def finplan(*arguments: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "finplan", "--profile", profile, "--quiet", *arguments],
            env=environment,
            cwd=PROJECT,
            check=True,
            capture_output=True,
            timeout=LONG_ENOUGH,
        )

    finplan("plan", "build") if household else finplan("daemon", "start")
    try:
        announced = read_announcement(load_settings(profile, environment).places.daemon_file)
        assert announced is not None
        made = httpx.post(
            f"{announced.url}{API_ROOT}/keys",
            json={"name": "judge"},
            cookies={SESSION_COOKIE: announced.token},
            trust_env=False,
        ).raise_for_status()
        yield Judged(announced.url, json.loads(made.content)["key"], household)
    finally:
        finplan("daemon", "stop")
