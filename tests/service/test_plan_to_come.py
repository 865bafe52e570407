"""The plan that follows from news by itself."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.model.connection import LinkRequest
from finplan.model.errors import BadRequest
from finplan.model.statement import ImportId
from finplan.service.automation.agenda import settle
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.derived.changes import SETTLING
from finplan.service.imports.imports import undo_import
from finplan.store.queries import jobs

Import = Callable[..., Awaitable[Any]]

ROWS = "Date,Description,Amount\n2026-05-01,RENT OAK STREET,-1200.00\n"


async def due(context: Context) -> int | None:
    """When the plan of a context's person is due, once a schedule has looked."""

    def find(connection: Connection) -> int | None:
        settle(connection, context.milliseconds())
        rows = jobs.jobs_of(connection, context.caller.owner, machine=False)
        at: int | None = next(row["next_at"] for row in rows if row["name"] == "plan")
        return at

    return await context.store.write(find)


async def test_an_import_leads_to_a_plan(context: Context, import_texts: Import) -> None:
    """Five minutes after a file a plan is due, though no schedule has looked at the store before."""
    await import_texts({"checking.csv": ROWS})
    assert (
        await due(context) == context.milliseconds() + SETTLING == context.milliseconds() + 300_000
    )


async def test_a_preview_or_a_bad_file_leads_to_none(
    context: Context, import_texts: Import
) -> None:
    """What changes nothing is no news."""
    morning = await due(context)
    await import_texts({"checking.csv": ROWS}, dryRun=True)
    with pytest.raises(BadRequest):
        await import_texts({"nothing.ofx": "<OFX>"})
    assert await due(context) == morning != context.milliseconds() + SETTLING


async def test_an_undone_import_leads_to_a_plan(context: Context, import_texts: Import) -> None:
    """No plan with the rows of a file that was taken back stays the newest until the morning."""
    done = await import_texts({"checking.csv": ROWS})
    morning = {"next_at": None}
    await context.store.write(lambda c: jobs.change_job(c, 1, morning))
    assert await due(context) != context.milliseconds() + SETTLING
    await undo_import(context, ImportId(id=done.id))
    assert await due(context) == context.milliseconds() + SETTLING


@pytest.mark.thorough
async def test_the_first_bank_of_a_new_store_leads_to_a_plan(context: Context) -> None:
    """Whoever links a bank right after a start need not wait for the morning, either."""
    await link_connection(context, LinkRequest(provider="demo"))
    assert await due(context) == context.milliseconds() + SETTLING
