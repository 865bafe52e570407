"""Verdicts on duplicates and on series: they are asked about, heeded at once, and never lose a row.

A duplicate counts once after the answer; a dismissed series leaves the plan, a confirmed one stays
in it.
"""

import re
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId
from finplan.model.detection import Duplicate, DuplicateQuery, DuplicateVerdict
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.plan import Plan
from finplan.model.recurring import RecurringQuery, RecurringSeries, RecurringVerdict
from finplan.model.snapshot import Snapshot
from finplan.model.statement import ImportId
from finplan.service.banking.connections import sync_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.plans import build_plan
from finplan.service.planning.views import show_snapshot
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from finplan.service.verdicts.recurring import decide_recurring, list_recurring
from finplan.store.queries import verdicts
from tests.service import one_truth
from tests.service.conftest import bring
from tests.service.own_money import Bank, Branch, csv, linked, second_person, spent
from tests.service.said import all_rows

FIRST = csv(
    "2026-09-01,BAKERY NORTH,-3.10", "2026-09-05,PLUMBER BILL 88,-120.00", "2026-09-09,CAFE,-4.00"
)
LATER = csv(
    "2026-09-01,BAKERY NORTH,-3.10", "2026-09-06,PLUMBER INVOICE,-120.00", "2026-09-09,CAFE,-4.00"
)


async def _duplicates(context: Context, *status: str) -> tuple[Duplicate, ...]:
    return await list_duplicates(context, DuplicateQuery(status=status))


async def _say(context: Context, duplicate: Duplicate, verdict: Any) -> Duplicate:
    return await decide_duplicate(context, DuplicateVerdict(id=duplicate.id, verdict=verdict))


async def _amounts(context: Context) -> list[int]:
    return sorted(row.amount for row in await all_rows(context))


async def _asked(context: Context) -> Duplicate:
    """Two files of one account, of which each lists one bill under another text and day."""
    await bring(context, {"a.csv": FIRST}, account="checking")
    await bring(context, {"b.csv": LATER}, account="checking")
    (duplicate,) = await _duplicates(context)
    return duplicate


async def test_a_row_that_two_files_date_differently_is_asked_about(context: Context) -> None:
    """Both rows count until the person says that they are one."""
    duplicate = await _asked(context)

    assert (duplicate.kind, duplicate.status) == ("rows", "open")
    assert {duplicate.kept.raw, duplicate.other.raw} == {"PLUMBER BILL 88", "PLUMBER INVOICE"}
    assert "1 day apart" in duplicate.why
    assert await spent(context) == 247_10


async def test_the_same_row_counts_once_and_comes_back_when_different(context: Context) -> None:
    """One row is set aside, not lost: every verdict can follow every other."""
    duplicate = await _asked(context)
    for _ in range(2):
        same = await _say(context, duplicate, "same")
        assert (same.status, same.other.counted, same.other.transaction_id) == ("same", False, None)
        assert await spent(context) == 127_10
        different = await _say(context, duplicate, "different")
        assert (different.status, different.other.counted) == ("different", True)
        assert await spent(context) == 247_10
    assert [each.status for each in await _duplicates(context)] == ["different"]
    await _say(context, duplicate, "auto")
    assert [each.status for each in await _duplicates(context)] == ["open"]


async def test_a_row_set_aside_stays_away_on_import(context: Context) -> None:
    """The file that brought it is known in full: nothing of it is new."""
    await _say(context, await _asked(context), "same")
    for dry_run in (True, False):
        report = await bring(context, {"b.csv": LATER}, account="checking", dry_run=dry_run)
        assert (report.files[0].new, report.files[0].known) == (0, 3)

    assert await spent(context) == 127_10
    assert [each.status for each in await _duplicates(context)] == ["same"]


async def test_undoing_and_repeating_the_import_changes_nothing(context: Context) -> None:
    """The verdict knows its rows again, whichever of the two files went and came back."""
    first = await bring(context, {"a.csv": FIRST}, account="checking")
    second = await bring(context, {"b.csv": LATER}, account="checking")
    (duplicate,) = await _duplicates(context)
    await _say(context, duplicate, "same")

    await undo_import(context, ImportId(id=second.id))
    assert await spent(context) == 127_10
    await bring(context, {"b.csv": LATER}, account="checking")
    assert await spent(context) == 127_10
    await undo_import(context, ImportId(id=first.id))
    # The row that was kept is gone, so the other one is the only word on that bill.
    assert await _amounts(context) == [-120_00, -4_00, -3_10]
    with pytest.raises(Conflict, match="are gone"):
        await _say(context, duplicate, "different")
    await bring(context, {"a.csv": FIRST}, account="checking")
    assert await spent(context) == 127_10


