"""`finplan import`: statements from files; `finplan imports`: what was imported, and how to undo it.

A pipe becomes a file first, and what cannot be read is refused. What is typed about single files:
`--answer FILE:ABOUT=VALUE`, `--account FILE=NAME`.
"""

import shutil
import stat
import sys
import tempfile
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from finplan import STATEMENT_FORMATS, model, operations, views
from finplan.cli.commands.accounts import KIND_HELP, KindOption, account_id
from finplan.cli.console.errors import BAD_INPUT, NOT_THERE, USAGE, CommandError, print_error
from finplan.cli.console.naming import NamedId, begins, is_whole, pick
from finplan.cli.console.options import (
    CommandApp,
    RowsGroup,
    argument,
    examples,
    flag,
    option,
)
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import meant_id
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.characters import visible

if TYPE_CHECKING:
    from finplan.cli.dialogs.importing import ImportDialog

import_app = CommandApp()
imports_app = CommandApp(cls=RowsGroup)


@import_app.command(
    epilog=examples(
        "finplan import checking.ofx savings.qfx card.csv",
        "finplan import --dry-run card.csv      Preview without importing",
        'finplan import card.csv --account "Blue Visa" --kind credit',
        "finplan import a.csv b.csv --answer b.csv:direction=out",
        "finplan imports undo IMPORT            Undo an import",
    )
)
def import_files(  # Typer makes an option of each.
    context: typer.Context,
    files: Annotated[
        list[Path],
        argument(
            "FILE...",
            f"Statements ({STATEMENT_FORMATS}) or files exported from other programs; - reads a pipe.",
        ),
    ],
    dry_run: Annotated[bool, flag("--dry-run", "Preview without importing.")] = False,
    account: Annotated[
        list[str] | None,
        option("[FILE=]ACCOUNT", "Import into this account, or into a new account with this name."),
    ] = None,
    currency: Annotated[
        str | None, option("CODE", "Currency for files that do not name a currency, like EUR.")
    ] = None,
    kind: Annotated[
        KindOption | None, option("KIND", f"The new account's kind: {KIND_HELP}.")
    ] = None,
    encoding: Annotated[str | None, option("NAME", "Text encoding, like cp1252.")] = None,
    date_order: Annotated[
        Literal["dmy", "mdy", "ymd"] | None,
        typer.Option(help="Whether dates like 03/04/05 begin with the day, month or year."),
    ] = None,
    decimal_sign: Annotated[
        Literal[".", ","] | None,
        typer.Option(help="Decimal sign. With `,`, the amount 1,234 means 1.234."),
    ] = None,
    direction: Annotated[
        str | None,
        option(
            "WAY",
            "Whether positive amounts are money `in` or `out`. Or `marks:WORD,WORD`: the"
            " words that mark money out.",
        ),
    ] = None,
    amount_column: Annotated[
        str | None, option("COLUMN", "Name or number of the column with the amounts.")
    ] = None,
    same_account: Annotated[
        str | None,
        option(
            "ACCOUNT",
            "The account whose transactions these files repeat, or `new` for a new account.",
        ),
    ] = None,
    answer: Annotated[
        list[str] | None, option("FILE:ABOUT=VALUE", "Answer a question about one file.")
    ] = None,
    yes: Annotated[bool, flag("--yes", "Do not ask before importing.")] = False,
) -> None:
    """Import bank statements and files exported from other programs.

    Imports all files or none, and adds no transaction twice. In a terminal you see a preview and answer
    questions first. With --yes or without a terminal, finplan stops at open questions and lists the
    options that answer them.
    """
    session = Session.of(context)
    files = readable_files(files, context)
    answers = [_typed_answer(text, files) for text in answer or ()]
    for_all, single = parse_accounts(account or (), files)
    for index, name in single:
        value = _account(session, name) or ""
        answers.append(model.statement.ImportAnswer(file=index, about="account", value=value))
    typed: dict[str, Any] = {
        "account": _account(session, for_all),
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
    report = importing.run(dry_run=dry_run or is_asked)
    if report is None:
        return
    session.show(views.imports.report(report), asks=True)
    if is_asked and not dry_run:
        question = views.imports.proposal(report, has_answers=importing.has_answers)
        if question is None or not session.confirm(question, default=True):
            session.say(
                views.imports.NOTHING_NEW if question is None else "Canceled. Nothing was saved."
            )
            return
        report = importing.run(digest=report.digest)
        assert report is not None
    if report.dry_run or report.id is None:
        return
    for sentence in views.imports.done(report, has_answers=importing.has_answers):
        session.say(sentence)
    if views.imports.brings_something(report):
        session.say(views.imports.next_step(_open_questions(session)))


def _open_questions(session: Session) -> int:
    try:
        return len(session.call(operations.task.LIST_TASKS))
    except (CallFailed, DaemonUnreachable):
        # The import is done, and must not look as if it had failed.
        return 0


def _account(session: Session, typed: str | None) -> str | None:
    """A short id becomes the whole one; a name stays, since it may be that of a new account."""
    if typed is None or not typed.startswith("acc_"):
        return typed
    return account_id(session, typed)


STANDARD_INPUT = Path("-")
_PIPE_NAMES = {"-": "standard-input", "/dev/stdin": "standard-input"}


def readable_files(files: Sequence[Path], context: typer.Context) -> list[Path]:
    """The files, each of which can be read as often as need be; pipes are kept until the run ends.

    Leaves with exit code 3 after a sentence for each one that cannot be read; then nothing is sent.
    """
    faults = [fault for file in files if (fault := _fault(file)) is not None]
    for fault in faults:
        print_error(fault)
    if faults:
        raise typer.Exit(BAD_INPUT)
    if not any(map(_flows, files)):
        return list(files)
    folder = tempfile.TemporaryDirectory(prefix="finplan-")
    context.call_on_close(folder.cleanup)
    return [
        _kept_pipe(file, Path(folder.name) / str(index)) if _flows(file) else file
        for index, file in enumerate(files)
    ]


def _flows(file: Path) -> bool:
    """Whether a file can be read once only and has no size: a pipe, or `-` for standard input."""
    if file == STANDARD_INPUT:
        return True
    mode = file.stat().st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _kept_pipe(file: Path, folder: Path) -> Path:
    folder.mkdir()
    copy = folder / _PIPE_NAMES.get(str(file), file.name)
    with copy.open("wb") as target:
        if file == STANDARD_INPUT:
            shutil.copyfileobj(sys.stdin.buffer, target)
        else:
            with file.open("rb") as pipe:
                shutil.copyfileobj(pipe, target)
    return copy


def _fault(file: Path) -> str | None:
    if file == STANDARD_INPUT:
        return None
    try:
        # What is read from a pipe to try it would be missing afterwards.
        return None if _flows(file) else _fault_of_a_file(file)
    except FileNotFoundError:
        return f"{file}: file not found.{_files_near(file)}"
    except IsADirectoryError:
        return f"{file}: this is a folder. Name the files in it, such as {file / '*.csv'}."
    except OSError as error:
        return f"{file}: cannot be read ({error.strerror})."


def _files_near(file: Path) -> str:
    """Which files may have been meant, where their folder has some of similar names."""
    try:
        there = [path.name for path in file.parent.iterdir()]
    except OSError:
        return f" The folder {file.parent} does not exist." if not file.parent.exists() else ""
    near = [str(file.parent / name) for name in get_close_matches(file.name, there)]
    if near:
        return f" Did you mean {' or '.join(near)}?"
    is_bare = file.name == str(file)
    return " Include the folder, such as ~/Downloads/statement.csv." if is_bare else ""


def _fault_of_a_file(file: Path) -> str | None:
    mode = file.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return f"{file}: this is a device. Name a file, or - to read a pipe."
    with file.open("rb") as opened:
        opened.read(1)
    return None


def parse_accounts(
    typed: Sequence[str], files: Sequence[Path]
) -> tuple[str | None, list[tuple[int, str]]]:
    """Read `--account` as the account of all files, or as `FILE=ACCOUNT` for single ones.

    Raises CommandError for two accounts of all files, for a file that is none of these, and where a
    name is that of two files.
    """
    for_all, single = [], []
    for text in typed:
        places, account = _split_off_file(text, "=", files)
        if not places:
            _refuse_other_file(text, files)
            for_all.append(text)
        else:
            single.append((_only_place(places, text, files), account))
    if len(for_all) > 1:
        raise CommandError(
            "--account is given more than once. Write --account FILE=ACCOUNT for each file.", USAGE
        )
    return next(iter(for_all), None), single


def _refuse_other_file(typed: str, files: Sequence[Path]) -> None:
    """Refuse an account that begins like the name of a file which is not among these."""
    name, equals, _ = typed.partition("=")
    kinds = {file.suffix.casefold() for file in files} - {""}
    if equals and Path(name).suffix.casefold() in kinds:
        names = ", ".join(map(str, files))
        raise CommandError(f"--account {typed!r}: no file {name!r}. The files are {names}.", USAGE)


def _typed_answer(typed: str, files: Sequence[Path]) -> "model.statement.ImportAnswer":
    places, answer = _split_off_file(typed, ":", files)
    about, equals, value = answer.partition("=")
    if not (places and equals and value):
        names = ", ".join(map(str, files))
        raise CommandError(
            f"--answer {typed!r} is not FILE:ABOUT=VALUE, as in {files[0].name}:direction=out. The"
            f" files are {names}.",
            USAGE,
        )
    abouts = get_args(model.statement.QuestionAbout)
    if about not in abouts:
        choices = ", ".join(abouts)
        raise CommandError(
            f"--answer {typed!r}: unknown question {about!r}. Use one of {choices}.",
            USAGE,
        )
    index = _only_place(places, typed, files)
    return model.statement.ImportAnswer.model_validate(
        {"file": index, "about": about, "value": value}
    )


def _split_off_file(typed: str, sign: str, files: Sequence[Path]) -> tuple[list[int], str]:
    """The places of the files that a text begins with, by path or else by name, and what follows.

    A name may be typed as it is shown, without what nobody sees of it.
    """
    printed = [visible(file.name) for file in files]
    for names in ([str(file) for file in files], [file.name for file in files], printed):
        begun = [name for name in names if typed.startswith(f"{name}{sign}")]
        if begun:
            name = max(begun, key=len)
            places = [index for index, candidate in enumerate(names) if candidate == name]
            return places, typed[len(name) + 1 :]
    return [], ""


def _only_place(places: Sequence[int], typed: str, files: Sequence[Path]) -> int:
    if len(places) > 1:
        names = ", ".join(str(files[index]) for index in places)
        raise CommandError(
            f"{typed!r} fits {len(places)} files. Write the full path: {names}.",
            USAGE,
        )
    return places[0]


@imports_app.callback(
    epilog=examples(
        "finplan imports",
        "finplan imports undo ID",
        "finplan imports profiles            Your answers about CSV files",
        "finplan imports forget ID",
    )
)
def imports() -> None:
    """List and undo imports, and show your saved answers about CSV files."""


@imports_app.command("list", rows=True)
def list_imports(context: typer.Context) -> None:
    """List imports, newest first. The same as `finplan imports`."""
    Session.of(context).tell(operations.statement_file.LIST_IMPORTS, lambda: views.imports.imports)


@imports_app.command()
def undo(
    context: typer.Context,
    target: Annotated[
        str,
        argument(
            "IMPORT", "The import's id or file name. The first characters of the id are enough."
        ),
    ],
) -> None:
    """Undo an import and remove what it added.

    Files that you imported together are undone together. You can name an import by its file only if you
    imported that file alone.
    """
    session = Session.of(context)
    request = model.statement.ImportId(id=_import_id(session, target))
    record = session.answer(operations.statement_file.UNDO_IMPORT, request)
    if record is not None:
        session.show(views.imports.imports([record], session.how))
        session.say(views.imports.taken_back(record))
        _say_what_stays(session, record)


def _say_what_stays(session: Session, undone: "model.statement.ImportRecord") -> None:
    try:
        records = session.call(operations.statement_file.LIST_IMPORTS)
    except (CallFailed, DaemonUnreachable):
        # The undo is done, and must not look as if it had failed.
        return
    for sentence in views.imports.what_stays(undone, records):
        session.say(sentence)


@imports_app.command(rows=True)
def profiles(context: typer.Context) -> None:
    """List your saved answers, which finplan reuses for later CSV files."""
    Session.of(context).tell(
        operations.statement_file.LIST_IMPORT_PROFILES, lambda: views.imports.profiles
    )


@imports_app.command()
def forget(
    context: typer.Context,
    target: Annotated[
        str,
        argument(
            "PROFILE",
            "The id, or the names of some columns. The first characters of the id are enough.",
        ),
    ],
) -> None:
    """Forget your answers about one kind of CSV file.

    finplan asks again about the next file with these columns. Imported transactions stay.
    """
    session = Session.of(context)
    rows, listing = operations.statement_file, "finplan imports profiles"
    listed, what = rows.LIST_IMPORT_PROFILES, "header profile"
    meant = meant_id(session, target, listed, _named_profile, what, listing)
    gone = session.answer(rows.FORGET_IMPORT_PROFILE, model.statement.ProfileId(id=meant))
    if gone is not None:
        session.show(views.imports.profiles([gone], session.how))
        session.say("Forgotten.")


def _named_profile(profile: "model.statement.ImportProfile") -> NamedId:
    return NamedId(profile.id, (profile.columns,))


def _import_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    candidates = [
        NamedId(record.id, tuple(file.file for file in record.report.files))
        for record in session.call(operations.statement_file.LIST_IMPORTS)
        if record.undone_at is None
    ]
    chosen = pick(text, candidates, "import", "finplan imports")
    together = next(candidate for candidate in candidates if candidate.id == chosen).names
    if len(together) > 1 and not begins(chosen, text.strip().casefold()):
        raise CommandError(
            f"You imported {text!r} together with others: {', '.join(together)}."
            f" To undo all {len(together)}: `finplan imports undo {chosen}`.",
            NOT_THERE,
        )
    return chosen
