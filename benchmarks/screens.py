"""From a key to its paint on the whole screen, before a household of many rows.

The program runs in this process on a terminal of memory; a key's time ends with the first paint after
it. What the daemon still works on is drawn when it comes, and no key waits
for it.
"""

import asyncio
import gc
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from textual._compositor import CompositorUpdate
from textual.screen import Screen

from benchmarks.figures import Figure, Target
from benchmarks.finding import slow_end
from benchmarks.ground import Ground, daemon
from finplan import __version__
from finplan.client.connect import Ready
from finplan.tui import __main__ as program
from finplan.tui.app import FinplanApp
from finplan.tui.household import Starts
from finplan.tui.screens.base import HouseholdScreen

KEYS = (
    *(
        "S",
        "down",
        "down",
        "up",
        "pagedown",
        "enter",
        "down",
        "enter",
        "down",
        "pagedown",
        "escape",
    ),
    *("escape", "P", "down", "down", "down", "up", "A", "down", "up", "T", "down", "down"),
    *("F", "down", "down", "2", "down", "down", "pagedown", "3", "O"),
)
AT_ONCE = Target(50)


def measure(ground: Ground) -> list[Figure]:
    """The slow end of keys, for each size of ledger."""
    return [_of_size(ground, rows) for rows in ground.sizes]


def _of_size(ground: Ground, rows: int) -> Figure:
    home = ground.new_home(like=ground.planned_store(rows))
    with daemon(home) as running:
        ready = Ready(
            f"http://127.0.0.1:{running.port}", running.cookie.partition("=")[2], __version__, 0
        )
        times = _without_what_was_loaded(lambda: _pressed(ready, KEYS * ground.rounds))
    ground.forget(home)
    slow = slow_end(times)
    middle = sorted(times)[len(times) // 2]
    return Figure(
        name="A key on the full screen, p95 until it is painted",
        rows=rows,
        kind="patience",
        value=slow * 1000,
        measured=f"{slow * 1000:.1f} ms, the middle one {middle * 1000:.1f} ms",
        floor="–",
        target=AT_ONCE.bound if rows == AT_ONCE.rows else None,
        cost=slow,
    )


def _without_what_was_loaded(work: Callable[[], Coroutine[Any, Any, list[float]]]) -> list[float]:
    """Run it with the garbage collector off what was loaded before, as `finplan tui` has it."""
    thresholds = gc.get_threshold()
    gc.collect()
    # Another version may have it otherwise.
    getattr(program, "let_the_collector_rest", gc.freeze)()
    try:
        return asyncio.run(work())
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)


class PaintedApp(FinplanApp):
    """Notes when it paints, and paints whole, which a terminal of memory would leave out."""

    def __init__(self, starts: Starts) -> None:
        super().__init__(starts, "bench")
        self.painted: list[float] = []

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        super()._display(screen, renderable)
        if isinstance(renderable, CompositorUpdate):
            renderable.render_segments(self.console)
            self.painted.append(time.perf_counter())


async def _pressed(ready: Ready, keys: Sequence[str]) -> list[float]:
    app = PaintedApp(lambda: ready)
    times: list[float] = []
    async with app.run_test(size=(120, 40)) as pilot:
        await _loaded(app)
        for key in keys:
            await pilot.pause()
            app.painted.clear()
            begun = time.perf_counter()
            await pilot.press(key)
            await _loaded(app)
            await pilot.pause()
            # A key that changes nothing, such as up on the first line, paints nothing.
            times += [each - begun for each in app.painted[:1]]
    return times


async def _loaded(app: FinplanApp) -> None:
    """Until what the screen asks for has come: the next key is pressed by who sees it."""
    while any(not each.is_finished for each in app.workers) or (  # noqa: ASYNC110
        isinstance(app.screen, HouseholdScreen) and app.screen.shown is None
    ):
        await asyncio.sleep(0.01)
