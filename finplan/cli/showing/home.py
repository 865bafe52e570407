"""What `finplan` alone says: today's figures, what to do next, and where to go on."""

from collections.abc import Sequence
from datetime import datetime

from rich.text import Text

from finplan.cli.showing import unknown as show_unknown
from finplan.cli.showing.layout import ends, heading, page, row, wrapped
from finplan.model import figures, plan_words
from finplan.model.live import words as live_words
from finplan.model.snapshot import PlanView

ACTIONS_SHOWN = 3
WIDEST = 90
Ways = Sequence[tuple[str, str]]
"""Commands, each with what it leads to."""


def draw_beginning(ways: Ways) -> Text:
    """How to begin where nothing is known yet."""
    return page([Text("Nothing is here yet. Begin with one of these:"), *_ways(ways)])


def draw_home(view: PlanView, currency: str, width: int, ways: Ways, now: datetime) -> Text:
    """Today's figure, the first things to do, how old the data are, and where to go on."""
    width, snapshot, plan = min(width, WIDEST), view.snapshot, view.plan
    head, amount = live_words.today_headed(snapshot)
    style = "bold red" if snapshot.allowance.today < 0 else "bold green"
    figure = Text(figures.money(amount, currency), style=style)
    if plan_words.cash_is_unknown(plan.snapshot.accounts):
        head, figure = live_words.SAFE_TODAY, show_unknown.UNKNOWN
    spent = f"{figures.money(snapshot.allowance.spent_today, currency)} spent today"
    share = f"{figures.money(snapshot.allowance.daily, currency)} a day, "
    share = "" if snapshot.waits_for_answers else share
    lines = [
        ends(Text(f"{head}  ").append_text(figure), Text(spent, "dim"), width),
        Text(f"{share}{live_words.days_said(snapshot)}", style="dim"),
    ]
    warning = live_words.warning_said(plan, snapshot, currency)
    lines += wrapped(warning, width, style="yellow") if warning else []
    lines += show_unknown.provisional(view, currency, width)[:-1]
    lines += [
        Text(),
        *_actions(view, currency, width),
        Text(),
        *_ages(view, width, now),
        *_ways(ways),
    ]
    return page(lines)


def _actions(view: PlanView, currency: str, width: int) -> list[Text]:
    plan = view.plan
    if not plan.actions:
        said = plan_words.nothing_to_do(plan.snapshot.accounts, plan.window.months)
        return [heading("What to do next", said, width)]
    lines = [heading("What to do next", "", width)]
    for action in plan.actions[:ACTIONS_SHOWN]:
        amount = plan_words.amount_beside(action, currency)
        title = ends(Text(action.title, style="cyan"), amount, width - 3)
        lines.append(row((Text(str(action.priority), style="dim"), -2), (title, width - 3)))
    if len(plan.actions) > ACTIONS_SHOWN:
        more = f"and {len(plan.actions) - ACTIONS_SHOWN} more: `finplan plan`"
        lines.append(Text(f"   {more}", style="dim"))
    return lines


def _ages(view: PlanView, width: int, now: datetime) -> list[Text]:
    """How old the data are, bank by bank in one sentence."""
    ages = [
        f"{each.institution_name} {figures.age(each.last_synced_at, now)}"
        for each in view.data_age
        if each.last_synced_at is not None
    ]
    return wrapped(f"Data: {', '.join(ages)}.", width, style="dim") if ages else []


def _ways(ways: Ways) -> list[Text]:
    wide = max((len(command) for command, _ in ways), default=0)
    return [
        Text.assemble("  ", (command.ljust(wide), "bold"), f"  {what}") for command, what in ways
    ]
