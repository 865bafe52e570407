"""Resolving an account that its file does not name: by earlier answers, the file's name, its rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from finplan.model.question import ANOTHER_ACCOUNT
from finplan.service.ids import BY_NAME
from finplan.service.imports.accounts.candidates import (
    AccountCandidate,
    accounts_of_files,
    same_account_question,
)
from finplan.service.imports.accounts.continued import Continuations, goes_on_with
from finplan.service.imports.accounts.row_evidence import RowComparison
from finplan.service.imports.import_run import ResolvedAccount
from finplan.service.imports.questions import OpenQuestion
from finplan.service.imports.staged_files import StagedAccount
from finplan.statements.statement import Choice, Question
from finplan.statements.text.descriptors import quoted


def resolve_unnamed(
    staged: StagedAccount,
    rows: RowComparison,
    stored: Sequence[Any],
    learned: Sequence[Any],
    by_header: Mapping[str, set[int]],
    continuations: Continuations,
    said: Collection[str],
) -> ResolvedAccount:
    """The account that was named for earlier files with the same header, else one called like the file.

    Where files with its header went to several accounts, the one that is called like the file is
    meant. Where several fit, or the rows are another account's, its rows may tell; where they leave a
    doubt OpenQuestion asks the person. Where nothing was answered and nothing is called so, a new
    account is made. `stored` are the person's accounts, `learned` what else they are known by,
    `by_header` the numbers of those that were named for a header, `continuations` what files of its
    layout it may go on with, `said` what the person says that it is the same as: an id or a name in
    small letters, or ANOTHER_ACCOUNT. That and a balance that goes on with another account go before
    earlier answers; what speaks against these is asked.
    """
    account = staged.account
    manual = accounts_of_files(stored, account.currency)
    own_name = BY_NAME + account.name.casefold()
    is_called = [row["no"] for row in (*manual, *learned) if row["external_id"] == own_name]
    named = [row for row in manual if row["no"] in is_called]
    if ANOTHER_ACCOUNT in said:
        named = [row for row in named if row["external_id"] == own_name]
        by_header = {}
    numbers = {no for header in staged.headers for no in by_header.get(header, ())}
    if numbers and not named:
        # What one of several accounts was named for says nothing of the others with such files.
        numbers |= continuations.sharing_layout(rows.local)
    known = [row for row in stored if row["no"] in numbers]
    if len(known) == 1:
        # The file is read in this account's currency unless it proves another, which is no match.
        known = [row for row in known if row["currency"] == account.currency]
    agreed = [row for row in named if row["no"] in numbers]
    fits = agreed or [*known, *named]
    if len(fits) == 1:
        is_contradicted = rows.contradict(fits[0]["no"])
        others = [row for row in manual if row is not fits[0]]
        fits += rows.rivals_of(fits[0], others) if is_contradicted or not named else []
    if len(fits) == 1 and fits[0]["external_id"] != own_name:
        fits = [_unless_doubted(staged, rows, fits[0], manual, continuations, said)]
        is_contradicted = False
    elif len(fits) == 1 and (doubt := continuations.speaks_against_name(rows.local, fits[0])):
        raise _question_of_namesake(account.name, fits[0], doubt)
    if len(fits) == 1:
        resolved = ResolvedAccount.of_existing(staged, fits[0])
        notes = (_contradicted(resolved.name),) if is_contradicted else ()
        return replace(resolved, remembered=not named, notes=notes)
    if fits:
        goes_on = continuations.goes_on_in_store(rows.local)
        return _resolve_by_rows(staged, rows, fits, goes_on)
    return ResolvedAccount(staged, BY_NAME + account.name.casefold(), account.name, staged.kind)


def _unless_doubted(
    staged: StagedAccount,
    rows: RowComparison,
    row: Any,
    manual: Sequence[Any],
    continuations: Continuations,
    said: Collection[str],
) -> Any:
    """The account to which earlier answers alone lead, or another one that the balance goes on with.

    Raises OpenQuestion where something speaks against it.
    """
    goes_on = continuations.goes_on_in_store(rows.local)
    others = [each for each in manual if each["no"] in goes_on]
    if len(others) == 1:
        return others[0]
    candidate = AccountCandidate.of_stored(row, "")
    doubt = continuations.speaks_against(rows.local, row)
    if rows.contradict(row["no"]):
        doubt = "it has other rows on the days of this file"
    if not doubt or not candidate.answers.isdisjoint(said):
        return row
    name, account = quoted(staged.account.name), quoted(row["name"])
    text = f"{name} would go to {account} by earlier answers, but {doubt}. Is it the same account?"
    raise OpenQuestion(same_account_question(text, staged.account.name, [candidate]))


def _resolve_by_rows(
    staged: StagedAccount, rows: RowComparison, fits: Sequence[Any], goes_on: Collection[int]
) -> ResolvedAccount:
    """The account that rows prove among those that fit, or the one with whose balance it goes on."""
    evidence = rows.match_stored(fits)
    certain = [row for row in fits if row["no"] in evidence.certain]
    proven = [row for row in fits if row["no"] in goes_on]
    if not certain and len(proven) == 1:
        notes = (goes_on_with(staged.account.name, proven[0]["name"]),)
        return replace(ResolvedAccount.of_existing(staged, proven[0]), notes=notes)
    if len(certain) == 1:
        note = (
            f"It names no account, but its rows are those of {certain[0]['name']}, so they go there;"
            " `--account` says another."
        )
        return replace(ResolvedAccount.of_existing(staged, certain[0]), notes=(note,))
    name = staged.account.name
    message = f"{name} names no account, and it may be of any of {len(certain or fits)}."
    raise which_account(message, certain or fits)


def which_account(message: str, fits: Sequence[Any]) -> OpenQuestion:
    """The question which of several accounts is meant."""
    choices = [Choice(row["id"], f"{row['institution_name']} {row['name']}") for row in fits]
    return OpenQuestion(Question("account", message, tuple(choices), is_open=True))


def _question_of_namesake(name: str, row: Any, doubt: str) -> OpenQuestion:
    """The question whether a file is of the account called like it, where something is against it."""
    text = (
        f"{quoted(name)} is called like the account {quoted(row['name'])}, but {doubt}. Is it the same"
        " account? Rows of two accounts in one would count for neither."
    )
    choices = (
        Choice(row["id"], f"the same account, {row['institution_name']} {row['name']}"),
        Choice(f"{name} 2", "another account, under a name of its own"),
    )
    return OpenQuestion(Question("account", text, choices, is_open=True))


def _contradicted(name: str) -> str:
    return (
        f"{name} has other rows on the days of this file and hardly any of these, so the file may be"
        " another account's: `--account` with a new name gives it one of its own."
    )
