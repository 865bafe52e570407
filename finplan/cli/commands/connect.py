"""`finplan connect`: link a bank."""

from typing import Annotated

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

app = CommandApp()


@app.command(
    epilog=examples(
        "finplan connect demo       A made-up household, to try finplan out",
        "finplan import FILE        Your own bank, from its statement file",
    )
)
def connect(
    context: typer.Context,
    provider: Annotated[str, typer.Argument(metavar="BANK", help="`demo`, the made-up household.")],
) -> None:
    """Link a bank; `connect demo` makes one up.

    The made-up household never stands beside a real bank in one profile.
    """
    from finplan.model.connection import LinkRequest
    from finplan.operations.household import LINK_CONNECTION

    session = Session.of(context)
    record = session.answer(
        LINK_CONNECTION, LinkRequest(provider=provider), doing=f"Linking {provider}"
    )
    if record is not None:
        from finplan.cli.showing.banks import draw_connections

        session.print(draw_connections([record]))
        session.say("Next: `finplan plan build`.")
