"""Wealth as a page: today's balances and how net worth has moved, month by month."""

from collections.abc import Sequence

from rich.text import Text

from finplan.cli.showing import snapshot as show_unknown
from finplan.cli.showing.layout import bar, ends, page, row, wrapped
from finplan.model import figures, standing_words
from finplan.model.plan import Bound
from finplan.model.snapshot import PlanView, Wealth, WealthPoint

NARROWEST, WIDEST = 60, 110
_WHY_UNKNOWN = {
    "Cash": "no balance was told",
    "Investments": "not all that is held was told",
    "Cards": "what is owed was not told",
    "Loans": "what is owed was not told",
    "Cash after cards": "needs the balances of cash and cards",
}
"""What stands beside a figure that is not known, by its label."""

_WITH_TRENDS = 70
"""From this width on there is room for bars beside the figures."""


def draw_wealth(wealth: Wealth, currency: str, width: int, view: PlanView | None = None) -> Text:
    """Draw the balances and the history for a terminal of `width` columns.

    `view` tells which balances nobody has told: what rests on these is a bound or unknown.
    """
    width = max(NARROWEST, min(width, WIDEST))
    balances, accounts = wealth.balances, () if view is None else view.plan.snapshot.accounts
    worth = standing_words.worths(accounts, None if view is None else view.standing)
    said = show_unknown.bounded(worth.net_worth, Text(figures.money(balances.net_worth, currency)))
    title = Text("Net worth  ", style="bold").append_text(said)
    facts = (
        ("Cash", balances.cash, worth.cash, ("what you can spend at once", "overdrawn")),
        (
            "Investments",
            balances.investments,
            worth.investments,
            ("and what is set aside for long", "less than nothing"),
        ),
        ("Cards", -balances.card_debt, worth.cards, (_paid_too_much(balances.card_debt), "owed")),
        ("Loans", -balances.loans, worth.loans, (_paid_too_much(balances.loans), "owed")),
        (
            "Cash after cards",
            balances.available,
            worth.available,
            ("once every card is paid", "lacking once every card is paid"),
        ),
    )
    lines = [ends(title, Text(figures.long_date(wealth.today), style="dim"), width), Text()]
    for label, amount, known, (remark, below_zero) in facts:
        figure = Text(figures.fitted(amount, currency, 16), style="red" if amount < 0 else "bold")
        if known == "unknown":
            figure = show_unknown.UNKNOWN
        lines.append(
            row(
                ("", 0),
                (label, 18),
                (figure, -16),
                ("", 1),
                (
                    Text(_beside(known, below_zero if amount < 0 else remark, label), "dim"),
                    width - 39,
                ),
            )
        )
    caveats = [*show_unknown.how_to_set_balance(accounts, width), *_not_counted(view, width)]
    is_known = worth.net_worth != "unknown"
    return page([*lines, *caveats, Text(), *_history(wealth, currency, width, is_known=is_known)])


def _paid_too_much(debt: int) -> str:
    """What stands beside a debt of nothing or less."""
    return "overpaid, so it is yours" if debt < 0 else "owed"


def _beside(worth: Bound, remark: str, label: str) -> str:
    if worth == "unknown":
        return _WHY_UNKNOWN[label]
    return remark if worth == "exact" else f"{worth}; {remark}"


def _not_counted(view: PlanView | None, width: int) -> list[Text]:
    if view is None:
        return []
    sentences = standing_words.unknown_said(view.plan.snapshot.accounts, view.standing)
    return [line for each in sentences for line in wrapped(f"· {each}", width, style="dim")]


def _history(wealth: Wealth, currency: str, width: int, *, is_known: bool) -> list[Text]:
    """The months line by line; a net worth that is not known has neither a figure nor a bar."""
    # A narrow page has room for the figures alone.
    room = 12 if width >= _WITH_TRENDS else 11
    sizes = (10, width - 10 - 4 * room - 4, -room, -room, -room, 1 - room)
    if width < _WITH_TRENDS:
        sizes = (10, 0, *sizes[2:])
    heads = ("OVER TIME", "trend" if is_known else "as far as known", "own", "owe", "net worth")
    styles = ("bold", "", "dim", "dim", "dim", "dim")
    named = zip((*heads, "change"), styles, sizes, strict=True)
    lines = [row(*((Text(head, style=style), size) for head, style, size in named))]
    worths = [point.net_worth for point in wealth.history]
    before: WealthPoint | None = None
    for point in wealth.history:
        own, owe = _own_and_owe(point)
        figure = Text(figures.fitted(point.net_worth, currency, room, whole=True), style="bold")
        change = 0 if before is None else point.net_worth - before.net_worth
        changed = Text(figures.difference(change, currency, room - 1))
        changed.stylize("red" if change < 0 else "green")
        known = (_trend(point, worths, sizes[1]), figure, changed)
        trend, net_worth, change_said = known if is_known else ("", show_unknown.UNKNOWN, "")
        sums = (
            Text(figures.fitted(each, currency, room, whole=True), "dim") for each in (own, owe)
        )
        cells = (f"{point.date}", trend, *sums, net_worth, change_said)
        lines.append(row(*zip(cells, sizes, strict=True)))
        before = point
    return lines


def _own_and_owe(point: WealthPoint) -> tuple[int, int]:
    """What is owned and what is owed, neither below nothing: what is overdrawn is owed."""
    overdrawn, overpaid = max(0, -point.assets), max(0, -point.debts)
    return max(0, point.assets) + overpaid, max(0, point.debts) + overdrawn


def _trend(point: WealthPoint, worths: Sequence[int], width: int) -> Text:
    """A bar that grows from a little below the lowest point, since net worth moves little for its size.

    Where nothing moves there is no trend, and no bar.
    """
    lowest, highest = min(worths), max(worths)
    if lowest == highest:
        return Text()
    floor = lowest - max(1, (highest - lowest) // 10)
    return bar(point.net_worth - floor, highest - floor, width, "cyan")
