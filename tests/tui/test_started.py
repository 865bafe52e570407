"""The program on the whole screen as it is started: what its options and what was kept come to."""

import sys
from pathlib import Path
from typing import Any

import pytest

from finplan.settings import load_settings
from finplan.tui import __main__ as program
from finplan.tui.household import LIGHT, Preferences, keep_preferences, read_preferences
from finplan.tui.screens.base import HouseholdScreen
from finplan.tui.widgets import StandingLine
from tests.daemon.running import RunningDaemon
from tests.tui.opening import open_screens


@pytest.mark.parametrize(
    ("options", "aloud", "place"),
    [
        ([], False, "overview"),
        (["--screen-reader"], True, "overview"),
        (["--open", "spending"], False, "spending"),
    ],
)
def test_options_are_heeded(
    options: list[str],
    aloud: bool,
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
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
