"""`finplan connections` and `finplan sync`: the linked banks, a sync, and what is said of it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan.cli.console.errors import BANK, NO_BANK_YET, CommandError
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import connection_id
from finplan.setting_values import DEMO_PROFILE

if TYPE_CHECKING:
    from finplan.model.connection import SyncReport
    from finplan.operation import Asks, Operation

connections_app = CommandApp(cls=RowsGroup, invoke_without_command=True)
ConnectionArgument = Annotated[
    str, typer.Argument(metavar="CONNECTION", help="An id, the beginning of one, or a name.")
]


@connections_app.callback(
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


@connections_app.command("list", rows=True)
def list_connections(context: typer.Context) -> None:
    """All linked banks; the same as `finplan connections`."""
    _list(Session.of(context))


@connections_app.command()
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


@connections_app.command()
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


@connections_app.command()
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


sync_app = CommandApp()


@sync_app.command(
    epilog=examples(
        "finplan sync",
        "finplan sync --quiet      For cron: prints nothing unless a bank failed",
        "finplan connections sync  The same, also of one bank alone",
    )
)
def sync_everything(context: typer.Context) -> None:
    """Fetch what is new at your banks.

    The daemon does so by itself, twice a day. The exit code is 6 when a bank failed or none is linked,
    and 7 when the daemon cannot be reached.
    """
    session = Session.of(context)
    sync_banks(session, silent_when_well=session.options.quiet)


def sync_banks(session: Session, *, silent_when_well: bool = False) -> None:
    """Fetch what is new at every bank and list it; exit code 6 where one failed, or there is none."""
    from finplan.model.base import Nothing
    from finplan.operations.bank import SYNC_ALL

    if session.options.json:
        _print_what_came(session, SYNC_ALL, Nothing())
        return
    reports = session.call(SYNC_ALL, Nothing(), doing="Syncing")
    if not reports:
        # A line of cron that fetches nothing for ever would otherwise never tell anybody.
        raise CommandError(NO_BANK_YET, BANK)
    _say_what_came(session, reports, silent_when_well=silent_when_well)


def sync_bank(session: Session, connection_id: str) -> None:
    """Fetch what is new at one bank and list it; exit code 6 where that failed."""
    from finplan.model.connection import ConnectionId
    from finplan.operations.bank import SYNC_CONNECTION

    asked = ConnectionId(id=connection_id)
    if session.options.json:
        _print_what_came(session, SYNC_CONNECTION, asked)
        return
    report = session.call(SYNC_CONNECTION, asked, doing="Syncing")
    _say_what_came(session, (report,))


def _print_what_came(session: Session, operation: "Operation[Asks, Any]", asked: "Asks") -> None:
    """Print the answer as it came; what is not ok in it is told by the exit code alone."""
    import json

    content = session.client.call_raw(operation, asked)
    session.print_raw(content)
    answer = json.loads(content)
    if answer == []:
        raise CommandError(NO_BANK_YET, BANK)
    reports = answer if isinstance(answer, list) else [answer]
    if any(report.get("ok") is False for report in reports):
        raise typer.Exit(BANK)


def _say_what_came(
    session: Session, reports: "tuple[SyncReport, ...]", *, silent_when_well: bool = False
) -> None:
    failed = any(not report.ok for report in reports)
    if failed or not silent_when_well:
        from finplan.cli.showing.banks import draw_syncs

        session.print(draw_syncs(reports, _names_of_banks(session)))
    if failed:
        raise typer.Exit(BANK)


def _names_of_banks(session: Session) -> dict[str, str]:
    """What each bank is called, by the id of its connection."""
    from finplan.model.base import Nothing
    from finplan.operations.bank import LIST_CONNECTIONS

    links = (record.connection for record in session.call(LIST_CONNECTIONS, Nothing()))
    return {link.id: link.institution_name for link in links}
