"""`finplan sessions`: the browsers that are signed in."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.access.session import BrowserSession

app = CommandApp(cls=RowsGroup, invoke_without_command=True)


@app.callback(
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
        _list(Session.of(context))


@app.command("list", rows=True)
def list_sessions(context: typer.Context) -> None:
    """All browsers that are signed in, the one used last first; the same as `finplan sessions`."""
    _list(Session.of(context))


@app.command()
def end(
    context: typer.Context,
    browser: Annotated[
        str,
        typer.Argument(metavar="BROWSER", help="An id, the beginning of one, or its name."),
    ],
) -> None:
    """Sign a browser out: it is asked who it is from now on."""
    from finplan.model.access.browsers import browser_name
    from finplan.model.access.session import SessionId
    from finplan.operations.credential import END_SESSION

    session = Session.of(context)
    ended = session.answer(END_SESSION, SessionId(id=_session_id(session, browser)))
    if ended is not None:
        session.say(f"Signed out {browser_name(ended.user_agent)}, used from {ended.address}.")


def _list(session: Session) -> None:
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
    return pick(text, [_candidate(each) for each in found], "browser", "finplan sessions list")


def _candidate(browser: "BrowserSession") -> NamedId:
    from finplan.model import figures
    from finplan.model.access.browsers import UNKNOWN, browser_name

    name = browser_name(browser.user_agent)
    # Only one that is unknown is known by all that it calls itself: the others claim to be each other.
    names = (name, browser.user_agent or "") if name.startswith(UNKNOWN) else (name,)
    used = figures.age(browser.last_used_at, datetime.now(UTC))
    return NamedId(browser.id, names, f"from {browser.address}, last used {used}")
