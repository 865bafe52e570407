"""`finplan doctor`: look for what is wrong with the installation."""

from dataclasses import asdict

import typer

from finplan.cli.console.errors import INTERNAL
from finplan.cli.console.options import CommandApp
from finplan.cli.console.session import Session

app = CommandApp()


@app.command()
def doctor(context: typer.Context) -> None:
    """Look for what is wrong with the installation.

    Nothing is changed and nothing started. The exit code is 1 when something is broken.
    """
    from finplan.cli.commands.machine.checkup import findings

    session = Session.with_any_settings(context)
    found = []
    if session.options.json:
        found = list(findings(session.settings, session.faults))
        session.print_own([asdict(finding) for finding in found])
    else:
        from finplan.cli.showing.installation import draw_finding

        for finding in findings(session.settings, session.faults):
            found.append(finding)
            session.print(draw_finding(finding, session.width))
    if any(finding.state == "bad" for finding in found):
        raise typer.Exit(INTERNAL)
