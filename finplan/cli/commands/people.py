"""`finplan people`, `invites`, `sessions`, `open` and `audit`: how people come in here.

Who has an account, how another person comes to have one, the browsers that are signed in, one more of
them, and the record of who came in with what. Only the person's own session may use these.
"""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.credential import BrowserSession, CreatedInvite, Invite, SignInLink

people_app = CommandApp(cls=RowsGroup, invoke_without_command=True)


@people_app.callback(
    epilog=examples("finplan people", "finplan invites create --email grace@example.org")
)
def people(context: typer.Context) -> None:
    """Who has an account here.

    The owner of the machine sees everybody, anybody else only themselves. Nobody sees the money of
    another. `finplan invites` lets somebody in, `finplan me` is about you.
    """
    if context.invoked_subcommand is None:
        _list_of_people(Session.of(context))


@people_app.command("list", rows=True)
def list_people(context: typer.Context) -> None:
    """Everybody who has an account; the same as `finplan people`."""
    _list_of_people(Session.of(context))


def _list_of_people(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_PEOPLE

    found = session.answer(LIST_PEOPLE, Nothing())
    if found is not None:
        from finplan.cli.showing.access import draw_people

        session.print(draw_people(found))


invites_app = CommandApp(cls=RowsGroup, invoke_without_command=True)

LONGEST_DAYS = 30
"""As the interface has it; said here so that help needs no wire shapes."""

THIS_MACHINE = frozenset({"127.0.0.1", "localhost", "::1"})
"""What every machine calls itself."""


@invites_app.callback(
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
        _list_of_invites(Session.of(context))


@invites_app.command("list", rows=True)
def list_invites(context: typer.Context) -> None:
    """All invites, those that were used too; the same as `finplan invites`."""
    _list_of_invites(Session.of(context))


@invites_app.command("create")
def create_invite(
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
    from finplan.model.credential import NewInvite
    from finplan.operations.credential import CREATE_INVITE

    session = Session.of(context)
    given: dict[str, Any] = {"email": email, "days": days}
    ask = NewInvite.model_validate({name: each for name, each in given.items() if each is not None})
    made = session.answer(CREATE_INVITE, ask)
    if made is not None:
        session.print_raw(made.url.encode())
        for sentence in _told_of_invite(made):
            session.say(sentence)


@invites_app.command("revoke")
def revoke_invite(
    context: typer.Context,
    invite: Annotated[
        str, typer.Argument(metavar="INVITE", help="An id, the beginning of one, or an address.")
    ],
) -> None:
    """Take an invite back: its link lets nobody in from now on."""
    from finplan.model.credential import InviteId
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


def _list_of_invites(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_INVITES

    found = session.answer(LIST_INVITES, Nothing())
    if found is not None:
        from finplan.cli.showing.access import draw_invites

        session.print(draw_invites(found))


def _told_of_invite(made: "CreatedInvite") -> list[str]:
    from finplan.model import figures

    whom = f"For {made.email} alone" if made.email else "For whoever has the link"
    end = figures.moment(made.expires_at)
    until = f"{figures.long_date(end.date())}, {end:%H:%M}"
    told = [f"{whom}: one person may join by it, until {until}. It is shown only now."]
    host = urlsplit(made.url).hostname
    if host in THIS_MACHINE:
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
    return pick(text, [_meant_invite(each) for each in found], "invite", "finplan invites list")


def _meant_invite(invite: "Invite") -> NamedId:
    return NamedId(invite.id, (invite.email,) if invite.email else ())


sessions_app = CommandApp(cls=RowsGroup, invoke_without_command=True)


@sessions_app.callback(
    epilog=examples(
        "finplan sessions",
        "finplan sessions end firefox   The browser of that name, where there is one",
        "finplan sessions end ID        Any, by its id of the list",
        "finplan audit",
    )
)
def sessions(context: typer.Context) -> None:
    """The browsers that are signed in as you: list, end.

    A browser is signed out when nobody has used it for a week, and after a month in any case.
    """
    if context.invoked_subcommand is None:
        _list_of_sessions(Session.of(context))


@sessions_app.command("list", rows=True)
def list_sessions(context: typer.Context) -> None:
    """All browsers that are signed in, the one used last first; the same as `finplan sessions`."""
    _list_of_sessions(Session.of(context))


@sessions_app.command("end")
def end_session(
    context: typer.Context,
    browser: Annotated[
        str,
        typer.Argument(metavar="BROWSER", help="An id, the beginning of one, or its name."),
    ],
) -> None:
    """Sign a browser out: it is asked who it is from now on."""
    from finplan.model.credential import SessionId, browser_name
    from finplan.operations.credential import END_SESSION

    session = Session.of(context)
    ended = session.answer(END_SESSION, SessionId(id=_session_id(session, browser)))
    if ended is not None:
        session.say(f"Signed out {browser_name(ended.user_agent)}, used from {ended.address}.")


def _list_of_sessions(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_SESSIONS

    found = session.answer(LIST_SESSIONS, Nothing())
    if found is not None:
        from finplan.cli.showing.access import draw_sessions

        session.print(draw_sessions(found))


def _session_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_SESSIONS

    found = session.call(LIST_SESSIONS, Nothing())
    return pick(text, [_meant_session(each) for each in found], "browser", "finplan sessions list")


def _meant_session(browser: "BrowserSession") -> NamedId:
    from finplan.model import figures
    from finplan.model.credential import UNKNOWN_BROWSER, browser_name

    name = browser_name(browser.user_agent)
    # Only one that is unknown is known by all that it calls itself: the others claim to be each other.
    names = (name, browser.user_agent or "") if name.startswith(UNKNOWN_BROWSER) else (name,)
    used = figures.age(browser.last_used_at, datetime.now(UTC))
    return NamedId(browser.id, names, f"from {browser.address}, last used {used}")


open_app = CommandApp()

LINK_HOLDS = "The link signs in one browser, once, within a minute."
PATIENCE_WITH_BROWSER = 20
"""How often it is looked whether the browser has signed in, a second apart."""

_NO_BROWSER = "No browser was found here."
_NO_FILE = "No file could be written for your browser."
_NOT_SIGNED_IN = (
    "Your browser has not signed in yet: some may read no files. Paste the link into it."
)


@open_app.command(epilog=examples("finplan open", "finplan open --print"))
def open_browser(
    context: typer.Context,
    only_print: Annotated[
        bool, typer.Option("--print", help="Print the link instead of opening it.")
    ] = False,
) -> None:
    """Open finplan in your browser, signed in as you.

    It makes a link that signs in one browser, once, within a minute, and hands it over in a file of
    your home that nobody else can read, which is then removed. Where that does not work the link is
    printed.
    """
    from finplan.model.base import Nothing
    from finplan.operations.credential import CREATE_SIGN_IN_LINK

    session = Session.of(context)
    link = session.answer(CREATE_SIGN_IN_LINK, Nothing())
    if link is None:
        return
    why = None if only_print else _opened_in_browser(session, link)
    if why is None and not only_print:
        session.say("Your browser is signed in.")
        return
    session.print_raw(link.url.encode())
    session.say(LINK_HOLDS if why is None else f"{why} {LINK_HOLDS}")


def _opened_in_browser(session: Session, link: "SignInLink") -> str | None:
    """Have a browser sign in by a link; answers why it has not."""
    from finplan.client.connect import Ready, probe
    from finplan.client.sign_in_page import sign_in_page

    daemon = probe(session.settings)
    assert isinstance(daemon, Ready), "It has just made the link."
    known = _signed_in(session)
    try:
        with sign_in_page(link.url, daemon.token, Path.home()) as page:
            if not _shown_in_browser(page):
                return _NO_BROWSER
            with session.busy("Waiting for your browser"):
                return None if _has_browser_come(session, known) else _NOT_SIGNED_IN
    except (OSError, RuntimeError):
        # A home that is none, is full, or may not be written.
        return _NO_FILE


def _shown_in_browser(page: Path) -> bool:
    import webbrowser

    try:
        return webbrowser.open(page.as_uri())
    except (webbrowser.Error, OSError):
        return False


def _has_browser_come(session: Session, known: frozenset[str]) -> bool:
    for _ in range(PATIENCE_WITH_BROWSER):
        if _signed_in(session) - known:
            return True
        time.sleep(1)
    return False


def _signed_in(session: Session) -> frozenset[str]:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_SESSIONS

    return frozenset(each.id for each in session.call(LIST_SESSIONS, Nothing()))


audit_app = CommandApp()

LARGEST_LIMIT = 1000


@audit_app.command(rows=True, epilog=examples("finplan audit", "finplan audit --limit 10"))
def audit(
    context: typer.Context,
    limit: Annotated[
        int,
        typer.Option(min=1, max=LARGEST_LIMIT, metavar="N", help="How many events at most."),
    ] = 100,
) -> None:
    """Who came in with what, and what was given and taken back.

    Sign-ins and those that failed, links, invites, passwords, API keys, programs and agents, the
    newest first; kept for a year. No event holds a secret.
    """
    from finplan.model.credential import AuditQuery
    from finplan.operations.credential import LIST_AUDIT

    session = Session.of(context)
    found = session.answer(LIST_AUDIT, AuditQuery(limit=limit))
    if found is None:
        return
    from finplan.cli.showing.access import draw_audit

    session.page(draw_audit(found))
    if len(found) == limit:
        session.say(f"These are the newest {limit}; --limit N shows more where there are more.")
