"""Homes: which of the person's accounts each account of the files is, or that it is a new one."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.model.account import AccountKind
from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import FileAccount, ImportRequest
from finplan.service.reading import ReadAccount, Reading
from finplan.service.recognising import Recognised, recognise
from finplan.statements.account_numbers import same_account
from finplan.store import accounts, connections, csv_answers, intake

BY_NAME = "name:"
"""What the external id of an account begins with whose files give it no number."""

_SUBTYPE = re.compile(r" ([a-z][a-z ]*)$")
"""What follows the number in an external id, where a file told it."""

UNNAMED_INSTITUTION = "Statement files"
"""The institution of accounts whose files name none."""


@dataclass
class Home:
    """Where the rows of one account of the files go; a new one has its ids once it is claimed.

    `remembered` says that only what was said of earlier files with the same header leads there;
    `notes` are sentences on how else it was found, and on what it may be instead.
    """

    read: ReadAccount
    external_id: str
    name: str
    kind: AccountKind
    present: RowMapping | None
    no: int = 0
    id: str = ""
    connection_no: int = 0
    remembered: bool = False
    notes: tuple[str, ...] = ()

    @property
    def new(self) -> bool:
        """Whether the import creates this account."""
        return self.present is None

    @property
    def shown(self) -> FileAccount:
        """The account as a report names it."""
        return FileAccount(
            name=self.name,
            currency=self.read.account.currency,
            kind=self.kind,
            new=self.new,
            currency_assumed=self.new and self.read.currency_assumed,
        )

    def sources(self) -> set[str]:
        """The kinds of source that brought the account's rows so far."""
        return set() if self.present is None else set(self.present["sources"].split())

    def kept(self) -> set[str]:
        """The fields that the person set, which no file overwrites."""
        return set() if self.present is None else set(self.present["kept"].split())


def find_homes(
    connection: Connection, owner: int, ask: ImportRequest, reading: Reading
) -> list[Home]:
    """Find each account's home, in the order of the reading. Raises BadRequest and Conflict."""
    held = accounts.list_accounts(connection, owner)
    if any(row["provider"] == "demo" for row in connections.list_connections(connection, owner)):
        raise Conflict(
            "This profile holds the demo household, which never shares a store with real data."
            " Import into another profile: `finplan --profile NAME import FILE`."
        )
    if ask.account is not None:
        return [_asked_home(ask.account, held, reading)]
    said = csv_answers.accounts_said(connection, owner)
    homes: list[Home] = []
    for local, account in enumerate(reading.accounts):
        if account.account.id is not None:
            homes.append(_exported_home(account, held, homes))
        elif account.account.number is not None:
            homes.append(_numbered_home(account, held, homes))
        else:
            rows = _Rows(connection, local, account)
            homes.append(_unnamed_home(rows, held, said, homes))
    return homes


def currency_of(connection: Connection, owner: int, wanted: str | None) -> str | None:
    """The currency of the account that the person names, which files without one are in."""
    fits = _asked(wanted, accounts.list_accounts(connection, owner)) if wanted else []
    return str(fits[0]["currency"]) if len(fits) == 1 else None


def _asked_home(wanted: str, held: Any, reading: Reading) -> Home:
    if len(reading.accounts) > 1:
        names = ", ".join(account.account.name for account in reading.accounts)
        raise BadRequest(
            f"The files hold {len(reading.accounts)} accounts ({names}), so they cannot all go to"
            f" {wanted!r}. Import them without naming an account, or one by one."
        )
    fits = _asked(wanted, held)
    if len(fits) > 1:
        raise _which(
            f"{len(fits)} accounts are called {wanted!r}; name one of them by its id.", fits
        )
    read = reading.accounts[0]
    if fits:
        return _present_home(read, fits[0])
    if wanted.startswith("acc_"):
        raise BadRequest(f"There is no account {wanted}. `finplan accounts` lists them.")
    external_id = BY_NAME + wanted.casefold()
    for row in held:
        # The account may have been renamed since a file first went to it under this name.
        if (row["external_id"], row["currency"]) == (external_id, read.account.currency):
            return _present_home(read, row)
    return Home(read, external_id, wanted, read.kind, None)


