"""Statement files brought in by keys: looked at first, asked about, refused, and taken back."""

import json
from pathlib import Path

import pytest

from finplan.model.base import Nothing
from finplan.operations.account import LIST_ACCOUNTS
from finplan.operations.statement_file import LIST_IMPORTS
from tests.daemon.running import RunningDaemon
from tests.tui.opening import Opened

COFFEES = """\
Date,Description,Amount (USD)
2026-02-17,Blue Bottle Coffee,-4.50
2026-02-18,Blue Bottle Coffee,-4.50
2026-03-02,Acme Payroll,1800.00
"""
UNCLEAR = """\
Date,Description,Amount
03/02/2026,Corner Shop,12.00
04/02/2026,Bakery,3.50
05/03/2026,Book Store,20.00
"""


@pytest.fixture
def statement(tmp_path: Path) -> Path:
    file = tmp_path / "my bank" / "Checking, March (1).csv"
    file.parent.mkdir()
    file.write_text(COFFEES)
    return file


async def stored(daemon: RunningDaemon) -> int:
    records = await daemon.client.call(LIST_IMPORTS, Nothing())
    return len(records)


@pytest.mark.thorough
async def test_a_first_run_says_what_to_do(newcomers: Opened) -> None:
    """Where there is nothing yet each screen that shows money says what brings it, with the keys."""
    for key in ("O", "P", "S", "T"):
        await newcomers.press(key)
        await newcomers.until(lambda: "WELCOME" in newcomers.text)
        assert "WELCOME" in newcomers.text
        assert "Import statement files" in newcomers.text
        assert "finplan tui --demo" in newcomers.text
        await newcomers.press("c")
        assert "Through whom?" in newcomers.text
        await newcomers.press("escape")


@pytest.mark.thorough
async def test_a_file_is_looked_at_and_then_imported(
    newcomers: Opened, daemon: RunningDaemon, statement: Path
) -> None:
    """A path with spaces is read as it was dropped; what would come in is shown, and Enter keeps it.

    What has come in is on the screen at once, in the place of the welcome.
    """
    assert "WELCOME" in newcomers.text
    await newcomers.press("i")
    await newcomers.drop(f"'{statement}'")
    await newcomers.press("enter")
    while "Import 3 new rows?" not in newcomers.text:
        assert await stored(daemon) == 0
        await newcomers.press("enter")
    assert "Blue Bottle Coffee" in newcomers.text
    await newcomers.press("enter")
    assert await stored(daemon) == 1
    assert "3 new rows" in newcomers.said
    assert "WELCOME" not in newcomers.text
    await newcomers.press("A", "n")
    await newcomers.press("ctrl+u", "space", "enter")
    [account] = await daemon.client.call(LIST_ACCOUNTS, Nothing())
    assert account.name.strip()
    assert newcomers.said == "", "Blanks are no name, and nothing is said of them."
    await newcomers.press("u", "enter", "enter")
    [record] = await daemon.client.call(LIST_IMPORTS, Nothing())
    assert record.undone_at is not None


@pytest.mark.slow
async def test_escape_at_each_step_stores_nothing(
    newcomers: Opened, daemon: RunningDaemon, tmp_path: Path
) -> None:
    """Whoever leaves an import, at whatever step, has stored nothing, and may begin anew."""
    file = tmp_path / "open.csv"
    file.write_text(UNCLEAR)
    for steps in range(8):
        await newcomers.press("i")
        if steps:
            await newcomers.drop(str(file))
            await newcomers.press(*["enter"] * steps)
        if len(newcomers.app.screen_stack) == 1:
            break
        await newcomers.press("escape")
        assert len(newcomers.app.screen_stack) == 1
        assert await stored(daemon) == 0
    else:
        raise AssertionError("No step was the last one.")
    assert steps > 2, "The file asks something."
    assert await stored(daemon) == 1


@pytest.mark.thorough
async def test_a_file_that_is_none_is_told(
    newcomers: Opened, daemon: RunningDaemon, tmp_path: Path
) -> None:
    """No path, one without a file, an open quote and what is no statement are told and store nothing."""
    await newcomers.press("i", "enter")
    assert "No file is named yet" in newcomers.text
    await newcomers.drop(str(tmp_path / "gone.csv"))
    await newcomers.press("enter")
    assert "There is no file" in newcomers.text
    await newcomers.press("escape", "i")
    await newcomers.drop("'open")
    await newcomers.press("enter")
    assert "quote" in newcomers.text
    await newcomers.press("escape")
    poem = tmp_path / "poem.txt"
    poem.write_text(json.dumps({"roses": "red"}))
    await newcomers.press("i")
    await newcomers.drop(str(poem))
    await newcomers.press("enter")
    assert await stored(daemon) == 0
    said = newcomers.said or newcomers.text
    assert "poem.txt" in said
