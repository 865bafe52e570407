"""What stands behind the pages, and a visit to one of them by whom a session speaks for.

How often one may fail to tell a password is counted by the address of a person, and by that of a client.
A try counts before it is looked at, so that many at once are no more than one after the other; one that
succeeds is taken back. Whoever is held up by somebody else's guesses has `finplan open`.

Files wait here between the steps of an import, since a page without a script cannot send them again.
They are as short-lived as the page that asks about them: of each person one batch waits, for an hour,
in a folder that is emptied when the daemon stops and when it starts.
"""

import asyncio
import hashlib
import hmac
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from time import monotonic
from typing import Any
from zoneinfo import ZoneInfo

from aiohttp import web

from finplan.daemon.auth.client_address import counted_as
from finplan.daemon.auth.google import GoogleSignIn
from finplan.daemon.auth.sessions import Arrivals, BrowserSessions, LocalSession, is_encrypted
from finplan.daemon.rate_limit import Quota, Windows
from finplan.daemon.startup import LateSealer
from finplan.model.base import Nothing, Wire
from finplan.model.errors import Forbidden, NotFound, TooManyRequests
from finplan.model.figures import count
from finplan.model.user import HouseholdSettings, User
from finplan.operation import AnyOperation, UploadedFile
from finplan.operations.person import SHOW_ME, SHOW_SETTINGS
from finplan.service.context import Caller, Context
from finplan.service.credentials.keys import digest
from finplan.service.credentials.sessions import Browser
from finplan.service.password_hashes import Passwords
from finplan.service.people import email_key
from finplan.store.store import Store
from finplan.views.locale import Locale

FAILURES_PERIOD = 15 * 60.0
PERSONS_FAILURES = 5
CLIENTS_FAILURES = 20
DEPARTURES = 60
"""How often a client may be sent to Google: more than a household signs in, and less than a flood."""


@dataclass(slots=True)
class Throttle:
    """Counts failures of a quarter of an hour, in memory; addresses of persons only by their hash."""

    clock: Callable[[], float] = monotonic
    _people: Windows = field(init=False)
    _clients: Windows = field(init=False)
    _departures: Windows = field(init=False)

    def __post_init__(self) -> None:
        self._people = Windows(self.clock, length=FAILURES_PERIOD)
        self._clients = Windows(self.clock, length=FAILURES_PERIOD)
        self._departures = Windows(self.clock, length=FAILURES_PERIOD)

    def enter(self, email: str, client: str) -> None:
        """Count a try to tell a person's password. Raises TooManyRequests."""
        self.knock(client)
        _refuse_beyond(self._people.count(_key_of_person(email), PERSONS_FAILURES))

    def knock(self, client: str) -> None:
        """Count a try of a client to become somebody here. Raises TooManyRequests."""
        _refuse_beyond(self._clients.count(counted_as(client), CLIENTS_FAILURES))

    def depart(self, client: str) -> None:
        """Count that a client is sent to Google. Raises TooManyRequests."""
        quota = self._departures.count(counted_as(client), DEPARTURES)
        if quota.exceeded:
            raise TooManyRequests(
                f"Too many Google sign-ins from here. Wait {_minutes(quota)}, then try again, or sign in"
                " with your password.",
                retry_after=quota.reset,
            )

    def succeed(self, email: str, client: str) -> None:
        """Take a try back that was no failure; what others failed at stays counted."""
        self._people.take_back(_key_of_person(email))
        self.let_pass(client)

    def let_pass(self, client: str) -> None:
        """Take a knock of a client back that was no failure."""
        self._clients.take_back(counted_as(client))


def _key_of_person(email: str) -> str:
    return digest(email_key(email))


def _refuse_beyond(quota: Quota) -> None:
    if quota.exceeded:
        raise TooManyRequests(
            f"Too many failed tries. Wait {_minutes(quota)}, then try again. On the machine that runs"
            " finplan, `finplan open` signs you in and `finplan me password` sets a new password.",
            retry_after=quota.reset,
        )


