"""Record the demo household as README and handbook show it: its plan, the overview and the tasks.

Run it as `make screenshot`: a daemon of its own in a temporary folder builds the plan.
"""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import StringIO
from pathlib import Path

from rich.console import Console
from textual.pilot import Pilot

from finplan.client.connect import connect, start, stop
from finplan.client.failures import say_nothing
from finplan.model.base import Nothing
from finplan.model.connection import LinkRequest
from finplan.model.snapshot import PlanView
from finplan.operations.bank import LINK_CONNECTION
from finplan.operations.plan import VIEW_PLAN
from finplan.settings import Settings, load_settings
from finplan.terminal.lines import Look, painted
from finplan.terminal.plan import draw_plan
from finplan.tui.app import FinplanApp
from finplan.tui.screens.base import HouseholdScreen
from finplan.views.locale import here

HERE = Path(__file__).parent
WIDTH = 80
WHOLE_SCREEN = (120, 34)


@contextmanager
def demo() -> Iterator[tuple[Settings, PlanView]]:
    """The demo household with its plan, while its daemon runs."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["FINPLAN_HOME"] = home
        settings = load_settings("demo")
        try:
            client = connect(settings, say_nothing)
            client.call(LINK_CONNECTION, LinkRequest(provider="demo"))
            yield settings, client.call(VIEW_PLAN, Nothing())
        finally:
            stop(settings)


def plan_in_a_terminal(view: PlanView) -> str:
    """The plan as SVG."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True)
    console.print(painted(draw_plan(view, here("USD"), Look(WIDTH))))
    return console.export_svg(title="finplan plan build", unique_id="finplan")


async def whole_screens(settings: Settings) -> tuple[str, str]:
    """What `finplan tui` opens with, and its tasks, as SVG."""
    app = FinplanApp(partial(start, settings, say_nothing), settings.profile)
    async with app.run_test(size=WHOLE_SCREEN) as pilot:
        while not _is_shown(app):
            await pilot.pause(0.05)
        await _at_rest(pilot)
        overview = app.export_screenshot(title="finplan tui", simplify=True)
        await pilot.press("T")
        await _at_rest(pilot)
        return overview, app.export_screenshot(title="finplan tui", simplify=True)


def _is_shown(app: FinplanApp) -> bool:
    screen = app.screen
    return isinstance(screen, HouseholdScreen) and screen.shown is not None


async def _at_rest(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


if __name__ == "__main__":
    with demo() as (its_settings, its_plan):
        HERE.joinpath("plan.svg").write_text(plan_in_a_terminal(its_plan), encoding="utf-8")
        for its_name, drawn in zip(
            ("tui", "tasks"), asyncio.run(whole_screens(its_settings)), strict=True
        ):
            HERE.joinpath(f"{its_name}.svg").write_text(drawn, encoding="utf-8")
