"""`finplan connections`: the linked banks."""

from typing import Annotated

import typer

from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import connection_id
from finplan.cli.dialogs.syncing import sync_bank, sync_banks
from finplan.setting_values import DEMO_PROFILE

app = CommandApp(cls=RowsGroup, invoke_without_command=True)
ConnectionArgument = Annotated[
    str, typer.Argument(metavar="CONNECTION", help="An id, the beginning of one, or a name.")
]


@app.callback(
    epilog=examples(
        "finplan connections",
        "finplan connections sync         Fetch what is new everywhere",
        "finplan connections remove demo  Unlink; says before what goes with it",
        "finplan connections remove Chase --keep  Unlink, and keep all of it",
    )
)
def connections(context: typer.Context) -> None:
    """The linked banks: list, show, sync, remove."""
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_connections(context: typer.Context) -> None:
    """All linked banks; the same as `finplan connections`."""
    _list(Session.of(context))


@app.command()
def show(context: typer.Context, connection: ConnectionArgument) -> None:
    """One linked bank: how it stands, and of when its data are."""
    from finplan.model.connection import ConnectionId
    from finplan.operations.bank import SHOW_CONNECTION

    session = Session.of(context)
    asked = ConnectionId(id=connection_id(session, connection))
    found = session.answer(SHOW_CONNECTION, asked)
    if found is not None:
        from finplan.cli.showing.banks import draw_connections

        session.print(draw_connections((found,)))


@app.command()
def sync(
    context: typer.Context,
    connection: Annotated[
        str | None, typer.Argument(metavar="[CONNECTION]", help="Only this one.")
    ] = None,
) -> None:
    """Fetch what is new at one bank, or at all of them."""
    session = Session.of(context)
    if connection is None:
        sync_banks(session)
    else:
        sync_bank(session, connection_id(session, connection))


@app.command()
def remove(
    context: typer.Context,
    connection: ConnectionArgument,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep all its accounts, as those of statement files.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Unlink a bank. What it alone brought goes; what statement files brought stays.

    Before, it is said how many rows go, and of which days.
    """
    from finplan.model.connection import ConnectionId, Unlinking
    from finplan.operations.bank import SHOW_UNLINKING, UNLINK_CONNECTION

    session = Session.of(context)
    wanted = connection_id(session, connection)
    if session.interactive and not yes:
        from finplan.cli.showing.banks import unlink_question

        effect = session.call(SHOW_UNLINKING, ConnectionId(id=wanted))
        if not session.confirm(unlink_question(effect, keep=keep), default=False):
            return
    removed = session.answer(UNLINK_CONNECTION, Unlinking(id=wanted, keep=keep))
    if removed is not None:
        session.say(f"Unlinked {removed.connection.institution_name}.")
        is_demo = removed.connection.provider == "demo"
        if is_demo and session.settings.profile == DEMO_PROFILE:
            session.say("To link it again: `finplan --demo connect demo`.")


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.bank import LIST_CONNECTION_STATES, LIST_CONNECTIONS

    if session.options.json:
        session.answer(LIST_CONNECTIONS, Nothing())
        return
    from finplan.cli.showing.banks import draw_states

    states = session.call(LIST_CONNECTION_STATES, Nothing())
    session.print(draw_states(states))
