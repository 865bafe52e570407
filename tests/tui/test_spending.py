"""From the sum of a month down to one row, and a person's own word on it.

As tables: their heads, what fits, and what it adds up to.
"""

from datetime import timedelta
from pathlib import Path

import pytest

from finplan.model import figures
from finplan.model.base import Nothing
from finplan.model.transaction import SpendingQuery, Transaction, TransactionId, TransactionQuery
from finplan.operations.plan import SHOW_SNAPSHOT
from finplan.operations.transaction import LIST_TRANSACTIONS, QUERY_SPENDING, SHOW_TRANSACTION
from tests.daemon.running import RunningDaemon
from tests.tui.opening import Opened


async def row(household: RunningDaemon, key: str) -> Transaction:
    return await household.client.call(SHOW_TRANSACTION, TransactionId(id=key))


async def go_to_rows(screens: Opened) -> str:
    """Down to the rows of the first merchant of the first category; the id of the marked one."""
    await screens.press("S", "enter", "enter")
    marked = screens.screen.query_one("LedgerTable").marked
    assert isinstance(marked, str)
    return marked


@pytest.mark.thorough
async def test_figures_are_those_of_rest(screens: Opened) -> None:
    """Each group with its total, share and number stands as the daemon answers it."""
    await screens.press("S")
    view = screens.screen.view
    query = SpendingQuery(
        group_by="category", since=view.period.since, until=screens.app.feed.today()
    )
    report = await screens.daemon.client.call(QUERY_SPENDING, query)
    text = screens.text
    assert figures.money(report.total, "USD") in text
    for each in report.groups[:15]:
        line = next(line for line in text.splitlines() if each.label in line)
        assert figures.money(each.total, "USD") in line
        assert f" {each.count:,} " in f"{line} "


@pytest.mark.thorough
async def test_enter_goes_in_and_escape_out(screens: Opened) -> None:
    """From categories to merchants to rows and back; where one is stands above."""
    await screens.press("S")
    everything = screens.text
    await go_to_rows(screens)
    assert screens.text.count("›") == 2
    await screens.press("escape", "escape")
    assert screens.text == everything


@pytest.mark.thorough
async def test_days_are_said_in_words(screens: Opened) -> None:
    """P takes the days in words, refuses what means none, and [ goes a period back."""
    await screens.press("S", "p")
    await screens.type("last quarter")
    await screens.press("enter")
    assert screens.screen.view.period.since.month == 10
    await screens.press("p")
    await screens.type("the blue one")
    await screens.press("enter")
    assert "blue" in screens.text
    await screens.press("escape", "left_square_bracket")
    assert screens.screen.view.period.since.month == 7


@pytest.mark.thorough
async def test_the_days_of_a_pay_period(screens: Opened) -> None:
    """Words about paydays mean the days that they mean on the command line."""
    await screens.press("S", "p")
    await screens.type("this pay period")
    await screens.press("enter")
    period = screens.screen.view.period
    payday = (await screens.daemon.client.call(SHOW_SNAPSHOT, Nothing())).allowance.payday
    assert payday is not None
    assert period.until == payday - timedelta(1)
    assert period.since <= screens.app.feed.today()


@pytest.mark.thorough
async def test_a_row_is_corrected_and_taken_back(screens: Opened) -> None:
    """C files one row otherwise, and u makes it what it was."""
    await screens.press("S", "p")
    await screens.type("last month")
    await screens.press("enter")
    key = await go_to_rows(screens)
    before = await row(screens.daemon, key)
    await screens.press("c")
    await screens.type("gifts")
    await screens.press("enter")
    changed = await row(screens.daemon, key)
    assert changed.why.source == "user"
    assert changed.category != before.category
    await screens.press("escape", "escape", "slash")
    await screens.drop(before.raw[:12])
    await screens.press("enter")
    table = screens.screen.query_one("LedgerTable")
    table.mark(key)
    await screens.press("u")
    assert await row(screens.daemon, key) == before


@pytest.mark.thorough
async def test_a_note_is_kept_and_taken_back(screens: Opened) -> None:
    """N keeps a note on one row; u takes that note back and nothing else."""
    key = await go_to_rows(screens)
    await screens.press("n")
    await screens.drop("for the neighbours")
    await screens.press("enter")
    assert (await row(screens.daemon, key)).note == "for the neighbours"
    await screens.press("n")
    await screens.type(" too")
    await screens.press("enter", "u")
    before = await row(screens.daemon, key)
    assert before.note == "for the neighbours"
    assert screens.said.startswith(f"Undone. {before.payee}, ")
    await screens.press("u")
    assert (await row(screens.daemon, key)).note is None


