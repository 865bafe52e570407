"""A sync, and what is said of it."""

from typing import TYPE_CHECKING, Any

import typer

from finplan.cli.console.errors import BANK, NO_BANK_YET, CommandError
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.connection import SyncReport
    from finplan.operation import Asks, Operation


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
