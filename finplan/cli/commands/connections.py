"""`finplan connections` and `finplan sync`: the linked banks, a sync, and what is said of it."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import BANK, NO_BANK_YET, CommandError
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import connection_id
from finplan.setting_values import DEMO_PROFILE

if TYPE_CHECKING:
    from finplan.operation import Asks, Operation

connections_app = CommandApp(cls=RowsGroup)
ConnectionArgument = Annotated[
    str, argument("CONNECTION", "An id, the beginning of one, or a name.")
]


@connections_app.callback(
    epilog=examples(
        "finplan connections",
        "finplan connections sync         Fetch what is new everywhere",
        "finplan connections remove demo  Unlink; says before what goes with it",
        "finplan connections remove Chase --keep  Unlink, and keep all of it",
    )
)
def connections() -> None:
    """The linked banks: list, show, sync, remove."""


@connections_app.command("list", rows=True)
def list_connections(context: typer.Context) -> None:
    """All linked banks; the same as `finplan connections`."""
    session = Session.of(context)
    if session.options.json or session.options.wants_rows:
        session.answer(operations.bank.LIST_CONNECTIONS)
    else:
        session.tell(operations.bank.LIST_CONNECTION_STATES, lambda: views.banks.states)


@connections_app.command()
def show(context: typer.Context, connection: ConnectionArgument) -> None:
    """One linked bank: how it stands, and of when its data are."""
    session = Session.of(context)
    asked = model.connection.ConnectionId(id=connection_id(session, connection))
    found = session.answer(operations.bank.SHOW_CONNECTION, asked)
    if found is not None:
        session.show(views.banks.banks((found,), session.how))


@connections_app.command()
def sync(
    context: typer.Context,
    connection: Annotated[str | None, argument("[CONNECTION]", "Only this one.")] = None,
) -> None:
    """Fetch what is new at one bank, or at all of them."""
    session = Session.of(context)
    if connection is None:
        _sync(session, operations.bank.SYNC_ALL, model.base.Nothing())
    else:
        asked = model.connection.ConnectionId(id=connection_id(session, connection))
        _sync(session, operations.bank.SYNC_CONNECTION, asked)


@connections_app.command()
def remove(
    context: typer.Context,
    connection: ConnectionArgument,
    keep: Annotated[
        bool, flag("--keep", "Keep all its accounts, as those of statement files.")
    ] = False,
    yes: Annotated[bool, flag("--yes", "Do not ask.")] = False,
) -> None:
    """Unlink a bank. What it alone brought goes; what statement files brought stays.

    Before, it is said how many rows go, and of which days.
    """
    session = Session.of(context)
    wanted = connection_id(session, connection)
    if session.interactive and not yes:
        asked = model.connection.ConnectionId(id=wanted)
        effect = session.call(operations.bank.SHOW_UNLINKING, asked)
        if not session.confirm(views.banks.unlinking(effect, keep=keep), default=False):
            return
    unlinking = model.connection.Unlinking(id=wanted, keep=keep)
    removed = session.answer(operations.bank.UNLINK_CONNECTION, unlinking)
    if removed is not None:
        session.say(f"Unlinked {removed.connection.institution_name}.")
        is_demo = removed.connection.provider == "demo"
        if is_demo and session.settings.profile == DEMO_PROFILE:
            session.say("To link it again: `finplan --demo connect demo`.")


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
    nothing = model.base.Nothing()
    _sync(session, operations.bank.SYNC_ALL, nothing, silent=session.options.quiet)


def _sync(
    session: Session, operation: "Operation[Asks, Any]", asked: "Asks", *, silent: bool = False
) -> None:
    """Fetch what is new and list it, unless it is `silent` and all went well.

    The exit code is 6 where a bank failed, or there is none.
    """
    if session.options.json:
        content = session.client.call_raw(operation, asked)
        session.print_raw(content)
        answer = json.loads(content)
        well = [each.get("ok", True) for each in (answer if isinstance(answer, list) else [answer])]
    else:
        answer = session.call(operation, asked, doing="Syncing")
        reports = answer if isinstance(answer, tuple) else (answer,)
        well = [each.ok for each in reports]
        if reports and not (silent and all(well)):
            banks = [each.connection for each in session.call(operations.bank.LIST_CONNECTIONS)]
            names = {each.id: each.institution_name for each in banks}
            session.show(views.banks.syncs(reports, names))
    if not well:
        # A line of cron that fetches nothing for ever would otherwise never tell anybody.
        raise CommandError(NO_BANK_YET, BANK)
    if not all(well):
        raise typer.Exit(BANK)
