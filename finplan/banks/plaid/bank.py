"""The Aggregator of Plaid, by the person's own keys: an item is a login, with all its accounts.

A person signs in at Plaid's Hosted Link, a page that is opened and looked at without a server.
"""

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from finplan.banks import base
from finplan.banks.answer import Unreadable, day_number, read_millis, remark, told_left_out
from finplan.banks.http import BankHttp
from finplan.banks.plaid import answers
from finplan.banks.plaid.api import ITEM_IS_GONE, PlaidApi, PlaidKeys, PlaidRefused, told_refusal
from finplan.banks.plaid.changes import Changes, NeverStill, ReadUpdate, gather, read_update
from finplan.model.errors import BadRequest, BankProviderError

HISTORY = 730
"""Days of history that are asked for; no later request can raise it."""

CALLED = "finplan"
"""What the page calls who asks."""

_CONSENTS = ("liabilities", "investments")
"""What the person is asked to let Plaid see besides rows: rates, payments, accounts of these kinds."""

_PUBLIC_TOKEN = re.compile(r"public-(sandbox|development|production)-[A-Za-z0-9-]{1,200}")


class PlaidPage:
    """Hosted Link, for the keys of an API."""

    def __init__(self, api: PlaidApi, http: BankHttp) -> None:
        self._api = api
        self._http = http

    async def begin(self, request: base.PageWanted) -> base.OpenedPage:
        """Open a page; for an access that is over, one for another. Raises BankProviderError."""
        try:
            if request.secret is not None:
                try:
                    return await self._open(request, access_token=request.secret)
                except PlaidRefused as refused:
                    if refused.code not in ITEM_IS_GONE:
                        raise
            try:
                return await self._open_new(request, _CONSENTS)
            except PlaidRefused as refused:
                # Not everybody's keys may ask for more than rows.
                if refused.code not in ("INVALID_PRODUCT", "INVALID_FIELD"):
                    raise
            return await self._open_new(request, ())
        except PlaidRefused as refused:
            raise told_refusal(refused, request.institution) from None

    async def look(self, ticket: str) -> base.PageDone | base.PageLeft | None:
        """What came of a page: the first bank that was signed in at, on whichever visit.

        By the ticket of a further one it is the next, of the same visit or a later one.
        """
        state = json.loads(ticket)
        nth: int = state.get("nth", 0)
        try:
            answer = await self._api.ask("/link/token/get", link_token=state["token"])
        except PlaidRefused as refused:
            raise told_refusal(refused) from None
        listed = answer.get("link_sessions")
        sessions = [session for session in listed if isinstance(session, dict)] if listed else []
        done: list[base.PageDone] = [
            page for session in sessions for page in _done_at_page(session, update=state["update"])
        ]
        if state["update"]:
            return done[0] if done else _left_last_at_page(sessions)
        if nth < len(done):
            return replace(done[nth], further=json.dumps(state | {"nth": nth + 1}))
        return None if nth else _left_last_at_page(sessions)

    async def _open_new(
        self, request: base.PageWanted, consents: tuple[str, ...]
    ) -> base.OpenedPage:
        return await self._open(
            request,
            products=["transactions"],
            transactions={"days_requested": HISTORY},
            **({"additional_consented_products": list(consents)} if consents else {}),
        )

    async def _open(self, request: base.PageWanted, **options: Any) -> base.OpenedPage:
        answer = await self._api.ask(
            "/link/token/create",
            client_name=CALLED,
            language="en",
            country_codes=list(self._api.keys.countries),
            user={"client_user_id": request.owner},
            hosted_link={},
            **options,
        )
        url, token = answer.get("hosted_link_url"), answer.get("link_token")
        if not (isinstance(url, str) and url.startswith("https://") and isinstance(token, str)):
            raise self._http.failure(
                "Plaid opened no sign-in page. Ask Plaid's support to enable Hosted Link for your"
                " keys: https://dashboard.plaid.com."
            )
        ends = read_millis(answer.get("expiration"))
        if ends is None:
            raise self._http.failure("Plaid did not say when its page closes. Try again later.")
        ticket = json.dumps({"token": token, "update": "access_token" in options})
        return base.OpenedPage(url, ends, ticket)


