"""An update of Plaid's read: accounts and rows, and apart from them what of it cannot be read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from finplan.banks.base import BankAccount, BankTransaction
from finplan.banks.fields import OddFields, Unreadable, is_id, read_day, try_read
from finplan.banks.left_out import NotRead, odd_fields
from finplan.banks.plaid.answers import account_name, read_account, read_row
from finplan.banks.plaid.changes import Changes

UNLISTED = "An account that is not listed"


@dataclass(frozen=True, slots=True)
class ReadUpdate:
    """What was read, and what was left out; `whole` are the accounts of which nothing was.

    `lacks_rows` says that a row of the update was not read, also as one of an account that was not.
    """

    accounts: Mapping[str, BankAccount]
    rows: tuple[BankTransaction, ...]
    left_out: tuple[NotRead, ...]
    whole: frozenset[str]
    has_all_accounts: bool
    lacks_rows: bool


def read_update(
    changes: Changes, listed: Iterable[object], kept_in: Mapping[str, str]
) -> ReadUpdate:
    """Read an update and the accounts that are listed; `kept_in` is what each is kept in already."""
    accounts, names, unread, odd = _accounts(changes, listed, kept_in)
    currencies = {**kept_in, **{name: each.currency for name, each in accounts.items()}}
    # Where an account has come under another id, rows under the former one are of nobody knows which.
    gone = kept_in.keys() - names.keys() if accounts.keys() - kept_in.keys() else set[str]()
    rows: list[BankTransaction] = []
    left_out, partly = [*unread.values(), *odd], set[str]()
    for each in (*changes.nameless, *changes.rows.values()):
        account = str(each.get("account_id"))
        if account in unread:
            # That its account stays as it was says it of all its rows.
            continue
        try:
            rows.append(read_row(each, None if account in gone else currencies.get(account)))
        except Unreadable as error:
            partly.add(account)
            called = names.get(account, UNLISTED)
            left_out.append(NotRead(called, str(error), is_row=True, day=_day(each)))
    return ReadUpdate(
        accounts,
        tuple(sorted(rows, key=lambda row: (row.day, row.account, row.external_id))),
        tuple(left_out),
        # A row that is of no account may be of any.
        frozenset() if partly - accounts.keys() else frozenset(accounts.keys() - partly),
        has_all_accounts=not unread,
        lacks_rows=len(rows) < len(changes.rows) + len(changes.nameless),
    )


def _accounts(
    changes: Changes, listed: Iterable[object], kept_in: Mapping[str, str]
) -> tuple[dict[str, BankAccount], dict[str, str], dict[str, NotRead], list[NotRead]]:
    """The accounts by their ids, what each is called, those that cannot be read, and odd fields."""
    accounts: dict[str, BankAccount] = {}
    unread: dict[str, NotRead] = {}
    # An account may be closed between the two answers, and the later one holds.
    told: dict[str, Any] = dict(changes.accounts)
    for place, each in enumerate(listed):
        name = each.get("account_id") if isinstance(each, dict) else None
        told[str(name) if is_id(name) else f"nameless {place}"] = each
    names = {name: account_name(each) for name, each in told.items()}
    left_out: list[NotRead] = []
    for name, each in told.items():
        odd = OddFields()
        try:
            accounts[name] = read_account(each, kept_in.get(name), odd)
        except Unreadable as error:
            unread[name] = NotRead(names[name], str(error))
        else:
            left_out += odd_fields(names[name], odd.names)
    return accounts, names, unread, left_out


def _day(told: Mapping[str, Any]) -> str | None:
    return str(told["date"])[:10] if try_read(read_day, told.get("date")) is not None else None
