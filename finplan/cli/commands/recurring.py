"""`finplan recurring`: what comes again, and the person's word on it."""

from typing import Annotated, Literal

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import say_what_brings_rows

app = CommandApp(cls=RowsGroup, invoke_without_command=True)
SeriesArgument = Annotated[
    str,
    typer.Argument(metavar="SERIES", help="An id, its first letters, or the payee's whole name."),
]


@app.callback(
    epilog=examples(
        "finplan recurring                   Bills, subscriptions and regular income",
        "finplan recurring dismiss netflix   It is over: out of the plan",
        "finplan recurring confirm ID        It is not, even if a month looks odd",
        "finplan recurring undo netflix      Take that back",
    )
)
def recurring(context: typer.Context) -> None:
    """Charges and income that come again.

    They are found in your transactions, and make the bills, the dates to come and the
    allowance. What is over is listed last.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context), active=None)


@app.command("list", rows=True)
def list_recurring(
    context: typer.Context,
    active: Annotated[
        bool | None, typer.Option("--active/--over", help="Only what goes on, or what is over.")
    ] = None,
) -> None:
    """All series, the dearest month first."""
    _list(Session.of(context), active=active)


@app.command()
def confirm(context: typer.Context, series: SeriesArgument) -> None:
    """Say that something does come again: it stays in the plan."""
    _decide(context, series, "confirm")


@app.command()
def dismiss(context: typer.Context, series: SeriesArgument) -> None:
    """Say that something does not come again: it leaves the plan at once."""
    _decide(context, series, "dismiss")


@app.command()
def undo(context: typer.Context, series: SeriesArgument) -> None:
    """Take your word on a series back."""
    _decide(context, series, "auto")


def _list(session: Session, *, active: bool | None) -> None:
    from finplan.model.recurring import RecurringQuery
    from finplan.operations.detection import LIST_RECURRING

    query = RecurringQuery() if active is None else RecurringQuery(active=active)
    found = session.answer(LIST_RECURRING, query)
    if found is not None:
        from finplan.cli.showing.detection import draw_recurring

        currency = session.currency if found else ""
        session.page(draw_recurring(found, currency, session.width, session.room))
        if not found:
            say_what_brings_rows(session)


def _decide(
    context: typer.Context, text: str, verdict: Literal["confirm", "dismiss", "auto"]
) -> None:
    from finplan.model.recurring import RecurringVerdict
    from finplan.operations.detection import DECIDE_RECURRING

    session = Session.of(context)
    wanted = _series_id(session, text)
    decided = session.answer(DECIDE_RECURRING, RecurringVerdict(id=wanted, verdict=verdict))
    if decided is not None:
        from finplan.cli.showing.detection import draw_decided_series

        session.print(draw_decided_series(decided, session.currency, session.width))


def _series_id(session: Session, text: str) -> str:
    if is_whole(text):
        return text
    from finplan.model.recurring import RecurringQuery
    from finplan.operations.detection import LIST_RECURRING

    found = session.call(LIST_RECURRING, RecurringQuery())
    candidates = [NamedId(each.id, (each.name, each.payee_key)) for each in found]
    return pick(text, candidates, "series", "finplan recurring", "series", exact=True)
