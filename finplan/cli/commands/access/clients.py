"""`finplan clients`: programs that ask a person for access, as OAuth has it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.access.client import CreatedClient, GrantScope, OAuthClient

app = CommandApp(cls=RowsGroup, invoke_without_command=True)


@app.callback(
    epilog=examples(
        "finplan clients create Dashboard --redirect https://dash.example.org/back",
        "finplan clients create Phone --redirect org.example.phone:/back --scope read",
        "finplan clients revoke Dashboard         It has to ask you again, or is gone",
    )
)
def clients(context: typer.Context) -> None:
    """Programs that ask you for access: create, list, revoke.

    A program that lets people sign in here is a client of OAuth. Most register themselves and ask you
    in the browser; one that cannot is made here.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_clients(context: typer.Context) -> None:
    """The clients that you made or let in; the same as `finplan clients`."""
    _list(Session.of(context))


@app.command()
def create(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What people read when it asks them.")
    ],
    redirect: Annotated[
        list[str],
        typer.Option(
            metavar="URI",
            help="Where people are sent back to; once for each address that it uses.",
        ),
    ],
    confidential: Annotated[
        bool,
        typer.Option(
            "--confidential", help="It runs on a server and can keep a secret, so it gets one."
        ),
    ] = False,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCOPE",
            help="What it may ask for, as `read` or `openid`; anything when none is given.",
        ),
    ] = None,
) -> None:
    """Make a client and print its id; below it the secret, this once.

    Nobody can read the secret later, not even finplan, which keeps only a hash of it. Nothing is
    granted by this: the client asks each person, who may refuse.
    """
    from finplan.model.access.client import NewClient
    from finplan.operations.credential import CREATE_CLIENT

    given: dict[str, Any] = {"name": name, "redirectUris": tuple(redirect)}
    if confidential:
        given["kind"] = "confidential"
    if scope:
        given["scopes"] = tuple(_scope(each) for each in scope)
    session = Session.of(context)
    made = session.answer(CREATE_CLIENT, NewClient.model_validate(given))
    if made is not None:
        _tell(session, made)


@app.command()
def revoke(
    context: typer.Context,
    client: Annotated[
        str, typer.Argument(metavar="CLIENT", help="An id, the beginning of one, or a name.")
    ],
) -> None:
    """Take back all that you granted a client, and remove it if you made it.

    Its tokens are refused from now on. One that you did not make may ask you again.
    """
    from finplan.model.access.client import ClientId
    from finplan.operations.credential import REVOKE_CLIENT

    session = Session.of(context)
    revoked = session.answer(REVOKE_CLIENT, ClientId(id=_client_id(session, client)))
    if revoked is None:
        return
    if revoked.yours:
        session.say(f"Removed the client {revoked.name!r}: nobody is let in by it any more.")
    else:
        session.say(
            f"Took back all that you granted the client {revoked.name!r}; it may ask you again."
        )


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_CLIENTS

    found = session.answer(LIST_CLIENTS, Nothing())
    if found is not None:
        from finplan.cli.showing.access import draw_clients

        session.print(draw_clients(found))


def _tell(session: Session, made: "CreatedClient") -> None:
    session.print_raw(made.id.encode())
    if made.secret is None:
        session.say(
            f"This is the id of the client {made.name!r}. It has no secret, so it uses PKCE."
        )
        return
    session.print_raw(made.secret.encode())
    session.say(
        f"These are the id and the secret of the client {made.name!r}. The secret is shown only now, so"
        " keep it in a safe place."
    )


def _scope(typed: str) -> "GrantScope":
    from finplan.model.access.client import GRANT_SCOPES

    wanted = typed.strip().lower()
    for scope in GRANT_SCOPES:
        if wanted in (scope, scope.removeprefix("service:")):
            return scope
    known = ", ".join(f"`{scope}`" for scope in GRANT_SCOPES)
    raise typer.BadParameter(
        f"{typed!r} is no scope of a client; there are {known}.", param_hint="--scope"
    )


def _client_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_CLIENTS

    found = session.call(LIST_CLIENTS, Nothing())
    return pick(text, [_candidate(each) for each in found], "client", "finplan clients list")


def _candidate(client: "OAuthClient") -> NamedId:
    return NamedId(client.id, (client.name,), f"sends people to {client.redirect_uris[0]}")
