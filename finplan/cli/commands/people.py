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
from finplan.cli.dialogs.lookup import build_request, meant_id

people_app = CommandApp(cls=RowsGroup)


@people_app.callback(
    epilog=examples("finplan people", "finplan invites create --email grace@example.org")
)
def people() -> None:
    """People who use finplan here.

    The owner of the machine sees everyone in this list; other people see only themselves. Nobody sees
    another person's money. To invite someone: `finplan invites`. For your own details: `finplan me`.
    """


@people_app.command("list", rows=True)
def list_people(context: typer.Context) -> None:
    """Everyone who uses finplan here; same as `finplan people`."""
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
        "finplan invites create --email ines@example.org   Only for her, for 7 days",
        "finplan invites create --days 1                   For anyone with the link",
        "finplan invites revoke ines@example.org           The link stops working",
    )
)
def invites() -> None:
    """Create, list and revoke invites to use finplan here.

    Each person has their own data and cannot see anyone else's. Only the owner, who set up finplan here,
    can invite others.
    """


@invites_app.command("list", rows=True)
def list_invites(context: typer.Context) -> None:
    """All invites, including used ones; same as `finplan invites`."""
    Session.of(context).tell(
        operations.credential.LIST_INVITES, lambda: views.access.invites, money=False
    )


@invites_app.command("create")
def create_invite(
    context: typer.Context,
    email: Annotated[
        str | None,
        option(
            "ADDRESS", "Only this email address can use the invite. [default: anyone with the link]"
        ),
    ] = None,
    days: Annotated[
        int | None,
        option("DAYS", "Days until the invite expires. [default: 7]", min=1, max=LONGEST_DAYS),
    ] = None,
) -> None:
    """Create an invite and print its link once.

    The link lets one person join. finplan does not show the link again, because it stores only a hash
    of the link.
    """
    row = operations.credential.CREATE_INVITE
    request = build_request(row, email=email, days=days)
    Session.of(context).report(row, _invitation, request, prints=("url",))


@invites_app.command("revoke")
def revoke_invite(
    context: typer.Context,
    invite: Annotated[
        str,
        argument(
            "INVITE", "The invite's id or email address. The first characters of the id are enough."
        ),
    ],
) -> None:
    """Revoke an unused invite: its link stops working. People who already joined keep access."""
    session, rows = Session.of(context), operations.credential
    meant = meant_id(session, invite, rows.LIST_INVITES, _named_invite, "invite")
    session.report(rows.REVOKE_INVITE, _revoked, model.credential.InviteId(id=meant))


def _named_invite(invite: "model.credential.Invite") -> NamedId:
    return NamedId(invite.id, (invite.email,) if invite.email else ())


def _revoked(invite: "model.credential.Invite") -> str:
    whom = invite.email or "anyone with the link"
    if invite.used_at is None:
        return f"Revoked the invite for {whom}."
    return f"Removed the used invite for {whom}. The person who joined keeps access."


def _invitation(invite: "model.credential.CreatedInvite") -> str:
    sentences = views.access.describe_invite(invite, views.locale.here())
    host = urlsplit(invite.url).hostname
    if host in THIS_MACHINE:
        sentences += (
            f"\nThe link works only on this machine ({host}). To use it on a phone or another"
            " computer, first set `site_url` to an address that the device can reach. See"
            " “Behind a proxy” in the handbook."
        )
    return sentences


sessions_app = CommandApp(cls=RowsGroup)


@sessions_app.callback(
    epilog=examples(
        "finplan sessions",
        "finplan sessions end firefox   Sign out Firefox",
        "finplan sessions end ID        Sign out a browser by its id",
        "finplan audit",
    )
)
def sessions() -> None:
    """List browsers that are signed in as you, or sign them out.

    finplan signs out a browser after a week without use, and always after a month.
    """


@sessions_app.command("list", rows=True)
def list_sessions(context: typer.Context) -> None:
    """Signed-in browsers, last used first; same as `finplan sessions`."""
    Session.of(context).tell(
        operations.credential.LIST_SESSIONS, lambda: views.access.sessions, money=False
    )


@sessions_app.command("end")
def end_session(
    context: typer.Context,
    browser: Annotated[
        str,
        argument("BROWSER", "The browser's id or name. The first characters of the id are enough."),
    ],
) -> None:
    """Sign out a browser."""
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

LINK_HOLDS = "The link works for one minute, and only once."
PATIENCE_WITH_BROWSER = 20
"""How often it is looked whether the browser has signed in, a second apart."""

_NO_BROWSER = "No browser found."
_NO_FILE = "Could not write the sign-in file for your browser."
_NOT_SIGNED_IN = (
    "Your browser has not signed in. Some browsers cannot open local files. Paste the link"
    " into your browser."
)


@open_app.command(epilog=examples("finplan open", "finplan open --print"))
def open_browser(
    context: typer.Context,
    only_print: Annotated[bool, flag("--print", "Print the link instead of opening it.")] = False,
) -> None:
    """Open finplan in your browser, signed in as you.

    The sign-in link works for one minute, and only once. finplan passes the link to your browser in a
    private file in your home folder, then deletes the file. If that fails, finplan prints the link.
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
    before = _signed_in(session)
    try:
        with sign_in_page(link.url, daemon.token, Path.home()) as page:
            if not is_shown_in_browser(page.as_uri()):
                return _NO_BROWSER
            with session.busy("Waiting for your browser"):
                return None if _has_browser_come(session, before) else _NOT_SIGNED_IN
    except (OSError, RuntimeError):
        # A home that is none, is full, or may not be written.
        return _NO_FILE


def _has_browser_come(session: Session, before: frozenset[str]) -> bool:
    for _ in range(PATIENCE_WITH_BROWSER):
        if _signed_in(session) - before:
            return True
        time.sleep(1)
    return False


def _signed_in(session: Session) -> frozenset[str]:
    browsers = session.call(operations.credential.LIST_SESSIONS)
    return frozenset(browser.id for browser in browsers)


audit_app = CommandApp()

LARGEST_LIMIT = 1000


@audit_app.command(rows=True, epilog=examples("finplan audit", "finplan audit --limit 10"))
def audit(
    context: typer.Context,
    limit: Annotated[int, option("N", "Show at most N events.", min=1, max=LARGEST_LIMIT)] = 100,
) -> None:
    """Access log: sign-ins, and credentials issued and revoked.

    The log also covers failed sign-ins, links, invites, passwords, API keys, apps and agents. The
    newest events come first. finplan keeps events for a year, without secrets.
    """
    session = Session.of(context)
    query = model.credential.AuditQuery(limit=limit)
    events = session.tell(
        operations.credential.LIST_AUDIT, lambda: views.access.events, query, money=False
    )
    if events is not None and len(events) == limit:
        session.say(f"Showing the newest {limit}. For more: --limit N.")
