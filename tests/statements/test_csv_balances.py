"""A running balance that contradicts the amounts: the file is read, and the person is told where."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from finplan.statements.csv.balances import Booked, RunningBalances
from finplan.statements.statement import StatementAccount
from tests.statements.reading_files import ReadFile, Statement

HEADER = "Date,Description,Amount,Balance\n"
ACCOUNT = StatementAccount("1", "Giro", "EUR")


def _notes(statement: Statement) -> list[str]:
    return [note for part in statement.parts for note in part.notes]


def test_the_first_row_that_the_balance_contradicts_is_named(read_file: ReadFile) -> None:
    """The rows are read as they are, and one sentence counts the contradictions and names the first."""
    rows = (
        "2026-03-02,A,-10.00,90.00\n2026-03-03,B,-10.00,80.00\n2026-03-05,C,-5.00,70.00\n"
        "2026-03-06,D,-10.00,60.00\n2026-03-07,E,-10.00,50.00\n"
    )
    found = read_file(HEADER + rows)
    assert found.amounts == [-1000, -1000, -500, -1000, -1000]
    (note,) = _notes(found)
    assert note == (
        "The column of balances contradicts the amounts in one row, first in line 4: a row may be"
        " missing or changed."
    )


def test_the_newest_row_may_stand_first(read_file: ReadFile) -> None:
    """Where later rows stand above, the row that is named is the one whose own balance is off."""
    rows = (
        "2026-03-07,E,-10.00,50.00\n2026-03-06,D,-10.00,60.00\n2026-03-05,C,-5.00,70.00\n"
        "2026-03-03,B,-10.00,80.00\n2026-03-02,A,-10.00,90.00\n"
    )
    (note,) = _notes(read_file(HEADER + rows))
    assert "line 4" in note


def test_a_column_that_never_follows_is_told(read_file: ReadFile) -> None:
    """A balance that explains hardly any amount proves nothing, and that is told too."""
    rows = "2026-03-02,A,-10.00,90.00\n2026-03-03,B,-10.00,95.00\n2026-03-05,C,-5.00,70.00\n"
    (note,) = _notes(read_file(HEADER + rows))
    assert "2 of 3 rows, first in line 3" in note


def test_blank_and_pending_rows_contradict_nothing(read_file: ReadFile) -> None:
    """Rows without a balance of their own, and rows that wait, are no contradiction."""
    rows = (
        "2026-03-02,A,-10.00,90.00,Booked\n2026-03-03,B,-10.00,80.00,Booked\n"
        "2026-03-04,W,-7.00,80.00,Pending\n2026-03-05,C,-5.00,75.00,Booked\n"
        "2026-03-06,D,-5.00,70.00,Booked\n2026-03-07,X,-1.00,,Pending\n"
    )
    assert _notes(read_file(HEADER.replace("\n", ",Status\n") + rows)) == []


@given(
    amounts=st.lists(st.integers(-500, 500).filter(bool), min_size=1, max_size=30),
    cuts=st.lists(st.integers(1, 7), min_size=30, max_size=30),
    direction=st.sampled_from([1, -1]),
    changed=st.none() | st.integers(0, 28),
)
def test_a_changed_amount_is_found_wherever_a_run_ends(
    amounts: list[int], cuts: Sequence[int], direction: int, changed: int | None
) -> None:
    """Amounts that add up are followed without a word; one that was changed is the one that is named.

    The balances at the ends of the runs find it as well as those of all rows.
    """
    balances = [sum(amounts[: place + 1]) for place in range(len(amounts))]
    printed = list(amounts)
    # The balance before the oldest row is not printed, so nothing can contradict that row.
    place = None if changed is None or changed + 1 >= len(amounts) else changed + 1
    if place is not None:
        printed[place] += 1000
    rows = [[str(number)] for number in range(len(amounts))]
    rows, printed, balances = rows[::direction], printed[::direction], balances[::direction]
    running = RunningBalances(direction)
    quick = RunningBalances(direction)
    for cut in cuts:
        run = Booked(rows[:cut], printed[:cut], balances[:cut])
        running.follow(ACCOUNT, run)
        if run.rows and not quick.adds_up(
            ACCOUNT, run._replace(balances=[]), run.balances[0], run.balances[-1]
        ):
            quick.follow(ACCOUNT, run)
        rows, printed, balances = rows[cut:], printed[cut:], balances[cut:]

    assert running.broken == (place is not None)
    assert running.first == (None if place is None else (ACCOUNT, [str(place)]))
    assert (quick.broken, quick.first, quick.steps) == (
        running.broken,
        running.first,
        running.steps,
    )
