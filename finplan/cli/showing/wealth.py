"""Wealth as a page: today's balances and how net worth has moved, month by month."""

from rich.text import Text

from finplan.cli.showing import unknown as show_unknown
from finplan.cli.showing.layout import bar, ends, page, row, wrapped
from finplan.model import figures
from finplan.model.snapshot import PlanView
from finplan.model.standing import words as standing_words
from finplan.model.standing.shapes import Bound
from finplan.model.wealth import Wealth, WealthPoint

NARROWEST, WIDEST = 60, 110


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
        ("Cash", balances.cash, worth.cash, "what you can spend at once"),
        ("Investments", balances.investments, worth.investments, "and what is set aside for long"),
        ("Cards", -balances.card_debt, worth.cards, "owed"),
        ("Loans", -balances.loans, worth.loans, "owed"),
        ("Cash after cards", balances.available, worth.available, "once every card is paid"),
    )
    lines = [ends(title, Text(figures.long_date(wealth.today), style="dim"), width), Text()]
    for label, amount, known, remark in facts:
        figure = Text(figures.fitted(amount, currency, 16), style="red" if amount < 0 else "bold")
        if known == "unknown":
            figure = show_unknown.UNKNOWN
        lines.append(
            row(
                ("", 0),
                (label, 18),
                (figure, -16),
                ("", 1),
                (Text(_beside(known, remark), style="dim"), width - 39),
            )
        )
    caveats = [*show_unknown.how_to_set_balance(accounts, width), *_not_counted(view, width)]
    return page([*lines, *caveats, Text(), *_history(wealth, currency, width)])


def _beside(worth: Bound, remark: str) -> str:
    return f"{worth}; {remark}" if worth in {"at most", "at least"} else remark


def _not_counted(view: PlanView | None, width: int) -> list[Text]:
    if view is None:
        return []
    sentences = standing_words.unknown_said(view.plan.snapshot.accounts, view.standing)
    return [line for each in sentences for line in wrapped(f"· {each}", width, style="dim")]


def _history(wealth: Wealth, currency: str, width: int) -> list[Text]:
    bar_width = width - 10 - 12 * 3 - 11 - 5
    sizes = (10, bar_width, -12, -12, -12, -11)
    heads = ("OVER TIME", "trend", "own", "owe", "net worth", "change")
    styles = ("bold", "", "dim", "dim", "dim", "dim")
    lines = [
        row(*((Text(h, style=s), size) for h, s, size in zip(heads, styles, sizes, strict=True)))
    ]
    lowest = min((point.net_worth for point in wealth.history), default=0)
    highest = max((point.net_worth for point in wealth.history), default=0)
    before: WealthPoint | None = None
    for point in wealth.history:
        change = 0 if before is None else point.net_worth - before.net_worth
        # Bars grow from a little below the lowest point: net worth moves little against its size.
        floor = lowest - max(1, (highest - lowest) // 10)
        figure = bar(point.net_worth - floor, highest - floor, bar_width, "cyan")
        lines.append(
            row(
                (f"{point.date}", 10),
                (figure, bar_width),
                (Text(figures.fitted(point.assets, currency, 12, whole=True), style="dim"), -12),
                (Text(figures.fitted(point.debts, currency, 12, whole=True), style="dim"), -12),
                (
                    Text(figures.fitted(point.net_worth, currency, 12, whole=True), style="bold"),
                    -12,
                ),
                (
                    Text(
                        figures.difference(change, currency, 11),
                        style="red" if change < 0 else "green",
                    ),
                    -11,
                ),
            )
        )
        before = point
    return lines
