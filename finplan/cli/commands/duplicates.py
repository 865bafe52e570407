"""`finplan duplicates`: what may be one thing seen twice, and the person's word on it."""

from typing import Annotated, Literal

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import say_what_brings_rows

app = CommandApp(cls=RowsGroup, invoke_without_command=True)
DuplicateArgument = Annotated[
    str,
    typer.Argument(metavar="DUPLICATE", help="An id, the beginning of one, or a name or text."),
]


@app.callback(
    epilog=examples(
        "finplan duplicates                       What may be there twice",
        "finplan duplicates same ID               It is one: leave the second out",
        "finplan duplicates different ID          They are two: count both",
        "finplan duplicates undo ID               Ask me again",
    )
)
def duplicates(context: typer.Context) -> None:
    """Rows and accounts seen twice.

    Both count until you say that they are the same. The second one is then left out, not lost.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context), ())


@app.command("list", rows=True)
def list_duplicates(
    context: typer.Context,
    status: Annotated[
        list[str] | None,
        typer.Option(metavar="STATUS", help="Only open, same or different; may be given again."),
    ] = None,
) -> None:
    """All of them, accounts first, with what you said."""
    _list(Session.of(context), tuple(status or ()))


@app.command()
def same(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Say that two are the same: the second one is left out of every total."""
    _decide(context, duplicate, "same")


@app.command()
def different(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Say that two are different: both count."""
    _decide(context, duplicate, "different")


@app.command()
def undo(context: typer.Context, duplicate: DuplicateArgument) -> None:
    """Take your word on a duplicate back."""
    _decide(context, duplicate, "auto")


def _list(session: Session, status: tuple[str, ...]) -> None:
    from finplan.model.duplicate import DuplicateQuery
    from finplan.operations.detection import LIST_DUPLICATES

    query = DuplicateQuery(status=status) if status else DuplicateQuery()
    found = session.answer(LIST_DUPLICATES, query)
    if found is not None:
        from finplan.cli.showing.detection import draw_duplicates

        session.print(draw_duplicates(found, session.width, session.room))
        if not found:
            say_what_brings_rows(session)


def _decide(
    context: typer.Context, text: str, verdict: Literal["same", "different", "auto"]
) -> None:
    from finplan.model.duplicate import DuplicateVerdict
    from finplan.operations.detection import DECIDE_DUPLICATE

    session = Session.of(context)
    wanted = _duplicate_id(session, text)
    decided = session.answer(DECIDE_DUPLICATE, DuplicateVerdict(id=wanted, verdict=verdict))
    if decided is not None:
        from finplan.cli.showing.detection import draw_duplicates

        session.print(draw_duplicates([decided], session.width, session.room))


def _duplicate_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.duplicate import DuplicateQuery
    from finplan.operations.detection import LIST_DUPLICATES

    candidates = [
        NamedId(
            each.id,
            tuple(side.raw or side.account_name for side in (each.kept, each.other)),
        )
        for each in session.call(LIST_DUPLICATES, DuplicateQuery())
    ]
    return pick(text, candidates, "duplicate", "finplan duplicates")
