"""Where a plan's figures come from, and how its plans have changed.

Each figure with its formula and the numbers in it, then why, then rows; the plans newest first, each
with what changed since the one before it.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.layout import ends, heading, page, printable, roomy, row, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.explain import SECTIONS, Explanation, FeedingRow, Figure, formula_said, written
from finplan.model.plan import StoredPlan

NARROWEST, WIDEST = 60, 110
_BESIDE_NAMES = 31
"""How many columns of a row stand beside payee and category, with the spaces between them."""


def draw_sections() -> Text:
    """List what can be explained."""
    width = max(map(len, SECTIONS)) + 1
    lines = [
        row(("", 0), (Text(name, "bold"), width), (what, len(what)))
        for name, what in SECTIONS.items()
    ]
    lines += [Text(), Text("And any category: finplan plan explain groceries", style="dim")]
    return page(lines)


def draw_explanation(
    explanation: Explanation,
    currency: str,
    width: int,
    labels: Mapping[str, str],
    room: int = 0,
) -> Group:
    """Draw an explanation for a terminal of `width` columns; `labels` are those of the categories.

    Lines may take up to `room` columns, where that is more, for names that would be cut off.
    """
    width = max(NARROWEST, min(width, WIDEST))
    title = Text(printable(explanation.title), style="bold")
    day = Text(f"as of {figures.long_date(explanation.generated_on)}", style="dim")
    lines = [
        ends(title, day, roomy(width, room, title.cell_len + 1 + day.cell_len)),
        *_of_the_plan(explanation, width),
        Text(),
        *(
            line
            for figure in explanation.figures
            for line in _figure(figure, explanation.figures, currency, (width, room))
        ),
        *_reasons(explanation, width),
        *_transactions(explanation, currency, (width, room), labels),
    ]
    # Printed by itself a text is wrapped, and a command in it could not be copied.
    return Group(page(lines))


def _of_the_plan(explanation: Explanation, width: int) -> list[Text]:
    """A word when the latest plan says something else: it is older than the data."""
    if explanation.plan is None or explanation.plan.same:
        return []
    day = figures.long_date(explanation.plan.generated_on)
    note = (
        f"Your plan of {day} says otherwise here: data, rules or balances have changed since."
        " `finplan plan build` builds a new one."
    )
    return wrapped(note, width, style="yellow")


def _figure(
    figure: Figure, beside: Sequence[Figure], currency: str, widths: tuple[int, int]
) -> list[Text]:
    """The figure and its result; under it the formula, then the same with the numbers in it."""
    width, room = widths
    result = written(figure.result, figure.unit, currency)
    style = "bold" if figure.formula is not None else ""
    label = Text(f" {printable(figure.label)}", style=style)
    whole = roomy(width, room, label.cell_len + 1 + cell_len(result))
    lines = [ends(label, Text(result, style=style), whole)]
    for said in formula_said(figure, beside, currency):
        lines += wrapped(said, width, indent=3, style="dim")
    return lines


def _reasons(explanation: Explanation, width: int) -> list[Text]:
    lines = [line for reason in explanation.reasons for line in _bullet(reason, width)]
    return [Text(), heading("Why", "", width), *lines] if lines else []


def _bullet(reason: str, width: int) -> list[Text]:
    first, *rest = wrapped(reason, width, indent=2)
    return [Text("· ").append_text(first[2:]), *rest]


def _transactions(
    explanation: Explanation, currency: str, widths: tuple[int, int], labels: Mapping[str, str]
) -> list[Text]:
    width, room = widths
    if not explanation.transactions:
        return []
    lines = [Text(), heading("From these transactions", "the largest", width)]
    named = [
        (each.payee, labels.get(each.category, each.category)) for each in explanation.transactions
    ]
    payees, titles = (max(map(cell_len, column)) for column in zip(*named, strict=True))
    names = roomy(width, room, _BESIDE_NAMES + payees + titles) - _BESIDE_NAMES
    half = names // 2
    if payees > names - half or titles > half:
        half = max(min(half, titles), names - payees)
    sizes = (names - half, half)
    lines += [_row_behind(each, currency, sizes, labels) for each in explanation.transactions]
    if explanation.more is not None:
        lines.append(Text(f" and {explanation.more.count:,} more:", style="dim"))
        # A command is kept on one line, however long, so that it can be copied.
        lines.append(Text(f"   {printable(explanation.more.command)}", style="dim"))
    return lines


def _row_behind(
    each: FeedingRow, currency: str, sizes: tuple[int, int], labels: Mapping[str, str]
) -> Text:
    amount = figures.fitted(each.amount, currency, 14)
    if each.amount > 0:
        amount = f"+{amount}"
    label = Text(labels.get(each.category, each.category), style="dim")
    return row(
        ("", 0),
        (Text(f"{each.date}", style="dim"), 10),
        (each.payee, sizes[0]),
        (label, sizes[1]),
        (amount, -15),
    )


NO_PLANS = Text("No plan yet: `finplan plan build` makes one.", style="dim")

_HISTORY_HEADS = ("built", "built", "income", "spending", "left over", "", "net worth", "", "to do")
_DAYS = frozenset((0, 1))
"""When a plan was built, with the time of day and without it."""

_GIVING_WAY = (frozenset((1,)), frozenset((1, 2, 3)), frozenset((0, 2, 3)))
"""The columns that are left out, from the widest table to the narrowest."""

_GAP = 2


def draw_history(plans: Sequence[StoredPlan], currency: str, width: int) -> RenderableType:
    """List plans with their main figures, as many of them as `width` columns hold without a cut.

    What is left over says what income and spending come to, so that these two give way first, and then
    the time of day.
    """
    if not plans:
        return NO_PLANS
    rows = [_plan(each, before, currency) for each, before in zip_longest(plans, plans[1:])]
    for left_out in _GIVING_WAY:
        kept = [place for place in range(len(_HISTORY_HEADS)) if place not in left_out]
        needed = [
            max(cell_len(_HISTORY_HEADS[n]), *(_length(row[n]) for row in rows)) for n in kept
        ]
        if sum(needed) + _GAP * (len(kept) - 1) <= width:
            break
    columns = (Column(_HISTORY_HEADS[n], figures=n not in _DAYS) for n in kept)
    return listing(columns, ([row[n] for n in kept] for row in rows))


def _length(content: Content) -> int:
    return cell_len(content) if isinstance(content, str) else content.cell_len


def _plan(stored: StoredPlan, before: StoredPlan | None, currency: str) -> tuple[Content, ...]:
    monthly, worth = stored.plan.monthly, stored.plan.snapshot.net_worth
    surplus_change = worth_change = 0
    if before is not None:
        surplus_change = monthly.surplus - before.plan.monthly.surplus
        worth_change = worth - before.plan.snapshot.net_worth
    built = figures.moment(stored.created_at)
    return (
        f"{built:%Y-%m-%d %H:%M}",
        f"{built:%Y-%m-%d}",
        figures.whole_money(monthly.income, currency),
        figures.whole_money(monthly.total_spend, currency),
        Text(figures.whole_money(monthly.surplus, currency), style="bold"),
        _change(surplus_change, currency),
        Text(figures.whole_money(worth, currency), style="bold"),
        _change(worth_change, currency),
        str(len(stored.plan.actions)),
    )


def _change(amount: int, currency: str) -> Text:
    return Text(figures.difference(amount, currency), style="red" if amount < 0 else "green")
