"""`python -m finplan.tui`: the program on the whole screen, for a profile whose daemon may run or not.

`finplan tui` becomes this program.
"""

import argparse
import gc
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from finplan.client.connect import start
from finplan.client.failures import say_nothing
from finplan.settings import load_settings
from finplan.tui.app import FinplanApp
from finplan.tui.household import keep_preferences, read_preferences
from finplan.tui.widgets import PLACES


def let_the_collector_rest() -> None:
    """Keep the garbage collector off what was loaded, which stays, and let it look less often.

    A screen is made of thousands of small objects: by Python's defaults every few keys would wait until
    the collector has looked through all screens.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def main() -> int:
    """Run until the person quits; the exit code is the program's."""
    parser = argparse.ArgumentParser(prog="finplan tui")
    parser.add_argument("--profile")
    parser.add_argument("--open", choices=[tab.name for tab in PLACES], default=PLACES[0].name)
    parser.add_argument("--screen-reader", action="store_true")
    parser.add_argument("--folder", type=Path, help="start in this folder")
    chosen = parser.parse_args()
    settings = load_settings(chosen.profile)
    if chosen.folder is not None:
        os.chdir(chosen.folder)
    liked = read_preferences(settings.places)
    if chosen.screen_reader:
        liked = replace(liked, aloud=True)
    keep = partial(keep_preferences, settings.places)
    starts = partial(start, settings, say_nothing)
    let_the_collector_rest()
    app = FinplanApp(starts, settings.profile, liked, keep, chosen.open)
    app.run()
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
