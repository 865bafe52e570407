"""`finplan secrets`: where the key is kept under which secrets in the store are sealed.

It works on the file that holds the choice, in the person's own session: a daemon that was started
elsewhere may not reach the keyring that the person does.
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

_KEPT = {
    "file": "The data key is kept in {file}.",
    "keyring": "The data key is kept in the keyring.",
}
_MEANS = {
    "keyring": (
        "What is started by cron or over ssh mostly reaches no keyring: what needs a secret fails there"
        " with exit code 6, and all else goes on. `finplan secrets move file` takes the key back."
    ),
    "file": "Whoever can read this file and the store can read the secrets in it.",
}


@app.callback(epilog=examples("finplan secrets", "finplan secrets move keyring"))
def secrets(context: typer.Context) -> None:
    """Where the key to the secrets in the store is kept."""
    if context.invoked_subcommand is None:
        from finplan.data_key.choice import source_of

        session = Session.of(context)
        file = session.settings.places.data_key
        _tell(session, _told(source_of, file), file)


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
    from rich.text import Text

    told = _KEPT.get(source, "The data key is given by {source}.")
    # A path that is broken between lines cannot be copied.
    line = Text(told.format(file=file, source=source), no_wrap=True, overflow="ignore")
    session.print(Group(line))
