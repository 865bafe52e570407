"""Where the money goes: income, what essentials and discretionary spending take, what is left."""

from collections.abc import Sequence

from rich.text import Text

from finplan.cli.showing.layout import bar, row
from finplan.model import figures, plan_words
from finplan.model.category import SpendingLine
from finplan.model.plan import BudgetItem, BudgetKey, Plan, PlanCategory

AMOUNT, OF_PAY, TARGET = 10, 6, 11
WIDEST_AMOUNT = 13
"""How far the columns of amounts may grow: "-$999,999,999"; the bars give way to them."""
ROOMY = 76
"""From this width on every built-in category's name has room."""
SHOWN = {"essential": 4, "discretionary": 3}
STYLES: dict[SpendingLine, str] = {"essential": "cyan", "discretionary": "magenta"}
SPENDING_LINES: tuple[tuple[SpendingLine, BudgetKey], ...] = (
    ("essential", "essentials"),
    ("discretionary", "discretionary"),
)


def money_flow(plan: Plan, currency: str, width: int, *, whole: bool) -> list[Text]:
    """Draw the flow of a month: what comes in, each line with its largest categories, what is left.

    Amounts are in whole units and add up as printed.
    """
    flow = _Flow(plan, currency, width)
    lines = [flow.head(), flow.income_line()]
    for line, key in SPENDING_LINES:
        categories = [category for category in plan.categories if category.line == line]
        lines.append(flow.budget(flow.items[key], STYLES[line]))
        limit = None if whole else SHOWN[line]
        lines += flow.categories(categories, flow.items[key], STYLES[line], limit)
    lines.append(flow.left_over(flow.items["savings"]))
    return lines


def left_over(plan: Plan, currency: str) -> int:
    """What is left of a month in whole units, as the flow prints it."""
    return plan_words.month_units(plan, currency)["savings"]


class _Flow:
    """The measures that all rows of one flow share: the columns and the scale of the bars."""

    def __init__(self, plan: Plan, currency: str, width: int) -> None:
        self.income = plan.monthly.income
        self.currency = currency
        self.items = {item.key: item for item in plan.budget}
        self.month = plan_words.month_units(plan, currency)
        self.targets = plan_words.target_units(plan, currency)
        self.label_width = 27 if width >= ROOMY else 21
        amounts = (self.income, *(item.current for item in plan.budget))
        self.amount_width = self._widest(amounts, AMOUNT)
        self.target_width = 2 + self._widest([item.target for item in plan.budget], TARGET - 2)
        self.of_pay_width = OF_PAY + any(part < 0 for part in amounts)
        figure_widths = self.amount_width + self.of_pay_width + self.target_width
        self.bar_width = width - self.label_width - figure_widths - 4
        self.largest = max(1, self.income, *(item.current for item in plan.budget))

    def _widest(self, amounts: Sequence[int], least: int) -> int:
        written = (len(figures.whole_money(amount, self.currency)) for amount in amounts)
        return min(WIDEST_AMOUNT, max(least, *written))

    def head(self) -> Text:
        return self._row(
            Text("WHERE THE MONEY GOES", style="bold"),
            Text(),
            Text("a month", style="dim"),
            Text("of pay" if self.income > 0 else "", style="dim"),
            Text("target", style="dim"),
        )

    def income_line(self) -> Text:
        units = figures.whole_units(self.income, self.currency)
        return self._line("Income", self.income, units, "green")

    def budget(self, item: BudgetItem, style: str) -> Text:
        target = f"≤ {self._written(item.target, self.targets[item.key], self.target_width - 2)}"
        tone = "yellow" if self.income > 0 and item.current > item.target else ""
        return self._line(
            item.label, item.current, self.month[item.key], style, target=target, tone=tone
        )

    def left_over(self, item: BudgetItem) -> Text:
        target = f"≥ {self._written(item.target, self.targets[item.key], self.target_width - 2)}"
        short = item.current < min(0, item.target)
        tone = "red" if short else "yellow" if item.current < item.target else "green"
        label, units = plan_words.left_over_label(item), self.month[item.key]
        return self._line(label, item.current, units, "green", target=target, tone=tone)

    def categories(
        self, categories: Sequence[PlanCategory], item: BudgetItem, style: str, limit: int | None
    ) -> list[Text]:
        amounts = [entry.monthly for entry in categories]
        units = figures.whole_parts(item.current, self.month[item.key], amounts, self.currency)
        shown = len(categories) if limit is None or len(categories) <= limit + 1 else limit
        rows = [
            self._category(entry.label, entry.monthly, part, style)
            for entry, part in zip(categories[:shown], units[:shown], strict=True)
        ]
        if categories[shown:]:
            label = f"{len(categories) - shown} others"
            rows.append(self._category(label, sum(amounts[shown:]), sum(units[shown:]), style))
        return rows

    def _line(
        self, label: str, amount: int, units: int, style: str, *, target: str = "", tone: str = ""
    ) -> Text:
        return self._row(
            Text(f" {label}", style="bold"),
            bar(amount, self.largest, self.bar_width, style),
            Text(self._written(amount, units, self.amount_width), style=f"bold {tone}".strip()),
            Text(figures.percent(amount, self.income), style="dim"),
            Text(target, style=tone or "dim"),
        )

    def _category(self, label: str, monthly: int, units: int, style: str) -> Text:
        return self._row(
            Text(f"   {label}"),
            bar(monthly, self.largest, self.bar_width, style),
            Text(self._written(monthly, units, self.amount_width)),
            Text(figures.percent(monthly, self.income), style="dim"),
            Text(),
        )

    def _written(self, amount: int, units: int, room: int) -> str:
        text = figures.units_money(units, self.currency)
        return (
            text if len(text) <= room else figures.fitted(amount, self.currency, room, whole=True)
        )

    def _row(self, label: Text, drawn: Text, amount: Text, of_pay: Text, target: Text) -> Text:
        return row(
            (label, self.label_width),
            (drawn, self.bar_width),
            (amount, -self.amount_width),
            (of_pay, -self.of_pay_width),
            (target, -self.target_width),
        )
