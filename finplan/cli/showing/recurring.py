"""Series as lines: what comes again, how often, when next, and how that is known."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.layout import heading, page, titled, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.recurring import SURE, RecurringSeries
from finplan.model.words.verdicts import decided_said, often_said, over_said

WIDE = 100
"""From so many columns on, every series says how it is known."""

_NAME, _BESIDE_NAME = 20, 58
"""Columns that a name has at least, and those of all that stands beside it."""

NOTHING = Text("Nothing recurring has been found yet.", style="dim")


def draw_recurring(
    series: Sequence[RecurringSeries], currency: str, width: int, room: int = 0
) -> RenderableType:
    """List the charges, then the income, then what is over and what was dismissed.

    A series may take up to `room` columns, where that is more than the `width` of the page.
    """
    if not series:
        return NOTHING
    short = shortened([each.id for each in series])
    left = [each for each in series if not each.active or each.status == "dismissed"]
    live = [each for each in series if each not in left]
    charges = [each for each in live if each.kind == "charge"]
    income = [each for each in live if each.kind == "income"]
    drawn: list[RenderableType] = []
    for title, listed in (("Charges", charges), ("Income", income), ("Over or dismissed", left)):
        if listed:
            if drawn:
                drawn.append(Text())
            total = sum(each.monthly for each in listed)
            remark = "" if listed is left else f"{figures.money(total, currency)} a month"
            drawn += [
                heading(title, remark, width),
                _table(listed, currency, short, max(width, room)),
            ]
    return Group(*drawn)


def draw_decided(series: RecurringSeries, currency: str, width: int) -> RenderableType:
    """What a series is after the person's word."""
    sentence = decided_said(series, currency, {})
    return page(wrapped(sentence, width))


def _table(
    series: Sequence[RecurringSeries], currency: str, short: Mapping[str, str], width: int
) -> RenderableType:
    columns = [
        Column("name", gives_way=True),
        Column("amount", figures=True),
        Column("how often"),
        Column("next"),
        Column("", gives_way=True),
        Column("id", style="dim"),
    ]
    if width >= WIDE:
        columns.append(Column("why", gives_way=True, style="dim"))
    room = max(_NAME, width - _BESIDE_NAME)
    rows = (_row(each, currency, short[each.id], room)[: len(columns)] for each in series)
    return listing(columns, rows)


def _row(series: RecurringSeries, currency: str, short: str, room: int) -> tuple[Content, ...]:
    return (
        titled(series.name, room),
        figures.money(series.amount, currency),
        often_said(series),
        over_said(series),
        _standing(series),
        short,
        series.why,
    )


def _standing(series: RecurringSeries) -> Text:
    """The person's word; without one, how sure the next charge is."""
    if series.status != "detected":
        return Text(series.status, style="green")
    if series.probability is None:
        return Text()
    if series.probability >= SURE:
        return Text("sure", style="dim")
    return Text("likely", style="yellow")
