"""What the developer's page shows of OAuth clients and agents, and what may be done with them."""

from collections.abc import Mapping

from aiohttp import web
from pydantic import ValidationError
from pydantic_core import to_json

from finplan.daemon.errors import refusal_of
from finplan.daemon.surfaces.pages.markup import (
    Markup,
    button,
    command,
    element,
    hidden,
    joined,
    tick,
)
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, form, text_field
from finplan.daemon.surfaces.site.settings.settings_page import (
    DEVELOPER,
    ActOnForm,
    disclosed,
    framed,
    part,
    shown_once,
    thing,
    things,
)
from finplan.model.access.client import (
    Agent,
    AgentId,
    ClientId,
    CreatedClient,
    NewClient,
    OAuthClient,
    hosts_of,
    shown_scope,
)
from finplan.model.base import read_json
from finplan.model.errors import BadRequest
from finplan.operation import Made
from finplan.operations.credential import (
    CREATE_CLIENT,
    LIST_AGENTS,
    LIST_CLIENTS,
    REVOKE_AGENT,
    REVOKE_CLIENT,
)


async def draw(visit: Visit, typed: TypedForm) -> Markup:
    """The clients and the agents of a person."""
    clients: tuple[OAuthClient, ...] = await visit.perform(LIST_CLIENTS)
    agents: tuple[Agent, ...] = await visit.perform(LIST_AGENTS)
    return joined(_clients(visit, clients, typed), _agents(visit, agents))


def _clients(visit: Visit, clients: tuple[OAuthClient, ...], typed: TypedForm) -> Markup:
    return part(
        "clients",
        "Programs",
        things([_client(visit, each) for each in clients], "You have let no program in yet."),
        form(
            visit,
            DEVELOPER,
            element("h3", "Register a program of your own"),
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
            element(
                "fieldset",
                element("legend", "Where it runs"),
                tick(
                    "kind",
                    "confidential",
                    "On a server that can keep a secret",
                    "It gets a secret, which is shown once. An app on a device needs none.",
                    ticked=typed.one("kind") == "confidential",
                ),
            ),
            button("Register the program", "create-client", "main"),
        ),
        lead="A program that you let in by OAuth, or that you make yourself. Most register themselves.",
    )


def _client(visit: Visit, client: OAuthClient) -> Markup:
    facts = [
        f"you allow {', '.join(shown_scope(scope) for scope in client.granted)}"
        if client.granted
        else "you allow nothing yet",
        f"sends you to {hosts_of(client.redirect_uris)}",
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
    act = disclosed(
        label,
        f"the program {client.name}",
        form(
            visit,
            DEVELOPER,
            hidden("id", client.id),
            button(told, "revoke-client", "danger"),
            class_="confirm",
        ),
    )
    return thing(joined(element("bdi", client.name), " ", command(client.id)), facts, act)


def _agents(visit: Visit, agents: tuple[Agent, ...]) -> Markup:
    return part(
        "agents",
        "Agents",
        things([_agent(visit, each) for each in agents], "You have claimed no agent yet."),
        element(
            "p",
            "An agent that shows you a code is waiting? ",
            element("a", "Claim it", href="/claim"),
            ".",
        ),
        lead="Agents that came without an account, and that act for you since you claimed them.",
    )


def _agent(visit: Visit, agent: Agent) -> Markup:
    facts = [
        f"came from {agent.address}",
        f"you allow {', '.join(shown_scope(scope) for scope in agent.scopes)}",
        f"claimed on {visit.day(agent.claimed_at)}" if agent.claimed_at else None,
        f"last used {visit.moment(agent.last_used_at)}" if agent.last_used_at else "never used",
    ]
    act = disclosed(
        "Revoke …",
        f"the agent {agent.id}",
        form(
            visit,
            DEVELOPER,
            hidden("id", agent.id),
            button("Revoke this agent", "revoke-agent", "danger"),
            class_="confirm",
        ),
    )
    return thing(command(agent.id), facts, act)


async def _create_client(visit: Visit, typed: TypedForm) -> web.Response:
    name, address = typed.maybe("client_name"), typed.maybe("redirect_uri")
    if name is None or address is None:
        raise BadRequest("A program needs a name, and where people are sent back to.")
    said = {"name": name, "redirectUris": [address], "kind": typed.maybe("kind") or "public"}
    try:
        ask = read_json(NewClient, to_json(said))
    except ValidationError as error:
        raise refusal_of(error) from error
    made: Made[CreatedClient] = await visit.perform(CREATE_CLIENT, ask)
    client = made.answer
    return framed(
        visit,
        DEVELOPER,
        part(
            "made",
            "Your new program",
            element("p", element("bdi", client.name), " asks for access by this id:"),
            shown_once(client.id, "The client id"),
            None
            if client.secret is None
            else element("p", "Its secret is not shown again. Copy it now:"),
            None if client.secret is None else shown_once(client.secret, "The client secret"),
            element("p", element("a", "Go on", href=DEVELOPER, class_="button main")),
        ),
    )


async def _revoke_client(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REVOKE_CLIENT, ClientId(id=typed.one("id")))
    return "client-revoked"


async def _revoke_agent(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REVOKE_AGENT, AgentId(id=typed.one("id")))
    return "agent-revoked"


ACTIONS: Mapping[str, ActOnForm] = {
    "create-client": _create_client,
    "revoke-client": _revoke_client,
    "revoke-agent": _revoke_agent,
}
SAID: Mapping[str, str] = {
    "client-revoked": "The program is refused from now on.",
    "agent-revoked": "The agent is refused from now on.",
}
"""What is said of each that was done."""
