"""The live view as a page: two blocks beside each other, and each theme of this month below them."""

from dataclasses import replace

from rich.text import Text

from finplan.model.snapshot import PlanView, Snapshot
from finplan.terminal import lines
from finplan.terminal.lines import Look
from finplan.terminal.pages import draw_beside, draw_block, draw_blocks, draw_page, draw_section
from finplan.views import live, plan as plan_view
from finplan.views.page import Locale

DUE_SHOWN = 9
WIDEST_AT_HOME = 90


def draw_snapshot(
    snapshot: Snapshot, how: Locale, look: Look, view: PlanView | None = None
) -> Text:
    """Draw the live view; `view` tells what the plan behind it does not know."""
    look = look.of_page()
    plan = None if view is None else view.plan
    notes = draw_blocks(live.notes(snapshot, how, view), look)
    provisional = () if view is None else plan_view.provisional(view, how)
    accounts = () if plan is None else plan.snapshot.accounts
    return lines.joined(
        [
            *draw_blocks(provisional, look),
            *([Text()] if provisional else []),
            *draw_blocks(live.today(snapshot, how, view), look),
            *draw_block(live.balances(snapshot, how, view), look),
            *draw_blocks(live.way_to_tell(accounts), look),
            Text(),
            *draw_beside(
                live.breakdown(snapshot, how, plan), live.due(snapshot, how, DUE_SHOWN), look
            ),
            Text(),
            *draw_section(live.groups(snapshot, how, plan), look),
            *([Text(), *notes] if notes else []),
        ]
    )


def draw_home(view: PlanView, how: Locale, look: Look, ways: live.Ways) -> Text:
    """Draw what `finplan` alone says."""
    return draw_page(
        live.home(view, how, ways), replace(look, width=min(look.width, WIDEST_AT_HOME))
    )
