"""`finplan imports`: the imports so far, and the way back."""

from typing import Annotated

import typer

from finplan.cli.choices import Noun, examples
from finplan.cli.choosing import Candidate, is_whole, pick
from finplan.cli.session import Session

app = Noun(invoke_without_command=True)


@app.callback(epilog=examples("finplan imports", "finplan imports undo imp_k3f9"))
def imports(context: typer.Context) -> None:
    """Past imports: list and undo."""
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list")
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
    """Take an import back: everything is as it was before."""
    from finplan.model.statement import ImportId
    from finplan.operations import UNDO_IMPORT

    session = Session.of(context)
    record = session.answer(UNDO_IMPORT, ImportId(id=_import_id(session, wanted)))
    if record is not None:
        from finplan.cli.show_imports import draw_imports

        session.print(draw_imports([record]))


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations import LIST_IMPORTS

    records = session.answer(LIST_IMPORTS, Nothing())
    if records is not None:
        from finplan.cli.show_imports import draw_imports

        session.print(draw_imports(records))


def _import_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations import LIST_IMPORTS

    records = session.call(LIST_IMPORTS, Nothing())
    candidates = [
        Candidate(record.id, tuple(file.file for file in record.report.files))
        for record in records
        if record.undone_at is None
    ]
    return pick(text, candidates, "import", "finplan imports")
