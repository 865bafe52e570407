"""`finplan open`: the pages of this daemon in a browser, signed in."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.access.session import SignInLink

app = CommandApp()

HOLDS = "The link signs in one browser, once, within a minute."
PATIENCE = 20
"""How often it is looked whether the browser has signed in, a second apart."""

_NO_BROWSER = "No browser was found here."
_NO_FILE = "No file could be written for your browser."
_NOT_SIGNED_IN = (
    "Your browser has not signed in yet: some may read no files. Paste the link into it."
)


@app.command(epilog=examples("finplan open", "finplan open --print"))
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
    why = None if only_print else _opened(session, link)
    if why is None and not only_print:
        session.say("Your browser is signed in.")
        return
    session.print_raw(link.url.encode())
    session.say(HOLDS if why is None else f"{why} {HOLDS}")


def _opened(session: Session, link: "SignInLink") -> str | None:
    """Have a browser sign in by a link; answers why it has not."""
    from finplan.client.connect import Ready, probe
    from finplan.client.sign_in_page import sign_in_page

    daemon = probe(session.settings)
    assert isinstance(daemon, Ready), "It has just made the link."
    known = _signed_in(session)
    try:
        with sign_in_page(link.url, daemon.token, Path.home()) as page:
            if not _shown(page):
                return _NO_BROWSER
            with session.busy("Waiting for your browser"):
                return None if _has_come(session, known) else _NOT_SIGNED_IN
    except (OSError, RuntimeError):
        # A home that is none, is full, or may not be written.
        return _NO_FILE


def _shown(page: Path) -> bool:
    import webbrowser

    try:
        return webbrowser.open(page.as_uri())
    except (webbrowser.Error, OSError):
        return False


def _has_come(session: Session, known: frozenset[str]) -> bool:
    for _ in range(PATIENCE):
        if _signed_in(session) - known:
            return True
        time.sleep(1)
    return False


def _signed_in(session: Session) -> frozenset[str]:
    from finplan.model.base import Nothing
    from finplan.operations.credential import LIST_SESSIONS

    return frozenset(each.id for each in session.call(LIST_SESSIONS, Nothing()))
