"""`finplan backup`: list, create, verify and restore backups, even when no daemon can start."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan.cli.console.errors import INTERNAL, NOT_THERE, CommandError
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.cli.showing.installation import Backup

app = CommandApp(invoke_without_command=True)


@app.callback(
    epilog=examples(
        "finplan backup list",
        "finplan backup create",
        "finplan backup restore           Restore the newest good backup",
    )
)
def backup(context: typer.Context) -> None:
    """Backups of your data: list, create, verify, restore."""
    if context.invoked_subcommand is None:
        _list(Session.with_any_settings(context))


@app.command("list")
def list_backups(context: typer.Context) -> None:
    """List your backups, newest first."""
    _list(Session.with_any_settings(context))


@app.command()
def create(context: typer.Context) -> None:
    """Create a backup now. It stays until you delete it."""
    from finplan.client.connect import ask_backups

    session = Session.with_any_settings(context)
    with session.busy("Creating a backup"):
        created = ask_backups(session.settings, "create")
    if session.options.json:
        session.print_own(created)
        return
    session.say(f"Created backup {created['id']} in {session.settings.places.backups}.")


@app.command(epilog=examples("finplan backup verify daily-2026-11-28"))
def verify(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="ID", help="The name in `finplan backup list`.")],
) -> None:
    """Check a backup for damage. The exit code is 1 if it is damaged."""
    from finplan.client.connect import ask_backups

    session = Session.with_any_settings(context)
    with session.busy("Verifying the backup"):
        verified = ask_backups(session.settings, "verify", name)
    if session.options.json:
        session.print_own(verified)
    elif not verified["faults"]:
        session.say(f"Backup {verified['id']} is good.")
    if verified["faults"]:
        raise CommandError(
            f"Backup {verified['id']} is damaged: {verified['faults'][0]}. Choose another one:"
            " `finplan backup list`.",
            INTERNAL,
        )


@app.command(
    epilog=examples(
        "finplan backup restore",
        "finplan backup restore daily-2026-11-28 --yes",
    )
)
def restore(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="The backup; without it, the newest good one."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Replace your data with a backup. Your current data is saved first.

    finplan verifies the backup first. Changes that you made after the backup are undone. API keys,
    sign-ins and access that you revoked stay revoked if your current data can be read.
    """
    from finplan.cli.showing.installation import describe_restored
    from finplan.client.connect import (
        Ready,
        ask_backups,
        probe,
        start as start_daemon,
        stop as stop_daemon,
    )

    session = Session.with_any_settings(context)
    if not yes and not session.interactive:
        raise typer.BadParameter(
            "Nobody can be asked here. Add --yes to restore all the same.", ctx=context
        )
    chosen = _chosen(session, name)
    if not yes and not _is_meant(session, chosen):
        session.say("Nothing was changed.")
        return
    ran = isinstance(probe(session.settings), Ready)
    with session.busy("Restoring"):
        stop_daemon(session.settings, session.say)
        try:
            restored = ask_backups(session.settings, "restore", chosen.id)
        finally:
            if ran:
                start_daemon(session.settings, session.say)
    if session.options.json:
        session.print_own(restored)
        return
    for line in describe_restored(restored, session.settings):
        session.say(line, whole=line.startswith("  "))


def _list(session: Session) -> None:
    from finplan.cli.showing.installation import draw_backups
    from finplan.client.connect import ask_backups

    backups = ask_backups(session.settings, "list")
    if session.options.json:
        session.print_own(backups)
        return
    if not backups:
        session.say(
            f"No backups yet in {session.settings.places.backups}. finplan creates one each night if"
            " your data changed. Create one now: `finplan backup create`."
        )
        return
    session.print(draw_backups(_read(backups)))


def _chosen(session: Session, name: str | None) -> "Backup":
    """The backup of a name, or the newest that is not damaged."""
    from finplan.client.connect import ask_backups

    backups = _read(ask_backups(session.settings, "list"))
    if name is not None:
        for backup in backups:
            if backup.id == name.removesuffix(".db"):
                return backup
        raise CommandError(
            f"There is no backup {name!r}. `finplan backup list` shows them.", NOT_THERE
        )
    for backup in backups:
        if backup.state != "damaged":
            return backup
    raise CommandError(
        f"No good backup in {session.settings.places.backups}. If you have one elsewhere, copy it there"
        " as NAME.db, then run `finplan backup restore NAME`.",
        NOT_THERE,
    )


def _is_meant(session: Session, chosen: "Backup") -> bool:
    from finplan.model import figures

    made = figures.moment(chosen.made_at)
    return session.confirm(
        f"Restore {chosen.id} of {figures.long_date(made.date())}, {made:%H:%M}? Later changes are"
        " undone. Your current data is saved first.",
        default=False,
    )


def _read(backups: list[dict[str, Any]]) -> "list[Backup]":
    from finplan.cli.showing.installation import Backup

    return [Backup.of(backup) for backup in backups]
