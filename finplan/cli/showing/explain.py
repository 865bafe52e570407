"""An explanation as a page: each figure with its formula and the numbers in it, then why, then rows."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Group
from rich.text import Text

from finplan.cli.showing.layout import ends, heading, page, printable, roomy, row, wrapped
from finplan.model import figures
from finplan.model.explain import SECTIONS, Explanation, FeedingRow, Figure
from finplan.model.words.explanation import formula_said, written

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
    lines += [_row(each, currency, sizes, labels) for each in explanation.transactions]
    if explanation.more is not None:
        lines.append(Text(f" and {explanation.more.count:,} more:", style="dim"))
        # A command is kept on one line, however long, so that it can be copied.
        lines.append(Text(f"   {printable(explanation.more.command)}", style="dim"))
    return lines


def _row(
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
