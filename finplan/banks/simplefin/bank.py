"""The Aggregator of SimpleFIN: a setup token is claimed once, and its access address answers windows."""

import asyncio
import binascii
import shlex
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from urllib.parse import unquote, urlsplit, urlunsplit

from finplan.banks.answer import NotJson
from finplan.banks.base import Access, BankAccount, BankTransaction, Link, SyncPage
from finplan.banks.fields import Unreadable
from finplan.banks.http import BankHttp, BankReply
from finplan.banks.left_out import first_few, told_left_out
from finplan.banks.simplefin.answers import (
    AccountSet,
    read_account_set,
    without_what_waits,
)
from finplan.banks.simplefin.progress import (
    Older,
    ReadSoFar,
    UnknownProgress,
    read_progress,
)
from finplan.model.errors import BankProviderError

BRIDGE = "https://bridge.simplefin.org/simplefin/create"
"""Where a person makes a setup token."""

REQUESTS_A_DAY = 20
"""The bridge expects 24 requests a day, and takes the access of those away who ask much more often."""

_LONGEST_ADDRESS = 2_000
_MOST_NAMES = 10


class SimpleFin:
    """SimpleFIN, by the bridge or by a bank's own server: all accounts of an access in one request."""

    title = "SimpleFIN"
    requests_a_day: int | None = REQUESTS_A_DAY

    def __init__(self, http: BankHttp) -> None:
        self._http = http

    def recognises(self, public_token: str) -> bool:
        """Whether a token is an https address in base64."""
        return _claim_address(public_token) is not None

    async def exchange(self, public_token: str) -> Access:
        """Claim a setup token; the address that it answers is the secret."""
        address = _claim_address(public_token)
        assert address is not None
        reply = await self._http.ask("POST", address, headers={"Content-Length": "0"})
        if reply.status == 403:
            raise self._http.failure(
                "SimpleFIN says that this setup token was claimed before, or never was one. If a link of"
                " yours broke off, it may be there all the same: `finplan connections list` shows it,"
                " and `finplan sync` goes on with it. If you did not claim the token yourself, somebody"
                " else may read your accounts by it: disable it at the bridge. Then make a new one"
                f" there ({BRIDGE}).",
                "login_required",
            )
        if reply.status != 200:
            raise self._refusal(reply)
        secret = reply.body[:_LONGEST_ADDRESS].decode("ascii", "replace").strip()
        if _credentials(secret) is None:
            raise self._http.failure("SimpleFIN answered the setup token with no access address.")
        return Access(secret)

    def after_relink(self, cursor: str | None) -> str | None:
        """The newest window first: a new access knows accounts by other ids."""
        try:
            return cursor and read_progress(cursor).relinked().write()
        except UnknownProgress:
            return None

    async def leave(self, secret: str) -> None:
        """Nothing: only the person can end an access, at the bridge, and nothing is paid for it."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """Answer one window: the newest of all accounts first, then older ones, a page each."""
        try:
            progress = read_progress(cursor)
        except UnknownProgress:
            raise self._http.failure(
                "Where the last sync ended is not known any more. Unlink the bank and link it again."
            ) from None
        # A clock that was set back must not ask for less than is known already.
        today = max(today, progress.recent or today)
        if progress.older is not None and progress.recent == today:
            return await self._older(link, progress, today)
        return await self._newest(link, progress, today)

    async def _newest(self, link: Link, progress: ReadSoFar, today: date) -> SyncPage:
        since = progress.window_since(today)
        found = await self._accounts(link, today, since, None, ())
        return await asyncio.to_thread(self._newest_page, found, progress, today, since)

    def _newest_page(
        self, found: AccountSet, progress: ReadSoFar, today: date, since: date
    ) -> SyncPage:
        is_first = not progress.accounts
        listed = {each.external_id for each in found.accounts}
        whole = listed - found.troubled
        after = progress.after_newest(today, listed, found.troubled, found.partly_read)
        if is_first:
            covered = _number(since)
            accounts = tuple(
                replace(each, covered_since=covered) if each.external_id in whole else each
                for each in found.accounts
            )
        else:
            accounts = found.accounts
        return SyncPage(
            accounts=accounts,
            added=_in_order(found.rows),
            modified=(),
            removed=(),
            cursor=after.write(),
            more=after.older is not None,
            complete=after.older is None and not found.troubles and not found.left_out,
            pending_of=frozenset(whole - found.partly_read),
            lists_all=not found.unread,
            institution=_called(found.accounts),
            trouble=self._told(found),
        )

    async def _older(self, link: Link, progress: ReadSoFar, today: date) -> SyncPage:
        older = progress.older
        assert older is not None
        answer = await self._accounts(link, today, older.since, older.until, older.accounts)
        return await asyncio.to_thread(self._older_page, answer, progress, older)

    def _older_page(self, answer: AccountSet, progress: ReadSoFar, older: Older) -> SyncPage:
        found = without_what_waits(answer)
        lost = found.troubled | found.partly_read
        after = progress.after_older(older, lost, found=bool(found.rows))
        first = _first_days(found.rows)
        return SyncPage(
            accounts=tuple(
                replace(each, covered_since=first.get(each.external_id)) for each in found.accounts
            ),
            added=_in_order(found.rows),
            modified=(),
            removed=(),
            cursor=after.write(),
            more=after.older is not None,
            complete=after.older is None and not found.troubles and not found.left_out,
            trouble=self._told(found),
        )

    async def _accounts(
        self, link: Link, today: date, since: date, until: date | None, accounts: Iterable[str]
    ) -> AccountSet:
        credentials = link.secret and _credentials(link.secret)
        if not credentials:
            raise self._http.failure(
                f"finplan has no access to SimpleFIN any more. {_anew(link.institution)}",
                "login_required",
            )
        root, authorization = credentials
        # A day more on each side: the days of a zone begin earlier or later than those of UTC.
        query = [("version", "2"), ("start-date", _epoch(since - timedelta(days=1)))]
        if until is None:
            query.append(("pending", "1"))
        else:
            query.append(("end-date", _epoch(until + timedelta(days=1))))
        query += [("account", each) for each in accounts]
        await link.count_request()
        reply = await self._http.ask(
            "GET", f"{root}/accounts", query=query, headers={"Authorization": authorization}
        )
        if reply.status != 200:
            raise self._refusal(reply, link.institution)
        read = partial(
            read_account_set, zone=link.zone, today=_number(today), kept_in=dict(link.kept_in)
        )
        try:
            return await self._http.read(reply, read)
        except Unreadable as error:
            raise self._http.failure(f"SimpleFIN cannot be understood: {error}.") from None
        except NotJson:
            raise self._http.failure("SimpleFIN did not answer with JSON.") from None

    def _refusal(self, reply: BankReply, institution: str | None = None) -> BankProviderError:
        if reply.status == 402:
            return self._http.failure(
                "SimpleFIN asks for its payment before it goes on. Pay at the bridge"
                " (https://bridge.simplefin.org); the next sync goes on by itself.",
                "login_required",
            )
        if reply.status in (401, 403):
            return self._http.failure(
                "SimpleFIN gives no access any more: it was disabled at the bridge."
                f" {_anew(institution)}",
                "login_required",
            )
        if reply.status == 429:
            return self._http.failure(
                "SimpleFIN was asked too often today. finplan tries again later.",
                "rate_limited",
            )
        return self._http.failure(
            f"SimpleFIN answered with an error ({reply.status}). finplan tries again later."
        )

    def _told(self, found: AccountSet) -> BankProviderError | None:
        """What a person is told of what was not brought, the banks' own troubles first."""
        unread = told_left_out(self.title, found.left_out)
        if not found.troubles:
            return self._http.failure(unread) if unread else None
        told = first_few(list(dict.fromkeys(_sentence(each.text) for each in found.troubles)))
        if any(each.access_is_over for each in found.troubles):
            return self._http.failure(f"{told} {_anew(None)}", "login_required")
        is_persons = any(each.sign_in for each in found.troubles)
        if is_persons:
            told += " Sign in to that bank at https://bridge.simplefin.org."
        told += f" {unread}" if unread else " The other accounts are up to date."
        return self._http.failure(told, "login_required" if is_persons else "provider_error")


