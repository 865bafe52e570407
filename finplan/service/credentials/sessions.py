"""Sessions of browsers: begun by a password or a link, found again by their cookie, listed and ended.

A session ends when nobody has used it for a week, and a month after it began in any case. The one link
that `finplan open` makes holds for a minute, and for one use.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.credential import BrowserSession, SessionId, SignInLink
from finplan.model.errors import NotFound, Unauthorized
from finplan.operation import Made, Scope
from finplan.service.context import Caller, Context
from finplan.service.credentials import audit
from finplan.service.credentials.keys import digest, new_token
from finplan.service.ids import new_id
from finplan.store.queries import credentials as table
from finplan.store.store import Store

_DAY = 24 * 60 * 60 * 1000
IDLE = 7 * _DAY
LONGEST = 30 * _DAY
LINK_HOLDS = 60_000
NOTED_EACH = 60_000
"""How old the noted time of a session's last use may get before it is written anew."""

PREFIX = "fps_"
LINK_PREFIX = "fpl_"
LONGEST_NAME = 300
"""How much of what a browser calls itself is kept, in characters."""

EVERYTHING: frozenset[Scope] = frozenset({"read", "write", "session"})
"""What a first-party session may: all that its person may."""


@dataclass(frozen=True, slots=True)
class Browser:
    """Where a session is used from: the address, and what the browser calls itself."""

    address: str
    user_agent: str | None


@dataclass(frozen=True, slots=True)
class SessionFound:
    """The session of a cookie: for whom it speaks, and whether its use is to be noted."""

    no: int
    caller: Caller
    stale: bool


def caller_of_session(owner: int, no: int, address: str | None) -> Caller:
    """Whom a session speaks for."""
    return Caller(owner, EVERYTHING, "session", f"session:{no}", address)


def begin_session(connection: Connection, owner: int, browser: Browser, how: str, now: int) -> str:
    """Begin a session for a person who has shown who they are; answers the cookie's value.

    What has ended is forgotten on the way, so that no table grows by what nobody can use.
    """
    table.sweep_sessions(connection, now)
    table.sweep_audit_events(connection, now)
    token = new_token(PREFIX)
    no = table.add_session(
        connection,
        {
            "id": new_id("ses"),
            "owner_no": owner,
            "hash": digest(token),
            "created_at": now,
            "last_used_at": now,
            "expires_at": now + IDLE,
            "user_agent": browser.user_agent and browser.user_agent[:LONGEST_NAME],
            "address": browser.address,
        },
    )
    caller = caller_of_session(owner, no, browser.address)
    audit.note(connection, caller, "session.opened", f"Signed in {how}.", now)
    return token


async def find_session(
    store: Store, token: str, address: str | None, now: int
) -> SessionFound | None:
    """The session of a cookie; None when it has ended, or never was."""
    session = await store.look_up(table.SESSION_OF_HASH, digest(token))
    if session is None or session.expires_at <= now:
        return None
    caller = caller_of_session(session.owner, session.no, address)
    return SessionFound(session.no, caller, stale=session.last_used_at <= now - NOTED_EACH)


def note_use(connection: Connection, no: int, now: int) -> None:
    """Note that a session is used, which lets it go on for as long as it may stand idle."""
    created_at = table.session_created_at(connection, no)
    if created_at is not None:
        table.note_session_use(connection, no, now, min(now + IDLE, created_at + LONGEST))


async def list_sessions(context: Context, _ask: Nothing) -> tuple[BrowserSession, ...]:
    """The browsers that are signed in as the person, the one used last first."""
    owner, now = context.caller.owner, context.milliseconds()
    rows = await context.store.read(lambda c: table.list_sessions(c, owner, now))
    return tuple(_show_session(row, context.caller) for row in rows)


async def end_session(context: Context, ask: SessionId) -> BrowserSession:
    """Sign a browser out: it is asked who it is from its next request on."""
    owner, now = context.caller.owner, context.milliseconds()

    def end(connection: Connection) -> BrowserSession:
        row = table.find_session(connection, owner, ask.id)
        if row is None or row["expires_at"] <= now:
            raise NotFound(f"No sign-in {ask.id}. List your sign-ins with `finplan sessions list`.")
        table.end_session(connection, row["no"])
        ended = f"Signed out a browser that signed in from {row['address']}."
        audit.note(connection, context.caller, "session.ended", ended, now)
        return _show_session(row, context.caller)

    return await context.commit(end)


async def create_sign_in_link(context: Context, _ask: Nothing) -> Made[SignInLink]:
    """Make a link that signs the person in: once, and within a minute."""
    token, now = new_token(LINK_PREFIX), context.milliseconds()
    new_link = SignInLink(url=f"{context.site_url}/open?link={token}", expires_at=now + LINK_HOLDS)

    def create(connection: Connection) -> Made[SignInLink]:
        table.sweep_sessions(connection, now)
        link = {"owner_no": context.caller.owner, "hash": digest(token)}
        table.add_sign_in_link(connection, link | {"expires_at": new_link.expires_at})
        audit.note(connection, context.caller, "link.created", "Created a sign-in link.", now)
        return Made(new_link, new=True)

    return await context.commit(create)


def use_link(connection: Connection, token: str, browser: Browser, now: int) -> str:
    """Begin a session by a link, and answer the cookie's value. Raises Unauthorized."""
    owner = table.take_sign_in_link(connection, digest(token), now)
    if owner is None:
        raise Unauthorized(
            "This link was already used, or is more than a minute old. Run `finplan open` for a"
            " new link."
        )
    return begin_session(connection, owner, browser, "with `finplan open`", now)


def _show_session(row: RowMapping, caller: Caller) -> BrowserSession:
    return BrowserSession.of(row, current=caller.credential == f"session:{row['no']}")