@pytest.mark.thorough
async def test_tags_are_kept_and_taken_back(screens: Opened) -> None:
    """T keeps tags on one row, and u takes them back; by tag, b shows their sum, and enter the row."""
    key = await go_to_rows(screens)
    await screens.press("t")
    await screens.drop("#Japan work no!")
    await screens.press("enter")
    assert (await row(screens.daemon, key)).tags == ()
    await screens.press(*["backspace"] * 4, "enter")
    assert (await row(screens.daemon, key)).tags == ("japan", "work")
    assert "#japan #work" in screens.said
    await screens.press("escape", "escape", "b", "b")
    table = screens.screen.query_one("LedgerTable")
    keys = [each.value for each in table.rows]
    assert set(keys) == {"=", "=japan work"}
    await screens.press("m", "m")
    table.move_cursor(row=keys.index("=japan work"))
    await screens.press("enter")
    assert [each.value for each in table.rows] == [key]
    await screens.press("u")
    assert (await row(screens.daemon, key)).tags == ()


@pytest.mark.thorough
async def test_a_row_is_split_and_whole_again(screens: Opened) -> None:
    """S splits one row into parts that add up to it, and u makes it one again."""
    key = await go_to_rows(screens)
    before = await row(screens.daemon, key)
    await screens.press("s")
    await screens.type("groceries=1")
    await screens.press("enter")
    assert "at least two parts" in screens.text
    await screens.type(" gifts=rest")
    await screens.press("enter")
    parts = (await row(screens.daemon, key)).splits
    assert parts is not None, screens.text
    assert sum(each.amount for each in parts) == before.amount
    await screens.press("u")
    assert (await row(screens.daemon, key)).splits == before.splits


@pytest.mark.thorough
async def test_a_row_is_shown_whole(screens: Opened) -> None:
    """Enter on a row shows what the bank wrote and why it is filed so."""
    key = await go_to_rows(screens)
    shown = await row(screens.daemon, key)
    await screens.press("enter")
    assert shown.raw in screens.text
    assert shown.why.text.split()[0] in screens.text
    await screens.press("escape")
    assert (await row(screens.daemon, key)) == shown


@pytest.mark.thorough
async def test_rows_come_page_by_page(screens: Opened) -> None:
    """At the end of the rows that are there the next ones come, until all are."""
    every = await screens.daemon.client.call(
        LIST_TRANSACTIONS, TransactionQuery(total=True, text="a")
    )
    await screens.press("S", "p", "enter", "slash")
    await screens.type("a")
    await screens.press("enter")
    table = screens.screen.query_one("LedgerTable")
    assert every.total is not None
    for _ in range(1 + every.total.rows // 100):
        await screens.press("ctrl+end")
    assert table.row_count == every.total.rows


@pytest.mark.thorough
async def test_months_beside_each_other(screens: Opened) -> None:
    """M shows months beside each other, with what is one column for want of room said."""
    await screens.press("S", "m")
    table = screens.screen.query_one("LedgerTable")
    assert "All" in [str(cell) for cell in table.get_row_at(table.row_count - 1)]
    assert "A wider window shows more months." in screens.text


@pytest.mark.thorough
async def test_a_row_is_filed_under_a_category_that_is_made_for_it(screens: Opened) -> None:
    """C makes a category of one's own where none is called so, and says it by its name."""
    key = await go_to_rows(screens)
    await screens.press("c")
    await screens.drop("Zoo visits")
    await screens.press("down", "enter")
    await screens.until(lambda: " to Zoo visits. Press u" in screens.said)
    assert (await row(screens.daemon, key)).why.source == "user"


@pytest.mark.thorough
async def test_months_before_the_first_row_are_not_missed(
    newcomers: Opened, tmp_path: Path
) -> None:
    """Only months that rows reach stand in a column."""
    file = tmp_path / "checking.csv"
    rows = "".join(f"2026-0{month}-05,Shop,-10.00\n" for month in (1, 2))
    file.write_text(f"Date,Description,Amount (USD)\n{rows}2026-02-06,Acme Payroll,900.00\n")
    await newcomers.press("A", "i")
    await newcomers.drop(str(file))
    await newcomers.press("enter")
    while "Import this?" not in newcomers.text:
        await newcomers.press("enter")
    await newcomers.press("enter", "S", "m")
    assert "All" in newcomers.text
    assert "earlier" not in newcomers.text


@pytest.mark.thorough
async def test_the_sum_of_months_leads_nowhere(screens: Opened) -> None:
    """Enter on the line of the sum goes into nothing, while a group's leads to its merchants."""
    await screens.press("S", "m", "ctrl+end")
    before = screens.text
    assert screens.screen.query_one("LedgerTable").marked is None
    await screens.press("enter")
    assert screens.text == before
    await screens.press("ctrl+home", "enter")
    assert screens.text.count("›") == 1
