"""Laws of the generator of layouts and of the reader over them: right, or asked; never wrong.

The generator prints the truth, reaches all it knows, and shrinks.
"""

from collections import Counter
from itertools import pairwise
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings, strategies as st

from tests.statements.layouts.judge import tallied
from tests.statements.layouts.labels import known_amount, known_balance, known_day, label, table_of
from tests.statements.layouts.layout import Balance, Header, Layout, Signs, Truth, Unit, draw
from tests.statements.layouts.printing import NumberStyle, languages
from tests.statements.layouts.writing import Written, write

MANY = 6_000
MOST_NEEDLESS = 0.1
"""The share of files that leave nothing open and may still be asked about or refused."""


@pytest.mark.thorough
def test_no_layout_of_many_is_read_wrongly() -> None:
    """Over many layouts nothing is wrong in silence, all that is open is asked, and little else."""
    tally = tallied(seed=2, count=MANY)
    print(tally.table())
    assert not tally.faults, tally.table()
    assert tally.read >= (1 - MOST_NEEDLESS) * tally.provable, tally.table()


Drawn = tuple[Truth, Layout, Written]
MANY_FILES = 3000


@pytest.fixture(scope="module")
def drawn() -> list[Drawn]:
    """Many files of one seed."""
    found = []
    for number in range(MANY_FILES):
        truth, layout = draw(Random(number))
        found.append((truth, layout, write(truth, layout)))
    return found


@pytest.mark.thorough
def test_amounts_are_printed_as_they_are(drawn: list[Drawn]) -> None:
    """Whoever knows the layout reads each row's amount, but where no direction is printed."""
    for truth, layout, written in drawn:
        known = [known_amount(cells, layout, truth.currency) for cells in written.lines]
        true = [row.amount for row in written.rows]
        assert known == true or layout.signs == "unsigned", (layout, written.lines)
        if layout.signs == "unsigned":
            assert set(known) == {None}


@pytest.mark.thorough
def test_days_are_printed_as_they_are(drawn: list[Drawn]) -> None:
    """Whoever knows the pattern of dates reads each row's day."""
    for _, layout, written in drawn:
        if "mon" not in layout.dates.pattern:
            place = layout.columns.index("date")
            days = [known_day(cells[place], layout) for cells in written.lines]
            assert days == [row.number for row in written.rows], layout


@pytest.mark.parametrize(
    ("style", "minor", "decimals", "printed"),
    [
        (NumberStyle(".", ","), 5, 2, "0.05"),
        (NumberStyle(",", "."), 123_456_789, 2, "1.234.567,89"),
        (NumberStyle(".", ",", indian=True), 123_456_789, 2, "12,34,567.89"),
        (NumberStyle(",", "", trimmed=True), 1250, 2, "12,5"),
        (NumberStyle(",", "", trimmed=True), 1200, 2, "12"),
        (NumberStyle(".", ","), 12_345, 3, "12.345"),
        (NumberStyle(",", "."), 12_345, 0, "12.345"),
    ],
)
def test_numbers_are_printed_as_countries_do(
    style: NumberStyle, minor: int, decimals: int, printed: str
) -> None:
    """A number has its currency's decimals and its country's groups."""
    assert style.printed(minor, decimals) == printed


@pytest.mark.thorough
def test_rows_stand_in_the_order_of_their_days(drawn: list[Drawn]) -> None:
    """The oldest row stands first, or last."""
    for _, layout, written in drawn:
        days = [day.toordinal() for day in written.days]
        assert days == sorted(days, reverse=layout.newest_first)


@pytest.mark.thorough
def test_a_balance_follows_from_the_amounts(drawn: list[Drawn]) -> None:
    """From one balance to the next all booked rows in between add up, but where it is contradicted."""
    seen = Counter[Balance]()
    for truth, layout, written in drawn:
        if layout.balance == "none":
            continue
        lines = list(zip(written.lines, written.rows, strict=True))
        booked = [pair for pair in lines if pair[1].state == "booked"]
        if layout.newest_first:
            booked.reverse()
        stated = [known_balance(cells, layout, truth.currency) for cells, _ in booked]
        assert tuple(stated) == written.balances
        sums, total = list[int](), 0
        for _, row in booked:
            sums.append(total if layout.balance == "before" else total + row.amount)
            total += row.amount
        turn = -1 if layout.balance == "owed" else 1
        offsets = [
            turn * balance - before
            for balance, before in zip(stated, sums, strict=True)
            if balance is not None
        ]
        if layout.contradicted is None:
            assert len(set(offsets)) <= 1, (layout, stated)
        else:
            breaks = sum(one != other for one, other in pairwise(offsets))
            assert breaks <= 1
            seen[layout.balance] += breaks
    assert min(seen[balance] for balance in get_args(Balance) if balance != "none") > 0


def test_the_file_is_its_lines(drawn: list[Drawn]) -> None:
    """Header and rows stand in the bytes, in the encoding and with the signs that are told."""
    for _, layout, written in drawn:
        if layout.quote_all or any(
            layout.delimiter in cell for row in written.lines for cell in row
        ):
            continue
        table = table_of(written, layout)
        if written.header:
            assert list(written.header) in table
        for cells in written.lines:
            assert list(cells) in table


def test_all_that_is_known_is_drawn(drawn: list[Drawn]) -> None:
    """Every language, sign, balance, place of a currency, column and code page comes up."""
    layouts = [layout for _, layout, _ in drawn]
    assert {layout.language.code for layout in layouts} == {each.code for each in languages()}
    assert {layout.header for layout in layouts} == set(get_args(Header))
    assert {layout.signs for layout in layouts} == set(get_args(Signs))
    assert {layout.balance for layout in layouts} == set(get_args(Balance))
    assert {layout.unit for layout in layouts} == set(get_args(Unit))
    assert {layout.dates.order for layout in layouts} == {"dmy", "mdy", "ymd"}
    charsets = {charset for each in languages() for charset in each.charsets}
    assert charsets <= {written.charset for _, _, written in drawn}
    states = {row.state for truth, _, _ in drawn for row in truth.rows}
    assert states == {"booked", "pending", "declined"}
    # Twenty languages are the least that people of most banks' customers speak.
    assert len(languages()) >= 20


def test_every_label_is_given(drawn: list[Drawn]) -> None:
    """Each subject is provable in most files, and open in some, but the decimal sign."""
    given = Counter[tuple[str, str]]()
    for truth, layout, written in drawn:
        given.update(label(truth, layout, written).of.items())
    subjects = {subject for subject, _ in given}
    assert subjects == {"day order", "direction", "amount column", "decimal sign", "currency"}
    for subject in subjects:
        assert given[subject, "provable"] > MANY_FILES / 2, subject
        assert given[subject, "either"] < MANY_FILES / 3, subject
        assert (given[subject, "open"] > 0) == (subject != "decimal sign"), subject


def test_a_seed_draws_the_same_file() -> None:
    """A number names a layout, so that a fault can be looked at again."""
    assert draw(Random("1/7")) == draw(Random("1/7"))
    assert draw(Random("1/7")) != draw(Random("1/8"))


@given(st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_what_hypothesis_draws_is_a_file(random: Random) -> None:
    """A layout that hypothesis draws, and can shrink, is written like any other."""
    truth, layout = draw(random)
    written = write(truth, layout)
    assert len(written.lines) == len(truth.rows)
    assert {len(cells) for cells in written.lines} == {len(layout.columns)}
