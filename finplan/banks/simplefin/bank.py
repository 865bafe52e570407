"""The Aggregator of SimpleFIN: a setup token is claimed once, and its address answers windows.

A server gives a window of days at a time and allows few requests a day. So a sync asks for the newest
window of all accounts at once, then for older ones, a page each, until two in a row bring nothing. How
far a connection has been read is the newest day of each account, and what is left behind.
"""

import asyncio
import binascii
import json
import shlex
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from urllib.parse import unquote, urlsplit, urlunsplit

from finplan.banks.answer import day_number, first_few, told_left_out
from finplan.banks.base import Access, BankAccount, Link, SyncPage, first_days, in_order
from finplan.banks.http import BankHttp, BankReply
from finplan.banks.simplefin.answers import AccountSet, read_account_set, without_what_waits
from finplan.model.errors import BankProviderError

WINDOW = 60
"""Days that one request asks for; servers cut at 90, and some banks before that."""

LATE = 14
"""Days by which a row may come after its own day, so that so many are asked for again."""

EMPTY_WINDOWS = 2
MOST_WINDOWS = 5
"""How many older windows a first sync asks for at most, beside the newest."""


class UnknownProgress(Exception):
    """A cursor that this module did not write."""


@dataclass(frozen=True, slots=True)
class Older:
    """What is still to be asked for before `until`, not that day itself, newest first.

    `down_to` is where it ends for certain, None to go on until `EMPTY_WINDOWS` in a row are `empty` or
    `windows` are `MOST_WINDOWS`. `accounts` are whose rows are wanted, none for all.
    """

    until: date
    down_to: date | None = None
    empty: int = 0
    windows: int = 0
    accounts: tuple[str, ...] = ()

    @property
    def since(self) -> date:
        """The first day of the next window."""
        since = self.until - timedelta(days=WINDOW)
        return since if self.down_to is None else max(since, self.down_to)

    def after(self, *, has_rows: bool) -> "Older | None":
        """What is left once that window was answered; `has_rows` says that it held any."""
        empty = 0 if has_rows else self.empty + 1
        remaining = replace(self, until=self.since, empty=empty, windows=self.windows + 1)
        if self.down_to is not None:
            return remaining if remaining.until > self.down_to else None
        return remaining if empty < EMPTY_WINDOWS and remaining.windows < MOST_WINDOWS else None


@dataclass(frozen=True, slots=True)
class ReadSoFar:
    """The day through which each account was read, the day of the newest window, and what is left."""

    accounts: Mapping[str, date] = field(default_factory=dict)
    recent: date | None = None
    older: Older | None = None

    def window_since(self, today: date) -> date:
        """The first day of the newest window as it is to be asked for now."""
        since = min(self.accounts.values(), default=None)
        oldest = today - timedelta(days=WINDOW - 1)
        return oldest if since is None else max(oldest, min(since, today) - timedelta(days=LATE))

    def after_newest(
        self,
        today: date,
        listed: Iterable[str],
        troubled: Iterable[str],
        partly_read: Iterable[str] = (),
    ) -> "ReadSoFar":
        """The progress once the newest window was answered for the `listed` accounts.

        Those in trouble stay where they were. Those that were partly read are asked for all of the
        window again. What lies between an account's last day and the window, and the past of accounts
        that are new, is left to be asked for.
        """
        since, full = self.window_since(today), set(listed) - set(troubled)
        new = tuple(sorted(full - self.accounts.keys()))
        gap = min((self.accounts[name] for name in full & self.accounts.keys()), default=today)
        older = self.older
        if new:
            of = () if len(new) == len(set(listed)) else new
            older = _join_older(older, Older(since, accounts=of))
        if gap - timedelta(days=LATE) < since:
            older = _join_older(older, Older(since, down_to=gap - timedelta(days=LATE)))
        # An account that is in trouble or gone for a while is read on from where it stood.
        through = dict.fromkeys(full, today)
        through |= dict.fromkeys(full & set(partly_read), min(since + timedelta(days=LATE), today))
        return ReadSoFar({**self.accounts, **through}, today, older)

    def after_older(
        self, older: Older, troubled: Collection[str], *, has_rows: bool
    ) -> "ReadSoFar":
        """The progress once an older window was answered; `has_rows` says that it held rows.

        Of an account in trouble the window is asked for again with all before it, once the newest one is
        whole: as of one that was never read. Trouble without a name may be of any.
        """
        accounts = set(older.accounts or self.accounts)
        lost = accounts if "" in troubled else accounts & set(troubled)
        days = {name: day for name, day in self.accounts.items() if name not in lost}
        return replace(self, accounts=days, older=older.after(has_rows=has_rows))

    def relinked(self) -> "ReadSoFar":
        """The progress under a new access, by which accounts may have other ids: all are asked for."""
        older = self.older and replace(self.older, accounts=())
        return replace(self, recent=None, older=older)

    def write(self) -> str:
        """The cursor that says so."""
        state: dict[str, object] = {
            "accounts": {name: day.isoformat() for name, day in sorted(self.accounts.items())},
            "recent": self.recent and self.recent.isoformat(),
        }
        if self.older is not None:
            older = self.older
            state["older"] = {
                "until": older.until.isoformat(),
                "downTo": older.down_to and older.down_to.isoformat(),
                "empty": older.empty,
                "asked": older.windows,
                "accounts": list(older.accounts),
            }
        return json.dumps(state)


