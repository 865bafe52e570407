"""The pictures of a plan: where the money goes, and what each month cost.

Income, what essentials and discretionary spending take, what is left; spending month by month in one
line of small columns.
"""

from collections.abc import Sequence
from datetime import date

from rich.cells import cell_len
from rich.text import Text

from finplan.cli.showing.layout import bar, roomy, row, small_columns
from finplan.model import figures, plan_words
from finplan.model.category import SpendingLine
from finplan.model.plan import BudgetItem, BudgetKey, Plan, PlanCategory
from finplan.model.transaction import SpendingReport

AMOUNT, SHARE, TARGET = 10, 6, 11
WIDEST_AMOUNT = 13
"""How far the columns of amounts may grow: "-$999,999,999"; the bars give way to them."""
NARROW_TARGET, WIDEST_TARGET = 15, 17
"""How far the column of targets may grow, to "draw ≤ $1,234,567" where there is room."""
ROOMY = 76
"""From this width on every built-in category's name has room, and so has the whole name of a column."""
OF_INCOME = 11
"""How wide the share of income is where there is room: "of income" must not run into "a month"."""
_INDENT = 3
SHOWN = {"essential": 4, "discretionary": 3}
STYLES: dict[SpendingLine, str] = {"essential": "cyan", "discretionary": "magenta"}
SPENDING_LINES: tuple[tuple[SpendingLine, BudgetKey], ...] = (
    ("essential", "essentials"),
    ("discretionary", "discretionary"),
)


def money_flow(plan: Plan, currency: str, width: int, room: int = 0, *, whole: bool) -> list[Text]:
    """Draw the flow of a month: what comes in, each line with its largest categories, what is left.

    Amounts are in whole units and add up as printed. Lines may take up to `room` columns, where that is
    more, for names that would be cut off.
    """
    shown = {line: _shown(plan, None if whole else SHOWN[line], line) for line, _ in SPENDING_LINES}
    names = [each.label for line in shown for each in shown[line]]
    flow = _Flow(plan, currency, width, _label_width(names, width, room))
    lines = [flow.head(), flow.income_line()]
    for line, key in SPENDING_LINES:
        categories = [category for category in plan.categories if category.line == line]
        lines.append(flow.budget(flow.items[key], STYLES[line]))
        lines += flow.categories(categories, flow.items[key], STYLES[line], len(shown[line]))
    lines.append(flow.left_over(flow.items["savings"]))
    return lines


def label_width(width: int) -> int:
    """How wide the names of a flow are on a page of `width` columns."""
    return 27 if width >= ROOMY else 21


def _shown(plan: Plan, limit: int | None, line: SpendingLine) -> list[PlanCategory]:
    """The categories that have a line of their own: one more than the limit takes no more room."""
    found = [each for each in plan.categories if each.line == line]
    return found if limit is None or len(found) <= limit + 1 else found[:limit]


def _label_width(names: Sequence[str], width: int, room: int) -> int:
    """How wide the names are: as on any page, or wider where there is room for a longer one."""
    usual = label_width(width)
    longest = _INDENT + max(map(cell_len, names), default=0)
    return usual + roomy(width, room, width + longest - usual) - width


