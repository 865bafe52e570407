"""The whole program in a real terminal: the demo's questions are answered with the keyboard alone."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import awaited


class Terminal:
    """A terminal of tmux, with what is typed into it and what stands in it."""

    def __init__(self, home: Path) -> None:
        self._socket = str(home / "tmux")
        self.keys = 0

    def tmux(self, *command: str) -> str:
        run = subprocess.run(
            ["tmux", "-S", self._socket, "-f", "/dev/null", *command],
            capture_output=True,
            text=True,
            check=True,
        )
        return run.stdout

    def press(self, *keys: str) -> None:
        self.keys += len(keys)
        self.tmux("send-keys", "-t", "0", *keys)

    @property
    def text(self) -> str:
        return self.tmux("capture-pane", "-p", "-t", "0")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "FINPLAN_HOME": str(tmp_path / "home"), "TERM": "xterm-256color"}


@pytest.fixture
def terminal(tmp_path: Path, environment: dict[str, str]) -> Iterator[Terminal]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux, in which a whole terminal is played, is not installed")
    terminal = Terminal(tmp_path)
    finplan = [sys.executable, "-m", "finplan", "--demo"]
    command = f"{' '.join(finplan)} tui questions; echo ended with $?; exec cat"
    home = f"FINPLAN_HOME={environment['FINPLAN_HOME']}"
    terminal.tmux("new-session", "-d", "-x", "80", "-y", "24", "-e", home, command)
    yield terminal
    terminal.tmux("kill-server")
    subprocess.run([*finplan, "daemon", "stop"], env=environment, check=True, capture_output=True)


def open_questions(environment: dict[str, str]) -> list[dict[str, object]]:
    run = subprocess.run(
        [sys.executable, "-m", "finplan", "--demo", "tasks", "list", "--json"],
        env=environment,
        capture_output=True,
        check=True,
    )
    found: list[dict[str, object]] = json.loads(run.stdout)
    return found


@pytest.mark.slow
@pytest.mark.judged
def test_the_demos_questions_are_cleared_by_keys(
    terminal: Terminal, environment: dict[str, str]
) -> None:
    """Every question is answered with less than two keys, and afterwards none is open."""
    awaited(lambda: asked(terminal) is not None)
    count = len(open_questions(environment))
    while (now := asked(terminal)) is not None:
        terminal.press("Enter" if " Enter " in terminal.text else "1")
        awaited(lambda now=now: asked(terminal) != now)  # type: ignore[misc]
    assert "No open questions" in terminal.text
    assert open_questions(environment) == []
    assert 0 < count <= terminal.keys < 2 * count
    terminal.press("q")
    awaited(lambda: "ended with 0" in terminal.text)


def asked(terminal: Terminal) -> str | None:
    """The question that stands on the screen."""
    found = re.search(r"(What is .*|Who is .*|What did .*)\?", terminal.text)
    return None if found is None else found[0]
