"""A daemon that is slow, goes away, or comes back as another: keys go on working, and it is said."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from finplan import __version__
from finplan.client.connect import Ready
from finplan.client.failures import DaemonUnreachable
from finplan.operation import AnyOperation
from finplan.service import dispatch
from finplan.service.context import Context
from finplan.tui.app import FinplanApp
from tests.daemon.running import NOW, RunningDaemon, running_daemon, serving
from tests.tui.opening import LARGE, SMALL, Opened, open_screens, starting


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
        assert "The daemon does not answer" in away[22]
        assert f"{NOW.astimezone():%H:%M}" in away[22]
        await opened.press("T")
        assert "could not be started" in opened.text
        (tmp_path / "two").mkdir()
        async with running_daemon(tmp_path / "two", household_store) as second:
            switch.daemon = second
            await opened.press("r")
            assert "What is" in opened.text
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
        assert "KEYS OF THIS SCREEN" in opened.text
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
            opened = Opened(app, pilot)
            assert "Starting …" in opened.text
            await pilot.press("S", "b", "F")
            assert opened.screen.PLACE == "spending"
            assert "your keys are kept" in opened.said
            let_go.set()
            await opened.until(lambda: opened.screen.PLACE == "found")
            await opened.settle()
            assert "Starting …" not in opened.text
            await opened.press("S")
            assert opened.screen.view.by_merchant


async def test_a_screen_that_waits_can_be_left(tmp_path: Path, household_store: Path) -> None:
    """Q ends the program also while keys are kept."""
    never = asyncio.Event()

    async def perform(_context: Any, _operation: Any, _ask: Any) -> Any:
        await never.wait()

    async with running_daemon(tmp_path, household_store, perform=perform) as daemon:
        app = FinplanApp(starting(daemon), "demo", clock=lambda: NOW)
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("S", "b", "q")
            await Opened(app, pilot).until(lambda: not app.is_running)
        never.set()


async def test_early_keys_act_where_there_is_nothing_yet(daemon: RunningDaemon) -> None:
    """Before a household that has nothing yet, a key that came early opens what the welcome names."""
    app = FinplanApp(starting(daemon), "demo", clock=lambda: NOW)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("i")
        opened = Opened(app, pilot)
        await opened.until(lambda: "Which statement files?" in opened.text)


async def test_keys_act_at_once_where_there_is_nothing_yet(newcomers: Opened) -> None:
    """A screen that has told that there is nothing yet waits for nothing, and keeps no key."""
    await newcomers.press("i")
    assert "Which statement files?" in newcomers.text
    assert "kept" not in newcomers.said


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
            opened = Opened(app, pilot)
            await pilot.press("2")
            column = opened.text.splitlines()[0].index("Questions")
            await pilot.click("#navigation", offset=(column, 0))
            assert opened.screen.PLACE == "questions"
            let_go.set()
            await opened.settle()
            assert "list_tasks" in asked
            assert "answer_task" not in asked
