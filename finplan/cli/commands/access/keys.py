"""`finplan keys`: API keys, by which other programs reach the daemon."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import end_after

if TYPE_CHECKING:
    from finplan.model.access.key import ApiKey, KeyScope

app = CommandApp(cls=RowsGroup, invoke_without_command=True)

_LISTING = "finplan keys list"


@app.callback(
    epilog=examples(
        "finplan keys create nightly                      For a script of yours",
        "finplan keys create phone --scope service:read   For looking only",
        "finplan keys create trial --expires 90d          It is over in 90 days",
        "finplan keys revoke nightly                      It is refused from now on",
    )
)
def keys(context: typer.Context) -> None:
    """API keys for other programs: create, list, revoke.

    A program sends its key as the header x-api-key. The key does what its scopes say, but it never
    manages keys: that takes you.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_keys(
    context: typer.Context,
    everything: Annotated[
        bool, typer.Option("--all", help="Those that were revoked, too.")
    ] = False,
) -> None:
    """The keys that you made; without an option the same as `finplan keys`."""
    _list(Session.of(context), revoked=everything)


@app.command()
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the key is for.")],
    scope: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCOPE",
            help="`service:read` or `service:write`; both when none is given.",
        ),
    ] = None,
    expires: Annotated[
        datetime | None,
        typer.Option(
            parser=end_after,
            metavar="WHEN",
            help="Days from now, as `90d`, or its last day, YYYY-MM-DD; without, it has no end.",
        ),
    ] = None,
) -> None:
    """Make a key and print it, this once.

    Nobody can read it later, not even finplan, which keeps only a hash of it.
    """
    from finplan.model.access.key import NewKey
    from finplan.operations.credential import CREATE_KEY

    scopes = tuple(_scope(each) for each in scope or ())
    session = Session.of(context)
    given: dict[str, Any] = {"name": name}
    if scopes:
        given["scopes"] = scopes
    if expires is not None:
        given["expiresAt"] = int(expires.timestamp() * 1000)
    made = session.answer(CREATE_KEY, NewKey.model_validate(given))
    if made is not None:
        session.print_raw(made.key.encode())
        session.say(
            f"This is the key {made.name!r}; it is shown only now, so keep it in a safe place."
        )
        if made.expires_at is not None:
            session.say(_told_end(made.expires_at))


def _told_end(expires_at: int) -> str:
    from finplan.model import figures

    if figures.is_midnight(expires_at):
        return f"Its last day is {figures.last_day(expires_at)}."
    return f"It is over on {figures.moment(expires_at):%Y-%m-%d at %H:%M}."


@app.command()
def revoke(
    context: typer.Context,
    key: Annotated[
        str, typer.Argument(metavar="KEY", help="An id, the beginning of one, or a name.")
    ],
) -> None:
    """Revoke a key: whoever shows it is refused from now on."""
    from finplan.model.access.key import KeyId
    from finplan.operations.credential import REVOKE_KEY

    session = Session.of(context)
    revoked = session.answer(REVOKE_KEY, KeyId(id=_key_id(session, key)))
    if revoked is not None:
        session.say(f"Revoked the key {revoked.name!r}.")


def _list(session: Session, *, revoked: bool = False) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_KEYS

    found = session.answer(LIST_KEYS, Nothing())
    if found is not None:
        from finplan.cli.showing.access import draw_keys

        session.print(draw_keys(found, revoked=revoked))


def _scope(typed: str) -> "KeyScope":
    match typed.strip().lower().removeprefix("service:"):
        case "read":
            return "service:read"
        case "write":
            return "service:write"
    raise typer.BadParameter(
        f"{typed!r} is no scope of a key; there are `service:read` and `service:write`.",
        param_hint="--scope",
    )


def _key_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_KEYS

    keys = session.call(LIST_KEYS, Nothing())
    active = [_candidate(key) for key in keys if key.revoked_at is None]
    try:
        return pick(text, active, "API key", _LISTING)
    except SeveralMeant:
        raise
    except CommandError:
        _tell_if_revoked(text, keys)
        raise


def _tell_if_revoked(text: str, keys: "Sequence[ApiKey]") -> None:
    """Say of a key that it was revoked before, where it is meant. Raises CommandError."""
    from finplan.model import figures

    for key in keys:
        if key.revoked_at is None or not _is_meant(text, key):
            continue
        when = f"{figures.moment(key.revoked_at):%Y-%m-%d at %H:%M}"
        raise CommandError(
            f"The API key {key.name!r} was revoked already, on {when}; it has been refused since.",
            NOT_THERE,
        )


def _is_meant(text: str, key: "ApiKey") -> bool:
    try:
        pick(text, [_candidate(key)], "API key", _LISTING, exact=True)
    except CommandError:
        return False
    return True


def _candidate(key: "ApiKey") -> NamedId:
    return NamedId(key.id, (key.name, key.prefix))