def _asked(wanted: str, held: Any) -> list[Any]:
    """The accounts that go by an id or a name, whatever the letters' case."""
    return [
        row
        for row in held
        if row["id"] == wanted or str(row["name"]).casefold() == wanted.casefold()
    ]


def _numbered_home(read: ReadAccount, held: Any, homes: list[Home]) -> Home:
    """The home of an account with a number; `homes` are those of the files' accounts before it."""
    account = read.account
    number = str(account.number)
    external_id, fits = _numbered(number, account.subtype, _manual(held, account.currency))
    if len(fits) > 1:
        raise _which(
            f"{len(fits)} accounts have the number {number}; name one of them by its id.", fits
        )
    if fits:
        return _present_home(read, fits[0])
    beside = [home for home in homes if home.new and home.read.account.currency == account.currency]
    same = (home for home in beside if _is_of(home.external_id, number, account.subtype))
    return next(same, Home(read, external_id, account.name, read.kind, None))


@dataclass(frozen=True, slots=True)
class _Rows:
    """The staged rows of an account of the files, given by its local number."""

    connection: Connection
    local: int
    read: ReadAccount

    def among(self, held: Any) -> Recognised:
        """What the rows tell of some accounts."""
        return recognise(
            {
                row["no"]: intake.overlap_with_held(self.connection, self.local, row["no"])
                for row in held
            }
        )

    def beside(self, places: Iterable[int]) -> Recognised:
        """What the rows tell of other accounts of the files."""
        return recognise(
            {
                place: intake.overlap_with_staged(self.connection, self.local, place)
                for place in places
            }
        )


def _unnamed_home(rows: _Rows, held: Any, said: Mapping[str, set[int]], homes: list[Home]) -> Home:
    """The home of an account that its file does not name: as was said before, else by the file's name.

    Where files with its header went to several accounts, the one that is called like the file is
    meant. Where nothing was said and nothing is called so, or several fit, its rows may tell; if they
    do not, several leave a question, and none makes a new account. `homes` are those of the files'
    accounts before it.
    """
    read = rows.read
    account = read.account
    manual = _manual(held, account.currency)
    named = [row for row in manual if row["external_id"] == BY_NAME + account.name.casefold()]
    numbers = {no for header in read.headers for no in said.get(header, ())}
    known = [row for row in held if row["no"] in numbers]
    if len(known) == 1:
        # The file is read in this account's currency unless it proves another, which is no match.
        known = [row for row in known if row["currency"] == account.currency]
    agreed = [row for row in named if row["no"] in numbers]
    fits = agreed or [*known, *named]
    if len(fits) == 1:
        return replace(_present_home(read, fits[0]), remembered=not named)
    return _home_by_rows(rows, fits, manual, homes)


def _home_by_rows(rows: _Rows, fits: list[Any], manual: list[Any], homes: list[Home]) -> Home:
    """The home that rows tell among accounts that fit, or where none does, among all; else a new one."""
    read = rows.read
    name, currency = read.account.name, read.account.currency
    told = rows.among(fits or manual)
    certain = [row for row in fits or manual if row["no"] in told.certain]
    if len(certain) == 1:
        note = (
            f"It names no account, but its rows are those of {certain[0]['name']}, so they go there;"
            " `--account` says another."
        )
        return replace(_present_home(read, certain[0]), notes=(note,))
    if fits or certain:
        count = len(certain or fits)
        raise _which(f"{name} names no account, and it may be of any of {count}.", certain or fits)
    new = {
        place: home
        for place, home in enumerate(homes)
        if home.new and home.read.account.number is None and home.read.account.currency == currency
    }
    beside = rows.beside(new)
    if beside.certain:
        return new[beside.certain[0]]
    names = [row["name"] for row in manual if row["no"] in told.perhaps]
    names += [new[place].name for place in beside.perhaps]
    notes = tuple(
        f"It names no account, so it gets one of its own; but some of its rows are those of {each}. If"
        f" it is that one, say so: `--account {quote(each)}`."
        for each in names[:1]
    )
    return Home(read, BY_NAME + name.casefold(), name, read.kind, None, notes=notes)


