"""Programs of others that judge what finplan writes."""

import shutil
import sys
from pathlib import Path

import pytest


def judge_named(name: str) -> str:
    """Find a program on the PATH or beside this Python; the test is skipped without it.

    `.ci/run` installs hledger, and the development extra brings bean-check.
    """
    program = shutil.which(name) or shutil.which(name, path=Path(sys.executable).parent)
    if program is None:
        pytest.skip(f"{name} is not installed, so nobody but finplan judges its journals")
    return program
