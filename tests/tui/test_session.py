"""The program on the whole screen as it is started, in a real terminal.

The demo's questions are answered with the keyboard alone; what its options and what was kept come
to; names that a bank writes draw no colours, run no commands and hide nothing. A daemon may be slow,
go away, or come back as another: keys go on working, and it is said.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from finplan import __version__
from finplan.client.connect import Ready
from finplan.client.failures import DaemonUnreachable
from finplan.operation import AnyOperation
from finplan.service import dispatch
from finplan.service.context import Context
from finplan.settings import load_settings
from finplan.tui import __main__ as program
from finplan.tui.app import FinplanApp
from finplan.tui.household import LIGHT, Preferences, keep_preferences, read_preferences
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import StandingLine
from tests.daemon.running import NOW, RunningDaemon, running_daemon, serving
from tests.processes import awaited
from tests.tui.opening import LARGE, SMALL, Opened, open_screens, starting


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
    assert "No open tasks" in terminal.text
    assert open_questions(environment) == []
    assert 0 < count <= terminal.keys < 2 * count
    terminal.press("q")
    awaited(lambda: "ended with 0" in terminal.text)


def asked(terminal: Terminal) -> str | None:
    """The question that stands on the screen."""
    found = re.search(r"Which category is .*\?", terminal.text)
    return None if found is None else found[0]


@pytest.mark.parametrize(
    ("options", "aloud", "place"),
    [
        ([], False, "overview"),
        (["--screen-reader"], True, "overview"),
        (["--open", "spending"], False, "spending"),
    ],
)
def test_options_are_heeded(
    options: list[str], aloud: bool, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens where it is told to, reads aloud where that is asked, and else is as it was liked."""
    begun: list[Any] = []

    class Begun:
        return_code = 7

        def __init__(self, *told: Any) -> None:
            begun.append(told)

        def run(self) -> None:
            begun.append("run")

    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    monkeypatch.setattr(program, "FinplanApp", Begun)
    monkeypatch.setattr(sys, "argv", ["finplan tui", "--folder", str(tmp_path), *options])
    monkeypatch.chdir(tmp_path.parent)
    places = load_settings(None).places
    keep_preferences(places, Preferences(LIGHT, aloud=False))

    assert program.main() == 7
    (_starts, profile, liked, keep, opened), ran = begun
    assert (profile, liked, opened, ran) == ("default", Preferences(LIGHT, aloud), place, "run")
    assert Path.cwd() == tmp_path
    keep(Preferences(aloud=True))
    assert read_preferences(places) == Preferences(aloud=True)


@pytest.mark.thorough
@pytest.mark.parametrize("place", ["overview", "plan"])
async def test_a_plan_that_is_shown_says_how_it_stands(
    household: RunningDaemon, place: str
) -> None:
    """Where a screen draws a newer plan, the line below says how old its figures are, too."""
    async with open_screens(household, opens=place) as opened:
        screen = opened.app.screen
        assert isinstance(screen, HouseholdScreen)
        standing = screen.query_one(StandingLine)
        said = standing.stands
        assert said
        standing.stands = ""
        screen.show(screen.shown)
        assert standing.stands == said


NASTY = "[red]Shop[/red] [@click=app.quit]x[/] [/b]"
BIDI = "Evil\u202efdp.exe"
ESCAPE = "Bell\x1b[31mRed\x07"
ROWS = [
    f"2026-02-{day:02},{name},-{day}.50" for name in (NASTY, BIDI, ESCAPE) for day in range(2, 14)
]


@pytest.fixture
async def hostile(daemon: RunningDaemon, tmp_path: Path) -> AsyncIterator[Opened]:
    file = tmp_path / "[bold]x.csv"
    file.write_text("\n".join(["Date,Description,Amount (USD)", *ROWS]) + "\n")
    assert shutil.disk_usage(tmp_path).free
    async with open_screens(daemon, LARGE) as opened:
        await opened.press("i")
        await opened.drop(f"'{file}'")
        await opened.press("enter")
        assert "[bold]x.csv" in opened.text
        while len(opened.app.screen_stack) > 1:
            await opened.press("enter")
        yield opened


def must_be_plain(text: str) -> None:
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "\x07" not in text


@pytest.mark.thorough
async def test_hostile_names_are_shown_as_they_are(hostile: Opened) -> None:
    """In lists, tables, headings, dialogs and remarks a name with markup stands letter by letter."""
    for keys in (("T",), ("S",), ("m",), ("P",), ("A",), ("O",)):
        await hostile.press(*keys)
        must_be_plain(hostile.text)
    await hostile.press("T", "down", "down")
    assert NASTY[:20] in hostile.text
    for _ in range(3):
        await hostile.press("slash")
        await hostile.type("groceries")
        await hostile.press("enter")
        must_be_plain(hostile.said)
        must_be_plain(hostile.text)