def _minutes(quota: Quota) -> str:
    return count(-(-quota.reset // 60), "minute")


FILES_HELD_FOR = 3600.0
"""How long files wait for their person to go on, in seconds."""


@dataclass(frozen=True, slots=True)
class HeldBatch:
    """Files that came together; `token` is what the forms about them carry.

    One form about them is answered after the other, while it holds `busy`.
    """

    token: str
    folder: Path
    files: tuple[UploadedFile, ...]
    ending: asyncio.TimerHandle
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)


class HeldFiles:
    """The files that wait, in folders below that of all uploads."""

    def __init__(self, uploads: Path) -> None:
        self.uploads = uploads
        self._batches: dict[int, HeldBatch] = {}

    async def keep(self, owner: int, files: Sequence[UploadedFile]) -> HeldBatch:
        """Take files over from an upload, in the place of those of the person that waited so far."""
        folder, moved = await asyncio.to_thread(self._move, files)
        loop, token = asyncio.get_running_loop(), token_urlsafe(24)
        await self.forget(owner)
        ending = loop.call_later(FILES_HELD_FOR, self._end, owner, token)
        batch = self._batches[owner] = HeldBatch(token, folder, moved, ending)
        return batch

    def find(self, owner: int, token: str) -> HeldBatch:
        """The batch that a form is about. Raises NotFound where it waits no longer."""
        batch = self._batches.get(owner)
        if batch is None or not compare_digest(batch.token.encode(), token.encode()):
            raise NotFound(
                "finplan no longer has these files. If your imports do not include these files, "
                "choose them again."
            )
        return batch

    async def forget(self, owner: int) -> None:
        """Delete what waits for a person, if anything does."""
        batch = self._batches.pop(owner, None)
        if batch is not None:
            batch.ending.cancel()
            await asyncio.to_thread(_remove_folder, batch.folder)

    async def forget_all(self) -> None:
        """Delete whatever waits."""
        for owner in list(self._batches):
            await self.forget(owner)

    def _move(self, files: Sequence[UploadedFile]) -> tuple[Path, tuple[UploadedFile, ...]]:
        folder = Path(tempfile.mkdtemp(prefix="held-", dir=self.uploads))
        moved = []
        for index, file in enumerate(files):
            path = folder / str(index)
            file.path.replace(path)
            moved.append(UploadedFile(file.name, path))
        return folder, tuple(moved)

    def _end(self, owner: int, token: str) -> None:
        batch = self._batches.get(owner)
        if batch is not None and batch.token == token:
            del self._batches[owner]
            _remove_folder(batch.folder)


def _remove_folder(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


FORM_PROOF = "form_token"
"""The hidden field by which a form shows that a page of this very session sent it."""

_PURPOSE = b"a form of finplan"
_CONNECTING = b"connecting Google"


@dataclass(frozen=True, slots=True)
class FrontDesk:
    """What stands behind the pages: who performs, for whom, and what signing in and joining need.

    `arrivals` are None where browsers have no private host.
    """

    perform: Callable[..., Awaitable[Any]]
    context_of: Callable[[Caller], Context]
    store: Store
    passwords: Passwords
    now: Callable[[], datetime]
    browsers: BrowserSessions
    local: LocalSession
    site_url: str
    registration: str
    throttle: Throttle
    sealer: LateSealer
    held: HeldFiles
    upload_limit: int
    google: GoogleSignIn | None
    port: int
    arrivals: Arrivals | None

    @property
    def is_open_to_all(self) -> bool:
        """Whether anybody may join, without an invite."""
        return self.registration == "open"

    @property
    def cookie_bounds(self) -> Mapping[str, Any]:
        """What holds of each cookie; a stricter one would not come along where Google leads back."""
        is_secure = is_encrypted(self.site_url)
        return {"path": "/", "httponly": True, "samesite": "Lax", "secure": is_secure}

    def milliseconds(self) -> int:
        """The present instant as the interface writes it."""
        return int(self.now().timestamp() * 1000)

    def browser_of(self, request: web.Request) -> Browser:
        """Where a request comes from."""
        header = request.headers.get("User-Agent")
        # Bytes that are no text arrive as lone surrogates, which no store takes.
        user_agent = header and header.encode(errors="surrogateescape").decode(errors="replace")
        return Browser(self.browsers.address_of(request), user_agent)


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for a page by a person who is signed in."""

    request: web.Request
    desk: FrontDesk
    context: Context
    user: User
    settings: HouseholdSettings

    @property
    def shown_name(self) -> str:
        """What the person is called on their pages."""
        return self.user.name or self.user.email

    @property
    def form_token(self) -> str:
        """What the forms of this session carry, which nobody knows who cannot read its cookie."""
        return self._proof(_PURPOSE)

    @property
    def connecting_token(self) -> str:
        """What the way to Google carries that connects an account, as forms carry theirs."""
        return self._proof(_CONNECTING)

    def _proof(self, purpose: bytes) -> str:
        cookie = self.request.cookies[self.desk.browsers.cookie]
        return hmac.new(
            cookie.encode(errors="surrogateescape"), purpose, hashlib.sha256
        ).hexdigest()

    async def perform(self, operation: AnyOperation, ask: Wire | None = None) -> Any:
        """Perform a row of the table for the person."""
        return await self.desk.perform(self.context, operation, ask or Nothing())

    async def for_page(self, operation: AnyOperation) -> Any:
        """What a page of a row is drawn from."""
        return await self.desk.perform(self.context, operation, Nothing(), drawn=True)

    def check_form(self, token: str) -> None:
        """Refuse a form that no page of this session has drawn. Raises Forbidden."""
        if not hmac.compare_digest(token.encode(), self.form_token.encode()):
            raise Forbidden(
                "This form is from before you last signed in, or from another site. Open the page again"
                " and send it from there."
            )

    @property
    def how(self) -> Locale:
        """How figures and instants are written where the person lives."""
        zone = ZoneInfo(self.settings.time_zone)
        return Locale.of(self.settings, self.desk.now().astimezone(zone))

    def moment(self, milliseconds: int) -> str:
        """An instant as "21 November 2025, 09:05", where the person lives."""
        return self.how.moment(milliseconds)


async def begin_visit(request: web.Request, desk: FrontDesk, caller: Caller) -> Visit:
    """A visit of a person whose session was found."""
    context = desk.context_of(caller)
    user = await desk.perform(context, SHOW_ME, Nothing())
    settings = await desk.perform(context, SHOW_SETTINGS, Nothing())
    return Visit(request, desk, context, user, settings)
