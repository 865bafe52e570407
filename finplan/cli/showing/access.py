"""Who and what may come in, as lines.

People with an account, invites, signed-in browsers and the record of them; API keys; OAuth clients, and
agents that came without an account.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import credential as credentials, figures
from finplan.model.characters import shortened

NO_INVITES = Text("No invites. `finplan invites create` makes one.", style="dim")
NO_SESSIONS = Text("No browser is signed in. `finplan open` signs one in.", style="dim")
NO_EVENTS = Text("Nothing has happened yet.", style="dim")


def draw_people(
    people: Sequence[credentials.JoinedPerson], now: datetime | None = None
) -> RenderableType:
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


def draw_invites(
    invites: Sequence[credentials.Invite], now: datetime | None = None
) -> RenderableType:
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
    sessions: Sequence[credentials.BrowserSession], now: datetime | None = None
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


def draw_audit(events: Sequence[credentials.AuditEvent]) -> RenderableType:
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


def _person(person: credentials.JoinedPerson, now: datetime, short: str) -> tuple[Content, ...]:
    roles = (("you", person.you), ("owner of the machine", person.owner))
    said = ", ".join(role for role, has in roles if has)
    return (person.email, person.name or "", figures.age(person.created_at, now), said, short)


def _invite(invite: credentials.Invite, now: datetime, short: str) -> tuple[Content, ...]:
    whom: Content = invite.email or Text("whoever has the link", style="dim")
    made = figures.age(invite.created_at, now)
    return (whom, made, _state(invite, now), short)


def _state(invite: credentials.Invite, now: datetime) -> Content:
    if invite.used_at is not None:
        return Text(f"used {figures.age(invite.used_at, now)}", style="dim")
    if invite.expires_at <= now.timestamp() * 1000:
        return Text("over", style="red")
    return _at(invite.expires_at)


def _session(session: credentials.BrowserSession, now: datetime, short: str) -> tuple[Content, ...]:
    began = figures.age(session.created_at, now)
    used = figures.age(session.last_used_at, now)
    end = f"{figures.moment(session.expires_at):%Y-%m-%d}"
    return (credentials.browser_name(session.user_agent), session.address, began, used, end, short)


def _what(event: credentials.AuditEvent) -> Content:
    return Text(event.text, style="red") if event.kind == "sign_in.failed" else event.text


def _credential(named: str | None) -> str:
    """What an event was done with, as a person calls it."""
    kind, _, number = (named or "").partition(":")
    if kind == "session":
        return "a browser" if number else "this machine"
    return "an API key" if kind == "key" else kind


def _at(milliseconds: int) -> str:
    return f"{figures.moment(milliseconds):%Y-%m-%d %H:%M}"


NO_KEYS = Text("No API keys. `finplan keys create NAME` makes one.", style="dim")


def draw_keys(
    keys: Sequence[credentials.ApiKey], now: datetime | None = None, *, revoked: bool = True
) -> RenderableType:
    """List keys with their last use before `now`, which is the present unless given.

    Unless `revoked` is asked for, of those that were only how many they are is said.
    """
    shown = [key for key in keys if revoked or key.revoked_at is None]
    listed = _key_listed(shown, now or datetime.now(UTC)) if shown else NO_KEYS
    left_out = len(keys) - len(shown)
    if not left_out:
        return listed
    were = "key was" if left_out == 1 else "keys were"
    said = f"{left_out} {were} revoked: `finplan keys list --all`."
    return Group(listed, Text(said, style="dim"))


def _key_listed(keys: Sequence[credentials.ApiKey], now: datetime) -> RenderableType:
    short = shortened([key.id for key in keys])
    # Where no key has an end, there is nothing to tell of ends.
    ends = any(key.expires_at is not None for key in keys)
    return listing(
        (
            Column("name", gives_way=True),
            Column("begins"),
            Column("may"),
            Column("made"),
            Column("last used"),
            *([Column("last day")] if ends else []),
            Column("id", style="dim"),
        ),
        (_key(key, now, short[key.id], ends=ends) for key in keys),
    )


def _key(key: credentials.ApiKey, now: datetime, short: str, *, ends: bool) -> tuple[Content, ...]:
    made, used = figures.age(key.created_at, now), figures.age(key.last_used_at, now)
    end = "" if key.expires_at is None else figures.last_day(key.expires_at).isoformat()
    told = (key.name, f"{key.prefix}…", _key_may(key, now), made, used)
    return (*told, *([end] if ends else []), short)


def _key_may(key: credentials.ApiKey, now: datetime) -> Text:
    if key.revoked_at is not None:
        return Text("revoked", style="red")
    if key.expires_at is not None and key.expires_at <= now.timestamp() * 1000:
        return Text("over", style="red")
    return Text(", ".join(scope.removeprefix("service:") for scope in key.scopes))


NO_CLIENTS = Text("No clients. You have made none, and let none in.", style="dim")
NO_AGENTS = Text("No agents. You have claimed none.", style="dim")


def draw_clients(
    clients: Sequence[credentials.OAuthClient], now: datetime | None = None
) -> RenderableType:
    """List clients with their last use before `now`, which is the present unless given."""
    if not clients:
        return NO_CLIENTS
    now = now or datetime.now(UTC)
    short = shortened([each.id for each in clients])
    return listing(
        (
            Column("name", wraps=True),
            Column("sends you to", wraps=True),
            Column("you allow", wraps=True),
            Column("added"),
            Column("last used"),
            Column(""),
            Column("id", style="dim"),
        ),
        (_client(each, now, short[each.id]) for each in clients),
    )


def draw_agents(agents: Sequence[credentials.Agent], now: datetime | None = None) -> RenderableType:
    """List agents with their last use before `now`, which is the present unless given."""
    if not agents:
        return NO_AGENTS
    now = now or datetime.now(UTC)
    short = shortened([each.id for each in agents])
    return listing(
        (
            Column("agent"),
            Column("from", wraps=True),
            Column("may"),
            Column("came"),
            Column("claimed"),
            Column("last used"),
        ),
        (_agent(each, now, short[each.id]) for each in agents),
    )


def _client(client: credentials.OAuthClient, now: datetime, short: str) -> tuple[Content, ...]:
    added, used = figures.age(client.created_at, now), figures.age(client.last_used_at, now)
    whose = "yours" if client.yours else ""
    return (
        client.name,
        credentials.hosts_of(client.redirect_uris),
        _allowed(client),
        added,
        used,
        whose,
        short,
    )


def _allowed(client: credentials.OAuthClient) -> Text:
    """What a client was granted, and of what where it may ask for more."""
    allowed = _agent_may(client.granted) if client.granted else Text("nothing yet", style="dim")
    asks = set(client.scopes)
    if asks <= set(client.granted):
        return allowed
    more = "all" if asks >= set(credentials.GRANT_SCOPES) else _agent_may(client.scopes).plain
    return allowed.append(f" of {more}", style="dim")


def _agent(agent: credentials.Agent, now: datetime, short: str) -> tuple[Content, ...]:
    moments = (agent.created_at, agent.claimed_at, agent.last_used_at)
    may = _agent_may(agent.scopes)
    return (short, agent.address, may, *(figures.age(each, now) for each in moments))


def _agent_may(scopes: Sequence[credentials.GrantScope]) -> Text:
    return Text(", ".join(credentials.shown_scope(scope) for scope in scopes))