async def test_equal_coffees_of_one_file_are_two(context: Context) -> None:
    """Neither equal rows of one file, nor rows that both files list, are asked about."""
    coffees = csv(*(f"2026-09-{day:02d},CAFE CORNER,-4.50" for day in (1, 2, 2, 3, 9)))
    await bring(context, {"a.csv": coffees}, account="checking")
    await bring(context, {"b.csv": coffees}, account="checking")
    await bring(
        context,
        {"c.csv": csv("2026-09-10,CAFE CORNER,-4.50", "2026-09-20,CAFE CORNER,-4.50")},
        account="checking",
    )

    assert await _duplicates(context) == ()


CHECKING = BankAccount("chk", "Everyday", "1111", "depository", "checking", "USD", 500_00)


def _rows() -> list[BankTransaction]:
    return [
        BankTransaction("chk", f"t{day}", 20260900 + day, -10_00 * day, f"CORNER GROCER {day}")
        for day in range(1, 21)
    ]


async def test_one_account_from_two_connections_is_counted_once(context: Context) -> None:
    """Household 17: asked, counted once after the answer, twice again when they are two."""
    known, _ = await linked(context, Bank(Larkmoor=Branch((CHECKING,), _rows())), "Larkmoor")
    once = await spent(known)
    # The bank names the account anew for each link, so that nothing but its rows says that it is one.
    again = replace(CHECKING, external_id="chk-2")
    rows = [row._replace(account="chk-2") for row in _rows()]
    known, second = await linked(known, Bank(Larkmoor=Branch((again,), rows)), "Larkmoor")
    (duplicate,) = await _duplicates(known)
    notes = (await build_plan(known, Nothing())).plan.notes

    assert (duplicate.kind, duplicate.status) == ("accounts", "open")
    assert any("one account" in note for note in notes)
    assert await spent(known) == 2 * once

    same = await _say(known, duplicate, "same")
    assert (same.kept.counted, same.other.counted) == (True, False)
    assert await spent(known) == once
    await sync_connection(known, ConnectionId(id=second))
    assert await spent(known) == once

    assert (await _say(known, duplicate, "different")).status == "different"
    assert await spent(known) == 2 * once
    notes = (await build_plan(known, Nothing())).plan.notes
    assert not any("one account" in note for note in notes)


async def test_a_pending_charge_that_posted_with_tip(context: Context) -> None:
    """The pending row goes when the person says so, stays away, and goes for good with the bank's."""
    rows = [
        BankTransaction("chk", "p1", 20261118, -20_00, "RISTORANTE", pending=True),
        BankTransaction("chk", "t1", 20261119, -24_00, "RISTORANTE"),
    ]
    branch = Branch((CHECKING,), rows)
    known, connection = await linked(context, Bank(Larkmoor=branch), "Larkmoor")
    (duplicate,) = await _duplicates(known)
    assert (duplicate.kind, duplicate.other.amount) == ("pending", -20_00)
    assert "1 day later" in duplicate.why

    await _say(known, duplicate, "same")
    assert await _amounts(known) == [-24_00]
    branch.modified = [rows[0]]
    await sync_connection(known, ConnectionId(id=connection))
    assert await _amounts(known) == [-24_00]
    await _say(known, duplicate, "different")
    assert await _amounts(known) == [-24_00, -20_00]
    await _say(known, duplicate, "same")
    branch.removed = ["p1"]
    await sync_connection(known, ConnectionId(id=connection))
    with pytest.raises(Conflict):
        await _say(known, duplicate, "different")
    assert await _amounts(known) == [-24_00]


WAITING = "".join(
    f"2026-11-{line}\n"
    for line in (
        "20,BOOKSHOP,-20.00,Posted",
        "20,BOOKSHOP,-20.00,Pending",
        "20,BOOKSHOP,-20.00,Pending",
    )
)
"""Three equal purchases of one day, of which one is booked."""


