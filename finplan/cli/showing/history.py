"""Plans in a table, newest first, each with what changed since the one before it."""

from collections.abc import Sequence
from itertools import zip_longest

from rich.console import RenderableType
from rich.text import Text

from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.plan import StoredPlan

NOTHING = Text("No plan yet: `finplan plan build` makes one.", style="dim")


def draw_history(plans: Sequence[StoredPlan], currency: str) -> RenderableType:
    """List plans with their main figures; a change is dim when there is none."""
    if not plans:
        return NOTHING
    return listing(
        (
            Column("built"),
            Column("income", figures=True),
            Column("spending", figures=True),
            Column("left over", figures=True),
            Column("", figures=True),
            Column("net worth", figures=True),
            Column("", figures=True),
            Column("to do", figures=True),
        ),
        (_row(each, before, currency) for each, before in zip_longest(plans, plans[1:])),
    )


def _row(stored: StoredPlan, before: StoredPlan | None, currency: str) -> tuple[Content, ...]:
    monthly, worth = stored.plan.monthly, stored.plan.snapshot.net_worth
    surplus_change = worth_change = 0
    if before is not None:
        surplus_change = monthly.surplus - before.plan.monthly.surplus
        worth_change = worth - before.plan.snapshot.net_worth
    return (
        f"{figures.moment(stored.created_at):%Y-%m-%d %H:%M}",
        figures.whole_money(monthly.income, currency),
        figures.whole_money(monthly.total_spend, currency),
        Text(figures.whole_money(monthly.surplus, currency), style="bold"),
        _change(surplus_change, currency),
        Text(figures.whole_money(worth, currency), style="bold"),
        _change(worth_change, currency),
        str(len(stored.plan.actions)),
    )


def _change(amount: int, currency: str) -> Text:
    return Text(figures.difference(amount, currency), style="red" if amount < 0 else "green")
