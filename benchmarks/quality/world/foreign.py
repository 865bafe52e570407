"""Money sent to an own account in another currency: both rows say the account and the sum sent."""

from datetime import timedelta

from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.moves import some_day
from benchmarks.quality.world.truth import LabelledRow
from benchmarks.quality.world.voices import CURRENCY

_RATES = {"USD": 1.0, "EUR": 1.12, "GBP": 1.31}
"""What a unit of each currency is worth in dollars, about."""

_DRIFT = 0.04


def write_foreign(diary: Diary) -> None:
    """Write what goes to the household's foreign account, if it has one."""
    away = diary.account("foreign")
    if away is None:
        return
    home, own = diary.held("checking"), CURRENCY[diary.country]
    for _ in range(diary.dice.randint(3, 14)):
        day = some_day(diary)
        arrival = day + timedelta(diary.dice.choice((0, 0, 1, 2)))
        drift = 1 + diary.dice.uniform(-_DRIFT, _DRIFT)
        rate = _RATES[own] / _RATES[away.currency] * drift
        sent = diary.dice.randint(10, 400) * 500
        got = round(sent * rate)
        pair = diary.number()
        out = f"TRANSFER TO {away.currency} ACCOUNT {away.mask} {away.currency} {got / 100:.2f}"
        into = f"TRANSFER FROM {own} ACCOUNT {home.mask} {own} {sent / 100:.2f} RATE {rate:.4f}"
        diary.book(LabelledRow(home.number, day, -sent, out, "own account", pair=pair))
        diary.book(LabelledRow(away.number, arrival, got, into, "own account", pair=pair))