def read_progress(cursor: str | None) -> ReadSoFar:
    """The progress that a cursor says. Raises UnknownProgress."""
    if cursor is None:
        return ReadSoFar()
    try:
        state = json.loads(cursor)
        older = state.get("older")
        return ReadSoFar(
            {name: date.fromisoformat(day) for name, day in state["accounts"].items()},
            _maybe_day(state["recent"]),
            older
            and Older(
                date.fromisoformat(older["until"]),
                _maybe_day(older["downTo"]),
                int(older["empty"]),
                int(older["asked"]),
                tuple(map(str, older["accounts"])),
            ),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnknownProgress from error


def _join_older(first: Older | None, second: Older) -> Older:
    """What asks for all that two want: from the later end on, as far back as either goes."""
    if first is None:
        return second
    is_open = first.down_to is None or second.down_to is None
    down_to = None if is_open else min(filter(None, (first.down_to, second.down_to)))
    accounts = () if not (first.accounts and second.accounts) else first.accounts + second.accounts
    return Older(max(first.until, second.until), down_to, accounts=tuple(dict.fromkeys(accounts)))


def _maybe_day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)


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
                "SimpleFIN says that this setup token was used before, or is not valid. If"
                " linking was interrupted, look at `finplan connections list` and run `finplan"
                " sync`. If somebody else used the token, they can read your accounts. Disable the"
                f" token at the bridge, and make a new one ({BRIDGE}).",
                "login_required",
            )
        if reply.status != 200:
            raise self._refusal(reply)
        secret = reply.body[:_LONGEST_ADDRESS].decode("ascii", "replace").strip()
        if _credentials(secret) is None:
            raise self._http.failure(
                "SimpleFIN did not give access for the setup token. Make a new token at the"
                " bridge, and try again."
            )
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
                "finplan lost track of the last sync. Unlink the bank and link it again."
            ) from None
        # A clock that was set back must not ask for less than is known already.
        today = max(today, progress.recent or today)
        if progress.older is not None and progress.recent == today:
            return await self._older(link, progress, progress.older, today)
        return await self._newest(link, progress, today)

    async def _newest(self, link: Link, progress: ReadSoFar, today: date) -> SyncPage:
        since = progress.window_since(today)
        answer = await self._accounts(link, today, since, None, ())
        return await asyncio.to_thread(self._newest_page, answer, progress, today, since)

    def _newest_page(
        self, answer: AccountSet, progress: ReadSoFar, today: date, since: date
    ) -> SyncPage:
        listed = {account.external_id for account in answer.accounts}
        full = listed - answer.troubled
        covered = {} if progress.accounts else dict.fromkeys(full, day_number(since))
        after = progress.after_newest(today, listed, answer.troubled, answer.partly_read)
        return replace(
            self._page(answer, after, covered),
            pending_of=frozenset(full - answer.partly_read),
            lists_all=not answer.unread,
            institution=_called(answer.accounts),
        )

    async def _older(self, link: Link, progress: ReadSoFar, older: Older, today: date) -> SyncPage:
        answer = await self._accounts(link, today, older.since, older.until, older.accounts)
        return await asyncio.to_thread(self._older_page, answer, progress, older)

    def _older_page(self, answer: AccountSet, progress: ReadSoFar, older: Older) -> SyncPage:
        booked = without_what_waits(answer)
        lost = booked.troubled | booked.partly_read
        after = progress.after_older(older, lost, has_rows=bool(booked.rows))
        return self._page(booked, after, first_days(booked.rows))

    def _page(self, answer: AccountSet, after: ReadSoFar, covered: Mapping[str, int]) -> SyncPage:
        """What every window brings; `covered` is since when some accounts' rows are known by it."""
        return SyncPage(
            accounts=tuple(
                replace(account, covered_since=covered.get(account.external_id))
                for account in answer.accounts
            ),
            added=in_order(answer.rows),
            modified=(),
            removed=(),
            cursor=after.write(),
            more=after.older is not None,
            complete=after.older is None and not answer.troubles and not answer.left_out,
            trouble=self._describe_troubles(answer),
        )

    async def _accounts(
        self, link: Link, today: date, since: date, until: date | None, accounts: Iterable[str]
    ) -> AccountSet:
        credentials = link.secret and _credentials(link.secret)
        if not credentials:
            raise self._http.failure(
                f"finplan no longer has access to SimpleFIN. {_anew(link.institution)}",
                "login_required",
            )
        root, authorization = credentials
        # A day more on each side: the days of a zone begin earlier or later than those of UTC.
        query = [("version", "2"), ("start-date", _epoch(since - timedelta(days=1)))]
        if until is None:
            query.append(("pending", "1"))
        else:
            query.append(("end-date", _epoch(until + timedelta(days=1))))
        query += [("account", account) for account in accounts]
        await link.count_request()
        reply = await self._http.ask(
            "GET", f"{root}/accounts", query=query, headers={"Authorization": authorization}
        )
        if reply.status != 200:
            raise self._refusal(reply, link.institution)
        read = partial(
            read_account_set, zone=link.zone, today=day_number(today), kept_in=dict(link.kept_in)
        )
        return await self._http.read(reply, read)

    def _refusal(self, reply: BankReply, institution: str | None = None) -> BankProviderError:
        if reply.status == 402:
            return self._http.failure(
                "SimpleFIN requires a payment before you can continue. Pay at the bridge"
                " (https://bridge.simplefin.org); the next sync then continues.",
                "login_required",
            )
        if reply.status in (401, 403):
            return self._http.failure(
                "SimpleFIN no longer gives access: the access was disabled at the bridge."
                f" {_anew(institution)}",
                "login_required",
            )
        if reply.status == 429:
            return self._http.failure(
                "SimpleFIN allows no more requests today. finplan tries again later.",
                "rate_limited",
            )
        return self._http.failure(
            f"SimpleFIN answered with an error ({reply.status}). finplan tries again later."
        )

    def _describe_troubles(self, answer: AccountSet) -> BankProviderError | None:
        """What a person is told of what was not brought, the banks' own troubles first."""
        unread = told_left_out(self.title, answer.left_out)
        if not answer.troubles:
            return self._http.failure(unread) if unread else None
        text = first_few(
            list(dict.fromkeys(_sentence(trouble.text) for trouble in answer.troubles))
        )
        if any(trouble.access_is_over for trouble in answer.troubles):
            return self._http.failure(f"{text} {_anew(None)}", "login_required")
        is_persons = any(trouble.sign_in for trouble in answer.troubles)
        if is_persons:
            text += " Sign in to that bank at https://bridge.simplefin.org."
        text += f" {unread}" if unread else " The other accounts are up to date."
        return self._http.failure(text, "login_required" if is_persons else "provider_error")


def _anew(institution: str | None) -> str:
    """What to do where an access is over."""
    name = "NAME" if institution is None else shlex.quote(institution)
    return (
        f"Make a new setup token at the bridge ({BRIDGE}), and replace the old token: `finplan"
        f" connect simplefin --reconnect {name}`."
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
    netloc = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
    root = urlunsplit(("https", netloc, parts.path.rstrip("/"), "", ""))
    user_pass = f"{unquote(parts.username)}:{unquote(parts.password)}"
    return root, "Basic " + b64encode(user_pass.encode()).decode()


def _called(accounts: Iterable[BankAccount]) -> str | None:
    """What the banks behind an access are called together."""
    names = list(dict.fromkeys(account.institution for account in accounts if account.institution))
    if not names:
        return None
    if len(names) > _MOST_NAMES:
        names[_MOST_NAMES:] = [f"{len(names) - _MOST_NAMES} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _epoch(day: date) -> str:
    return str(int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()))
