"""Account resolution: which of the person's accounts each account of the files is, or a new one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from shlex import quote

from finplan.intake import candidates
from finplan.intake.continuations import Continuations, resolve_unnamed, which_account
from finplan.intake.evidence import RowComparison
from finplan.intake.facts import BY_NAME, Facts, HeldAccount
from finplan.intake.files import ImportRun, ResolvedAccount, StagedAccount
from finplan.intake.questions import FileQuestion, OpenQuestion, is_on_first_row
from finplan.model.connection import UNNAMED_INSTITUTION
from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import ANOTHER_ACCOUNT
from finplan.statements.statement import Choice, Question
from finplan.statements.text.descriptors import quoted


def resolve_accounts(run: ImportRun, facts: Facts) -> ImportRun:
    """Resolve each account of the files; those that turn out to be one are merged.

    What only the person can tell is added to the questions. Raises BadRequest and Conflict.
    """
    run = find_accounts(run, facts)
    resolved = list(run.accounts)
    merged = list(_merge_same(run, resolved))
    return replace(run, accounts=resolved, merged=merged)


def find_accounts(run: ImportRun, facts: Facts) -> ImportRun:
    """As `resolve_accounts`, but no accounts are merged."""
    if facts.beside_demo:
        raise Conflict(
            "This profile holds the demo household, so it takes no files."
            " Import into another profile: `finplan --profile NAME import FILE`."
        )
    requested = _requested(run)
    continuations = Continuations(run, facts)
    is_open: set[int] = set()
    resolved: list[ResolvedAccount] = []
    questions = list(run.questions)
    for local, staged in enumerate(run.staged.accounts):
        rows = RowComparison(facts.rows, local)
        try:
            if local in requested:
                account = _resolve_requested(requested[local], staged, rows, facts.held)
            elif staged.is_exported:
                account = _resolve_exported(staged, facts, resolved)
            elif staged.account.number is not None:
                account = _resolve_numbered(staged, rows, facts, resolved)
            else:
                answers = {answer.casefold() for answer in _said_to_be(run, local)}
                account = resolve_unnamed(staged, rows, continuations, answers)
            if account.new and local not in requested and account not in resolved:
                others = _of_other_files(run, local, resolved, is_open)
                account = _settle_new(run, account, rows, others, continuations)
        except OpenQuestion as open_:
            questions += _ask_files(run, local, open_.question)
            account = _unresolved(staged)
            is_open.add(local)
        except BadRequest:
            # An account that a file cannot be of as it is likely read may be its own in the end.
            if not run.questions:
                raise
            account = _unresolved(staged)
        resolved.append(account)
    return replace(run, accounts=resolved, questions=_in_turn(questions))


def _in_turn(questions: Sequence[FileQuestion]) -> tuple[FileQuestion, ...]:
    """The questions without those on a first row that an account, once it is known, may have already."""
    places = {
        question.file
        for question in questions
        if question.question.about in ("account", "same_account")
    }
    return tuple(
        question
        for question in questions
        if question.file not in places or not is_on_first_row(question)
    )


def _unresolved(staged: StagedAccount) -> ResolvedAccount:
    """What stands for an account while a question on it is open."""
    name = staged.account.name
    return ResolvedAccount(staged, BY_NAME + name.casefold(), name, staged.kind)


def _of_other_files(
    run: ImportRun, local: int, resolved: Sequence[ResolvedAccount], is_open: set[int]
) -> list[ResolvedAccount | None]:
    """The accounts before one that it may be: a file that lists two accounts says that they are two."""
    beside = {
        index for file in run.staged.files if local in file.accounts for index in file.accounts
    }
    return [
        None if index in beside | is_open else account for index, account in enumerate(resolved)
    ]


def _said_to_be(run: ImportRun, local: int) -> set[str]:
    """What the person says an account of the files is the same as, or that it is another one."""
    return {
        answer
        for file, request in zip(run.staged.files, run.said, strict=True)
        if local in file.accounts and request.same_account is not None
        for answer in request.same_account.splitlines()
    }


def _settle_new(
    run: ImportRun,
    account: ResolvedAccount,
    rows: RowComparison,
    others: Sequence[ResolvedAccount | None],
    continuations: Continuations,
) -> ResolvedAccount:
    """The account that a new one is in truth, which may be one of `others`, from files before it.

    Raises OpenQuestion where its rows are another account's, in its currency or not, and where it may
    go on with another one.
    """
    answers = {answer.casefold() for answer in _said_to_be(run, rows.local)}
    stored = continuations.facts.held
    compared = candidates.OtherAccounts.compared(account, rows, stored, others)
    settled = candidates.settle_repeated(account, rows, compared, others, answers)
    settled = settled or candidates.settle_linked(account, stored, others, answers)
    settled = settled or continuations.settle(account, rows.local, others, answers)
    if settled is None:
        settled = replace(account, notes=(*account.notes, *candidates.doubts_on(account, compared)))
    if settled.new and settled not in others:
        # A word that the only account of an import is one whose rows it does not have is refused.
        unfounded = _said_to_be(run, rows.local) - {ANOTHER_ACCOUNT}
        for name in unfounded if len(run.staged.accounts) == 1 else ():
            raise BadRequest(
                f"{account.staged.account.name} does not look like {name}: their transactions"
                f" differ on the days that both cover. To import the file into {name} anyway, add"
                f" `--account {quote(name)}`."
            )
        _ask_about_rows_in_another_currency(account.staged, rows, stored)
    return settled


def _requested(run: ImportRun) -> dict[int, str]:
    """The account that the person names for each account of the files, by its local number.

    Raises BadRequest where one name is given for several accounts.
    """
    requested: dict[int, str] = {}
    for file, request in zip(run.staged.files, run.said, strict=True):
        if request.account is not None:
            requested |= dict.fromkeys(file.accounts, request.account)
    for account in dict.fromkeys(requested.values()):
        names = [
            run.staged.accounts[local].account.name
            for local, name in requested.items()
            if name == account
        ]
        if len(names) > 1:
            raise BadRequest(
                f"The files hold {len(names)} accounts ({', '.join(names)}), which cannot all go"
                f" into {account!r}. Name an account for each file, or do not name any."
            )
    return requested


def _ask_files(run: ImportRun, local: int, question: Question) -> list[FileQuestion]:
    """A question on an account of the files, for each file that has rows of it.

    A file that may be read otherwise has other rows then, so that it is asked about later, if at all.
    Raises Conflict where a word on one of a file's accounts would go to all of them.
    """
    places = [index for index, file in enumerate(run.staged.files) if local in file.accounts]
    if {put.file for put in run.questions if not is_on_first_row(put)}.intersection(places):
        return []
    if question.about == "same_account":
        return [FileQuestion(places[0], question)]
    if any(len(run.staged.files[index].accounts) > 1 for index in places):
        name = run.staged.accounts[local].account.name
        raise Conflict(f"{question.text} To choose where {name} goes, import {name} alone.")
    return [FileQuestion(index, question) for index in places]


def account_requested(requested: str | None, accounts: Sequence[HeldAccount]) -> HeldAccount | None:
    """The account of the store that the person names by its id or name, None where that is not one."""
    fits = [] if requested is None else _called(requested, accounts)
    return fits[0] if len(fits) == 1 else None


def _ask_about_rows_in_another_currency(
    staged: StagedAccount, rows: RowComparison, stored: Sequence[HeldAccount]
) -> None:
    """Ask about rows that an account has in another currency, of which one is surely wrong.

    A currency may have been assumed when the account was made, or is now; equal days and numbers of
    most rows are no chance, and a second account would count the same money twice.
    """
    account = staged.account
    others = [row for row in stored if row.provider != "demo" and row.currency != account.currency]
    for row in rows.accounts_matched(others):
        name, code = row.name, row.currency
        text = (
            f"Which account is {quoted(account.name)} from? {name} has the same amounts in"
            f" {code}, but this file is in {account.currency}. If {account.currency} is right,"
            " undo the earlier import (see `finplan imports`), then import this file again."
        )
        own = candidates.unused_name(account.name, stored)
        choices = (
            Choice(row.id, f"Same account: {row.institution_name} {name}, in {code}"),
            Choice(own, f"New account: {own}, in {account.currency}"),
        )
        raise OpenQuestion(Question("account", text, choices, is_open=True))


def _resolve_requested(
    requested: str, staged: StagedAccount, rows: RowComparison, stored: Sequence[HeldAccount]
) -> ResolvedAccount:
    """The account that the person names, by its id or its name; a new one where none is called so."""
    fits = _called(requested, stored)
    if len(fits) > 1:
        raise which_account(
            f"Which account is {requested!r}? {len(fits)} accounts have this name.", fits
        )
    if not fits and requested.startswith("acc_"):
        raise BadRequest(f"No account {requested}. `finplan accounts` lists your accounts.")
    external_id = BY_NAME + requested.casefold()
    # The account may have been renamed since a file first went to it under this name.
    fits = fits or [
        row
        for row in stored
        if (row.external_id, row.currency) == (external_id, staged.account.currency)
    ]
    if not fits:
        resolved = ResolvedAccount(staged, external_id, requested, staged.kind)
    else:
        resolved = ResolvedAccount.of_existing(staged, fits[0])
    return replace(resolved, contested=_has_rows_of_others(rows, resolved, stored))


def _has_rows_of_others(
    rows: RowComparison, resolved: ResolvedAccount, stored: Sequence[HeldAccount]
) -> bool:
    """Whether a file that names no account has the rows of another one than the person named."""
    account = resolved.staged.account
    if account.id is not None or account.number is not None:
        return False
    others = candidates.accounts_of_files(stored, account.currency)
    return bool(rows.accounts_matched(row for row in others if row is not resolved.existing))


def _called(requested: str, stored: Sequence[HeldAccount]) -> list[HeldAccount]:
    """The accounts that go by an id or a name, whatever the letters' case."""
    return [
        row for row in stored if row.id == requested or row.name.casefold() == requested.casefold()
    ]


