"""`finplan export`: the rows as a file that other programs read, and finplan reads back."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from finplan import model, operations
from finplan.cli.commands.transactions import RowOptions, asked_rows, narrowed
from finplan.cli.console.options import CommandApp, argument, examples, flag
from finplan.cli.console.output import STDOUT, must_be_new, whole_file, writing
from finplan.cli.console.session import Session

export_app = CommandApp()
Format = Literal["json", "csv", "hledger", "beancount"]
_ENDINGS: dict[str, Format] = {
    ".json": "json",
    ".csv": "csv",
    ".journal": "hledger",
    ".hledger": "hledger",
    ".ledger": "hledger",
    ".beancount": "beancount",
    ".bean": "beancount",
}


@export_app.command(
    epilog=examples(
        "finplan export money.csv",
        "finplan export --format hledger | hledger -f - balance",
        "finplan export 2025.beancount --period 2025",
    )
)
@narrowed()
def export(  # Typer makes an option of each.
    context: typer.Context,
    file: Annotated[
        Path, argument("FILE", "Where to; left out, or -, is standard output.")
    ] = STDOUT,
    format_: Annotated[
        Format | None, flag("--format", "The format. [default: by the file's name, else json]")
    ] = None,
    *,
    rows: RowOptions,
    force: Annotated[bool, flag("--force", "Overwrite the file.")] = False,
) -> None:
    """Transactions as JSON, CSV or a journal.

    Oldest first. Importing the file again adds nothing. JSON without filters holds the whole
    household, and importing it where no account is restores that.
    """
    wanted = _export_format(file, format_, as_json=Session.of(context).options.json)
    must_be_new(file, force=force)
    session = Session.of(context)
    ask = model.transaction.ExportQuery(format=wanted, **asked_rows(session, rows))
    if file == STDOUT:
        _print_export(session, ask)
    else:
        _save_export(session, ask, file)


def _export_format(file: Path, asked: Format | None, *, as_json: bool) -> Format:
    if as_json and asked not in (None, "json"):
        raise typer.BadParameter(
            f"--json is the format json, so it cannot be {asked} as well.", param_hint="--format"
        )
    named = None if file == STDOUT else _ENDINGS.get(file.suffix.lower())
    if asked is not None or as_json or file == STDOUT:
        wanted = asked or "json"
        if named not in (None, wanted):
            raise typer.BadParameter(
                f"{file.name} is named like a file of {named}, not of {wanted}; give it another name"
                " or leave the format to the name.",
                param_hint="--json" if asked is None else "--format",
            )
        return wanted
    if named is None:
        raise typer.BadParameter(
            f"the file's name {file.name!r} ends like no format there is. End it like money.csv, or say"
            " --format csv.",
            param_hint="--format",
        )
    return named


def _print_export(session: Session, ask: "model.transaction.ExportQuery") -> None:
    client = session.client
    with writing():
        client.download(operations.transaction.EXPORT_TRANSACTIONS, ask, sys.stdout.buffer.write)


def _save_export(session: Session, ask: "model.transaction.ExportQuery", file: Path) -> None:
    client = session.client
    with whole_file(file) as part:
        with session.busy("Exporting"):
            client.download(operations.transaction.EXPORT_TRANSACTIONS, ask, part.write)
        size = part.tell()
    session.say(f"Wrote {file} ({size:,} bytes).")
    if ask.leaves_out is not None:
        session.say(ask.leaves_out)
