"""Starting at login: the file says exactly what runs, and the system's own tool turns it on and off."""

import os
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from finplan.client.announcement import ALREADY_RUNNING
from finplan.client.login_service import (
    CANNOT_START,
    NoLoginService,
    install,
    login_service,
    uninstall,
)
from finplan.daemon import process
from finplan.settings import Settings, load_settings
from tests.nasty_paths import NASTY_NAMES

TOOL = """#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
[ ! -e "{broken}" ] || {{ echo 'Failed to connect to bus' >&2; exit 1; }}
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings("default", environ(tmp_path))


def environ(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "FINPLAN_HOME": str(home / "finplan")}


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins for the systems' tools, which note what they were asked; answers where."""
    log = tmp_path / "asked"
    for name in ("systemctl", "launchctl"):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(TOOL.format(log=log, broken=tmp_path / "broken"))
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return log


def test_a_unit_starts_this_very_daemon(tmp_path: Path, settings: Settings) -> None:
    """It runs this interpreter for this profile with its places, and not again where that is in vain."""
    service = login_service(settings, "linux", environ(tmp_path))

    assert service.file == tmp_path / ".config" / "systemd" / "user" / "finplan.service"
    lines = service.content.decode().splitlines()
    assert f'ExecStart="{sys.executable}" "-m" "finplan.daemon" "--profile" "default"' in lines
    assert f'Environment="FINPLAN_HOME={tmp_path / "finplan"}"' in lines
    assert f"RestartPreventExitStatus={process.CANNOT_START} {ALREADY_RUNNING}" in lines
    assert process.CANNOT_START == CANNOT_START
    assert "WantedBy=default.target" in lines


def test_each_profile_has_its_own(tmp_path: Path) -> None:
    """Another profile's daemon is another unit, below where the person keeps their configuration."""
    where = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "conf")}
    other = login_service(load_settings("work", where), "linux", where)

    assert other.file == tmp_path / "conf" / "systemd" / "user" / "finplan-work.service"
    assert "XDG_CONFIG_HOME" in other.content.decode()
    assert other.turn_on[-1] == ("systemctl", "--user", "enable", "finplan-work.service")


def test_an_agent_starts_this_very_daemon(tmp_path: Path, settings: Settings) -> None:
    """Launchd reads the same from a property list."""
    service = login_service(settings, "darwin", environ(tmp_path))

    assert service.file == tmp_path / "Library" / "LaunchAgents" / "finplan.daemon.plist"
    told = plistlib.loads(service.content)
    assert told["ProgramArguments"] == [
        sys.executable,
        "-m",
        "finplan.daemon",
        "--profile",
        "default",
    ]
    assert told["EnvironmentVariables"] == {"FINPLAN_HOME": str(tmp_path / "finplan")}
    assert (told["Label"], told["RunAtLoad"]) == ("finplan.daemon", True)


def test_another_system_is_told_what_to_run(settings: Settings) -> None:
    """Where neither is known, the command stands in the sentence."""
    with pytest.raises(NoLoginService, match=r"-m finplan\.daemon --profile default"):
        login_service(settings, "win32")


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_it_is_turned_on_and_taken_back(
    tmp_path: Path, settings: Settings, tools: Path, platform: str
) -> None:
    """Installing writes and turns on, again if need be; uninstalling leaves nothing."""
    service = login_service(settings, platform, environ(tmp_path))
    for _ in range(2):
        assert install(service) is None
        assert service.file.read_bytes() == service.content
        assert service.is_installed
    assert uninstall(service) is None
    assert not service.file.exists()
    asked = [
        line.split()[2 if platform == "linux" else 1] for line in tools.read_text().splitlines()
    ]
    once = ["daemon-reload", "enable"] if platform == "linux" else ["enable"]
    after = ["disable", "daemon-reload"] if platform == "linux" else ["disable"]
    assert asked == [*once, *once, *after]


def test_a_tool_that_fails_is_named(
    tmp_path: Path, settings: Settings, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it said is told; the file stays when installing, and goes when uninstalling."""
    service = login_service(settings, "linux", environ(tmp_path))
    (tmp_path / "broken").touch()
    said = "`systemctl --user daemon-reload` failed: Failed to connect to bus."
    assert install(service) == said
    assert service.file.exists()
    assert uninstall(service) == said.replace("daemon-reload", "disable finplan.service")
    assert not service.file.exists()
    assert tools.exists()

    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    told = install(service)
    assert told is not None
    assert "could not be run: No such file or directory." in told


@pytest.mark.sampled(6)
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
@pytest.mark.parametrize("name", [each for each in NASTY_NAMES if each.isprintable()])
def test_systemd_reads_any_folder(tmp_path: Path, name: str) -> None:
    """Whatever a home is called, systemd finds no fault in the unit, and reads the name as it is."""
    where = {"HOME": str(tmp_path), "FINPLAN_HOME": str(tmp_path / name)}
    service = login_service(load_settings("default", where), "linux", where)
    unit = tmp_path / "finplan.service"
    unit.write_bytes(service.content)
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(unit)],
        capture_output=True,
        check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )
    said = [line for line in checked.stderr.decode().splitlines() if str(unit.name) in line]
    assert (said, checked.returncode) == ([], 0)
