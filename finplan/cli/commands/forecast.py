"""`finplan forecast`: the days ahead."""

from typing import Annotated

import typer

from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

app = CommandApp()


@app.command(
    rows=True,
    epilog=examples(
        "finplan forecast",
        "finplan forecast --days 14   The next two weeks",
    ),
)
def forecast(
    context: typer.Context,
    days: Annotated[
        int, typer.Option(metavar="N", min=1, max=120, help="How many days to look ahead.")
    ] = 60,
) -> None:
    """The days ahead: what cash will be, and why.

    Pay and bills come on their days, cards on theirs, and usual spending on all. The lowest day stands
    first; the range holds cash on four of five such days.
    """
    from finplan.model.forecast import ForecastQuery
    from finplan.operations.plan import SHOW_FORECAST

    session = Session.of(context)
    found = session.answer(SHOW_FORECAST, ForecastQuery(days=days))
    if found is not None:
        from finplan.cli.showing.forecast import draw_forecast

        session.page(draw_forecast(found, session.currency, session.width, session.room))
