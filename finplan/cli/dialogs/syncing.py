"""A sync, and what is said of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from finplan.cli.console.errors import BANK
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.connection import SyncReport


def sync_banks(session: Session) -> "tuple[SyncReport, ...] | None":
    """Fetch what is new at every bank; None where the answer was printed as it came."""
    from finplan.model.base import Nothing
    from finplan.operations.household import SYNC_ALL

    return session.answer(SYNC_ALL, Nothing(), doing="Syncing")


def say_what_came(
    session: Session, reports: "tuple[SyncReport, ...]", names: Mapping[str, str]
) -> None:
    """List what each sync changed, and end with exit code 6 where one failed."""
    from finplan.cli.showing.banks import draw_syncs

    session.print(draw_syncs(reports, names))
    if have_failed(reports):
        raise typer.Exit(BANK)


def have_failed(reports: "tuple[SyncReport, ...]") -> bool:
    """Whether a bank could not be synced."""
    return any(not report.ok for report in reports)


def names_of_banks(session: Session) -> dict[str, str]:
    """What each bank is called, by the id of its connection."""
    from finplan.model.base import Nothing
    from finplan.operations.household import LIST_CONNECTIONS

    links = (record.connection for record in session.call(LIST_CONNECTIONS, Nothing()))
    return {link.id: link.institution_name for link in links}
