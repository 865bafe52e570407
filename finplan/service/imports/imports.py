"""Imports of statement files from top to bottom: read, resolve accounts, match, post, pair and judge.

Every step is handed one `ImportRun`, and hands on what it has found out in it:

1. *read* (`reading`): each file is parsed into the stage, a scratch database beside the store;
2. *accounts* (`account_resolution`, `kind_resolution`): each account of the files is one of the
   person's, or a new one of a kind that is known or asked;
3. *match* (`ledger.interning`, `row_matching`): each payee and each staged row is in the store already,
   or is new;
4. *post* (`posting`): new accounts and rows are added, balances and coverage follow;
5. *pair and judge* (`ledger.reconciliation`): transfers between own accounts find their other half, and
   payees their categories.

A file that holds a whole household goes into a home without accounts in another way
(`posting.commit_restored`), which takes the place of the last two steps.

A preview and a commit both take the first three steps, and the preview reports what it found. The
rest of a commit happens in one transaction with its second and third step, so it is all or nothing.
An import can be listed, undone, and cancelled while it runs.
"""

import asyncio
import hashlib
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId, ImportRecord, ImportReport, ImportRequest
from finplan.operation import UploadedFile
from finplan.plan.ledger.days import day_of
from finplan.service.context import Context
from finplan.service.derived.changes import let_plan_follow
from finplan.service.ids import derived_id, new_id
from finplan.service.imports.account_resolution import resolve_accounts
from finplan.service.imports.file_reports import reports_of_unread
from finplan.service.imports.header_profiles import ask_about_ways, hints_for, remember_answers
from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.kind_resolution import resolve_kinds
from finplan.service.imports.misreadings import MisreadImports, advice_on, find_misread_imports
from finplan.service.imports.pending_rows import pending_record, refresh_pending
from finplan.service.imports.posting import (
    commit_restored,
    create_accounts,
    post_rows,
    update_accounts,
)
from finplan.service.imports.questions import ask, requests_by_file
from finplan.service.imports.reading import LARGE_FILES, Cancelled, stage_files
from finplan.service.imports.row_matching import match_rows
from finplan.service.imports.undo import record_commit, undo, undo_record
from finplan.service.imports.unsigned_amounts import let_payments_in, settle_unshown
from finplan.service.ledger.categorisation import ask_where_fit
from finplan.service.ledger.payee_keys import with_names_joined
from finplan.service.ledger.reconciliation import reconcile_added_rows
from finplan.store.queries import accounts, payees, people, staged_rows, transfers
from finplan.store.queries import imports as table
from finplan.store.queries.repeated_rows import mark_misread


async def preview_import(context: Context, run: ImportRun) -> ImportReport:
    """Report what an import would do, found out by the same steps; nothing is changed."""
    run = await _read(context, await _take_digest(context, run))
    run = await context.store.read(partial(_match_run, run=run), beside=run.stage)
    return ImportReport(id=None, dry_run=True, digest=run.digest, files=run.reports)


async def commit_import(context: Context, run: ImportRun) -> ImportReport:
    """Import the files of a run that is registered under its number, in one transaction.

    Raises Conflict when it was cancelled before, or files or data have changed since its dry run.
    """
    run = await _read(context, await _take_digest(context, run))
    commit = partial(_commit_run, run=replace(run, now=context.milliseconds()))
    return await context.commit(commit, beside=run.stage, event=True)


