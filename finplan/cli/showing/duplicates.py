"""Duplicates as lines: the two of each, what makes them look alike, and what was said."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.layout import page, row, wrapped
from finplan.model import figures
from finplan.model.duplicate import Duplicate, DuplicateSide

NOTHING = Text("Nothing looks as if it were there twice.", style="dim")
_SAID = {
    "open": "Are these the same?",
    "same": "The same: the second is left out",
    "different": "Different: both count",
}
_STYLES = {"open": "bold yellow", "same": "bold green", "different": "bold"}


def draw_duplicates(duplicates: Sequence[Duplicate], width: int, room: int = 0) -> Text:
    """Draw each with its two sides below one another, so that a difference is seen.

    Reasons are `width` columns wide; what a bank wrote may take up to `room`, where that is more.
    """
    if not duplicates:
        return NOTHING
    short = shortened([each.id for each in duplicates])
    lines = [line for each in duplicates for line in _lines(each, short[each.id], width, room)]
    return page(lines[:-1])


def _lines(duplicate: Duplicate, short: str, width: int, room: int) -> Iterator[Text]:
    said = Text(_SAID[duplicate.status], style=_STYLES[duplicate.status])
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


def _account(side: DuplicateSide) -> str:
    return f"{side.institution_name} {side.account_name}"


def _side(side: DuplicateSide, currency: str, width: int) -> Text:
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
