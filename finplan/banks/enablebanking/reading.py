"""One account read at Enable Banking: its balances, and its rows page by page.

They are read as far back as wanted, and it is kept through which day each account was.
"""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from finplan.banks.answer import NotRead, Unreadable, check_currency, day_number, odd_fields
from finplan.banks.base import BankAccount, BankTransaction
from finplan.banks.enablebanking.api import EnableBankingApi, RefusedRequest
from finplan.banks.enablebanking.consent import ConsentedAccount
from finplan.banks.enablebanking.rows import (
    LONGEST_OVERLAP,
    MOST_ROWS,
    ReadBalances,
    ShownBalance,
    ToldRow,
    named_rows,
    read_balances,
    read_page,
)

LATE = 14
"""Days by which a row may come after its own day, so that so many are asked for again."""

HISTORY = 730
"""Days that are asked for where an account was never read."""

SHORT = 89
"""Days that every bank gives, whatever else it refuses."""


class UnknownCursor(Exception):
    """A cursor that this module did not write."""


@dataclass(frozen=True, slots=True)
class ReadThrough:
    """The day through which each account was read; `relinked` until a new access was read whole."""

    accounts: Mapping[str, date] = field(default_factory=dict)
    relinked: bool = False

    def since(self, account: str, today: date) -> date | None:
        """The first day to ask an account for, None where it was never read."""
        last = self.accounts.get(account)
        return last and min(last, today) - timedelta(days=LATE)

    def after(self, today: date, accounts: Iterable[str]) -> "ReadThrough":
        """The progress once some accounts were read through a day."""
        return ReadThrough({**self.accounts, **dict.fromkeys(accounts, today)})

    def write(self) -> str:
        """The cursor that says so."""
        state: dict[str, object] = {
            "accounts": {name: day.isoformat() for name, day in sorted(self.accounts.items())}
        }
        if self.relinked:
            state["relinked"] = True
        return json.dumps(state)


def read_progress(cursor: str | None) -> ReadThrough:
    """The progress that a cursor says. Raises UnknownCursor."""
    if cursor is None:
        return ReadThrough()
    try:
        state = json.loads(cursor)
        days = {name: date.fromisoformat(day) for name, day in state["accounts"].items()}
        return ReadThrough(days, state.get("relinked") is True)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnknownCursor from error


MOST_PAGES = 300


@dataclass(frozen=True, slots=True)
class ReadAccount:
    """What was read of an account: one for each currency that it holds, with the rows of all.

    `left_out` is what of it cannot be read, `unread` says that an account is among that.
    """

    accounts: tuple[BankAccount, ...]
    rows: tuple[BankTransaction, ...]
    left_out: tuple[NotRead, ...] = ()
    unread: bool = False


class ListedRows(NamedTuple):
    """What an account's list holds: its rows, and those that are left out."""

    rows: list[ToldRow]
    left_out: list[NotRead]


async def read_account(
    api: EnableBankingApi,
    account: ConsentedAccount,
    since: date | None,
    today: date,
    kept_in: Mapping[str, str],
) -> ReadAccount:
    """Read an account from a day on, all that there is where it is None. Raises BankProviderError."""
    path = f"/accounts/{quote(account.uid, safe='')}"
    number = day_number(today)
    worth = await api.get(
        f"{path}/balances", partial(read_balances, today=number, limit=account.credit_limit)
    )
    listed, first = await _listed(api, account.name, f"{path}/transactions", since, today)
    return await asyncio.to_thread(
        _read, account, worth, listed, since, first, number, dict(kept_in)
    )


def _read(
    account: ConsentedAccount,
    worth: ReadBalances,
    listed: ListedRows,
    since: date | None,
    first: date | None,
    number: int,
    kept_in: Mapping[str, str],
) -> ReadAccount:
    balances, rows = worth.by_currency, listed.rows
    left_out = [*listed.left_out, *odd_fields(account.name, worth.odd)]
    covered = None
    if since is None:
        booked = [row.day for row in rows if row.day is not None and not row.pending]
        covered = day_number(first) if first is not None else min(booked, default=None)
    holders = _holders(account, balances, rows)
    accounts = []
    for currency, holder in holders.items():
        bank_account = _bank_account(
            account, currency, holder, balances.get(currency), covered, len(holders)
        )
        try:
            check_currency(currency, kept_in.get(holder))
        except Unreadable as error:
            left_out.append(NotRead(bank_account.name, str(error)))
        else:
            accounts.append(bank_account)
    read = {bank_account.external_id for bank_account in accounts}
    return ReadAccount(
        tuple(accounts),
        tuple(row for row in named_rows(holders, rows, number) if row.account in read),
        tuple(left_out),
        unread=len(accounts) < len(holders),
    )


