"""What one file says of an account as a whole: its rows counted and summed while they are read."""

from hypothesis import given
from hypothesis import strategies as st

from finplan.service.imports.import_run import AccountInFile
from finplan.statements.statement import (
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
)

ACCOUNT = StatementAccount(None, "everyday", "USD")
ROWS = st.lists(
    st.builds(
        StatementRow,
        day=st.integers(20260101, 20260128),
        amount=st.integers(-3, 3),
        raw=st.just("SHOP"),
        pending=st.booleans(),
    ),
    max_size=8,
)


@given(st.lists(ROWS, max_size=4), st.integers(0, 4))
def test_booked_rows_are_counted_and_summed(parts: list[list[StatementRow]], cut: int) -> None:
    """Whatever the parts are, and under whichever names they come, only booked rows count."""
    one, other = AccountInFile(), AccountInFile()
    for place, rows in enumerate(parts):
        days = [row.day for row in rows if not row.pending]
        part = StatementPart(ACCOUNT, StatementRows.of(rows))
        (one if place < cut else other).include(part, days)
    one.merge(other)

    booked = [row for rows in parts for row in rows if not row.pending]
    days = [row.day for row in booked]
    assert (one.first, one.last) == ((min(days), max(days)) if days else (None, None))
    assert one.booked == len(booked)
    assert one.money_in == sum(row.amount for row in booked if row.amount > 0)
    assert one.money_out == -sum(row.amount for row in booked if row.amount < 0)
