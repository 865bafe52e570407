"""Names that a bank writes are data: they draw no colours, run no commands and hide nothing."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.daemon.running import RunningDaemon
from tests.tui.opening import LARGE, Opened, open_screens

NASTY = "[red]Shop[/red] [@click=app.quit]x[/] [/b]"
BIDI = "Evil\u202efdp.exe"
ESCAPE = "Bell\x1b[31mRed\x07"
ROWS = [
    f"2026-02-{day:02},{name},-{day}.50" for name in (NASTY, BIDI, ESCAPE) for day in range(2, 14)
]


@pytest.fixture
async def hostile(daemon: RunningDaemon, tmp_path: Path) -> AsyncIterator[Opened]:
    file = tmp_path / "[bold]x.csv"
    file.write_text("\n".join(["Date,Description,Amount (USD)", *ROWS]) + "\n")
    assert shutil.disk_usage(tmp_path).free
    async with open_screens(daemon, LARGE) as opened:
        await opened.press("i")
        await opened.drop(f"'{file}'")
        await opened.press("enter")
        assert "[bold]x.csv" in opened.text
        while len(opened.app.screen_stack) > 1:
            await opened.press("enter")
        yield opened


def must_be_plain(text: str) -> None:
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "\x07" not in text


@pytest.mark.thorough
async def test_hostile_names_are_shown_as_they_are(hostile: Opened) -> None:
    """In lists, tables, headings, dialogs and remarks a name with markup stands letter by letter."""
    for keys in (("T",), ("S",), ("m",), ("P",), ("A",), ("O",)):
        await hostile.press(*keys)
        must_be_plain(hostile.text)
    await hostile.press("T", "down", "down")
    assert NASTY[:20] in hostile.text
    for _ in range(3):
        await hostile.press("slash")
        await hostile.type("groceries")
        await hostile.press("enter")
        must_be_plain(hostile.said)
        must_be_plain(hostile.text)


@pytest.mark.slow
async def test_hostile_rows_are_shown_as_they_are(hostile: Opened) -> None:
    """Rows, their dialogs and what is noted of them show markup as text."""
    await hostile.press("S", "p", "enter", "slash")
    await hostile.type("shop")
    await hostile.press("enter")
    assert hostile.screen.query_one("LedgerTable").row_count == 12
    await hostile.press("enter")
    assert NASTY in hostile.text
    await hostile.press("escape", "n")
    await hostile.type("[u]x")
    await hostile.press("enter", "enter")
    assert "[u]x" in hostile.text
    await hostile.press("escape", "slash")
    await hostile.type("[u]x")
    await hostile.press("enter")
    assert "“[u]x”" in hostile.text


@pytest.mark.slow
async def test_hostile_names_of_accounts_and_categories(
    hostile: Opened, daemon: RunningDaemon
) -> None:
    """An account and a category whose names are markup are shown letter by letter, where asked too."""
    await hostile.press("A", "n")
    for _ in range(40):
        await hostile.pilot.press("backspace")
    await hostile.type("[b]Card[/b]")
    await hostile.press("enter")
    assert hostile.text.count("[b]Card[/b]") >= 2
    assert "[b]Card[/b]" in hostile.said
    await hostile.press("k")
    assert "What kind of account is [b]Card[/b]?" in hostile.text
    await hostile.press("escape")
    own = {"name": "[i]Fun[/i]", "line": "discretionary"}
    assert (await daemon.http.post("/api/v1/categories", json=own)).is_success
    await hostile.press("T", "r", "slash")
    await hostile.type("fun")
    assert "[i]Fun[/i]" in hostile.text
    await hostile.press("enter")
    assert "[i]Fun[/i]" in hostile.said
    await hostile.press("S", "p", "enter")
    assert "[i]Fun[/i]" in hostile.text
