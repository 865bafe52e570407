"""The page of what programs and browsers are let in by: keys, programs, agents and sessions.

Programs are OAuth clients.
"""

from collections.abc import Mapping
from datetime import datetime, time
from zoneinfo import ZoneInfo

from aiohttp import web
from pydantic import ValidationError
from pydantic_core import to_json

from finplan.daemon.errors import refusal_of
from finplan.daemon.surfaces.pages import markup
from finplan.daemon.surfaces.site import settings_page
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.frame import TypedForm, asked, form, text_field
from finplan.model import credential as credentials
from finplan.model.base import Day, Wire, read_json
from finplan.model.errors import BadRequest
from finplan.operation import Made
from finplan.operations.credential import (
    CREATE_CLIENT,
    CREATE_KEY,
    END_SESSION,
    LIST_AGENTS,
    LIST_CLIENTS,
    LIST_KEYS,
    LIST_SESSIONS,
    REVOKE_AGENT,
    REVOKE_CLIENT,
    REVOKE_KEY,
)


async def draw_programs(visit: Visit, typed: TypedForm) -> markup.Markup:
    """The clients and the agents of a person."""
    clients: tuple[credentials.OAuthClient, ...] = await visit.perform(LIST_CLIENTS)
    agents: tuple[credentials.Agent, ...] = await visit.perform(LIST_AGENTS)
    return markup.joined(_clients(visit, clients, typed), _agents(visit, agents))


def _clients(
    visit: Visit, clients: tuple[credentials.OAuthClient, ...], typed: TypedForm
) -> markup.Markup:
    return settings_page.part(
        "clients",
        "Programs",
        settings_page.things(
            [_client(visit, each) for each in clients], "You have let no program in yet."
        ),
        form(
            visit,
            settings_page.DEVELOPER,
            markup.element("h3", "Register a program of your own"),
            text_field(
                "client_name",
                "Name",
                typed.one("client_name"),
                hint="What people read when it asks to be let in.",
                autocomplete="off",
                maxlength=200,
                required=True,
            ),
            text_field(
                "redirect_uri",
                "Redirect URI",
                typed.one("redirect_uri"),
                hint="Where the program gets people back: https, http on this computer, or a scheme"
                " named after a domain (org.example.app:/back).",
                autocomplete="off",
                inputmode="url",
                maxlength=2000,
                required=True,
            ),
            markup.element(
                "fieldset",
                markup.element("legend", "Where it runs"),
                markup.tick(
                    "kind",
                    "confidential",
                    "On a server that can keep a secret",
                    "It gets a secret, which is shown once. An app on a device needs none.",
                    ticked=typed.one("kind") == "confidential",
                ),
            ),
            markup.button("Register the program", "create-client", "main"),
        ),
        lead="A program that you let in by OAuth, or that you make yourself. Most register themselves.",
    )


def _client(visit: Visit, client: credentials.OAuthClient) -> markup.Markup:
    facts = [
        f"you allow {', '.join(credentials.shown_scope(scope) for scope in client.granted)}"
        if client.granted
        else "you allow nothing yet",
        f"sends you to {credentials.hosts_of(client.redirect_uris)}",
        "yours" if client.yours else "registered itself",
        "keeps a secret" if client.kind == "confidential" else None,
        f"since {visit.day(client.created_at)}",
        f"last used {visit.moment(client.last_used_at)}" if client.last_used_at else "never used",
    ]
    label = "Remove …" if client.yours else "Take back …"
    told = (
        "Remove this program, and all that it was granted"
        if client.yours
        else "Take all back that you granted it"
    )
    act = settings_page.disclosed(
        label,
        f"the program {client.name}",
        form(
            visit,
            settings_page.DEVELOPER,
            markup.hidden("id", client.id),
            markup.button(told, "revoke-client", "danger"),
            class_="confirm",
        ),
    )
    return settings_page.thing(
        markup.joined(markup.element("bdi", client.name), " ", markup.command(client.id)),
        facts,
        act,
    )


def _agents(visit: Visit, agents: tuple[credentials.Agent, ...]) -> markup.Markup:
    return settings_page.part(
        "agents",
        "Agents",
        settings_page.things(
            [_agent(visit, each) for each in agents], "You have claimed no agent yet."
        ),
        markup.element(
            "p",
            "An agent that shows you a code is waiting? ",
            markup.element("a", "Claim it", href="/claim"),
            ".",
        ),
        lead="Agents that came without an account, and that act for you since you claimed them.",
    )


