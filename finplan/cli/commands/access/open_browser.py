"""`finplan open`: the pages of this daemon in a browser, signed in."""

from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.access.session import SignInLink

app = CommandApp()

HOLDS = "The link signs in one browser, once, within a minute."


@app.command(epilog=examples("finplan open", "finplan open --print"))
def open_browser(
    context: typer.Context,
    only_print: Annotated[
        bool, typer.Option("--print", help="Print the link instead of opening it.")
    ] = False,
) -> None:
    """Open finplan in your browser, signed in as you.

    It makes a link that signs in one browser, once, within a minute. Where there is no browser the
    link is printed.
    """
    from finplan.model.base import Nothing
    from finplan.operations.access import CREATE_SIGN_IN_LINK

    session = Session.of(context)
    link = session.answer(CREATE_SIGN_IN_LINK, Nothing())
    if link is None:
        return
    if not only_print and _is_opened(link):
        session.say(f"Opened your browser. {HOLDS}")
        return
    session.print_raw(link.url.encode())
    session.say(HOLDS if only_print else f"No browser was found here. {HOLDS}")


def _is_opened(link: "SignInLink") -> bool:
    import webbrowser

    try:
        return webbrowser.open(link.url)
    except (webbrowser.Error, OSError):
        return False
