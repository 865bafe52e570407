"""`finplan secrets`: where the key is kept under which secrets in the store are sealed.

Where it is kept and moving it are about the file that holds the choice, in the person's own session: a
daemon that was started elsewhere may not reach the keyring that the person does. What is sealed under it
only the daemon knows.
"""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from finplan.cli.console.errors import CommandError, exit_code
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

app = CommandApp(invoke_without_command=True)

_MEANS = {
    "keyring": (
        "What is started by cron or over ssh mostly reaches no keyring: what needs a secret fails there"
        " with exit code 6, and all else goes on. `finplan secrets move file` takes the key back."
    ),
    "file": "Whoever can read this file and the store can read the secrets in it.",
}
_COPIES = (
    "Copies of the store from before hold secrets that open no more: from such a copy banks have to be"
    " linked anew."
)


@app.callback(
    epilog=examples(
        "finplan secrets",
        "finplan secrets status",
        "finplan secrets rotate",
        "finplan secrets move keyring",
    )
)
def secrets(context: typer.Context) -> None:
    """Where the key to the secrets in the store is kept."""
    if context.invoked_subcommand is None:
        from finplan.data_key.choice import source_of

        session = Session.of(context)
        file = session.settings.places.data_key
        _tell(session, _told(source_of, file), file)


@app.command(epilog=examples("finplan secrets status", "finplan secrets status --json"))
def status(context: typer.Context) -> None:
    """Where the key is, since when, what is sealed under it, and whether each of these opens."""
    from finplan.model.base import Nothing
    from finplan.operations.credential import SHOW_DATA_KEY

    session = Session.of(context)
    found = session.answer(SHOW_DATA_KEY, Nothing())
    if found is not None:
        from finplan.cli.showing.installation import draw_secrets

        session.print(draw_secrets(found))


@app.command(epilog=examples("finplan secrets rotate"))
def rotate(context: typer.Context) -> None:
    """Make a new key, and seal every secret in the store anew under it.

    The new key is kept where the former one was, which opens nothing then. Whatever ends finplan on the
    way, one of the two opens everything, and the next start goes on.
    """
    from finplan.model.base import Nothing
    from finplan.operations.credential import ROTATE_DATA_KEY

    session = Session.of(context)
    done = session.answer(ROTATE_DATA_KEY, Nothing())
    if done is not None:
        from finplan.cli.showing.installation import draw_rotation

        session.print(draw_rotation(done))
        session.say(_COPIES)


@app.command(epilog=examples("finplan secrets move keyring", "finplan secrets move file"))
def move(
    context: typer.Context,
    place: Annotated[
        Literal["keyring", "file"],
        typer.Argument(metavar="PLACE", help="`keyring`, that of the system, or `file`."),
    ],
) -> None:
    """Keep the key in the keyring of the system, or in a file.

    The key stays the same, so nothing that is sealed is lost, and a running daemon goes on with it.
    """
    from finplan.data_key.choice import move_data_key

    session = Session.of(context)
    file = session.settings.places.data_key
    with session.busy("Asking the keyring"):
        moved = _told(move_data_key, file, place)
    _tell(session, place, file)
    session.say(_MEANS[place] if moved else "It was kept there already.")


def _told(do: "Callable[..., Any]", *given: object) -> Any:
    """Do something with the key; what is wrong with it is told as the daemon would."""
    from finplan.model.errors import Fault

    try:
        return do(*given)
    except Fault as fault:
        raise CommandError(fault.message, exit_code(fault.status, fault.code)) from fault


def _tell(session: Session, source: str, file: "Path") -> None:
    if session.options.json:
        session.print_own({"dataKey": {"source": source, "file": str(file)}})
        return
    from rich.console import Group

    from finplan.cli.showing.installation import kept_line

    session.print(Group(kept_line(source, str(file))))
