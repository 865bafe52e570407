"""Verdicts on series: each finds its own series again, and what follows it at another price."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from finplan.categorise.catalogue import Catalogue
from finplan.model.user import HouseholdSettings
from finplan.plan.detect.series import AsOf
from finplan.plan.detect.verdicts import accepted_charges, apply_verdicts
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.ledger import Ledger, LedgerPayee, SeriesVerdict
from finplan.plan.ledger.window import window_of

SETTINGS = HouseholdSettings(
    currency="USD", time_zone="UTC", budget_shares=None, target_months=None
)
PAYEES = {
    number: LedgerPayee(key, key.title(), "subscriptions", "unknown_inflow", {})
    for number, key in ((1, "netflix"), (2, "gym"))
}
SAID = SeriesVerdict("ser_1", "charge", "netflix", 9_99, 20250314, "monthly", 30, "dismiss")
TODAY = date(2026, 1, 1)


def _ledger(*verdicts: SeriesVerdict) -> Ledger:
    return Ledger(SETTINGS, {}, PAYEES, (), (), Catalogue(), verdicts=verdicts)


def _moment() -> AsOf:
    return AsOf(window_of(_ledger(), TODAY), TODAY)


def _series(amount: int, first: int, last: int, **more: Any) -> Series:
    """Monthly charges of the 14th in 2025, from one month to another."""
    recent = tuple((date(2025, month, 14), amount) for month in range(first, last + 1))
    series = Series(
        payees=(1,),
        name="Netflix",
        category="subscriptions",
        cadence="monthly",
        interval_days=30,
        amount=amount,
        monthly=amount,
        total=0,
        count=len(recent),
        count_all=len(recent),
        first_date=recent[0][0],
        last_date=recent[-1][0],
        next_date=None,
        active=True,
        steady=True,
        recent=recent,
        account=1,
    )
    return replace(series, **more)


def _held(*series: Series, said: SeriesVerdict = SAID) -> list[bool]:
    """Which of the series the verdict holds for."""
    found = apply_verdicts(series, "charge", _ledger(said), (), _moment())
    return [each.verdict is not None for each in found]


@pytest.mark.parametrize(
    ("series", "held"),
    [
        ([_series(9_99, 1, 6)], [True]),
        ([_series(9_99, 1, 6), _series(24_99, 1, 6)], [True, False]),
        ([_series(24_99, 1, 6), _series(9_99, 1, 6)], [False, True]),
        ([_series(9_99, 1, 6), _series(11_99, 7, 9)], [True, True]),
        ([_series(9_99, 1, 6), _series(11_99, 7, 9), _series(13_99, 10, 12)], [True] * 3),
        ([_series(9_99, 1, 6), _series(24_99, 7, 9)], [True, False]),
        ([_series(9_99, 1, 4), _series(11_99, 9, 12)], [True, False]),
        ([_series(9_99, 1, 6), _series(11_99, 7, 9, cadence="annual")], [True, False]),
        ([_series(11_99, 4, 9)], [True]),
        ([_series(24_99, 4, 9)], [False]),
        ([_series(9_99, 1, 6, payees=(2,))], [False]),
    ],
    ids=[
        "its own",
        "two at one payee",
        "in any order",
        "a price step that parts it",
        "two steps",
        "another subscription",
        "long after",
        "another cadence",
        "a detector that sees less",
        "another price",
        "another payee",
    ],
)
def test_what_a_verdict_holds_for(series: list[Series], held: list[bool]) -> None:
    """For the series with the charge it remembers, and for what continues that one."""
    assert _held(*series) == held


def test_a_dismissed_series_is_left_out_and_a_confirmed_one_is_not() -> None:
    """Only a dismissal takes something out of the plan, and only what it is about."""
    found = [_series(24_99, 1, 6), _series(9_99, 1, 6)]
    for verdict, left in (("dismiss", [24_99]), ("confirm", [24_99, 9_99])):
        said = replace(SAID, verdict=verdict)  # type: ignore[arg-type]
        kept = accepted_charges(found, _ledger(said), (), _moment())
        assert [one.amount for one in kept] == left
    assert accepted_charges(found, _ledger(), (), _moment()) == found


def test_what_hardly_comes_on_its_day_is_recurring_only_by_the_persons_word() -> None:
    """A charge that is less likely than not to come leaves the plan, unless it was confirmed."""
    unlikely = replace(_series(9_99, 1, 6), signs={"tenths of its periods missed": 5})
    likely = replace(_series(24_99, 1, 6), signs={"always": 1, "late": 1})
    kept = accepted_charges([likely, unlikely], _ledger(), (), _moment())
    assert [one.amount for one in kept] == [24_99]
    other = replace(SAID, amount=24_99)
    kept = accepted_charges([likely, unlikely], _ledger(other), (), _moment())
    assert 9_99 not in [one.amount for one in kept]
    confirmed = replace(SAID, verdict="confirm")
    kept = accepted_charges([likely, unlikely], _ledger(confirmed), (), _moment())
    assert [one.amount for one in kept] == [24_99, 9_99]


def test_a_verdict_on_income_is_none_on_charges() -> None:
    """One payee may be paid and pay."""
    assert _held(_series(9_99, 1, 6), said=replace(SAID, kind="income")) == [False]
