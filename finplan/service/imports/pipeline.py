"""An import from top to bottom: read, resolve accounts, match, post, pair and judge.

Every step is handed one `ImportRun`, and hands on what it has found out in it:

1. *read* (`reading`): each file is parsed into the stage, a scratch database beside the store;
2. *accounts* (`accounts.resolution`, `kind_resolution`): each account of the files is one of the
   person's, or a new one of a kind that is known or asked;
3. *match* (`ledger.interning`, `row_matching`): each payee and each staged row is in the store already,
   or is new;
4. *post* (`new_accounts`, `posting`): new accounts and rows are added, balances and coverage follow;
5. *pair and judge* (`ledger.reconciliation`): transfers between own accounts find their other half, and
   payees their categories.

A file that holds a whole household goes into a home without accounts in another way (`restored_home`),
which takes the place of the last two steps.

A preview and a commit both take the first three steps, and the preview reports what it found. The
rest of a commit happens in one transaction with its second and third step, so it is all or nothing.
"""

import asyncio
import hashlib
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import ImportReport
from finplan.plan.ledger.days import day_of
from finplan.service.context import Context
from finplan.service.derived.plan_to_come import let_plan_follow
from finplan.service.imports.accounts.resolution import resolve_accounts
from finplan.service.imports.header_profiles import hints_for, remember_answers
from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.kind_resolution import resolve_kinds
from finplan.service.imports.misreadings import (
    MisreadImports,
    advice_on,
    find_misread_imports,
)
from finplan.service.imports.new_accounts import create_accounts
from finplan.service.imports.paid_cards import let_payments_in
from finplan.service.imports.pending_rows import pending_record, refresh_pending
from finplan.service.imports.posting import post_rows, update_accounts
from finplan.service.imports.questions import ask
from finplan.service.imports.reading import LARGE_FILES, Cancelled, stage_files
from finplan.service.imports.remembered_ways import ask_about_ways
from finplan.service.imports.reports import reports_of_unread
from finplan.service.imports.restored_home import commit_restored
from finplan.service.imports.row_matching import match_rows
from finplan.service.imports.undo import record_commit, undo_record
from finplan.service.imports.unshown_rows import settle_unshown
from finplan.service.ledger.elsewhere import where_fit
from finplan.service.ledger.interning import with_names_joined
from finplan.service.ledger.reconciliation import reconcile_added_rows
from finplan.store.queries import accounts, imports, payees, people, staged_rows, transfers


async def preview_import(context: Context, run: ImportRun) -> ImportReport:
    """Report what an import would do, found out by the same steps; nothing is changed."""
    run = await _read(context, await _take_digest(context, run))
    run = await context.store.read(partial(_match, run=run), beside=run.stage)
    return ImportReport(id=None, dry_run=True, digest=run.digest, files=run.reports)


async def commit_import(context: Context, run: ImportRun) -> ImportReport:
    """Import the files of a run that is registered under its number, in one transaction.

    Raises Conflict when it was cancelled before, or files or data have changed since its dry run.
    """
    run = await _read(context, await _take_digest(context, run))
    commit = partial(_commit, run=replace(run, now=context.milliseconds()))
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


def _match(connection: Connection, run: ImportRun) -> ImportRun:
    """Resolve accounts and kinds, and match rows; rows that were misread before are reported as such.

    Raises Conflict with all that only the person knows, and MisreadImports for a commit.
    """
    run = ask_about_ways(connection, resolve_kinds(connection, resolve_accounts(connection, run)))
    if run.questions:
        raise ask(run.questions, run.files)
    named, exported = run.staged.payees, run.staged.exported
    fit = where_fit(connection, large=run.large)
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


def _commit(connection: Connection, run: ImportRun) -> ImportReport:
    """The one commit point: everything from here on happens in this transaction."""
    _begin(connection, run)
    let_plan_follow(connection, run.owner, run.now)
    run = _match(connection, run)
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
    fit = where_fit(connection, large=run.large)
    reconcile_added_rows(connection, run.owner, newest, sorted(touched.union(pending)), ask=fit)
    return report


def _begin(connection: Connection, run: ImportRun) -> None:
    """Let the import be committed, unless it was cancelled or the rows that were shown have changed."""
    generation = people.get_person(connection, run.owner)["row_generation"]
    if run.request.digest is not None and generation != run.generation:
        raise Conflict("Your data have changed since the dry run. Do another dry run first.")
    if not imports.change_status(connection, run.number, "running", "committed"):
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
