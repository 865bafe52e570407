"""Without colours: no colour is drawn, and what is marked is seen all the same."""

from collections.abc import AsyncIterator, Callable

import pytest
from rich.segment import Segment

from tests.daemon.running import RunningDaemon
from tests.tui.opening import SMALL, Opened, open_screens


@pytest.fixture
async def colourless(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Opened]:
    """The program before the demo household, for somebody who wants no colours."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_screens(household, SMALL) as opened:
        yield opened


def drawn(opened: Opened) -> list[list[Segment]]:
    """The lines of the screen, each as its pieces of one style."""
    _width, height = opened.app.size
    return [list(strip) for strip in opened.screen._compositor.render_strips()[:height]]


def must_have_no_colours(opened: Opened) -> None:
    for line in drawn(opened):
        for piece in line:
            assert piece.style is not None
            for colour in (piece.style.color, piece.style.bgcolor):
                assert colour is None or colour.is_default, f"{piece.text!r} is drawn in {colour}"


def turned_round(opened: Opened) -> list[str]:
    """The texts that stand out by being turned round."""
    pieces = (piece for line in drawn(opened) for piece in line)
    texts = (piece.text.strip() for piece in pieces if piece.style and piece.style.reverse)
    return [each for each in texts if each]


@pytest.mark.thorough
async def test_without_colours_what_is_marked_is_turned_round(colourless: Opened) -> None:
    """With NO_COLOR no screen has a colour; the open screen and what is marked are turned round."""
    marked: dict[str, Callable[[], str]] = {
        "T": lambda: colourless.screen.asked.payee,
        "S": lambda: "Mortgage",
        "P": lambda: "Where it goes",
        "F": lambda: colourless.screen.marked.name,
        "A": lambda: colourless.screen.marked.account.name,
        "G": lambda: "Currency",
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
        pieces = (piece for line in drawn(opened) for piece in line)
        assert any(each.style and each.style.color is not None for each in pieces)
        assert not opened.app.no_color
