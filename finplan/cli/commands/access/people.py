"""`finplan people`: who has an account on this daemon."""

import typer

from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

app = CommandApp(cls=RowsGroup, invoke_without_command=True)


@app.callback(epilog=examples("finplan people", "finplan invites create --email grace@example.org"))
def people(context: typer.Context) -> None:
    """Who has an account here.

    The owner of the machine sees everybody, anybody else only themselves. Nobody sees the money of
    another. `finplan invites` lets somebody in, `finplan me` is about you.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_people(context: typer.Context) -> None:
    """Everybody who has an account; the same as `finplan people`."""
    _list(Session.of(context))


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_PEOPLE

    found = session.answer(LIST_PEOPLE, Nothing())
    if found is not None:
        from finplan.cli.showing.access import draw_people

        session.print(draw_people(found))
