"""Checkouts of the product that these benchmarks look at from outside, each with its own interpreter."""

import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parent


def python_of(checkout: Path) -> Path:
    """The interpreter of a checkout's own environment, else this one."""
    own = checkout / ".venv" / "bin" / "python"
    return own if own.exists() else Path(sys.executable)


def run_with(
    checkout: Path, python: Path, folder: Path, *arguments: str
) -> "subprocess.CompletedProcess[str]":
    """Run Python with the product of a checkout, and with the benchmarks that `folder` has a link to."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(checkout)))}
    return subprocess.run(
        (str(python), *arguments),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def link_benchmarks(folder: Path) -> None:
    """Let `folder` have these benchmarks and no product."""
    (folder / BENCHMARKS.name).symlink_to(BENCHMARKS)
