"""`finplan config`: how finplan is set up on this machine, and where each value comes from."""

from dataclasses import asdict

import typer

from finplan.cli.console.options import CommandApp
from finplan.cli.console.session import Session

app = CommandApp()


@app.command()
def config(context: typer.Context) -> None:
    """How finplan is set up on this machine, and why.

    A value comes from an environment variable such as FINPLAN_PORT, else from finplan.toml in the
    configuration folder, else it is the default. One that cannot be is shown as its default, and told.
    Below stand the places of files; the secrets in some of them are not shown.
    """
    from finplan.settings import describe

    session = Session.with_any_settings(context)
    session.tell_faults()
    settings, places = session.settings, session.settings.places
    entries = describe(settings)
    paths = {
        "configuration": places.configuration / "finplan.toml",
        "database": places.database,
        "backups": places.backups,
        "log": places.log,
        "plaid secret": places.plaid_secret,
        "enablebanking key": places.enablebanking_key,
        "google secret": places.google_client_secret,
    }
    if session.options.json:
        session.print_own(
            {
                "profile": settings.profile,
                "settings": [
                    {"name": name, "value": getattr(settings, name), "origin": origin}
                    for name, _, origin in entries
                ],
                "faults": [asdict(fault) for fault in session.faults],
                "places": {name.replace(" ", "_"): str(path) for name, path in paths.items()},
            }
        )
        return
    from finplan.cli.showing.settings import draw_config

    session.print(draw_config(settings, entries, paths))
