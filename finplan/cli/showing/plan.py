"""The plan as a page: where the money goes, what is safe to spend, what to do next.

A page keeps to two screens of 24 lines: what does not fit is folded, and the last line says how to
see it. With `whole` nothing is folded.
"""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from finplan.cli.showing import flow as show_flow, layout, snapshot as show_unknown
from finplan.cli.showing.flow import month_trend
from finplan.model import figures, live_words, plan_words, standing_words
from finplan.model.plan import Action, IncomeSource, Plan
from finplan.model.snapshot import PlanView, Snapshot
from finplan.model.standing_words import Worths
from finplan.model.transaction import SpendingReport

TWO_SCREENS = 48
NARROWEST, WIDEST = 60, 110

CHANGES_SHOWN = 3
"""So many sentences on a month from now on stand on a page of two screens."""

LISTED = 3
"""How many sources of income, and how many charges, a folded page lists."""

FIGURE = 13
"""How wide the figure of a fact is."""

BEFORE_REMARK = 37
"""Where the remark beside a fact begins."""


def render_plan(
    view: PlanView,
    currency: str,
    width: int,
    months: SpendingReport | None = None,
    *,
    whole: bool = False,
    room: int = 0,
) -> Text:
    """Draw the plan for a terminal of `width` columns, in at most 48 lines unless `whole`.

    Lines may take up to `room` columns, where that is more, for names that would be cut off.
    `months` is the spending of the plan's window by month, for a terminal that can show small columns.
    """
    width = max(NARROWEST, min(width, WIDEST))
    plan, snapshot = view.plan, view.snapshot
    top = [
        *_headline(view, currency, width, whole=whole),
        Text(),
        *show_flow.money_flow(plan, currency, width, room, whole=whole),
        *_month_by_month(plan, months, currency, width),
        Text(),
        *_safe_to_spend(plan, snapshot, currency, (width, room), whole=whole),
        *_standing(view, currency, width, whole=whole),
        Text(),
    ]
    if whole:
        bottom = _regular(plan, snapshot, currency, (width, room), None)
        actions = _actions(plan, currency, (width, room), None)
        return layout.page([*top, *actions, Text(), *bottom, *_notes(plan, width, None)])
    # A blank line stands before what is regular and before the end, which says where the rest is.
    left = TWO_SCREENS - len(top) - 3
    # Of what is regular less is listed where the titles of what to do want its lines.
    listed = left - len(plan.actions) - 2
    bottom = _regular(plan, snapshot, currency, (width, room), max(1, min(LISTED, listed)))
    left -= len(bottom)
    actions = _actions(plan, currency, (width, room), left)
    notes = _notes(plan, width, left - len(actions) + 1)
    end = [_rest(plan, notes, width)] if notes else [Text(), _rest(plan, notes, width)]
    return layout.page([*top, *actions, Text(), *bottom, *notes, *end])


def _headline(view: PlanView, currency: str, width: int, *, whole: bool) -> list[Text]:
    plan, snapshot = view.plan, view.snapshot
    quarter = (width - 8) // 4
    widths = (width - 3 * quarter - 3, quarter, quarter, quarter)
    worth = figures.fitted(snapshot.balances.net_worth, currency, quarter, whole=True)
    label, left = _left_over(view, currency, quarter)
    cash = _toned(snapshot.balances.cash, currency, "bold", quarter, whole=True)
    head, amount = live_words.today_headed(snapshot)
    style = "bold green" if snapshot.allowance.today >= 0 else "bold red"
    today = Text(figures.fitted(amount, currency, widths[0]), style=style)
    worths = standing_words.worths(plan.snapshot.accounts, view.standing)
    if worths.cash == "unknown":
        cash, today = show_unknown.UNKNOWN, show_unknown.UNKNOWN
        head = live_words.SAFE_TODAY
    if worths.net_worth == "unknown":
        worth = show_unknown.UNKNOWN.plain
    cells: tuple[tuple[str, Text], ...] = (
        (head, today),
        (label, left),
        ("Cash", cash),
        ("Net worth", Text(worth, "bold")),
    )
    return [
        layout.ends(
            Text(f"Your plan of {figures.long_date(plan.generated_on)}", style="bold"),
            Text(plan_words.window_said(plan), style="dim"),
            width,
        ),
        Text(),
        *show_unknown.provisional(view, currency, width),
        layout.row(
            *((Text(cell[0], style="dim"), wide) for cell, wide in zip(cells, widths, strict=True))
        ),
        layout.row(*((cell[1], wide) for cell, wide in zip(cells, widths, strict=True))),
        *_bounds(worths, widths),
        *_from_now_on(view, width, None if whole else CHANGES_SHOWN),
    ]


