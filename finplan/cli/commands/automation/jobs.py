"""`finplan daemon jobs`: what the daemon does by itself."""

from typing import Annotated

import typer

from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

app = CommandApp(cls=RowsGroup, invoke_without_command=True)


@app.callback(
    epilog=examples(
        "finplan daemon jobs",
        "finplan daemon jobs run sync      Ask every bank now",
        "finplan daemon jobs run backup    Copy the store now",
    )
)
def jobs(context: typer.Context) -> None:
    """What the daemon does by itself: when next, and how it went.

    Each bank is synced by itself, and a plan is built each morning and after news.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_jobs(context: typer.Context) -> None:
    """All that is done by itself; the same as `finplan daemon jobs`."""
    _list(Session.of(context))


@app.command()
def run(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="JOB", help="Its name, such as sync.")],
) -> None:
    """Have a job done now, whether it is needed or not; this does not wait for its end."""
    from finplan.model.automation.job import JobName
    from finplan.operations.schedule import RUN_JOB

    session = Session.of(context)
    asked = session.answer(RUN_JOB, JobName(name=name))
    if asked is not None:
        session.say(f"{asked.name} begins now. `finplan daemon jobs` shows what comes of it.")


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.schedule import LIST_JOBS

    found = session.answer(LIST_JOBS, Nothing())
    if found is not None:
        from finplan.cli.showing.installation import draw_jobs

        session.print(draw_jobs(found))
