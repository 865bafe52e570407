"""Programs that were let in, as lines: OAuth clients, and agents that came without an account."""

from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.access.client import (
    GRANT_SCOPES,
    Agent,
    GrantScope,
    OAuthClient,
    hosts_of,
    shown_scope,
)

NO_CLIENTS = Text("No clients. You have made none, and let none in.", style="dim")
NO_AGENTS = Text("No agents. You have claimed none.", style="dim")


def draw_clients(clients: Sequence[OAuthClient], now: datetime | None = None) -> RenderableType:
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


def draw_agents(agents: Sequence[Agent], now: datetime | None = None) -> RenderableType:
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


def _client(client: OAuthClient, now: datetime, short: str) -> tuple[Content, ...]:
    added, used = figures.age(client.created_at, now), figures.age(client.last_used_at, now)
    whose = "yours" if client.yours else ""
    return (
        client.name,
        hosts_of(client.redirect_uris),
        _allowed(client),
        added,
        used,
        whose,
        short,
    )


def _allowed(client: OAuthClient) -> Text:
    """What a client was granted, and of what where it may ask for more."""
    allowed = _may(client.granted) if client.granted else Text("nothing yet", style="dim")
    asks = set(client.scopes)
    if asks <= set(client.granted):
        return allowed
    more = "all" if asks >= set(GRANT_SCOPES) else _may(client.scopes).plain
    return allowed.append(f" of {more}", style="dim")


def _agent(agent: Agent, now: datetime, short: str) -> tuple[Content, ...]:
    moments = (agent.created_at, agent.claimed_at, agent.last_used_at)
    may = _may(agent.scopes)
    return (short, agent.address, may, *(figures.age(each, now) for each in moments))


def _may(scopes: Sequence[GrantScope]) -> Text:
    return Text(", ".join(shown_scope(scope) for scope in scopes))
