"""Homes: which of the person's accounts each account of the files is, or that it is a new one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.model.account import AccountKind
from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import FileAccount, ImportRequest
from finplan.service.imports.account_numbers import (
    UNNAMED_INSTITUTION,
    at_institution,
    is_long,
    is_of,
    numbered,
)
from finplan.service.imports.account_rows import RowsOfFile
from finplan.service.imports.read import ReadAccount, Reading
from finplan.store.queries import accounts, connections
from finplan.store.queries import header_profiles as csv_answers

BY_NAME = "name:"
"""What the external id of an account begins with whose files give it no number."""


@dataclass
class Home:
    """Where the rows of one account of the files go; a new one has its ids once it is claimed.

    `remembered` says that only what was said of earlier files with the same header leads there;
    `contested` that the rows speak for another account, though the person named this one; `notes` are
    sentences on how else it was found, and on what it may be instead.
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
    contested: bool = False
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
        home = _asked_home(ask.account, held, reading)
        return [replace(home, contested=_is_of_others(RowsOfFile(connection, 0), home, held))]
    said = csv_answers.accounts_said(connection, owner)
    homes: list[Home] = []
    for local, account in enumerate(reading.accounts):
        try:
            if account.account.id is not None:
                homes.append(_exported_home(account, held, homes))
            elif account.account.number is not None:
                rows = RowsOfFile(connection, local)
                homes.append(_numbered_home(account, rows, held, homes))
            else:
                rows = RowsOfFile(connection, local)
                homes.append(_unnamed_home(account, rows, held, said, homes))
        except Conflict as asked:
            if len(reading.accounts) == 1:
                raise
            raise _by_itself(asked, account.account.name) from None
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


def _is_of_others(rows: RowsOfFile, home: Home, held: Any) -> bool:
    """Whether a file that names no account has the rows of another one than the person named."""
    account = home.read.account
    if account.id is not None or account.number is not None:
        return False
    others = [row for row in _manual(held, account.currency) if row is not home.present]
    return bool(rows.those_of(others))


def _asked(wanted: str, held: Any) -> list[Any]:
    """The accounts that go by an id or a name, whatever the letters' case."""
    return [
        row
        for row in held
        if row["id"] == wanted or str(row["name"]).casefold() == wanted.casefold()
    ]


def _numbered_home(read: ReadAccount, rows: RowsOfFile, held: Any, homes: list[Home]) -> Home:
    """The home of an account with a number; `homes` are those of the files' accounts before it."""
    account = read.account
    number = str(account.number)
    manual = _manual(held, account.currency)
    fits, elsewhere = at_institution(account, manual)
    fits = fits or rows.those_of(elsewhere)
    if len(fits) > 1:
        raise _which(
            f"{len(fits)} accounts have the number {number}; name one of them by its id.", fits
        )
    if fits:
        return _present_home(read, fits[0])
    for home in homes:
        other = home.read.account
        is_beside = home.new and other.currency == account.currency
        institutions = {account.institution, other.institution} - {None}
        if (
            is_beside
            and is_of(home.external_id, number, account.subtype)
            and (len(institutions) < 2 or is_long(number))
        ):
            return home
    external_id, _ = numbered(number, account.subtype, [])
    notes = tuple(
        f"{row['name']} at {row['institution_name']} has the number {number} too, but this file is of"
        f" {account.institution}. If it is that account, say so: `--account {row['id']}`."
        for row in elsewhere
    )
    return Home(read, external_id, account.name, read.kind, None, notes=notes)


def _unnamed_home(
    read: ReadAccount,
    rows: RowsOfFile,
    held: Any,
    said: Mapping[str, set[int]],
    homes: list[Home],
) -> Home:
    """The home of an account that its file does not name: as was said before, else by the file's name.

    Where files with its header went to several accounts, the one that is called like the file is
    meant. Where nothing was said and nothing is called so, or several fit, or the rows are another
    account's, its rows may tell; where they leave a doubt the person is asked, and where they say
    nothing a new account is made. `homes` are those of the files' accounts before it.
    """
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
        is_denied = rows.deny(fits[0]["no"])
        others = [row for row in manual if row is not fits[0]] if is_denied or not named else []
        fits += rows.rivals_of(fits[0], others) if others else []
        if len(fits) == 1:
            home = replace(_present_home(read, fits[0]), remembered=not named)
            return replace(home, notes=(_denied(home.name),)) if is_denied else home
    return _home_by_rows(read, rows, fits, manual, homes)


def _home_by_rows(
    read: ReadAccount, rows: RowsOfFile, fits: list[Any], manual: list[Any], homes: list[Home]
) -> Home:
    """The home that rows tell among accounts that fit, or where none does, among all; else a new one."""
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
        message = f"{name} names no account, and it may be of any of {count}."
        raise _which(message, certain or fits, new=None if fits else name)
    likely = [row for row in manual if row["no"] in told.likely]
    if likely:
        message = f"{name} names no account, and most of its rows are those of {likely[0]['name']}."
        raise _which(message, likely, new=name)
    new = {
        place: home
        for place, home in enumerate(homes)
        if home.new and home.read.account.number is None and home.read.account.currency == currency
    }
    beside = rows.beside(new)
    if beside.certain:
        return new[beside.certain[0]]
    names = [row["name"] for row in manual if row["no"] in told.perhaps]
    names += [new[place].name for place in (*beside.likely, *beside.perhaps)]
    notes = tuple(
        f"It names no account, so it gets one of its own; but some of its rows are those of {each}. If"
        f" it is that one, say so: `--account {quote(each)}`."
        for each in names[:1]
    )
    return Home(read, BY_NAME + name.casefold(), name, read.kind, None, notes=notes)


def _manual(held: Any, currency: str) -> list[Any]:
    return [row for row in held if row["provider"] == "manual" and row["currency"] == currency]


def _denied(name: str) -> str:
    return (
        f"{name} has other rows on the days of this file and hardly any of these, so the file may be"
        " another account's: `--account` with a new name gives it one of its own."
    )


def _which(message: str, fits: list[Any], new: str | None = None) -> Conflict:
    choices = {row["id"]: f"{row['institution_name']} {row['name']}" for row in fits}
    if new is not None:
        choices[new] = f"a new account, {new}"
    return Conflict(message, {"hint": "account", "choices": choices})


def _by_itself(asked: Conflict, name: str) -> Conflict:
    """The question in an import of several accounts, which a word on one account would all go to."""
    return Conflict(f"{asked.message} Import {name} by itself to say which account it is of.")


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
        external_id, fits = numbered(account.number, account.subtype, beside)
    fits = [row for row in copies if row["external_id"] == account.id] + fits
    if fits:
        return _present_home(read, fits[0])
    is_taken = any(
        (home.external_id, home.read.account.currency) == (external_id, account.currency)
        for home in homes
    )
    own_id = str(account.id) if is_taken else external_id
    return Home(read, own_id, account.name, read.kind, None)


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