def _resolve_numbered(
    staged: StagedAccount, rows: RowComparison, facts: Facts, earlier: Sequence[ResolvedAccount]
) -> ResolvedAccount:
    """The account of a number; `earlier` are the files' accounts before it."""
    account = staged.account
    number = str(account.number)
    manual = candidates.accounts_of_files([*facts.held, *facts.known_as], account.currency)
    fits, elsewhere = candidates.match_at_institution(account, manual)
    numbers = {row.no for row in fits or rows.accounts_matched(elsewhere)}
    fits = [row for row in facts.held if row.no in numbers]
    if len(fits) > 1:
        raise which_account(
            f"Which account has the number {number}? {len(fits)} accounts have this number.", fits
        )
    if fits:
        return ResolvedAccount.of_existing(staged, fits[0])
    for candidate in earlier:
        institutions = {account.institution, candidate.staged.account.institution} - {None}
        if (
            candidate.new
            and candidate.currency == account.currency
            and candidates.has_number(candidate.external_id, number, account.subtype)
            and (len(institutions) < 2 or candidates.is_long(number))
        ):
            return candidate
    external_id, _ = candidates.match_number(number, account.subtype, [])
    notes = tuple(
        f"{row.name} at {row.institution_name} also has the number {number}, but this file is from"
        f" {account.institution}. If it is that account, add `--account {row.id}`."
        for row in elsewhere
    )
    return ResolvedAccount(staged, external_id, account.name, staged.kind, notes=notes)


