"""`finplan people`, `invites`, `sessions`, `open` and `audit`: how people come in here.

Who has an account, how another person comes to have one, the browsers that are signed in, one more of
them, and the record of who came in with what. Only the person's own session may use these.
"""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from finplan import model, operations, views
from finplan.cli.console.naming import NamedId
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag, option
from finplan.cli.console.output import is_shown_in_browser
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import given, meant_id

people_app = CommandApp(cls=RowsGroup)


@people_app.callback(
    epilog=examples("finplan people", "finplan invites create --email grace@example.org")
)
def people() -> None:
    """Who has an account here.

    The owner of the machine sees everybody, anybody else only themselves. Nobody sees the money of
    another. `finplan invites` lets somebody in, `finplan me` is about you.
    """


@people_app.command("list", rows=True)
def list_people(context: typer.Context) -> None:
    """Everybody who has an account; the same as `finplan people`."""
    Session.of(context).tell(
        operations.credential.LIST_PEOPLE, lambda: views.access.people, money=False
    )


invites_app = CommandApp(cls=RowsGroup)

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
def invites() -> None:
    """Let another person have an account here: create, list, revoke.

    Whoever joins has a household of their own and sees nothing of yours. Only the owner of the
    machine invites.
    """


@invites_app.command("list", rows=True)
def list_invites(context: typer.Context) -> None:
    """All invites, those that were used too; the same as `finplan invites`."""
    Session.of(context).tell(
        operations.credential.LIST_INVITES, lambda: views.access.invites, money=False
    )


@invites_app.command("create")
def create_invite(
    context: typer.Context,
    email: Annotated[
        str | None, option("ADDRESS", "Who may use it; without, whoever has the link.")
    ] = None,
    days: Annotated[
        int | None, option("DAYS", "How long it holds; 7 days.", min=1, max=LONGEST_DAYS)
    ] = None,
) -> None:
    """Make an invite and print its link, this once.

    The link lets one person join, once. Nobody can read it later, not even finplan, which keeps only
    a hash of it.
    """
    row = operations.credential.CREATE_INVITE
    asked = given(row, email=email, days=days)
    Session.of(context).report(row, _invitation, asked, prints=("url",))


@invites_app.command("revoke")
def revoke_invite(
    context: typer.Context,
    invite: Annotated[str, argument("INVITE", "An id, the beginning of one, or an address.")],
) -> None:
    """Take an invite back: its link lets nobody in from now on."""
    session, rows = Session.of(context), operations.credential
    meant = meant_id(session, invite, rows.LIST_INVITES, _named_invite, "invite")
    session.report(rows.REVOKE_INVITE, _revoked, model.credential.InviteId(id=meant))


def _named_invite(invite: "model.credential.Invite") -> NamedId:
    return NamedId(invite.id, (invite.email,) if invite.email else ())


def _revoked(invite: "model.credential.Invite") -> str:
    whom = invite.email or "whoever has the link"
    if invite.used_at is None:
        return f"Took the invite of {whom} back."
    return f"Forgot the invite of {whom}, by which somebody has joined: they keep their account."


def _invitation(made: "model.credential.CreatedInvite") -> str:
    sentences = views.access.invited(made, views.locale.here())
    host = urlsplit(made.url).hostname
    if host in THIS_MACHINE:
        sentences += (
            f"\nThe link begins with {host}, so that it works in a browser of this machine alone. For"
            " others, say in the setting site_url where they reach this daemon."
        )
    return sentences


sessions_app = CommandApp(cls=RowsGroup)


@sessions_app.callback(
    epilog=examples(
        "finplan sessions",
        "finplan sessions end firefox   The browser of that name, where there is one",
        "finplan sessions end ID        Any, by its id of the list",
        "finplan audit",
    )
)
def sessions() -> None:
    """The browsers that are signed in as you: list, end.

    A browser is signed out when nobody has used it for a week, and after a month in any case.
    """