def environment_of(public_token: str) -> str | None:
    """The environment that a token of Plaid's page is of; None for what is none."""
    match = _PUBLIC_TOKEN.fullmatch(public_token.strip())
    return match and match[1]


def _done_at_page(session: dict[str, Any], *, update: bool) -> Iterator[base.PageDone]:
    """What a visit of the page gave: each sign-in once."""
    results, success = session.get("results"), session.get("on_success")
    added = results.get("item_add_results") if isinstance(results, dict) else None
    items = [item for item in added if isinstance(item, dict)] if isinstance(added, list) else []
    if not items and isinstance(success, dict):
        metadata = success.get("metadata")
        items = [{**(metadata if isinstance(metadata, dict) else {}), **success}]
    for item in items:
        token = item.get("public_token")
        if update:
            yield base.PageDone()
        elif isinstance(token, str) and environment_of(token) is not None:
            bank = item.get("institution")
            institution = bank if isinstance(bank, dict) else {}
            yield base.PageDone(
                token,
                remark(institution.get("name")) or None,
                remark(institution.get("institution_id")) or None,
            )


def _left_last_at_page(sessions: list[dict[str, Any]]) -> base.PageLeft | None:
    """How the last visit of the page ended that gave nothing, None while it goes on."""
    session = sessions[-1] if sessions else {}
    exit_told = session.get("exit") or session.get("on_exit")
    if not session.get("finished_at") and not exit_told:
        return None
    error = exit_told.get("error") if isinstance(exit_told, dict) else None
    display = remark(error.get("display_message")) if isinstance(error, dict) else ""
    code = PlaidRefused(400, error).code if isinstance(error, dict) else ""
    why = f" Plaid says: {display or code}." if display or code else ""
    return base.PageLeft(
        f"You left Plaid's page before a bank was linked.{why.replace('..', '.')} Open the page"
        " again before it expires, or begin again: `finplan connect plaid`."
    )


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

    async def begin(self, request: base.PageWanted) -> base.OpenedPage:
        """Open a page to link a bank, or to sign in again at the one that an access is of."""
        return await self._page.begin(request)

    async def look(self, ticket: str) -> base.PageDone | base.PageLeft | None:
        """What came of a page."""
        return await self._page.look(ticket)

    async def exchange(self, public_token: str) -> base.Access:
        """Exchange what the page gave. Raises BadRequest for a token of the other environment."""
        environment, own = environment_of(public_token), self._api.keys.environment
        if environment != own:
            raise BadRequest(
                f"This token is for Plaid's {environment} environment, but finplan uses {own}."
                " Correct `plaid_environment` (`finplan config`)."
            )
        try:
            answer = await self._api.ask("/item/public_token/exchange", public_token=public_token)
        except PlaidRefused as refused:
            raise told_refusal(refused) from None
        secret = answer.get("access_token")
        if not isinstance(secret, str) or not secret:
            raise self._http.failure(
                "Plaid did not give access for the token. Begin again: `finplan connect plaid`."
            )
        return base.Access(secret)

    def after_relink(self, _cursor: str | None) -> str | None:
        """None: a new item has a history of its own."""
        return None

    async def leave(self, secret: str) -> None:
        """Remove the item, so that Plaid asks no price for it any more."""
        try:
            await self._api.ask("/item/remove", access_token=secret)
        except PlaidRefused as refused:
            if refused.code not in ITEM_IS_GONE:
                raise told_refusal(refused) from None

    async def sync(self, link: base.Link, cursor: str | None, today: date) -> base.SyncPage:
        """All that changed since a cursor, in one page."""
        if not link.secret:
            raise self._http.failure(
                "finplan no longer has access to the bank. Link it again: `finplan connect"
                " plaid --reconnect NAME`.",
                "login_required",
            )
        try:
            # Of a history that Plaid had not begun to read there was no cursor.
            return await self._sync(link, link.secret, cursor or None, day_number(today))
        except PlaidRefused as refused:
            raise told_refusal(refused, link.institution) from None
        except NeverStill:
            raise self._http.failure(
                f"The transactions of {link.institution} kept changing during the sync. finplan"
                " reads them again later."
            ) from None
        except Unreadable as error:
            raise self._http.failure(
                f"finplan cannot read Plaid's answer: {error}. finplan tries again at the next"
                " sync."
            ) from None

    async def _sync(
        self, link: base.Link, secret: str, cursor: str | None, today: int
    ) -> base.SyncPage:
        changes = await gather(partial(self._changes, secret), cursor)
        item = await self._item(link, secret)
        listed = await self._api.read("/accounts/get", answers.read_accounts, access_token=secret)
        read = await asyncio.to_thread(read_update, changes, listed, link.kept_in)
        debts = await self._debts(secret, read.accounts.values(), item)
        return await asyncio.to_thread(
            self._page_of, link, cursor, today, changes=changes, item=item, read=read, debts=debts
        )

    def _page_of(
        self,
        link: base.Link,
        cursor: str | None,
        today: int,
        *,
        changes: Changes,
        item: answers.ItemTold,
        read: ReadUpdate,
        debts: Mapping[str, answers.PlaidDebt],
    ) -> base.SyncPage:
        accounts, odd = answers.with_debts(read.accounts.values(), debts)
        rows, left_out = read.rows, (*read.left_out, *odd)
        is_whole = changes.from_beginning and changes.cursor is not None
        reached = read.whole_of if is_whole else frozenset()
        # A cursor that was refused is refused again, and all is compared again then. One after what was
        # left out would never bring it again.
        following = None if read.lacks_rows else changes.cursor
        return base.SyncPage(
            accounts=_date_accounts(accounts, item, today, rows),
            added=tuple(row for row in rows if row.external_id not in changes.modified),
            modified=tuple(row for row in rows if row.external_id in changes.modified),
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
        request: dict[str, Any] = {
            "access_token": secret,
            "count": ROWS_A_PAGE,
            "options": {"include_original_description": True},
        }
        if cursor is not None:
            request["cursor"] = cursor
        return await self._api.read("/transactions/sync", answers.read_page, **request)

    async def _item(self, link: base.Link, secret: str) -> answers.ItemTold:
        """What is known of the item, nothing where Plaid does not say it now."""
        try:
            return answers.read_item(
                await self._api.ask("/item/get", access_token=secret), link.zone
            )
        except (PlaidRefused, BankProviderError):
            return answers.ItemTold()

    async def _debts(
        self, secret: str, accounts: Iterable[base.BankAccount], item: answers.ItemTold
    ) -> Mapping[str, answers.PlaidDebt]:
        """Rates and payments by the ids of accounts, where the person let Plaid tell them."""
        owes = any(account.kind in _OWED for account in accounts)
        if not owes or (item.products and "liabilities" not in item.products):
            return {}
        try:
            return await self._api.read("/liabilities/get", answers.read_debts, access_token=secret)
        except (PlaidRefused, BankProviderError):
            # Rows and balances are as good without; what was told of rates before stays.
            return {}

    def _trouble(
        self, item: answers.ItemTold, link: base.Link, unread: str
    ) -> BankProviderError | None:
        """What the item ails from though its rows could be read, old as they are then, and what not."""
        if item.error is None:
            return self._http.failure(unread) if unread else None
        ails = told_refusal(PlaidRefused(400, item.error), link.institution)
        if not unread:
            return ails
        message = f"{ails.message} {unread}"
        return BankProviderError(message, ails.provider, ails.failure, lasting=ails.lasting)


def _date_accounts(
    accounts: Iterable[base.BankAccount],
    item: answers.ItemTold,
    today: int,
    rows: Iterable[base.BankTransaction],
) -> tuple[base.BankAccount, ...]:
    """The accounts with the days that each is known of."""
    first = base.first_days(rows)
    seen_on = None if item.seen_on is None else min(item.seen_on, today)
    return tuple(
        replace(account, covered_since=first.get(account.external_id), seen_on=seen_on)
        for account in accounts
    )
