"""schemathesis judges the daemon by its own description: examples, coverage, fuzzing and links."""

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from schemathesis.core.failures import ServerError

from finplan.operations.table import OPERATIONS
from tests.daemon.judged import PROJECT, Judged, judged
from tests.daemon.server_errors import server_errors_are_defined

EXAMPLES = os.environ.get("SCHEMATHESIS_EXAMPLES", "15")
"""How many questions are made up for each operation; more find more, and take longer."""

SEED = os.environ.get("SCHEMATHESIS_SEED", "1")
"""Where the making up starts: what fails once fails again, and another seed asks other questions."""

PATIENCE = 1800


@pytest.mark.parametrize(
    ("status", "defined", "code", "passes"),
    [
        (200, None, None, True),
        (404, True, "NOT_FOUND", True),
        (500, True, "NO_CONNECTIONS", True),
        (500, True, "UNSUPPORTED_PROVIDER", True),
        (500, True, "BANK_PROVIDER_ERROR", True),
        (500, False, "NO_CONNECTIONS", False),
        (500, True, "INTERNAL_SERVER_ERROR", False),
        (500, False, "INTERNAL_SERVER_ERROR", False),
        (507, True, "INSUFFICIENT_STORAGE", False),
        (503, True, "SERVICE_UNAVAILABLE", False),
    ],
)
def test_which_server_errors_pass(
    status: int, defined: bool | None, code: str | None, passes: bool
) -> None:
    """The judge lets a 5xx pass only where it is defined and has one of the interface's codes."""
    response = httpx.Response(status, json={"defined": defined, "code": code})
    case = SimpleNamespace(operation=SimpleNamespace(label="GET /me"))
    if passes:
        server_errors_are_defined(None, response, case)
        return
    with pytest.raises(ServerError):
        server_errors_are_defined(None, response, case)


@pytest.mark.slow
@pytest.mark.judged
@pytest.mark.parametrize("household", [True, False], ids=["household", "nothing"])
def test_nothing_fails(tmp_path: Path, household: bool) -> None:
    """Every operation, stateful links included, with and without data: zero failures.

    Statement files never come into the demo household, so their links are followed without it.
    """
    home, work = tmp_path / "home", tmp_path / "work"
    work.mkdir()
    with judged(home, household=household) as daemon:
        run = judge(daemon, work)

    told = run.stdout.decode() + run.stderr.decode()
    assert run.returncode == 0, told
    assert f"Tested: {len(OPERATIONS)}" in told
    assert "Failures:" not in told, told


def judge(daemon: Judged, work: Path) -> "subprocess.CompletedProcess[bytes]":
    """Run schemathesis as a person would; the hooks tell which check is another one, and why."""
    command = [
        str(Path(sys.executable).with_name("st")),
        "run",
        f"{daemon.url}/api/openapi.json",
        f"--header=x-api-key: {daemon.key}",
        "--phases=examples,coverage,fuzzing,stateful",
        f"--max-examples={EXAMPLES}",
        f"--seed={SEED}",
        "--exclude-checks=not_a_server_error",
        "--no-color",
    ]
    environment = {
        **os.environ,
        "FINPLAN_JUDGED": json.dumps(asdict(daemon)),
        "SCHEMATHESIS_HOOKS": "tests.daemon.schemathesis_hooks",
        "PYTHONPATH": str(PROJECT),
    }
    return subprocess.run(
        command, env=environment, cwd=work, capture_output=True, timeout=PATIENCE, check=False
    )
