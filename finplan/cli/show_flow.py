"""Where the money goes: income, what essentials and discretionary spending take, what is left."""

from collections.abc import Sequence

from rich.text import Text

from finplan.cli import figures
from finplan.cli.layout import bar, row
from finplan.model.category import SpendingLine
from finplan.model.plan import BudgetItem, BudgetKey, Plan, PlanCategory

AMOUNT, OF_PAY, TARGET = 10, 6, 11
ROOMY = 76
"""From this width on every built-in category's name has room."""
SHOWN = {"essential": 4, "discretionary": 3}
STYLES: dict[SpendingLine, str] = {"essential": "cyan", "discretionary": "magenta"}
SPENDING_LINES: tuple[tuple[SpendingLine, BudgetKey], ...] = (
    ("essential", "essentials"),
    ("discretionary", "discretionary"),
)


def money_flow(plan: Plan, currency: str, width: int, *, whole: bool) -> list[Text]:
    """Draw the flow of a month: what comes in, each line with its largest categories, what is left."""
    flow = _Flow(plan, currency, width)
    lines = [flow.head(), flow.line("Income", plan.monthly.income, "green")]
    for line, key in SPENDING_LINES:
        categories = [category for category in plan.categories if category.line == line]
        lines.append(flow.budget(flow.items[key], STYLES[line]))
        lines += flow.categories(categories, STYLES[line], None if whole else SHOWN[line])
    lines.append(flow.left_over(flow.items["savings"]))
    return lines


class _Flow:
    """The measures that all rows of one flow share: the columns and the scale of the bars."""

    def __init__(self, plan: Plan, currency: str, width: int) -> None:
        self.income = plan.monthly.income
        self.currency = currency
        self.label_width = 27 if width >= ROOMY else 21
        self.bar_width = width - self.label_width - AMOUNT - OF_PAY - TARGET - 4
        self.items = {item.key: item for item in plan.budget}
        self.largest = max(1, self.income, *(item.current for item in plan.budget))

    def head(self) -> Text:
        return self._row(
            Text("WHERE THE MONEY GOES", style="bold"),
            Text(),
            Text("a month", style="dim"),
            Text("of pay" if self.income > 0 else "", style="dim"),
            Text("target", style="dim"),
        )

    def line(self, label: str, amount: int, style: str, target: str = "", tone: str = "") -> Text:
        return self._row(
            Text(f" {label}", style="bold"),
            bar(amount, self.largest, self.bar_width, style),
            Text(figures.whole_money(amount, self.currency), style=f"bold {tone}".strip()),
            Text(figures.percent(amount, self.income), style="dim"),
            Text(target, style=tone or "dim"),
        )

    def budget(self, item: BudgetItem, style: str) -> Text:
        target = figures.whole_money(item.target, self.currency)
        over = self.income > 0 and item.current > item.target
        return self.line(item.label, item.current, style, f"≤ {target}", "yellow" if over else "")

    def left_over(self, item: BudgetItem) -> Text:
        target = figures.whole_money(item.target, self.currency)
        tone = "red" if item.current < 0 else "yellow" if item.current < item.target else "green"
        return self.line("Left over", item.current, "green", f"≥ {target}", tone)

    def categories(
        self, categories: Sequence[PlanCategory], style: str, limit: int | None
    ) -> list[Text]:
        shown = categories if limit is None or len(categories) <= limit + 1 else categories[:limit]
        rows = [self._category(entry.label, entry.monthly, style) for entry in shown]
        folded = categories[len(shown) :]
        if folded:
            rest = sum(entry.monthly for entry in folded)
            rows.append(self._category(f"{len(folded)} others", rest, style))
        return rows

    def _category(self, label: str, monthly: int, style: str) -> Text:
        return self._row(
            Text(f"   {label}"),
            bar(monthly, self.largest, self.bar_width, style),
            Text(figures.whole_money(monthly, self.currency)),
            Text(figures.percent(monthly, self.income), style="dim"),
            Text(),
        )

    def _row(self, label: Text, drawn: Text, amount: Text, of_pay: Text, target: Text) -> Text:
        return row(
            (label, self.label_width),
            (drawn, self.bar_width),
            (amount, -AMOUNT),
            (of_pay, -OF_PAY),
            (target, -TARGET),
        )