def _manual(held: Any, currency: str) -> list[Any]:
    return [row for row in held if row["provider"] == "manual" and row["currency"] == currency]


def _which(message: str, fits: list[Any]) -> Conflict:
    choices = {row["id"]: f"{row['institution_name']} {row['name']}" for row in fits}
    return Conflict(message, {"hint": "account", "choices": choices})


def _exported_home(read: ReadAccount, held: Any, homes: list[Home]) -> Home:
    """The home of an account that finplan exported: itself, or its copy in another store.

    A copy is known by the id of the account that it was made from, or by its number or name at its
    institution; `homes` are those of the accounts before it, each of which has its own.
    """
    account = read.account
    # A copy without a number has its original's id for one, which leads back to the original.
    present = [row for row in held if row["id"] in (account.id, account.number)]
    if present:
        return _present_home(read, present[0])
    taken = {home.no for home in homes if not home.new}
    copies = [
        row
        for row in held
        if row["provider"] == "manual"
        and row["currency"] == account.currency
        and row["no"] not in taken
    ]
    institution = account.institution or UNNAMED_INSTITUTION
    beside = [row for row in copies if row["institution_name"] == institution]
    if account.number is None:
        external_id = BY_NAME + account.name.casefold()
        fits = [row for row in beside if row["external_id"] == external_id]
    else:
        external_id, fits = _numbered(account.number, account.subtype, beside)
    fits = [row for row in copies if row["external_id"] == account.id] + fits
    if fits:
        return _present_home(read, fits[0])
    is_taken = any(
        (home.external_id, home.read.account.currency) == (external_id, account.currency)
        for home in homes
    )
    own_id = str(account.id) if is_taken else external_id
    return Home(read, own_id, account.name, read.kind, None)


def _numbered(number: str, subtype: str | None, manual: list[Any]) -> tuple[str, list[Any]]:
    """The external id for a number, and the accounts that it fits.

    Some credit unions give a person's checking and savings one number, so the subtype belongs to it;
    a file that knows the number alone fits every account of that number.
    """
    if subtype is None:
        # A number may itself hold blanks, as where an app names the account; a subtype is lower-case.
        fits = [
            row
            for row in manual
            if row["external_id"] == number
            or (
                str(row["external_id"]).removeprefix(f"{number} ").islower()
                and str(row["external_id"]).startswith(f"{number} ")
            )
        ]
        return number, fits or _of(manual, number, subtype)
    exact = f"{number} {subtype}"
    fits = [row for row in manual if row["external_id"] in {exact, number}]
    return exact, (fits or _of(manual, number, subtype))[:1]


def _of(manual: list[Any], number: str, subtype: str | None) -> list[Any]:
    """The accounts whose number is another form of this one."""
    return [row for row in manual if _is_of(row["external_id"], number, subtype)]


def _is_of(external_id: str, number: str, subtype: str | None) -> bool:
    """Say whether an external id has the number in any form, and no other subtype."""
    own_subtype = _SUBTYPE.search(external_id)
    own_number = external_id[: own_subtype.start()] if own_subtype else external_id
    return same_account(own_number, number) and (
        own_subtype is None or subtype is None or own_subtype[1] == subtype
    )


def _present_home(read: ReadAccount, row: RowMapping) -> Home:
    if row["currency"] != read.account.currency:
        raise BadRequest(
            f"The account {row['name']} is in {row['currency']}, but the file is in"
            f" {read.account.currency}."
        )
    return Home(
        read,
        row["external_id"],
        row["name"],
        row["kind"],
        present=row,
        no=row["no"],
        id=row["id"],
        connection_no=row["connection_no"],
    )
