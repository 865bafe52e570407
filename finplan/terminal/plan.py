"""The plan in at most two screens of 24 lines, and the live view.

What of a plan does not fit is folded, and the last line says how to see it. Told whole, nothing is
folded.
"""

from collections.abc import Mapping
from dataclasses import replace

from rich.text import Text

from finplan.model.category import SpendingLine
from finplan.model.snapshot import PlanView, Snapshot
from finplan.model.transaction import SpendingReport
from finplan.terminal import lines, months
from finplan.terminal.lines import Look, text_of
from finplan.terminal.pages import (
    draw_beside,
    draw_block,
    draw_blocks,
    draw_fact,
    draw_heading,
    draw_page,
    draw_section,
    draw_step,
)
from finplan.views import live, plan as plan_view, unknowns
from finplan.views.locale import Locale
from finplan.views.page import FactList, PageBlock, PageTable, Section, StepList

TWO_SCREENS = 48
CHANGES_SHOWN = 3
"""So many sentences on a month from now on stand on a page of two screens."""

LISTED = 3
"""How many sources of income, and how many charges, a folded page lists."""

CATEGORIES: Mapping[SpendingLine, int] = {"essential": 4, "discretionary": 3}
"""How many categories of a line a folded page lists."""


def draw_plan(
    view: PlanView,
    how: Locale,
    look: Look,
    by_month: SpendingReport | None = None,
    *,
    in_full: bool = False,
) -> Text:
    """Draw the plan in at most 48 lines unless `in_full`.

    `by_month` is the spending of the plan's window by month, for a terminal that can show small columns.
    """
    plan, look = view.plan, look.of_page()
    # Only where none between them is left out are these the months that the means are of.
    drawn_months: list[Text] = []
    if by_month is not None and len(by_month.groups) == plan.window.months:
        drawn_months = months.draw_in_a_line(by_month, how, look)
    provisional = draw_blocks(plan_view.provisional(view, how), look)
    top = [
        *draw_block(plan_view.title(view), look),
        Text(),
        *provisional,
        *([Text()] if provisional else []),
        *draw_block(plan_view.headline(view, how), look),
        *draw_blocks(plan_view.from_now_on(view, None if in_full else CHANGES_SHOWN), look),
        Text(),
        *draw_section(plan_view.flow(view, how, None if in_full else CATEGORIES), look),
        *drawn_months,
        Text(),
        *_safe(view, how, look, in_full=in_full),
        Text(),
    ]
    if in_full:
        regular = _regular(view, how, look, None)
        notes = draw_blocks(plan_view.notes(plan), look)
        end = [Text(), *notes] if notes else []
        actions = draw_section(plan_view.actions(plan, how), look)
        return lines.join_lines([*top, *actions, Text(), *regular, *end])
    # A blank line stands before what is regular and before the end, which says where the rest is.
    room = TWO_SCREENS - len(top) - 3
    # Of what is regular less is listed where the titles of what to do want its lines.
    regular = _regular(view, how, look, max(1, min(LISTED, room - len(plan.actions) - 2)))
    room -= len(regular)
    actions = _actions(plan_view.actions(plan, how), look, room)
    fitting = _fitting_notes(view, look, room - len(actions) + 1)
    notes = [line for note in fitting for line in note]
    hidden = len(plan.notes) - len(fitting)
    short, full = map(look.ways, plan_view.folded_end(hidden, has_others=bool(fitting)))
    closing = text_of(full if len(full) <= look.width else short, "soft")
    return lines.join_lines([*top, *actions, Text(), *regular, Text(), *notes, closing])


def _safe(view: PlanView, how: Locale, look: Look, *, in_full: bool) -> list[Text]:
    """What is safe to spend, each fact on one line unless told whole."""
    section = live.safe(view.plan, view.snapshot, how)
    *blocks, pace = section.blocks
    standing = FactList(unknowns.fund_and_debts(view, how, loans=in_full))
    listed = [*blocks, *([pace] if in_full else []), standing]
    drawn = [lines.heading(section.title, Text(), look.width)]
    for block in (*listed, *live.way_to_tell(view.plan.snapshot.accounts)):
        if isinstance(block, FactList):
            for fact in block.facts:
                drawn += draw_fact(fact, look, folded=not in_full)
        else:
            drawn += draw_block(block, look)
    return drawn


def _actions(section: Section, look: Look, room: int) -> list[Text]:
    """Each action on a line; its sentence under it as long as there is room, most useful first."""
    steps = [
        step for block in section.blocks if isinstance(block, StepList) for step in block.steps
    ]
    if not steps:
        return draw_section(section, look)
    drawn = [draw_heading(section, look.width)]
    spare = room - len(steps) - 1
    for step in steps:
        step_lines = draw_step(step, look)
        if len(step_lines) - 1 <= spare:
            spare -= len(step_lines) - 1
        else:
            step_lines, spare = step_lines[:1], 0
        drawn += step_lines
    return drawn


def _regular(view: PlanView, how: Locale, look: Look, most: int | None) -> list[Text]:
    """Income and charges beside each other, each in half a page or more where names need it."""
    income = plan_view.income(view.plan, how)
    regular = plan_view.regular(view.plan, view.snapshot, how)
    return draw_beside(_cut(income, most), _cut(regular, most), replace(look, short=True))


def _cut(section: Section, most: int | None) -> Section:
    """A section with the first rows of its table."""
    blocks: list[PageBlock] = [
        replace(block, rows=block.rows[:most]) if isinstance(block, PageTable) else block
        for block in section.blocks
    ]
    return replace(section, blocks=tuple(blocks))


def _fitting_notes(view: PlanView, look: Look, room: int) -> list[list[Text]]:
    """The lines of each note that fits, most important first, after a blank line."""
    drawn: list[list[Text]] = []
    for note in plan_view.notes(view.plan):
        drawn.append(draw_block(note, look))
        if 1 + sum(map(len, drawn)) > room:
            return drawn[:-1]
    return drawn


# --- the live view -------------------------------------------------------------------------------

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
    return lines.join_lines(
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
