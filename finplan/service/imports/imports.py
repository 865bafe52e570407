"""Imports of statement files from top to bottom: read, load, decide, write.

Every step is handed one `ImportRun`, and hands on what it has found out in it:

1. *read* (`reading`): each file is parsed into the stage, a scratch database beside the store;
2. *load* (`facts`): accounts, what they are known by, and look-ups of rows of the store and the stage;
3. *decide* (`finplan.intake`): whose the files' accounts are and of which kind, which rows are new, and
   what only the person knows; `matching` brings facts and decisions together;
4. *write* (`posting`): new accounts and rows, balances and coverage, answers, and how to undo it.

Then the ledger is reconciled (`ledger.reconciliation`): transfers between own accounts find their other
half, and payees their categories. A file that holds a whole household goes into a home without accounts
in another way (`posting.restore`), which takes the place of both.

A preview and a commit decide alike, and the preview reports what it found. All of a commit but the
reading happens in one transaction, so it is all or nothing. An import can be listed, undone, and
cancelled while it runs.
"""

import asyncio
import hashlib
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.intake.files import ImportRun
from finplan.intake.misreadings import MisreadImports
from finplan.intake.postings import decide_writes
from finplan.intake.questions import requests_by_file
from finplan.intake.reports import reports_of_unread
from finplan.intake.unsigned import settle_unshown
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId, ImportRecord, ImportReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.plan.ledger.days import day_of
from finplan.service.context import Context
from finplan.service.derived.changes import let_plan_follow
from finplan.service.derived.household import DEFAULT_CURRENCY
from finplan.service.ids import derived_id, new_id
from finplan.service.imports.facts import load_facts, load_for_writing
from finplan.service.imports.matching import match_run
from finplan.service.imports.pending_rows import refresh_pending
from finplan.service.imports.posting import post, restore
from finplan.service.imports.profiles import hints_for
from finplan.service.imports.reading import LARGE_FILES, Cancelled, stage_files
from finplan.service.imports.undo import undo
from finplan.service.ledger.categorisation import ask_where_fit, matches_prefetched
from finplan.service.ledger.reconciliation import reconcile_added_rows
from finplan.store.queries import accounts, imports as table, payees, people
from finplan.store.queries.repeated_rows import mark_misread


async def preview_import(context: Context, run: ImportRun) -> ImportReport:
    """Report what an import would do, found out by the same steps; nothing is changed."""
    run = await _read(context, await _take_digest(context, run))
    run = await context.store.read(partial(match_run, run=run), beside=run.stage)
    return ImportReport(id=None, dry_run=True, digest=run.digest, files=run.reports)


async def commit_import(context: Context, run: ImportRun) -> ImportReport:
    """Import the files of a run that is registered under its number, in one transaction.

    Raises Conflict when it was cancelled before, or files or data have changed since its dry run.
    """
    run = await _read(context, await _take_digest(context, run))
    commit = _import_run if run.staged.home is None else _restore_run
    run = replace(run, now=context.milliseconds())
    return await context.commit(partial(commit, run=run), beside=run.stage, event=True)


async def _take_digest(context: Context, run: ImportRun) -> ImportRun:
    """Digest files and data. Raises Conflict when the dry run that the request names had another one."""
    person = await context.store.read(lambda c: people.get_person(c, run.owner))
    generation = person["row_generation"]
    digest = await asyncio.to_thread(_digest_of, run, generation)
    if run.request.digest not in (None, digest):
        raise Conflict(
            "The files or your data have changed since the preview. Preview the files again."
        )
    today = day_of(context.today(person["time_zone"]))
    return replace(run, digest=digest, generation=generation, today=today)


