"""`finplan imports`: the imports so far, the way back, and how files are read."""

from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId, begins, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.statement import ImportRecord

app = CommandApp(cls=RowsGroup, invoke_without_command=True)


@app.callback(
    epilog=examples(
        "finplan imports",
        "finplan imports undo ID",
        "finplan imports profiles            What you said of how CSV files are read",
        "finplan imports forget ID",
    )
)
def imports(context: typer.Context) -> None:
    """Past imports: list, undo; how files are read."""
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_imports(context: typer.Context) -> None:
    """All imports, newest first; the same as `finplan imports`."""
    _list(Session.of(context))


@app.command()
def undo(
    context: typer.Context,
    wanted: Annotated[
        str, typer.Argument(metavar="IMPORT", help="An id, the beginning of one, or a file's name.")
    ],
) -> None:
    """Take an import back: everything is as it was before.

    Files that were imported together go together; a file's name means only one that came alone.
    """
    from finplan.model.statement import ImportId
    from finplan.operations.statement_file import UNDO_IMPORT

    session = Session.of(context)
    record = session.answer(UNDO_IMPORT, ImportId(id=_import_id(session, wanted)))
    if record is not None:
        from finplan.cli.showing.imports import draw_imports

        session.print(draw_imports([record]))
        session.say(_taken_back(record))
        _say_what_stays(session, record)


def _taken_back(record: "ImportRecord") -> str:
    from finplan.model import figures

    files = record.report.files
    rows = figures.count(sum(file.new for file in files), "row")
    return f"Took back {rows} of {figures.count(len(files), 'file')}."


def _say_what_stays(session: Session, undone: "ImportRecord") -> None:
    """Say that rows stay which a later import of the same file found again, and how they go too."""
    from finplan.client.failures import CallFailed, DaemonUnreachable
    from finplan.model.base import Nothing
    from finplan.operations.statement_file import LIST_IMPORTS

    names = {file.file for file in undone.report.files if file.new}
    try:
        standing = session.call(LIST_IMPORTS, Nothing()) if names else ()
    except (CallFailed, DaemonUnreachable):
        # The undo is done, and must not look as if it had failed.
        standing = ()
    for each in standing:
        if each.undone_at is None and any(
            file.known and file.file in names for file in each.report.files
        ):
            session.say(
                f"Rows that `{each.id}` found in the same file stay; `finplan imports undo {each.id}`"
                " takes them back too."
            )


@app.command(rows=True)
def profiles(context: typer.Context) -> None:
    """How CSV files are read: what you said of earlier ones."""
    from finplan.model.base import Nothing
    from finplan.operations.statement_file import LIST_IMPORT_PROFILES

    session = Session.of(context)
    listed = session.answer(LIST_IMPORT_PROFILES, Nothing())
    if listed is not None:
        from finplan.cli.showing.imports import draw_profiles

        session.print(draw_profiles(listed, session.width, session.room))


@app.command()
def forget(
    context: typer.Context,
    wanted: Annotated[
        str,
        typer.Argument(metavar="PROFILE", help="An id, the beginning of one, or some columns."),
    ],
) -> None:
    """Forget what you said of one kind of CSV file.

    The next file with these columns is asked about again; what was imported stays.
    """
    from finplan.model.statement import ProfileId
    from finplan.operations.statement_file import FORGET_IMPORT_PROFILE

    session = Session.of(context)
    gone = session.answer(FORGET_IMPORT_PROFILE, ProfileId(id=_profile_id(session, wanted)))
    if gone is not None:
        from finplan.cli.showing.imports import draw_profiles

        session.print(draw_profiles([gone], session.width, session.room))
        session.say("Forgotten.")


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.statement_file import LIST_IMPORTS

    records = session.answer(LIST_IMPORTS, Nothing())
    if records is not None:
        from finplan.cli.showing.imports import draw_imports

        session.print(draw_imports(records))


def _import_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.statement_file import LIST_IMPORTS

    records = session.call(LIST_IMPORTS, Nothing())
    candidates = [
        NamedId(record.id, tuple(file.file for file in record.report.files))
        for record in records
        if record.undone_at is None
    ]
    chosen = pick(text, candidates, "import", "finplan imports")
    together = next(each for each in candidates if each.id == chosen).names
    if len(together) > 1 and not begins(chosen, text.strip().casefold()):
        raise CommandError(
            f"{text!r} came in together with others: {', '.join(together)}."
            f" `finplan imports undo {chosen}` takes all {len(together)} back.",
            NOT_THERE,
        )
    return chosen


def _profile_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.statement_file import LIST_IMPORT_PROFILES

    listed = session.call(LIST_IMPORT_PROFILES, Nothing())
    candidates = [NamedId(profile.id, (profile.columns,)) for profile in listed]
    return pick(text, candidates, "header profile", "finplan imports profiles")
