"""The performers of imports: make or preview one, list them, undo one, cancel one."""

import asyncio
from dataclasses import replace

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId, ImportRecord, ImportReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.service.context import Context
from finplan.service.derived.plan_to_come import let_plan_follow
from finplan.service.ids import derived_id, new_id
from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.misreadings import MisreadImports
from finplan.service.imports.pipeline import commit_import, preview_import
from finplan.service.imports.questions import requests_by_file
from finplan.service.imports.undo import undo
from finplan.store.queries import imports as table
from finplan.store.queries.repeated_rows import mark_misread


async def import_files(
    context: Context, ask: ImportRequest, files: tuple[UploadedFile, ...]
) -> ImportReport:
    """Import statement files, all or nothing; a dry run tells what the import would do.

    Raises BadRequest with the report in its data when a file cannot be read, Conflict when a person
    must decide how one is read, when an earlier import read the files otherwise, or when files or data
    have changed since the dry run.
    """
    if not files:
        raise BadRequest("No file was sent; send at least one part named `file`.")
    stage = files[0].path.with_name(f"{new_id('stage')}.db")
    said = requests_by_file(ask, files)
    owner = context.caller.owner
    run = ImportRun(owner, _id_of(owner, ask.id), ask, files, said, stage)
    try:
        return await (preview_import if ask.dry_run else _import)(context, run)
    finally:
        await asyncio.to_thread(stage.unlink, missing_ok=True)


async def _import(context: Context, run: ImportRun) -> ImportReport:
    # The import is known by its id from the first moment, so that it can be cancelled in any.
    number = await context.store.write(lambda c: _register(c, run, context.milliseconds()))
    try:
        return await commit_import(context, replace(run, number=number))
    except BaseException as failure:
        await context.store.write(lambda c: table.change_status(c, number, "running", "cancelled"))
        if isinstance(failure, MisreadImports):
            how = {each.number: each.how for each in failure.found}
            await context.store.write(lambda c: mark_misread(c, how))
        raise


async def list_imports(context: Context, _ask: Nothing) -> tuple[ImportRecord, ...]:
    """The imports that were committed, newest first."""
    rows = await context.store.read(lambda c: table.list_imports(c, context.caller.owner))
    return tuple(_record(row) for row in rows)


async def undo_import(context: Context, ask: ImportId) -> ImportRecord:
    """Undo an import: everything is as it was before."""

    def take_back(connection: Connection) -> ImportRecord:
        batch = _find(connection, context.caller.owner, ask.id)
        if batch["status"] != "committed":
            raise Conflict(f"The import {ask.id} has been undone already.")
        now = context.milliseconds()
        undo(connection, context.caller.owner, batch, now)
        let_plan_follow(connection, context.caller.owner, now)
        return _record(_find(connection, context.caller.owner, ask.id))

    return await context.commit(take_back, event=True)


async def cancel_import(context: Context, ask: ImportId) -> Nothing:
    """Cancel an import before its one commit point; after it, a Conflict says how to undo."""

    def cancel(connection: Connection) -> Nothing:
        batch = _named(connection, context.caller.owner, ask.id)
        if batch is None:
            raise NotFound(f"No import {ask.id} is running.")
        if not table.change_status(connection, batch["no"], "running", "cancelled"):
            if batch["status"] == "committed":
                raise Conflict(
                    f"The import {ask.id} is finished. `finplan imports undo {ask.id}` undoes it."
                )
            raise Conflict(f"The import {ask.id} is not running any more.")
        return Nothing()

    return await context.commit(cancel)


def _register(connection: Connection, run: ImportRun, now: int) -> int:
    """Note that an import runs; answers its number. Raises Conflict when its id is taken."""
    present = table.find_import(connection, run.owner, run.id)
    if present is not None:
        if present["status"] != "cancelled":
            raise Conflict(
                f"There is an import {run.request.id} already; give this one another id."
            )
        # It changed nothing, so whoever tries it again means the same import.
        table.forget_import(connection, present["no"])
    values = {"id": run.id, "owner_no": run.owner, "started_at": now}
    return table.start_import(connection, values)


def _id_of(owner: int, named: str | None) -> str:
    """The id of an import; one that a person names is made of theirs alone.

    Whoever gives a name that is another person's, or was, meets nothing of theirs.
    """
    return new_id("imp") if named is None else derived_id("imp", owner, named)


def _named(connection: Connection, owner: int, import_id: str) -> RowMapping | None:
    """A person's import by its id, or by what they named it when they began it."""
    present = table.find_import(connection, owner, import_id)
    return present or table.find_import(connection, owner, _id_of(owner, import_id))


def _find(connection: Connection, owner: int, import_id: str) -> RowMapping:
    batch = _named(connection, owner, import_id)
    if batch is None or batch["committed_at"] is None:
        raise NotFound(f"There is no import {import_id}. `finplan imports list` shows them.")
    return batch


def _record(row: RowMapping) -> ImportRecord:
    return ImportRecord(
        id=row["id"],
        imported_at=row["committed_at"],
        undone_at=row["undone_at"],
        report=ImportReport.model_validate_json(row["report"]),
        misread=row["misread"],
    )