def _agent(visit: Visit, agent: credentials.Agent) -> markup.Markup:
    facts = [
        f"came from {agent.address}",
        f"you allow {', '.join(credentials.shown_scope(scope) for scope in agent.scopes)}",
        f"claimed on {visit.day(agent.claimed_at)}" if agent.claimed_at else None,
        f"last used {visit.moment(agent.last_used_at)}" if agent.last_used_at else "never used",
    ]
    act = settings_page.disclosed(
        "Revoke …",
        f"the agent {agent.id}",
        form(
            visit,
            settings_page.DEVELOPER,
            markup.hidden("id", agent.id),
            markup.button("Revoke this agent", "revoke-agent", "danger"),
            class_="confirm",
        ),
    )
    return settings_page.thing(markup.command(agent.id), facts, act)


async def _create_client(visit: Visit, typed: TypedForm) -> web.Response:
    name, address = typed.maybe("client_name"), typed.maybe("redirect_uri")
    if name is None or address is None:
        raise BadRequest("A program needs a name, and where people are sent back to.")
    said = {"name": name, "redirectUris": [address], "kind": typed.maybe("kind") or "public"}
    try:
        ask = read_json(credentials.NewClient, to_json(said))
    except ValidationError as error:
        raise refusal_of(error) from error
    made: Made[credentials.CreatedClient] = await visit.perform(CREATE_CLIENT, ask)
    client = made.answer
    return settings_page.framed(
        visit,
        settings_page.DEVELOPER,
        settings_page.part(
            "made",
            "Your new program",
            markup.element("p", markup.element("bdi", client.name), " asks for access by this id:"),
            settings_page.shown_once(client.id, "The client id"),
            None
            if client.secret is None
            else markup.element("p", "Its secret is not shown again. Copy it now:"),
            None
            if client.secret is None
            else settings_page.shown_once(client.secret, "The client secret"),
            markup.element(
                "p",
                markup.element("a", "Go on", href=settings_page.DEVELOPER, class_="button main"),
            ),
        ),
    )


async def _revoke_client(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REVOKE_CLIENT, credentials.ClientId(id=typed.one("id")))
    return "client-revoked"


async def _revoke_agent(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REVOKE_AGENT, credentials.AgentId(id=typed.one("id")))
    return "agent-revoked"


ACTS_ON_PROGRAMS: Mapping[str, settings_page.ActOnForm] = {
    "create-client": _create_client,
    "revoke-client": _revoke_client,
    "revoke-agent": _revoke_agent,
}
SAID_OF_PROGRAMS: Mapping[str, str] = {
    "client-revoked": "The program is refused from now on.",
    "agent-revoked": "The agent is refused from now on.",
}
"""What is said of each that was done."""


class KeyEnd(Wire):
    """The last day of a key, as a form has it."""

    last_day: Day


async def _draw_developer(visit: Visit, typed: TypedForm) -> markup.Markup:
    keys: tuple[credentials.ApiKey, ...] = await visit.perform(LIST_KEYS)
    sessions: tuple[credentials.BrowserSession, ...] = await visit.perform(LIST_SESSIONS)
    others = await draw_programs(visit, typed)
    return markup.joined(_keys(visit, keys, typed), others, _sessions(visit, sessions))


def _keys(visit: Visit, keys: tuple[credentials.ApiKey, ...], typed: TypedForm) -> markup.Markup:
    scopes = typed.values.get("scopes", tuple(credentials.KEY_SCOPES))
    return settings_page.part(
        "keys",
        "API keys",
        settings_page.things([_key(visit, key) for key in keys], "There is no key yet."),
        form(
            visit,
            settings_page.DEVELOPER,
            markup.element("h3", "Make a key"),
            text_field(
                "name",
                "Name",
                typed.one("name"),
                hint="What it is for, such as the program that uses it.",
                autocomplete="off",
                maxlength=200,
                required=True,
            ),
            markup.element(
                "fieldset",
                markup.element("legend", "What it may do"),
                *(
                    markup.tick("scopes", scope, scope, told, ticked=scope in scopes)
                    for scope, told in credentials.KEY_SCOPES.items()
                ),
            ),
            text_field(
                "last_day",
                "Last day",
                typed.one("last_day"),
                hint="Left empty, it holds until you revoke it.",
                type="date",
                class_="short",
            ),
            markup.button("Make the key", "create-key", "main"),
        ),
        lead="A program shows a key to read your plan or to change it. No key can make another one.",
    )


