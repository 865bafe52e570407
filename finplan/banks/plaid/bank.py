"""The Aggregator of Plaid, by the person's own keys: an item is a login, with all its accounts."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from finplan.banks.base import (
    Access,
    BankAccount,
    BankTransaction,
    Link,
    OpenedPage,
    PageDone,
    PageLeft,
    PageWanted,
    SyncPage,
)
from finplan.banks.fields import Unreadable
from finplan.banks.http import BankHttp
from finplan.banks.left_out import told_left_out
from finplan.banks.plaid.answers import ItemTold, PlaidDebt, read_debts, read_item, with_debts
from finplan.banks.plaid.api import PlaidApi, PlaidKeys, PlaidRefused
from finplan.banks.plaid.changes import Changes, NeverStill, gather
from finplan.banks.plaid.errors import ITEM_IS_GONE, told
from finplan.banks.plaid.listed import read_accounts, read_page
from finplan.banks.plaid.page import PlaidPage, environment_of
from finplan.banks.plaid.reading import ReadUpdate, read_update
from finplan.model.errors import BadRequest, BankProviderError

ROWS_A_PAGE = 500
"""The most that Plaid gives at once."""

_OWED = frozenset({"credit", "loan"})


class Plaid:
    """Plaid, asked with one person's keys."""

    title = "Plaid"
    requests_a_day: int | None = None

    def __init__(self, http: BankHttp, keys: PlaidKeys) -> None:
        self._http = http
        self._api = PlaidApi(http, keys)
        self._page = PlaidPage(self._api, http)

    def recognises(self, public_token: str) -> bool:
        """Whether a token is one that Plaid's page gives."""
        return environment_of(public_token) is not None

    def state_of(self, _public_token: str) -> str | None:
        """None: what Plaid's page gives is told by Plaid itself."""
        return None

    async def begin(self, wanted: PageWanted) -> OpenedPage:
        """Open a page to link a bank, or to sign in again at the one that an access is of."""
        return await self._page.begin(wanted)

    async def look(self, ticket: str) -> PageDone | PageLeft | None:
        """What came of a page."""
        return await self._page.look(ticket)

    async def exchange(self, public_token: str) -> Access:
        """Exchange what the page gave. Raises BadRequest for a token of the other environment."""
        environment, own = environment_of(public_token), self._api.keys.environment
        if environment != own:
            raise BadRequest(
                f"This token is of Plaid's environment {environment}, and this daemon is set up for"
                f" {own}: see `plaid_environment` in `finplan config`."
            )
        try:
            answer = await self._api.ask("/item/public_token/exchange", public_token=public_token)
        except PlaidRefused as refused:
            raise told(refused) from None
        secret = answer.get("access_token")
        if not isinstance(secret, str) or not secret:
            raise self._http.failure("Plaid answered the token with no access.")
        return Access(secret)

    def after_relink(self, _cursor: str | None) -> str | None:
        """None: a new item has a history of its own."""
        return None

    async def leave(self, secret: str) -> None:
        """Remove the item, so that Plaid asks no price for it any more."""
        try:
            await self._api.ask("/item/remove", access_token=secret)
        except PlaidRefused as refused:
            if refused.code not in ITEM_IS_GONE:
                raise told(refused) from None

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """All that changed since a cursor, in one page."""
        if not link.secret:
            raise self._http.failure(
                "The access to the bank is not there any more. Link it anew: `finplan connect plaid"
                " --reconnect NAME`.",
                "login_required",
            )
        try:
            # Of a history that Plaid had not begun to read there was no cursor.
            return await self._sync(link, link.secret, cursor or None, _number(today))
        except PlaidRefused as refused:
            raise told(refused, link.institution) from None
        except NeverStill:
            raise self._http.failure(
                f"The rows of {link.institution} changed each time that they were read. They are read"
                " again by itself, later."
            ) from None
        except Unreadable as error:
            raise self._http.failure(f"Plaid cannot be understood: {error}.") from None

    async def _sync(self, link: Link, secret: str, cursor: str | None, today: int) -> SyncPage:
        changes = await gather(partial(self._changes, secret), cursor)
        item = await self._item(link, secret)
        listed = await self._api.read("/accounts/get", read_accounts, access_token=secret)
        read = await asyncio.to_thread(read_update, changes, listed, link.kept_in)
        debts = await self._debts(secret, read.accounts.values(), item)
        return await asyncio.to_thread(
            self._page_of, link, cursor, today, changes=changes, item=item, read=read, debts=debts
        )

    def _page_of(
        self,
        link: Link,
        cursor: str | None,
        today: int,
        *,
        changes: Changes,
        item: ItemTold,
        read: ReadUpdate,
        debts: Mapping[str, PlaidDebt],
    ) -> SyncPage:
        accounts, odd = with_debts(read.accounts.values(), debts)
        rows, left_out = read.rows, (*read.left_out, *odd)
        is_whole = changes.from_beginning and changes.cursor is not None
        reached = read.whole if is_whole else frozenset()
        # A cursor that was refused is refused again, and all is compared again then. One after what was
        # left out would never bring it again.
        following = None if read.lacks_rows else changes.cursor
        return SyncPage(
            accounts=_seen(accounts, item, today, rows),
            added=tuple(each for each in rows if each.external_id not in changes.modified),
            modified=tuple(each for each in rows if each.external_id in changes.modified),
            removed=tuple(changes.removed),
            cursor=following or cursor or "",
            complete=changes.is_complete and not left_out,
            pending_of=reached,
            whole_of=reached,
            lists_all=read.has_all_accounts,
            institution=item.institution,
            institution_id=item.institution_id,
            access_ends=item.consent_ends,
            trouble=self._trouble(item, link, told_left_out(self.title, left_out)),
        )

    async def _changes(self, secret: str, cursor: str | None) -> dict[str, Any]:
        asked: dict[str, Any] = {
            "access_token": secret,
            "count": ROWS_A_PAGE,
            "options": {"include_original_description": True},
        }
        if cursor is not None:
            asked["cursor"] = cursor
        return await self._api.read("/transactions/sync", read_page, **asked)

    async def _item(self, link: Link, secret: str) -> ItemTold:
        """What is known of the item, nothing where Plaid does not say it now."""
        try:
            return read_item(await self._api.ask("/item/get", access_token=secret), link.zone)
        except (PlaidRefused, BankProviderError):
            return ItemTold()

    async def _debts(
        self, secret: str, accounts: Iterable[BankAccount], item: ItemTold
    ) -> Mapping[str, PlaidDebt]:
        """Rates and payments by the ids of accounts, where the person let Plaid tell them."""
        owes = any(each.kind in _OWED for each in accounts)
        if not owes or (item.products and "liabilities" not in item.products):
            return {}
        try:
            return await self._api.read("/liabilities/get", read_debts, access_token=secret)
        except (PlaidRefused, BankProviderError):
            # Rows and balances are as good without; what was told of rates before stays.
            return {}

    def _trouble(self, item: ItemTold, link: Link, unread: str) -> BankProviderError | None:
        """What the item ails from though its rows could be read, old as they are then, and what not."""
        if item.error is None:
            return self._http.failure(unread) if unread else None
        ails = told(PlaidRefused(400, item.error), link.institution)
        if not unread:
            return ails
        message = f"{ails.message} {unread}"
        return BankProviderError(message, ails.provider, ails.failure, lasting=ails.lasting)


def _seen(
    accounts: Iterable[BankAccount], item: ItemTold, today: int, rows: Iterable[BankTransaction]
) -> tuple[BankAccount, ...]:
    """The accounts with the days that each is known of."""
    first: dict[str, int] = {}
    for row in rows:
        if not row.pending:
            first[row.account] = min(row.day, first.get(row.account, row.day))
    seen_on = None if item.seen_on is None else min(item.seen_on, today)
    return tuple(
        replace(each, covered_since=first.get(each.external_id), seen_on=seen_on)
        for each in accounts
    )


def _number(day: date) -> int:
    return day.year * 10_000 + day.month * 100 + day.day
