"""The job that fetches what is new at the banks whose time has come."""

import logging
from dataclasses import replace

from sqlalchemy import Connection, RowMapping

from finplan.model.errors import Conflict, Fault
from finplan.service.automation.outcome import DONE, SKIPPED, STUMBLED, JobRun, Outcome, RunLost
from finplan.service.banking.page_links import look_at_links_due
from finplan.service.banking.sync import LONGEST_PAUSE, next_try, sync
from finplan.service.context import Context
from finplan.store.queries import connections, people

log = logging.getLogger(__name__)


async def sync_what_is_due(context: Context, run: JobRun) -> Outcome:
    """Sync the banks that are due, or all when asked; one that fails keeps no other from it.

    Pages at which banks are linked are looked at before.
    """
    # A link has a hold of its own, and what was exchanged must be kept though this run be lost.
    held_alone = replace(context, store=context.store.fenced(lambda _: None))
    looked = await look_at_links_due(held_alone)
    now = context.milliseconds()

    def wanted(connection: Connection) -> list[RowMapping]:
        rows = connections.list_connections(connection, context.caller.owner)
        return [
            row for row in rows if row["provider"] != "manual" and (run.asked or is_due(row, now))
        ]

    rows = await context.store.read(wanted)
    errors = [error for row in rows if (error := await _sync_one(context, row)) is not None]
    if errors:
        return Outcome("failed", " ".join(errors))
    return DONE if rows or looked else SKIPPED


def is_due(connection: RowMapping, now: int) -> bool:
    """Whether it is time to sync a bank by itself."""
    at = connection["next_try_at"]
    return at is None or at <= now or at > now + LONGEST_PAUSE


async def _sync_one(context: Context, row: RowMapping) -> str | None:
    """Sync one bank; answers what failed."""
    try:
        report = await sync(context, row["id"], context.store.write)
    except Conflict:
        # Unlinked meanwhile: what is no longer wanted has not failed.
        return None
    except (Fault, RunLost):
        raise
    except Exception:
        log.exception("A sync failed in a way that nobody foresaw.")
        await context.store.write(lambda c: _put_off(c, row, context.milliseconds()))
        return f"{row['institution_name']}: {STUMBLED}"
    return None if report.ok else f"{row['institution_name']}: {report.error}"


def _put_off(connection: Connection, row: RowMapping, now: int) -> None:
    # Else it would be tried again and again, and hold up the banks that come after it.
    failures = row["failures"] + 1
    at = next_try(row["id"], row["provider"], now, failures=failures)
    values = {"failures": failures, "next_try_at": at, "error": STUMBLED}
    connections.change_connection(connection, row["no"], values)
    people.raise_generation(connection, row["owner_no"], rows=False)
