"""`finplan sync`: fetch what is new, by hand or from cron."""

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.syncing import sync_banks

app = CommandApp()


@app.command(
    epilog=examples(
        "finplan sync",
        "finplan sync --quiet      For cron: prints nothing unless a bank failed",
        "finplan connections sync  The same, also of one bank alone",
    )
)
def sync(context: typer.Context) -> None:
    """Fetch what is new at your banks.

    The daemon does so by itself, twice a day. The exit code is 6 when a bank failed or none is linked,
    and 7 when the daemon cannot be reached.
    """
    session = Session.of(context)
    sync_banks(session, silent_when_well=session.options.quiet)
