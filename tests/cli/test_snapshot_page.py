"""The live view's page keeps its promises for any household, not only for the made-up one."""

import re
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.cli.showing.snapshot import DUE_SHOWN, draw_snapshot
from finplan.model.snapshot import MoneyGroup, Snapshot, Upcoming
from tests.cli import made_up_view

amounts = st.integers(-(10**9), 10**9)


def drawn(snapshot: Snapshot, width: int = 80) -> list[str]:
    return draw_snapshot(snapshot, "USD", width, made_up_view.view()).plain.split("\n")


def with_groups(*figures: tuple[int, int, int]) -> Snapshot:
    """The made-up live view with groups that took, will take and usually take this."""
    calm = made_up_view.snapshot()
    groups = tuple(
        calm.groups[0].model_copy(
            update={
                "spent": spent,
                "upcoming": due,
                "monthly": usual,
                "left": usual - spent - due,
            }
        )
        for spent, due, usual in figures
    )
    return calm.model_copy(update={"groups": groups})


def line_of(snapshot: Snapshot, label: str) -> str:
    return next(line for line in reversed(drawn(snapshot)) if line.startswith(f" {label}"))


@given(
    st.lists(st.tuples(amounts, st.integers(0, 10**9), amounts), max_size=4), st.integers(20, 200)
)
def test_no_line_is_too_long_and_no_figure_is_cut(groups: Any, width: int) -> None:
    """Whatever a month took, its table fits the terminal, of 60 columns at least."""
    lines = drawn(with_groups(*groups), width)
    assert [line for line in lines if len(line) > max(width, 60)] == []
    assert not re.search(r"[$][0-9,.]*…", "\n".join(lines))


def test_a_month_adds_up_as_shown() -> None:
    """What is still due stands between what was spent and what is usual, and in the bar in dashes."""
    line = line_of(with_groups((0, 160_00, 160_00), (80_00, 40_00, 200_00)), "Groceries")
    assert re.fullmatch(r" Groceries +━+╸?╍+─+ +\$80.00 +\$40.00 +\$200.00 +\$80.00", line)
    insurance = drawn(with_groups((0, 160_00, 160_00)))
    assert any(
        re.fullmatch(r" Groceries +╍+ +\$0.00 +\$160.00 +\$160.00 +\$0.00", x) for x in insurance
    )
    assert any(re.match("THIS MONTH +spent +due +usual +left$", each) for each in insurance)


def test_where_nothing_is_due_nothing_is_said_of_it() -> None:
    """Without a charge that is still due there is no column of that name; a zero in it is blank."""
    assert any(
        re.match("THIS MONTH +spent +usual +left$", each) for each in drawn(with_groups((1, 0, 1)))
    )
    snapshot = with_groups((10_00, 5_00, 20_00), (10_00, 0, 20_00))
    assert re.search(r"─ +\$10.00 +\$20.00 +\$10.00$", line_of(snapshot, "Groceries"))


@pytest.mark.parametrize(("due", "hidden"), [(DUE_SHOWN + 1, 0), (DUE_SHOWN + 2, 2), (1, 0)])
def test_a_line_of_what_is_hidden_hides_more_than_one(due: int, hidden: int) -> None:
    """One row more is printed itself; more are added up in a line that counts them."""
    charges = tuple(
        Upcoming(date=date(2025, 11, 22), name=f"Charge {place}", amount=100)
        for place in range(due)
    )
    page = drawn(made_up_view.snapshot().model_copy(update={"upcoming": charges}))
    assert sum("Charge " in line for line in page) == due - hidden
    more = [line for line in page if " more " in line]
    assert len(more) == (hidden > 0)
    assert all(f"{hidden} more" in line and f"${hidden}.00" in line for line in more)


def test_groups_of_a_narrow_page_have_no_bar() -> None:
    """Where figures leave no room for a bar, the name has it, so that none is cut to a stub."""
    big = with_groups((900_000_00, 123_456_78, 99_999_99))
    labels = [group.model_copy(update={"label": "Transportation"}) for group in big.groups]
    snapshot = big.model_copy(update={"groups": tuple[MoneyGroup, ...](labels)})
    lines = drawn(snapshot, 60)
    assert any(line.startswith(" Transportation ") for line in lines)
    assert all(not re.search("[━╸╍]", line) for line in lines)
    assert any(re.search("[━╸╍]", line) for line in drawn(snapshot))
