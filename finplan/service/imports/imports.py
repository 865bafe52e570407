"""Importing statement files: read into a stage, then one commit; or a dry run that tells the same."""

import asyncio
from functools import partial
from pathlib import Path

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId, ImportRecord, ImportReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.service.context import Context
from finplan.service.derived.household import DEFAULT_CURRENCY
from finplan.service.ids import new_id
from finplan.service.imports.accounts import currency_of
from finplan.service.imports.post import post, preview
from finplan.service.imports.profiles import said_before
from finplan.service.imports.read import LARGE_FILES, Cancelled, Reading, digest_of, stage_files
from finplan.service.imports.undo import undo
from finplan.store.queries import imports as table
from finplan.store.queries import people


async def import_files(
    context: Context, ask: ImportRequest, files: tuple[UploadedFile, ...]
) -> ImportReport:
    """Import statement files, all or nothing; a dry run tells what the import would do.

    Raises BadRequest with the report in its data when a file cannot be read, Conflict when a person
    must decide how one is read, or when files or data have changed since the dry run.
    """
    if not files:
        raise BadRequest("No file was sent; send at least one part named `file`.")
    stage = files[0].path.with_name(f"{new_id('stage')}.db")
    try:
        if ask.dry_run:
            return await _preview(context, ask, files, stage)
        return await _commit(context, ask, files, stage)
    finally:
        await asyncio.to_thread(stage.unlink, missing_ok=True)


async def _preview(
    context: Context, ask: ImportRequest, files: tuple[UploadedFile, ...], stage: Path
) -> ImportReport:
    person, digest = await _fingerprint(context, ask, files)
    reading = await _read(context, ask, files, person, stage, None)
    reports = await context.store.read(
        partial(preview, owner=context.caller.owner, ask=ask, reading=reading), beside=stage
    )
    return ImportReport(id=None, dry_run=True, digest=digest, files=reports)


async def _commit(
    context: Context, ask: ImportRequest, files: tuple[UploadedFile, ...], stage: Path
) -> ImportReport:
    import_id = ask.id or new_id("imp")
    # The import is known by its id from the first moment, so that it can be cancelled in any.
    batch = await _start(context, import_id)
    try:
        person, digest = await _fingerprint(context, ask, files)
        reading = await _read(context, ask, files, person, stage, batch)
        commit = partial(
            post,
            owner=context.caller.owner,
            ask=ask,
            reading=reading,
            batch=batch,
            import_id=import_id,
            digest=digest,
            generation=person["row_generation"] if ask.digest else None,
            now=context.milliseconds(),
        )
        return await context.commit(commit, beside=stage, event=True)
    except BaseException:
        await context.store.write(lambda c: table.move_import(c, batch, "running", "cancelled"))
        raise


async def _fingerprint(
    context: Context, ask: ImportRequest, files: tuple[UploadedFile, ...]
) -> tuple[RowMapping, str]:
    """The person, and the digest of files and data. Raises Conflict when a dry run's is another."""
    person = await context.store.read(lambda c: people.get_person(c, context.caller.owner))
    digest = await asyncio.to_thread(digest_of, files, ask, person["row_generation"])
    if ask.digest is not None and ask.digest != digest:
        raise Conflict(
            "The files or your data have changed since the dry run. Do another dry run first."
        )
    return person, digest


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
        undo(connection, context.caller.owner, batch, context.milliseconds())
        return _record(_find(connection, context.caller.owner, ask.id))

    return await context.commit(take_back, event=True)


async def cancel_import(context: Context, ask: ImportId) -> Nothing:
    """Cancel an import before its one commit point; after it, a Conflict says how to undo."""

    def cancel(connection: Connection) -> Nothing:
        batch = table.find_import(connection, context.caller.owner, ask.id)
        if batch is None:
            raise NotFound(f"No import {ask.id} is running.")
        if not table.move_import(connection, batch["no"], "running", "cancelled"):
            if batch["status"] == "committed":
                raise Conflict(
                    f"The import {ask.id} is finished. `finplan imports undo {ask.id}` undoes it."
                )
            raise Conflict(f"The import {ask.id} is not running any more.")
        return Nothing()

    return await context.commit(cancel)


async def _start(context: Context, import_id: str) -> int:
    def start(connection: Connection) -> int:
        present = table.find_import(connection, context.caller.owner, import_id)
        if present is not None:
            if present["status"] != "cancelled":
                raise Conflict(f"There is an import {import_id} already; give this one another id.")
            # It changed nothing, so whoever tries it again means the same import.
            table.forget_import(connection, present["no"])
        values = {
            "id": import_id,
            "owner_no": context.caller.owner,
            "started_at": context.milliseconds(),
        }
        return table.start_import(connection, values)

    return await context.store.write(start)


async def _read(
    context: Context,
    ask: ImportRequest,
    files: tuple[UploadedFile, ...],
    person: RowMapping,
    stage: Path,
    batch: int | None,
) -> Reading:
    owner = context.caller.owner
    currency, profiles = await context.store.read(
        lambda c: (currency_of(c, owner, ask.account), said_before(c, owner, ask))
    )
    study = partial(
        stage_files,
        files=files,
        ask=ask,
        currency=currency or person["currency"] or DEFAULT_CURRENCY,
        profiles=profiles,
        path=stage,
        batch=batch,
    )
    try:
        size = sum(file.path.stat().st_size for file in files)
        reading = await context.store.study(study, large=size >= LARGE_FILES, long=True)
    except Cancelled:
        raise Conflict("The import was cancelled; nothing was changed.") from None
    if reading.ambiguous is not None:
        raise Conflict(
            str(reading.ambiguous),
            {"hint": reading.ambiguous.hint, "choices": reading.ambiguous.choices},
        )
    if reading.failed:
        failed = [file for file in reading.files if file.error]
        report = ImportReport(
            id=None, dry_run=ask.dry_run, digest="", files=reading.reports_without_rows()
        )
        message = " ".join(f"{file.name}: {file.error}" for file in failed)
        raise BadRequest(message, {"report": report.model_dump(mode="json", by_alias=True)})
    return reading


def _find(connection: Connection, owner: int, import_id: str) -> RowMapping:
    batch = table.find_import(connection, owner, import_id)
    if batch is None or batch["committed_at"] is None:
        raise NotFound(f"There is no import {import_id}. `finplan imports list` shows them.")
    return batch


def _record(row: RowMapping) -> ImportRecord:
    return ImportRecord(
        id=row["id"],
        imported_at=row["committed_at"],
        undone_at=row["undone_at"],
        report=ImportReport.model_validate_json(row["report"]),
    )