async def test_a_word_on_one_pending_row_takes_one_away(context: Context) -> None:
    """An equal purchase stays whatever is imported later, and both are there once they differ."""
    statement = f"Date,Description,Amount,Status\n{WAITING}"
    await bring(context, {"a.csv": statement}, account="checking")
    first = (await _duplicates(context, "open"))[0]
    await _say(context, first, "same")
    assert await _amounts(context) == [-20_00, -20_00]
    await bring(context, {"b.csv": csv("2026-10-01,CAFE,-4.00")}, account="checking")
    await bring(context, {"a.csv": statement}, account="checking")
    assert await _amounts(context) == [-20_00, -20_00, -4_00]
    await _say(context, first, "different")
    assert await _amounts(context) == [-20_00, -20_00, -20_00, -4_00]


async def test_people_never_see_each_others_duplicates(context: Context) -> None:
    """Another person of the same store lists none of them and cannot decide them."""
    duplicate = await _asked(context)
    other = await second_person(context)

    assert await _duplicates(other) == ()
    with pytest.raises(NotFound, match="finplan duplicates"):
        await _say(other, duplicate, "same")
    await _say(context, duplicate, "same")
    assert await _duplicates(other) == ()
    with pytest.raises(NotFound):
        await _say(other, duplicate, "different")


async def test_an_unknown_status_is_explained(context: Context) -> None:
    """The answer names what is known."""
    with pytest.raises(BadRequest, match="open, same, different"):
        await _duplicates(context, "new")


async def test_an_account_that_was_imported_twice_is_one_finding(context: Context) -> None:
    """A joint account of two exports is shown as two accounts with equal rows, not row by row."""
    rows = one_truth.rows(360)
    await bring(context, {"giro.csv": one_truth.bank_csv(rows)})
    once = await spent(context)
    second = {"joint.csv": one_truth.other_csv(rows[5:])}
    await bring(context, second, currency="USD", same_account="new")
    (duplicate,) = await _duplicates(context)
    notes = (await build_plan(context, Nothing())).plan.notes

    assert (duplicate.kept.account_name, duplicate.other.account_name) == ("giro", "joint")
    command = f"`finplan duplicates same {duplicate.id}`"
    found = "giro .*joint .*355 identical"
    assert re.match(f"{found} .*12 Mar 2026 to 18 Feb 2028.*{command}", duplicate.why)
    assert any(re.search(found, note) for note in notes)
    assert await spent(context) > once

    same = await _say(context, duplicate, "same")
    assert same.status == "same"
    assert command not in same.why
    assert await spent(context) == once
    different = await _say(context, duplicate, "different")
    assert different.status == "different"
    assert await _duplicates(context, "open") == ()


async def test_rows_of_other_days_are_not_left_out_unsaid(context: Context) -> None:
    """Where the second account has days of its own, the way out is to import it again as the same."""
    rows = one_truth.rows(60)
    await bring(context, {"giro.csv": one_truth.bank_csv(rows[:50])})
    second = {"joint.csv": one_truth.other_csv(rows[20:])}
    report = await bring(context, second, currency="USD", same_account="new")
    (duplicate,) = await _duplicates(context)

    assert f"`finplan imports undo {report.id}`, import again" in duplicate.why
    await undo_import(context, ImportId(id=report.id))
    again = await bring(context, second, currency="USD", same_account="giro")
    assert again.files[0].new == 10
    assert await _duplicates(context) == ()


async def test_the_account_of_more_days_is_kept(context: Context) -> None:
    """Most equal rows suffice, and of two accounts that files made the shorter one is left out."""
    rows = one_truth.rows(60)
    other = sorted([*rows[:25], *one_truth.rows(30, account=1)[25:]])
    await bring(context, {"short.csv": one_truth.bank_csv(other)}, currency="USD")
    whole = {"long.csv": one_truth.other_csv(rows)}
    await bring(context, whole, currency="USD", same_account="new")
    (duplicate,) = await _duplicates(context)
    assert (duplicate.kept.account_name, duplicate.other.account_name) == ("long", "short")


async def test_two_accounts_with_equal_standing_orders_are_no_finding(context: Context) -> None:
    """A few equal amounts, however often, are on two accounts by agreement."""
    orders = one_truth.rows(5) * 12
    await bring(context, {"anna.csv": one_truth.bank_csv(orders)})
    await bring(
        context, {"ben.csv": one_truth.bank_csv(orders)}, currency="USD", same_account="new"
    )
    assert await _duplicates(context) == ()