def _anew(institution: str | None) -> str:
    """What to do where an access is over."""
    named = "NAME" if institution is None else shlex.quote(institution)
    return (
        f"Make a new setup token at the bridge ({BRIDGE}), and link it in place of this one:"
        f" `finplan connect simplefin --reconnect {named}`."
    )


def _claim_address(token: str) -> str | None:
    """The address that a setup token leads to, None for what is none."""
    text = "".join(token.split()).replace("-", "+").replace("_", "/")
    try:
        address = b64decode(text + "=" * (-len(text) % 4), validate=True).decode("ascii").strip()
        parts = urlsplit(address)
    except (binascii.Error, ValueError):
        return None
    plain = parts.scheme == "https" and parts.hostname and not parts.username
    return address if plain and address.isprintable() and len(address) <= _LONGEST_ADDRESS else None


def _credentials(secret: str) -> tuple[str, str] | None:
    """The root of an access address without its credentials, and the header that carries them."""
    try:
        parts = urlsplit(secret)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme != "https" or not host or not parts.username or not parts.password:
        return None
    place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    root = urlunsplit(("https", place, parts.path.rstrip("/"), "", ""))
    told = f"{unquote(parts.username)}:{unquote(parts.password)}"
    return root, "Basic " + b64encode(told.encode()).decode()


def _called(accounts: Iterable[BankAccount]) -> str | None:
    """What the banks behind an access are called together."""
    names = list(dict.fromkeys(each.institution for each in accounts if each.institution))
    if not names:
        return None
    if len(names) > _MOST_NAMES:
        names[_MOST_NAMES:] = [f"{len(names) - _MOST_NAMES} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _in_order(rows: Iterable[BankTransaction]) -> tuple[BankTransaction, ...]:
    return tuple(sorted(rows, key=lambda row: (row.day, row.account, row.external_id, row.amount)))


def _first_days(rows: Iterable[BankTransaction]) -> dict[str, int]:
    first: dict[str, int] = {}
    for row in rows:
        first[row.account] = min(row.day, first.get(row.account, row.day))
    return first


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _epoch(day: date) -> str:
    return str(int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()))


def _number(day: date) -> int:
    return day.year * 10_000 + day.month * 100 + day.day
