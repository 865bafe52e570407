"""`finplan connect`: link a bank."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.errors import NOT_THERE, USAGE, CommandError
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.bank_guides import BANKS, BY_PAGE, IN_EUROPE, SIMPLEFIN, say_guide
from finplan.cli.dialogs.taken_over import linked_banks, say_what_was_taken_over

if TYPE_CHECKING:
    from finplan.model.connection import ConnectionRecord, LinkRequest, Reconnection

app = CommandApp()

_KINDS = (
    "SimpleFIN does not say what kind an account is: look at `finplan accounts`, and put right what is"
    " wrong there by `finplan accounts set NAME --kind`."
)


@app.command(
    epilog=examples(
        "finplan connect demo       A made-up household, to try finplan out",
        "finplan connect simplefin  Says what it needs; asks for a setup token",
        "finplan connect plaid      Says what it needs; opens Plaid's page",
        "finplan connect plaid --reconnect Chase  Sign in again at a bank",
        "finplan connect enablebanking --country DE --bank ING  Opens its page",
        "finplan import FILE        Any bank, from its statement file",
    )
)
def connect(
    context: typer.Context,
    provider: Annotated[
        str,
        typer.Argument(
            metavar="BANK",
            help="`demo`, the made-up household; `simplefin`, the SimpleFIN Bridge; `plaid`; or"
            " `enablebanking`, for Europe.",
        ),
    ],
    reconnect: Annotated[
        str | None,
        typer.Option(
            metavar="CONNECTION",
            help="Give a bank that is linked a new access; its accounts and all you said stay.",
        ),
    ] = None,
    link: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Wait for a page that was opened before."),
    ] = None,
    only_print: Annotated[
        bool,
        typer.Option("--print", help="Print the page's address and a QR code of it; open nothing."),
    ] = False,
    country: Annotated[
        str | None,
        typer.Option(
            metavar="COUNTRY", help="In Europe: the bank's country, such as DE or Germany."
        ),
    ] = None,
    bank: Annotated[
        str | None, typer.Option(metavar="NAME", help="In Europe: what the bank is called.")
    ] = None,
) -> None:
    """Link a bank, and fetch what it has.

    A setup token is asked for, or read from stdin. A page is opened in your browser, and waited for
    until you have signed in there. The made-up household never stands beside a real bank in one profile.
    """
    session = Session.of(context)
    if provider not in BANKS:
        raise CommandError(
            f"There is no bank {provider!r} to connect. Known are {_listed()}. Statement files of any"
            " bank: `finplan import FILE`.",
            NOT_THERE,
        )
    if provider not in BY_PAGE and (link is not None or only_print):
        raise CommandError("`--link` and `--print` are for pages that are waited for.", USAGE)
    if provider != IN_EUROPE and not (country is bank is None):
        raise CommandError(f"`--country` and `--bank` are for `{IN_EUROPE}` alone.", USAGE)
    if link is not None and (reconnect is not None or only_print):
        raise CommandError("`--link` goes on with a page that is open: it stands alone.", USAGE)
    before = linked_banks(session)
    if provider == IN_EUROPE:
        from finplan.cli.dialogs.linking_in_europe import link_in_europe

        record = link_in_europe(session, country, bank, reconnect)
    elif provider in BY_PAGE:
        record = _by_page(session, provider, reconnect, link, only_print=only_print)
    else:
        record = _by_token(session, provider, reconnect)
    if record is not None:
        from finplan.cli.showing.banks import draw_connections

        session.print(draw_connections([record]))
        say_what_was_taken_over(session, before)
        if provider == "simplefin":
            session.say(_KINDS)
        if reconnect is not None:
            from finplan.cli.dialogs.relinked import ask_which_accounts

            ask_which_accounts(session)
        session.say("Next: `finplan plan build`.")


def _by_page(
    session: Session, bank: str, reconnect: str | None, link: str | None, *, only_print: bool
) -> "ConnectionRecord | None":
    from finplan.cli.dialogs import linking
    from finplan.model.connection import BankLinkRequest

    if link is not None:
        begun = linking.go_on(session, link)
    else:
        ask = BankLinkRequest(bank=bank, reconnect=_reconnection(session, reconnect))
        begun = linking.begin(session, ask, only_print=only_print)
    return None if begun is None else linking.wait(session, begun)


def _by_token(session: Session, bank: str, reconnect: str | None) -> "ConnectionRecord | None":
    from finplan.operations.bank import LINK_CONNECTION

    ask = _asked(session, bank, reconnect)
    return session.answer(LINK_CONNECTION, ask, doing=f"Linking {bank}")


def _asked(session: Session, bank: str, reconnect: str | None) -> "LinkRequest":
    from finplan.model.connection import LinkRequest

    if bank == "demo":
        if reconnect is not None:
            raise CommandError("`--reconnect` is for real banks; the demo never needs it.", USAGE)
        return LinkRequest(provider="demo")
    token = _token(session)
    of = _reconnection(session, reconnect)
    return LinkRequest(provider="aggregator", public_token=token, reconnect=of)


def _reconnection(session: Session, reconnect: str | None) -> "Reconnection | None":
    if reconnect is None:
        return None
    from finplan.cli.dialogs.lookup import connection_id
    from finplan.model.connection import Reconnection

    return Reconnection(connection_id=connection_id(session, reconnect))


def _listed() -> str:
    told = [f"`{name}` ({what})" for name, what in BANKS.items()]
    return f"{', '.join(told[:-1])} and {told[-1]}"


def _token(session: Session) -> str:
    """The setup token, which no command line shows to others of this machine."""
    if session.interactive:
        say_guide(session, SIMPLEFIN)
        return _whole(session.ask("Setup token:"))
    try:
        return _whole(sys.stdin.read(10_000))
    except UnicodeDecodeError:
        return _whole("")


def _whole(text: str) -> str:
    token = "".join(text.split())
    if not token:
        raise CommandError(
            "No setup token came in: type it when asked, or pass it on stdin. You make one at"
            " https://bridge.simplefin.org/simplefin/create; the handbook's page on linked banks says"
            " the rest.",
            USAGE,
        )
    return token