def _from_now_on(view: PlanView, width: int, most: int | None) -> list[Text]:
    """The average month and the one from now on, with what changed; nothing where they agree."""
    said = view.running.text[:most]
    return [line for sentence in said for line in layout.wrapped(sentence, width, style="dim")]


def _month_by_month(
    plan: Plan, months: SpendingReport | None, currency: str, width: int
) -> list[Text]:
    """The months that the means are of in one line, unless some between them are none of these."""
    if months is None or len(months.groups) != plan.window.months:
        return []
    trend = month_trend(months, currency, width, show_flow.label_width(width))
    return [] if trend is None else [trend]


def _bounds(worths: Worths, widths: Sequence[int]) -> list[Text]:
    """Under the figures of the headline, which of them are bounds; nothing where none is."""
    told = [
        "",
        "",
        *("" if each == "unknown" else each for each in (worths.cash, worths.net_worth)),
    ]
    told = ["" if each == "exact" else each for each in told]
    cells = [(Text(each, style="yellow"), wide) for each, wide in zip(told, widths, strict=True)]
    return [layout.row(*cells)] if any(told) else []


def _left_over(view: PlanView, currency: str, width: int) -> tuple[str, Text]:
    """What a month leaves or lacks from now on, under its name."""
    unanswered = view.standing.money_in_unknown
    label, units = plan_words.surplus_headline(view.plan, view.running, unanswered, currency)
    if units is None:
        return label, show_unknown.UNKNOWN
    surplus = view.running.surplus if view.running.differs else view.plan.monthly.surplus
    text = figures.units_money(units, currency)
    if len(text) > width:
        amount = abs(surplus) if units >= 0 else surplus
        text = figures.fitted(amount, currency, width, whole=True)
    return label, Text(text, style="bold red" if surplus < 0 else "bold green")


def _toned(amount: int, currency: str, style: str, width: int, *, whole: bool = False) -> Text:
    text = figures.fitted(amount, currency, width, whole=whole)
    return Text(text, style="bold red" if amount < 0 else style)


def _safe_to_spend(
    plan: Plan, snapshot: Snapshot, currency: str, widths: tuple[int, int], *, whole: bool
) -> list[Text]:
    allowance, (width, most) = snapshot.allowance, widths
    unknown = plan_words.cash_is_unknown(plan.snapshot.accounts) or snapshot.waits_for_answers
    today, daily, left = (
        show_unknown.UNKNOWN if unknown else _toned(amount, currency, "bold", FIGURE)
        for amount in (allowance.today, allowance.daily, allowance.breakdown.remaining)
    )
    warning = live_words.warning_said(plan, snapshot, currency)
    bills = Text(live_words.NOT_KNOWN_YET, style="bold")
    if live_words.due_is_known(snapshot):
        due = snapshot.due.total
        bills = _toned(due, currency, "bold", FIGURE)
    # A line more would take the place of a note where the page is folded.
    room = None if whole else width - BEFORE_REMARK
    of_what = live_words.left_said(plan, snapshot, currency, room)
    next_due = live_words.next_due_said(snapshot)
    due_width = layout.roomy(width, most, BEFORE_REMARK + cell_len(next_due))
    pace = layout.wrapped(
        live_words.pace_said(plan, snapshot, currency), width, indent=1, style="dim"
    )
    return [
        layout.heading("What is safe to spend", "", width),
        _remark("Today", today, live_words.today_said(snapshot, currency), width),
        *(layout.wrapped(warning, width, indent=1, style="yellow") if warning else []),
        _remark(live_words.DAYS_SHARE, daily, live_words.days_said(snapshot), width),
        *_long_remark("Left this period", left, of_what, width),
        _remark("Bills in 30 days", bills, next_due, due_width),
        *(pace if whole else []),
    ]