@sessions_app.command("list", rows=True)
def list_sessions(context: typer.Context) -> None:
    """All browsers that are signed in, the one used last first; the same as `finplan sessions`."""
    Session.of(context).tell(
        operations.credential.LIST_SESSIONS, lambda: views.access.sessions, money=False
    )


@sessions_app.command("end")
def end_session(
    context: typer.Context,
    browser: Annotated[str, argument("BROWSER", "An id, the beginning of one, or its name.")],
) -> None:
    """Sign a browser out: it is asked who it is from now on."""
    session, rows, listing = Session.of(context), operations.credential, "finplan sessions list"
    meant = meant_id(session, browser, rows.LIST_SESSIONS, _named_session, "browser", listing)
    session.report(rows.END_SESSION, _ended, model.credential.SessionId(id=meant))


def _ended(ended: "model.credential.BrowserSession") -> str:
    called = model.credential.browser_name(ended.user_agent)
    return f"Signed out {called}, used from {ended.address}."


def _named_session(browser: "model.credential.BrowserSession") -> NamedId:
    name = model.credential.browser_name(browser.user_agent)
    # Only one that is unknown is known by all that it calls itself: the others claim to be each other.
    is_unknown = name.startswith(model.credential.UNKNOWN_BROWSER)
    names = (name, browser.user_agent or "") if is_unknown else (name,)
    used = model.figures.age(browser.last_used_at, datetime.now(UTC))
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
    only_print: Annotated[bool, flag("--print", "Print the link instead of opening it.")] = False,
) -> None:
    """Open finplan in your browser, signed in as you.

    It makes a link that signs in one browser, once, within a minute, and hands it over in a file of
    your home that nobody else can read, which is then removed. Where that does not work the link is
    printed.
    """
    session = Session.of(context)
    link = session.answer(operations.credential.CREATE_SIGN_IN_LINK)
    if link is None:
        return
    why = None if only_print else _opened_in_browser(session, link)
    if why is None and not only_print:
        session.say("Your browser is signed in.")
        return
    session.print_raw(link.url.encode())
    session.say(LINK_HOLDS if why is None else f"{why} {LINK_HOLDS}")


def _opened_in_browser(session: Session, link: "model.credential.SignInLink") -> str | None:
    """Have a browser sign in by a link; answers why it has not."""
    from finplan.client.connect import Ready, probe
    from finplan.client.sign_in_page import sign_in_page

    daemon = probe(session.settings)
    assert isinstance(daemon, Ready), "It has just made the link."
    known = _signed_in(session)
    try:
        with sign_in_page(link.url, daemon.token, Path.home()) as page:
            if not is_shown_in_browser(page.as_uri()):
                return _NO_BROWSER
            with session.busy("Waiting for your browser"):
                return None if _has_browser_come(session, known) else _NOT_SIGNED_IN
    except (OSError, RuntimeError):
        # A home that is none, is full, or may not be written.
        return _NO_FILE


def _has_browser_come(session: Session, known: frozenset[str]) -> bool:
    for _ in range(PATIENCE_WITH_BROWSER):
        if _signed_in(session) - known:
            return True
        time.sleep(1)
    return False


def _signed_in(session: Session) -> frozenset[str]:
    browsers = session.call(operations.credential.LIST_SESSIONS)
    return frozenset(each.id for each in browsers)


audit_app = CommandApp()

LARGEST_LIMIT = 1000


@audit_app.command(rows=True, epilog=examples("finplan audit", "finplan audit --limit 10"))
def audit(
    context: typer.Context,
    limit: Annotated[int, option("N", "How many events at most.", min=1, max=LARGEST_LIMIT)] = 100,
) -> None:
    """Who came in with what, and what was given and taken back.

    Sign-ins and those that failed, links, invites, passwords, API keys, programs and agents, the
    newest first; kept for a year. No event holds a secret.
    """
    session = Session.of(context)
    asked = model.credential.AuditQuery(limit=limit)
    found = session.tell(
        operations.credential.LIST_AUDIT, lambda: views.access.events, asked, money=False
    )
    if found is not None and len(found) == limit:
        session.say(f"These are the newest {limit}; --limit N shows more where there are more.")
