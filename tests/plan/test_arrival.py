"""How likely a charge comes: more is seen, more is sure, and nothing but the list follows from it."""

import tomllib
from datetime import date, timedelta
from importlib.resources import files

import pytest

from finplan.plan.detect.cadence import rhythm_of
from finplan.plan.detect.series import LEAST_LIKELY, arrival_of, is_likely, probability_of, signs_of
from tests.plan.households import every, household, monthly

TODAY = date(2025, 12, 22)


def signs(
    days: list[date], amounts: list[int] | int = 50_00, *, others: int = 0, end: int = 3
) -> dict[str, int]:
    """What is seen of charges on such days when the data end some days after the last."""
    ordinals = [day.toordinal() for day in days]
    rhythm = rhythm_of(ordinals)
    assert rhythm is not None
    paid = [amounts] * len(days) if isinstance(amounts, int) else amounts
    seen = signs_of(rhythm, ordinals, paid, paid[-1], others, ordinals[-1] + end)
    return {sign: int(value) for sign, value in seen.items() if value}


YEAR = monthly("2025-01-05", 11)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (signs(YEAR), {}),
        (signs(YEAR[:3]), {"seen three times": 1}),
        (signs(YEAR[:4]), {"seen four or five times": 1}),
        (signs(YEAR[:5]), {"seen four or five times": 1}),
        (signs(YEAR[:6]), {}),
        (signs(monthly("2025-01-05", 12)), {"seen twelve times or more": 1}),
        (signs(YEAR, others=1), {"other charges at the payee": 1}),
        (signs(YEAR, others=11), {"other charges at the payee": 1}),
        (
            signs(YEAR, others=12),
            {"other charges at the payee": 1, "more other charges than own": 1},
        ),
        (signs(YEAR, end=30), {}),
        (signs(YEAR, end=31), {"late": 1}),
        (signs(YEAR, end=35), {"late": 1}),
        (signs(YEAR, end=36), {"left out once": 1}),
        (signs([*YEAR[:4], *YEAR[5:]]), {"tenths of its periods missed": 1}),
        (
            signs(YEAR, [50_00] * 9 + [40_00, 50_00]),
            {"sixths of the last amounts that were off": 1},
        ),
        (signs(YEAR, [50_00] * 4 + [40_00] + [50_00] * 6), {}),
        (signs(YEAR, [50_00] * 10 + [45_00]), {"sixths of the last amounts that were off": 5}),
        (
            signs(YEAR, [50_00 + cents for cents in range(11)]),
            {"no two of the last amounts are equal": 1},
        ),
        (
            signs([day + timedelta(place % 2) for place, day in enumerate(YEAR)]),
            {"quarters of a day astray": 2},
        ),
    ],
)
def test_what_is_seen(seen: dict[str, int], expected: dict[str, int]) -> None:
    """Each sign begins and ends where its name says."""
    assert seen == {"always": 1, "comes monthly": 1, **expected}


def test_each_weight_is_of_a_sign_that_can_be_seen() -> None:
    """The shipped weights are whole numbers, and none is of a sign that nothing shows."""
    shipped = tomllib.loads(
        files("finplan.plan.detect").joinpath("arrival.toml").read_text("utf-8")
    )
    rhythm = rhythm_of([day.toordinal() for day in YEAR])
    assert rhythm is not None
    known = {*signs_of(rhythm, [day.toordinal() for day in YEAR], [1] * 11, 1, 0, 0)}
    assert set(shipped) == {"day", "next", "amount", "again"}
    home = household().checking(covered=("2024-01-01", "2025-12-01"))
    home.charges(["2025-03-01"], "hmrc", 900_00, "taxes")
    (once,) = home.books("2025-12-01").expected_again
    assert once.signs is not None
    kinds = {"tax", "insurance", "licence", "membership", "school", "council"}
    assert set(shipped.pop("again")) == {*once.signs} | kinds
    for weights in shipped.values():
        assert all(type(weight) is int for weight in weights.values())
        assert {sign for sign in weights if not sign.startswith("comes ")} <= known


def test_a_steady_charge_is_sure_and_a_late_one_is_not() -> None:
    """A charge that was left out may have stopped, and a bill that varies is sure of its day alone."""
    steady, late = signs(YEAR), signs(YEAR, end=33)
    assert probability_of(steady) >= 0.9
    assert arrival_of(late) < arrival_of(steady)
    varying = signs(
        YEAR, [50_00, 80_00, 61_00, 40_00, 72_00, 55_00, 93_00, 48_00, 66_00, 77_00, 51_00]
    )
    assert arrival_of(varying) >= LEAST_LIKELY > probability_of(varying)
    for seen in (steady, late, varying):
        assert 0 <= probability_of(seen) <= arrival_of(seen) <= 1
        assert round(probability_of(seen), 2) == probability_of(seen)


def test_a_varying_bill_stays_in_the_plan() -> None:
    """What keeps its day is recurring, though nobody can tell its amount within a tenth."""
    meter = [50_00, 80_00, 61_00, 40_00, 72_00, 55_00, 93_00, 48_00, 66_00, 77_00, 51_00, 85_00]
    home = household().checking(covered=("2025-01-01", TODAY))
    (one,) = (
        home.charges(monthly("2025-01-05", 12), "POWER", meter, "utilities").books(TODAY).charges
    )
    assert one.probability is not None
    assert one.probability < LEAST_LIKELY <= (one.arrival or 0)


def test_what_comes_so_unevenly_that_its_day_is_a_guess_is_not_recurring() -> None:
    """Seldom in its period and days astray, it is kept apart; income and what is over tell nothing."""
    uneven = signs(YEAR) | {"tenths of its periods missed": 9, "quarters of a day astray": 8}
    assert not is_likely(uneven)
    assert is_likely(signs(YEAR))
    home = household().checking(covered=("2022-01-01", TODAY))
    home.charges(every("2025-01-03", 7, 20), "LESSONS", 45_00, "education")
    home.credits(monthly("2025-01-28", 11), "ACME", 3_000_00, "wages")
    books = home.books(TODAY)
    assert [(one.name, one.active, one.probability) for one in books.charges] == [
        ("LESSONS", False, None)
    ]
    assert books.unlikely == []
    assert [one.probability for one in books.sources] == [None]


@pytest.mark.parametrize("late", [1, 5, 6, 18])
def test_a_late_bill_stays_in_the_plan_and_is_only_likely(late: int) -> None:
    """The rent that was not paid yet is still the rent, and nobody is sure of it."""
    days = [day for day in monthly(TODAY - timedelta(365), 24) if (TODAY - day).days >= late + 20]
    due = next(day for day in monthly(days[0], 24) if day > days[-1])
    today = due + timedelta(late)
    home = household().checking(covered=(days[0], today)).charges(days, "LANDLORD", 900_00, "rent")
    (one,) = home.books(today).charges
    assert (one.active, is_likely(one.signs or {})) == (True, True)
    assert (one.probability or 1) < 0.8


def test_no_figure_is_scaled() -> None:
    """The amount and the month of a likely charge are those of a sure one."""
    home = household().checking(covered=("2025-01-01", TODAY))
    home.charges(monthly("2025-10-05", 3), "GYM", 30_00, "hobbies")
    home.charges(monthly("2025-01-05", 12), "CLUB", 30_00, "hobbies")
    likely, sure = sorted(home.books(TODAY).charges, key=lambda one: one.count_all)
    assert likely.probability is not None
    assert sure.probability is not None
    assert likely.probability < sure.probability
    assert (likely.amount, likely.monthly) == (sure.amount, sure.monthly) == (30_00, 30_00)