class _Flow:
    """The measures that all rows of one flow share: the columns and the scale of the bars."""

    def __init__(self, plan: Plan, currency: str, width: int, names: int) -> None:
        self.income = plan.monthly.income
        self.currency = currency
        self.items = {item.key: item for item in plan.budget}
        self.month = plan_words.month_units(plan, currency)
        self.targets = plan_words.target_units(plan, currency)
        self.label_width = names
        amounts = (self.income, *(item.current for item in plan.budget))
        self.amount_width = self._widest(amounts, AMOUNT)
        self.widest_target = WIDEST_TARGET if width >= ROOMY else NARROW_TARGET
        self.limits = {item.key: self._target(plan, item) for item in plan.budget}
        self.target_width = max(TARGET, *map(len, self.limits.values()))
        self.share_width = OF_INCOME
        if width < ROOMY:
            self.share_width = SHARE + any(part < 0 for part in amounts)
        figure_widths = self.amount_width + self.share_width + self.target_width
        self.bar_width = width - label_width(width) - figure_widths - 4
        self.largest = max(1, self.income, *(item.current for item in plan.budget))

    def _widest(self, amounts: Sequence[int], least: int) -> int:
        written = (len(figures.whole_money(amount, self.currency)) for amount in amounts)
        return min(WIDEST_AMOUNT, max(least, *written))

    def _target(self, plan: Plan, item: BudgetItem) -> str:
        """A target with the kind of limit that it is, or that it is not known."""
        limit = plan_words.target_limit(plan, item.key)
        if limit is None:
            return "unknown"
        kind, sign = limit
        units, room = sign * self.targets[item.key], self.widest_target - len(kind) - 1
        return f"{kind} {self._written(sign * item.target, units, room)}"

    def head(self) -> Text:
        return self._row(
            Text("WHERE THE MONEY GOES", style="bold"),
            Text(),
            Text("a month", style="dim"),
            Text(self._share_head(), style="dim"),
            Text("target", style="dim"),
        )

    def _share_head(self) -> str:
        if self.income <= 0:
            return ""
        return "of income" if self.share_width >= OF_INCOME else "share"

    def income_line(self) -> Text:
        units = figures.whole_units(self.income, self.currency)
        return self._line("Income", self.income, units, "green")

    def budget(self, item: BudgetItem, style: str) -> Text:
        tone = "yellow" if self.income > 0 and item.current > item.target else ""
        return self._line(
            item.label,
            item.current,
            self.month[item.key],
            style,
            target=self.limits[item.key],
            tone=tone,
        )

    def left_over(self, item: BudgetItem) -> Text:
        short = item.current < min(0, item.target)
        tone = "red" if short else "yellow" if item.current < item.target else "green"
        label, units = plan_words.left_over_label(item), self.month[item.key]
        target = self.limits[item.key]
        return self._line(label, item.current, units, "green", target=target, tone=tone)

    def categories(
        self, categories: Sequence[PlanCategory], item: BudgetItem, style: str, shown: int
    ) -> list[Text]:
        amounts = [entry.monthly for entry in categories]
        units = figures.whole_parts(item.current, self.month[item.key], amounts, self.currency)
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
            Text(f"{' ' * _INDENT}{label}"),
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

    def _row(self, label: Text, drawn: Text, amount: Text, share: Text, target: Text) -> Text:
        return row(
            (label, self.label_width),
            (drawn, self.bar_width),
            (amount, -self.amount_width),
            (share, -self.share_width),
            (target, -self.target_width),
        )


_TREND_LABEL = " Spending by month"


def month_trend(report: SpendingReport, currency: str, width: int, label: int) -> Text | None:
    """The months of a report in a line of at most `width` columns; None where there are not two.

    The first `label` columns are their name's.

    Beside the columns, of which the highest is the dearest month, stand the least and the most. A huge
    month is cut, which is said.
    """
    months = {group.key: group.total for group in report.groups}
    drawn = small_columns(list(months.values()))
    if len(months) < 2 or not drawn.strip():
        return None
    least, most = (choose(months, key=lambda key: months[key]) for choose in (min, max))
    low, high = (figures.whole_money(months[key], currency) for key in (least, most))
    # A line of small columns cannot show how far one of them goes beyond it.
    if figures.largest_usual([each for each in months.values() if each > 0]) is not None:
        high += " (cut)"
    said = (
        f"  least {low} in {_month_named(least)}, most {high} in {_month_named(most)}",
        f"  {low} to {high}",
        "",
    )
    room = width - label - 1 - len(months)
    told = next((each for each in said if cell_len(each) <= room), None)
    if told is None:
        return None
    line = Text(_TREND_LABEL.ljust(label + 1), style="dim").append_text(Text(drawn, style="cyan"))
    return line.append(told, style="dim")


def _month_named(month: str) -> str:
    return f"{date.fromisoformat(f'{month}-01'):%b %Y}"
