"""atheris looks for bytes that break a reader, the same each time; `make fuzz` looks by chance."""

import os
import platform
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fuzz.__main__ import TARGETS
from tests.patience import LONG_ENOUGH

ROOT = Path(__file__).parents[2]
RUNS = {
    "detection": 6000,
    "OFX": 6000,
    "CAMT": 6000,
    "MT940": 8000,
    "QIF": 8000,
    "finplan-json": 25_000,
    "finplan-csv": 20_000,
    "beancount": 6000,
    "hledger": 6000,
    "CSV": 4000,
}
"""How many inputs, so that each target takes about as long; chance and the clock decide nothing."""


AS_A_CHILD = ("sh", "-c", '"$@"; exit $?', "sh")
"""Started by a small program: at first, Linux counts the memory of whoever starts one as its own."""


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_no_bytes_break_a_reader(tmp_path: Path, target: str) -> None:
    """Thousands of inputs of any bytes: no crash, none that takes seconds, and no growing memory.

    They are the same ones in every run, so that a change that breaks nothing never fails by chance.
    """
    if find_spec("atheris") is None:
        pytest.skip(
            "atheris is not installed; `make fuzz` says why. It has no wheel for every system, as "
            f"perhaps for Python {platform.python_version()} on {platform.platform()}."
        )
    options = ["--runs", str(RUNS[target]), "--seed", "1", "--folder", str(tmp_path)]
    run = subprocess.run(
        [*AS_A_CHILD, *_at_fixed_addresses(), sys.executable, "-m", "tests.fuzz", target, *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        check=False,
        timeout=12 * LONG_ENOUGH,
    )
    found = {path.name: path.read_bytes() for path in tmp_path.glob(f"{target}-*")}
    said = run.stderr.decode(errors="replace") + run.stdout.decode(errors="replace")
    assert run.returncode == 0, f"{found}\n{said[-4000:]}"
    assert "number_of_executed_units" in said


def test_every_target_has_its_runs() -> None:
    """No reader is left out."""
    assert RUNS.keys() == set(TARGETS)


@cache
def _at_fixed_addresses() -> tuple[str, ...]:
    """What keeps addresses in memory the same, where the system allows it.

    Before Python 3.12 the hash of None is one, and so is the order of a set with None in it.
    """
    setarch = shutil.which("setarch")
    if setarch is None:
        return ()
    command = (setarch, "--addr-no-randomize")
    return command if subprocess.run([*command, "true"], check=False).returncode == 0 else ()
