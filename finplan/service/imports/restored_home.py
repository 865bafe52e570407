"""Committing a file that holds a whole household into a home without accounts."""

from sqlalchemy import Connection

from finplan.model.errors import Conflict
from finplan.model.household import ExportedHome
from finplan.model.statement import ImportReport
from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.pending_rows import refresh_pending, restored_pending_record
from finplan.service.imports.undo import record_commit, undo_record
from finplan.service.restoring.restoration import HomeImport, restore_home, settle_home
from finplan.store.queries import accounts, people


def commit_restored(connection: Connection, run: ImportRun, home: ExportedHome) -> ImportReport:
    """Restore the household, and record what undoing needs. Raises Conflict when accounts came first."""
    if accounts.has_accounts(connection, run.owner):
        raise Conflict(
            "Accounts have come here while the file was read, so the household in it was not restored"
            " and nothing was changed. Import it again to take its rows alone."
        )
    had = people.get_person(connection, run.owner)["currency"]
    (file,) = run.staged.files
    brings = HomeImport(home, run.staged.payees, file.source, run.number, run.now)
    restoration = restore_home(connection, run.owner, brings)
    for account, exported in zip(run.accounts, home.accounts, strict=True):
        placed = restoration.placed[exported.id]
        account.no, account.id, account.connection_no = (
            placed.no,
            placed.id,
            placed.connection_no,
        )
        account.staged.sources = set(exported.sources)
    currency = home.household.settings.currency if had is None else None
    waiting = restored_pending_record(connection, home, restoration.placed)
    rules = home.household.key_rules
    before = undo_record(run, currency, waiting, restoration.record, rules)
    report = record_commit(connection, run, before)
    refresh_pending(connection, run.owner, [account.id for account in run.accounts])
    settle_home(connection, run.owner, brings, restoration)
    return report
