"""Reports of files: what a preview promises, and what the commit says that it has done."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from finplan.model.statement import FileAccount, FileReport, Remembered, RestoredHousehold
from finplan.service.imports.import_run import ResolvedAccount
from finplan.service.imports.staged_files import StagedAccount, StagedFile, StagedFiles
from finplan.statements.statement import HeaderAnswers


def reports_of_unread(staged: StagedFiles) -> tuple[FileReport, ...]:
    """What can be said of files of which one cannot be read, so that no row is matched."""
    return tuple(
        _report(
            replace(file, pending=0),
            [_named(staged.accounts[local]) for local in file.accounts],
        )
        for file in staged.files
    )


def report_of(
    file: StagedFile,
    place: int,
    accounts: Sequence[tuple[ResolvedAccount, FileAccount]],
    restored: RestoredHousehold | None = None,
    notes: Iterable[str] = (),
) -> FileReport:
    """What a file holds; `accounts` are those that its rows go to, with what is said of them.

    `place` is the file's among all; what there is to note on an account stands below its first one.
    `restored` is the household that it brings, `notes` are sentences on how rows were matched.
    """
    resolved = [account for account, _ in accounts]
    begun = [each for each in resolved if place == min(each.staged.in_files, default=place)]
    return _report(
        file,
        [described for _, described in accounts],
        by_answers=next((each.name for each in resolved if each.remembered), None),
        notes=dict.fromkeys((*(note for each in begun for note in each.notes), *notes)),
        restored=restored,
    )


def _report(
    file: StagedFile,
    accounts: Sequence[FileAccount],
    by_answers: str | None = None,
    notes: Iterable[str] = (),
    restored: RestoredHousehold | None = None,
) -> FileReport:
    return FileReport(
        file=file.name,
        format=file.format,
        encoding=file.encoding,
        accounts=tuple(accounts),
        transactions=sum(each.transactions for each in accounts),
        new=sum(each.new_rows for each in accounts),
        known=sum(each.known for each in accounts),
        ambiguous=sum(each.ambiguous for each in accounts),
        error=file.error,
        remembered=_remembered(file.used, by_answers),
        pending=file.pending,
        notes=(*notes, *file.notes),
        restored=restored,
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