@pytest.mark.parametrize(
    "said", [{"currency": "CHF"}, {"currency": "USD", "account_kind": "investment"}]
)
async def test_accounts_in_no_total_are_found_too(context: Context, said: dict[str, str]) -> None:
    """Another currency or an investment imported twice is asked about, and left out on the word."""
    rows = one_truth.rows(40)
    await bring(context, {"giro.csv": one_truth.bank_csv(rows)}, **said)
    second = {"joint.csv": one_truth.other_csv(rows[5:])}
    await bring(context, second, **said, same_account="new")
    (duplicate,) = await _duplicates(context)
    assert (duplicate.kept.account_name, duplicate.other.account_name) == ("giro", "joint")
    assert "35 identical transactions" in duplicate.why
    notes = (await build_plan(context, Nothing())).plan.notes
    assert not any("identical transaction" in note for note in notes)
    await _say(context, duplicate, "same")
    assert await _duplicates(context, "open") == ()


async def test_equal_rows_in_two_currencies_are_no_finding(context: Context) -> None:
    """Equal numbers in another currency are other money."""
    rows = one_truth.rows(40)
    await bring(context, {"giro.csv": one_truth.bank_csv(rows)}, currency="CHF")
    await bring(context, {"joint.csv": one_truth.other_csv(rows)}, currency="USD", account="Joint")
    assert await _duplicates(context) == ()


MONTHS = range(1, 12)
PAY = [f"2026-{month:02d}-01,ACME PAYROLL,3000.00" for month in MONTHS]
GROCER = [
    f"2026-{month:02d}-{day:02d},CORNER GROCER,-{(month * 37 + day * 13) % 90 + 4}.{day:02d}"
    for month in MONTHS
    for day in ((month * 7) % 9 + 1, (month * 5) % 13 + 11, (month * 11) % 5 + 24)
]
"""Visits on no fixed day, and never the same amount."""


def _monthly(text: str, amount: str, day: int = 14, months: range = MONTHS) -> list[str]:
    return [f"2026-{month:02d}-{day:02d},{text},-{amount}" for month in months]


async def _all(context: Context, **query: Any) -> dict[str, RecurringSeries]:
    found = await list_recurring(context, RecurringQuery(**query))
    return {each.name: each for each in found}


async def _say_of_series(
    context: Context, series: RecurringSeries, verdict: Any
) -> RecurringSeries:
    return await decide_recurring(context, RecurringVerdict(id=series.id, verdict=verdict))


async def _plan(context: Context) -> Plan:
    return (await build_plan(context, Nothing())).plan


async def _snapshot(context: Context) -> Snapshot:
    return await show_snapshot(context, Nothing())


@pytest.fixture
async def household(context: Context) -> Context:
    """Eleven months of pay, groceries, and one subscription of 9.99 on the 14th."""
    await bring(context, {"checking.csv": csv(*PAY, *GROCER, *_monthly("NETFLIX.COM", "9.99"))})
    return context


async def test_a_series_says_what_it_is_and_why(household: Context) -> None:
    """Charges and income are listed with their dates and a sentence of evidence."""
    found = await _all(household)
    series, pay = found["Netflix"], found["Acme"]

    assert (series.kind, series.status, series.cadence) == ("charge", "detected", "monthly")
    assert (series.amount, series.count, series.active) == (9_99, 11, True)
    assert (str(series.last_date), str(series.next_date)) == ("2026-11-14", "2026-12-14")
    assert series.why == "11 of 11 on the 14th, $9.99."
    assert (pay.kind, pay.amount) == ("income", 3000_00)
    assert set(await _all(household, kind=("income",))) == {"Acme"}


async def test_a_dismissed_charge_leaves_the_plan_at_once(household: Context) -> None:
    """Not among the recurring charges, not upcoming, and no bill of the allowance; taken back, it is."""
    before, live = await _plan(household), await _snapshot(household)
    assert [item.name for item in before.recurring] == ["Netflix"]
    assert [item.name for item in live.upcoming] == ["Netflix"]
    series = (await _all(household))["Netflix"]

    assert (await _say_of_series(household, series, "dismiss")).status == "dismissed"
    after, later = await _plan(household), await _snapshot(household)
    assert after.recurring == ()
    assert later.upcoming == ()
    assert later.allowance.breakdown.bills < live.allowance.breakdown.bills
    assert (await _all(household))["Netflix"].status == "dismissed"
    assert set(await _all(household, status=("dismissed",))) == {"Netflix"}

    assert await _say_of_series(household, series, "auto") == series
    assert (await _plan(household)).recurring == before.recurring


