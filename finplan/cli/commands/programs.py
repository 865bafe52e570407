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
from finplan.cli.dialogs.lookup import given, meant_id

keys_app = CommandApp(cls=RowsGroup)

_KEYS_LISTED_BY = "finplan keys list"


@keys_app.callback(
    epilog=examples(
        "finplan keys create nightly                      For a script of yours",
        "finplan keys create phone --scope service:read   For looking only",
        "finplan keys create trial --expires 90d          It is over in 90 days",
        "finplan keys revoke nightly                      It is refused from now on",
    )
)
def keys() -> None:
    """API keys for other programs: create, list, revoke.

    A program sends its key as the header x-api-key. The key does what its scopes say, but it never
    manages keys: that takes you.
    """


@keys_app.command("list", rows=True)
def list_keys(
    context: typer.Context,
    everything: Annotated[bool, flag("--all", "Those that were revoked, too.")] = False,
) -> None:
    """The keys that you made; without an option the same as `finplan keys`."""
    Session.of(context).tell(
        operations.credential.LIST_KEYS,
        lambda: partial(views.access.keys, revoked=everything),
        money=False,
    )


@keys_app.command("create")
def create_key(
    context: typer.Context,
    name: Annotated[str, argument("NAME", "What the key is for.")],
    scope: Annotated[
        list[str] | None,
        option("SCOPE", "`service:read` or `service:write`; both when none is given."),
    ] = None,
    expires: Annotated[
        datetime | None,
        option(
            "WHEN",
            "Days from now, as `90d`, or its last day, YYYY-MM-DD; without, it has no end.",
            parser=end_after,
        ),
    ] = None,
) -> None:
    """Make a key and print it, this once.

    Nobody can read it later, not even finplan, which keeps only a hash of it.
    """
    row = operations.credential.CREATE_KEY
    scopes = _scopes(scope, model.credential.KEY_SCOPES, "a key", " and ")
    end = None if expires is None else int(expires.timestamp() * 1000)
    asked = given(row, name=name, scopes=scopes, expires_at=end)
    Session.of(context).report(row, _created, asked, prints=("key",))


def _created(made: "model.credential.CreatedKey") -> str:
    shown = f"This is the key {made.name!r}; it is shown only now, so keep it in a safe place."
    if made.expires_at is None:
        return shown
    if model.figures.is_midnight(made.expires_at):
        return f"{shown}\nIts last day is {model.figures.last_day(made.expires_at)}."
    return f"{shown}\nIt is over on {model.figures.moment(made.expires_at):%Y-%m-%d at %H:%M}."


@keys_app.command("revoke")
def revoke_key(
    context: typer.Context,
    key: Annotated[str, argument("KEY", "An id, the beginning of one, or a name.")],
) -> None:
    """Revoke a key: whoever shows it is refused from now on."""
    session = Session.of(context)
    asked = model.credential.KeyId(id=_key_id(session, key))
    row = operations.credential.REVOKE_KEY
    session.report(row, lambda revoked: f"Revoked the key {revoked.name!r}.", asked)


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
                    f"The API key {key.name!r} was revoked already, on {when}; it has been refused"
                    " since.",
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
        "finplan clients revoke Dashboard         It has to ask you again, or is gone",
    )
)
def clients() -> None:
    """Programs that ask you for access: create, list, revoke.

    A program that lets people sign in here is a client of OAuth. Most register themselves and ask you
    in the browser; one that cannot is made here.
    """


@clients_app.command("list", rows=True)
def list_clients(context: typer.Context) -> None:
    """The clients that you made or let in; the same as `finplan clients`."""
    Session.of(context).tell(
        operations.credential.LIST_CLIENTS, lambda: views.access.clients, money=False
    )


