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

ScreenName = Literal["overview", "questions", "spending", "plan", "found", "accounts", "settings"]


@app.command(
    epilog=examples(
        "finplan tui              What is safe to spend, what is due, what to do next",
        "finplan tui questions    Answer what only you can answer, a key each",
        "finplan tui --demo       The same for a made-up household",
        "finplan tui --screen-reader",
    )
)
def tui(
    context: typer.Context,
    place: Annotated[
        ScreenName,
        argument(
            "[SCREEN]",
            "The screen to begin with: overview, questions, spending, plan, found, accounts,"
            " settings.",
        ),
    ] = "overview",
    screen_reader: Annotated[
        bool, flag("--screen-reader", "Say every figure in words and draw no pictures.")
    ] = False,
) -> None:
    """Your money on the whole screen, by keys or by mouse.

    `?` shows the keys of each screen, `q` ends it. Colours and the like are changed in its settings.
    """
    session = Session.of(context)
    if session.options.json:
        raise CommandError(
            "The whole screen has no JSON; `finplan snapshot --json` or another command has.", USAGE
        )
    if not _has_terminal():
        raise CommandError(
            "The whole screen needs a terminal, and this is none. `finplan plan` and"
            " `finplan snapshot` print.",
            USAGE,
        )
    # The daemon is started here, where a failure is still printed as a line.
    _ = session.client
    session.close()
    folder = _here()
    environment = environment_of(session.settings)
    os.chdir(PACKAGE_FOLDER)
    command = [sys.executable, "-m", "finplan.tui", "--profile", session.settings.profile]
    command += ["--open", place, "--folder", folder]
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
