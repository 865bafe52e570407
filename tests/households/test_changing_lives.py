"""Households whose life changes, as statement files, with what a planner would say of each.

The files lie beside the project; FINPLAN_CASES names another folder of them.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from pathlib import Path
from shutil import copyfile

import pytest

from finplan.banks.base import Manual
from finplan.model.plan import IncomeSource
from finplan.model.snapshot import Forecast, ForecastQuery
from finplan.model.statement import ImportRequest
from finplan.model.user import SettingsChange
from finplan.operation import UploadedFile
from finplan.service.context import Caller, Context
from finplan.service.imports.imports import import_files
from finplan.service.people import change_settings, ensure_owner
from finplan.service.planning.views import show_forecast
from finplan.store.store import Store
from tests.households.conftest import Home, Shown

FOLDER = Path(os.environ.get("FINPLAN_CASES", Path(__file__).parents[3] / "shared" / "cases3"))

pytestmark = pytest.mark.skipif(
    not (FOLDER / "households").exists(), reason=f"the cases are not in {FOLDER} (FINPLAN_CASES)"
)

ON_THE_22ND, ON_THE_29TH = date(2026, 11, 22), date(2026, 11, 29)


class Lived:
    """A household of the folder with its files imported, on a day."""

    def __init__(self, home: Home, shown: Shown, forecast: Forecast) -> None:
        self.home, self.shown, self.forecast = home, shown, forecast
        self.plan, self.running = shown.view.plan, shown.view.running

    @property
    def planned(self) -> int:
        """The sum of the budget's targets."""
        return sum(item.target for item in self.plan.budget)

    @property
    def kinds(self) -> set[str]:
        """The kinds of the plan's actions."""
        return {action.kind for action in self.plan.actions}

    def source(self, name: str) -> IncomeSource:
        """The one source of a name."""
        (found,) = [each for each in self.plan.income_sources if each.name == name]
        return found

    def says(self, text: str) -> bool:
        """Whether any screen holds a text."""
        return text in " ".join(self.shown.screen.split())


@contextmanager
def opened(tmp_path: Path, empty_store: Path) -> Iterator[Store]:
    copyfile(empty_store, tmp_path / "finplan.db")
    store = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    try:
        yield store
    finally:
        store.close()


async def live(name: str, today: date, tmp_path: Path, empty_store: Path) -> Lived:
    """Import a household's files on a day, with nothing answered."""
    now = datetime.combine(today, time(12), UTC)
    folder = FOLDER / "households" / name
    paths = sorted(folder.glob("part*.ofx")) or sorted(folder.glob("*.ofx"))
    with opened(tmp_path, empty_store) as store:
        owner = await ensure_owner(store, "ada", int(now.timestamp() * 1000))
        caller = Caller(owner, frozenset({"read", "write", "session"}), "session")
        context = Context(caller, store, {"manual": Manual()}, lambda: now)
        await change_settings(context, SettingsChange(time_zone="UTC"))
        uploads = []
        for place, path in enumerate(paths):
            copyfile(path, tmp_path / f"{place}.upload")
            uploads.append(UploadedFile(path.name, tmp_path / f"{place}.upload"))
        await import_files(context, ImportRequest(answers=()), tuple(uploads))
        home = Home(context, tmp_path)
        shown = await home.shown()
        return Lived(home, shown, await show_forecast(context, ForecastQuery(days=60)))


async def test_a_new_job_is_planned_with(tmp_path: Path, empty_store: Path) -> None:
    """Four pays of the new job, two of them in the full months."""
    lived = await live("a1_new_job", ON_THE_22ND, tmp_path, empty_store)
    assert lived.planned == lived.running.income == 5_113_33
    assert lived.plan.budget[2].target > 0
    assert lived.shown.snapshot.allowance.daily > 6_00
    assert lived.kinds.isdisjoint({"income_stopped", "cover_shortfall"})
    assert not lived.says("live on savings")
    assert lived.says("Globex has paid $5,113")


async def test_daycare_is_a_need_from_now_on(tmp_path: Path, empty_store: Path) -> None:
    """Since September 1,250 a month: the fund and what is put aside hold it."""
    lived = await live("a2_daycare", ON_THE_22ND, tmp_path, empty_store)
    assert lived.plan.emergency_fund.monthly_contribution <= 1_900_00
    assert lived.running.essentials - lived.plan.monthly.essentials == 1_041_66
    assert lived.plan.emergency_fund.target_amount == 6 * lived.running.essentials


async def test_back_from_leave_the_whole_pay_counts(tmp_path: Path, empty_store: Path) -> None:
    """Nineteen months without pay before 26 pays in a row take nothing off them."""
    lived = await live("a3_back_from_leave", ON_THE_22ND, tmp_path, empty_store)
    assert lived.source("Initech").monthly == lived.planned == 4_333_33