def _key(visit: Visit, key: credentials.ApiKey) -> markup.Markup:
    now = visit.context.milliseconds()
    over = key.expires_at is not None and key.expires_at <= now
    facts = [
        " and ".join(scope.partition(":")[2] for scope in key.scopes),
        f"made on {visit.day(key.created_at)}",
        f"last used {visit.moment(key.last_used_at)}" if key.last_used_at else "never used",
        _end_of(visit, key),
    ]
    act = settings_page.disclosed(
        "Revoke …",
        f"the key {key.name}",
        form(
            visit,
            settings_page.DEVELOPER,
            markup.hidden("id", key.id),
            markup.button("Revoke this key", "revoke-key", "danger"),
            class_="confirm",
        ),
    )
    name = markup.joined(markup.element("bdi", key.name), " ", markup.command(f"{key.prefix}…"))
    return settings_page.thing(
        name,
        facts,
        act if key.revoked_at is None else None,
        ended=over or key.revoked_at is not None,
    )


def _end_of(visit: Visit, key: credentials.ApiKey) -> str | None:
    if key.revoked_at is not None:
        return f"revoked on {visit.moment(key.revoked_at)}"
    if key.expires_at is None:
        return None
    over = key.expires_at <= visit.context.milliseconds()
    return f"{'over since' if over else 'holds until'} {visit.end(key.expires_at)}"


def _sessions(visit: Visit, sessions: tuple[credentials.BrowserSession, ...]) -> markup.Markup:
    return settings_page.part(
        "sessions",
        "Signed-in browsers",
        settings_page.things(
            [_session(visit, each) for each in sessions], "No browser is signed in."
        ),
        lead="A browser that stands idle for a week is signed out, and each after a month.",
    )


def _session(visit: Visit, session: credentials.BrowserSession) -> markup.Markup:
    name = credentials.browser_name(session.user_agent)
    facts = [
        "this browser" if session.current else None,
        f"from {session.address}",
        f"signed in {visit.moment(session.created_at)}",
        f"last used {visit.moment(session.last_used_at)}",
    ]
    act = form(
        visit,
        settings_page.DEVELOPER,
        markup.hidden("id", session.id),
        markup.button(
            "Sign out", "end-session", aria_label=f"Sign out {name}, from {session.address}"
        ),
        class_="confirm",
    )
    return settings_page.thing(name, facts, None if session.current else act)


async def _create_key(visit: Visit, typed: TypedForm) -> web.Response:
    name, scopes = typed.maybe("name"), typed.values.get("scopes")
    if name is None:
        raise BadRequest("A key needs a name, by which you know it again.")
    if scopes is None:
        raise BadRequest("A key that may do nothing is of no use. Tick what it may do.")
    asks = asked(credentials.NewKey, name=name, scopes=scopes)
    ask = asks.model_copy(update={"expires_at": _expiry(visit, typed)})
    made: Made[credentials.CreatedKey] = await visit.perform(CREATE_KEY, ask)
    key = made.answer
    return settings_page.framed(
        visit,
        settings_page.DEVELOPER,
        settings_page.part(
            "made",
            "Your new key",
            markup.element(
                "p", markup.element("bdi", key.name), ". Copy it now: it is not shown again."
            ),
            settings_page.shown_once(key.key, "The key"),
            markup.element(
                "p",
                "Programs send it with each request, in the header ",
                markup.command("x-api-key"),
                ".",
            ),
            markup.element(
                "p",
                markup.element(
                    "a", "I have copied it", href=settings_page.DEVELOPER, class_="button main"
                ),
            ),
        ),
    )


def _expiry(visit: Visit, typed: TypedForm) -> int | None:
    """The end of a key's last day where the person lives; None for a key without an end."""
    typed_day = typed.maybe("last_day")
    if typed_day is None:
        return None
    day = asked(KeyEnd, lastDay=typed_day).last_day
    last = datetime.combine(day, time.max, ZoneInfo(visit.settings.time_zone))
    return int(last.timestamp() * 1000) + 1


async def _revoke_key(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REVOKE_KEY, credentials.KeyId(id=typed.one("id")))
    return "revoked"


async def _end_session(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(END_SESSION, credentials.SessionId(id=typed.one("id")))
    return "ended"


DEVELOPER_PAGE = settings_page.SettingsPage(
    settings_page.DEVELOPER,
    _draw_developer,
    {
        "create-key": _create_key,
        "revoke-key": _revoke_key,
        "end-session": _end_session,
        **ACTS_ON_PROGRAMS,
    },
    {
        "revoked": "The key is refused from now on.",
        "ended": "That browser is signed out.",
        **SAID_OF_PROGRAMS,
    },
)
