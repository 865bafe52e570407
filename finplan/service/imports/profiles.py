"""Header profiles: how a person answered that files with one header are read, kept for the next ones.

A profile is every answer given in imports that stand, so that undoing an import takes its answers back
exactly; of each kind the newest answer holds, and every account that was named is kept.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from sqlalchemy import Connection, RowMapping

from finplan.intake.accounts import account_requested
from finplan.intake.facts import BY_NAME, HeldAccount, kinds_by_layout, number_in
from finplan.intake.files import ImportRun, StagedFile
from finplan.model.base import Nothing, shared_fields
from finplan.model.errors import NotFound
from finplan.model.statement import (
    OF_FIRST_ROW,
    PLAIN_WAYS,
    ImportProfile,
    ImportRequest,
    ProfileId,
)
from finplan.service.context import Context
from finplan.service.derived.household import held_accounts
from finplan.statements.statement import HeaderAnswers, Hints
from finplan.store.queries import imports as table, people

_ID_LENGTH = 24
_ANSWERS = ("encoding", "date_order", "decimal_sign", "direction", "amount_column", "currency")


@dataclass(frozen=True, slots=True)
class _Profile:
    """What all answers for one header add up to; `accounts` are numbers, oldest first."""

    signature: str
    columns: str
    answers: HeaderAnswers
    accounts: tuple[int, ...]
    saved_at: int

    @property
    def id(self) -> str:
        """The public id: a header's own, so that it stays the same whatever is answered."""
        return f"prf_{self.signature.removeprefix(table.OF_ACCOUNT)[:_ID_LENGTH]}"

    @property
    def shown_columns(self) -> str:
        """What tells a file of this kind: its columns, else the name or the number of its account."""
        if not self.signature.startswith(table.OF_ACCOUNT):
            return self.columns
        number = number_in(self.columns)
        if number is not None:
            return f"account number {number}"
        if self.columns.startswith(BY_NAME):
            return f"a file named {self.columns.removeprefix(BY_NAME)}"
        return f"the account {self.columns} in an export from finplan or another program"

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left of it, as when the account that it named is gone."""
        return self.answers == HeaderAnswers() and not self.accounts


def hints_for(connection: Connection, owner: int, requests: Iterable[ImportRequest]) -> list[Hints]:
    """How the file of each request is to be read: what it says, and the answers for earlier files."""
    accounts = held_accounts(connection, owner)
    household = people.get_person(connection, owner)["currency"]
    profiles = _profiles(connection, owner)
    kinds = kinds_by_layout(
        {account.no: account.kind for account in accounts},
        table.accounts_by_layout(connection, owner),
        table.ways_by_layout(connection, owner),
    )
    cards = [layout for layout, kind_set in kinds.items() if kind_set == {"credit"}]
    return [
        replace(_hints(request, accounts, profiles), household=household, card_headers=cards)
        for request in requests
    ]


def _hints(
    request: ImportRequest, accounts: Sequence[HeldAccount], profiles: Sequence[_Profile]
) -> Hints:
    """What a request says, and the answers given for earlier files as far as it leaves them open.

    Files that name no currency are in that of the account which the person names. Whether it is a
    card's is told by that account too, else by the kind that is said.
    """
    account = account_requested(request.account, accounts)
    currency = request.currency or (None if account is None else account.currency)
    kind = request.account_kind if account is None else account.kind
    return Hints(
        **shared_fields(request, _ANSWERS) | {"currency": currency},
        profiles=_earlier_answers(profiles, accounts, is_currency_given=currency is not None),
        is_card=None if kind is None else kind == "credit",
    )


def _earlier_answers(
    profiles: Sequence[_Profile], accounts: Sequence[HeldAccount], *, is_currency_given: bool
) -> dict[str, HeaderAnswers]:
    """The answers given for each header, by its signature, as far as the request leaves it open.

    An account brings its currency: files of one bank that name none are in that of earlier ones.
    """
    kept_in = {account.no: account.currency for account in accounts}
    answers = {}
    for profile in profiles:
        currencies = {kept_in[no] for no in profile.accounts}
        shared = currencies.pop() if len(currencies) == 1 else None
        currency = None if is_currency_given else profile.answers.currency or shared
        answers[profile.signature] = replace(profile.answers, currency=currency)
    return answers


def answers_of(run: ImportRun) -> list[dict[str, object]]:
    """What is kept of a person's answers in an import for the headers of its files, a row for each."""
    rows: dict[str, dict[str, object]] = {}
    base = {"owner_no": run.owner, "import_no": run.number, "saved_at": run.now}
    for file, request in zip(run.staged.files, run.said, strict=True):
        account = _account_answered(file, request, run)
        answers = shared_fields(request, _ANSWERS)
        if str(answers["direction"]).startswith(OF_FIRST_ROW):
            # The first row of another file with this header may go the other way.
            answers["direction"] = None
        if file.header is None or not (account or any(answers.values())):
            continue
        signature, columns = file.header
        row = {"signature": signature, "header": columns, "account_no": account}
        if account or signature not in rows:
            rows[signature] = base | row | answers
    for resolved in dict.fromkeys(run.accounts):
        for name in sorted(resolved.learned):
            # One name may stand for two accounts in two currencies.
            signature = sha256(f"{resolved.currency} {name}".encode()).hexdigest()
            row = {
                "signature": table.OF_ACCOUNT + signature,
                "header": name,
                "account_no": resolved.no,
            }
            rows[signature] = base | row | dict.fromkeys(_ANSWERS)
    return [*rows.values(), *_layout_rows(run, base), *_way_rows(run, base)]


