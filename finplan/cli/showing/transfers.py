"""Transfers as lines: what to look at with its reason, then the pairs."""

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.layout import heading, page, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model.transfer import Transfer
from finplan.model.words.verdicts import decided_said, sent_said, way_said

NOTHING = Text("No transfers between your accounts.", style="dim")
SHOWN = 30
"""How many pairs are listed unless some were asked for."""

_STYLES = {"paired": "dim", "confirmed": "green", "rejected": "red"}


def draw_transfers(
    transfers: Sequence[Transfer], names: Mapping[str, str], width: int, *, whole: bool
) -> RenderableType:
    """List the pairs in doubt with both their texts, then the others; `names` are the accounts'.

    Unless `whole`, only the newest of the others are listed, and it is said how many there are more.
    """
    if not transfers:
        return NOTHING
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
        drawn.append(_table(shown, names, short))
    if len(shown) < len(others):
        more = len(others) - len(shown)
        remark = f"{more:,} older ones: `finplan transfers list --from 2000`"
        drawn.append(Text(remark, style="dim"))
    return Group(*drawn)


def draw_decided(transfer: Transfer, names: Mapping[str, str], width: int) -> RenderableType:
    """What a pair is after the person's word."""
    sentence = decided_said(transfer, transfer.currency, names)
    return page(wrapped(sentence, width))


def _doubt(transfer: Transfer, names: Mapping[str, str], short: str, width: int) -> Text:
    first = f"{_day(transfer)}  {sent_said(transfer)}  {way_said(transfer, names)}"
    return page(
        [
            Text(first).append(f"  {short}", style="dim"),
            *wrapped(f"{transfer.out.raw} → {transfer.into.raw}", width, indent=2, style="dim"),
            *wrapped(transfer.why, width, indent=2, style="dim"),
        ]
    )


def _table(
    transfers: Sequence[Transfer], names: Mapping[str, str], short: Mapping[str, str]
) -> RenderableType:
    return listing(
        (
            Column("day"),
            Column("amount", figures=True),
            Column("between", gives_way=True),
            Column("status"),
            Column("id", style="dim"),
        ),
        (_row(each, names, short[each.id]) for each in transfers),
    )


def _row(transfer: Transfer, names: Mapping[str, str], short: str) -> tuple[Content, ...]:
    return (
        _day(transfer),
        sent_said(transfer),
        way_said(transfer, names),
        Text(transfer.status, style=_STYLES[transfer.status]),
        short,
    )


def _day(transfer: Transfer) -> str:
    return transfer.out.date.isoformat()
