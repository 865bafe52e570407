"""The made-up household's days ahead: two weeks and a day, with a day below nothing."""

from datetime import timedelta

from finplan.model.snapshot import Forecast, ForecastDay, ForecastItem, ForecastKind, ForecastLow
from tests.cli.made_up_plan import TODAY

_MOVES: dict[int, tuple[tuple[ForecastKind, str, int, float | None], ...]] = {
    0: (("bill", "City Gas & Electric", -142_18, 0.93),),
    3: (("card", "Sapphire Card", -812_40, None),),
    6: (("bill", "Ashgrove Property Management Company", -1_850_00, 0.98),),
    7: (
        ("income", "Acme Payroll", 2_105_33, None),
        ("bill", "Streamflix", -15_99, 0.97),
        ("bill", "To Brokerage", -250_00, None),
    ),
    14: (),
}


def forecast(*, ranged: bool = True, days: int = 14, start: int = 2_400_00) -> Forecast:
    """Cash of 2,400 that the rent takes below nothing on the sixth day, the day before pay."""
    evening, found = start, []
    for place in range(days + 1):
        items = [
            ForecastItem(kind=kind, name=name, amount=amount, probability=probability)
            for kind, name, amount, probability in _MOVES.get(place, ())
        ]
        if ranged and place:
            usual = -41_07 if place % 7 < 5 else -88_60
            items.append(
                ForecastItem(kind="spending", name="Usual spending", amount=usual, probability=None)
            )
        evening += sum(each.amount for each in items)
        found.append(
            ForecastDay(
                date=TODAY + timedelta(place),
                expected=evening,
                low=evening - 31_00 * place if ranged else None,
                high=evening + 24_00 * place if ranged else None,
                items=tuple(items),
            )
        )
    low = min(found, key=lambda each: each.expected)
    return Forecast(
        since=TODAY,
        until=found[-1].date,
        start=start,
        low=ForecastLow(date=low.date, expected=low.expected),
        days=tuple(found),
        notes=() if ranged else ("Less than a month of history: only what is known.",),
    )


def unknown() -> Forecast:
    """Days that nobody knows, since a balance was not told."""
    note = "The balance of Savings is not known, so the days ahead are not, either."
    until = TODAY + timedelta(60)
    return Forecast(since=TODAY, until=until, start=None, low=None, days=(), notes=(note,))
