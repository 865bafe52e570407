"""The page of what programs and browsers are let in by: keys, programs, agents and sessions.

Programs are OAuth clients.
"""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from aiohttp import web

from finplan.daemon.surfaces.pages import drawing, markup
from finplan.daemon.surfaces.site import settings_page
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.frame import TypedForm, asked, form, given, text_field
from finplan.model import credential as credentials
from finplan.model.base import Day, Wire
from finplan.model.errors import BadRequest
from finplan.operation import Made
from finplan.operations import credential as rows
from finplan.views import access


def _clients(
    visit: Visit, clients: tuple[credentials.OAuthClient, ...], typed: TypedForm
) -> markup.Markup:
    return settings_page.part(
        "clients",
        "Programs",
        drawing.draw_things(
            access.clients(clients, visit.how),
            {each.id: _taking(visit, each) for each in clients},
            ids=True,
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


def _taking(visit: Visit, client: credentials.OAuthClient) -> markup.Markup:
    label, told = "Take back", "Take all back that you granted it"
    if client.yours:
        label, told = "Remove", "Remove this program, and all that it was granted"
    here, spoken = settings_page.DEVELOPER, f"the program {client.name}"
    return settings_page.ending(visit, here, "revoke-client", client.id, label, spoken, told)


def _agents(visit: Visit, agents: tuple[credentials.Agent, ...]) -> markup.Markup:
    return settings_page.part(
        "agents",
        "Agents",
        drawing.draw_things(
            access.agents(agents, visit.how),
            {
                each.id: _revoking(visit, "agent", each.id, f"the agent {each.id}")
                for each in agents
            },
        ),
        markup.element(
            "p",
            "An agent that shows you a code is waiting? ",
            markup.element("a", "Claim it", href="/claim"),
            ".",
        ),
        lead="Agents that came without an account, and that act for you since you claimed them.",
    )


def _revoking(visit: Visit, what: str, thing: str, spoken: str) -> markup.Markup:
    here, does, told = settings_page.DEVELOPER, f"revoke-{what}", f"Revoke this {what}"
    return settings_page.ending(visit, here, does, thing, "Revoke", spoken, told)


async def _create_client(visit: Visit, typed: TypedForm) -> web.Response:
    name, address = typed.maybe("client_name"), typed.maybe("redirect_uri")
    if name is None or address is None:
        raise BadRequest("A program needs a name, and where people are sent back to.")
    kind = typed.maybe("kind") or "public"
    ask = given(credentials.NewClient, name=name, redirectUris=[address], kind=kind)
    made: Made[credentials.CreatedClient] = await visit.perform(rows.CREATE_CLIENT, ask)
    client = made.answer
    secret = None
    if client.secret is not None:
        secret = markup.joined(
            markup.element("p", "Its secret is not shown again. Copy it now:"),
            settings_page.shown_once(client.secret, "The client secret"),
        )
    return settings_page.made(
        visit,
        settings_page.DEVELOPER,
        "Your new program",
        markup.element("p", markup.name(client.name), " asks for access by this id:"),
        settings_page.shown_once(client.id, "The client id"),
        secret,
    )


class KeyEnd(Wire):
    """The last day of a key, as a form has it."""

    last_day: Day


async def _draw_developer(visit: Visit, typed: TypedForm) -> markup.Markup:
    keys: tuple[credentials.ApiKey, ...] = await visit.perform(rows.LIST_KEYS)
    sessions: tuple[credentials.BrowserSession, ...] = await visit.perform(rows.LIST_SESSIONS)
    clients: tuple[credentials.OAuthClient, ...] = await visit.perform(rows.LIST_CLIENTS)
    agents: tuple[credentials.Agent, ...] = await visit.perform(rows.LIST_AGENTS)
    return markup.joined(
        _keys(visit, keys, typed),
        _clients(visit, clients, typed),
        _agents(visit, agents),
        _sessions(visit, sessions),
    )


def _keys(visit: Visit, keys: tuple[credentials.ApiKey, ...], typed: TypedForm) -> markup.Markup:
    scopes = typed.values.get("scopes", tuple(credentials.KEY_SCOPES))
    return settings_page.part(
        "keys",
        "API keys",
        drawing.draw_things(
            access.keys(keys, visit.how),
            {
                each.id: _revoking(visit, "key", each.id, f"the key {each.name}")
                for each in keys
                if each.revoked_at is None
            },
        ),
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


def _sessions(visit: Visit, sessions: tuple[credentials.BrowserSession, ...]) -> markup.Markup:
    return settings_page.part(
        "sessions",
        "Signed-in browsers",
        drawing.draw_things(
            access.sessions(sessions, visit.how),
            {each.id: _signing_out(visit, each) for each in sessions if not each.current},
        ),
        lead="A browser that stands idle for a week is signed out, and each after a month.",
    )


def _signing_out(visit: Visit, session: credentials.BrowserSession) -> markup.Markup:
    name = credentials.browser_name(session.user_agent)
    spoken = f"Sign out {name}, from {session.address}"
    act = markup.button("Sign out", "end-session", aria_label=spoken)
    return settings_page.form_about(visit, settings_page.DEVELOPER, session.id, act)


async def _create_key(visit: Visit, typed: TypedForm) -> web.Response:
    name, scopes = typed.maybe("name"), typed.values.get("scopes")
    if name is None:
        raise BadRequest("A key needs a name, by which you know it again.")
    if scopes is None:
        raise BadRequest("A key that may do nothing is of no use. Tick what it may do.")
    asks = asked(credentials.NewKey, name=name, scopes=scopes)
    ask = asks.model_copy(update={"expires_at": _expiry(visit, typed)})
    made: Made[credentials.CreatedKey] = await visit.perform(rows.CREATE_KEY, ask)
    key = made.answer
    return settings_page.made(
        visit,
        settings_page.DEVELOPER,
        "Your new key",
        markup.element("p", markup.name(key.name), ". Copy it now: it is not shown again."),
        settings_page.shown_once(key.key, "The key"),
        markup.element(
            "p",
            "Programs send it with each request, in the header ",
            markup.command("x-api-key"),
            ".",
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


DEVELOPER_PAGE = settings_page.SettingsPage(
    settings_page.DEVELOPER,
    _draw_developer,
    {
        "create-key": _create_key,
        "revoke-key": settings_page.acting(rows.REVOKE_KEY, "revoked"),
        "end-session": settings_page.acting(rows.END_SESSION, "ended"),
        "create-client": _create_client,
        "revoke-client": settings_page.acting(rows.REVOKE_CLIENT, "client-revoked"),
        "revoke-agent": settings_page.acting(rows.REVOKE_AGENT, "agent-revoked"),
    },
    {
        "revoked": "The key is refused from now on.",
        "ended": "That browser is signed out.",
        "client-revoked": "The program is refused from now on.",
        "agent-revoked": "The agent is refused from now on.",
    },
)
