"""The live view as a page, and what `finplan` alone says of it.

Today's figure, how it comes about, what is due, and each money group. What rests on balances that nobody
has told is a bound, or unknown, which is not nothing.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from rich.cells import cell_len
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing import layout
from finplan.model import figures, live_words, plan_words, standing_words
from finplan.model.plan import Bound, Plan
from finplan.model.plan_words import Accounts, awaited_balance
from finplan.model.snapshot import MoneyGroup, PlanView, Snapshot, Upcoming

NARROWEST, WIDEST = 60, 110
DUE_SHOWN = 9
_BESIDE_DUE = 20
"""How many columns the day and the amount of a charge take beside its name."""
LABEL, LONGEST_LABEL = 17, 23
"""How wide the names of themes are: as the longest of a page, between these."""
AMOUNT, REST = 11, 18
"""How wide the figures of a group may be: "over by CHF 1,234", "$12,345 for later"."""
ROOMY = 76
"""From this width on figures are exact."""
NARROW_AMOUNT, NARROW_REST = 8, 14
SHORTEST_BAR = 4


def draw_snapshot(
    snapshot: Snapshot,
    currency: str,
    width: int,
    view: PlanView | None = None,
    *,
    room: int = 0,
) -> Text:
    """Draw the live view for a terminal of `width` columns.

    Lines may take up to `room` columns, where that is more, for names that would be cut off.
    `view` tells what the plan behind it does not know: spending, and balances that nobody has told.
    """
    width = max(NARROWEST, min(width, WIDEST))
    left, right = layout.halves(width, room, (0, _widest_due(snapshot)))
    return layout.page(
        [
            *provisional(view, currency, width),
            *_headline(snapshot, currency, width, view),
            Text(),
            *layout.columns(
                _breakdown(snapshot, currency, left, view),
                _due(snapshot, currency, right),
                (left, right),
                width,
            ),
            Text(),
            *_groups(snapshot, currency, (width, room), None if view is None else view.plan),
            *_notes(snapshot, currency, width, view),
        ]
    )


def _headline(snapshot: Snapshot, currency: str, width: int, view: PlanView | None) -> list[Text]:
    allowance, accounts = snapshot.allowance, () if view is None else view.plan.snapshot.accounts
    no_cash = plan_words.cash_is_unknown(accounts)
    head, amount = live_words.today_headed(snapshot)
    figure = Text(
        figures.money(amount, currency),
        style="bold red" if allowance.today < 0 else "bold green",
    )
    today = Text(f"{head}  ").append_text(figure)
    share = f"{live_words.DAYS_SHARE} {figures.money(allowance.daily, currency)}, "
    if no_cash:
        today, share = Text(f"{live_words.SAFE_TODAY}  ").append_text(UNKNOWN), ""
    if snapshot.waits_for_answers:
        share = ""
    daily = f"{share}{live_words.days_said(snapshot)}"
    spent = f"{figures.money(allowance.spent_today, currency)} spent today"
    lines = [layout.ends(today, Text(spent, style="dim"), width), Text(daily, style="dim")]
    if allowance.today > 0 and not no_cash and live_words.is_held_by_cash(snapshot):
        # The share of the day would allow more, but the money is not there.
        until = "payday" if allowance.payday else "the month ends"
        why = f"Cash allows no more: what is due before {until} comes first."
        lines.append(Text(why, style="yellow"))
    warning = live_words.warning_said(None if view is None else view.plan, snapshot, currency)
    lines += layout.wrapped(warning, width, style="yellow") if warning else []
    return [
        *lines,
        Text(_balances(snapshot, currency, view), style="dim"),
        *how_to_set_balance(accounts, width),
    ]


def _balances(snapshot: Snapshot, currency: str, view: PlanView | None) -> str:
    balances = snapshot.balances
    accounts = () if view is None else view.plan.snapshot.accounts
    worth = standing_words.worths(accounts, None if view is None else view.standing)
    cash = standing_words.bounded(worth.cash, figures.money(balances.cash, currency))
    cards = figures.owed_money(balances.card_debt, currency)
    if worth.cards != "exact":
        # Of what some cards owe, an overpaid one is no least part.
        at_least = balances.card_debt > 0
        cards = standing_words.bounded(worth.cards if at_least else "unknown", cards)
    all_ = figures.whole_money(balances.net_worth, currency)
    if view is None or any(account.role == "investment" for account in accounts):
        # They stand in no line of this page, and yet are in its last sum.
        all_ += " with investments"
    return f"Cash {cash}, cards {cards}, net worth {standing_words.bounded(worth.net_worth, all_)}"


def _breakdown(snapshot: Snapshot, currency: str, width: int, view: PlanView | None) -> list[Text]:
    source = "your own figure" if snapshot.income.source == "manual" else ""
    lines = [layout.heading("How it comes about", source, width)]
    plan = None if view is None else view.plan
    for label, amount, is_total in live_words.breakdown_rows(snapshot, plan):
        style = "bold" if is_total else ""
        figure = UNKNOWN
        if amount is not None:
            figure = Text(figures.fitted(amount, currency, 13), style=style)
        lines.append(layout.row(("", 0), (Text(label, style=style), width - 15), (figure, -13)))
    return lines


def _due(snapshot: Snapshot, currency: str, width: int) -> list[Text]:
    upcoming = live_words.due_soon(snapshot)
    total = figures.money(snapshot.due.total, currency)
    known = live_words.due_is_known(snapshot)
    lines = [layout.heading("Due in 30 days", total if known else live_words.NOT_KNOWN_YET, width)]
    if not upcoming:
        said = "nothing expected" if known else live_words.next_due_said(snapshot)
        lines += layout.wrapped(said, width, indent=1, style="dim")
    shown = _shown(upcoming)
    for charge in shown:
        day = Text(f"{charge.date.day:>2} {charge.date:%b}", style="dim")
        amount = figures.fitted(charge.amount, currency, 11)
        lines.append(
            layout.row(
                ("", 0),
                (day, 6),
                (layout.titled(charge.title, width - _BESIDE_DUE), width - _BESIDE_DUE),
                (amount, -11),
            )
        )
    if rest := upcoming[len(shown) :]:
        amount = figures.fitted(sum(charge.amount for charge in rest), currency, 11)
        lines.append(layout.row(("", 7), (f"{len(rest)} more", width - _BESIDE_DUE), (amount, -11)))
    for besides in (live_words.card_bills_said, live_words.repayments_said):
        if remark := besides(snapshot, currency):
            lines += layout.wrapped(remark, width, indent=1, style="dim")
    return lines


def _shown(upcoming: Sequence[Upcoming]) -> Sequence[Upcoming]:
    # A line that says one more is hidden would take the place of that one.
    return upcoming if len(upcoming) <= DUE_SHOWN + 1 else upcoming[:DUE_SHOWN]


def _widest_due(snapshot: Snapshot) -> int:
    """How wide what is due is where every name is whole."""
    shown = _shown(live_words.due_soon(snapshot))
    return max((_BESIDE_DUE + cell_len(each.title) for each in shown), default=0)


def _groups(
    snapshot: Snapshot, currency: str, widths: tuple[int, int], plan: Plan | None
) -> list[Text]:
    """Each theme: what it took this month, what is still due, what is usual, and what that leaves."""
    groups, (width, room) = snapshot.groups, widths
    most, widest = (AMOUNT, REST) if width >= ROOMY else (NARROW_AMOUNT, NARROW_REST)
    table = {
        "spent": [Text(figures.fitted(each.spent, currency, most)) for each in groups],
        "due": [_due_of(each, currency, most) for each in groups],
        "usual": [Text(figures.fitted(each.usual, currency, most), "dim") for each in groups],
        "left": [_rest(each, plan, currency, widest) for each in groups],
    }
    if not any(each.upcoming for each in groups):
        del table["due"]
    gap = width >= ROOMY
    sizes = [max(len(head), *map(len, cells), 0) + gap for head, cells in table.items()]
    longest = max((cell_len(each.label) + 1 for each in groups), default=0)
    label_width = min(LONGEST_LABEL, max(LABEL, longest))
    bar_width = width - label_width - sum(sizes) - len(sizes) - 1
    label_width += layout.roomy(width, room, width + longest - label_width) - width
    heads = (Text("THIS MONTH", "bold"), *(Text(head, "dim") for head in table))
    bars = [_bar(each, bar_width) for each in groups]
    return [
        _group_line(label_width, bar_width, sizes, *line)
        for line in (
            (heads[0], Text(), heads[1:]),
            *zip(
                (Text(f" {each.label}") for each in groups),
                bars,
                zip(*table.values(), strict=True),
                strict=True,
            ),
        )
    ]


def _group_line(
    label_width: int,
    bar_width: int,
    sizes: Sequence[int],
    label: Text,
    drawn: Text,
    cells: Sequence[Text],
) -> Text:
    """One line of the table; where there is no room for a bar the label takes its place."""
    wide = bar_width >= SHORTEST_BAR
    bars = ((label, label_width), (drawn, bar_width))
    start = bars if wide else ((label, label_width + bar_width + 1),)
    figured = ((cell, -size) for cell, size in zip(cells, sizes, strict=True))
    return layout.row(*start, *figured)


def _bar(group: MoneyGroup, width: int) -> Text:
    style = "red" if group.left < 0 else "cyan" if group.line == "essential" else "magenta"
    whole = max(group.usual, group.spent + group.upcoming)
    return layout.bar(group.spent, whole, max(0, width), style, rest=True, due=group.upcoming)


def _due_of(group: MoneyGroup, currency: str, width: int) -> Text:
    return Text(figures.fitted(group.upcoming, currency, width) if group.upcoming else "", "dim")


def _rest(group: MoneyGroup, plan: Plan | None, currency: str, width: int) -> Text:
    style = "red" if group.left < 0 else "bold"
    return Text(live_words.rest_said(group, plan, currency, width), style)


def _notes(snapshot: Snapshot, currency: str, width: int, view: PlanView | None) -> list[Text]:
    """What changed and what the figures do not know, a sentence each, after a blank line."""
    plan = None if view is None else view.plan
    notes = [*live_words.change_said(plan, snapshot, currency), *_gaps(snapshot, currency, view)]
    if view is not None:
        notes += standing_words.unknown_said(view.plan.snapshot.accounts, view.standing)
    lines = [line for note in notes for line in layout.wrapped(f"· {note}", width, style="dim")]
    return [Text(), *lines] if lines else []


def _gaps(snapshot: Snapshot, currency: str, view: PlanView | None) -> Iterator[str]:
    for bank in snapshot.gaps.behind:
        synced = bank.last_synced_at
        since = (
            "never synced" if synced is None else f"last synced on {figures.moment(synced).date()}"
        )
        yield f"{bank.institution_name}: {since}."
    yield from live_words.missing_said(snapshot)
    tasks = None if view is None else view.open_tasks
    yield from live_words.uncounted_said(snapshot, currency, tasks)


ACTIONS_SHOWN = 3
WIDEST_AT_HOME = 90
Ways = Sequence[tuple[str, str]]
"""Commands, each with what it leads to."""


def draw_beginning(ways: Ways) -> Text:
    """How to begin where nothing is known yet."""
    return layout.page([Text("Nothing is here yet. Begin with one of these:"), *_ways(ways)])


def draw_home(view: PlanView, currency: str, width: int, ways: Ways, now: datetime) -> Text:
    """Today's figure, the first things to do, how old the data are, and where to go on."""
    width, snapshot, plan = min(width, WIDEST_AT_HOME), view.snapshot, view.plan
    head, amount = live_words.today_headed(snapshot)
    style = "bold red" if snapshot.allowance.today < 0 else "bold green"
    figure = Text(figures.money(amount, currency), style=style)
    if plan_words.cash_is_unknown(plan.snapshot.accounts):
        head, figure = live_words.SAFE_TODAY, UNKNOWN
    spent = f"{figures.money(snapshot.allowance.spent_today, currency)} spent today"
    share = f"{figures.money(snapshot.allowance.daily, currency)} a day, "
    share = "" if snapshot.waits_for_answers else share
    lines = [
        layout.ends(Text(f"{head}  ").append_text(figure), Text(spent, "dim"), width),
        Text(f"{share}{live_words.days_said(snapshot)}", style="dim"),
    ]
    warning = live_words.warning_said(plan, snapshot, currency)
    lines += layout.wrapped(warning, width, style="yellow") if warning else []
    lines += provisional(view, currency, width)[:-1]
    lines += [
        Text(),
        *_actions(view, currency, width),
        Text(),
        *_ages(view, width, now),
        *_ways(ways),
    ]
    return layout.page(lines)


