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
            "This profile holds the demo household, which never shares a store with real data."
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
                found = _resolve_requested(requested[local], staged, rows, facts.held)
            elif staged.is_exported:
                found = _resolve_exported(staged, facts, resolved)
            elif staged.account.number is not None:
                found = _resolve_numbered(staged, rows, facts, resolved)
            else:
                said = {answer.casefold() for answer in _said_to_be(run, local)}
                found = resolve_unnamed(staged, rows, continuations, said)
            if found.new and local not in requested and found not in resolved:
                others = _of_other_files(run, local, resolved, is_open)
                found = _settle_new(run, found, rows, others, continuations)
        except OpenQuestion as open_:
            questions += _asked(run, local, open_.question)
            found = _unresolved(staged)
            is_open.add(local)
        except BadRequest:
            # An account that a file cannot be of as it is likely read may be its own in the end.
            if not run.questions:
                raise
            found = _unresolved(staged)
        resolved.append(found)
    return replace(run, accounts=resolved, questions=_in_turn(questions))


def _in_turn(questions: Sequence[FileQuestion]) -> tuple[FileQuestion, ...]:
    """The questions without those on a first row that an account, once it is known, may have already."""
    places = {each.file for each in questions if each.question.about in ("account", "same_account")}
    return tuple(each for each in questions if each.file not in places or not is_on_first_row(each))


def _unresolved(staged: StagedAccount) -> ResolvedAccount:
    """What stands for an account while a question on it is open."""
    name = staged.account.name
    return ResolvedAccount(staged, BY_NAME + name.casefold(), name, staged.kind)


def _of_other_files(
    run: ImportRun, local: int, resolved: Sequence[ResolvedAccount], is_open: set[int]
) -> list[ResolvedAccount | None]:
    """The accounts before one that it may be: a file that lists two accounts says that they are two."""
    beside = {
        place for file in run.staged.files if local in file.accounts for place in file.accounts
    }
    return [
        None if place in beside | is_open else account for place, account in enumerate(resolved)
    ]


def _said_to_be(run: ImportRun, local: int) -> set[str]:
    """What the person says an account of the files is the same as, or that it is another one."""
    return {
        answer
        for file, said in zip(run.staged.files, run.said, strict=True)
        if local in file.accounts and said.same_account is not None
        for answer in said.same_account.splitlines()
    }


def _settle_new(
    run: ImportRun,
    found: ResolvedAccount,
    rows: RowComparison,
    others: Sequence[ResolvedAccount | None],
    continuations: Continuations,
) -> ResolvedAccount:
    """The account that a new one is in truth, which may be one of `others`, from files before it.

    Raises OpenQuestion where its rows are another account's, in its currency or not, and where it may
    go on with another one.
    """
    said = {answer.casefold() for answer in _said_to_be(run, rows.local)}
    stored = continuations.facts.held
    compared = candidates.OtherAccounts.compared(found, rows, stored, others)
    settled = candidates.settle_repeated(found, rows, compared, others, said)
    settled = settled or candidates.settle_linked(found, stored, others, said)
    settled = settled or continuations.settle(found, rows.local, others, said)
    if settled is None:
        settled = replace(found, notes=(*found.notes, *candidates.doubts_on(found, compared)))
    if settled.new and settled not in others:
        # A word that the only account of an import is one whose rows it does not have is refused.
        unfounded = _said_to_be(run, rows.local) - {ANOTHER_ACCOUNT}
        for name in unfounded if len(run.staged.accounts) == 1 else ():
            raise BadRequest(
                f"{found.staged.account.name} has not the rows of {name} on the days that both cover, so"
                " nothing says that it is the same account."
                f" `--account {quote(name)}` puts its rows there."
            )
        _ask_about_rows_in_another_currency(found.staged, rows, stored)
    return settled


def _requested(run: ImportRun) -> dict[int, str]:
    """The account that the person names for each account of the files, by its local number.

    Raises BadRequest where one name is given for several accounts.
    """
    requested: dict[int, str] = {}
    for file, said in zip(run.staged.files, run.said, strict=True):
        if said.account is not None:
            requested |= dict.fromkeys(file.accounts, said.account)
    for account in dict.fromkeys(requested.values()):
        names = [
            run.staged.accounts[local].account.name
            for local, name in requested.items()
            if name == account
        ]
        if len(names) > 1:
            raise BadRequest(
                f"The files hold {len(names)} accounts ({', '.join(names)}), so they cannot all go to"
                f" {account!r}. Import them without naming an account, or name one for each file."
            )
    return requested


