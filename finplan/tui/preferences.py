"""How a person likes the screens, kept from one time to the next."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from finplan.settings import Places

DARK, LIGHT = "textual-dark", "textual-light"


@dataclass(frozen=True, slots=True)
class Preferences:
    """`theme` is one of Textual's; `aloud` says that a screen reader reads, so that nothing is drawn."""

    theme: str = DARK
    aloud: bool = False


KeepPreferences = Callable[[Preferences], None]
"""Told of preferences that are to hold the next time, too."""


def keep_nothing(_preferences: Preferences) -> None:
    """For where nothing outlives the program."""


def read_preferences(places: Places) -> Preferences:
    """What was kept; what cannot be read is as if nothing was."""
    try:
        told = json.loads(_file(places).read_text(encoding="utf-8"))
        return Preferences(str(told["theme"]), bool(told["aloud"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Preferences()


def keep_preferences(places: Places, preferences: Preferences) -> None:
    """Keep them. A disk that takes nothing costs only that they are asked for again."""
    file = _file(places)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.write_text(json.dumps(asdict(preferences)), encoding="utf-8")
    except OSError:
        return


def _file(places: Places) -> Path:
    return places.state / "tui.json"
