"""What was detected, as lines: charges that come again, transfers, and what was seen twice.

Each with what makes it look so, and with what the person said of it.
"""

from collections.abc import Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.layout import heading, page, row, titled, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import detection, figures
from finplan.model.characters import shortened
from finplan.model.recurring import SURE, RecurringSeries

WIDE = 100
"""From so many columns on, every series says how it is known."""

_NAME, _BESIDE_NAME = 20, 58
"""Columns that a name has at least, and those of all that stands beside it."""

NOTHING_RECURRING = Text("Nothing recurring has been found yet.", style="dim")


def draw_recurring(
    series: Sequence[RecurringSeries], currency: str, width: int, room: int = 0
) -> RenderableType:
    """List the charges, then the income, then what is over and what was dismissed.

    A series may take up to `room` columns, where that is more than the `width` of the page.
    """
    if not series:
        return NOTHING_RECURRING
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
                _table_of_series(listed, currency, short, max(width, room)),
            ]
    return Group(*drawn)


def draw_decided_series(series: RecurringSeries, currency: str, width: int) -> RenderableType:
    """What a series is after the person's word."""
    sentence = detection.decided_said(series, currency, {})
    return page(wrapped(sentence, width))


def _table_of_series(
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
    rows = (_series(each, currency, short[each.id], room)[: len(columns)] for each in series)
    return listing(columns, rows)


def _series(series: RecurringSeries, currency: str, short: str, room: int) -> tuple[Content, ...]:
    return (
        titled(series.name, room),
        figures.money(series.amount, currency),
        detection.often_said(series),
        detection.over_said(series),
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


NO_TRANSFERS = Text("No transfers between your accounts.", style="dim")
SHOWN = 30
"""How many pairs are listed unless some were asked for."""

_TRANSFER_STYLES = {"paired": "dim", "confirmed": "green", "rejected": "red"}


def draw_transfers(
    transfers: Sequence[detection.Transfer], names: Mapping[str, str], width: int, *, whole: bool
) -> RenderableType:
    """List the pairs in doubt with both their texts, then the others; `names` are the accounts'.

    Unless `whole`, only the newest of the others are listed, and it is said how many there are more.
    """
    if not transfers:
        return NO_TRANSFERS
    short = shortened([each.id for each in transfers])
    doubts = [each for each in transfers if each.status == "candidate"]
    others = [each for each in transfers if each.status != "candidate"]
    shown = others if whole else others[:SHOWN]
    drawn: list[RenderableType] = []
    if doubts:
        drawn.append(heading("Is this a transfer?", "confirm or reject", width))
        drawn += [_doubt(each, names, short[each.id], width) for each in doubts]
    if shown:
        if doubts:
            drawn += [Text(), heading("Transfers", "", width)]
        drawn.append(_table_of_transfers(shown, names, short))
    if len(shown) < len(others):
        more = len(others) - len(shown)
        remark = f"{more:,} older ones: `finplan transfers list --from 2000`"
        drawn.append(Text(remark, style="dim"))
    return Group(*drawn)


def draw_decided_transfer(
    transfer: detection.Transfer, names: Mapping[str, str], width: int
) -> RenderableType:
    """What a pair is after the person's word."""
    sentence = detection.decided_said(transfer, transfer.currency, names)
    return page(wrapped(sentence, width))


def _doubt(transfer: detection.Transfer, names: Mapping[str, str], short: str, width: int) -> Text:
    first = (
        f"{_day(transfer)}  {detection.sent_said(transfer)}  {detection.way_said(transfer, names)}"
    )
    return page(
        [
            Text(first).append(f"  {short}", style="dim"),
            *wrapped(f"{transfer.out.raw} → {transfer.into.raw}", width, indent=2, style="dim"),
            *wrapped(transfer.why, width, indent=2, style="dim"),
        ]
    )


def _table_of_transfers(
    transfers: Sequence[detection.Transfer], names: Mapping[str, str], short: Mapping[str, str]
) -> RenderableType:
    return listing(
        (
            Column("day"),
            Column("amount", figures=True),
            Column("between", gives_way=True),
            Column("status"),
            Column("id", style="dim"),
        ),
        (_transfer(each, names, short[each.id]) for each in transfers),
    )


def _transfer(
    transfer: detection.Transfer, names: Mapping[str, str], short: str
) -> tuple[Content, ...]:
    return (
        _day(transfer),
        detection.sent_said(transfer),
        detection.way_said(transfer, names),
        Text(transfer.status, style=_TRANSFER_STYLES[transfer.status]),
        short,
    )


def _day(transfer: detection.Transfer) -> str:
    return transfer.out.date.isoformat()


NO_DUPLICATES = Text("Nothing looks as if it were there twice.", style="dim")
_SAID = {
    "open": "Are these the same?",
    "same": "The same: the second is left out",
    "different": "Different: both count",
}
_DUPLICATE_STYLES = {"open": "bold yellow", "same": "bold green", "different": "bold"}


def draw_duplicates(duplicates: Sequence[detection.Duplicate], width: int, room: int = 0) -> Text:
    """Draw each with its two sides below one another, so that a difference is seen.

    Reasons are `width` columns wide; what a bank wrote may take up to `room`, where that is more.
    """
    if not duplicates:
        return NO_DUPLICATES
    short = shortened([each.id for each in duplicates])
    lines = [line for each in duplicates for line in _lines(each, short[each.id], width, room)]
    return page(lines[:-1])


def _lines(duplicate: detection.Duplicate, short: str, width: int, room: int) -> Iterator[Text]:
    said = Text(_SAID[duplicate.status], style=_DUPLICATE_STYLES[duplicate.status])
    yield said.append(f"  {short}", style="not bold dim")
    yield from wrapped(duplicate.why, width, indent=2, style="dim")
    sides = (duplicate.kept, duplicate.other)
    # Both begin their amounts in one column, so that these are compared at a glance.
    longest = max(_BESIDE + cell_len(_account(each)) + cell_len(each.raw or "") for each in sides)
    for side in sides:
        yield _side(side, duplicate.currency, max(width, min(room, longest)))
    yield Text()


_BESIDE = 30
"""How many columns the day, the amount and the spaces of a side take."""


def _account(side: detection.DuplicateSide) -> str:
    return f"{side.institution_name} {side.account_name}"


def _side(side: detection.DuplicateSide, currency: str, width: int) -> Text:
    account = _account(side)
    style = "" if side.counted else "dim strike"
    if side.date is None or side.amount is None:
        return row(("", 1), (Text(account, style=style), width - 3))
    money = figures.money(side.amount, currency)
    text = Text(f"{side.date.isoformat()}  {side.raw}", style=style)
    room = max(width - 18 - len(account), 12)
    return row(
        ("", 1),
        (text, room),
        (Text(money, style=style), -13),
        (Text(account, "dim"), cell_len(account)),
    )
