"""How the owner of the machine is told: by a command of theirs, or on the desktop."""

import asyncio
import errno
import json
import logging
import os
import sys
from pathlib import Path

import pytest

from finplan.daemon import notifying
from finplan.daemon.notifying import teller
from finplan.setting_values import SettingsError
from finplan.settings import load_settings
from tests.patience import LONG_ENOUGH
from tests.present import present

TOLD = (
    "cash_gap",
    "Cash may not last until payday: finplan plan",
    "Cover $40 before Friday; `rm`.",
)

NOTING = """
import json, os, sys
kept = {name: value for name, value in os.environ.items() if name.startswith("FINPLAN")}
with open(sys.argv[1], "a") as file:
    json.dump([sys.argv[2:], sys.stdin.read(), kept], file)
"""


@pytest.fixture
def noting(tmp_path: Path) -> str:
    """A command that notes its words, its input and finplan's variables; it takes the file's name."""
    script = tmp_path / "a note.py"
    script.write_text(NOTING)
    return f"'{sys.executable}' '{script}'"


async def told(command: str | None, *platform: str) -> str | None:
    """What failed when the owner was told by a command, or on the desktop."""
    return await present(teller(command, *platform))(*TOLD)


async def test_a_command_gets_the_message_and_no_secret(
    tmp_path: Path, noting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands on the input and in a variable, never among the words; the keys are kept back."""
    monkeypatch.setenv("FINPLAN_DATA_KEY", "secret")
    monkeypatch.setenv("FINPLAN_GOOGLE_CLIENT_SECRET", "secret")
    monkeypatch.setenv("FINPLAN_PORT", "8999")
    assert await told(f"{noting} {tmp_path / 'heard'} 'two words'") is None

    words, said, kept = json.loads((tmp_path / "heard").read_text())
    assert (words, said) == (["two words"], f"{TOLD[2]}\n")
    assert kept["FINPLAN_NOTICE"] == TOLD[2]
    assert kept["FINPLAN_NOTICE_KIND"] == "cash_gap"
    assert kept["FINPLAN_PORT"] == "8999"
    assert "secret" not in kept.values()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise SystemExit('no such phone')", "failed with exit code 1: no such phone."),
        ("raise SystemExit(3)", "failed with exit code 3."),
    ],
)
async def test_a_failing_command_is_named_and_logged_once(
    code: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Each run says what failed; the log says so once until it works again."""
    tell = present(teller(f'{sys.executable} -c "{code}"'))
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert await tell(*TOLD) == f"The notify_command {said}"
    assert [record.message for record in caplog.records] == [f"The notify_command {said}"]
    assert TOLD[2] not in caplog.text


async def test_a_command_may_be_named_from_the_home(
    tmp_path: Path, noting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No shell reads the words, and `~/` is the home nevertheless; elsewhere it is a letter."""
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "a note.py" in noting
    assert await told(f"'{sys.executable}' '~/a note.py' ~/heard ~ a~/b") is None
    assert json.loads((tmp_path / "heard").read_text())[0] == ["~", "a~/b"]


async def test_a_command_that_is_not_there_is_named() -> None:
    """The sentence says which program could not be run, and why."""
    said = present(await told("/nowhere/at-all --loud"))
    assert said.endswith(f"{os.strerror(errno.ENOENT)}: /nowhere/at-all.")


async def test_a_command_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever takes too long is killed, and has failed."""
    monkeypatch.setattr(notifying, "PATIENCE", 0.2)
    said = present(await told(f'{sys.executable} -c "import time; time.sleep(600)"'))
    assert said.endswith("was stopped.")


async def test_what_a_command_leaves_running_is_no_failure(tmp_path: Path) -> None:
    """It told and ended well; what it has left behind may speak for as long as it likes."""
    let_go = tmp_path / "let go"
    os.mkfifo(let_go)
    assert (
        await asyncio.wait_for(told(f"sh -c 'read line < \"{let_go}\" & exit 0'"), LONG_ENOUGH)
        is None
    )
    # It is still there: a pipe that nobody reads cannot be opened like this.
    with let_go.open("w") as file:
        file.write("\n")


async def test_a_hanging_command_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its limit holds though a child has its error output, and nobody of it is left."""
    monkeypatch.setattr(notifying, "PATIENCE", 0.5)
    heard = tmp_path / "heard"
    os.mkfifo(heard)
    reader = os.open(heard, os.O_RDONLY | os.O_NONBLOCK)
    try:
        said = await asyncio.wait_for(told(f"sh -c 'sleep 600 > \"{heard}\"; true'"), LONG_ENOUGH)
        assert present(said).endswith("was stopped.")
        # The pipe ends only with the last of those who may write to it.
        os.set_blocking(reader, True)
        assert await asyncio.wait_for(asyncio.to_thread(os.read, reader, 1), LONG_ENOUGH) == b""
    finally:
        os.close(reader)


async def test_the_desktop_gets_a_headline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands on its command line or screen names nobody and no amount."""
    heard = tmp_path / "heard"
    for name in ("notify-send", "osascript"):
        tool = tmp_path / name
        tool.write_text(f'#!/bin/sh\n{{ echo "$0 $*"; cat; }} >> {heard}\n')
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv("DISPLAY", ":0")
    for platform in ("linux", "darwin"):
        assert await told(None, platform) is None
    said = heard.read_text()
    assert said.count(TOLD[1]) == 3
    assert "$40" not in said
    assert TOLD[2] not in said


def test_without_a_desktop_nobody_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No display, no tool or `off`: the job has nothing to do."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    assert teller(None, "linux") is None
    assert teller(None, "darwin") is None
    assert teller(None, "win32") is None
    assert teller("off") is None
    (tmp_path / "notify-send").touch(mode=0o755)
    assert teller(None, "linux") is not None
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert teller(None, "linux") is None


@pytest.mark.parametrize("command", ["'unfinished", "  "])
def test_a_command_that_cannot_be_read_is_refused(tmp_path: Path, command: str) -> None:
    """A start says which setting is wrong, and how to write it."""
    environ = {"FINPLAN_HOME": str(tmp_path), "FINPLAN_NOTIFY_COMMAND": command}
    with pytest.raises(SettingsError, match="notify command"):
        load_settings(environ=environ)
