"""`finplan import`: statement files into the store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from finplan.cli.commands.accounts import KIND_HELP, KindOption
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.incoming import readable_files

if TYPE_CHECKING:
    from finplan.model.statement import FileReport, ImportReport

app = CommandApp()


@app.command(
    epilog=examples(
        "finplan import checking.ofx savings.qfx card.csv",
        "finplan import --dry-run card.csv      Only tell what would happen",
        'finplan import card.csv --account "Blue Visa" --kind credit',
        "finplan imports undo IMPORT            Take an import back",
    )
)
def import_files(  # Typer makes an option of each.
    context: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Statement files; - reads a pipe.")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would happen.")
    ] = False,
    account: Annotated[
        str | None,
        typer.Option(metavar="ACCOUNT", help="Whose rows they are: an account, or a new name."),
    ] = None,
    currency: Annotated[
        str | None, typer.Option(metavar="CODE", help="For files that name none, like EUR.")
    ] = None,
    kind: Annotated[
        KindOption | None, typer.Option(metavar="KIND", help=f"Of a new account: {KIND_HELP}.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="How the text is written, like cp1252.")
    ] = None,
    date_order: Annotated[
        Literal["dmy", "mdy", "ymd"] | None,
        typer.Option(help="Day, month or year first in 03/04/05."),
    ] = None,
    decimal_sign: Annotated[
        Literal[".", ","] | None, typer.Option(help="What 1,234 means: with `,` it is 1.234.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before importing.")] = False,
) -> None:
    """Import statements: OFX, CSV, CAMT, QIF and more.

    All files or none; what is there already is recognised and not added again. In a terminal you
    see what would happen and are asked first.
    """
    session = Session.of(context)
    files = readable_files(files, context)
    typed: dict[str, Any] = {
        "account": _account(session, account),
        "currency": currency and currency.upper(),
        "account_kind": kind,
        "encoding": encoding,
        "date_order": date_order,
        "decimal_sign": decimal_sign,
    }
    hints = {name: value for name, value in typed.items() if value is not None}
    _import(session, files, hints, dry_run=dry_run, ask=session.interactive and not yes)


def _import(
    session: Session, files: list[Path], hints: dict[str, Any], *, dry_run: bool, ask: bool
) -> None:
    from finplan.cli.dialogs.importing import ImportDialog

    importing = ImportDialog(session, files, hints)
    if dry_run or not ask:
        report = importing.run(dry_run=dry_run)
        if report is not None:
            _print(session, report)
        return
    preview = importing.run(dry_run=True)
    assert preview is not None
    _print(session, preview)
    if not any(map(_brings_something, preview.files)):
        session.say("There is nothing new to import.")
        return
    if session.confirm("Import this?", default=True):
        report = importing.run(digest=preview.digest)
        assert report is not None
        _print_end(session, report)


def _print(session: Session, report: "ImportReport") -> None:
    from finplan.cli.showing.imports import draw_report

    session.print(draw_report(report, session.width))
    _print_end(session, report)


def _print_end(session: Session, report: "ImportReport") -> None:
    if report.dry_run or report.id is None:
        return
    if not any(map(_brings_something, report.files)):
        session.say("Nothing new.")
    else:
        session.say(f"Imported. `finplan imports undo {report.id}` takes it back.")


def _brings_something(file: "FileReport") -> bool:
    return bool(file.new or file.pending or file.restored)


def _account(session: Session, typed: str | None) -> str | None:
    """A short id becomes the whole one; a name stays, since it may be that of a new account."""
    if typed is None or not typed.startswith("acc_"):
        return typed
    from finplan.cli.commands.accounts import account_id

    return account_id(session, typed)