def _digest_of(run: ImportRun, generation: int) -> str:
    """A digest of the files, of how they are to be read, and of the data they are added to."""
    total = hashlib.sha256(f"{generation}\n".encode())
    total.update(run.request.model_dump_json(exclude={"id", "dry_run", "digest"}).encode())
    for file in run.files:
        total.update(f"\n{file.name}\n".encode())
        with file.path.open("rb") as content:
            total.update(hashlib.file_digest(content, "sha256").digest())
    return total.hexdigest()


async def _read(context: Context, run: ImportRun) -> ImportRun:
    """Read all files into the stage, and once more where accounts tell what the files leave open."""
    run = await _read_files(context, run)
    if not any(file.unshown for file in run.staged.files):
        return run
    settled = await context.store.read(
        lambda c: settle_unshown(run, load_facts(c, run.owner)), beside=run.stage
    )
    if not settled:
        return run
    await asyncio.to_thread(run.stage.unlink)
    run = await _read_files(context, replace(run, settled=settled))
    for index, rows in settled.items():
        run.staged.files[index].notes += rows.notes
    return run


async def _read_files(context: Context, run: ImportRun) -> ImportRun:
    """Read all files into the stage, away from the loop that answers requests.

    Raises BadRequest with the reports in its data. A file that only the person can tell how to read is
    staged as it is likely, and asked about together with what else is open.
    """
    hints, stored = await context.store.read(
        lambda c: (hints_for(c, run.owner, run.said), accounts.has_accounts(c, run.owner))
    )
    is_large = sum(file.path.stat().st_size for file in run.files) >= LARGE_FILES
    run = replace(run, into_new_home=not stored, large=is_large)
    for index, rows in run.settled.items():
        hints[index] = replace(hints[index], ways=rows.ways, direction=rows.direction)
    computation = partial(stage_files, run=run, hints=hints)
    try:
        staged = await context.store.offload(computation, large=run.large, long=True)
    except Cancelled:
        raise Conflict("The import was canceled; nothing changed.") from None
    if staged.failed:
        report = ImportReport(
            id=None, dry_run=run.request.dry_run, digest="", files=reports_of_unread(staged)
        )
        message = " ".join(f"{file.name}: {file.error}" for file in staged.files if file.error)
        raise BadRequest(message, {"report": report.model_dump(mode="json", by_alias=True)})
    return replace(run, staged=staged, questions=tuple(staged.questions))


def _import_run(connection: Connection, run: ImportRun) -> ImportReport:
    """The one commit point: everything from here on happens in this transaction."""
    _begin(connection, run)
    run = match_run(connection, run)
    facts, numbers = load_for_writing(connection, run)
    writes = decide_writes(run, facts, DEFAULT_CURRENCY)
    with matches_prefetched(writes.payees, ask_where_fit(connection, large=run.large)):
        posted = post(connection, run, writes, numbers)
    pending = refresh_pending(connection, run.owner, posted.accounts)
    if pending:
        payees.remove_unused(connection, run.owner, pending)
    fit = ask_where_fit(connection, large=run.large)
    touched = sorted(posted.payees.union(pending))
    reconcile_added_rows(connection, run.owner, posted.newest, touched, ask=fit)
    return posted.report


def _restore_run(connection: Connection, run: ImportRun) -> ImportReport:
    """The one commit point of a file that holds a whole household, for a home without accounts."""
    _begin(connection, run)
    return restore(connection, match_run(connection, run))


def _begin(connection: Connection, run: ImportRun) -> None:
    """Let the import be committed, unless it was cancelled or the rows that were shown have changed."""
    generation = people.get_person(connection, run.owner)["row_generation"]
    if run.request.digest is not None and generation != run.generation:
        raise Conflict("Your data has changed since the preview. Preview the files again.")
    if not table.change_status(connection, run.number, "running", "committed"):
        raise Conflict("The import was canceled; nothing changed.")
    let_plan_follow(connection, run.owner, run.now)