def _holders(
    account: ConsentedAccount, balances: Mapping[str, ShownBalance], rows: Sequence[ToldRow]
) -> dict[str, str]:
    """The id of what holds each currency: the account its own, and a part of it each other one."""
    own = [account.currency] if account.currency else []
    currencies = dict.fromkeys([*own, *sorted({*balances, *(row.currency for row in rows)})])
    return {
        currency: account.id if currency == account.currency else f"{account.id} {currency}"
        for currency in currencies
    }


def _bank_account(
    account: ConsentedAccount,
    currency: str,
    holder: str,
    balance: ShownBalance | None,
    covered_since: int | None,
    holders: int,
) -> BankAccount:
    is_own = holder == account.id
    worth = None if balance is None else balance.amount
    if worth is not None and account.kind in ("credit", "loan"):
        # What is owed comes below zero, and a card that was overpaid above; neither sign is dropped.
        worth = -worth
    return BankAccount(
        external_id=holder,
        name=account.name if is_own or holders == 1 else f"{account.name} {currency}",
        mask=account.mask,
        kind=account.kind,
        subtype=account.subtype,
        currency=currency,
        balance=worth,
        credit_limit=account.credit_limit if is_own else None,
        covered_since=covered_since,
        seen_on=None if balance is None else balance.day,
        kind_is_guess=account.kind_is_guess,
    )


async def _listed(
    api: EnableBankingApi, account: str, path: str, since: date | None, today: date
) -> tuple[ListedRows, date | None]:
    """The rows as they are told, and the first day that they are surely whole from, None if unknown."""
    short = today - timedelta(days=SHORT)
    ways = _ways(since, today, short)
    while True:
        first, strategy = ways.pop(0)
        query = [] if first is None else [("date_from", first.isoformat())]
        if strategy is not None:
            query.append(("strategy", strategy))
        try:
            rows = await _pages(api, account, path, query)
        except RefusedRequest as refused:
            if refused.reason == "WRONG_REQUEST_PARAMETERS" and strategy is not None:
                # The bank does not take the strategy, with whatever days.
                ways = [way for way in ways if way[1] is None]
            elif refused.reason != "WRONG_TRANSACTIONS_PERIOD":
                raise
            if not ways:
                raise
        else:
            return rows, first if strategy is None else None


def _ways(since: date | None, today: date, short: date) -> list[tuple[date | None, str | None]]:
    """How to ask, in this order: the first day and the strategy, until the bank takes one."""
    if since is None:
        earliest = today - timedelta(days=HISTORY)
        return [(earliest, "longest"), (None, "longest"), (short, None)]
    if since < short:
        return [(since, "longest"), (short, None)]
    # Some banks give less than others: what they refuse is asked for in the usual length.
    return [(since, None), (None, None)]


async def _pages(
    api: EnableBankingApi, account: str, path: str, query: Sequence[tuple[str, str]]
) -> ListedRows:
    """All pages of a list. A row that came in between moves the others, so it is read once more then."""
    rows, moved = await _all_pages(api, account, path, query)
    if moved:
        rows, _ = await _all_pages(api, account, path, query)
    return rows


async def _all_pages(
    api: EnableBankingApi, account: str, path: str, query: Sequence[tuple[str, str]]
) -> tuple[ListedRows, bool]:
    listed = ListedRows([], [])
    keys: set[str] = set()
    ends: tuple[str, ...] = ()
    count, moved = 0, False
    further: list[tuple[str, str]] = []
    while True:
        page = await api.get(path, partial(read_page, account=account), *query, *further)
        moved = moved or page.goes_on_twice(ends)
        ends = (ends + page.last)[-LONGEST_OVERLAP:]
        listed.rows.extend(page.rows)
        listed.left_out.extend(page.left_out)
        count += page.listed
        # A page may be empty and yet another follow.
        if page.key is None:
            return listed, moved
        if page.key in keys or len(keys) >= MOST_PAGES or count > MOST_ROWS:
            raise api.failure(
                "The bank's list of transactions does not end, so finplan stopped after"
                f" {count:,} transactions. Meanwhile, import the bank's statement files: `finplan"
                " import FILE`."
            )
        keys.add(page.key)
        further = [("continuation_key", page.key)]
