"""Plans in a table, newest first, each with what changed since the one before it."""

from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.plan import StoredPlan

NOTHING = Text("No plan yet: `finplan plan build` makes one.", style="dim")

_HEADS = ("built", "built", "income", "spending", "left over", "", "net worth", "", "to do")
_DAYS = frozenset((0, 1))
"""When a plan was built, with the time of day and without it."""

_GIVING_WAY = (frozenset((1,)), frozenset((1, 2, 3)), frozenset((0, 2, 3)))
"""The columns that are left out, from the widest table to the narrowest."""

_GAP = 2


def draw_history(plans: Sequence[StoredPlan], currency: str, width: int) -> RenderableType:
    """List plans with their main figures, as many of them as `width` columns hold without a cut.

    What is left over says what income and spending come to, so that these two give way first, and then
    the time of day.
    """
    if not plans:
        return NOTHING
    rows = [_row(each, before, currency) for each, before in zip_longest(plans, plans[1:])]
    for left_out in _GIVING_WAY:
        kept = [place for place in range(len(_HEADS)) if place not in left_out]
        needed = [max(cell_len(_HEADS[n]), *(_length(row[n]) for row in rows)) for n in kept]
        if sum(needed) + _GAP * (len(kept) - 1) <= width:
            break
    columns = (Column(_HEADS[n], figures=n not in _DAYS) for n in kept)
    return listing(columns, ([row[n] for n in kept] for row in rows))


def _length(content: Content) -> int:
    return cell_len(content) if isinstance(content, str) else content.cell_len


def _row(stored: StoredPlan, before: StoredPlan | None, currency: str) -> tuple[Content, ...]:
    monthly, worth = stored.plan.monthly, stored.plan.snapshot.net_worth
    surplus_change = worth_change = 0
    if before is not None:
        surplus_change = monthly.surplus - before.plan.monthly.surplus
        worth_change = worth - before.plan.snapshot.net_worth
    built = figures.moment(stored.created_at)
    return (
        f"{built:%Y-%m-%d %H:%M}",
        f"{built:%Y-%m-%d}",
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
