"""The live view as a page: today's figure, how it comes about, what is due, and each money group."""

from collections.abc import Iterator

from rich.text import Text

from finplan.cli.showing import unknown as show_unknown
from finplan.cli.showing.layout import (
    bar,
    columns,
    ends,
    half_width,
    heading,
    page,
    row,
    titled,
    wrapped,
)
from finplan.model import figures, plan_words
from finplan.model.snapshot import MoneyGroup, PlanView, Snapshot
from finplan.model.standing import words as standing_words

NARROWEST, WIDEST = 60, 110
DUE_SHOWN = 9
REST_WIDTH = 17
"""Columns that hold "over by CHF 1,234", so that no rounding to thousands is needed there."""


def draw_snapshot(
    snapshot: Snapshot, currency: str, width: int, view: PlanView | None = None
) -> Text:
    """Draw the live view for a terminal of `width` columns.

    `view` tells what the plan behind it does not know: spending, and balances that nobody has told.
    """
    width = max(NARROWEST, min(width, WIDEST))
    half = half_width(width)
    return page(
        [
            *show_unknown.provisional(view, currency, width),
            *_headline(snapshot, currency, width, view),
            Text(),
            *columns(
                _breakdown(snapshot, currency, half, view), _due(snapshot, currency, half), width
            ),
            Text(),
            *_groups(snapshot, currency, width),
            *_notes(snapshot, currency, width, view),
        ]
    )


def _headline(snapshot: Snapshot, currency: str, width: int, view: PlanView | None) -> list[Text]:
    allowance, accounts = snapshot.allowance, () if view is None else view.plan.snapshot.accounts
    no_cash = plan_words.cash_is_unknown(accounts)
    figure = Text(
        figures.money(allowance.today, currency),
        style="bold red" if allowance.today < 0 else "bold green",
    )
    today = Text("Safe to spend today  ").append_text(show_unknown.UNKNOWN if no_cash else figure)
    days = figures.count(allowance.breakdown.days_left, "day")
    until = "to the end of the month"
    if allowance.payday is not None:
        until = f"to payday, {figures.short_date(allowance.payday)}"
    daily = f"{figures.money(allowance.daily, currency)} a day for {days} {until}"
    spent = f"{figures.money(allowance.spent_today, currency)} spent today"
    lines = [ends(today, Text(spent, style="dim"), width), Text(daily, style="dim")]
    short = "" if no_cash else plan_words.short_said(snapshot, currency)
    if short:
        lines += wrapped(short, width, style="yellow")
    elif not no_cash and plan_words.is_held_by_cash(snapshot):
        # The share of the day would allow more, but the money is not there.
        until = "payday" if allowance.payday else "the month ends"
        why = f"Cash allows no more: what is due before {until} comes first."
        lines.append(Text(why, style="yellow"))
    return [
        *lines,
        Text(_balances(snapshot, currency, view), style="dim"),
        *show_unknown.how_to_set_balance(accounts, width),
    ]


def _balances(snapshot: Snapshot, currency: str, view: PlanView | None) -> str:
    balances = snapshot.balances
    accounts = () if view is None else view.plan.snapshot.accounts
    worth = standing_words.worths(accounts, None if view is None else view.standing)
    cash = standing_words.bounded(worth.cash, figures.money(balances.cash, currency))
    owed = f"{figures.money(balances.card_debt, currency)} owed"
    cards = standing_words.bounded(worth.cards, owed)
    all_ = figures.whole_money(balances.net_worth, currency)
    if view is None or any(account.role == "investment" for account in accounts):
        # They stand in no line of this page, and yet are in its last sum.
        all_ += " with investments"
    return f"Cash {cash}, cards {cards}, net worth {standing_words.bounded(worth.net_worth, all_)}"