def _standing(view: PlanView, currency: str, width: int, *, whole: bool) -> list[Text]:
    plan, accounts = view.plan, view.plan.snapshot.accounts
    worths = standing_words.worths(accounts, view.standing)
    fund, debt, snapshot = plan.emergency_fund, plan.debt, plan.snapshot
    covered = Text(f"{fund.months_covered:.1f} months", style="bold")
    said = standing_words.fund_said(plan, currency)
    if worths.cash == "unknown":
        covered, said = show_unknown.UNKNOWN, "until the balance of cash is told"
    elif worths.available == "unknown":
        covered = show_unknown.UNKNOWN
    elif worths.available != "exact":
        covered = Text(f"{worths.available} {fund.months_covered:.1f}", style="bold")
        said = f"months {said}"
    facts = [_remark("Emergency fund", covered, said, width)]
    if worths.cards == "unknown":
        facts.append(
            _remark("Credit cards", show_unknown.UNKNOWN, "what is owed was not told", width)
        )
    elif debt.cards:
        said = standing_words.debt_said(plan, worths.cards, currency)
        facts.append(_fact("Credit cards", debt.total, currency, said, width))
    if whole and snapshot.other_debt:
        said = "still owed"
        if worths.loans == "at least":
            said = f"{worths.loans}; {said}"
        facts.append(_fact("Loans", snapshot.other_debt, currency, said, width))
    return [*facts, *show_unknown.how_to_set_balance(accounts, width)]


def _fact(label: str, amount: int, currency: str, remark: str, width: int) -> Text:
    return _remark(label, _toned(amount, currency, "bold", FIGURE), remark, width)


def _remark(label: str, figure: Text, remark: str, width: int) -> Text:
    told = Text(remark, style="dim")
    return layout.row(
        ("", 1), (label, 18), (figure, -FIGURE), ("", 1), (told, width - BEFORE_REMARK)
    )


def _long_remark(label: str, figure: Text, remark: str, width: int) -> list[Text]:
    """A fact whose remark goes on below instead of being cut: with what follows its last "and"."""
    room, parts = width - BEFORE_REMARK, [remark]
    if len(remark) > room and " and " in remark:
        before, _, after = remark.rpartition(" and ")
        parts = [before, f"and {after}"]
    first, *others = (line for part in parts for line in layout.wrapped(part, room))
    indent = " " * BEFORE_REMARK
    return [
        _remark(label, figure, first.plain, width),
        *(Text(indent + other.plain, style="dim") for other in others),
    ]


def _actions(plan: Plan, currency: str, widths: tuple[int, int], room: int | None) -> list[Text]:
    """Each action on a line; its sentence under it as long as there is room, most useful first."""
    width, most = widths
    if not plan.actions:
        said = plan_words.nothing_to_do(plan.snapshot.accounts, plan.window.months)
        return [layout.heading("What to do next", said, width)]
    more = plan_words.more_to_come(plan.snapshot.accounts, plan.window.months)
    lines = [layout.heading("What to do next", more, width)]
    spare = None if room is None else room - len(plan.actions) - 1
    for action in plan.actions:
        lines.append(_action_title(action, currency, width, most))
        detail = layout.wrapped(action.detail, width - 1, indent=4)
        if spare is None or len(detail) <= spare:
            lines += detail
            spare = None if spare is None else spare - len(detail)
        else:
            spare = 0
    return lines


