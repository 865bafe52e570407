"""`finplan snapshot`: what is safe to spend now."""

from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.choices import Noun, examples
from finplan.cli.complain import BAD_INPUT, Complaint
from finplan.cli.session import Session

if TYPE_CHECKING:
    from finplan.model.plan import SnapshotAccount

app = Noun()


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
    from finplan.operations import SET_INCOME, SHOW_SNAPSHOT

    session = Session.of(context)
    if income is None:
        found = session.answer(SHOW_SNAPSHOT, Nothing())
    else:
        from finplan.model.snapshot import IncomeRequest

        found = session.answer(SET_INCOME, IncomeRequest(monthly=_monthly(session, income)))
    if found is not None:
        from finplan.cli.show_snapshot import draw_snapshot

        accounts = _accounts(session)
        session.print(draw_snapshot(found, session.currency, session.width, accounts))


def _accounts(session: Session) -> "tuple[SnapshotAccount, ...]":
    """The accounts of the latest plan with their balances of now, which may have been told since."""
    from finplan.model.base import Nothing
    from finplan.operations import LIST_ACCOUNTS, SHOW_PLAN

    balances = {each.id: each.balance for each in session.call(LIST_ACCOUNTS, Nothing())}
    held = session.call(SHOW_PLAN, Nothing()).plan.snapshot.accounts
    return tuple(
        each.model_copy(update={"balance": balances[each.id]})
        for each in held
        if each.id in balances
    )


def _monthly(session: Session, typed: str) -> int | None:
    from finplan.cli.amounts import minor

    if typed == "detected":
        return None
    monthly = minor(typed, session.currency, "The income")
    if monthly < 0:
        raise Complaint("An income cannot be negative.", BAD_INPUT)
    return monthly
