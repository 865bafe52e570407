"""The program opened in a test: keys go in, and what stands on its screen comes out."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from finplan import __version__
from finplan.client.connect import Ready
from finplan.tui.app import FinplanApp
from finplan.tui.dialogs import CategoryDialog
from finplan.tui.household import DARK, Preferences, Starts
from finplan.tui.screens.base import HouseholdScreen
from tests.daemon.running import NOW, RunningDaemon

SMALL, LARGE = (80, 24), (140, 40)
TRIES = 2000


def starting(daemon: RunningDaemon) -> Starts:
    """How the program finds a daemon of a test."""
    return lambda: Ready(daemon.base_url, daemon.token, __version__, 1)


@dataclass(frozen=True)
class Opened:
    """The program, as a person has it before them, and the daemon that it asks."""

    app: FinplanApp
    pilot: Pilot[None]
    daemon: RunningDaemon

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, each once what the one before began is done."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Type a text."""
        for character in text:
            await self.pilot.press(_NAMES.get(character, character))
        await self.settle()

    async def drop(self, text: str) -> None:
        """Paste a text, as a terminal does with the path of a file that is dropped on it."""
        focused = self.app.screen.focused
        assert focused is not None
        focused.post_message(Paste(text))
        await self.settle()

    async def settle(self) -> None:
        """Wait until everything that was asked for is on the screen; a dialog waits for its person.

        Filling a table is drawn in several rounds, each of which asks for the next one: its size, the
        line that is marked, what is said of that, and the room of all of these.
        """
        is_still = False
        while not is_still:
            await self.until(self._is_settled)
            # Every widget has done what it was told, and what that changed is laid out.
            await self.pilot.pause(0)
            is_still = self._is_settled() and self._is_drawn()

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait until something is so."""
        for _ in range(TRIES):
            if happened():
                return
            await self.pilot.pause(0.005)
        raise AssertionError(f"It never came to that. The screen:\n{self.text}")

    @property
    def text(self) -> str:
        """What a person reads on the screen."""
        return read_screen(self.app)

    @property
    def screen(self) -> Any:
        """The screen that is open."""
        return self.app.screen

    @property
    def said(self) -> str:
        """What was remarked last."""
        return self.app.remark.sentence

    def _is_settled(self) -> bool:
        screen = self.app.screen
        is_empty = isinstance(screen, HouseholdScreen) and screen.shown is None
        if is_empty and not screen.has_class("-troubled"):
            return False
        is_before = len(self.app.screen_stack) > 1
        return all(
            each.is_finished or (is_before and each.group in WAIT_FOR_DIALOGS)
            for each in self.app.workers
            if isinstance(each.node, HouseholdScreen | CategoryDialog)
        )

    def _is_drawn(self) -> bool:
        """Whether nothing on the screen waits for a message or for being laid out once more."""
        screen = self.app.screen
        waits = screen._layout_required or screen._scroll_required or screen._repaint_required
        return not (waits or screen._dirty_widgets or screen._callbacks) and all(
            not each.message_queue_size and not each._next_callbacks
            for each in (self.app, *screen.walk_children(with_self=True))
        )


WAIT_FOR_DIALOGS = ("default", "import", "link", "reword", "correct")
"""Groups of workers that may wait for what a person says in a dialog."""

_NAMES = {
    " ": "space", "=": "equals_sign", "/": "slash", ".": "full_stop", ",": "comma", "-": "minus",
    "_": "underscore", "'": "apostrophe", '"': "quotation_mark", "?": "question_mark",
}  # fmt: skip


def read_screen(app: FinplanApp) -> str:
    """The characters on the screen, line by line."""
    _width, height = app.size
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in lines[:height])


@asynccontextmanager
async def open_screens(
    daemon: RunningDaemon,
    size: tuple[int, int] = SMALL,
    *,
    theme: str = DARK,
    aloud: bool = False,
    opens: str = "overview",
    starts: Starts | None = None,
) -> AsyncIterator[Opened]:
    """Open the program before a daemon, at the time that it is there."""
    app = FinplanApp(
        starts or starting(daemon),
        "demo",
        Preferences(theme, aloud),
        opens=opens,
        clock=lambda: NOW,
    )
    async with app.run_test(size=size) as pilot:
        opened = Opened(app, pilot, daemon)
        await opened.settle()
        yield opened


def picture(opened: Opened) -> str:
    """The screen as SVG, whose names of styles are the same each time."""
    for each in opened.app.screen.query(Input):
        each.cursor_blink = False
    svg = opened.app.export_screenshot(title="finplan", simplify=True)
    return re.sub(r"terminal-\d+", "terminal", svg) + "\n"
