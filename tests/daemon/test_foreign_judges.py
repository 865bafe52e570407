"""Judges that we did not write read the description: a generator of clients, and schemathesis.

schemathesis judges the daemon by its own description: examples, coverage, fuzzing and links.
"""

import json
import os
import subprocess
import sys
import venv
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from schemathesis.core.failures import ServerError

from finplan.operations.table import OPERATIONS
from tests.daemon.judged import PROJECT, Judged, judged
from tests.daemon.server_errors import server_errors_are_defined
from tests.patience import LONG_ENOUGH

EXAMPLES = os.environ.get("SCHEMATHESIS_EXAMPLES", "10")
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


GENERATOR = "openapi-python-client==0.29.1"


@pytest.mark.slow
@pytest.mark.judged
def test_a_generated_client_makes_a_plan(tmp_path: Path) -> None:
    """Generated without a warning, installed as a package, it builds a plan and reads it back.

    The generator needs other versions of what the tests need, so it has an environment of its own.
    """
    environment, client = tmp_path / "environment", tmp_path / "client"
    venv.create(environment, with_pip=True)
    installed = run_python(environment, "-m", "pip", "install", "--quiet", GENERATOR)
    if installed.returncode:
        pytest.skip(f"No generator here: {installed.stderr[-300:]}")

    with judged(tmp_path / "home", household=True) as daemon:
        description = tmp_path / "openapi.json"
        answer = httpx.get(f"{daemon.url}/api/openapi.json", trust_env=False).raise_for_status()
        description.write_bytes(answer.content)
        done(
            run_python(
                environment,
                *("-m", "openapi_python_client", "generate", "--fail-on-warning"),
                *("--path", str(description), "--output-path", str(client)),
            )
        )
        done(run_python(environment, "-m", "pip", "install", "--quiet", str(client)))
        script = Path(__file__).with_name("generated_client.py")
        told = done(run_python(environment, str(script), daemon.url, daemon.key))

    assert told.strip()


def run_python(environment: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in the environment; the generator calls tools that lie beside it."""
    folder = environment / ("Scripts" if sys.platform == "win32" else "bin")
    return subprocess.run(
        [str(folder / "python"), *arguments],
        env={**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=12 * LONG_ENOUGH,
    )


def done(ended: "subprocess.CompletedProcess[str]") -> str:
    """What a run printed, which must have gone well."""
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
