"""`finplan sync`: fetch what is new, by hand or from cron."""

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.syncing import have_failed, names_of_banks, say_what_came, sync_banks

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

    The daemon does so by itself, twice a day. The exit code is 6 when a bank failed and 7 when the
    daemon cannot be reached.
    """
    session = Session.of(context)
    reports = sync_banks(session)
    if reports is None or (session.options.quiet and not have_failed(reports)):
        return
    say_what_came(session, reports, names_of_banks(session))
