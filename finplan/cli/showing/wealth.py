"""Wealth as a page: today's balances and how net worth has moved, month by month."""

from rich.text import Text

from finplan.cli.showing import unknown as show_unknown
from finplan.cli.showing.layout import bar, ends, page, row, wrapped
from finplan.model import figures, plan_words
from finplan.model.wealth import Wealth, WealthPoint

NARROWEST, WIDEST = 60, 110


def draw_wealth(
    wealth: Wealth, currency: str, width: int, accounts: plan_words.Accounts = ()
) -> Text:
    """Draw the balances and the history for a terminal of `width` columns.

    `accounts` tell which balances nobody has told: what rests on these is unknown, not nothing.
    """
    width = max(NARROWEST, min(width, WIDEST))
    balances = wealth.balances
    no_cash = plan_words.cash_is_unknown(accounts)
    no_cards = plan_words.cards_are_unknown(accounts)
    either = no_cash or no_cards
    worth = show_unknown.UNKNOWN if either else Text(figures.money(balances.net_worth, currency))
    title = Text("Net worth  ", style="bold").append_text(worth)
    facts = (
        ("Cash", balances.cash, no_cash, "what you can spend at once"),
        ("Investments", balances.investments, False, "and what is set aside for long"),
        ("Cards", -balances.card_debt, no_cards, "owed"),
        ("Loans", -balances.loans, False, "owed"),
        ("Cash after cards", balances.available, either, "once every card is paid"),
    )
    lines = [ends(title, Text(figures.long_date(wealth.today), style="dim"), width), Text()]
    for label, amount, unknown, remark in facts:
        figure = Text(figures.fitted(amount, currency, 16), style="red" if amount < 0 else "bold")
        lines.append(
            row(
                ("", 0),
                (label, 18),
                (show_unknown.UNKNOWN if unknown else figure, -16),
                ("", 1),
                (Text(remark, style="dim"), width - 39),
            )
        )
    caveats = [*show_unknown.how_to_set_balance(accounts, width), *_not_counted(accounts, width)]
    return page([*lines, *caveats, Text(), *_history(wealth, currency, width)])


def _not_counted(accounts: plan_words.Accounts, width: int) -> list[Text]:
    unknown = plan_words.without_balance(accounts)
    if not unknown:
        return []
    said = f"· No balance is known of {', '.join(unknown)}, so it counts as nothing."
    return wrapped(said, width, style="dim")


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