@clients_app.command("create")
def create_client(
    context: typer.Context,
    name: Annotated[str, argument("NAME", "What people read when it asks them.")],
    redirect: Annotated[
        list[str],
        option("URI", "Where people are sent back to; once for each address that it uses."),
    ],
    confidential: Annotated[
        bool, flag("--confidential", "It runs on a server and can keep a secret, so it gets one.")
    ] = False,
    scope: Annotated[
        list[str] | None,
        option("SCOPE", "What it may ask for, as `read` or `openid`; anything when none is given."),
    ] = None,
) -> None:
    """Make a client and print its id; below it the secret, this once.

    Nobody can read the secret later, not even finplan, which keeps only a hash of it. Nothing is
    granted by this: the client asks each person, who may refuse.
    """
    row = operations.credential.CREATE_CLIENT
    kind = "confidential" if confidential else None
    scopes = _scopes(scope, model.credential.GRANT_SCOPES, "a client", ", ")
    asked = given(row, name=name, redirect_uris=tuple(redirect), kind=kind, scopes=scopes)
    Session.of(context).report(row, _created_client, asked, prints=("id", "secret"))


def _created_client(made: "model.credential.CreatedClient") -> str:
    if made.secret is None:
        return f"This is the id of the client {made.name!r}. It has no secret, so it uses PKCE."
    return (
        f"These are the id and the secret of the client {made.name!r}. The secret is shown only now, so"
        " keep it in a safe place."
    )


@clients_app.command("revoke")
def revoke_client(
    context: typer.Context,
    client: Annotated[str, argument("CLIENT", "An id, the beginning of one, or a name.")],
) -> None:
    """Take back all that you granted a client, and remove it if you made it.

    Its tokens are refused from now on. One that you did not make may ask you again.
    """
    session, rows = Session.of(context), operations.credential
    meant = meant_id(session, client, rows.LIST_CLIENTS, _named_client, "client")
    session.report(rows.REVOKE_CLIENT, _revoked_client, model.credential.ClientId(id=meant))


def _named_client(client: "model.credential.OAuthClient") -> NamedId:
    return NamedId(client.id, (client.name,), f"sends people to {client.redirect_uris[0]}")


def _revoked_client(client: "model.credential.OAuthClient") -> str:
    if client.yours:
        return f"Removed the client {client.name!r}: nobody is let in by it any more."
    return f"Took back all that you granted the client {client.name!r}; it may ask you again."


def _scopes(
    typed: list[str] | None, known: Iterable[str], whose: str, between: str
) -> tuple[str, ...] | None:
    """The scopes that are typed, with or without `service:` before them; None where none is."""
    words = {word: each for each in known for word in (each, each.removeprefix("service:"))}
    for each in typed or ():
        if each.strip().lower() not in words:
            told = between.join(f"`{scope}`" for scope in known)
            raise typer.BadParameter(
                f"{each!r} is no scope of {whose}; there are {told}.", param_hint="--scope"
            )
    return tuple(words[each.strip().lower()] for each in typed or ()) or None


agents_app = CommandApp(cls=RowsGroup)


@agents_app.callback(epilog=examples("finplan agents", "finplan agents revoke ID", "finplan audit"))
def agents() -> None:
    """Agents that act for you since you claimed them: list, revoke.

    An agent comes by itself, tries a made-up household, and shows you a code; who enters it on the
    page /claim of this daemon lets the agent act for them.
    """


@agents_app.command("list", rows=True)
def list_agents(context: typer.Context) -> None:
    """The agents that you have claimed, the newest first; the same as `finplan agents`."""
    Session.of(context).tell(
        operations.credential.LIST_AGENTS, lambda: views.access.agents, money=False
    )


@agents_app.command("revoke")
def revoke_agent(
    context: typer.Context,
    agent: Annotated[str, argument("AGENT", "An id, or the beginning of one.")],
) -> None:
    """Take an agent's access back: it is refused from now on."""
    session = Session.of(context)
    row, listed = operations.credential.REVOKE_AGENT, operations.credential.LIST_AGENTS
    meant = meant_id(session, agent, listed, lambda each: NamedId(each.id, ()), "agent")
    asked = model.credential.AgentId(id=meant)
    session.report(row, lambda gone: f"Took the access of the agent {gone.id} back.", asked)
