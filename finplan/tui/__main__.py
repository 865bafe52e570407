"""`python -m finplan.tui`: the program on the whole screen, for a profile whose daemon may run or not."""

import argparse
import sys

from finplan.client.connect import start
from finplan.client.patience import say_nothing
from finplan.settings import load_settings
from finplan.tui.app import FinplanApp
from finplan.tui.preferences import keep_preferences, read_preferences


def main() -> int:
    """Run until the person quits; the exit code is the program's."""
    parser = argparse.ArgumentParser(prog="finplan tui")
    parser.add_argument("--profile", default=None)
    settings = load_settings(parser.parse_args().profile)
    before = read_preferences(settings.places)
    app = FinplanApp(lambda: start(settings, say_nothing), settings.profile, before)
    app.run()
    if app.preferences != before:
        keep_preferences(settings.places, app.preferences)
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
