"""Header profiles: how a person answered that files with one header are read, kept for the next ones.

A profile is every answer given in imports that stand, so that undoing an import takes its answers back
exactly; of each kind the newest answer holds, and every account that was named is kept.

Many banks share a header such as Date, Description, Amount. What was said of a checking account would
turn every sign of a card whose file looks the same, so which way amounts go is asked about.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.errors import NotFound
from finplan.model.money import to_text
from finplan.model.statement import (
    OF_FIRST_ROW,
    PLAIN_WAYS,
    ImportProfile,
    ImportRequest,
    ProfileId,
)
from finplan.service.context import Context
from finplan.service.ids import BY_NAME, number_in
from finplan.service.imports.account_resolution import account_requested
from finplan.service.imports.import_run import ImportRun, ResolvedAccount, StagedFile
from finplan.service.imports.questions import FileQuestion
from finplan.statements.statement import Choice, HeaderAnswers, Hints, Question
from finplan.statements.text.descriptors import quoted
from finplan.store.queries import accounts, people
from finplan.store.queries import imports as table

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
            return f"a file called {self.columns.removeprefix(BY_NAME)}"
        return f"the account {self.columns} of an export or another program"

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left of it, as when the account that it named is gone."""
        return self.answers == HeaderAnswers() and not self.accounts


def hints_for(connection: Connection, owner: int, request: ImportRequest) -> Hints:
    """How the files of a request are to be read: what it says, and the answers given for earlier ones.

    Files that name no currency are in that of the account which the person names; the household's
    is the weakest evidence of one. Whether it is a card's is told by that account too, else by the kind
    that is said, else by the accounts of earlier files.
    """
    account = account_requested(connection, owner, request.account)
    currency = None if account is None else str(account["currency"])
    kind = request.account_kind if account is None else account["kind"]
    household = people.get_person(connection, owner)["currency"]
    return Hints(
        currency=request.currency or currency,
        encoding=request.encoding,
        date_order=request.date_order,
        decimal_sign=request.decimal_sign,
        direction=request.direction,
        amount_column=request.amount_column,
        profiles=_earlier_answers(
            connection, owner, is_currency_given=bool(request.currency or currency)
        ),
        household=household,
        is_card=None if kind is None else kind == "credit",
        card_headers=[
            layout
            for layout, kinds in kinds_by_layout(connection, owner).items()
            if kinds == {"credit"}
        ],
    )


def _earlier_answers(
    connection: Connection, owner: int, *, is_currency_given: bool
) -> dict[str, HeaderAnswers]:
    """The answers given for each header, by its signature, as far as the request leaves it open.

    An account brings its currency: files of one bank that name none are in that of earlier ones.
    """
    profiles = _profiles(connection, owner)
    if not profiles:
        return {}
    held = {row["no"]: row["currency"] for row in accounts.list_accounts(connection, owner)}
    answers = {}
    for profile in profiles:
        currencies = {held[no] for no in profile.accounts}
        shared = currencies.pop() if len(currencies) == 1 else None
        currency = None if is_currency_given else profile.answers.currency or shared
        answers[profile.signature] = replace(profile.answers, currency=currency)
    return answers


def remember_answers(connection: Connection, run: ImportRun) -> None:
    """Keep what the person answered in an import for the headers of its files."""
    rows: dict[str, dict[str, object]] = {}
    kept = {"owner_no": run.owner, "import_no": run.number, "saved_at": run.now}
    for file, said in zip(run.staged.files, run.said, strict=True):
        account = _account_answered(file, said, run)
        answers = {name: getattr(said, name) for name in _ANSWERS}
        if str(answers["direction"]).startswith(OF_FIRST_ROW):
            # The first row of another file with this header may go the other way.
            answers["direction"] = None
        if file.header is None or not (account or any(answers.values())):
            continue
        signature, columns = file.header
        row = {"signature": signature, "header": columns, "account_no": account}
        if account or signature not in rows:
            rows[signature] = kept | row | answers
    for each in dict.fromkeys(run.accounts):
        for name in sorted(each.learned):
            # One name may stand for two accounts in two currencies.
            signature = sha256(f"{each.currency} {name}".encode()).hexdigest()
            row = {"signature": table.OF_ACCOUNT + signature, "header": name, "account_no": each.no}
            rows[signature] = kept | row | dict.fromkeys(_ANSWERS)
    seen = [*_layouts_seen(run, kept), *_ways_taken(run, kept)]
    table.add_answers(connection, [*rows.values(), *seen])


