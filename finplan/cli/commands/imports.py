"""`finplan imports`: the imports so far, the way back, and how files are read."""

from typing import Annotated

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.naming import NamedId, begins, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import meant_id
from finplan.client.failures import CallFailed, DaemonUnreachable

app = CommandApp(cls=RowsGroup)


@app.callback(
    epilog=examples(
        "finplan imports",
        "finplan imports undo ID",
        "finplan imports profiles            Your answers about CSV files",
        "finplan imports forget ID",
    )
)
def imports() -> None:
    """List and undo imports, and show your saved answers about CSV files."""


@app.command("list", rows=True)
def list_imports(context: typer.Context) -> None:
    """List imports, newest first. The same as `finplan imports`."""
    Session.of(context).tell(operations.statement_file.LIST_IMPORTS, lambda: views.imports.imports)


@app.command()
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


@app.command(rows=True)
def profiles(context: typer.Context) -> None:
    """List your saved answers, which finplan reuses for later CSV files."""
    Session.of(context).tell(
        operations.statement_file.LIST_IMPORT_PROFILES, lambda: views.imports.profiles
    )


@app.command()
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
