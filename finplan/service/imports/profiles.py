"""Header profiles: what a person said of how files with one header are read, kept for the next ones.

A profile is everything said in imports that stand, so that undoing an import takes its words back
exactly; of each kind the newest word holds, and every account that was named is kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.errors import NotFound
from finplan.model.statement import ImportProfile, ImportRequest, ProfileId
from finplan.service.context import Context
from finplan.service.imports.accounts import Home, currency_of
from finplan.service.imports.read import ReadFile, Reading
from finplan.statements.statement import HeaderAnswers
from finplan.store.queries import accounts, people
from finplan.store.queries import header_profiles as csv_answers

_ID_LENGTH = 24


@dataclass(frozen=True, slots=True)
class _Profile:
    """What all that was said of one header adds up to; `accounts` are numbers, oldest first."""

    signature: str
    columns: str
    said: HeaderAnswers
    accounts: tuple[int, ...]
    saved_at: int

    @property
    def id(self) -> str:
        """The public id: a header's own, so that it stays the same whatever is said of it."""
        return f"prf_{self.signature[:_ID_LENGTH]}"

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left of it, as when the account that it named is gone."""
        return self.said == HeaderAnswers() and not self.accounts


def said_before(connection: Connection, owner: int, ask: ImportRequest) -> dict[str, HeaderAnswers]:
    """What was said of each header, by its signature, as far as what is typed now leaves it open.

    An account brings its currency: files of one bank that name none are in that of earlier ones.
    """
    profiles = _profiles(connection, owner)
    if not profiles:
        return {}
    typed = ask.currency or currency_of(connection, owner, ask.account)
    held = {row["no"]: row["currency"] for row in accounts.list_accounts(connection, owner)}
    said = {}
    for profile in profiles:
        currencies = {held[no] for no in profile.accounts}
        shared = currencies.pop() if len(currencies) == 1 else None
        currency = None if typed else profile.said.currency or shared
        said[profile.signature] = replace(profile.said, currency=currency)
    return said


def remember(
    connection: Connection,
    owner: int,
    ask: ImportRequest,
    reading: Reading,
    homes: Sequence[Home],
    batch: int,
    now: int,
) -> None:
    """Keep what the person said in an import of the headers of its files."""
    said: dict[str, str | None] = {
        "encoding": ask.encoding,
        "date_order": ask.date_order,
        "decimal_sign": ask.decimal_sign,
        "currency": ask.currency,
    }
    rows: dict[str, dict[str, object]] = {}
    for file in reading.files:
        account = _account_said(file, ask, reading, homes)
        if file.header is None or not (account or any(said.values())):
            continue
        row = {
            "owner_no": owner,
            "import_no": batch,
            "signature": file.header.signature,
            "header": file.header.columns,
            "account_no": account,
            "saved_at": now,
        }
        if account or file.header.signature not in rows:
            rows[file.header.signature] = row | said
    csv_answers.add_answers(connection, list(rows.values()))


async def list_import_profiles(context: Context, _ask: Nothing) -> tuple[ImportProfile, ...]:
    """What is remembered of how files are read, the newest first."""
    return await context.store.read(partial(_list, owner=context.caller.owner))


async def forget_import_profile(context: Context, ask: ProfileId) -> ImportProfile:
    """Forget what was said of files with one header; the next one is asked about again."""
    owner = context.caller.owner

    def forget(connection: Connection) -> ImportProfile:
        known = (profile for profile in _profiles(connection, owner) if profile.id == ask.id)
        profile = next(known, None)
        if profile is None:
            raise NotFound(
                f"There is no header profile {ask.id}. `finplan imports profiles` lists them."
            )
        shown = _shown(profile, _account_names(connection, owner))
        csv_answers.forget_header(connection, owner, profile.signature)
        # A dry run that was read by it no longer tells what the import would do.
        people.raise_generation(connection, owner)
        return shown

    return await context.commit(forget)


def _account_said(
    file: ReadFile, ask: ImportRequest, reading: Reading, homes: Sequence[Home]
) -> int | None:
    """The account that the person named for a file that names none itself."""
    if ask.account is None or homes[0].contested:
        # Accounts whose files look alike share the header, so it must not lead to one of them.
        return None
    named = {reading.accounts[local].account.number for local in file.accounts}
    return homes[0].no if named == {None} else None


def _list(connection: Connection, owner: int) -> tuple[ImportProfile, ...]:
    names = _account_names(connection, owner)
    return tuple(_shown(profile, names) for profile in reversed(_profiles(connection, owner)))


def _account_names(connection: Connection, owner: int) -> dict[int, str]:
    return {row["no"]: row["name"] for row in accounts.list_accounts(connection, owner)}


def _shown(profile: _Profile, names: Mapping[int, str]) -> ImportProfile:
    return ImportProfile(
        id=profile.id,
        columns=profile.columns,
        encoding=profile.said.encoding,
        date_order=profile.said.date_order,
        decimal_sign=profile.said.decimal_sign,
        currency=profile.said.currency,
        accounts=tuple(names[no] for no in profile.accounts),
        saved_at=profile.saved_at,
    )


def _profiles(connection: Connection, owner: int) -> list[_Profile]:
    """A person's profiles, the one with the newest word last."""
    by_signature: dict[str, _Profile] = {}
    for row in csv_answers.list_answers(connection, owner):
        signature = row["signature"]
        by_signature[signature] = _with(by_signature.pop(signature, None), row)
    return [profile for profile in by_signature.values() if not profile.is_empty]


def _with(profile: _Profile | None, row: RowMapping) -> _Profile:
    """A profile with one more word, which is newer than all before it."""
    said = HeaderAnswers() if profile is None else profile.said
    numbers = () if profile is None else profile.accounts
    return _Profile(
        row["signature"],
        row["header"],
        HeaderAnswers(
            row["encoding"] or said.encoding,
            row["date_order"] or said.date_order,
            row["decimal_sign"] or said.decimal_sign,
            row["currency"] or said.currency,
        ),
        tuple(dict.fromkeys(no for no in (*numbers, row["account_no"]) if no is not None)),
        row["saved_at"],
    )
