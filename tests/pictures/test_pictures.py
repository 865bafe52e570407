"""Pictures of money: no figure is distorted, nothing lies outside, and whatever is written is text.

Scales have marks at round amounts; a picture alone in a file is whole, by day and by night.
"""

import calendar
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st

from finplan.daemon.surfaces import pages
from finplan.model.figures import largest_usual
from finplan.pictures import plot, sheet as style
from finplan.pictures.bars import (
    Bar,
    DrawnBill,
    MonthOfMoney,
    bills_ahead,
    in_and_out,
    line_of,
    where_it_goes,
)
from finplan.pictures.lines import days_ahead, net_worth
from finplan.pictures.sheet import drawn_in, sheet
from tests.golden_files import kept_in
from tests.pictures import drawn
from tests.pictures.drawn import boxes, places, points, read, size
from tests.says import says

LARGEST = 2**53 - 1
EXACT = 0.021
"""Coordinates are written to a hundredth, so a length is exact to two of them."""

amounts = st.one_of(st.integers(-LARGEST, LARGEST), st.integers(-50_000, 900_000), st.just(0))
currencies = st.sampled_from(["USD", "EUR", "JPY", "CHF", "KWD", "ISK"])
names = st.text(max_size=60)
tones = st.sampled_from(["essential", "discretionary", "others"])
many_bars = st.lists(
    st.builds(Bar, names, amounts, tones, st.none() | amounts), min_size=1, max_size=12
)
dues = st.lists(st.tuples(st.integers(0, 30), names, amounts), max_size=20)
pictures = st.one_of(
    st.builds(
        lambda each, currency: in_and_out(drawn.months_to_today(each), currency),
        st.lists(st.tuples(amounts, amounts), min_size=1, max_size=60),
        currencies,
    ),
    st.builds(
        lambda each, currency: net_worth(drawn.month_ends(each), currency),
        st.lists(amounts, min_size=1, max_size=40),
        currencies,
    ),
    st.builds(
        lambda each, spread, currency: days_ahead(drawn.evenings(each, spread), currency),
        st.lists(amounts, min_size=1, max_size=121),
        st.none() | st.integers(0, 10_000),
        currencies,
    ),
    st.builds(where_it_goes, many_bars, currencies),
    st.builds(drawn.some_bills, dues, currencies),
)


@given(pictures)
def test_everything_lies_within(picture: plot.Picture) -> None:
    """Whatever the amounts and the names are, nothing is drawn or begins outside of the picture."""
    for x, y in places(picture):
        assert 0 <= x <= plot.WIDTH
        assert 0 <= y <= picture.height


@given(names, names)
def test_a_name_is_text(name: str, other: str) -> None:
    """A picture is well-formed whatever a name holds, and none makes an element or is one."""
    bill = [(1, name, 500), (9, other, 90)]
    bars = [Bar(name, 500, "essential"), Bar(other, 20, "others")]
    for picture, tame in (
        (drawn.some_bills(bill), drawn.some_bills([(1, "a", 500), (9, "b", 90)])),
        (
            where_it_goes(bars, "USD"),
            where_it_goes([Bar("a", 500, "essential"), Bar("b", 20, "others")], "USD"),
        ),
    ):
        tags = [each.tag for each in read(picture).iter() if each.tag != "text"]
        assert tags == [each.tag for each in read(tame).iter() if each.tag != "text"]
        assert list(drawn_in(f"<p>{picture.svg()}</p>")) == [picture.name]


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><g onload="x', "]]>&lt;\ufffe\ud800\x00\u202e"]
)
def test_a_hostile_name_is_text(name: str) -> None:
    """What would break out of a text or of an attribute is escaped or left out."""
    svg = where_it_goes([Bar(name, 500, "essential")], "USD").svg()

    assert "<script" not in svg
    assert "<g onload" not in svg
    assert not set("\ufffe\ud800\x00\u202e") & set(svg)
    assert read(where_it_goes([Bar(name, 500, "essential")], "USD")) is not None


