"""Made-up values to draw, and what stands in a picture as a reader of XML meets it."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from xml.etree import ElementTree as ET

from finplan.pictures import bars
from finplan.pictures.lines import DayAhead, Point, days_ahead, net_worth
from finplan.pictures.plot import Picture

TODAY = date(2026, 11, 23)


def months_to_today(amounts: Sequence[tuple[int, int]]) -> list[bars.MonthOfMoney]:
    """Months that end with this one, which is not over; income and spending of each."""
    last = TODAY.year * 12 + TODAY.month - 1
    first = last - len(amounts) + 1
    return [
        bars.MonthOfMoney(date(place // 12, place % 12 + 1, 1), *each, place < last)
        for place, each in enumerate(amounts, first)
    ]


def month_ends(amounts: Sequence[int]) -> list[Point]:
    """The ends of the last months, and today."""
    firsts = [month.first for month in months_to_today([(0, 0)] * len(amounts))[1:]]
    days = [*(first - timedelta(days=1) for first in firsts), TODAY]
    return [Point(day, amount) for day, amount in zip(days, amounts, strict=True)]


def evenings(amounts: Sequence[int], spread: int | None) -> list[DayAhead]:
    """Days from today whose range widens by `spread` a day."""
    return [
        DayAhead(
            TODAY + timedelta(days=place),
            amount,
            None if spread is None else amount - spread * place,
            None if spread is None else amount + spread * place,
        )
        for place, amount in enumerate(amounts)
    ]


def a_household() -> Iterator[Picture]:
    """The pictures of a household with a year of history."""
    incomes = [426_000, 426_000, 512_000, 426_000, 430_100, 426_000] * 2
    spendings = [391_244, 402_010, 468_300, 377_955, 515_020, 388_070] * 2
    yield bars.in_and_out(months_to_today(list(zip(incomes, spendings, strict=True))), "USD")
    yield net_worth(month_ends([place * 41_700 + 1_900_000 for place in range(24)]), "USD")
    cash = [320_000 - 9_000 * place + (250_000 if place > 12 else 0) for place in range(61)]
    yield days_ahead(evenings(cash, 3_000), "USD")
    yield bars.where_it_goes(
        [
            bars.Bar("Mortgage", 215_000, "essential"),
            bars.Bar("Groceries", 45_120, "essential"),
            bars.Bar("Eating out and drinks", 38_000, "discretionary"),
            bars.Bar("Utilities", 22_000, "essential"),
            bars.Bar("קניות", 9_000, "discretionary"),
            bars.Bar("Clothing", -4_000, "discretionary"),
            bars.Bar("12 others", 3_000, "others"),
        ],
        "USD",
    )
    yield some_bills(
        [(3, "Netflix", 1_799), (8, "Home mortgage", 215_000), (8, "Gym", 4_000),
         (13, "Power & light", 18_344), (29, "Insurance", 30_000)]
    )  # fmt: skip


def a_poor_household() -> Iterator[Picture]:
    """The pictures of somebody without income, with one account and little of a month."""
    yield bars.in_and_out(months_to_today([(0, 8_150)]), "EUR")
    yield net_worth(month_ends([-12_040]), "EUR")
    yield days_ahead(evenings([-12_040, -12_040, -14_000], None), "EUR")
    yield bars.where_it_goes([bars.Bar("Groceries", 8_150, "essential")], "EUR")
    yield some_bills([], currency="EUR")


def a_rich_household() -> Iterator[Picture]:
    """The pictures of three years in a currency without minor units, with one huge amount."""
    amounts = [(9_000_000 + 100_000 * place, 4_000_000) for place in range(35)]
    yield bars.in_and_out(months_to_today([*amounts, (0, 350_000_000)]), "JPY")
    yield net_worth(month_ends([900_000_000 + 1_000_000 * each for each in range(36)]), "JPY")
    yield days_ahead(evenings([90_000_000] * 121, 1_000_000), "JPY")
    kinds = [bars.Bar(f"Kind {each}", 40_000 - 1_000 * each, "essential") for each in range(8)]
    yield bars.where_it_goes(
        [bars.Bar("Rent of the house by the sea", 2_000_000, "essential"), *kinds], "JPY"
    )
    yield some_bills([(each, f"Bill {each}", 10_000) for each in range(31)], currency="JPY")


def some_bills(due: Sequence[tuple[int, str, int]], currency: str = "USD") -> Picture:
    """Bills so many days from today."""
    bills = [
        bars.DrawnBill(TODAY + timedelta(days=days), name, amount) for days, name, amount in due
    ]
    until, payday = TODAY + timedelta(days=30), TODAY + timedelta(days=5)
    return bars.bills_ahead(bills, TODAY, until, payday, currency)


def read(picture: Picture) -> ET.Element:
    """The picture as XML, which has to be well-formed."""
    return ET.fromstring(picture.svg())


def boxes(picture: Picture, *classes: str) -> list[ET.Element]:
    """The rectangles of any of some classes, but for those of the legend."""
    return [
        each
        for each in read(picture).iter("rect")
        if each.attrib["class"] in classes and float(each.attrib["y"]) > 10
    ]


def size(element: ET.Element, name: str) -> float:
    """A measure of an element."""
    return float(element.attrib[name])


def points(picture: Picture, name: str) -> list[tuple[float, float]]:
    """The points of the line or the band."""
    (drawn,) = (
        each
        for each in read(picture).iter()
        if each.get("class") == name and "points" in each.attrib
    )
    pairs = (each.split(",") for each in drawn.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


def places(picture: Picture) -> Iterator[tuple[float, float]]:
    """Every point that something is drawn at, texts by where they stand."""
    for each in read(picture).iter():
        about = each.attrib
        if each.tag in {"rect", "text"}:
            yield float(about["x"]), float(about["y"])
        if each.tag == "rect":
            yield (
                float(about["x"]) + float(about["width"]),
                float(about["y"]) + float(about["height"]),
            )
        if each.tag == "circle":
            yield float(about["cx"]), float(about["cy"])
        if each.tag == "line":
            yield float(about["x1"]), float(about["y1"])
            yield float(about["x2"]), float(about["y2"])
        for pair in about.get("points", "").split():
            x, y = pair.split(",")
            yield float(x), float(y)
