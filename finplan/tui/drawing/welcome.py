"""What stands where there is nothing yet: what finplan needs first, and the keys for it."""

from textual.content import Content

from finplan.tui.drawing.lines import EMPTY, FAINT, KEY, heading, page, row, styled, wrapped

_WAYS = (
    ("i", "Import statement files of any bank: OFX, CSV, QIF, CAMT, MT940 and more."),
    ("c", "Link a bank, so that its rows come by themselves."),
    ("q", "Leave, and look around a made-up household first: `finplan tui --demo`."),
)


def draw_welcome(width: int) -> Content:
    """The first things that a person can do."""
    said = "There is nothing to plan with yet. Everything stays on this machine."
    lines = [heading("Welcome", "", width), EMPTY, *wrapped(said, width), EMPTY]
    for key, way in _WAYS:
        first, *rest = wrapped(way, width - 4)
        lines.append(row((styled(key, KEY), 3), (first, width - 4)))
        lines += [row(("", 3), (each, width - 4)) for each in rest]
    told = (
        "One statement of your checking account is enough for a first look; three months plan well."
    )
    return page([*lines, EMPTY, *wrapped(told, width, FAINT)])
