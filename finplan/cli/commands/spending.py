"""`finplan spending`: exact totals of what was spent."""

from typing import Annotated, Any, Literal

import typer

from finplan.cli.console.filters import Categories, Merchants, Since, Until
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

app = CommandApp()


@app.command(
    epilog=examples(
        "finplan spending --by merchant --from 2025-01",
        "finplan spending --by month --category groceries --category travel",
        'finplan spending --merchant "Blue Bottle" --from 2025-06 --to 2025-08',
    )
)
def spending(
    context: typer.Context,
    by: Annotated[
        Literal["category", "merchant", "month"], typer.Option(help="How to group the totals.")
    ] = "category",
    since: Since = None,
    until: Until = None,
    category: Categories = None,
    merchant: Merchants = None,
) -> None:
    """Exact totals by category, merchant or month.

    Refunds are taken off; moves between your own accounts are no spending.
    """
    from finplan.cli.dialogs.category_names import category_ids, category_labels
    from finplan.model.base import Nothing
    from finplan.model.spending import SpendingQuery
    from finplan.operations.household import LIST_ACCOUNT_RECORDS, QUERY_SPENDING

    session = Session.of(context)
    filters: dict[str, Any] = {
        "since": since,
        "until": until,
        "category": category_ids(session, category or (), spending=True),
        "merchant": tuple(merchant or ()),
    }
    query = SpendingQuery(group_by=by, **{name: value for name, value in filters.items() if value})
    report = session.answer(QUERY_SPENDING, query)
    if report is not None:
        from finplan.cli.showing.spending import draw_spending

        labels = category_labels(session) if query.category else {}
        only = [*(labels.get(each, each) for each in query.category), *query.merchant]
        records = session.call(LIST_ACCOUNT_RECORDS, Nothing())
        session.print(draw_spending(report, session.currency, session.width, only, records))
