"""How spending has gone month by month, in one line of small columns."""

from datetime import date

from rich.cells import cell_len
from rich.text import Text

from finplan.cli.showing.layout import small_columns
from finplan.model import figures
from finplan.model.spending import SpendingReport

_LABEL = " Spending by month"


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
        f"  least {low} in {_named(least)}, most {high} in {_named(most)}",
        f"  {low} to {high}",
        "",
    )
    room = width - label - 1 - len(months)
    told = next((each for each in said if cell_len(each) <= room), None)
    if told is None:
        return None
    line = Text(_LABEL.ljust(label + 1), style="dim").append_text(Text(drawn, style="cyan"))
    return line.append(told, style="dim")


def _named(month: str) -> str:
    return f"{date.fromisoformat(f'{month}-01'):%b %Y}"
