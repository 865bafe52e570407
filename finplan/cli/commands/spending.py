"""`finplan spending`: exact totals of what was spent."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan.cli.commands.transactions import (
    RowOptions,
    TypedGrouping,
    asked_rows,
    narrowed,
)
from finplan.cli.console.errors import NO_BANK_YET
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.account import AccountRecord
    from finplan.model.transaction import RowFilter

app = CommandApp()
_MOST_LINES = 40
"""How many groups a table of months shows on a terminal, each on a line; every category has its own."""


@app.command(
    rows=True,
    epilog=examples(
        "finplan spending --by merchant --from 2025-01",
        "finplan spending --by month --category groceries --category travel",
        "finplan spending --monthly --period 'last 6 months'",
        "finplan spending --period 'this pay period'",
        'finplan spending --merchant "Blue Bottle Coffee" --from 2025-06 --to 2025-08',
    ),
)
@narrowed(without=("account", "text", "amount"))
def spending(
    context: typer.Context,
    by: Annotated[TypedGrouping, typer.Option(help="How to group the totals.")] = "category",
    monthly: Annotated[
        bool, typer.Option("--monthly", help="A table: each category, merchant or tag by month.")
    ] = False,
    *,
    rows: RowOptions,
) -> None:
    """Exact totals by category, merchant, tag or month.

    Refunds are taken off; moves between your own accounts are no spending.
    """
    if monthly and by == "month":
        raise typer.BadParameter(
            "--monthly puts months beside categories, merchants or tags; leave out --by month.",
            param_hint="--monthly",
        )
    session = Session.of(context)
    given = asked_rows(session, rows, spending=True)
    if monthly:
        _by_month(session, by, given)
    else:
        _totals(session, by, given)


def _totals(session: Session, by: str, given: dict[str, Any]) -> None:
    from finplan.model.transaction import SpendingQuery
    from finplan.operations.transaction import QUERY_SPENDING

    query = SpendingQuery.model_validate({"group_by": by, **given})
    report = session.answer(QUERY_SPENDING, query)
    if report is not None:
        from finplan.cli.showing.spending import draw_spending

        only, records = _of_what(session, query)
        session.page(
            draw_spending(report, session.currency, session.width, only, records, session.room)
        )


def _by_month(session: Session, by: str, given: dict[str, Any]) -> None:
    from finplan.model.transaction import SpendingMonthsQuery
    from finplan.operations.transaction import QUERY_SPENDING_MONTHS

    query = SpendingMonthsQuery.model_validate({"group_by": by, **given})
    table = session.answer(QUERY_SPENDING_MONTHS, query)
    if table is not None:
        from finplan.cli.showing.spending import draw_spending_months

        only, records = _of_what(session, query)
        drawn = draw_spending_months(
            table,
            session.currency,
            session.room,
            only,
            records,
            most=_MOST_LINES if session.console.is_terminal else None,
            blocks=session.shows_blocks,
        )
        session.page(drawn)


def _of_what(session: Session, query: "RowFilter") -> tuple[list[str], "tuple[AccountRecord, ...]"]:
    """What the totals are of, in words, and the accounts, of which some may be in no total."""
    from finplan.cli.dialogs.lookup import category_choices
    from finplan.model.base import Nothing
    from finplan.operations.account import LIST_ACCOUNT_RECORDS

    choices = category_choices(session) if query.category else {}
    asked = [choices[each] for each in query.category if each in choices]
    only = [each.label for each in asked]
    only += [name for names in query.taken_as_said.values() for name in names]
    for each in asked:
        if each.line == "not_spending":
            rows = f"`finplan transactions --category {each.category}`"
            session.say(f"{each.label} is no spending, so nothing of it is here: {rows} lists it.")
    records = session.call(LIST_ACCOUNT_RECORDS, Nothing())
    if not records:
        session.say(NO_BANK_YET)
    return only, records