def _breakdown(snapshot: Snapshot, currency: str, width: int, view: PlanView | None) -> list[Text]:
    source = "your own figure" if snapshot.income.source == "manual" else ""
    lines = [heading("How it comes about", source, width)]
    plan = None if view is None else view.plan
    for label, amount, is_total in plan_words.breakdown_rows(snapshot, plan):
        style = "bold" if is_total else ""
        figure = Text(figures.fitted(amount, currency, 13), style=style)
        lines.append(row(("", 0), (Text(label, style=style), width - 15), (figure, -13)))
    if snapshot.income.draw is not None:
        draw = figures.fitted(snapshot.income.draw.draw, currency, 13)
        drawn = Text(f"{plan_words.DRAW} this month", style="dim")
        lines.append(row(("", 0), (drawn, width - 15), (draw, -13)))
    return lines


def _due(snapshot: Snapshot, currency: str, width: int) -> list[Text]:
    upcoming = snapshot.upcoming
    total = figures.money(sum(charge.amount for charge in upcoming), currency)
    known = plan_words.due_is_known(snapshot)
    lines = [heading("Due in 30 days", total if known else plan_words.NOT_KNOWN_YET, width)]
    if not upcoming:
        said = "nothing expected" if known else plan_words.next_due_said(snapshot)
        lines += wrapped(said, width, indent=1, style="dim")
    for charge in upcoming[:DUE_SHOWN]:
        day = Text(f"{charge.date.day:>2} {charge.date:%b}", style="dim")
        amount = figures.fitted(charge.amount, currency, 11)
        name = titled(charge.name, width - 20)
        lines.append(row(("", 0), (day, 6), (name, width - 20), (amount, -11)))
    if len(upcoming) > DUE_SHOWN:
        rest = upcoming[DUE_SHOWN:]
        amount = figures.fitted(sum(charge.amount for charge in rest), currency, 11)
        lines.append(row(("", 7), (f"{len(rest)} more", width - 20), (amount, -11)))
    return lines


def _groups(snapshot: Snapshot, currency: str, width: int) -> list[Text]:
    bar_width = width - 17 - 2 * 11 - REST_WIDTH - 4
    sizes = (17, bar_width, -11, -11, -REST_WIDTH)
    heads = ("THIS MONTH", "", "spent", "usual", "left")
    styles = ("bold", "", "dim", "dim", "dim")
    lines = [
        row(*((Text(h, style=s), size) for h, s, size in zip(heads, styles, sizes, strict=True)))
    ]
    lines += [_group(group, currency, bar_width) for group in snapshot.groups]
    return lines


def _group(group: MoneyGroup, currency: str, bar_width: int) -> Text:
    gone = group.spent + group.upcoming
    style = "red" if group.left < 0 else "cyan" if group.line == "essential" else "magenta"
    left = plan_words.rest_said(group.left, currency, REST_WIDTH)
    return row(
        ("", 0),
        (group.label, 16),
        (bar(gone, max(group.monthly, gone), bar_width, style, rest=True), bar_width),
        (figures.fitted(group.spent, currency, 11), -11),
        (Text(figures.fitted(group.monthly, currency, 11), style="dim"), -11),
        (Text(left, style="red" if group.left < 0 else "bold"), -REST_WIDTH),
    )


def _notes(snapshot: Snapshot, currency: str, width: int, view: PlanView | None) -> list[Text]:
    """What changed and what the figures do not know, a sentence each, after a blank line."""
    notes = [*plan_words.change_said(snapshot, currency), *_gaps(snapshot, currency, view)]
    if view is not None:
        notes += standing_words.unknown_said(view.plan.snapshot.accounts, view.standing)
    lines = [line for note in notes for line in wrapped(f"· {note}", width, style="dim")]
    return [Text(), *lines] if lines else []


def _gaps(snapshot: Snapshot, currency: str, view: PlanView | None) -> Iterator[str]:
    for bank in snapshot.gaps.behind:
        synced = bank.last_synced_at
        since = (
            "never synced" if synced is None else f"last synced on {figures.moment(synced).date()}"
        )
        yield f"{bank.institution_name}: {since}."
    yield from plan_words.missing_said(snapshot)
    tasks = None if view is None else view.open_tasks
    yield from plan_words.uncounted_said(snapshot, currency, tasks)
