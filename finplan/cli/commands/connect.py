"""`finplan connect`: link a bank."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.errors import NOT_THERE, USAGE, CommandError
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.connection import LinkRequest

app = CommandApp()

_SIMPLEFIN = """\
SimpleFIN Bridge shares what your banks tell with programs of yours; finplan only ever reads.
  1. Sign up at https://bridge.simplefin.org and add your banks there ($1.50 a month or $15 a year).
  2. Make a setup token: https://bridge.simplefin.org/simplefin/create
  3. Paste it here. It is good for one use; what finplan gets for it is kept sealed on this machine."""

_KINDS = (
    "SimpleFIN does not say what kind an account is: look at `finplan accounts`, and put right what is"
    " wrong there by `finplan accounts set NAME --kind`."
)

_BANKS = {
    "demo": "the made-up household",
    "simplefin": "banks in the US and Canada, through the SimpleFIN Bridge",
}


@app.command(
    epilog=examples(
        "finplan connect demo       A made-up household, to try finplan out",
        "finplan connect simplefin  Says what it needs; asks for a setup token",
        "finplan connect simplefin --reconnect Chase  A new token for a bank",
        "finplan import FILE        Any bank, from its statement file",
    )
)
def connect(
    context: typer.Context,
    provider: Annotated[
        str,
        typer.Argument(
            metavar="BANK",
            help="`demo`, the made-up household, or `simplefin`, the SimpleFIN Bridge.",
        ),
    ],
    reconnect: Annotated[
        str | None,
        typer.Option(
            metavar="CONNECTION",
            help="Give a bank that is linked a new access; its accounts and all you said stay.",
        ),
    ] = None,
) -> None:
    """Link a bank, and fetch what it has.

    A setup token is asked for, or read from stdin. The made-up household never stands beside a real bank
    in one profile.
    """
    session = Session.of(context)
    ask = _asked(session, provider, reconnect)
    from finplan.operations.household import LINK_CONNECTION

    record = session.answer(LINK_CONNECTION, ask, doing=f"Linking {provider}")
    if record is not None:
        from finplan.cli.showing.banks import draw_connections

        session.print(draw_connections([record]))
        if provider != "demo":
            session.say(_KINDS)
        if reconnect is not None:
            from finplan.cli.dialogs.relinked import ask_which_accounts

            ask_which_accounts(session)
        session.say("Next: `finplan plan build`.")


def _asked(session: Session, bank: str, reconnect: str | None) -> "LinkRequest":
    from finplan.model.connection import LinkRequest, Reconnection

    if bank not in _BANKS:
        raise CommandError(
            f"There is no bank {bank!r} to connect. Known are {_listed()}. Statement files of any bank:"
            " `finplan import FILE`.",
            NOT_THERE,
        )
    if bank == "demo":
        if reconnect is not None:
            raise CommandError("`--reconnect` is for real banks; the demo never needs it.", USAGE)
        return LinkRequest(provider="demo")
    token = _token(session)
    if reconnect is None:
        return LinkRequest(provider="aggregator", public_token=token)
    from finplan.cli.dialogs.naming_banks import connection_id

    of = Reconnection(connection_id=connection_id(session, reconnect))
    return LinkRequest(provider="aggregator", public_token=token, reconnect=of)


def _listed() -> str:
    return " and ".join(f"`{name}` ({what})" for name, what in _BANKS.items())


def _token(session: Session) -> str:
    """The setup token, which no command line shows to others of this machine."""
    if session.interactive:
        session.say(_SIMPLEFIN)
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
