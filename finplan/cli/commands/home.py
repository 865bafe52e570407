"""`finplan` alone: today's figures, what to do next, and where to go on."""

from datetime import UTC, datetime

import typer

from finplan.cli.console.options import CommandApp
from finplan.cli.console.session import Session
from finplan.setting_values import DEMO_PROFILE

app = CommandApp()

WAYS_IN = (
    ("finplan import FILE…", "statement files of your bank: OFX, CSV, CAMT, QIF, …"),
    ("finplan connect", "a bank that is asked by itself from then on"),
    ("finplan --demo", "a made-up household, to look around"),
)
WAYS_INTO_THE_DEMO = (("finplan --demo connect demo", "link the demo household again"),)
WAYS_ON = (
    ("finplan tui", "all of it on the whole screen"),
    ("finplan plan", "the whole plan, and why"),
    ("finplan --help", "every command"),
)


@app.command()
def home(context: typer.Context) -> None:
    """What is safe to spend, what to do next, and where to go on."""
    from finplan.cli.showing.snapshot import draw_beginning, draw_home

    session = Session.of(context)
    is_demo = session.settings.profile == DEMO_PROFILE
    # A program asks the daemon, whose refusal it can read.
    for_a_person = not session.options.json
    if for_a_person and not is_demo and not session.settings.places.database.exists():
        # Who has nothing yet is told how to begin, without a daemon being started for it.
        session.print(draw_beginning(WAYS_IN))
        return
    from finplan.client.failures import CallFailed
    from finplan.model.base import Nothing
    from finplan.operations.plan import VIEW_PLAN

    try:
        view = session.answer(VIEW_PLAN, Nothing())
    except CallFailed as failure:
        if failure.code != "NO_CONNECTIONS" or not for_a_person:
            raise
        session.print(draw_beginning(WAYS_INTO_THE_DEMO if is_demo else WAYS_IN))
        return
    if view is not None:
        session.print(draw_home(view, session.currency, session.width, WAYS_ON, datetime.now(UTC)))