@pytest.mark.slow
async def test_hostile_rows_are_shown_as_they_are(hostile: Opened) -> None:
    """Rows, their dialogs and what is noted of them show markup as text."""
    await hostile.press("S", "p", "enter", "slash")
    await hostile.type("shop")
    await hostile.press("enter")
    assert hostile.screen.query_one("LedgerTable").row_count == 12
    await hostile.press("enter")
    assert NASTY in hostile.text
    await hostile.press("escape", "n")
    await hostile.type("[u]x")
    await hostile.press("enter", "enter")
    assert "[u]x" in hostile.text
    await hostile.press("escape", "slash")
    await hostile.type("[u]x")
    await hostile.press("enter")
    assert "“[u]x”" in hostile.text


@pytest.mark.slow
async def test_hostile_names_of_accounts_and_categories(
    hostile: Opened, daemon: RunningDaemon
) -> None:
    """An account and a category whose names are markup are shown letter by letter, where asked too."""
    await hostile.press("A", "n")
    for _ in range(40):
        await hostile.pilot.press("backspace")
    await hostile.type("[b]Card[/b]")
    await hostile.press("enter")
    assert hostile.text.count("[b]Card[/b]") >= 2
    assert "[b]Card[/b]" in hostile.said
    await hostile.press("k")
    assert "What kind of account is [b]Card[/b]?" in hostile.text
    await hostile.press("escape")
    own = {"name": "[i]Fun[/i]", "line": "discretionary"}
    assert (await daemon.http.post("/api/v1/categories", json=own)).is_success
    await hostile.press("T", "r", "slash")
    await hostile.type("fun")
    assert "[i]Fun[/i]" in hostile.text
    await hostile.press("enter")
    assert "[i]Fun[/i]" in hostile.said
    await hostile.press("S", "p", "enter")
    assert "[i]Fun[/i]" in hostile.text


class Switch:
    """Where a daemon is to be found, if one is."""

    def __init__(self, daemon: RunningDaemon) -> None:
        self.daemon: RunningDaemon | None = daemon

    def __call__(self) -> Ready:
        if self.daemon is None:
            raise DaemonUnreachable("The daemon could not be started, for a test.")
        return Ready(self.daemon.base_url, self.daemon.token, __version__, 1)


@pytest.mark.thorough
async def test_the_last_figures_stay_while_the_daemon_is_away(
    tmp_path: Path, household_store: Path
) -> None:
    """Where the daemon went away its last figures stay, of what time is said, and they come back."""
    (tmp_path / "one").mkdir()
    async with running_daemon(tmp_path / "one", household_store) as first:
        switch = Switch(first)
        context = open_screens(first, starts=switch)
        opened = await context.__aenter__()
        before = opened.text
        switch.daemon = None
    try:
        await opened.press("r")
        away = opened.text.splitlines()
        assert away[:22] == before.splitlines()[:22]
        assert "background service" in away[22]
        assert f"{NOW.astimezone():%H:%M}" in away[22]
        await opened.press("T")
        assert "could not be started" in opened.text
        (tmp_path / "two").mkdir()
        async with running_daemon(tmp_path / "two", household_store) as second:
            switch.daemon = second
            await opened.press("r")
            assert "Which category is" in opened.text
            await opened.press("O")
            assert opened.text == before
            await opened.app.feed.close()
    finally:
        await context.__aexit__(None, None, None)


@pytest.mark.thorough
async def test_nothing_waits_for_a_slow_daemon(tmp_path: Path, household_store: Path) -> None:
    """While the daemon thinks, keys open screens and dialogs; its answer is shown when it comes."""
    let_go = asyncio.Event()
    slow = False

    async def perform(context: Any, operation: Any, ask: Any) -> Any:
        if slow:
            await let_go.wait()
        return await dispatch.perform(context, operation, ask)

    async with (
        running_daemon(tmp_path, household_store, perform=perform) as daemon,
        open_screens(daemon) as opened,
    ):
        slow = True
        await opened.pilot.press("S")
        assert opened.screen.PLACE == "spending"
        await opened.pilot.press("question_mark")
        assert "KEYS ON THIS SCREEN" in opened.text
        await opened.pilot.press("escape", "P")
        assert opened.screen.PLACE == "plan"
        assert opened.screen.shown is None
        let_go.set()
        await opened.settle()
        assert "WHERE THE MONEY GOES" in opened.text


