"""What is drawn as it was last looked at: screens and sections, small and large, dark and light.

Without colours no colour is drawn, and what is marked is seen all the same; charts fit whatever
their values; the days ahead are told to a screen reader by the week.
"""

import ast
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color, ColorParseError
from textual.content import Content
from textual.theme import BUILTIN_THEMES

import finplan.tui
from finplan.terminal.months import lay_out_months
from finplan.tui.drawing import ColumnHead, TableLine, drawing_of, ledger_of
from finplan.tui.household import DARK, LIGHT, describe_standing
from finplan.tui.screens.base import draw_welcome
from finplan.tui.screens.overview import Glance
from finplan.tui.screens.plan import SECTIONS
from finplan.tui.widgets import PLACES, DrawnRegion
from finplan.views import spending, transactions
from tests.cli import made_up, made_up_bank, made_up_plan
from tests.cli.made_up_plan import NOON
from tests.daemon.running import RunningDaemon
from tests.golden_files import Golden
from tests.tui.opening import LARGE, SMALL, Opened, open_screens, picture
from tests.views.drawing import how


def as_text(drawn: Content, width: int) -> str:
    """A drawing, whose lines have room."""
    lines = drawn.plain.split("\n")
    assert [line for line in drawn.split("\n") if line.cell_length > width] == []
    return "\n".join(line.rstrip() for line in lines)


def table(drawn: tuple[list[ColumnHead], list[TableLine]], width: int) -> str:
    """A table: its heads with their width, and a line for each of its lines."""
    heads, lines = drawn
    assert sum(each.width + 2 for each in heads) <= width
    told = [" | ".join(f"{each.name} {each.width}" for each in heads)]
    told += [" | ".join(str(cell) for cell in line.cells) for line in lines]
    return "\n".join(told)


WIDTHS = (54, 116)
"""How many columns a section of the plan has at 80 columns and less, and at 140."""


@pytest.mark.thorough
async def test_every_section_is_drawn_so(household: RunningDaemon, drawings: Golden) -> None:
    """Each section, for eyes and for ears, has room at every width and says what it said."""
    async with open_screens(household, opens="plan") as opened:
        whole = opened.screen.shown
    for aloud, width in product((False, True), WIDTHS):
        drawn = [
            as_text(drawing_of(each.parts(whole), aloud=aloud)(width), width)
            for each in SECTIONS.values()
        ]
        if width == WIDTHS[aloud]:
            drawings(f"plan{'-aloud' if aloud else ''}", "\n\n".join(drawn) + "\n")


COLUMNS = (37, 67)
"""How many columns a part of the overview has at 80 columns, and at 140."""
WHOLE = (56, 76, 136)
"""The same of a table, at 60 columns too."""
USUAL = 76
"""At this width it is kept how tables look; at the others they have room."""

NOW = datetime.fromtimestamp(NOON / 1000, UTC)


def drawn(parts: list[Content], width: int) -> str:
    return "\n\n".join(as_text(each, width) for each in parts) + "\n"


@pytest.mark.parametrize("aloud", [False, True])
def test_the_overview_is_drawn_so(*, aloud: bool, drawings: Golden) -> None:
    """Each part, with figures and while nothing is known, has room and says what it said."""
    view, months = made_up.view(), made_up.spending_by_month()
    poor, nothing = made_up.little(view)
    glances = (
        Glance(view, months, made_up.wealth(), made_up_plan.forecast(), how()),
        Glance(poor, months, made_up.wealth(), made_up_plan.unknown(), how()),
        Glance(
            nothing,
            months.model_copy(update={"groups": ()}),
            made_up.wealth(),
            made_up_plan.unknown(),
            how(),
        ),
    )
    for width in COLUMNS:
        parts = [
            as_text(drawing_of(part, aloud=aloud)(width), width)
            for each in glances
            for part in each.parts().values()
        ]
        if width == COLUMNS[aloud]:
            drawings(f"overview{'-aloud' if aloud else ''}", "\n\n".join(parts) + "\n")


@pytest.mark.parametrize("width", WHOLE)
def test_tables_are_drawn_so(width: int, drawings: Golden) -> None:
    """Spending and single rows have room at every width and say what they said."""
    by_month = made_up.spending_by_category_and_month()
    groups = spending.group_table(made_up.spending_by_merchant(), how())
    layout = lay_out_months(by_month, "USD", width - 2, gap=2, trend=True)
    rows = transactions.rows(made_up_bank.transactions(), {"wages": "Wages"}, marked=True)
    told = [
        table(ledger_of(groups, width), width),
        table(ledger_of(groups, width, aloud=True), width),
        table(ledger_of(rows, width), width),
        table(ledger_of(spending.months_table(by_month, how(), layout), width), width),
        as_text(draw_welcome(width), width),
    ]
    if width == USUAL:
        drawings("tables", "\n\n".join(told) + "\n")


def test_how_figures_stand_is_said(drawings: Golden) -> None:
    """How old they are and what is unknown of them, in one line each."""
    view = made_up.view()
    told = [view, made_up.provisional(view), *made_up.little(view)]
    told.append(view.model_copy(update={"data_age": ()}))
    drawings("standing", "".join(f"{describe_standing(each, NOW)}\n" for each in told))