def _action_title(action: Action, currency: str, width: int, most: int) -> Text:
    amount = plan_words.amount_beside(action, currency)
    title = Text(action.title, style="bold cyan")
    width = layout.roomy(width, most, title.cell_len + cell_len(amount) + 4)
    return layout.row(
        (Text(str(action.priority), style="bold cyan"), -2),
        (layout.ends(title, amount, width - 3), width - 3),
    )


def _regular(
    plan: Plan, snapshot: Snapshot, currency: str, widths: tuple[int, int], limit: int | None
) -> list[Text]:
    sources = [source for source in plan.income_sources if source.active] or list(
        plan.income_sources
    )
    charges, fees = live_words.regular_charges(plan, snapshot)
    incoming = [_source(source) for source in sources]
    outgoing = [(charge.name, charge.amount, charge.cadence) for charge in charges]
    if fees:
        # Fees are in no count and no sum of the heading.
        outgoing.append((f"+ {live_words.FEES}", sum(each.monthly for each in fees), "monthly"))
    incoming, outgoing = incoming[:limit], outgoing[:limit]
    width, room = widths
    needed = _widest(incoming, currency), _widest(outgoing, currency)
    left, right = layout.halves(width, room, needed)
    said = live_words.charges_said(plan, snapshot, currency)
    income = [layout.heading("Income", "", left), *_listed(incoming, currency, left)]
    bills = [layout.heading("Regular charges", said, right), *_listed(outgoing, currency, right)]
    return layout.columns(income, bills, (left, right), width)


def _source(source: IncomeSource) -> tuple[str, int, str]:
    # Nothing says how often a payer without a rhythm pays, so the month's mean is told.
    amount = source.monthly if source.cadence == "irregular" else source.amount
    return source.name, amount, source.cadence


def _listed(lines: Sequence[tuple[str, int, str]], currency: str, width: int) -> list[Text]:
    """Names with what comes and how often; the names give way to both."""
    told = _told(lines, currency)
    amount_width = max((len(amount) for _, amount, _ in told), default=0)
    often_width = max((len(often) for *_, often in told), default=0)
    name_width = width - amount_width - often_width - 3
    return [
        layout.row(
            ("", 0),
            (layout.titled(name, name_width), name_width),
            (amount, -amount_width),
            (Text(often, style="dim"), often_width),
        )
        for name, amount, often in told
    ]


def _told(lines: Sequence[tuple[str, int, str]], currency: str) -> list[tuple[str, str, str]]:
    return [
        (name, figures.fitted(amount, currency, 9, whole=True), plan_words.RHYTHMS[cadence])
        for name, amount, cadence in lines
    ]


def _widest(lines: Sequence[tuple[str, int, str]], currency: str) -> int:
    """How wide a list is in which every name is whole."""
    told = _told(lines, currency)
    if not told:
        return 0
    return sum(max(map(cell_len, column)) for column in zip(*told, strict=True)) + 3


def _notes(plan: Plan, width: int, room: int | None) -> list[Text]:
    """The notes that fit, dim, most important first, after a blank line."""
    lines: list[Text] = [Text()]
    for note in plan.notes:
        note_lines = layout.wrapped(f"· {note}", width, style="dim")
        if room is not None and len(lines) + len(note_lines) > room:
            break
        lines += note_lines
    return lines if len(lines) > 1 else []


def _rest(plan: Plan, shown: list[Text], width: int) -> Text:
    notes = f"{figures.count(len(plan.notes), 'note')} and " if plan.notes and not shown else ""
    line = f"{notes}{'every' if notes else 'Every'} line: finplan plan show --all"
    why = "; why: finplan plan explain"
    return Text(line + why if len(line + why) <= width else line, style="dim")
