"""`finplan daemon`: the program in the background that holds the data.

What it does by itself, and the end of its log, also as it grows.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import INTERNAL, NOT_THERE, UNREACHABLE, CommandError
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag, option
from finplan.cli.console.session import Session
from finplan.client import connect, login_service
from finplan.settings import describe

jobs_app = CommandApp(cls=RowsGroup)


@jobs_app.callback(
    epilog=examples(
        "finplan daemon jobs",
        "finplan daemon jobs run sync      Sync every bank now",
        "finplan daemon jobs run backup    Back up your data now",
    )
)
def jobs() -> None:
    """Scheduled jobs: their next run and last result.

    Each bank syncs separately. finplan builds a plan each morning and after new data arrives.
    """


@jobs_app.command("list", rows=True)
def list_jobs(context: typer.Context) -> None:
    """List all scheduled jobs."""
    Session.of(context).tell(
        operations.schedule.LIST_JOBS, lambda: views.installation.jobs, money=False
    )


@jobs_app.command("run")
def run_job(
    context: typer.Context, name: Annotated[str, argument("JOB", "The job's name, such as sync.")]
) -> None:
    """Start a job now, even if it is not due."""
    Session.of(context).report(
        operations.schedule.RUN_JOB,
        lambda job: f"Started {job.name}. See the result: `finplan daemon jobs`.",
        model.job.JobName(name=name),
    )


app = CommandApp(no_args_is_help=False, invoke_without_command=True)
app.add_typer(jobs_app, name="jobs")
_OUTSIDE = {"site_url": "siteUrl", "started_at": "startedAt"}


@app.callback(
    epilog=examples(
        "finplan daemon status",
        "finplan daemon jobs       Scheduled syncs, plans and backups",
        "finplan daemon logs --follow",
        "finplan daemon stop       The next command starts it again",
    )
)
def daemon(context: typer.Context) -> None:
    """Start, stop and inspect the background service.

    Commands start the service when they need it. It then runs until you stop it.
    """
    if context.invoked_subcommand is None:
        _show(Session.of(context))


@app.command()
def run(context: typer.Context) -> None:
    """Run the service in the foreground, until Ctrl-C."""
    session = Session.of(context)
    settings = session.settings
    session.say(
        f"Running the service of profile {settings.profile!r} in the foreground. Ctrl-C stops it."
    )
    command, environment = connect.daemon_command(settings), connect.environment_of(settings)
    os.chdir(connect.PACKAGE_FOLDER)
    os.execve(sys.executable, command, environment)  # noqa: S606  # It becomes the daemon.


@app.command()
def start(context: typer.Context) -> None:
    """Start the service, unless it is running."""
    session = Session.of(context)
    with session.busy("Starting the background service"):
        connect.start(session.settings, session.say)
    _show(session)


@app.command()
def stop(context: typer.Context) -> None:
    """Stop the service when its current work is done, or kill it if it hangs."""
    session = Session.with_any_settings(context)
    session.tell_faults()
    with session.busy("Stopping the background service"):
        stopped = connect.stop(session.settings, session.say)
    session.say(
        "Stopped the background service." if stopped else "The background service was not running."
    )
    if session.options.json:
        _show(session)


@app.command()
def status(context: typer.Context) -> None:
    """Show whether and where the service is running; the exit code is 7 if it does not answer."""
    if not _show(Session.of(context)).answering:
        raise typer.Exit(UNREACHABLE)


@app.command()
def install(
    context: typer.Context,
    show: Annotated[
        bool, flag("--print", "Print the service file and its location; install nothing.")
    ] = False,
) -> None:
    """Start the service at login (systemd, or launchd on macOS)."""
    session = Session.of(context)
    service = _login_service(session)
    if show:
        session.say(f"{service.file}:")
        session.print_lines(service.content.decode(errors="replace").rstrip("\n"))
        _say_what_is_left_out(session)
        return
    failed = login_service.install(service)
    session.say(f"Wrote {service.file}. To undo this: `finplan daemon uninstall`.")
    _say_what_is_left_out(session)
    if failed is not None:
        raise CommandError(
            f"{failed} The service file is saved, but you must enable the service yourself.",
            INTERNAL,
        )
    session.say(
        "The background service starts at your next login. If the service is already running,"
        " it keeps running."
    )


@app.command()
def uninstall(context: typer.Context) -> None:
    """Stop starting the service at login; a running service keeps running."""
    session = Session.of(context)
    service = _login_service(session)
    if not service.is_installed:
        raise CommandError(
            f"The background service is not set to start at login: {service.file} does not exist.",
            NOT_THERE,
        )
    failed = login_service.uninstall(service)
    session.say(
        f"Removed {service.file}. Commands still start the background service when they need it."
    )
    if failed is not None:
        raise CommandError(failed, INTERNAL)


@app.command()
def logs(
    context: typer.Context,
    lines: Annotated[int, option("N", "How many lines to print.", "--lines", "-n", min=1)] = 50,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Keep printing new lines.")
    ] = False,
) -> None:
    """Print the last lines of the service's log."""
    session = Session.of(context)
    log = session.settings.places.log
    if not log.exists():
        raise CommandError(f"No log yet. finplan will write it to {log}.", NOT_THERE)

    session.print_lines(last_lines(log, lines).decode(errors="replace"))
    if follow:
        for line in new_lines(log):
            session.print_lines(line.decode(errors="replace"))


