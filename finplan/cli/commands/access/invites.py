"""`finplan invites`: how another person comes to have an account here."""

from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.access.invite import CreatedInvite, Invite

app = CommandApp(cls=RowsGroup, invoke_without_command=True)

LONGEST_DAYS = 30
"""As the interface has it; said here so that help needs no wire shapes."""

HERE = frozenset({"127.0.0.1", "localhost", "::1"})
"""What every machine calls itself."""


@app.callback(
    epilog=examples(
        "finplan invites create --email ines@example.org   For her, for a week",
        "finplan invites create --days 1                   For whoever has the link",
        "finplan invites revoke ines@example.org           It lets nobody in any more",
    )
)
def invites(context: typer.Context) -> None:
    """Let another person have an account here: create, list, revoke.

    Whoever joins has a household of their own and sees nothing of yours. Only the owner of the
    machine invites.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_invites(context: typer.Context) -> None:
    """All invites, those that were used too; the same as `finplan invites`."""
    _list(Session.of(context))


@app.command()
def create(
    context: typer.Context,
    email: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Who may use it; without, whoever has the link."),
    ] = None,
    days: Annotated[
        int | None,
        typer.Option(min=1, max=LONGEST_DAYS, metavar="DAYS", help="How long it holds; 7 days."),
    ] = None,
) -> None:
    """Make an invite and print its link, this once.

    The link lets one person join, once. Nobody can read it later, not even finplan, which keeps only
    a hash of it.
    """
    from finplan.model.access.invite import NewInvite
    from finplan.operations.credential import CREATE_INVITE

    session = Session.of(context)
    given: dict[str, Any] = {"email": email, "days": days}
    ask = NewInvite.model_validate({name: each for name, each in given.items() if each is not None})
    made = session.answer(CREATE_INVITE, ask)
    if made is not None:
        session.print_raw(made.url.encode())
        for sentence in _told(made):
            session.say(sentence)


@app.command()
def revoke(
    context: typer.Context,
    invite: Annotated[
        str, typer.Argument(metavar="INVITE", help="An id, the beginning of one, or an address.")
    ],
) -> None:
    """Take an invite back: its link lets nobody in from now on."""
    from finplan.model.access.invite import InviteId
    from finplan.operations.credential import REVOKE_INVITE

    session = Session.of(context)
    revoked = session.answer(REVOKE_INVITE, InviteId(id=_invite_id(session, invite)))
    if revoked is None:
        return
    whom = revoked.email or "whoever has the link"
    if revoked.used_at is None:
        session.say(f"Took the invite of {whom} back.")
    else:
        session.say(
            f"Forgot the invite of {whom}, by which somebody has joined: they keep their account."
        )


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_INVITES

    found = session.answer(LIST_INVITES, Nothing())
    if found is not None:
        from finplan.cli.showing.access import draw_invites

        session.print(draw_invites(found))


def _told(made: "CreatedInvite") -> list[str]:
    from finplan.model import figures

    whom = f"For {made.email} alone" if made.email else "For whoever has the link"
    end = figures.moment(made.expires_at)
    until = f"{figures.long_date(end.date())}, {end:%H:%M}"
    told = [f"{whom}: one person may join by it, until {until}. It is shown only now."]
    host = urlsplit(made.url).hostname
    if host in HERE:
        told.append(
            f"The link begins with {host}, so that it works in a browser of this machine alone. For"
            " others, say in the setting site_url where they reach this daemon."
        )
    return told


def _invite_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_INVITES

    found = session.call(LIST_INVITES, Nothing())
    return pick(text, [_candidate(each) for each in found], "invite", "finplan invites list")


def _candidate(invite: "Invite") -> NamedId:
    return NamedId(invite.id, (invite.email,) if invite.email else ())
