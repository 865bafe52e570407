"""Linking at a page of a bank's: opened in a browser or shown, and waited for."""

import time
from typing import TYPE_CHECKING

from finplan.cli.console.errors import BANK, CommandError, Interrupted
from finplan.cli.console.session import Session
from finplan.cli.dialogs.bank_guides import not_set_up, plaid_keys
from finplan.client.failures import CallFailed

if TYPE_CHECKING:
    from finplan.model.connection import BankLink, BankLinkRequest, ConnectionRecord

PAUSE = 3.0
"""How often it is asked what came of a page, in seconds."""


def begin(session: Session, ask: "BankLinkRequest", *, only_print: bool) -> "BankLink | None":
    """Open a page, and say where it is; None with --json, whose answer is printed."""
    from finplan.operations.bank import BEGIN_LINK

    try:
        link = session.answer(BEGIN_LINK, ask, doing="Opening a page")
    except CallFailed as refused:
        if refused.code == "UNSUPPORTED_PROVIDER":
            raise not_set_up(session, plaid_keys(session.settings), refused) from None
        raise
    if link is None:
        session.say(
            "Open the page at `url`, and ask what came of it: `finplan connect BANK --link ID`."
        )
        return None
    _lead_to(session, link, only_print=only_print)
    return link


def go_on(session: Session, link_id: str) -> "BankLink | None":
    """A link that was begun before; None with --json, whose answer is printed."""
    from finplan.model.connection import BankLinkId
    from finplan.operations.bank import SHOW_LINK

    return session.answer(SHOW_LINK, BankLinkId(id=link_id))


def wait(session: Session, link: "BankLink") -> "ConnectionRecord":
    """Wait until a bank was signed in at. Raises CommandError where the page was left, or is closed."""
    from finplan.model.connection import ConnectionId
    from finplan.operations.bank import SHOW_CONNECTION

    try:
        with session.busy("Waiting until you have signed in at the page; Ctrl-C stops waiting"):
            while link.status == "pending":
                time.sleep(PAUSE)
                link = _asked(session, link.id)
    except KeyboardInterrupt:
        raise Interrupted(
            f"No longer waiting. {_until(link)} What you do there is linked all the same;"
            f" `finplan connect {link.bank} --link {link.id}` waits for it again."
        ) from None
    if link.connection is None:
        raise CommandError(link.error or "Nothing was linked.", BANK)
    return session.call(SHOW_CONNECTION, ConnectionId(id=link.connection.id))


def _asked(session: Session, link_id: str) -> "BankLink":
    from finplan.model.connection import BankLinkId
    from finplan.operations.bank import SHOW_LINK

    return session.client.call(SHOW_LINK, BankLinkId(id=link_id))


def _lead_to(session: Session, link: "BankLink", *, only_print: bool) -> None:
    """Have a browser open the page, or print its address, and a code of it where somebody looks."""
    if not only_print and _opened(link.url):
        session.say(f"Sign in at the page in your browser. If none is there, open {link.url}")
    else:
        session.say("Sign in at this page, with a browser or a telephone:")
        session.print_raw(link.url.encode())
        if session.shows_blocks and not session.options.quiet:
            from finplan.cli.console.terminal import draw_qr

            session.print(draw_qr(link.url))
    session.say(_until(link))


def _opened(url: str) -> bool:
    import webbrowser

    try:
        return webbrowser.open(url)
    except (webbrowser.Error, OSError):
        return False


def _until(link: "BankLink") -> str:
    at = time.strftime("%H:%M", time.localtime(link.expires_at / 1000))
    return f"The page is open until {at}."
