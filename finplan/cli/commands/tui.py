"""`finplan tui`: the program on the whole screen."""

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from finplan.cli.console.errors import USAGE, CommandError
from finplan.cli.console.options import CommandApp, argument, examples, flag
from finplan.cli.console.session import Session
from finplan.client.connect import PACKAGE_FOLDER, environment_of

app = CommandApp()

ScreenName = Literal[
    "overview", "questions", "spending", "plan", "planned", "found", "accounts", "settings"
]


@app.command(
    epilog=examples(
        "finplan tui              Safe to spend, bills due, next steps",
        "finplan tui questions    Answer tasks, one key each",
        "finplan tui --demo       The same with demo data",
        "finplan tui --screen-reader",
    )
)
def tui(
    context: typer.Context,
    screen: Annotated[
        ScreenName,
        argument(
            "[SCREEN]",
            "Screen to open: overview, questions (Tasks), spending, plan, planned, found (Review),"
            " accounts, settings.",
        ),
    ] = "overview",
    screen_reader: Annotated[
        bool, flag("--screen-reader", "Show figures as text, without charts.")
    ] = False,
) -> None:
    """Open finplan in full screen (TUI), for keyboard and mouse.

    Press `?` to see the keys of a screen, and `q` to quit. Change the colors in Settings.
    """
    session = Session.of(context)
    if session.options.json:
        raise CommandError(
            "The full-screen view cannot print JSON. Use another command, such as"
            " `finplan snapshot --json`.",
            USAGE,
        )
    if not _has_terminal():
        raise CommandError(
            "The full-screen view needs a terminal. To print your plan or figures instead,"
            " run `finplan plan` or `finplan snapshot`.",
            USAGE,
        )
    # The daemon is started here, where a failure is still printed as a line.
    _ = session.client
    session.close()
    folder = _here()
    environment = environment_of(session.settings)
    os.chdir(PACKAGE_FOLDER)
    command = [sys.executable, "-m", "finplan.tui", "--profile", session.settings.profile]
    command += ["--open", screen, "--folder", folder]
    command += ["--screen-reader"] if screen_reader else []
    os.execve(sys.executable, command, environment)  # noqa: S606  # It becomes the program.


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _here() -> str:
    """The folder where the person is; the home folder where that one is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return str(Path.home())
