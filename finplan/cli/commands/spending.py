"""`finplan spending`: exact totals of what was spent."""

from typing import Annotated, Any

import typer

from finplan import model, operations, terminal, views
from finplan.cli.commands.transactions import RowOptions, TypedGrouping, asked_rows, narrowed
from finplan.cli.console.errors import NO_BANK_YET
from finplan.cli.console.options import CommandApp, examples, flag
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import category_choices

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
    monthly: Annotated[bool, flag("--monthly", "Show a column for each month.")] = False,
    *,
    rows: RowOptions,
) -> None:
    """Exact spending totals by category, merchant, tag or month.

    Refunds lower the totals. Transfers between your own accounts do not count.
    """
    if monthly and by == "month":
        raise typer.BadParameter(
            "needs --by category, merchant or tag.",
            param_hint="--monthly",
        )
    session = Session.of(context)
    filters = asked_rows(session, rows, spending=True)
    if monthly:
        _by_month(session, by, filters)
        return
    query = model.transaction.SpendingQuery.model_validate({"group_by": by, **filters})
    report = session.answer(operations.transaction.QUERY_SPENDING, query)
    if report is not None:
        session.show(views.spending.totals(report, session.how, *_of_what(session, query)))


def _by_month(session: Session, by: str, filters: dict[str, Any]) -> None:
    query = model.transaction.SpendingMonthsQuery.model_validate({"group_by": by, **filters})
    report = session.answer(operations.transaction.QUERY_SPENDING_MONTHS, query)
    if report is not None:
        layout = terminal.months.lay_out_months(
            report,
            session.currency,
            session.room,
            most=_MOST_LINES if session.console.is_terminal else None,
            trend=session.shows_blocks,
        )
        of_what = _of_what(session, query)
        session.show(views.spending.months(report, session.how, layout, *of_what))


def _of_what(
    session: Session, query: "model.transaction.RowFilter"
) -> tuple[list[str], "tuple[model.account.AccountRecord, ...]"]:
    """What the totals are of, in words, and the accounts, of which some may be in no total."""
    choices = category_choices(session) if query.category else {}
    categories = [choices[name] for name in query.category if name in choices]
    only = [category.label for category in categories]
    only += [name for names in query.plain_filters.values() for name in names]
    for category in categories:
        if category.line == "not_spending":
            rows = f"`finplan transactions --category {category.category}`"
            session.say(
                f"{category.label} is not spending, so no total includes it. To list its"
                f" transactions: {rows}."
            )
    records = session.call(operations.account.LIST_ACCOUNT_RECORDS)
    if not records:
        session.say(NO_BANK_YET)
    return only, records