def _layout_rows(run: ImportRun, base: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """A row for each account that files went to which name none: the next one may go on with it."""
    headers = {
        (file.layout, account.no): file.header
        for file in run.staged.files
        for account in (run.accounts[local] for local in file.accounts)
        if account.staged.account.number is None and not account.staged.is_exported
    }
    for (layout, account), header in headers.items():
        columns = layout if header is None else header.columns
        row = {"signature": table.OF_LAYOUT + layout, "header": columns, "account_no": account}
        yield {**base, **row, **dict.fromkeys(_ANSWERS)}


def _way_rows(run: ImportRun, base: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """A row for each account whose amounts went as an answer says, which is not for every account."""
    taken = {
        (file.layout, run.accounts[local].no): way
        for file, request in zip(run.staged.files, run.said, strict=True)
        if (way := request.direction or file.used.direction) in PLAIN_WAYS
        for local in file.accounts
    }
    for (layout, account), way in taken.items():
        row = {"signature": table.OF_WAY + layout, "header": layout, "account_no": account}
        yield {**base, **row, **dict.fromkeys(_ANSWERS), "direction": way}


async def list_import_profiles(context: Context, _ask: Nothing) -> tuple[ImportProfile, ...]:
    """What is remembered of how files are read, the newest first."""
    owner = context.caller.owner

    def read(connection: Connection) -> tuple[ImportProfile, ...]:
        names = _account_names(connection, owner)
        profiles = reversed(_profiles(connection, owner))
        return tuple(_shown_profile(profile, names) for profile in profiles)

    return await context.store.read(read)


async def forget_import_profile(context: Context, ask: ProfileId) -> ImportProfile:
    """Forget the answers for files with one header; the next one is asked about again."""
    owner = context.caller.owner

    def forget(connection: Connection) -> ImportProfile:
        matches = (profile for profile in _profiles(connection, owner) if profile.id == ask.id)
        profile = next(matches, None)
        if profile is None:
            raise NotFound(
                f"No header profile {ask.id}. `finplan imports profiles` lists the profiles."
            )
        view = _shown_profile(profile, _account_names(connection, owner))
        table.forget_header(connection, owner, profile.signature)
        # A dry run that was read by it no longer tells what the import would do.
        people.raise_generation(connection, owner)
        return view

    return await context.commit(forget)


def _account_answered(file: StagedFile, request: ImportRequest, run: ImportRun) -> int | None:
    """The number of the account that the person named for a file that names none itself."""
    if file.header is not None:
        for local in file.accounts:
            if file.header.signature in run.accounts[local].learned_headers:
                return run.accounts[local].no
    if request.account is None or not file.accounts:
        return None
    (account,) = {run.accounts[local] for local in file.accounts}
    # Accounts whose files look alike share the header, so it must not lead to one of them.
    is_unnamed = account.staged.account.number is None
    return account.no if is_unnamed and not account.contested else None


def _account_names(connection: Connection, owner: int) -> dict[int, str]:
    return {account.no: account.name for account in held_accounts(connection, owner)}


def _shown_profile(profile: _Profile, names: Mapping[int, str]) -> ImportProfile:
    return ImportProfile.of(
        profile.answers,
        id=profile.id,
        columns=profile.shown_columns,
        accounts=tuple(names[no] for no in profile.accounts),
        saved_at=profile.saved_at,
    )


def _profiles(connection: Connection, owner: int) -> list[_Profile]:
    """A person's profiles, the one with the newest answer last."""
    by_signature: dict[str, _Profile] = {}
    for row in table.list_answers(connection, owner):
        signature = row["signature"]
        if signature.startswith(table.OF_ONE_ACCOUNT):
            continue
        by_signature[signature] = _with_answers(by_signature.pop(signature, None), row)
    return [profile for profile in by_signature.values() if not profile.is_empty]


def _with_answers(profile: _Profile | None, row: RowMapping) -> _Profile:
    """A profile with one more row of answers, which is newer than all before it."""
    earlier = HeaderAnswers() if profile is None else profile.answers
    numbers = () if profile is None else profile.accounts
    return _Profile(
        row["signature"],
        row["header"],
        replace(earlier, **{name: row[name] for name in _ANSWERS if row[name]}),
        tuple(dict.fromkeys(no for no in (*numbers, row["account_no"]) if no is not None)),
        row["saved_at"],
    )
