"""Posting, the third act of an import: what was decided is written, in one transaction.

New accounts and rows of the files come into the ledger, accounts learn what files say, and what the
person answered is kept. A file that holds a whole household comes whole into a home without accounts.
"""

from typing import NamedTuple

from sqlalchemy import Connection

from finplan.intake.files import ImportRun
from finplan.intake.postings import Writes
from finplan.model.errors import Conflict
from finplan.model.statement import ImportReport
from finplan.service.ids import new_id
from finplan.service.imports.pending_rows import (
    pending_record,
    refresh_pending,
    restored_pending_record,
)
from finplan.service.imports.profiles import answers_of
from finplan.service.imports.undo import undo_record
from finplan.service.restoring.restoration import HomeImport, restore_home, settle_home
from finplan.store.queries import (
    accounts,
    connections,
    imports,
    payees,
    people,
    staged_rows,
    transfers,
)


class Posted(NamedTuple):
    """What an import has written: its report, and what the ledger is to be reconciled by.

    `accounts` are the public ids of those that it names, `newest` is the number of the newest row before
    it, and `payees` are the numbers of those that rows came to.
    """

    report: ImportReport
    accounts: list[str]
    newest: int
    payees: set[int]


def post(connection: Connection, run: ImportRun, writes: Writes, numbers: dict[str, int]) -> Posted:
    """Write what was decided of the files, and record what undoing it needs.

    `numbers` are those of the store's payees by key, and take in the new ones.
    """
    if writes.currency is not None:
        people.change_person(connection, run.owner, {"currency": writes.currency})
    linked = connections.list_connections(connection, run.owner)
    by_name = {row["institution_name"]: row["no"] for row in linked if row["provider"] == "manual"}
    for account, institution, known_by in writes.created:
        if institution not in by_name:
            by_name[institution] = connections.add_connection_of_files(
                connection, run.owner, new_id("con"), institution, run.now, run.now
            )
        account.connection_no, account.id = by_name[institution], new_id("acc")
        own = {"id": account.id, "owner_no": run.owner, "connection_no": by_name[institution]}
        account.no = accounts.add_account(connection, {**own, **known_by})
    # What finplan wrote itself is no news from the bank, so it makes present data no younger.
    dated = {
        account.connection_no
        for account in run.accounts
        if account.new or not account.staged.is_exported
    }
    for no in dated:
        connections.change_connection(connection, no, {"last_synced_at": run.now})
    newest = transfers.newest_row(connection)
    added = payees.add_payees(connection, run.owner, writes.payees)
    numbers.update(added)
    local_payees = {
        local: numbers[key] for local, (key, _, _) in enumerate(run.staged.payees) if key in numbers
    }
    counting = {local: (run.accounts[local].no, counts) for local, counts in writes.counts.items()}
    inserted = staged_rows.insert_new_rows(
        connection, run.owner, counting, local_payees, run.number
    )
    for news in writes.news:
        no = news.account.no
        accounts.add_coverage(connection, no, news.intervals, run.number)
        accounts.record_balances(connection, no, news.balances, run.number)
        accounts.change_account(connection, no, news.values)
    answers = answers_of(run)
    before = undo_record(run, writes.currency, pending_record(connection, run))
    report = ImportReport(id=run.id, dry_run=False, digest=run.digest, files=run.reports)
    imports.add_answers(connection, answers)
    imports.record_commit(connection, run.number, run.now, report.model_dump_json(), before)
    # Where every row was there already, nothing is to be learnt of payees that were there.
    touched = set((local_payees if inserted else added).values())
    return Posted(report, [account.id for account in run.accounts], newest, touched)


def restore(connection: Connection, run: ImportRun) -> ImportReport:
    """Restore the household, and record what undoing needs. Raises Conflict when accounts came first."""
    if accounts.has_accounts(connection, run.owner):
        raise Conflict(
            "Accounts were added during the import, so the household was not restored and nothing"
            " changed. Import the file again to add only its transactions."
        )
    home = run.staged.home
    assert home is not None
    had = people.get_person(connection, run.owner)["currency"]
    (file,) = run.staged.files
    brings = HomeImport(home, run.staged.payees, file.source, run.number, run.now)
    restoration = restore_home(connection, run.owner, brings)
    for account, exported in zip(run.accounts, home.accounts, strict=True):
        placed = restoration.placed[exported.id]
        account.no, account.id = placed.no, placed.id
        account.connection_no = placed.connection_no
        account.staged.sources = set(exported.sources)
    currency = home.household.settings.currency if had is None else None
    waiting = restored_pending_record(connection, home, restoration.placed)
    rules = home.household.key_rules
    before = undo_record(run, currency, waiting, restoration.record, rules)
    report = ImportReport(id=run.id, dry_run=False, digest=run.digest, files=run.reports)
    imports.record_commit(connection, run.number, run.now, report.model_dump_json(), before)
    refresh_pending(connection, run.owner, [account.id for account in run.accounts])
    settle_home(connection, run.owner, brings, restoration)
    return report
