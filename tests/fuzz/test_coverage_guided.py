"""atheris looks for bytes that break a reader, for a bounded time each; `make fuzz` goes on longer."""

import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fuzz.__main__ import TARGETS

ROOT = Path(__file__).parents[2]
RUNS, SECONDS = 20_000, 12
"""A run ends with the first of the two."""


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_no_bytes_break_a_reader(tmp_path: Path, target: str) -> None:
    """Thousands of inputs of any bytes: no crash, none that takes seconds, and no growing memory."""
    if find_spec("atheris") is None:
        pytest.skip(
            "atheris is not installed; `make fuzz` says why. It has no wheel for every system, as "
            f"perhaps for Python {platform.python_version()} on {platform.platform()}."
        )
    options = [
        "--runs",
        str(RUNS),
        "--seconds",
        str(SECONDS),
        "--seed",
        "1",
        "--folder",
        str(tmp_path),
    ]
    run = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", target, *options],
        cwd=ROOT, capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    found = {path.name: path.read_bytes() for path in tmp_path.glob(f"{target}-*")}
    said = run.stderr.decode(errors="replace") + run.stdout.decode(errors="replace")
    assert run.returncode == 0, f"{found}\n{said[-4000:]}"
    assert "number_of_executed_units" in said
