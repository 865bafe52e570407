"""Homes: which of the person's accounts each account of the files is, or that it is a new one."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, RowMapping

from finplan.model.account import AccountKind
from finplan.model.errors import BadRequest, Conflict
from finplan.model.statement import FileAccount, ImportRequest
from finplan.service.ids import new_id
from finplan.service.reading import ReadAccount, Reading
from finplan.statements.account_numbers import same_account
from finplan.store import accounts, connections, csv_answers

BY_NAME = "name:"
"""What the external id of an account begins with whose files give it no number."""

_SUBTYPE = re.compile(r" ([a-z][a-z ]*)$")
"""What follows the number in an external id, where a file told it."""

UNNAMED_INSTITUTION = "Statement files"
"""The institution of accounts whose files name none."""


@dataclass
class Home:
    """Where the rows of one account of the files go; a new one has its ids once it is claimed.

    `remembered` says that only what was said of earlier files with the same header leads there.
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

    @property
    def new(self) -> bool:
        """Whether the import creates this account."""
        return self.present is None

    @property
    def shown(self) -> FileAccount:
        """The account as a report names it."""
        return FileAccount(name=self.name, currency=self.read.account.currency, kind=self.kind)

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
    for account in reading.accounts:
        if account.account.id is not None:
            homes.append(_exported_home(account, held, homes))
        elif account.account.number is not None:
            homes.append(_numbered_home(account, held, homes))
        else:
            homes.append(_unnamed_home(account, held, said))
    return homes


def currency_of(connection: Connection, owner: int, wanted: str | None) -> str | None:
    """The currency of the account that the person names, which files without one are in."""
    fits = _asked(wanted, accounts.list_accounts(connection, owner)) if wanted else []
    return str(fits[0]["currency"]) if len(fits) == 1 else None


def claim_homes(connection: Connection, owner: int, homes: list[Home], now: int) -> None:
    """Create the accounts that are new, and the connections that they need."""
    by_institution = {
        row["institution_name"]: row["no"]
        for row in connections.list_connections(connection, owner)
        if row["provider"] == "manual"
    }
    for home in homes:
        if home.present is not None or home.id:
            continue
        institution = home.read.account.institution or UNNAMED_INSTITUTION
        if institution not in by_institution:
            by_institution[institution] = _add_connection(connection, owner, institution, now)
        home.connection_no = by_institution[institution]
        home.id = new_id("acc")
        home.no = accounts.add_account(connection, _new_account(owner, home))
    # What finplan wrote itself is no news from the bank, so it makes present data no younger.
    stamped = {home.connection_no for home in homes if home.new or home.read.account.id is None}
    for no in stamped:
        connections.change_connection(connection, no, {"last_synced_at": now})


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


def _unnamed_home(read: ReadAccount, held: Any, said: Mapping[str, set[int]]) -> Home:
    """The home of an account that its file does not name: as was said before, else by the file's name.

    Where files with its header went to several accounts, the one that is called like the file is
    meant; otherwise, and where header and name lead to different ones, only the person knows.
    """
    account = read.account
    external_id = BY_NAME + account.name.casefold()
    manual = _manual(held, account.currency)
    named = [row for row in manual if row["external_id"] == external_id]
    numbers = {no for header in read.headers for no in said.get(header, ())}
    known = [row for row in held if row["no"] in numbers]
    if len(known) == 1:
        # The file is read in this account's currency unless it proves another, which is no match.
        known = [row for row in known if row["currency"] == account.currency]
    agreed = [row for row in named if row["no"] in numbers]
    fits = agreed or [*known, *named]
    if len(fits) > 1:
        raise _which(
            f"{account.name} names no account, and it may be of any of {len(fits)}.",
            fits,
        )
    if fits:
        return replace(_present_home(read, fits[0]), remembered=not named)
    return Home(read, external_id, account.name, read.kind, None)


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


def _add_connection(connection: Connection, owner: int, institution: str, now: int) -> int:
    return connections.add_connection(
        connection,
        {
            "id": new_id("con"),
            "owner_no": owner,
            "provider": "manual",
            "institution_name": institution,
            "status": "ok",
            "failures": 0,
            "by_import": 1,
            "created_at": now,
            "last_synced_at": now,
        },
    )


def _new_account(owner: int, home: Home) -> dict[str, object]:
    number = home.read.account.number
    digits = "".join(letter for letter in number or "" if letter.isalnum())
    return {
        "id": home.id,
        "owner_no": owner,
        "connection_no": home.connection_no,
        "external_id": home.external_id,
        "name": home.name,
        "mask": digits[-4:] if any(map(str.isdigit, digits[-4:])) and len(digits) >= 4 else None,
        "kind": home.kind,
        "subtype": home.read.subtype,
        "currency": home.read.account.currency,
        "hidden": 0,
        "kept": "",
        "sources": "",
    }