@given(st.lists(st.tuples(amounts, amounts), min_size=1, max_size=24))
def test_equal_areas_are_equal_money(flows: list[tuple[int, int]]) -> None:
    """Every column but a cut one is as high as its amount is large, on one scale and of one width."""
    picture = in_and_out(drawn.months_to_today(flows), "USD")
    columns = boxes(picture, "in", "out", "in part", "out part")
    told = [amount for flow in flows for amount in flow if amount]
    cut = len(boxes(picture, "paper"))
    usual = largest_usual(told) if cut else None
    whole = [
        (column, amount)
        for column, amount in zip(columns, told, strict=True)
        if usual is None or abs(amount) <= usual
    ]
    largest = max((abs(amount) for _, amount in whole), default=1)
    highest = max((size(each, "height") for each, _ in whole), default=0)

    assert len(columns) == len(told) == len(whole) + cut
    assert len({size(each, "width") for each in columns}) <= 1
    for column, amount in whole:
        assert size(column, "height") == pytest.approx(highest * abs(amount) / largest, abs=EXACT)


@pytest.mark.parametrize("huge", [90_000_00, -90_000_00])
def test_one_huge_month_flattens_no_other(huge: int) -> None:
    """Its column is cut, is still the highest its way, has its number above it, and it is said."""
    usual = [(4_000_00, 3_000_00), (4_100_00, 3_500_00), (4_000_00, -2_900_00)] * 4
    picture = in_and_out(drawn.months_to_today([*usual, (huge, 3_100_00), *usual]), "USD")
    texts = [each.text for each in read(picture).iter("text")]
    (gap,) = boxes(picture, "paper")
    column = boxes(picture, "in")[len(usual)]
    heights = [size(each, "height") for each in boxes(picture, "in", "out")]
    top, bottom = size(column, "y"), size(column, "y") + size(column, "height")
    assert texts.count("−$90,000" if huge < 0 else "$90,000") == 1
    assert any(says(each or "", "pale:", "gap: cut") for each in texts)
    assert top < size(gap, "y") < bottom - size(gap, "height")
    assert max(heights) < 3 * sorted(heights)[len(heights) // 2]
    assert all(top <= size(each, "y") for each in boxes(picture, "in", "out")) or huge < 0

    over = in_and_out(drawn.months_to_today([*usual, (huge, 0), (1, 1)])[:-1], "USD")
    assert any("gap: cut," in (each.text or "") for each in read(over).iter("text"))
    assert not boxes(in_and_out(drawn.months_to_today(usual), "USD"), "paper")


def test_neighbouring_numbers_stand_apart() -> None:
    """What two cut months come to stands on two lines, and both of one month on one."""
    usual = [(4_000_00, 3_000_00)] * 20
    cut = [(90_000_00, 80_000_00), (70_000_00, 3_000_00)]
    picture = in_and_out(drawn.months_to_today([*usual, *cut, *usual[:3]]), "USD")
    above = {each.text: each.get("y") for each in read(picture).iter("text")}
    assert {"$90,000 / $80,000", "$70,000"} <= above.keys()
    assert above["$90,000 / $80,000"] != above["$70,000"]


@given(many_bars, currencies)
def test_a_folded_bar_is_as_long_as_its_amount(bars: list[Bar], currency: str) -> None:
    """The lines of a bar together are as long as its amount is large, on one scale for all bars."""
    line = line_of([bar.amount for bar in bars], currency)
    root = read(where_it_goes(bars, currency))
    groups = [[size(each, "width") for each in group.iter("rect")] for group in root.iter("g")]
    full = next(
        (lengths[0] for lengths, bar in zip(groups, bars, strict=True) if abs(bar.amount) >= line),
        0,
    )

    assert len(groups) == len(bars)
    for lengths, bar in zip(groups, bars, strict=True):
        assert len(lengths) <= 4
        expected = full * abs(bar.amount) / line
        assert sum(lengths) == pytest.approx(expected, abs=EXACT * max(1, len(lengths)))
        assert all(length == full for length in lengths[:-1])


def test_a_bar_says_its_amount_as_the_table_does() -> None:
    """Whole units that have to add up with others stand beside the bar; else its own, rounded."""
    for units, figure in ((115, "$115"), (None, "$116")):
        picture = where_it_goes([Bar("Groceries", 115_50, "essential", units)], "USD")
        texts = [each.text for each in read(picture).iter("text")]
        assert figure in texts
        assert "Groceries: $115.50 a month" in picture.svg()


def test_one_huge_amount_does_not_flatten_the_rest() -> None:
    """A bar many times the others is folded, the others can be seen, and the scale is said."""
    bars = [
        Bar("Rent", 2_000_00, "essential"),
        *(Bar(f"{each}", 100_00, "others") for each in range(3)),
    ]
    picture = where_it_goes(bars, "USD")
    (*rent, _one, _two, three) = (
        size(each, "width") for each in boxes(picture, "essential", "others")
    )

    assert len(rent) == 4
    assert three * 20 == pytest.approx(sum(rent), abs=0.3)
    assert three > 30
    assert "full width: $500" in picture.svg()
    for amount, is_folded in ((800_00, False), (800_01, True)):
        one = where_it_goes([Bar("Rent", amount, "essential"), bars[1]], "USD")
        assert ("full width" in one.svg()) == is_folded


@given(st.lists(amounts, min_size=2, max_size=30))
def test_a_line_keeps_the_order_of_its_amounts(worths: list[int]) -> None:
    """Points lie in the order of their days, and the larger amount never lies lower."""
    places = points(net_worth(drawn.month_ends(worths), "USD"), "line")

    assert all(before[0] < after[0] for before, after in pairwise(places))
    by_amount = sorted(zip(worths, (y for _, y in places), strict=True))
    assert all(more[1] <= less[1] for less, more in pairwise(by_amount))


def test_what_is_not_known_is_no_line() -> None:
    """Where months are missing dots lead over them, and the picture says what they mean."""
    whole = drawn.month_ends([90_00, 10_00, 50_00, 70_00])
    holed = net_worth([*whole[:1], *whole[2:]], "USD")
    lines = list(read(holed).iter("polyline"))
    (dots,) = (each for each in read(holed).iter("line") if each.attrib["class"] == "now")

    assert [len(each.attrib["points"].split()) for each in lines] == [1, 2]
    assert f"{dots.attrib['x1']},{dots.attrib['y1']}" == lines[0].attrib["points"]
    assert f"{dots.attrib['x2']},{dots.attrib['y2']}" == lines[1].attrib["points"].split()[0]
    assert "dotted: unknown" in holed.svg()
    assert "dotted" not in net_worth(whole, "USD").svg()


def test_a_worth_that_only_rose_is_told_so() -> None:
    """Nobody says that something fell no times."""
    risen = net_worth(drawn.month_ends([10_00, 20_00, 30_00]), "USD")
    dipped = net_worth(drawn.month_ends([10_00, 5_00, 30_00]), "USD")

    assert "It never fell" in risen.description
    assert "It fell once" in dipped.description


@pytest.mark.parametrize("worth", ["at most", "at least"])
def test_a_worth_that_is_a_bound_is_told_as_one(worth: Literal["at most", "at least"]) -> None:
    """The picture says so in itself and to whoever hears it, since it goes without its page as well."""
    ends = drawn.month_ends([90_00, 10_00, 50_00])
    bounded = net_worth(ends, "USD", worth)

    assert f">{worth}: a balance is missing<" in bounded.svg()
    assert bounded.description.startswith(f"{worth.capitalize()} $50.00 on 23 November 2026")
    assert "is unknown" not in net_worth(ends, "USD").svg()


def test_a_scale_that_leaves_nothing_out_says_where_it_begins() -> None:
    """Where nothing is not on the scale the picture says so; columns always stand on it."""
    cut = net_worth(drawn.month_ends([90_000_00, 90_500_00, 91_000_00]), "USD")
    whole = net_worth(drawn.month_ends([1_000_00, 90_500_00]), "USD")
    below = net_worth(drawn.month_ends([-91_000_00, -90_000_00]), "USD")

    assert "starts at $90,000" in cut.svg()
    assert "starts at" not in whole.svg()
    assert 'class="zero"' in whole.svg()
    assert "starts at −$91,000" in below.svg()
    steady = in_and_out(drawn.months_to_today([(90_000_00, 90_100_00)] * 3), "USD")
    assert 'class="zero"' in steady.svg()


def test_the_range_lies_about_what_is_expected() -> None:
    """The band goes along the upper end and back along the lower; without a range there is none."""
    picture = days_ahead(drawn.evenings([100_00, 90_00, 80_00], 500), "USD")
    line, band = points(picture, "line"), points(picture, "band")
    upper, lower = band[:3], band[:2:-1]

    for (x, y), (above_x, above), (below_x, below) in zip(line, upper, lower, strict=True):
        assert x == above_x == below_x
        assert above <= y <= below
        assert y - above == pytest.approx(below - y, abs=EXACT)
    unknown = days_ahead(drawn.evenings([100_00, 90_00], None), "USD")
    assert not list(read(unknown).iter("polygon"))
    assert "80% range" not in unknown.svg()


def test_today_and_the_lowest_day_are_marked() -> None:
    """The first of the lowest evenings has its dot and its amount, and today is where the days begin."""
    picture = days_ahead(drawn.evenings([300_00, -20_00, 500_00, -20_00], None), "USD")
    (dot,) = (each for each in read(picture).iter("circle") if each.get("class") == "low")

    assert (size(dot, "cx"), size(dot, "cy")) == points(picture, "line")[1]
    assert "−$20 on 24 Nov" in picture.svg()
    assert ">today<" in picture.svg()
    assert picture.description.endswith("Lowest: −$20.00 on 24 November 2026.")


def test_a_day_of_little_is_not_overlooked() -> None:
    """Every day with a bill has its dot, however small the bill is beside another day's."""
    picture = drawn.some_bills([(2, "Rent", 200_000), (9, "Cloud", 99), (9, "Phone", 1)])
    dots = [each for each in read(picture).iter("circle") if each.get("class") == "out"]

    assert len(dots) == 2
    assert "2 Dec: Cloud $0.99, Phone $0.01" in picture.svg()


def test_names_of_bills_do_not_cover_each_other() -> None:
    """Of days beside each other only so many are named as there is room for."""
    picture = drawn.some_bills([(day, f"Rather long names {day}", 5_000) for day in range(31)])
    texts = [each.text or "" for each in read(picture).iter("text")]
    named = [each for each in texts if each.startswith("Rather")]

    assert 0 < len(named) <= 4


def test_a_month_that_is_not_whole_is_pale() -> None:
    """What is not known whole looks another way, and the picture says why."""
    months = drawn.months_to_today([(500, 400), (300, 200)])
    now, over = in_and_out(months, "USD"), in_and_out(months[:1], "USD")

    assert len(boxes(now, "in", "out")) == len(boxes(now, "in part", "out part")) == 2
    assert "pale: partial" in now.svg()
    assert "pale" not in over.svg()
    assert says(now.description, "October 2026:", "$5.00 in, $4.00 out, $1.00 left.")


@given(pictures)
def test_a_picture_can_be_heard(picture: plot.Picture) -> None:
    """It is one image with a name and a sentence, and the same in figures."""
    root = read(picture)
    by_id = {each.attrib["id"]: each for each in root if "id" in each.attrib}
    named, described = (by_id[each] for each in root.attrib["aria-labelledby"].split())

    assert root.attrib["role"] == "img"
    assert named.text == picture.title
    assert described.text
    assert all(len(row) == len(picture.figures.heads) for row in picture.figures.rows)


def test_years_are_named_once() -> None:
    """However many months there are, their names have room, and each year is named once."""
    for count in (1, 2, 12, 36, 60, 200, 1200):
        picture = in_and_out(drawn.months_to_today([(1, 1)] * count), "USD")
        texts = [each.text or "" for each in read(picture).iter("text")]
        years = [each for each in texts if each.isdigit()]
        assert "2026" in years or count > 60
        assert years
        assert len(years) == len(set(years))
        assert len(texts) < 40


HOUSEHOLDS: dict[str, Callable[[], Iterator[plot.Picture]]] = {
    "usual": drawn.a_household,
    "poor": drawn.a_poor_household,
    "rich": drawn.a_rich_household,
}


@pytest.mark.parametrize("name", HOUSEHOLDS)
def test_the_pictures_of_a_household(name: str) -> None:
    """The file is the golden one; `GOLDEN=write pytest …` writes it anew, to be looked at."""
    page = "<p>".join(each.svg() for each in HOUSEHOLDS[name]())
    file = sheet("Pictures", list(drawn_in(page).values()))

    kept_in("pictures", "svg")(name, file.decode().replace("><", ">\n<"))


def test_no_name_of_a_bill_is_struck_through() -> None:
    """Beside a column of next to nothing a name stands on the line of days, whole."""
    months = [(3, "Oakwood Apartments", 140_000), (5, "Xfinity", 6_499), (11, "Spotify", 1_199)]
    picture = drawn.some_bills([*months, (14, "City of Austin", 8_614), (19, "Netflix", 1_549)])
    (line,) = (each for each in read(picture).iter("line") if each.attrib["class"] == "zero")
    named = {
        text.text: float(text.attrib["y"])
        for text in read(picture).iter("text")
        if text.text in {"Xfinity", "Netflix", "Spotify", "City of Austin"}
    }

    assert {"Netflix", "City of Austin"} <= named.keys()
    assert max(named.values()) + 2 < float(line.attrib["y1"])


def test_bills_after_the_last_day_are_not_drawn() -> None:
    """A pay day beyond the days that are drawn is no mark."""
    until = drawn.TODAY + timedelta(days=30)
    bills = [DrawnBill(drawn.TODAY, "Rent", 5)]
    late = bills_ahead(bills, drawn.TODAY, until, until + timedelta(days=1), "USD").svg()

    assert "next pay" not in late
    assert "next pay" in bills_ahead(bills, drawn.TODAY, until, until, "USD").svg()


@pytest.mark.parametrize(
    ("amounts", "told"),
    [
        ([100_00, 100_00], "the same as on"),
        ([100_00, 100_01], "$0.01 more than on"),
        ([100_01, 100_00], "$0.01 less than on"),
    ],
)
def test_what_net_worth_did_is_said(amounts: list[int], told: str) -> None:
    """Whoever hears the picture is told which way it went, and that it went neither."""
    assert told in net_worth(drawn.month_ends(amounts), "USD").description


def test_a_range_with_one_end_is_not_known() -> None:
    """In figures a day has both ends of its range, or none."""
    days = drawn.evenings([100_00, 200_00, 300_00], 10_00)
    half = [days[0], days[1]._replace(low=None), days[2]._replace(high=None)]
    figures = days_ahead(half, "USD").figures
    assert figures is not None
    assert [row[2] == "unknown" for row in figures.rows] == [False, True, True]


@pytest.mark.parametrize("many", [30, 60, 90, 120])
def test_weeks_are_named_where_there_is_room(many: int) -> None:
    """Mondays are named below, none beside the name of the first day nor beyond the end."""
    since, left = drawn.TODAY, 60.0
    until = since + timedelta(days=many)
    named = [
        str(piece) for piece in plot.weeks_below(since, until, left, 100.0) if ">" in str(piece)
    ]
    marks = [float(found) for piece in named for found in re.findall(r' x="([\d.]+)"', piece)]
    assert marks
    assert min(marks) >= left + 38
    assert max(marks) <= plot.RIGHT - 18
    assert max(marks) >= plot.RIGHT - 100


RENT, FOOD = Bar("Rent", 900_00, "essential"), Bar("Food", 400_00, "essential")
BACK, REST = Bar("Refunds", -50_00, "discretionary"), Bar("12 others", 2_000_00, "others")


@pytest.mark.parametrize(
    ("bars", "said"),
    [
        ((RENT,), ("Largest: Rent, $900.00.",)),
        ((FOOD, RENT), ("by category (2).", "Largest: Rent, $900.00.")),
        ((RENT, REST), ("1 largest category,", "others.", "Largest: Rent, $900.00.")),
        ((RENT, FOOD, REST), ("2 largest categories,", "others.", "Largest: Rent, $900.00.")),
        ((BACK,), ("spending.",)),
        ((Bar("Rent", 0, "essential"),), ("spending.",)),
        ((FOOD, BACK), ("by category (2).", "Largest: Food, $400.00.")),
    ],
)
def test_what_is_said_of_bars_is_true_of_each(bars: tuple[Bar, ...], said: tuple[str, ...]) -> None:
    """Named as the most is one kind that money goes to, never what many take together or a refund."""
    told = where_it_goes(bars, "USD").description
    assert says(told, *said)
    assert told.endswith(said[-1])


@pytest.mark.parametrize("many", [2, 9, 25, 40, 61, 75, 100, 120, 150, 200, 400, 1000])
def test_each_year_names_the_same_months(many: int) -> None:
    """Months that are named are as far apart in all years; where none has room, years stand there."""
    first = 2000 * 12
    months = [date(number // 12, number % 12 + 1, 1) for number in range(first, first + many)]
    step = (plot.RIGHT - 60.0) / (many - 1)
    places = [(month, 60.0 + place * step) for place, month in enumerate(months)]
    below = "".join(plot.months_below(places, 100.0))
    named: dict[str, float] = {}
    years: set[float] = set()
    names = []
    for y, text in re.findall(r' y="([\d.]+)"[^>]*>([^<]+)<', below):
        if text.isdigit():
            years.add(float(y))
        else:
            names.append(text)
            named[text] = float(y)
    assert len(years) == 1
    assert all(y < min(years) for y in named.values())
    if not names:
        assert years == {115.0}
    numbers = [list(calendar.month_abbr).index(name) for name in names]
    apart = {(after - before) % 12 or 12 for before, after in pairwise(numbers)}
    assert len(apart) <= 1
    assert all(12 % each == 0 for each in apart)


def test_months_that_have_just_enough_room_are_named() -> None:
    """Names of months stand 24 apart at least, and a month that does is named."""
    months = [date(2026, number, 1) for number in range(1, 7)]
    names = [f"{month:%b}" for month in months]
    for apart, named in ((24.0, names), (23.9, names[::2])):
        places = [(month, 60.0 + place * apart) for place, month in enumerate(months)]
        below = "".join(plot.months_below(places, 100.0))
        assert re.findall(r">([A-Z][a-z]+)<", below) == named


def test_what_is_said_of_a_month_says_whether_it_is_all_of_it() -> None:
    """The last whole month is told; without one the last is, and that it is told in part."""
    november = MonthOfMoney(date(2026, 11, 1), 0, 500_00, is_complete=False)
    october = MonthOfMoney(date(2026, 10, 1), 700_00, 500_00, is_complete=True)
    told = in_and_out([november], "USD").description
    assert says(told, "November 2026 (partial):", "$0.00 in, $500.00 out")
    told = in_and_out([october, november], "USD").description
    assert says(told, "to November 2026. October 2026:", "$700.00 in, $500.00 out, $200.00 left.")


listed_amounts = st.lists(st.integers(-LARGEST, LARGEST), min_size=1, max_size=9)


@given(listed_amounts, st.sampled_from([1, 100, 1000]), st.booleans())
def test_every_amount_lies_between_the_ends(known: list[int], unit: int, from_zero: bool) -> None:
    """The ends are round and are marks, no amount lies beyond, and there are two to seven marks."""
    scale = (plot.Scale.from_zero if from_zero else plot.Scale.around)(known, unit)

    assert scale.low <= min(known) <= max(known) <= scale.high
    assert 2 <= len(scale.marks) <= 7
    assert (scale.marks[0], scale.marks[-1]) == (scale.low, scale.high)
    assert str(scale.step).rstrip("0") in {"1", "2", "5"}
    assert scale.low % scale.step == scale.high % scale.step == 0
    if from_zero:
        assert not scale.is_cut
    assert scale.place(scale.low, 10, 20) == 10
    assert scale.place(scale.high, 10, 20) == 20


@given(listed_amounts, st.sampled_from(["USD", "JPY", "KWD", "CHF"]))
def test_no_two_marks_read_the_same(known: list[int], currency: str) -> None:
    """Marks are as many different texts, and none is longer than sixteen characters."""
    scale = plot.Scale.around(known, plot.unit_of(currency))
    texts = plot.written(scale, currency)

    assert len(set(texts)) == len(scale.marks)
    assert max(map(len, texts)) <= 16


@pytest.mark.parametrize(
    ("known", "currency", "texts"),
    [
        ([0, 1_850_00], "USD", ["$0", "$500", "$1,000", "$1,500", "$2,000"]),
        ([0, 0], "CHF", ["CHF 0.00", "CHF 0.50", "CHF 1.00"]),
        ([-300_00, 100_00], "EUR", ["−€300", "−€200", "−€100", "€0", "€100"]),
        ([0, 41_000_00], "USD", ["$0", "$20K", "$40K", "$60K"]),
        ([0, 9_000_000], "JPY", ["¥0", "¥5M", "¥10M"]),
        ([0, 41_000_000], "JPY", ["¥0", "¥20M", "¥40M", "¥60M"]),
        ([0, 7], "USD", ["$0.00", "$0.50", "$1.00"]),
        ([5_000_00, 5_000_00], "USD", ["$0", "$2,000", "$4,000", "$6,000"]),
        ([90_000_00, 91_000_00], "USD", ["$90,000", "$90,500", "$91,000"]),
    ],
)
def test_marks_as_they_are_written(known: list[int], currency: str, texts: list[str]) -> None:
    """Round amounts in the household's currency, short where they are large."""
    assert plot.written(plot.Scale.around(known, plot.unit_of(currency)), currency) == texts


def test_nothing_is_on_the_scale_unless_it_is_far() -> None:
    """What moves by half of its size or more is drawn from nothing, the rest from near it."""
    assert not plot.Scale.around([200, 300], 1).is_cut
    assert plot.Scale.around([201, 300], 1).is_cut
    assert plot.Scale.around([-300, -201], 1).is_cut
    assert not plot.Scale.around([-300, -200], 1).is_cut


@given(st.integers(-5, 10**20))
def test_rounding_up(size: int) -> None:
    """The result is 1, 2 or 5 times a power of ten, no smaller, and the next smaller one would be."""
    rounded = plot.round_up(size)
    assert rounded >= size
    before = rounded * 2 // 5 if str(rounded)[0] == "5" else rounded // 2
    assert before < size or rounded == 1


PAGE = Path(pages.__file__).with_name("plan.css").read_text(encoding="utf-8")


def _file() -> str:
    page = "".join(each.svg() for each in drawn.a_household())
    return sheet("Plan & pictures", list(drawn_in(page).values())).decode()


def test_a_file_loads_and_runs_nothing() -> None:
    """No script, no style or file from elsewhere, no link: only the name of SVG itself."""
    file = _file()
    root = ET.fromstring(file)
    tags = {each.tag.rpartition("}")[2] for each in root.iter()}

    assert file.count("http") == file.count('xmlns="http://www.w3.org/2000/svg"') == 1
    assert not re.search(r"url\(|@import|href|var\(", file)
    assert tags == {
        "svg",
        "title",
        "desc",
        "style",
        "rect",
        "text",
        "line",
        "g",
        "polyline",
        "polygon",
        "circle",
    }
    assert not [name for each in root.iter() for name in each.attrib if name.startswith("on")]


def test_each_picture_stands_below_the_one_before() -> None:
    """No picture covers another, each has its title above, and all are in the file."""
    root = ET.fromstring(_file())
    inner = [each for each in root if each.tag.endswith("}svg")]
    end = 0.0
    for each in inner:
        assert float(each.attrib["y"]) >= end + 20
        end = float(each.attrib["y"]) + float(each.attrib["height"])
    assert end <= float(root.attrib["viewBox"].split()[3])
    assert len(inner) == 5
    titles = [each.text or "" for each in root if each.tag.endswith("}text")]
    firsts = [title.split()[0] for title in titles]
    assert firsts == ["Income", "Net", "Forecast", "Where", "Bills"]


def test_the_colours_are_those_of_the_page() -> None:
    """A picture alone looks as it does on the plan's page, by day and by night."""
    by_day, by_night = (
        dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", part)) for part in PAGE.split("@media")[:2]
    )
    used = dict(re.findall(r"var\(--([a-z]+), (#[0-9a-f]{6})\)", style.style()))

    assert set(used) == set(style.DARK)
    assert used.items() <= by_day.items()
    assert style.DARK.items() <= by_night.items()
    assert "@media (prefers-color-scheme: dark)" in style.style_alone()


def test_the_same_values_make_the_same_bytes() -> None:
    """Nothing of a picture is of the moment that it is drawn in."""
    assert _file() == _file()
