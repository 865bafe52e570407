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
    file: Annotated[Path, argument("FILE", "The file to write; - is standard output.")] = STDOUT,
    format_: Annotated[
        Format | None, flag("--format", "The format. [default: from the file name, or json]")
    ] = None,
    *,
    rows: RowOptions,
    force: Annotated[bool, flag("--force", "Overwrite an existing file.")] = False,
) -> None:
    """Export transactions as JSON, CSV, hledger or beancount.

    The oldest transactions come first. If you import the file again, finplan adds nothing. JSON
    without filters contains all your data except bank links, plans, API keys and sign-ins. To restore
    that data, import the file into a profile without accounts.
    """
    chosen = _export_format(file, format_, as_json=Session.of(context).options.json)
    must_be_new(file, force=force)
    session = Session.of(context)
    ask = model.transaction.ExportQuery(format=chosen, **asked_rows(session, rows))
    if file == STDOUT:
        _print_export(session, ask)
    else:
        _save_export(session, ask, file)


def _export_format(file: Path, typed: Format | None, *, as_json: bool) -> Format:
    if as_json and typed not in (None, "json"):
        raise typer.BadParameter(
            f"--json means --format json. Do not combine it with --format {typed}."
        )
    by_name = None if file == STDOUT else _ENDINGS.get(file.suffix.lower())
    if typed is not None or as_json or file == STDOUT:
        chosen = typed or "json"
        if by_name not in (None, chosen):
            raise typer.BadParameter(
                f"The file name {file.name} means the format {by_name}, not {chosen}. Rename"
                " the file, or remove"
                f" {'--json' if typed is None else '--format'}."
            )
        return chosen
    if by_name is None:
        raise typer.BadParameter(
            f"The file name {file.name!r} does not end in a known format. Name it like money.csv, or add"
            " --format csv."
        )
    return by_name


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