async def import_files(
    context: Context, ask: ImportRequest, files: tuple[UploadedFile, ...]
) -> ImportReport:
    """Import statement files, all or nothing; a dry run tells what the import would do.

    Raises BadRequest with the report in its data when a file cannot be read, Conflict when a person
    must decide how one is read, when an earlier import read the files otherwise, or when files or data
    have changed since the dry run.
    """
    if not files:
        raise BadRequest("No file was sent. Send at least one part named `file`.")
    stage = files[0].path.with_name(f"{new_id('stage')}.db")
    requests = requests_by_file(ask, files)
    owner = context.caller.owner
    run = ImportRun(owner, _id_of(owner, ask.id), ask, files, requests, stage)
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
            how = {misread.number: misread.how for misread in failure.found}
            await context.store.write(lambda c: mark_misread(c, how))
        raise


async def list_imports(context: Context, _ask: Nothing) -> tuple[ImportRecord, ...]:
    """The imports that were committed, newest first."""
    rows = await context.store.read(lambda c: table.list_imports(c, context.caller.owner))
    return tuple(_record_of_import(row) for row in rows)


async def undo_import(context: Context, ask: ImportId) -> ImportRecord:
    """Undo an import: everything is as it was before."""

    def take_back(connection: Connection) -> ImportRecord:
        batch = _find_import(connection, context.caller.owner, ask.id)
        if batch["status"] != "committed":
            raise Conflict(f"The import {ask.id} is already undone.")
        now = context.milliseconds()
        undo(connection, context.caller.owner, batch, now)
        let_plan_follow(connection, context.caller.owner, now)
        return _record_of_import(_find_import(connection, context.caller.owner, ask.id))

    return await context.commit(take_back, event=True)


async def cancel_import(context: Context, ask: ImportId) -> Nothing:
    """Cancel an import before its one commit point; after it, a Conflict says how to undo."""

    def cancel(connection: Connection) -> Nothing:
        batch = _named_import(connection, context.caller.owner, ask.id)
        if batch is None:
            raise NotFound(f"No import {ask.id} is running.")
        if not table.change_status(connection, batch["no"], "running", "cancelled"):
            if batch["status"] == "committed":
                raise Conflict(
                    f"The import {ask.id} is finished, so it cannot be canceled. Undo it:"
                    f" `finplan imports undo {ask.id}`."
                )
            raise Conflict(f"The import {ask.id} is no longer running.")
        return Nothing()

    return await context.commit(cancel)


def _register(connection: Connection, run: ImportRun, now: int) -> int:
    """Note that an import runs; answers its number. Raises Conflict when its id is taken."""
    present = table.find_import(connection, run.owner, run.id)
    if present is not None:
        if present["status"] != "cancelled":
            raise Conflict(f"An import {run.request.id} already exists. Use another id.")
        # It changed nothing, so whoever tries it again means the same import.
        table.forget_import(connection, present["no"])
    values = {"id": run.id, "owner_no": run.owner, "started_at": now}
    return table.start_import(connection, values)


def _id_of(owner: int, request_id: str | None) -> str:
    """The id of an import; one that a person names is made of theirs alone.

    Whoever gives a name that is another person's, or was, meets nothing of theirs.
    """
    return new_id("imp") if request_id is None else derived_id("imp", owner, request_id)


def _named_import(connection: Connection, owner: int, import_id: str) -> RowMapping | None:
    """A person's import by its id, or by what they named it when they began it."""
    present = table.find_import(connection, owner, import_id)
    return present or table.find_import(connection, owner, _id_of(owner, import_id))


def _find_import(connection: Connection, owner: int, import_id: str) -> RowMapping:
    batch = _named_import(connection, owner, import_id)
    if batch is None or batch["committed_at"] is None:
        raise NotFound(f"No import {import_id}. `finplan imports list` shows your imports.")
    return batch


def _record_of_import(row: RowMapping) -> ImportRecord:
    report = ImportReport.model_validate_json(row["report"])
    return ImportRecord.of(row, imported_at=row["committed_at"], report=report)
