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
    str,
    argument(
        "CONNECTION",
        "The bank's name, or the connection's id. The first characters of the id are enough.",
    ),
]


@connections_app.callback(
    epilog=examples(
        "finplan connections",
        "finplan connections sync         Fetch new transactions",
        "finplan connections remove demo  Unlink; first shows what will be deleted",
        "finplan connections remove Chase --keep  Unlink, but keep its data",
    )
)
def connections() -> None:
    """List, sync and remove linked banks."""


@connections_app.command("list", rows=True)
def list_connections(context: typer.Context) -> None:
    """List all linked banks."""
    session = Session.of(context)
    if session.options.json or session.options.wants_rows:
        session.answer(operations.bank.LIST_CONNECTIONS)
    else:
        session.tell(operations.bank.LIST_CONNECTION_STATES, lambda: views.banks.states)


@connections_app.command()
def show(context: typer.Context, connection: ConnectionArgument) -> None:
    """Show one linked bank: its status and last sync."""
    session = Session.of(context)
    query = model.connection.ConnectionId(id=connection_id(session, connection))
    record = session.answer(operations.bank.SHOW_CONNECTION, query)
    if record is not None:
        session.show(views.banks.banks((record,), session.how))


@connections_app.command()
def sync(
    context: typer.Context,
    connection: Annotated[str | None, argument("[CONNECTION]", "Only this bank.")] = None,
) -> None:
    """Fetch new transactions from one bank, or from all."""
    session = Session.of(context)
    if connection is None:
        _sync(session, operations.bank.SYNC_ALL, model.base.Nothing())
    else:
        request = model.connection.ConnectionId(id=connection_id(session, connection))
        _sync(session, operations.bank.SYNC_CONNECTION, request)


@connections_app.command()
def remove(
    context: typer.Context,
    connection: ConnectionArgument,
    keep: Annotated[bool, flag("--keep", "Keep all the bank's accounts and transactions.")] = False,
    yes: Annotated[bool, flag("--yes", "Do not ask for confirmation.")] = False,
) -> None:
    """Unlink a bank, and delete the data that came only from this bank.

    Data from statement files stays. finplan first shows how many transactions it will delete and from
    which days, then asks you to confirm.
    """
    session = Session.of(context)
    meant = connection_id(session, connection)
    if session.interactive and not yes:
        query = model.connection.ConnectionId(id=meant)
        effect = session.call(operations.bank.SHOW_UNLINKING, query)
        if not session.confirm(views.banks.ask_to_unlink(effect, keep=keep), default=False):
            return
    unlinking = model.connection.Unlinking(id=meant, keep=keep)
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
        "finplan sync --quiet      For cron: prints nothing unless a sync failed",
        "finplan connections sync  The same; can also sync only one bank",
    )
)
def sync_everything(context: typer.Context) -> None:
    """Fetch new transactions from your banks.

    The background service also fetches transactions twice a day. The exit code is 6 if a sync failed or
    no bank is linked, and 7 if the background service cannot be reached.
    """
    session = Session.of(context)
    nothing = model.base.Nothing()
    _sync(session, operations.bank.SYNC_ALL, nothing, silent=session.options.quiet)


def _sync(
    session: Session, operation: "Operation[Asks, Any]", request: "Asks", *, silent: bool = False
) -> None:
    """Fetch what is new and list it, unless it is `silent` and all went well.

    The exit code is 6 where a bank failed, or there is none.
    """
    if session.options.json:
        content = session.client.call_raw(operation, request)
        session.print_raw(content)
        answer = json.loads(content)
        entries = answer if isinstance(answer, list) else [answer]
        well = [entry.get("ok", True) for entry in entries]
    else:
        answer = session.call(operation, request, doing="Syncing")
        reports = answer if isinstance(answer, tuple) else (answer,)
        well = [report.ok for report in reports]
        if reports and not (silent and all(well)):
            banks = [record.connection for record in session.call(operations.bank.LIST_CONNECTIONS)]
            names = {bank.id: bank.institution_name for bank in banks}
            session.show(views.banks.syncs(reports, names))
    if not well:
        # A line of cron that fetches nothing for ever would otherwise never tell anybody.
        raise CommandError(NO_BANK_YET, BANK)
    if not all(well):
        raise typer.Exit(BANK)
