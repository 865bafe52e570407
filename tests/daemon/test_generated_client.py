"""A client that a generator we did not write makes of the description builds, and makes a plan."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import httpx
import pytest

from tests.daemon.judged import judged
from tests.patience import LONG_ENOUGH

GENERATOR = "openapi-python-client==0.29.1"


@pytest.mark.slow
@pytest.mark.judged
def test_a_generated_client_makes_a_plan(tmp_path: Path) -> None:
    """Generated without a warning, installed as a package, it builds a plan and reads it back.

    The generator needs other versions of what the tests need, so it has an environment of its own.
    """
    environment, client = tmp_path / "environment", tmp_path / "client"
    venv.create(environment, with_pip=True)
    installed = run(environment, "-m", "pip", "install", "--quiet", GENERATOR)
    if installed.returncode:
        pytest.skip(f"The generator cannot be installed here: {installed.stderr[-300:]}")

    with judged(tmp_path / "home", household=True) as daemon:
        description = tmp_path / "openapi.json"
        answer = httpx.get(f"{daemon.url}/api/openapi.json", trust_env=False).raise_for_status()
        description.write_bytes(answer.content)
        done(
            run(
                environment,
                *("-m", "openapi_python_client", "generate", "--fail-on-warning"),
                *("--path", str(description), "--output-path", str(client)),
            )
        )
        done(run(environment, "-m", "pip", "install", "--quiet", str(client)))
        script = Path(__file__).with_name("generated_client.py")
        told = done(run(environment, str(script), daemon.url, daemon.key))

    assert told.strip()


def run(environment: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
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