async def _take_digest(context: Context, run: ImportRun) -> ImportRun:
    """Digest files and data. Raises Conflict when the dry run that the request names had another one."""
    person = await context.store.read(lambda c: people.get_person(c, run.owner))
    generation = person["row_generation"]
    digest = await asyncio.to_thread(_digest_of, run, generation)
    if run.request.digest not in (None, digest):
        raise Conflict(
            "The files or your data have changed since the dry run. Do another dry run first."
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
    settled = await context.store.read(partial(settle_unshown, run=run), beside=run.stage)
    if not settled:
        return run
    await asyncio.to_thread(run.stage.unlink)
    run = await _read_files(context, replace(run, settled=settled))
    for place, found in settled.items():
        run.staged.files[place].notes += found.notes
    return run


async def _read_files(context: Context, run: ImportRun) -> ImportRun:
    """Read all files into the stage, away from the loop that answers requests.

    Raises BadRequest with the reports in its data. A file that only the person can tell how to read is
    staged as it is likely, and asked about together with what else is open.
    """
    hints, held = await context.store.read(
        lambda c: (
            [hints_for(c, run.owner, said) for said in run.said],
            accounts.has_accounts(c, run.owner),
        )
    )
    run = replace(run, into_new_home=not held)
    run = replace(run, large=sum(file.path.stat().st_size for file in run.files) >= LARGE_FILES)
    for place, found in run.settled.items():
        hints[place] = replace(hints[place], ways=found.ways, direction=found.direction)
    computation = partial(stage_files, run=run, hints=hints)
    try:
        staged = await context.store.offload(computation, large=run.large, long=True)
    except Cancelled:
        raise Conflict("The import was cancelled; nothing was changed.") from None
    if staged.failed:
        report = ImportReport(
            id=None, dry_run=run.request.dry_run, digest="", files=reports_of_unread(staged)
        )
        message = " ".join(f"{file.name}: {file.error}" for file in staged.files if file.error)
        raise BadRequest(message, {"report": report.model_dump(mode="json", by_alias=True)})
    return replace(run, staged=staged, questions=tuple(staged.questions))


def _match_run(connection: Connection, run: ImportRun) -> ImportRun:
    """Resolve accounts and kinds, and match rows; rows that were misread before are reported as such.

    Raises Conflict with all that only the person knows, and MisreadImports for a commit.
    """
    run = ask_about_ways(connection, resolve_kinds(connection, resolve_accounts(connection, run)))
    if run.questions:
        raise ask(run.questions, run.files)
    named, exported = run.staged.payees, run.staged.exported
    fit = ask_where_fit(connection, large=run.large)
    run.staged.payees[:] = with_names_joined(connection, run.owner, named, exported, fit)
    let_payments_in(connection, run)
    run = match_rows(connection, run)
    misread = find_misread_imports(connection, run)
    if not misread:
        return run
    if not run.request.dry_run:
        raise MisreadImports(misread)
    first, *others = run.reports
    noted = first.model_copy(update={"notes": (*first.notes, advice_on(misread))})
    return replace(run, reports=(noted, *others))


def _commit_run(connection: Connection, run: ImportRun) -> ImportReport:
    """The one commit point: everything from here on happens in this transaction."""
    _begin(connection, run)
    let_plan_follow(connection, run.owner, run.now)
    run = _match_run(connection, run)
    if run.staged.home is not None:
        return commit_restored(connection, run, run.staged.home)
    currency = _bring_currency(connection, run)
    create_accounts(connection, run)
    newest = transfers.newest_row(connection)
    touched = post_rows(connection, run)
    update_accounts(connection, run)
    remember_answers(connection, run)
    report = record_commit(
        connection, run, undo_record(run, currency, pending_record(connection, run))
    )
    pending = refresh_pending(connection, run.owner, [account.id for account in run.accounts])
    if pending:
        payees.remove_unused(connection, run.owner, pending)
    fit = ask_where_fit(connection, large=run.large)
    reconcile_added_rows(connection, run.owner, newest, sorted(touched.union(pending)), ask=fit)
    return report


def _begin(connection: Connection, run: ImportRun) -> None:
    """Let the import be committed, unless it was cancelled or the rows that were shown have changed."""
    generation = people.get_person(connection, run.owner)["row_generation"]
    if run.request.digest is not None and generation != run.generation:
        raise Conflict("Your data have changed since the dry run. Do another dry run first.")
    if not table.change_status(connection, run.number, "running", "committed"):
        raise Conflict("The import was cancelled; nothing was changed.")


def _bring_currency(connection: Connection, run: ImportRun) -> str | None:
    """Let the first import bring the household's currency, that of most of its rows.

    Answers it, or None where there is one already.
    """
    person = people.get_person(connection, run.owner)
    if person["currency"] is not None or not run.accounts:
        return None
    rows = staged_rows.rows_by_account(connection)
    # Of several that are equally common the one that stands first.
    currency = max(
        dict.fromkeys(each.currency for each in run.accounts),
        key=lambda code: sum(
            rows.get(local, 0) for local, each in enumerate(run.accounts) if each.currency == code
        ),
    )
    people.change_person(connection, run.owner, {"currency": currency})
    return currency


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
    return tuple(_record_of_import(row) for row in rows)


async def undo_import(context: Context, ask: ImportId) -> ImportRecord:
    """Undo an import: everything is as it was before."""

    def take_back(connection: Connection) -> ImportRecord:
        batch = _find_import(connection, context.caller.owner, ask.id)
        if batch["status"] != "committed":
            raise Conflict(f"The import {ask.id} has been undone already.")
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


def _named_import(connection: Connection, owner: int, import_id: str) -> RowMapping | None:
    """A person's import by its id, or by what they named it when they began it."""
    present = table.find_import(connection, owner, import_id)
    return present or table.find_import(connection, owner, _id_of(owner, import_id))


def _find_import(connection: Connection, owner: int, import_id: str) -> RowMapping:
    batch = _named_import(connection, owner, import_id)
    if batch is None or batch["committed_at"] is None:
        raise NotFound(f"There is no import {import_id}. `finplan imports list` shows them.")
    return batch


def _record_of_import(row: RowMapping) -> ImportRecord:
    return ImportRecord(
        id=row["id"],
        imported_at=row["committed_at"],
        undone_at=row["undone_at"],
        report=ImportReport.model_validate_json(row["report"]),
        misread=row["misread"],
    )
