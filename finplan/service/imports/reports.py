"""Reports of files: what a preview promises, and what the commit says that it has done."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from finplan.model.statement import FileAccount, FileReport, Remembered
from finplan.service.imports.import_run import ResolvedAccount
from finplan.service.imports.staged_files import StagedAccount, StagedFile, StagedFiles
from finplan.statements.statement import HeaderAnswers
from finplan.store.queries.staged_rows import MatchCounts


def reports_of_unread(staged: StagedFiles) -> tuple[FileReport, ...]:
    """What can be said of files of which one cannot be read, so that no row is matched."""
    return tuple(
        _report(
            replace(file, booked=0, pending=0),
            [_named(staged.accounts[local]) for local in file.accounts],
            MatchCounts(),
        )
        for file in staged.files
    )


def report_of(
    file: StagedFile,
    accounts: Sequence[ResolvedAccount],
    counts: MatchCounts,
    notes: Iterable[str] = (),
) -> FileReport:
    """What one file holds: of its booked rows those are new that are not known, perhaps or for certain.

    `accounts` are those that its rows go to; `notes` are sentences on how rows were matched.
    """
    return _report(
        file,
        [each.shown for each in accounts],
        counts,
        by_answers=next((each.name for each in accounts if each.remembered), None),
        notes=dict.fromkeys((*(note for each in accounts for note in each.notes), *notes)),
    )


def _report(
    file: StagedFile,
    accounts: Iterable[FileAccount],
    counts: MatchCounts,
    by_answers: str | None = None,
    notes: Iterable[str] = (),
) -> FileReport:
    return FileReport(
        file=file.name,
        format=file.format,
        encoding=file.encoding,
        accounts=tuple(accounts),
        transactions=file.booked,
        new=file.booked - counts.known - counts.ambiguous,
        known=counts.known,
        ambiguous=counts.ambiguous,
        error=file.error,
        remembered=_remembered(file.used, by_answers),
        pending=file.pending,
        notes=(*notes, *file.notes),
    )


def _named(account: StagedAccount) -> FileAccount:
    named = account.account
    return FileAccount(name=named.name, currency=named.currency, kind=account.kind)


def _remembered(used: HeaderAnswers, account: str | None) -> Remembered | None:
    """What the answers given for earlier files decided; `account` is the one that they lead to."""
    if used == HeaderAnswers() and account is None:
        return None
    return Remembered(
        encoding=used.encoding,
        date_order=used.date_order,
        decimal_sign=used.decimal_sign,
        direction=used.direction,
        amount_column=used.amount_column,
        currency=used.currency,
        account=account,
    )