def _asked(run: ImportRun, local: int, question: Question) -> list[FileQuestion]:
    """A question on an account of the files, for each file that has rows of it.

    A file that may be read otherwise has other rows then, so that it is asked about later, if at all.
    Raises Conflict where a word on one of a file's accounts would go to all of them.
    """
    places = [place for place, file in enumerate(run.staged.files) if local in file.accounts]
    if {each.file for each in run.questions if not is_on_first_row(each)}.intersection(places):
        return []
    if question.about == "same_account":
        return [FileQuestion(places[0], question)]
    if any(len(run.staged.files[place].accounts) > 1 for place in places):
        name = run.staged.accounts[local].account.name
        raise Conflict(f"{question.text} Import {name} by itself to say which account it is of.")
    return [FileQuestion(place, question) for place in places]


def account_requested(requested: str | None, held: Sequence[HeldAccount]) -> HeldAccount | None:
    """The account of the store that the person names by its id or name, None where that is not one."""
    fits = [] if requested is None else _called(requested, held)
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
        name, kept = row.name, row.currency
        text = (
            f"{account.name} is read in {account.currency}, but {name} has its rows in {kept}."
            f" Where {account.currency} is right after all, undo the import that brought them"
            " (`finplan imports` lists it) and import the file again."
        )
        own = candidates.unused_name(account.name, stored)
        choices = (
            Choice(row.id, f"it is {row.institution_name} {name}, in {kept}"),
            Choice(own, f"a new account, {own}, in {account.currency}"),
        )
        raise OpenQuestion(Question("account", text, choices, is_open=True))


def _resolve_requested(
    requested: str, staged: StagedAccount, rows: RowComparison, stored: Sequence[HeldAccount]
) -> ResolvedAccount:
    """The account that the person names, by its id or its name; a new one where none is called so."""
    fits = _called(requested, stored)
    if len(fits) > 1:
        raise which_account(
            f"{len(fits)} accounts are called {requested!r}; name one of them by its id.", fits
        )
    if not fits and requested.startswith("acc_"):
        raise BadRequest(f"There is no account {requested}. `finplan accounts` lists them.")
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
            f"{len(fits)} accounts have the number {number}; name one of them by its id.", fits
        )
    if fits:
        return ResolvedAccount.of_existing(staged, fits[0])
    for other in earlier:
        institutions = {account.institution, other.staged.account.institution} - {None}
        if (
            other.new
            and other.currency == account.currency
            and candidates.has_number(other.external_id, number, account.subtype)
            and (len(institutions) < 2 or candidates.is_long(number))
        ):
            return other
    external_id, _ = candidates.match_number(number, account.subtype, [])
    notes = tuple(
        f"{row.name} at {row.institution_name} has the number {number} too, but this file is of"
        f" {account.institution}. If it is that account, say so: `--account {row.id}`."
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
    taken = {each.no for each in earlier if not each.new and each.staged.is_exported}
    there = candidates.accounts_of_files(facts.held, account.currency)
    copies = [row for row in there if row.no not in taken]
    institution = account.institution or UNNAMED_INSTITUTION
    beside = [row for row in copies if row.institution_name == institution]
    if account.number is None:
        external_id = BY_NAME + account.name.casefold()
        fits = [row for row in beside if row.external_id == external_id]
    else:
        external_id, fits = candidates.match_number(account.number, account.subtype, beside)
    known = {row.no for row in facts.known_as if row.external_id == account.id}
    of_this = [row for row in copies if row.external_id == account.id or row.no in known]
    fits = of_this + fits
    if fits:
        return ResolvedAccount.of_existing(staged, fits[0])
    is_taken = any(
        (each.external_id, each.currency) == (external_id, account.currency) for each in earlier
    )
    own_id = str(account.id) if is_taken else external_id
    return ResolvedAccount(staged, own_id, account.name, staged.kind)


def _merge_same(run: ImportRun, resolved: list[ResolvedAccount]) -> Iterator[tuple[int, int]]:
    """Let accounts of the files that are one account be one, so that no row of theirs comes twice.

    Gives the local number that is left with each one that it stands for now, too.
    """
    for local, account in enumerate(resolved):
        first = next(
            place
            for place, other in enumerate(resolved)
            if other is account or (other.no == account.no and not account.new)
        )
        if first == local:
            continue
        resolved[first].staged.merge(run.staged.accounts[local])
        resolved[local] = resolved[first]
        for file in run.staged.files:
            merged = (first if each == local else each for each in file.accounts)
            file.accounts = list(dict.fromkeys(merged))
        yield first, local
