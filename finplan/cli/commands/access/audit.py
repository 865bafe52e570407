"""`finplan audit`: who came in with what, and what was given and taken back."""

from typing import Annotated

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

app = CommandApp()

LARGEST_LIMIT = 1000


@app.command(rows=True, epilog=examples("finplan audit", "finplan audit --limit 10"))
def audit(
    context: typer.Context,
    limit: Annotated[
        int,
        typer.Option(min=1, max=LARGEST_LIMIT, metavar="N", help="How many events at most."),
    ] = 100,
) -> None:
    """Who came in with what, and what was given and taken back.

    Sign-ins and those that failed, links, invites, passwords, API keys, programs and agents, the
    newest first; kept for a year. No event holds a secret.
    """
    from finplan.model.access.audit import AuditQuery
    from finplan.operations.credential import LIST_AUDIT

    session = Session.of(context)
    found = session.answer(LIST_AUDIT, AuditQuery(limit=limit))
    if found is None:
        return
    from finplan.cli.showing.access import draw_audit

    session.page(draw_audit(found))
    if len(found) == limit:
        session.say(f"These are the newest {limit}; --limit N shows more where there are more.")
