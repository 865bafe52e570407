"""The page at which a person signs in: Plaid's Hosted Link, opened and looked at without a server."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from finplan.banks.base import OpenedPage, PageDone, PageLeft, PageWanted
from finplan.banks.fields import read_instant, remark, try_read
from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidApi, PlaidRefused
from finplan.banks.plaid.errors import ITEM_IS_GONE, told

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

    async def begin(self, wanted: PageWanted) -> OpenedPage:
        """Open a page; for an access that is over, one for another. Raises BankProviderError."""
        try:
            if wanted.secret is not None:
                try:
                    return await self._open(wanted, access_token=wanted.secret)
                except PlaidRefused as refused:
                    if refused.code not in ITEM_IS_GONE:
                        raise
            try:
                return await self._open_new(wanted, _CONSENTS)
            except PlaidRefused as refused:
                # Not everybody's keys may ask for more than rows.
                if refused.code not in ("INVALID_PRODUCT", "INVALID_FIELD"):
                    raise
            return await self._open_new(wanted, ())
        except PlaidRefused as refused:
            raise told(refused, wanted.institution) from None

    async def look(self, ticket: str) -> PageDone | PageLeft | None:
        """What came of a page: the first bank that was signed in at, on whichever visit.

        By the ticket of a further one it is the next, of the same visit or a later one.
        """
        asked = json.loads(ticket)
        nth: int = asked.get("nth", 0)
        try:
            answer = await self._api.ask("/link/token/get", link_token=asked["token"])
        except PlaidRefused as refused:
            raise told(refused) from None
        listed = answer.get("link_sessions")
        sessions = [each for each in listed if isinstance(each, dict)] if listed else []
        done: list[PageDone] = [
            each for session in sessions for each in _done(session, update=asked["update"])
        ]
        if asked["update"]:
            return done[0] if done else _left_last(sessions)
        if nth < len(done):
            return replace(done[nth], further=json.dumps(asked | {"nth": nth + 1}))
        return None if nth else _left_last(sessions)

    async def _open_new(self, wanted: PageWanted, consents: tuple[str, ...]) -> OpenedPage:
        return await self._open(
            wanted,
            products=["transactions"],
            transactions={"days_requested": HISTORY},
            **({"additional_consented_products": list(consents)} if consents else {}),
        )

    async def _open(self, wanted: PageWanted, **more: Any) -> OpenedPage:
        answer = await self._api.ask(
            "/link/token/create",
            client_name=CALLED,
            language="en",
            country_codes=list(self._api.keys.countries),
            user={"client_user_id": wanted.owner},
            hosted_link={},
            **more,
        )
        url, token = answer.get("hosted_link_url"), answer.get("link_token")
        if not (isinstance(url, str) and url.startswith("https://") and isinstance(token, str)):
            raise self._http.failure(
                "Plaid opened no page of its own to sign in at. Ask its support to enable Hosted Link"
                " for your keys: https://dashboard.plaid.com."
            )
        ends = try_read(read_instant, answer.get("expiration"))
        if ends is None:
            raise self._http.failure("Plaid does not say how long its page is open.")
        ticket = json.dumps({"token": token, "update": "access_token" in more})
        return OpenedPage(url, int(ends.timestamp() * 1000), ticket)


def environment_of(public_token: str) -> str | None:
    """The environment that a token of Plaid's page is of; None for what is none."""
    found = _PUBLIC_TOKEN.fullmatch(public_token.strip())
    return found and found[1]


def _done(session: dict[str, Any], *, update: bool) -> Iterator[PageDone]:
    """What a visit of the page gave: each sign-in once."""
    results, success = session.get("results"), session.get("on_success")
    added = results.get("item_add_results") if isinstance(results, dict) else None
    found = [each for each in added if isinstance(each, dict)] if isinstance(added, list) else []
    if not found and isinstance(success, dict):
        metadata = success.get("metadata")
        found = [{**(metadata if isinstance(metadata, dict) else {}), **success}]
    for each in found:
        token = each.get("public_token")
        if update:
            yield PageDone()
        elif isinstance(token, str) and environment_of(token) is not None:
            told = each.get("institution")
            institution = told if isinstance(told, dict) else {}
            yield PageDone(
                token,
                remark(institution.get("name")) or None,
                remark(institution.get("institution_id")) or None,
            )


def _left_last(sessions: list[dict[str, Any]]) -> PageLeft | None:
    return _left(sessions[-1]) if sessions else None


def _left(session: dict[str, Any]) -> PageLeft | None:
    """How a visit of the page ended that gave nothing, None while it goes on."""
    exit_told = session.get("exit") or session.get("on_exit")
    if not session.get("finished_at") and not exit_told:
        return None
    error = exit_told.get("error") if isinstance(exit_told, dict) else None
    said = remark(error.get("display_message")) if isinstance(error, dict) else ""
    code = PlaidRefused(400, error).code if isinstance(error, dict) else ""
    why = f" Plaid says: {said or code}." if said or code else ""
    return PageLeft(
        f"You left Plaid's page before a bank was linked.{why.replace('..', '.')} Open the page again"
        " while it is open, or begin anew: `finplan connect plaid`."
    )
