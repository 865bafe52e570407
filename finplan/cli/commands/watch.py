"""`finplan watch`: today's figures on a terminal that is left open, drawn anew when they change."""

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.errors import USAGE, CommandError
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from finplan.model.snapshot import PlanView

app = CommandApp()
OFTEN = 5
"""In seconds: a look costs the daemon next to nothing while nothing changes."""


@app.command(
    epilog=examples(
        "finplan watch",
        "finplan watch --every 60     Look once a minute",
        "finplan watch --json         A line of JSON for each change",
    )
)
def watch(
    context: typer.Context,
    every: Annotated[
        int, typer.Option(min=1, max=3600, metavar="N", help="Look again after N seconds.")
    ] = OFTEN,
) -> None:
    """Today's figures, drawn anew when they change.

    A sync, an import, an answer or a new day changes them. Ctrl-C ends it. What was known stays while
    the daemon is away, and that is said.
    """
    session = Session.of(context)
    if session.options.json:
        _print_changes(session, every)
        return
    if not session.console.is_terminal:
        raise CommandError(
            "Nobody watches here: this is no terminal. `finplan snapshot` prints the figures once, and"
            " `finplan watch --json` a line for each change.",
            USAGE,
        )
    _draw_changes(session, every)


def _draw_changes(session: Session, every: int) -> None:
    from rich.live import Live
    from rich.text import Text

    from finplan.cli.showing.snapshot import draw_home, draw_snapshot

    currency = session.currency
    with Live(console=session.console, screen=True, auto_refresh=False) as live:
        try:
            for view, away in _looks(session, every):
                if view is None:
                    live.update(Text(away or "Looking …"), refresh=True)
                    continue
                drawn = draw_home(view, currency, session.width, (), datetime.now(UTC))
                if session.console.height > 30:
                    drawn = draw_snapshot(view.snapshot, currency, session.width, view)
                live.update(
                    Text(away, style="yellow") + Text("\n") + drawn if away else drawn, refresh=True
                )
        except KeyboardInterrupt:
            return


def _print_changes(session: Session, every: int) -> None:
    before: bytes | None = None
    try:
        for view, _away in _looks(session, every):
            if view is None:
                continue
            now = view.snapshot.model_dump_json().encode()
            if now != before:
                session.print_raw(now)
            before = now
    except KeyboardInterrupt:
        return


def _looks(session: Session, every: int) -> "Iterator[tuple[PlanView | None, str]]":
    """The figures again and again, with why they are not newer where that is so."""
    from finplan.client.failures import CallFailed, DaemonUnreachable
    from finplan.model.base import Nothing
    from finplan.operations.plan import VIEW_PLAN

    known: PlanView | None = None
    while True:
        try:
            known, away = session.call(VIEW_PLAN, Nothing()), ""
        except (CallFailed, DaemonUnreachable) as error:
            away = str(error)
            session.forget_client()
        yield known, away
        time.sleep(every)
