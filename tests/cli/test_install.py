"""`finplan daemon install`: the person is told what was done, and how to take it back."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")


@pytest.fixture
def unit(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the unit would be, on a system whose tool does as it is told."""
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    tool = home / "bin" / "systemctl"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexit 0\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    return home / ".config" / "systemd" / "user" / "finplan.service"


def test_it_is_shown_and_nothing_is_done(finplan: Run, unit: Path) -> None:
    """--print writes the file to stdout, and where it would be to stderr."""
    ended = finplan("daemon", "install", "--print")

    assert (ended.code, ended.err) == (0, f"{unit}:\n")
    assert ended.out.startswith(b"[Unit]\nDescription=finplan, profile default\n")
    assert ended.out.endswith(b"WantedBy=default.target\n")
    assert not unit.exists()


def test_it_is_said_what_was_done_and_how_to_undo_it(
    finplan: Run, unit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Installed, the status names the file; a second removal finds nothing, with exit code 4."""
    monkeypatch.setenv("FINPLAN_PORT", "8999")
    before = finplan("daemon", "status", "--json")
    shown = finplan("daemon", "install", "--print")
    installed = finplan("daemon", "install")
    status = finplan("daemon", "status", "--json")
    removed = finplan("daemon", "uninstall")
    again = finplan("daemon", "uninstall")

    assert json.loads(before.out)["startedAtLoginBy"] is None
    assert (installed.code, installed.out) == (0, b"")
    first, settings, last = installed.err.splitlines()
    assert first == f"Wrote {unit}. `finplan daemon uninstall` takes it back."
    assert settings.startswith(
        "Settings of this shell are not taken along (port): write them into "
    )
    assert shown.err.splitlines() == [f"{unit}:", settings]
    assert last == "The daemon starts when you log in next. One that runs now stays."
    assert json.loads(status.out)["startedAtLoginBy"] == str(unit)
    assert (removed.code, again.code) == (0, 4)
    assert removed.err.startswith(f"Removed {unit}.")
    assert not unit.exists()


def test_a_system_that_refuses_is_quoted(finplan: Run, unit: Path) -> None:
    """The file is there all the same, and the sentence says which command failed and why."""
    tool = Path(os.environ["PATH"].partition(os.pathsep)[0]) / "systemctl"
    tool.write_text("#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n")
    ended = finplan("daemon", "install")

    assert ended.code == 1
    assert "`systemctl --user daemon-reload` failed: Failed to connect to bus." in ended.err
    assert "The file is there; turn it on yourself." in ended.err
    assert unit.exists()
