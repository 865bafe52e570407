"""What is drawn as it was last looked at: sections of the plan and findings, narrow and wide."""

from collections.abc import Iterator
from typing import Any

import pytest

from finplan.model.detection import Duplicate
from finplan.tui.drawing.found import (
    AMOUNT,
    draw_finding,
    duplicate_lines,
    series_lines,
    transfer_lines,
)
from finplan.tui.screens.plan import SECTIONS
from tests.cli import made_up_bank
from tests.daemon.running import RunningDaemon
from tests.golden_files import Golden
from tests.tui.drawn import as_text, table
from tests.tui.opening import open_screens

WIDTHS = {"narrow": 54, "wide": 116}
"""How many columns a section of the plan has at 80 columns and less, and at 140."""


async def test_every_section_of_the_plan_is_drawn_so(
    household: RunningDaemon, drawings: Golden
) -> None:
    """Each section, for eyes and for ears, has room at every width and says what it said."""
    async with open_screens(household, opens="plan") as opened:
        whole = opened.screen.shown
    for name, width in WIDTHS.items():
        for aloud in (False, True):
            drawn = [as_text(each.draws(whole, aloud)(width), width) for each in SECTIONS.values()]
            drawings(f"plan-{name}{'-aloud' if aloud else ''}", "\n\n".join(drawn) + "\n")


def findings() -> Iterator[Any]:
    yield from made_up_bank.recurring()
    yield from made_up_bank.transfers()
    yield from made_up_bank.duplicates()


@pytest.mark.parametrize(("name", "width"), [("narrow", 56), ("usual", 76), ("wide", 136)])
def test_every_finding_is_drawn_so(name: str, width: int, drawings: Golden) -> None:
    """Each of the three lists and whatever is in them has room at every width and says what it said."""
    names = made_up_bank.NAMES
    told = [
        table(series_lines(made_up_bank.recurring(), "USD", width), width),
        table(transfer_lines(made_up_bank.transfers(), names, width), width),
        table(duplicate_lines(made_up_bank.duplicates(), width), width),
    ]
    told += [as_text(draw_finding(each, None, names, "USD", width), width) for each in findings()]
    accounts = next(each for each in findings() if isinstance(each, Duplicate))
    relinked = accounts.model_copy(update={"relinked": True, "kind": "accounts"})
    told.append(as_text(draw_finding(relinked, (), names, "USD", width), width))
    drawings(f"found-{name}", "\n\n".join(told) + "\n")


@pytest.mark.parametrize(("into", "times"), [("USD", 1), ("EUR", 2)])
def test_what_changes_its_currency_has_room_for_both_amounts(into: str, times: int) -> None:
    """The column of amounts is as wide as one amount, or as two where a transfer has two."""
    (first, *_) = made_up_bank.transfers()
    transfer = first.model_copy(
        update={"into": first.into.model_copy(update={"currency": into, "amount": 1_234_567_89})}
    )
    heads, lines = transfer_lines([transfer], made_up_bank.NAMES, 136)
    (amount,) = (each for each in heads if each.name == "amount")
    assert amount.width == times * AMOUNT
    (line,) = lines
    shown = str(line.cells[[each.name for each in heads].index("amount")])
    assert len(shown) <= amount.width
    assert ("€" in shown) == (into == "EUR")