def _say_what_is_left_out(session: Session) -> None:
    left_out = [name for name, _, origin in describe(session.settings) if origin == "environment"]
    if left_out:
        session.say(
            "These settings from your shell's environment do not apply at login:"
            f" {', '.join(left_out)}. Save them in"
            f" {session.settings.places.configuration / 'finplan.toml'}."
        )


def _login_service(session: Session) -> login_service.LoginService:
    try:
        return login_service.login_service(session.settings)
    except login_service.NoLoginService as none:
        raise CommandError(str(none), NOT_THERE) from none


def _started_by(session: Session) -> Path | None:
    """The file that has the system start the daemon at login, where it is installed."""
    try:
        service = _login_service(session)
    except CommandError:
        return None
    return service.file if service.is_installed else None


def _show(session: Session) -> "model.installation.Status":
    status, login = connect.status(session.settings), _started_by(session)
    if session.options.json:
        facts = {_OUTSIDE.get(name, name): value for name, value in asdict(status).items()}
        at_login = None if login is None else str(login)
        session.print_own({**facts, "log": str(status.log), "startedAtLoginBy": at_login})
    else:
        session.show(views.installation.daemon(status, views.locale.here(), login))
    return status


BLOCK = 65536
PAUSE = 0.2
"""How often a growing file is looked at, in seconds."""


def last_lines(path: Path, number: int) -> bytes:
    """The last lines of a file, without the final line break; reads no more than it needs."""
    with path.open("rb") as file:
        start = file.seek(0, 2)
        content = b""
        while start > 0 and content.count(b"\n") <= number:
            size = min(BLOCK, start)
            start = file.seek(start - size)
            content = file.read(size) + content
    return b"\n".join(content.splitlines()[-number:])


def new_lines(path: Path) -> Iterator[bytes]:
    """Each line that is written from now on; follows the file to its successor when it is rotated."""
    file = path.open("rb")
    try:
        file.seek(0, 2)
        while True:
            line = file.readline()
            if line.endswith(b"\n"):
                yield line.rstrip(b"\n")
                continue
            file.seek(-len(line), 1)
            if _is_replaced(path, file.fileno()):
                file.close()
                file = path.open("rb")
            time.sleep(PAUSE)
    finally:
        file.close()


def _is_replaced(path: Path, descriptor: int) -> bool:
    try:
        return path.stat().st_ino != os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False