async def test_a_verdict_outlives_a_price_step_and_an_import(household: Context) -> None:
    """The series has the same id after a price step, and what was said of it holds."""
    series = (await _all(household))["Netflix"]
    await _say_of_series(household, series, "dismiss")
    stepped = [f"2026-{month:02d}-14,NETFLIX.COM,-11.99" for month in (12,)]
    later = [f"2027-{month:02d}-14,NETFLIX.COM,-11.99" for month in range(1, 4)]
    report = await bring(household, {"checking.csv": csv(*stepped, *later)}, account="checking")

    again = (await _all(household))["Netflix"]
    assert (again.id, again.status) == (series.id, "dismissed")
    await undo_import(household, ImportId(id=report.id))
    assert (await _all(household))["Netflix"].status == "dismissed"
    assert (await _plan(household)).recurring == ()


async def test_two_subscriptions_at_one_payee_are_two(context: Context) -> None:
    """Dismissing one leaves the other, and each keeps its id."""
    rows = [*PAY, *_monthly("NETFLIX.COM", "9.99"), *_monthly("NETFLIX.COM", "24.99", day=3)]
    await bring(context, {"checking.csv": csv(*rows)})
    found = {each.amount: each for each in await list_recurring(context, RecurringQuery())}
    assert {9_99, 24_99} <= set(found)
    await _say_of_series(context, found[9_99], "dismiss")

    after = {each.amount: each for each in await list_recurring(context, RecurringQuery())}
    assert (after[9_99].id, after[9_99].status) == (found[9_99].id, "dismissed")
    assert after[24_99] == found[24_99]
    assert [item.amount for item in (await _plan(context)).recurring] == [24_99]


async def test_a_confirmed_series_stays_when_detection_loses_it(context: Context) -> None:
    """Fewer charges than a detector needs are enough once the person has said what they are."""
    first = await bring(
        context,
        {"checking.csv": csv(*PAY, *_monthly("RIVERBEND CHOIR", "31.50", 14, range(2, 10)))},
    )
    series = (await _all(context))["Riverbend Choir"]
    confirmed = await _say_of_series(context, series, "confirm")
    assert confirmed.status == "confirmed"
    await undo_import(context, ImportId(id=first.id))
    few = [f"2026-{month:02d}-14,RIVERBEND CHOIR,-31.50" for month in (10, 11)]
    await bring(context, {"checking.csv": csv(*PAY, *few)})

    after = (await _all(context))["Riverbend Choir"]
    assert (after.id, after.status, after.cadence) == (series.id, "confirmed", "monthly")
    assert [item.name for item in (await _plan(context)).recurring] == ["Riverbend Choir"]
    await _say_of_series(context, after, "auto")
    assert (await _plan(context)).recurring == ()


async def test_dismissed_income_is_no_rhythm_but_money_still(household: Context) -> None:
    """What it paid stays income; only the payday is not counted on any more."""
    before = await _plan(household)
    await _say_of_series(household, (await _all(household))["Acme"], "dismiss")
    after = await _plan(household)

    assert [source.cadence for source in before.income_sources] == ["monthly"]
    assert [source.cadence for source in after.income_sources] == ["irregular"]
    assert after.monthly.income == before.monthly.income
    assert sum(source.total for source in after.income_sources) == sum(
        source.total for source in before.income_sources
    )
    assert (await _snapshot(household)).allowance.payday is None


async def test_people_never_see_each_others_series(household: Context) -> None:
    """Another person of the same store lists none of them and cannot decide them."""
    series = (await _all(household))["Netflix"]
    other = await second_person(household)

    assert await _all(other) == {}
    with pytest.raises(NotFound, match="finplan recurring"):
        await _say_of_series(other, series, "dismiss")

    await _say_of_series(household, series, "dismiss")
    reads = [partial(verdicts.series_verdicts, owner=owner) for owner in (1, 2)]
    kept = [await household.store.read(read) for read in reads]
    assert [len(each) for each in kept] == [1, 0]


async def test_a_question_that_cannot_be_is_explained(context: Context) -> None:
    """The answer names what is known."""
    with pytest.raises(BadRequest, match="detected, confirmed, dismissed"):
        await _all(context, status=("new",))
    with pytest.raises(BadRequest, match="charge, income"):
        await _all(context, kind=("bill",))
