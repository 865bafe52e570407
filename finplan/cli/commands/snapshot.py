"""`finplan snapshot`: what is safe to spend now."""

from typing import Annotated

import typer

from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

app = CommandApp()


@app.command(
    epilog=examples(
        "finplan snapshot",
        "finplan snapshot --income 4200       Count on 4,200 a month from now on",
        "finplan snapshot --income detected   Go back to what the data say",
    )
)
def snapshot(
    context: typer.Context,
    income: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="Your own monthly income; or `detected`."),
    ] = None,
) -> None:
    """What is safe to spend now, and why.

    The averages are the latest plan's; balances and what you have spent are of today.
    """
    from finplan.model.base import Nothing
    from finplan.operations.plan import SET_INCOME, SHOW_SNAPSHOT

    session = Session.of(context)
    if income is None:
        found = session.answer(SHOW_SNAPSHOT, Nothing())
    else:
        from finplan.model.snapshot import IncomeRequest

        found = session.answer(SET_INCOME, IncomeRequest(monthly=_monthly(session, income)))
    if found is not None:
        from finplan.cli.commands.plan_view import view_now
        from finplan.cli.showing.snapshot import draw_snapshot

        view = view_now(session)
        session.print(
            draw_snapshot(found, session.currency, session.width, view, room=session.room)
        )


def _monthly(session: Session, typed: str) -> int | None:
    from finplan.cli.console.typed_values import minor

    if typed == "detected":
        return None
    monthly = minor(typed, session.currency, "The income")
    if monthly < 0:
        raise CommandError("An income cannot be negative.", BAD_INPUT)
    return monthly
