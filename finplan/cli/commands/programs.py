"""`finplan keys`, `clients` and `agents`: how programs come in here.

API keys, programs that ask a person for access, as OAuth has it, and agents that came without an account
and that their person has claimed. Only the person's own session may use these.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Annotated

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag, option
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import end_after
from finplan.cli.dialogs.lookup import build_request, meant_id

keys_app = CommandApp(cls=RowsGroup)

_KEYS_LISTED_BY = "finplan keys list"


@keys_app.callback(
    epilog=examples(
        "finplan keys create nightly                      For a script",
        "finplan keys create phone --scope service:read   Read-only",
        "finplan keys create trial --expires 90d          Expires in 90 days",
        "finplan keys revoke nightly                      Stops working at once",
    )
)
def keys() -> None:
    """Create, list and revoke API keys for other programs.

    A program sends its key in the x-api-key header. Scopes limit what a key can do. No API key can
    manage API keys.
    """


@keys_app.command("list", rows=True)
def list_keys(
    context: typer.Context,
    everything: Annotated[bool, flag("--all", "Include revoked keys.")] = False,
) -> None:
    """Your API keys; same as `finplan keys`."""
    Session.of(context).tell(
        operations.credential.LIST_KEYS,
        lambda: partial(views.access.keys, revoked=everything),
        money=False,
    )


@keys_app.command("create")
def create_key(
    context: typer.Context,
    name: Annotated[str, argument("NAME", "Name of the key.")],
    scope: Annotated[
        list[str] | None,
        option("SCOPE", "`service:read` or `service:write`; repeatable. [default: both]"),
    ] = None,
    expires: Annotated[
        datetime | None,
        option(
            "WHEN",
            "Days until the key expires (`90d`) or its last day (YYYY-MM-DD). [default: never]",
            parser=end_after,
        ),
    ] = None,
) -> None:
    """Create an API key and print it once.

    finplan does not show the key again, because it stores only a hash of the key.
    """
    row = operations.credential.CREATE_KEY
    scopes = _scopes(scope, model.credential.KEY_SCOPES, "an API key")
    end = None if expires is None else int(expires.timestamp() * 1000)
    request = build_request(row, name=name, scopes=scopes, expires_at=end)
    Session.of(context).report(row, _created, request, prints=("key",))


def _created(key: "model.credential.CreatedKey") -> str:
    text = f"Created API key {key.name!r}. Copy it now; it is not shown again."
    if key.expires_at is None:
        return text
    if model.figures.is_midnight(key.expires_at):
        return f"{text}\nLast day: {model.figures.last_day(key.expires_at)}."
    return f"{text}\nExpires on {model.figures.moment(key.expires_at):%Y-%m-%d at %H:%M}."


@keys_app.command("revoke")
def revoke_key(
    context: typer.Context,
    key: Annotated[
        str, argument("KEY", "The id or the name. The first characters of the id are enough.")
    ],
) -> None:
    """Revoke an API key: it stops working at once."""
    session = Session.of(context)
    request = model.credential.KeyId(id=_key_id(session, key))
    row = operations.credential.REVOKE_KEY
    session.report(row, lambda revoked: f"Revoked API key {revoked.name!r}.", request)


def _key_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    keys = session.call(operations.credential.LIST_KEYS)
    active = [_named_key(key) for key in keys if key.revoked_at is None]
    try:
        return pick(text, active, "API key", _KEYS_LISTED_BY)
    except SeveralMeant:
        raise
    except CommandError:
        for key in keys:
            if key.revoked_at is not None and _is_key_meant(text, key):
                when = f"{model.figures.moment(key.revoked_at):%Y-%m-%d at %H:%M}"
                raise CommandError(
                    f"API key {key.name!r} was already revoked on {when}.",
                    NOT_THERE,
                ) from None
        raise


def _is_key_meant(text: str, key: "model.credential.ApiKey") -> bool:
    try:
        pick(text, [_named_key(key)], "API key", _KEYS_LISTED_BY, exact=True)
    except CommandError:
        return False
    return True


def _named_key(key: "model.credential.ApiKey") -> NamedId:
    return NamedId(key.id, (key.name, key.prefix))


clients_app = CommandApp(cls=RowsGroup)


@clients_app.callback(
    epilog=examples(
        "finplan clients create Dashboard --redirect https://dash.example.org/back",
        "finplan clients create Phone --redirect org.example.phone:/back --scope read",
        "finplan clients revoke Dashboard         Revoke its access",
    )
)
def clients() -> None:
    """Create, list and revoke OAuth clients (apps that you allowed).

    Most apps register themselves and ask you for access in the browser. Use `create` for an app that
    cannot register itself.
    """


@clients_app.command("list", rows=True)
def list_clients(context: typer.Context) -> None:
    """Apps you created or allowed; same as `finplan clients`."""
    Session.of(context).tell(
        operations.credential.LIST_CLIENTS, lambda: views.access.clients, money=False
    )


@clients_app.command("create")
def create_client(
    context: typer.Context,
    name: Annotated[str, argument("NAME", "Name that people see when the app asks for access.")],
    redirect: Annotated[
        list[str],
        option("URI", "Address that people are sent back to after they sign in; repeatable."),
    ],
    confidential: Annotated[
        bool, flag("--confidential", "Create a secret, for an app that runs on a server.")
    ] = False,
    scope: Annotated[
        list[str] | None,
        option(
            "SCOPE",
            "Scope that the app may ask for, like `read` or `openid`; repeatable. [default: all]",
        ),
    ] = None,
) -> None:
    """Create an app and print its id, and its secret once.

    finplan does not show the secret again, because it stores only a hash of the secret. Creating an app
    grants no access: the app must ask each person.
    """
    row = operations.credential.CREATE_CLIENT
    kind = "confidential" if confidential else None
    scopes = _scopes(scope, model.credential.GRANT_SCOPES, "an app")
    request = build_request(row, name=name, redirect_uris=tuple(redirect), kind=kind, scopes=scopes)
    Session.of(context).report(row, _created_client, request, prints=("id", "secret"))


def _created_client(client: "model.credential.CreatedClient") -> str:
    if client.secret is None:
        return (
            f"Created app {client.name!r} and printed its id. The app uses PKCE, without a secret."
        )
    return (
        f"Created app {client.name!r} and printed its id and secret. Copy the secret now; it is not"
        " shown again."
    )


@clients_app.command("revoke")
def revoke_client(
    context: typer.Context,
    client: Annotated[
        str, argument("CLIENT", "The id or the name. The first characters of the id are enough.")
    ],
) -> None:
    """Revoke an app's access, and remove the app if you created it.

    Its tokens stop working at once. An app that you did not create may ask you for access again.
    """
    session, rows = Session.of(context), operations.credential
    meant = meant_id(
        session, client, rows.LIST_CLIENTS, _named_client, "app", "finplan clients list"
    )
    session.report(rows.REVOKE_CLIENT, _revoked_client, model.credential.ClientId(id=meant))


def _named_client(client: "model.credential.OAuthClient") -> NamedId:
    return NamedId(client.id, (client.name,), f"returns people to {client.redirect_uris[0]}")


def _revoked_client(client: "model.credential.OAuthClient") -> str:
    if client.yours:
        return f"Removed app {client.name!r} and revoked its access."
    return f"Revoked the access of app {client.name!r}. The app may ask you for access again."


def _scopes(typed: list[str] | None, allowed: Iterable[str], whose: str) -> tuple[str, ...] | None:
    """The scopes that are typed, with or without `service:` before them; None where none is."""
    by_name = {name: scope for scope in allowed for name in (scope, scope.removeprefix("service:"))}
    for text in typed or ():
        if text.strip().lower() not in by_name:
            listed = ", ".join(f"`{scope}`" for scope in allowed)
            raise typer.BadParameter(
                f"{text!r} is not a scope of {whose}. Choose from: {listed}.", param_hint="--scope"
            )
    return tuple(by_name[text.strip().lower()] for text in typed or ()) or None


agents_app = CommandApp(cls=RowsGroup)


@agents_app.callback(
    epilog=examples(
        "finplan agents",
        "finplan agents revoke ID",
        "finplan audit    When agents got or lost access",
    )
)
def agents() -> None:
    """List and revoke agents that you approved with a code.

    Such an agent starts with demo data and shows you a code. Run `finplan open`, go to /claim and enter
    the code. The agent can then use your data. For agents added by `finplan mcp install`, see
    `finplan mcp uninstall`.
    """


@agents_app.command("list", rows=True)
def list_agents(context: typer.Context) -> None:
    """Agents that you approved, newest first; same as `finplan agents`."""
    Session.of(context).tell(
        operations.credential.LIST_AGENTS, lambda: views.access.agents, money=False
    )


@agents_app.command("revoke")
def revoke_agent(
    context: typer.Context,
    agent: Annotated[str, argument("AGENT", "The agent's id. Its first characters are enough.")],
) -> None:
    """Revoke an agent's access: it stops working at once."""
    session = Session.of(context)
    row, listed = operations.credential.REVOKE_AGENT, operations.credential.LIST_AGENTS
    meant = meant_id(session, agent, listed, lambda record: NamedId(record.id, ()), "agent")
    request = model.credential.AgentId(id=meant)
    session.report(row, lambda gone: f"Revoked the access of agent {gone.id}.", request)
