"""`finplan wealth`: what the household owns and owes."""

import typer

from finplan.cli.console.options import CommandApp
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import say_what_brings_rows

app = CommandApp()


@app.command(rows=True)
def wealth(context: typer.Context) -> None:
    """What you own and owe, today and over time."""
    from finplan.model.base import Nothing
    from finplan.operations.plan import SHOW_WEALTH

    session = Session.of(context)
    found = session.answer(SHOW_WEALTH, Nothing())
    if found is not None:
        from finplan.cli.commands.plan_view import view_now
        from finplan.cli.showing.wealth import draw_wealth

        view = view_now(session)
        session.page(draw_wealth(found, session.currency, session.width, view))
        if not any(point.assets or point.debts for point in found.history):
            say_what_brings_rows(session)
