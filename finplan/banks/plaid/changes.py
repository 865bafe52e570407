"""What changed at Plaid since a cursor: all pages of an update, gathered into one, and read.

The pages of an update are one unit: where rows change while they are read, all are read anew from the
cursor that the first one began at. What of it cannot be read is kept apart.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from finplan.banks import answer as answers
from finplan.banks.base import BankAccount, BankTransaction, in_order
from finplan.banks.plaid.answers import account_name, read_account, read_row
from finplan.banks.plaid.api import MUTATION, PlaidRefused

RESTARTS = 4
"""How often an update is read from its cursor before it is given up."""

MOST_PAGES = 2_000
"""More pages than this, of 500 rows, are no update but a mistake."""

MOST_ROWS = 50_000
"""Of one update; two years of a busy household are half of it."""

NOT_READY = "NOT_READY"
ENDED = frozenset({"HISTORICAL_UPDATE_COMPLETE", "TRANSACTIONS_UPDATE_STATUS_UNKNOWN"})
"""How far Plaid has read a history where it announces no more of it.

Where it does not know, the usual syncs bring whatever comes; asking every minute would never end.
"""

AskPage = Callable[[str | None], Awaitable[dict[str, Any]]]
"""Asks for the page after a cursor. Raises PlaidRefused."""


class NeverStill(Exception):
    """The rows changed each time that they were read."""


@dataclass(slots=True)
class Changes:
    """An update: rows and accounts as Plaid tells them, by its ids, and the cursor after it.

    `from_beginning` says that nothing was known before, so that whatever it lacks is not there.
    `cursor` is None where Plaid has read nothing yet. `nameless` are the rows that have no id, those
    that were removed among them.
    """

    from_beginning: bool
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    modified: set[str] = field(default_factory=set)
    removed: dict[str, None] = field(default_factory=dict)
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    nameless: list[dict[str, Any]] = field(default_factory=list)
    cursor: str | None = None
    is_complete: bool = False

    def take(self, page: dict[str, Any]) -> None:
        """Let a page follow those before."""
        for kind in ("added", "modified"):
            for row in page[kind]:
                name = self._name(row)
                if name is None:
                    continue
                self.rows[name] = row
                self.removed.pop(name, None)
                if kind == "modified":
                    self.modified.add(name)
        for row in page["removed"]:
            name = self._name(row)
            if name is not None:
                self.rows.pop(name, None)
                self.removed[name] = None
        for account in page["accounts"]:
            # What has no id here has none in the list of all accounts either, which tells it.
            if answers.is_id(account.get("account_id")):
                self.accounts[account["account_id"]] = account

    def _name(self, row: dict[str, Any]) -> str | None:
        name = row.get("transaction_id")
        if answers.is_id(name):
            return str(name)
        self.nameless.append(row)
        return None


async def gather(ask: AskPage, cursor: str | None) -> Changes:
    """All that changed since a cursor; from the beginning where Plaid does not take that one any more.

    Raises PlaidRefused, Unreadable, and NeverStill.
    """
    for start in dict.fromkeys((cursor, None)):
        for _ in range(RESTARTS):
            try:
                return await _read_pages(ask, start)
            except PlaidRefused as refused:
                if refused.code == MUTATION:
                    continue
                is_about_cursor = (
                    refused.code == "INVALID_FIELD" and "cursor" in refused.said.casefold()
                )
                if start is not None and is_about_cursor:
                    break
                raise
    raise NeverStill


async def _read_pages(ask: AskPage, start: str | None) -> Changes:
    changes = Changes(from_beginning=start is None)
    cursor = start
    for _ in range(MOST_PAGES):
        page = await ask(cursor)
        following = page.get("next_cursor")
        status = page.get("transactions_update_status")
        if not following or status == NOT_READY:
            return Changes(from_beginning=start is None, is_complete=status in ENDED)
        changes.take(page)
        if len(changes.rows) + len(changes.removed) + len(changes.nameless) > MOST_ROWS:
            raise answers.Unreadable(f"more than {MOST_ROWS:,} transactions")
        if page.get("has_more") is not True:
            changes.cursor = str(following)
            changes.is_complete = status in ENDED
            return changes
        if following == cursor:
            raise answers.Unreadable("the next page repeats this one")
        cursor = str(following)
    raise answers.Unreadable("the pages do not end")


UNLISTED = "An account that is not listed"


@dataclass(frozen=True, slots=True)
class ReadUpdate:
    """What was read, and what was left out; `whole_of` are the accounts of which nothing was.

    `lacks_rows` says that a row of the update was not read, also as one of an account that was not.
    """

    accounts: Mapping[str, BankAccount]
    rows: tuple[BankTransaction, ...]
    left_out: tuple[answers.NotRead, ...]
    whole_of: frozenset[str]
    has_all_accounts: bool
    lacks_rows: bool


def read_update(
    changes: Changes, listed: Iterable[object], kept_in: Mapping[str, str]
) -> ReadUpdate:
    """Read an update and the accounts that are listed; `kept_in` is what each is kept in already."""
    accounts, names, unread, odd = _accounts(changes, listed, kept_in)
    currencies = {**kept_in, **{name: account.currency for name, account in accounts.items()}}
    # Where an account has come under another id, rows under the former one are of nobody knows which.
    gone = kept_in.keys() - names.keys() if accounts.keys() - kept_in.keys() else set[str]()
    rows: list[BankTransaction] = []
    left_out, partly = [*unread.values(), *odd], set[str]()
    for fields in (*changes.nameless, *changes.rows.values()):
        account = str(fields.get("account_id"))
        if account in unread:
            # That its account stays as it was says it of all its rows.
            continue
        try:
            rows.append(read_row(fields, None if account in gone else currencies.get(account)))
        except answers.Unreadable as error:
            partly.add(account)
            called = names.get(account, UNLISTED)
            left_out.append(
                answers.NotRead(called, str(error), is_row=True, day=_day_of_row(fields))
            )
    return ReadUpdate(
        accounts,
        in_order(rows),
        tuple(left_out),
        # A row that is of no account may be of any.
        frozenset() if partly - accounts.keys() else frozenset(accounts.keys() - partly),
        has_all_accounts=not unread,
        lacks_rows=len(rows) < len(changes.rows) + len(changes.nameless),
    )


def _accounts(
    changes: Changes, listed: Iterable[object], kept_in: Mapping[str, str]
) -> tuple[
    dict[str, BankAccount], dict[str, str], dict[str, answers.NotRead], list[answers.NotRead]
]:
    """The accounts by their ids, what each is called, those that cannot be read, and odd fields."""
    accounts: dict[str, BankAccount] = {}
    unread: dict[str, answers.NotRead] = {}
    # An account may be closed between the two answers, and the later one holds.
    latest: dict[str, Any] = dict(changes.accounts)
    for index, fields in enumerate(listed):
        name = fields.get("account_id") if isinstance(fields, dict) else None
        latest[str(name) if answers.is_id(name) else f"nameless {index}"] = fields
    names = {name: account_name(fields) for name, fields in latest.items()}
    left_out: list[answers.NotRead] = []
    for name, fields in latest.items():
        odd = answers.OddFields()
        try:
            accounts[name] = read_account(fields, kept_in.get(name), odd)
        except answers.Unreadable as error:
            unread[name] = answers.NotRead(names[name], str(error))
        else:
            left_out += answers.odd_fields(names[name], odd.names)
    return accounts, names, unread, left_out


def _day_of_row(fields: Mapping[str, Any]) -> str | None:
    day = answers.try_read(answers.read_day, fields.get("date"))
    return None if day is None else str(fields["date"])[:10]
