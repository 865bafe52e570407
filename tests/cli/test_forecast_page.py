"""The page of the days ahead."""

import re

import pytest

from finplan.cli.console.errors import USAGE
from finplan.cli.showing.forecast import draw_forecast
from tests.cli import made_up_forecast
from tests.cli.conftest import Draw, Run
from tests.golden_files import Golden


def test_the_days_ahead(draw: Draw, golden: Golden) -> None:
    """The lowest day first, what is next in and out, a column a day, a line for each day that moves."""
    golden("forecast", draw(draw_forecast(made_up_forecast.forecast(), "USD", 80)))
    golden("forecast-wide", draw(draw_forecast(made_up_forecast.forecast(), "USD", 110), 110))


def test_the_days_ahead_without_history(draw: Draw, golden: Golden) -> None:
    """Where nothing is usual there is neither a range nor a column for it."""
    known = made_up_forecast.forecast(ranged=False)
    golden("forecast-known", draw(draw_forecast(known, "USD", 80)))


def test_days_that_are_not_known(draw: Draw) -> None:
    """No figure and no table, and the sentence that says why."""
    drawn = draw(draw_forecast(made_up_forecast.unknown(), "USD", 80)).splitlines()
    assert drawn[0].startswith("The days ahead are not known")
    assert drawn[-1] == f"· {made_up_forecast.unknown().notes[0]}"
    assert len(drawn) == 3


@pytest.mark.parametrize(("low", "style"), [(-1, "bold red"), (0, "bold green"), (1, "bold green")])
def test_only_a_low_below_nothing_is_red(low: int, style: str) -> None:
    """An evening without a cent left is no overdraft."""
    found = made_up_forecast.forecast()
    assert found.low is not None
    found = found.model_copy(update={"low": found.low.model_copy(update={"expected": low})})
    drawn = draw_forecast(found, "USD", 80)
    assert {span.style for span in drawn.spans if span.start == len("Lowest  ")} >= {style}


def test_every_width_has_whole_lines(draw: Draw) -> None:
    """No line is longer than the terminal, however far it looks and however large the sums."""
    for width in (60, 79, 94, 95, 110):
        for start in (2_400_00, 98_765_432_10, -98_765_432_10):
            found = made_up_forecast.forecast(days=120, start=start)
            drawn = draw(draw_forecast(found, "CHF", width), width).splitlines()
            assert all(len(line) <= width for line in drawn)
            (columns,) = [line for line in drawn if "▁" in line or "█" in line]
            assert len(columns.split()) == 7


def test_columns_tell_the_low_from_the_high(draw: Draw) -> None:
    """The highest evening has the tallest column, and one below nothing stands on the floor."""
    drawn = draw(draw_forecast(made_up_forecast.forecast(), "USD", 80))
    columns = next(line for line in drawn.splitlines() if "█" in line).split()[3]
    evenings = [day.expected for day in made_up_forecast.forecast().days]
    assert len(columns) == len(evenings) == 15
    assert columns[evenings.index(max(evenings))] == "█"
    assert columns[evenings.index(min(evenings))] == "▁"


def test_days_beyond_four_months_are_refused(finplan: Run) -> None:
    """The option knows its bounds before anything is asked."""
    for days in ("0", "121"):
        assert finplan("forecast", "--days", days).code == USAGE


def test_names_are_whole_where_there_is_room(draw: Draw) -> None:
    """What moves a day is named in full in a line that may be longer, which takes no more than that."""
    found = made_up_forecast.forecast()
    narrow, wide = (draw(draw_forecast(found, "USD", 80, room), 400) for room in (0, 400))
    names = {item.name for day in found.days for item in day.items if item.kind != "spending"}
    assert not all(name in narrow for name in names)
    assert all(name in wide for name in names)
    assert "…" not in wide
    assert " +1 " not in wide
    assert max(map(len, wide.splitlines())) < 250
    assert narrow.splitlines()[:3] == wide.splitlines()[:3]


def test_a_sum_of_several_says_how_many_it_is_of(draw: Draw) -> None:
    """Where a name is cut off, the others that its figure is of are counted all the same."""
    found = made_up_forecast.forecast()
    for width in range(66, 111):
        lines = draw(draw_forecast(found, "USD", width), width).splitlines()
        several = next(each for each in lines if each.startswith("Fri 28 Nov"))
        assert "To Brokerage" in several or re.search(r" \+[12] ", several), several


@pytest.mark.parametrize("paid", [True, False])
def test_what_comes_next_has_a_line_each(draw: Draw, *, paid: bool) -> None:
    """The next pay and three bills stand below each other, no name broken, amounts in one column."""
    found = made_up_forecast.forecast()
    long = "A Payee whose Name is Longer than what a Line of Eighty Columns has Room for"
    days = tuple(
        day.model_copy(
            update={
                "items": tuple(
                    item.model_copy(update={"name": long}) if item.kind == "card" else item
                    for item in day.items
                    if paid or item.kind != "income"
                )
            }
        )
        for day in found.days
    )
    drawn = draw(draw_forecast(found.model_copy(update={"days": days}), "USD", 80)).splitlines()
    lines = drawn[2 : drawn.index("")]
    first = ["Next in    Fri 28 Nov Acme Payroll"] if paid else []
    assert [each[: each.index("  ", 11)] for each in lines[: len(first)]] == first
    out = lines[len(first) :]
    assert [each[:22] for each in out] == [
        "Next out   Fri 21 Nov ",
        "           Mon 24 Nov ",
        "           Thu 27 Nov ",
    ]
    assert f"{long[:30]}" in out[1]
    assert "… " in out[1]
    assert {len(each) for each in lines} == {80}


def test_days_that_nothing_named_moves_have_no_next(draw: Draw) -> None:
    """Without pay or a bill in sight, nothing is told to come next."""
    found = made_up_forecast.forecast()
    days = tuple(day.model_copy(update={"items": ()}) for day in found.days)
    drawn = draw(draw_forecast(found.model_copy(update={"days": days}), "USD", 80))
    assert drawn.splitlines()[2] == ""
    assert "Next" not in drawn