@pytest.mark.thorough
@pytest.mark.sampled(4)
@pytest.mark.parametrize("width", [60, 68, 80, 140])
async def test_nothing_drawn_is_longer_than_its_room(household: RunningDaemon, width: int) -> None:
    """A line that is too long goes on below, where it takes the place of the last one."""
    async with open_screens(household, (width, 24)) as opened:
        for place in PLACES:
            await opened.press(place.key)
            for region in opened.screen.query(DrawnRegion):
                if region.drawing is not None and region.content_size.width:
                    as_text(region.render(), region.content_size.width)


SIZES = {"80x24": SMALL, "140x40": LARGE}
THEMES = {"dark": DARK, "light": LIGHT}


@pytest.mark.parametrize(("size", "theme"), [("80x24", "dark"), ("140x40", "light")])
async def test_every_screen_looks_so(
    household: RunningDaemon, golden: Golden, size: str, theme: str
) -> None:
    """Each screen is as it was when it was last looked at, at two sizes and in both themes."""
    async with open_screens(household, SIZES[size], theme=THEMES[theme]) as opened:
        for place in PLACES:
            await opened.press(place.key)
            golden(f"{place.name}-{size}-{theme}", picture(opened))


ATTRIBUTES = {"bold", "dim", "italic", "underline", "strike", "reverse", "on", "not", "auto"}
NAMES = {
    f"${name}" for theme in BUILTIN_THEMES.values() for name in theme.to_color_system().generate()
}


def styles_of(module: Path) -> Iterator[str]:
    """What `styled` is told as a style, written as it stands, in each call of a module."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "styled":
            for told in node.args[1:]:
                if isinstance(told, ast.Constant) and isinstance(told.value, str):
                    yield told.value


def is_known(word: str) -> bool:
    """Whether a word of a style is an attribute, a colour of the themes, or one by its name."""
    if word in ATTRIBUTES or word in NAMES or word.endswith("%"):
        return True
    try:
        Color.parse(word)
    except ColorParseError:
        return False
    return True


def test_every_style_is_one_that_is_drawn() -> None:
    """A style that is misspelled would be passed over in silence; each word of one is known."""
    [folder] = finplan.tui.__path__
    styles = {style for module in Path(folder).rglob("*.py") for style in styles_of(module)}
    assert "bold" in styles
    assert not is_known("bol")
    assert {word for style in styles for word in style.split() if not is_known(word)} == set()


@pytest.fixture
async def colourless(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Opened]:
    """The program before the demo household, for somebody who wants no colours."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_screens(household, SMALL) as opened:
        yield opened


def drawn_lines(opened: Opened) -> list[list[Segment]]:
    """The lines of the screen, each as its pieces of one style."""
    _width, height = opened.app.size
    return [list(strip) for strip in opened.screen._compositor.render_strips()[:height]]


def must_have_no_colours(opened: Opened) -> None:
    for strip in drawn_lines(opened):
        for piece in strip:
            assert piece.style is not None
            for colour in (piece.style.color, piece.style.bgcolor):
                assert colour is None or colour.is_default, f"{piece.text!r} is drawn in {colour}"


def turned_round(opened: Opened) -> list[str]:
    """The texts that stand out by being turned round."""
    pieces = (piece for line in drawn_lines(opened) for piece in line)
    texts = (piece.text.strip() for piece in pieces if piece.style and piece.style.reverse)
    return [each for each in texts if each]


@pytest.mark.thorough
async def test_without_colours_what_is_marked_is_turned_round(colourless: Opened) -> None:
    """With NO_COLOR no screen has a colour; the open screen and what is marked are turned round."""
    marked: dict[str, Callable[[], str]] = {
        "T": lambda: colourless.screen.current_task.payee,
        "S": lambda: "Mortgage",
        "P": lambda: "Where it goes",
        "F": lambda: colourless.screen.marked.name,
        "A": lambda: colourless.screen.marked.account.name,
        "G": lambda: "currency",
    }
    for key, text in marked.items():
        await colourless.press(key)
        must_have_no_colours(colourless)
        found = turned_round(colourless)
        assert any(each.startswith(f"{key} ") for each in found), found
        assert any(text() in each for each in found), found
    await colourless.press("F", "2")
    assert any("2 Transfers" in each for each in turned_round(colourless))


@pytest.mark.thorough
async def test_without_colours_dialogs_show_where_one_is(colourless: Opened) -> None:
    """In a dialog the choice that Enter takes is turned round while one types, and so in a list."""
    await colourless.press("T", "slash")
    await colourless.type("groc")
    must_have_no_colours(colourless)
    assert any("Groceries" in each for each in turned_round(colourless))
    await colourless.press("escape", "A", "k")
    assert any("checking" in each for each in turned_round(colourless))
    must_have_no_colours(colourless)


@pytest.mark.thorough
async def test_an_empty_no_color_asks_for_nothing(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty NO_COLOR is as if it was not set."""
    monkeypatch.setenv("NO_COLOR", "")
    async with open_screens(household) as opened:
        pieces = (piece for line in drawn_lines(opened) for piece in line)
        assert any(each.style and each.style.color is not None for each in pieces)
        assert not opened.app.no_color