def _resolve_exported(
    staged: StagedAccount, facts: Facts, earlier: Sequence[ResolvedAccount]
) -> ResolvedAccount:
    """The account that finplan exported: itself, or its copy in another store.

    A copy is known by the id of the account that it was made from, or by its number or name at its
    institution; `earlier` are the files' accounts before it, each of which has its own.
    """
    account = staged.account
    # A copy without a number has its original's id for one, which leads back to the original.
    existing = [row for row in facts.held if row.id in (account.id, account.number)]
    if existing:
        return ResolvedAccount.of_existing(staged, existing[0])
    taken = {
        candidate.no for candidate in earlier if not candidate.new and candidate.staged.is_exported
    }
    there = candidates.accounts_of_files(facts.held, account.currency)
    copies = [row for row in there if row.no not in taken]
    institution = account.institution or UNNAMED_INSTITUTION
    beside = [row for row in copies if row.institution_name == institution]
    if account.number is None:
        external_id = BY_NAME + account.name.casefold()
        fits = [row for row in beside if row.external_id == external_id]
    else:
        external_id, fits = candidates.match_number(account.number, account.subtype, beside)
    numbers = {row.no for row in facts.known_as if row.external_id == account.id}
    of_this = [row for row in copies if row.external_id == account.id or row.no in numbers]
    fits = of_this + fits
    if fits:
        return ResolvedAccount.of_existing(staged, fits[0])
    is_taken = any(
        (candidate.external_id, candidate.currency) == (external_id, account.currency)
        for candidate in earlier
    )
    own_id = str(account.id) if is_taken else external_id
    return ResolvedAccount(staged, own_id, account.name, staged.kind)


def _merge_same(run: ImportRun, resolved: list[ResolvedAccount]) -> Iterator[tuple[int, int]]:
    """Let accounts of the files that are one account be one, so that no row of theirs comes twice.

    Gives the local number that is left with each one that it stands for now, too.
    """
    for local, account in enumerate(resolved):
        first = next(
            index
            for index, candidate in enumerate(resolved)
            if candidate is account or (candidate.no == account.no and not account.new)
        )
        if first == local:
            continue
        resolved[first].staged.merge(run.staged.accounts[local])
        resolved[local] = resolved[first]
        for file in run.staged.files:
            merged = (first if number == local else number for number in file.accounts)
            file.accounts = list(dict.fromkeys(merged))
        yield first, local
