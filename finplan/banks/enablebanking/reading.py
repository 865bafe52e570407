"""One account read at Enable Banking: its balances, and its rows page by page, as far back as wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import quote

from finplan.banks.base import BankAccount, BankTransaction
from finplan.banks.enablebanking.api import EnableBankingApi, RefusedRequest
from finplan.banks.enablebanking.balances import ShownBalance, balances_by_currency
from finplan.banks.enablebanking.consent import ConsentedAccount
from finplan.banks.enablebanking.progress import HISTORY, SHORT
from finplan.banks.enablebanking.rows import ToldRow, named_rows, read_rows
from finplan.banks.http import Unreadable
from finplan.banks.left_out import NotRead, as_kept

MOST_PAGES = 300
MOST_ROWS = 50_000
"""Of one account in one sync; two years of the busiest household are a tenth of it."""

_LONGEST_OVERLAP = 20
"""Rows by which a page that moved is looked for at most."""


@dataclass(frozen=True, slots=True)
class ReadAccount:
    """What was read of an account: one for each currency that it holds, with the rows of all.

    `left_out` is what of it cannot be read, `unread` says that an account is among that.
    """

    accounts: tuple[BankAccount, ...]
    rows: tuple[BankTransaction, ...]
    left_out: tuple[NotRead, ...] = ()
    unread: bool = False


async def read_account(
    api: EnableBankingApi,
    account: ConsentedAccount,
    since: date | None,
    today: date,
    kept_in: Mapping[str, str],
) -> ReadAccount:
    """Read an account from a day on, all that there is where it is None. Raises BankProviderError."""
    path = f"/accounts/{quote(account.uid, safe='')}"
    number = _number(today)
    worth = (await api.get(f"{path}/balances")).get("balances")
    balances = balances_by_currency(worth, number, account.credit_limit)
    listed, first = await _listed(api, f"{path}/transactions", since, today)
    rows, left_out = read_rows(listed, account.name)
    covered = None
    if since is None:
        booked = [row.day for row in rows if row.day is not None and not row.pending]
        covered = _number(first) if first is not None else min(booked, default=None)
    holders = _holders(account, balances, rows)
    accounts = []
    for currency, holder in holders.items():
        told = _bank_account(
            account, currency, holder, balances.get(currency), covered, len(holders)
        )
        try:
            as_kept(currency, kept_in.get(holder))
        except Unreadable as error:
            left_out.append(NotRead(told.name, str(error)))
        else:
            accounts.append(told)
    read = {each.external_id for each in accounts}
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
    held = dict.fromkeys([*own, *sorted({*balances, *(row.currency for row in rows)})])
    return {
        currency: account.id if currency == account.currency else f"{account.id} {currency}"
        for currency in held
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
    api: EnableBankingApi, path: str, since: date | None, today: date
) -> tuple[list[object], date | None]:
    """The rows as they are told, and the first day that they are surely whole from, None if unknown."""
    short = today - timedelta(days=SHORT)
    ways = _ways(since, today, short)
    while True:
        first, strategy = ways.pop(0)
        query = [] if first is None else [("date_from", first.isoformat())]
        if strategy is not None:
            query.append(("strategy", strategy))
        try:
            rows = await _pages(api, path, query)
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
        whole = today - timedelta(days=HISTORY)
        return [(whole, "longest"), (None, "longest"), (short, None)]
    if since < short:
        return [(since, "longest"), (short, None)]
    # Some banks give less than others: what they refuse is asked for in the usual length.
    return [(since, None), (None, None)]


async def _pages(
    api: EnableBankingApi, path: str, query: Sequence[tuple[str, str]]
) -> list[object]:
    """All pages of a list. A row that came in between moves the others, so it is read once more then."""
    rows, moved = await _all_pages(api, path, query)
    if moved:
        rows, _ = await _all_pages(api, path, query)
    return rows


async def _all_pages(
    api: EnableBankingApi, path: str, query: Sequence[tuple[str, str]]
) -> tuple[list[object], bool]:
    rows: list[object] = []
    keys: set[str] = set()
    moved = False
    key: object = None
    while True:
        further = [] if key is None else [("continuation_key", str(key))]
        told = await api.get(path, *query, *further)
        page = told.get("transactions")
        if not isinstance(page, list):
            raise api.failure(
                "Enable Banking cannot be understood: its answer has no list of rows."
            )
        moved = moved or _goes_on_twice(rows, page)
        rows += page
        key = told.get("continuation_key")
        # A page may be empty and yet another follow.
        if key is None or key == "":
            return rows, moved
        if str(key) in keys or len(keys) >= MOST_PAGES or len(rows) > MOST_ROWS:
            raise api.failure(
                f"The bank's list of rows does not end: after {len(rows):,} rows it was given up."
            )
        keys.add(str(key))


def _goes_on_twice(before: Sequence[Any], page: Sequence[Any]) -> bool:
    """Whether a page begins with the rows that the one before ended with."""
    most = min(len(before), len(page), _LONGEST_OVERLAP)
    return any(before[-size:] == page[:size] for size in range(1, most + 1))


def _number(day: date) -> int:
    return day.year * 10_000 + day.month * 100 + day.day