def _layouts_seen(run: ImportRun, kept: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """A row for each account that files went to which name none: the next one may go on with it."""
    seen = {
        (file.layout, run.accounts[local].no): file.header
        for file in run.staged.files
        for local in file.accounts
        if run.accounts[local].staged.account.number is None
        and not run.accounts[local].staged.is_exported
    }
    for (layout, account), header in seen.items():
        columns = layout if header is None else header.columns
        row = {"signature": table.OF_LAYOUT + layout, "header": columns, "account_no": account}
        yield {**kept, **row, **dict.fromkeys(_ANSWERS)}


def _ways_taken(run: ImportRun, kept: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """A row for each account whose amounts went as an answer says, which is not for every account."""
    taken = {
        (file.layout, run.accounts[local].no): way
        for file, said in zip(run.staged.files, run.said, strict=True)
        if (way := said.direction or file.used.direction) in PLAIN_WAYS
        for local in file.accounts
    }
    for (layout, account), way in taken.items():
        row = {"signature": table.OF_WAY + layout, "header": layout, "account_no": account}
        yield {**kept, **row, **dict.fromkeys(_ANSWERS), "direction": way}


async def list_import_profiles(context: Context, _ask: Nothing) -> tuple[ImportProfile, ...]:
    """What is remembered of how files are read, the newest first."""
    return await context.store.read(partial(_list_profiles, owner=context.caller.owner))


async def forget_import_profile(context: Context, ask: ProfileId) -> ImportProfile:
    """Forget the answers for files with one header; the next one is asked about again."""
    owner = context.caller.owner

    def forget(connection: Connection) -> ImportProfile:
        known = (profile for profile in _profiles(connection, owner) if profile.id == ask.id)
        profile = next(known, None)
        if profile is None:
            raise NotFound(
                f"There is no header profile {ask.id}. `finplan imports profiles` lists them."
            )
        shown = _shown_profile(profile, _account_names(connection, owner))
        table.forget_header(connection, owner, profile.signature)
        # A dry run that was read by it no longer tells what the import would do.
        people.raise_generation(connection, owner)
        return shown

    return await context.commit(forget)


def _account_answered(file: StagedFile, said: ImportRequest, run: ImportRun) -> int | None:
    """The number of the account that the person named for a file that names none itself."""
    if file.header is not None:
        for local in file.accounts:
            if file.header.signature in run.accounts[local].learned_headers:
                return run.accounts[local].no
    if said.account is None or not file.accounts:
        return None
    (account,) = {run.accounts[local] for local in file.accounts}
    # Accounts whose files look alike share the header, so it must not lead to one of them.
    is_unnamed = account.staged.account.number is None
    return account.no if is_unnamed and not account.contested else None


def _list_profiles(connection: Connection, owner: int) -> tuple[ImportProfile, ...]:
    names = _account_names(connection, owner)
    return tuple(
        _shown_profile(profile, names) for profile in reversed(_profiles(connection, owner))
    )


def _account_names(connection: Connection, owner: int) -> dict[int, str]:
    return {row["no"]: row["name"] for row in accounts.list_accounts(connection, owner)}


def _shown_profile(profile: _Profile, names: Mapping[int, str]) -> ImportProfile:
    return ImportProfile(
        id=profile.id,
        columns=profile.shown_columns,
        encoding=profile.answers.encoding,
        date_order=profile.answers.date_order,
        decimal_sign=profile.answers.decimal_sign,
        direction=profile.answers.direction,
        amount_column=profile.answers.amount_column,
        currency=profile.answers.currency,
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
        HeaderAnswers(
            row["encoding"] or earlier.encoding,
            row["date_order"] or earlier.date_order,
            row["decimal_sign"] or earlier.decimal_sign,
            row["direction"] or earlier.direction,
            row["amount_column"] or earlier.amount_column,
            row["currency"] or earlier.currency,
        ),
        tuple(dict.fromkeys(no for no in (*numbers, row["account_no"]) if no is not None)),
        row["saved_at"],
    )


def ask_about_ways(connection: Connection, run: ImportRun) -> ImportRun:
    """Ask which way the amounts of an account go where only an answer on another one tells it.

    An account keeps the way that its own newest file of the layout went; of one that has none, an answer
    on accounts of its kind tells it.

    `run` has its kinds resolved; a file that is asked about already is left for later.
    """
    if not any(file.used.direction in PLAIN_WAYS for file in run.staged.files):
        return run
    held = kinds_by_layout(connection, run.owner)
    ways = table.ways_by_layout(connection, run.owner)
    return replace(run, questions=(*run.questions, *_questions_on_ways(run, held, ways)))


def kinds_by_layout(connection: Connection, owner: int) -> dict[str, set[str]]:
    """The kinds of the accounts that files of each layout went to."""
    kinds = {row["no"]: row["kind"] for row in accounts.list_accounts(connection, owner)}
    by_layout = table.accounts_by_layout(connection, owner)
    went = [(layout, no) for layout, numbers in by_layout.items() for no in numbers]
    found: dict[str, set[str]] = {}
    for layout, number in (*went, *table.ways_by_layout(connection, owner)):
        if number in kinds:
            found.setdefault(layout, set()).add(kinds[number])
    return found


def _questions_on_ways(
    run: ImportRun, held: Mapping[str, set[str]], ways: Mapping[tuple[str, int], str]
) -> Iterator[FileQuestion]:
    """A question on each file of which an account goes another way, as far as is known.

    `held` are the kinds of the accounts with files of a layout, `ways` the accounts' own ways there.
    """
    asked = {each.file for each in run.questions}
    for place, file in enumerate(run.staged.files):
        if file.used.direction not in PLAIN_WAYS or place in asked:
            continue
        for account in (run.accounts[local] for local in file.accounts):
            own = None if account.new else ways.get((file.layout, account.no))
            is_of_others = bool(held.get(file.layout, set()) - {account.kind})
            if is_of_others if own is None else _is_inward(own) != _is_inward(file.used.direction):
                yield FileQuestion(place, _question_on_way(account, own))
                break


def _is_inward(way: str) -> bool:
    return way == "in"


def _question_on_way(account: ResolvedAccount, own: str | None) -> Question:
    """Ask which way they go; `own` is how they went in the account's newest file, if that is known."""
    sample = ""
    if account.staged.example is not None:
        amount, text = account.staged.example
        sample = f"{to_text(abs(amount), account.currency)} {quoted(text)}"
    name = quoted(account.name)
    text = (
        f"Which way amounts without a minus go was said of files with these columns, but of another kind"
        f" of account than {name}."
    )
    if own is not None:
        went = "came in" if _is_inward(own) else "were spent"
        text = (
            f"Amounts without a minus {went} in earlier files of {name}, but the other way was said of"
            " another account with these columns since."
        )
    choices = [
        Choice("out", "they were spent", f"{sample} out".strip()),
        Choice("in", "they came in", f"{sample} in".strip()),
    ]
    if own is not None and _is_inward(own):
        choices.reverse()
    return Question("direction", text, tuple(choices))
