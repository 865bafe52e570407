"""`finplan import`: statement files into the store."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from finplan.cli.commands.accounts import KIND_HELP, KindOption
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.import_answers import parse_accounts, parse_answers
from finplan.cli.dialogs.incoming import readable_files

if TYPE_CHECKING:
    from finplan.cli.dialogs.importing import ImportDialog
    from finplan.model.statement import FileReport, ImportReport

app = CommandApp()


@app.command(
    epilog=examples(
        "finplan import checking.ofx savings.qfx card.csv",
        "finplan import --dry-run card.csv      Only tell what would happen",
        'finplan import card.csv --account "Blue Visa" --kind credit',
        "finplan import a.csv b.csv --answer b.csv:direction=out",
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
        list[str] | None,
        typer.Option(
            metavar="[FILE=]ACCOUNT", help="Whose rows they are: an account, or a new name."
        ),
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
    direction: Annotated[
        str | None,
        typer.Option(
            metavar="WAY",
            help="Where no sign says it: amounts go `in` or `out`, or those with `marks:WORD,WORD` out.",
        ),
    ] = None,
    amount_column: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Which one, by name or number, where many may be."),
    ] = None,
    same_account: Annotated[
        str | None,
        typer.Option(
            metavar="ACCOUNT",
            help="Where rows are those of an account that is there: that one, or `new` for another.",
        ),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE:ABOUT=VALUE", help="The answer to a question on one file."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before importing.")] = False,
) -> None:
    """Import statements: OFX, CSV, CAMT, QIF and more.

    All files or none; what is there already is recognised and not added again. In a terminal you
    see what would happen and are asked first, also about what a file leaves open; with --yes or
    without a terminal, files that leave something open are refused with the options that answer it.
    """
    session = Session.of(context)
    files = readable_files(files, context)
    answers = parse_answers(answer or (), files)
    whole, single = parse_accounts(account or (), files)
    answers += [
        {"file": place, "about": "account", "value": _account(session, name)}
        for place, name in single
    ]
    typed: dict[str, Any] = {
        "account": _account(session, whole),
        "currency": currency and currency.upper(),
        "account_kind": kind,
        "encoding": encoding,
        "date_order": date_order,
        "decimal_sign": decimal_sign,
        "direction": direction,
        "amount_column": amount_column,
        "same_account": _account(session, same_account),
    }
    hints = {name: value for name, value in typed.items() if value is not None}
    from finplan.cli.dialogs.importing import ImportDialog

    is_asked = session.interactive and not yes
    importing = ImportDialog(session, files, hints, answers, asks=is_asked)
    _import(session, importing, dry_run=dry_run, is_asked=is_asked)


def _import(session: Session, importing: "ImportDialog", *, dry_run: bool, is_asked: bool) -> None:
    if dry_run or not is_asked:
        report = importing.run(dry_run=dry_run)
        if report is not None:
            _print(session, report, has_answers=importing.has_answers)
        return
    preview = importing.run(dry_run=True)
    assert preview is not None
    _print(session, preview, has_answers=importing.has_answers)
    question = "Import this?"
    if not any(map(_brings_something, preview.files)):
        if importing.has_answers:
            question = "No row is new. Keep your answers for the next file of the account?"
        elif any(map(_extends, preview.files)):
            question = "No row is new. Keep the stated days and balances?"
        else:
            session.say("There is nothing new to import.")
            return
    if session.confirm(question, default=True):
        report = importing.run(digest=preview.digest)
        assert report is not None
        _print_end(session, report, has_answers=importing.has_answers)
    else:
        session.say("Nothing was imported.")


def _print(session: Session, report: "ImportReport", *, has_answers: bool) -> None:
    from finplan.cli.showing.imports import draw_report

    session.print(draw_report(report, session.width, session.room))
    _print_end(session, report, has_answers=has_answers)


def _print_end(session: Session, report: "ImportReport", *, has_answers: bool) -> None:
    if report.dry_run or report.id is None:
        return
    if not any(map(_brings_something, report.files)):
        kept = "your answers" if has_answers else "the stated days and balances"
        is_kept = has_answers or any(map(_extends, report.files))
        session.say(f"Nothing new, but {kept} are kept." if is_kept else "Nothing new.")
        if is_kept:
            session.say(f"`finplan imports undo {report.id}` takes them back.")
    else:
        session.say(f"Imported. `finplan imports undo {report.id}` takes it back.")
        session.say(_next_step(session))


def _next_step(session: Session) -> str:
    """What to do after an import: first answer what is open, since the plan rests on it."""
    from finplan.client.failures import CallFailed, DaemonUnreachable
    from finplan.model.figures import count
    from finplan.model.task import TaskQuery
    from finplan.operations.task import LIST_TASKS

    try:
        tasks = session.call(LIST_TASKS, TaskQuery())
    except (CallFailed, DaemonUnreachable):
        # The import is done, and must not look as if it had failed.
        tasks = ()
    if not tasks:
        return "Next: `finplan plan build` makes the plan."
    return (
        f"Next: `finplan tasks answer` asks {count(len(tasks), 'question')} that only you can answer,"
        " then `finplan plan build` makes the plan."
    )


def _brings_something(file: "FileReport") -> bool:
    return bool(file.new or file.pending or file.restored)


def _extends(file: "FileReport") -> bool:
    return any(account.extends for account in file.accounts)


def _account(session: Session, typed: str | None) -> str | None:
    """A short id becomes the whole one; a name stays, since it may be that of a new account."""
    if typed is None or not typed.startswith("acc_"):
        return typed
    from finplan.cli.commands.accounts import account_id

    return account_id(session, typed)