async def test_a_car_and_an_inheritance_move_no_target(tmp_path: Path, empty_store: Path) -> None:
    """Both came once: targets, fund and the days ahead are as without them."""
    lived = await live("a4_car_bought", ON_THE_22ND, tmp_path, empty_store)
    assert lived.running.essentials == lived.plan.monthly.essentials == 2_667_40
    assert lived.plan.monthly.total_spend - lived.running.total_spend == 1_541_67
    pay = 5 * lived.source("3m").amount
    assert lived.forecast.start is not None
    highest = max(day.high or day.expected for day in lived.forecast.days)
    assert highest <= lived.forecast.start + pay


async def test_two_pensions_of_one_payer_retire_a_couple(tmp_path: Path, empty_store: Path) -> None:
    """Each keeps its 28 days, a teachers' pension is one, and income covers spending."""
    lived = await live("a6_two_pensions", ON_THE_22ND, tmp_path, empty_store)
    assert [each.interval_days for each in lived.plan.income_sources if each.name == "DWP"] == [
        28,
        28,
    ]
    assert not any(each.cadence == "irregular" for each in lived.plan.income_sources)
    assert lived.plan.budget[2].target >= 0
    assert lived.shown.snapshot.allowance.daily > 0
    assert lived.kinds.isdisjoint({"cover_shortfall", "trim_discretionary"})


async def test_a_year_without_statements_is_not_averaged(tmp_path: Path, empty_store: Path) -> None:
    """After the hole there is another job and another rent; the old ones are history."""
    lived = await live("w10_gap", ON_THE_29TH, tmp_path, empty_store)
    assert "income_stopped" not in lived.kinds
    assert any("data from 1 July 2025" in note for note in lived.plan.notes)
    assert lived.running.income == lived.source("Spectrum Health").monthly
    assert [each.amount for each in lived.plan.recurring if each.category == "rent"] == [1_890_00]


async def test_a_lost_job_is_planned_with_its_benefit(tmp_path: Path, empty_store: Path) -> None:
    """The benefit and a partner's pay run; the severance never does, and the gap is told."""
    lived = await live("w1_jobloss", ON_THE_29TH, tmp_path, empty_store)
    assert lived.running.income == 2_500_33 + 1_180_50
    gap = lived.shown.action("cover_shortfall")
    assert gap.amount == -lived.running.surplus > 1_900_00
    assert "last" in gap.detail
    assert lived.plan.budget[2].label == "Drawn from savings"
    assert not lived.says("430%")
    assert not lived.says("Surplus a")


async def test_pensioners_with_savings_are_not_alarmed(tmp_path: Path, empty_store: Path) -> None:
    """Savings of ten years and more carry what three pensions do not."""
    lived = await live("w5_retired", ON_THE_29TH, tmp_path, empty_store)
    wages = [each for each in lived.plan.income_sources if each.name != "Interest"]
    assert len(wages) == 3
    assert not any(each.cadence == "irregular" for each in wages)
    assert lived.shown.snapshot.allowance.daily > 0
    assert lived.kinds.isdisjoint({"cover_shortfall", "trim_discretionary"})


async def test_money_in_that_nobody_named_makes_no_gap(tmp_path: Path, empty_store: Path) -> None:
    """A business mixed with private money: the questions come first, and only what is sure is said."""
    lived = await live("w9_biz", ON_THE_29TH, tmp_path, empty_store)
    standing, snapshot = lived.shown.view.standing, lived.shown.snapshot
    assert standing.provisional
    assert standing.money_in_unknown > 0
    assert lived.plan.actions[0].kind == "answer_questions"
    assert lived.kinds.isdisjoint({"cover_shortfall", "income_stopped", "connect_account"})
    for wrong in ("No pay arrives", "Not covered", "live on savings"):
        assert not lived.says(wrong)
    assert lived.says("Cash after bills")
    assert snapshot.waits_for_answers
    assert snapshot.allowance.today > 0
    assert snapshot.period.unanswered == standing.money_in_unknown


async def test_a_wire_with_a_fee_is_a_transfer(tmp_path: Path, empty_store: Path) -> None:
    """1,015 leave and 1,000 arrive each month: 15 of it are spent, and nothing is pay."""
    lived = await live("a5_wire_with_fee", ON_THE_22ND, tmp_path, empty_store)
    assert lived.plan.monthly.income == lived.running.income == 4_550_00
    fees = {each.category: each.monthly for each in lived.plan.categories}["interest_fees"]
    assert fees == 15_00
    assert [each.name for each in lived.plan.income_sources] == ["Initech"]
