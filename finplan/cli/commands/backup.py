"""`finplan backup`: list, create, verify and restore backups, even when no daemon can start."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan import model, views
from finplan.cli.console.errors import INTERNAL, NOT_THERE, CommandError
from finplan.cli.console.options import CommandApp, argument, examples, flag
from finplan.cli.console.session import Session
from finplan.client import connect

if TYPE_CHECKING:
    from finplan.settings import Settings

app = CommandApp(invoke_without_command=True)


@app.callback(
    epilog=examples(
        "finplan backup list",
        "finplan backup create",
        "finplan backup restore    Restore the newest good backup",
    )
)
def backup(context: typer.Context) -> None:
    """Create, list, verify and restore backups."""
    if context.invoked_subcommand is None:
        list_backups(context)


@app.command("list")
def list_backups(context: typer.Context) -> None:
    """List your backups, newest first."""
    session = Session.with_any_settings(context)
    backups = connect.ask_backups(session.settings, "list")
    if session.options.json:
        session.print_own(backups)
    elif backups:
        session.show(views.installation.backups(_read(backups), views.locale.here()))
    else:
        session.say(
            f"No backups yet in {session.settings.places.backups}. finplan creates one each"
            " night if your data has changed. To create one now: `finplan backup create`."
        )


@app.command()
def create(context: typer.Context) -> None:
    """Create a backup now. finplan keeps it until you delete it."""
    session = Session.with_any_settings(context)
    with session.busy("Creating a backup"):
        created = connect.ask_backups(session.settings, "create")
    if session.options.json:
        session.print_own(created)
        return
    session.say(f"Created backup {created['id']} in {session.settings.places.backups}.")


@app.command(epilog=examples("finplan backup verify daily-2026-11-28"))
def verify(
    context: typer.Context,
    name: Annotated[str, argument("ID", "The backup's name in `finplan backup list`.")],
) -> None:
    """Check a backup for damage. The exit code is 1 if it is damaged."""
    session = Session.with_any_settings(context)
    with session.busy("Verifying the backup"):
        verified = connect.ask_backups(session.settings, "verify", name)
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
        str | None, argument("ID", "Name of the backup. [default: the newest good backup]")
    ] = None,
    yes: Annotated[bool, flag("--yes", "Do not ask for confirmation.")] = False,
) -> None:
    """Replace your data with a backup; your current data is saved first.

    finplan verifies the backup first. It then undoes all changes that you made after the backup. If
    finplan can read your current data, the API keys, sign-ins and app access that you revoked since
    then stay revoked.
    """
    session = Session.with_any_settings(context)
    if not yes and not session.interactive:
        raise typer.BadParameter(
            "Cannot ask for confirmation here. Add --yes to restore without asking.", ctx=context
        )
    chosen = _chosen(session, name)
    if not yes and not _is_meant(session, chosen):
        session.say("Nothing was changed.")
        return
    ran = isinstance(connect.probe(session.settings), connect.Ready)
    with session.busy("Restoring"):
        connect.stop(session.settings, session.say)
        try:
            restored = connect.ask_backups(session.settings, "restore", chosen.id)
        finally:
            if ran:
                connect.start(session.settings, session.say)
    if session.options.json:
        session.print_own(restored)
        return
    for line in after_restore(restored, session.settings):
        session.say(line, unwrapped=line.startswith("  "))


def after_restore(restored: dict[str, Any], settings: "Settings") -> "Iterator[str]":
    """What was restored, how to undo it, and what to check."""
    moment = views.locale.here().moment(restored["madeAt"])
    yield f"Restored backup {restored['id']} of {moment}."
    if restored["keptAs"] is not None:
        yield from _previous_data(Path(restored["keptAs"]), settings)
        if restored["endedCredentials"] is None:
            yield (
                "Access that you revoked after this backup was created may work again. Check"
                " `finplan keys`,"
                " `finplan sessions`, `finplan clients` and `finplan agents`."
            )
        elif restored["endedCredentials"]:
            ended = model.figures.count(restored["endedCredentials"], "credential")
            yield (
                f"Removed {ended} that your previous data did not contain: revoked, expired, or"
                " created elsewhere. If you still need any of them, create them again."
            )
    if not restored["hasDataKey"]:
        yield "The data key is missing. Link your banks again: `finplan connect`."


def _previous_data(saved: Path, settings: "Settings") -> "Iterator[str]":
    """Where the previous data is, and the commands that bring it back."""
    database, profile = str(settings.places.database), settings.profile
    chosen = "" if profile == "default" else f"--profile {quote(profile)} "
    yield f"Your previous data is saved as {saved}. To go back to it:"
    yield f"  finplan {chosen}daemon stop"
    if not saved.with_name(f"{saved.name}-sums").exists():
        # Checksums of the restored store do not fit the previous one.
        yield f"  rm -f {quote(f'{database}-sums')}"
    for file in sorted(saved.parent.glob(f"{saved.name}*")):
        yield f"  mv {quote(str(file))} {quote(database + file.name.removeprefix(saved.name))}"


def _chosen(session: Session, name: str | None) -> "model.installation.Backup":
    """The backup of a name, or the newest that is not damaged."""
    backups = _read(connect.ask_backups(session.settings, "list"))
    if name is not None:
        for backup in backups:
            if backup.id == name.removesuffix(".db"):
                return backup
        raise CommandError(
            f"No backup is named {name!r}. List your backups: `finplan backup list`.", NOT_THERE
        )
    for backup in backups:
        if backup.state != "damaged":
            return backup
    raise CommandError(
        f"No good backup in {session.settings.places.backups}. If you have a backup in another"
        f" folder, copy it to {session.settings.places.backups} as NAME.db, then run"
        " `finplan backup restore NAME`.",
        NOT_THERE,
    )


def _is_meant(session: Session, chosen: "model.installation.Backup") -> bool:
    moment = views.locale.here().moment(chosen.made_at)
    return session.confirm(
        f"Restore the backup {chosen.id} of {moment}? All later changes are undone. Your"
        " current data is saved first.",
        default=False,
    )


def _read(backups: list[dict[str, Any]]) -> "list[model.installation.Backup]":
    return list(map(model.installation.Backup.of, backups))
