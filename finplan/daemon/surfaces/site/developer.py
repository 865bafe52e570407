"""The page of what programs and browsers are let in by: keys, programs, agents and sessions.

Programs are OAuth clients.
"""

from datetime import datetime, time
from zoneinfo import ZoneInfo

from aiohttp import web

from finplan.daemon.surfaces.pages import drawing, markup
from finplan.daemon.surfaces.site import settings_page
from finplan.daemon.surfaces.site.frame import TypedForm, build_ask, form, parse_ask, text_field
from finplan.daemon.surfaces.site.visit import Visit
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
        "Apps",
        drawing.draw_things(
            access.clients(clients, visit.how),
            {client.id: _taking(visit, client) for client in clients},
            ids=True,
        ),
        form(
            visit,
            settings_page.DEVELOPER,
            markup.element("h3", "Register an app"),
            text_field(
                "client_name",
                "Name",
                typed.one("client_name"),
                hint="Shown when the app asks for access.",
                autocomplete="off",
                maxlength=200,
                required=True,
            ),
            text_field(
                "redirect_uri",
                "Redirect URI",
                typed.one("redirect_uri"),
                hint=(
                    "People are sent back to this address. It must use https, http on this computer, or"
                    " a scheme named after a domain, such as org.example.app:/back."
                ),
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
                    (
                        "finplan creates a secret for the app and shows it once. An app on a device"
                        " needs no secret."
                    ),
                    ticked=typed.one("kind") == "confidential",
                ),
            ),
            markup.button("Register", "create-client", "main"),
        ),
        lead="Apps you allowed or registered (OAuth). Most apps register themselves.",
    )


def _taking(visit: Visit, client: credentials.OAuthClient) -> markup.Markup:
    label, text, hint = "Revoke", "Revoke access", None
    if client.yours:
        label, text, hint = (
            "Remove",
            "Remove app",
            "The app also stops working for everyone else who allowed it.",
        )
    here, spoken = settings_page.DEVELOPER, f"the app {client.name}"
    return settings_page.ending(visit, here, "revoke-client", client.id, label, spoken, text, hint)


def _agents(visit: Visit, agents: tuple[credentials.Agent, ...]) -> markup.Markup:
    return settings_page.part(
        "agents",
        "Agents",
        drawing.draw_things(
            access.agents(agents, visit.how),
            {
                agent.id: _revoking(visit, "agent", agent.id, f"the agent {agent.id}")
                for agent in agents
            },
        ),
        markup.element(
            "p",
            "Does an agent show you a code? ",
            markup.element("a", "Claim it", href="/claim"),
            ".",
        ),
        lead="Agents that you claimed. They can act for you.",
    )


def _revoking(visit: Visit, what: str, thing: str, spoken: str) -> markup.Markup:
    here, does, text = settings_page.DEVELOPER, f"revoke-{what}", f"Revoke {what}"
    return settings_page.ending(visit, here, does, thing, "Revoke", spoken, text)


async def _create_client(visit: Visit, typed: TypedForm) -> web.Response:
    name, address = typed.maybe("client_name"), typed.maybe("redirect_uri")
    if name is None or address is None:
        raise BadRequest("Enter a name and a redirect URI.")
    kind = typed.maybe("kind") or "public"
    ask = build_ask(credentials.NewClient, name=name, redirectUris=[address], kind=kind)
    reply: Made[credentials.CreatedClient] = await visit.perform(rows.CREATE_CLIENT, ask)
    client = reply.answer
    secret = None
    if client.secret is not None:
        secret = markup.join_markup(
            markup.element("p", "Copy its secret now; it is not shown again:"),
            settings_page.shown_once(client.secret, "Client secret"),
        )
    return settings_page.draw_result(
        visit,
        settings_page.DEVELOPER,
        "App registered",
        markup.element("p", markup.name(client.name), " uses this client id:"),
        settings_page.shown_once(client.id, "Client id"),
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
    return markup.join_markup(
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
            access.keys(keys, visit.how, commands=False),
            {
                key.id: _revoking(visit, "key", key.id, f"the key {key.name}")
                for key in keys
                if key.revoked_at is None
            },
        ),
        form(
            visit,
            settings_page.DEVELOPER,
            markup.element("h3", "Create a key"),
            text_field(
                "name",
                "Name",
                typed.one("name"),
                hint="For example, the name of the program that uses the key.",
                autocomplete="off",
                maxlength=200,
                required=True,
            ),
            markup.element(
                "fieldset",
                markup.element("legend", "Access"),
                *(
                    markup.tick("scopes", scope, scope, hint, ticked=scope in scopes)
                    for scope, hint in credentials.KEY_SCOPES.items()
                ),
            ),
            text_field(
                "last_day",
                "Last day",
                typed.one("last_day"),
                hint="Leave empty for a key that works until you revoke it.",
                type="date",
                class_="short",
            ),
            markup.button("Create key", "create-key", "main"),
        ),
        lead="Programs use a key to read or change your plan. A key cannot create other keys.",
    )


def _sessions(visit: Visit, sessions: tuple[credentials.BrowserSession, ...]) -> markup.Markup:
    return settings_page.part(
        "sessions",
        "Sign-ins",
        drawing.draw_things(
            access.sessions(sessions, visit.how, commands=False),
            {login.id: _signing_out(visit, login) for login in sessions if not login.current},
        ),
        lead="A browser is signed out after a week without use, and after a month at the latest.",
    )


def _signing_out(visit: Visit, session: credentials.BrowserSession) -> markup.Markup:
    name = credentials.browser_name(session.user_agent)
    spoken = f"Sign out {name}, from {session.address}"
    act = markup.button("Sign out", "end-session", aria_label=spoken)
    return settings_page.form_about(visit, settings_page.DEVELOPER, session.id, act)


async def _create_key(visit: Visit, typed: TypedForm) -> web.Response:
    name, scopes = typed.maybe("name"), typed.values.get("scopes")
    if name is None:
        raise BadRequest("Enter a name for the key.")
    if scopes is None:
        raise BadRequest("Choose at least one kind of access.")
    asks = parse_ask(credentials.NewKey, name=name, scopes=scopes)
    ask = asks.model_copy(update={"expires_at": _expiry(visit, typed)})
    reply: Made[credentials.CreatedKey] = await visit.perform(rows.CREATE_KEY, ask)
    key = reply.answer
    return settings_page.draw_result(
        visit,
        settings_page.DEVELOPER,
        "Key created",
        markup.element("p", markup.name(key.name), ". Copy it now: it is not shown again."),
        settings_page.shown_once(key.key, "API key"),
        markup.element(
            "p",
            "Programs send the key with each request, in the header ",
            markup.command("x-api-key"),
            ".",
        ),
    )


def _expiry(visit: Visit, typed: TypedForm) -> int | None:
    """The end of a key's last day where the person lives; None for a key without an end."""
    typed_day = typed.maybe("last_day")
    if typed_day is None:
        return None
    day = parse_ask(KeyEnd, lastDay=typed_day).last_day
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
        "revoked": "Key revoked.",
        "ended": "Browser signed out.",
        "client-revoked": "The app no longer has access.",
        "agent-revoked": "Agent revoked.",
    },
)
