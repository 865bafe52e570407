"""What lets people in, as lines: accounts, invites, signed-in browsers, and the record of them."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.access.audit import AuditEvent
from finplan.model.access.browsers import browser_name
from finplan.model.access.invite import Invite, JoinedPerson
from finplan.model.access.session import BrowserSession

NO_INVITES = Text("No invites. `finplan invites create` makes one.", style="dim")
NO_SESSIONS = Text("No browser is signed in. `finplan open` signs one in.", style="dim")
NO_EVENTS = Text("Nothing has happened yet.", style="dim")


def draw_people(people: Sequence[JoinedPerson], now: datetime | None = None) -> RenderableType:
    """List people with when they joined before `now`, which is the present unless given."""
    now = now or datetime.now(UTC)
    short = shortened([each.id for each in people])
    return listing(
        (
            Column("address", gives_way=True),
            Column("name", gives_way=True),
            Column("joined"),
            Column(""),
            Column("id", style="dim"),
        ),
        (_person(each, now, short[each.id]) for each in people),
    )


def draw_invites(invites: Sequence[Invite], now: datetime | None = None) -> RenderableType:
    """List invites with what has become of them by `now`."""
    if not invites:
        return NO_INVITES
    now = now or datetime.now(UTC)
    short = shortened([each.id for each in invites])
    return listing(
        (
            Column("for", gives_way=True),
            Column("made"),
            Column("holds until"),
            Column("id", style="dim"),
        ),
        (_invite(each, now, short[each.id]) for each in invites),
    )


def draw_sessions(
    sessions: Sequence[BrowserSession], now: datetime | None = None
) -> RenderableType:
    """List signed-in browsers with their last use before `now`."""
    if not sessions:
        return NO_SESSIONS
    now = now or datetime.now(UTC)
    short = shortened([each.id for each in sessions])
    return listing(
        (
            Column("browser", wraps=True),
            Column("from"),
            Column("signed in"),
            Column("last used"),
            Column("holds until"),
            Column("id", style="dim"),
        ),
        (_session(each, now, short[each.id]) for each in sessions),
    )


def draw_audit(events: Sequence[AuditEvent]) -> RenderableType:
    """List what happened, by this machine's clock."""
    if not events:
        return NO_EVENTS
    return listing(
        (
            Column("when"),
            Column("what", wraps=True),
            Column("with"),
            Column("from"),
        ),
        (
            (_at(each.at), _what(each), _credential(each.credential), each.address or "")
            for each in events
        ),
    )


def _person(person: JoinedPerson, now: datetime, short: str) -> tuple[Content, ...]:
    roles = (("you", person.you), ("owner of the machine", person.owner))
    said = ", ".join(role for role, has in roles if has)
    return (person.email, person.name or "", figures.age(person.created_at, now), said, short)


def _invite(invite: Invite, now: datetime, short: str) -> tuple[Content, ...]:
    whom: Content = invite.email or Text("whoever has the link", style="dim")
    made = figures.age(invite.created_at, now)
    return (whom, made, _state(invite, now), short)


def _state(invite: Invite, now: datetime) -> Content:
    if invite.used_at is not None:
        return Text(f"used {figures.age(invite.used_at, now)}", style="dim")
    if invite.expires_at <= now.timestamp() * 1000:
        return Text("over", style="red")
    return _at(invite.expires_at)


def _session(session: BrowserSession, now: datetime, short: str) -> tuple[Content, ...]:
    began = figures.age(session.created_at, now)
    used = figures.age(session.last_used_at, now)
    end = f"{figures.moment(session.expires_at):%Y-%m-%d}"
    return (browser_name(session.user_agent), session.address, began, used, end, short)


def _what(event: AuditEvent) -> Content:
    return Text(event.text, style="red") if event.kind == "sign_in.failed" else event.text


def _credential(named: str | None) -> str:
    """What an event was done with, as a person calls it."""
    kind, _, number = (named or "").partition(":")
    if kind == "session":
        return "a browser" if number else "this machine"
    return "an API key" if kind == "key" else kind


def _at(milliseconds: int) -> str:
    return f"{figures.moment(milliseconds):%Y-%m-%d %H:%M}"