def _actions(view: PlanView, currency: str, width: int) -> list[Text]:
    plan = view.plan
    if not plan.actions:
        said = plan_words.nothing_to_do(plan.snapshot.accounts, plan.window.months)
        return [layout.heading("What to do next", said, width)]
    lines = [layout.heading("What to do next", "", width)]
    for action in plan.actions[:ACTIONS_SHOWN]:
        amount = plan_words.amount_beside(action, currency)
        title = layout.ends(Text(action.title, style="cyan"), amount, width - 3)
        lines.append(layout.row((Text(str(action.priority), style="dim"), -2), (title, width - 3)))
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
    return layout.wrapped(f"Data: {', '.join(ages)}.", width, style="dim") if ages else []


def _ways(ways: Ways) -> list[Text]:
    wide = max((len(command) for command, _ in ways), default=0)
    return [
        Text.assemble("  ", (command.ljust(wide), "bold"), f"  {what}") for command, what in ways
    ]


_MOST_LINES = 5

UNKNOWN = Text("unknown", style="bold yellow")
"""What stands in the place of a figure."""


def bounded(worth: Bound, figure: Text) -> Text:
    """A figure with what it is worth before it, or `UNKNOWN` in its place."""
    if worth == "unknown":
        return UNKNOWN.copy()
    return figure if worth == "exact" else Text(f"{worth} ").append_text(figure)


def how_to_set_balance(accounts: Accounts, width: int) -> list[Text]:
    """How to tell the first balance that a figure of the page waits for; nothing when none does."""
    waiting = awaited_balance(accounts)
    if waiting is None:
        return []
    short = shortened([each.id for each in accounts])
    command = f"finplan accounts set {short[waiting.id]} --balance AMOUNT"
    return layout.wrapped(f"Tell a balance: {command}", width - 2, indent=2, style="yellow")


def provisional(view: PlanView | None, currency: str, width: int) -> list[Text]:
    """What of spending is unknown, and what answers it, before a blank line; nothing of a firm plan."""
    if view is None:
        return []
    said = standing_words.provisional_said(view.plan, view.standing, view.open_tasks, currency)
    text = " ".join(said)
    # Payees may have names of any length, and the figures below matter more than those.
    lines = layout.wrapped(text, width, style="yellow")[:_MOST_LINES]
    return [*lines, Text()] if text else []