@pytest.mark.thorough
async def test_a_daemon_that_was_started_anew_is_asked_with_its_own_token(
    tmp_path: Path, household_store: Path
) -> None:
    """A token that holds no longer is found anew, and nobody sees it."""
    async with running_daemon(tmp_path, household_store) as daemon:
        tokens = ["of-the-daemon-before"]

        def starts() -> Ready:
            token = tokens.pop() if tokens else daemon.token
            return Ready(daemon.base_url, token, __version__, 1)

        async with open_screens(daemon, starts=starts) as opened:
            assert "DUE IN 30 DAYS" in opened.text


@pytest.mark.thorough
async def test_what_changes_something_is_sent_once(tmp_path: Path, household_store: Path) -> None:
    """A daemon that goes away in the middle of an answer is not told it a second time."""
    shutil.copy(household_store, tmp_path / "finplan.db")
    sent = 0

    async def perform(context: Any, operation: Any, ask: Any) -> Any:
        nonlocal sent
        if operation.name == "answer_task" and not ask.preview:
            sent += 1
            raise ConnectionResetError
        return await dispatch.perform(context, operation, ask)

    async with (
        serving(tmp_path / "finplan.db", tmp_path / "up", perform=perform) as daemon,
        open_screens(daemon, opens="questions") as opened,
    ):
        await opened.press("1")
        assert sent == 1


@pytest.mark.thorough
async def test_keys_before_the_first_answer_are_kept(tmp_path: Path, household_store: Path) -> None:
    """While it starts that is said, and keys that come early do what they do once it has begun."""
    let_go = asyncio.Event()

    async def perform(context: Any, operation: Any, ask: Any) -> Any:
        await let_go.wait()
        return await dispatch.perform(context, operation, ask)

    async with running_daemon(tmp_path, household_store, perform=perform) as daemon:
        app = FinplanApp(starting(daemon), "demo", clock=lambda: NOW)
        async with app.run_test(size=SMALL) as pilot:
            opened = Opened(app, pilot, daemon)
            assert "Starting …" in opened.text
            await pilot.press("S", "b", "F")
            assert opened.screen.PLACE == "spending"
            assert "Still loading" in opened.said
            let_go.set()
            await opened.until(lambda: opened.screen.PLACE == "found")
            await opened.settle()
            assert "Starting …" not in opened.text
            await opened.press("S")
            assert opened.screen.view.by == "merchant"


async def test_a_screen_that_waits_can_be_left(tmp_path: Path, household_store: Path) -> None:
    """Q ends the program also while keys are kept."""
    never = asyncio.Event()

    async def perform(_context: Any, _operation: Any, _ask: Any) -> Any:
        await never.wait()

    async with running_daemon(tmp_path, household_store, perform=perform) as daemon:
        app = FinplanApp(starting(daemon), "demo", clock=lambda: NOW)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("S", "b", "q")
            await Opened(app, pilot, daemon).until(lambda: not app.is_running)
        never.set()


async def test_early_keys_act_where_there_is_nothing_yet(daemon: RunningDaemon) -> None:
    """Before a household that has nothing yet, a key that came early opens what the welcome names."""
    app = FinplanApp(starting(daemon), "demo", clock=lambda: NOW)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        opened = Opened(app, pilot, daemon)
        await opened.until(lambda: "Which statement files?" in opened.text)


async def test_keys_act_at_once_where_there_is_nothing_yet(newcomers: Opened) -> None:
    """A screen that has told that there is nothing yet waits for nothing, and keeps no key."""
    await newcomers.press("i")
    assert "Which statement files?" in newcomers.text
    assert "loading" not in newcomers.said


@pytest.mark.thorough
async def test_keys_kept_for_a_screen_that_was_left_do_nothing_elsewhere(
    tmp_path: Path, household_store: Path
) -> None:
    """Who leaves by the mouse before there is anything has pressed them for the screen left behind."""
    let_go = asyncio.Event()
    asked: list[str] = []

    async def perform(context: Context, operation: AnyOperation, ask: Any) -> Any:
        await let_go.wait()
        # What an answer would move is only looked at.
        asked.append("preview" if getattr(ask, "preview", False) else operation.name)
        return await dispatch.perform(context, operation, ask)

    async with running_daemon(tmp_path, household_store, perform=perform) as daemon:
        app = FinplanApp(starting(daemon), "demo", opens="found", clock=lambda: NOW)
        async with app.run_test(size=LARGE) as pilot:
            opened = Opened(app, pilot, daemon)
            await pilot.press("2")
            column = opened.text.splitlines()[0].index("Tasks")
            await pilot.click("#navigation", offset=(column, 0))
            assert opened.screen.PLACE == "questions"
            let_go.set()
            await opened.settle()
            assert "list_tasks" in asked
            assert "answer_task" not in asked
