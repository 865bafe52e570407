"""Duplicates: asked about, counted once after the answer, and never lost by it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId
from finplan.model.detection import Duplicate, DuplicateQuery, DuplicateVerdict
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId
from finplan.model.transaction import TransactionQuery
from finplan.service.banking.connections import sync_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.plans import build_plan
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.duplicates import decide_duplicate, list_duplicates
from tests.service import one_truth
from tests.service.own_money import Bank, Branch, csv, linked, second_person, spent

Import = Callable[..., Awaitable[Any]]

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
    page = await list_transactions(context, TransactionQuery())
    return sorted(row.amount for row in page.transactions)


async def _asked(context: Context, import_texts: Import) -> Duplicate:
    """Two files of one account, of which each lists one bill under another text and day."""
    await import_texts({"a.csv": FIRST}, account="checking")
    await import_texts({"b.csv": LATER}, account="checking")
    (duplicate,) = await _duplicates(context)
    return duplicate


async def test_a_row_that_two_files_date_differently_is_asked_about(
    context: Context, import_texts: Import
) -> None:
    """Both rows count until the person says that they are one."""
    duplicate = await _asked(context, import_texts)

    assert (duplicate.kind, duplicate.status) == ("rows", "open")
    assert {duplicate.kept.raw, duplicate.other.raw} == {"PLUMBER BILL 88", "PLUMBER INVOICE"}
    assert (
        duplicate.why
        == "The same amount 1 day apart, once from each of two sources that cover both days."
    )
    assert await spent(context) == 247_10


async def test_the_same_row_counts_once_and_comes_back_when_different(
    context: Context, import_texts: Import
) -> None:
    """One row is set aside, not lost: every verdict can follow every other."""
    duplicate = await _asked(context, import_texts)
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


async def test_a_row_set_aside_stays_away_on_import(context: Context, import_texts: Import) -> None:
    """The file that brought it is known in full: nothing of it is new."""
    duplicate = await _asked(context, import_texts)
    await _say(context, duplicate, "same")
    for dry_run in (True, False):
        report = await import_texts({"b.csv": LATER}, account="checking", dry_run=dry_run)
        assert (report.files[0].new, report.files[0].known) == (0, 3)

    assert await spent(context) == 127_10
    assert [each.status for each in await _duplicates(context)] == ["same"]


async def test_undoing_and_repeating_the_import_changes_nothing(
    context: Context, import_texts: Import
) -> None:
    """The verdict knows its rows again, whichever of the two files went and came back."""
    first = await import_texts({"a.csv": FIRST}, account="checking")
    second = await import_texts({"b.csv": LATER}, account="checking")
    (duplicate,) = await _duplicates(context)
    await _say(context, duplicate, "same")

    await undo_import(context, ImportId(id=second.id))
    assert await spent(context) == 127_10
    await import_texts({"b.csv": LATER}, account="checking")
    assert await spent(context) == 127_10
    await undo_import(context, ImportId(id=first.id))
    # The row that was kept is gone, so the other one is the only word on that bill.
    assert await _amounts(context) == [-120_00, -4_00, -3_10]
    with pytest.raises(Conflict, match="not there any more"):
        await _say(context, duplicate, "different")
    await import_texts({"a.csv": FIRST}, account="checking")
    assert await spent(context) == 127_10


async def test_equal_coffees_of_one_file_are_two(context: Context, import_texts: Import) -> None:
    """Neither equal rows of one file, nor rows that both files list, are asked about."""
    coffees = csv(*(f"2026-09-{day:02d},CAFE CORNER,-4.50" for day in (1, 2, 2, 3, 9)))
    await import_texts({"a.csv": coffees}, account="checking")
    await import_texts({"b.csv": coffees}, account="checking")
    await import_texts(
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
    bank = Bank(Larkmoor=Branch((CHECKING,), _rows()))
    known, _ = await linked(context, bank, "Larkmoor")
    once = await spent(known)
    # The bank names the account anew for each link, so that nothing but its rows says that it is one.
    again = replace(CHECKING, external_id="chk-2")
    rows = [row._replace(account="chk-2") for row in _rows()]
    known, second = await linked(known, Bank(Larkmoor=Branch((again,), rows)), "Larkmoor")
    (duplicate,) = await _duplicates(known)
    notes = (await build_plan(known, Nothing())).plan.notes

    assert (duplicate.kind, duplicate.status) == ("accounts", "open")
    assert any("look like one account" in note for note in notes)
    assert await spent(known) == 2 * once

    same = await _say(known, duplicate, "same")
    assert (same.kept.counted, same.other.counted) == (True, False)
    assert await spent(known) == once
    await sync_connection(known, ConnectionId(id=second))
    assert await spent(known) == once

    assert (await _say(known, duplicate, "different")).status == "different"
    assert await spent(known) == 2 * once
    notes = (await build_plan(known, Nothing())).plan.notes
    assert not any("look like one account" in note for note in notes)


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
    assert duplicate.why.startswith(
        "A charge of this payee was posted 1 day later, a little larger"
    )

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


async def test_a_word_on_one_pending_row_takes_one_away(
    context: Context, import_texts: Import
) -> None:
    """An equal purchase stays whatever is imported later, and both are there once they differ."""
    statement = f"Date,Description,Amount,Status\n{WAITING}"
    await import_texts({"a.csv": statement}, account="checking")
    first = (await _duplicates(context, "open"))[0]
    await _say(context, first, "same")
    assert await _amounts(context) == [-20_00, -20_00]
    await import_texts({"b.csv": csv("2026-10-01,CAFE,-4.00")}, account="checking")
    await import_texts({"a.csv": statement}, account="checking")
    assert await _amounts(context) == [-20_00, -20_00, -4_00]
    await _say(context, first, "different")
    assert await _amounts(context) == [-20_00, -20_00, -20_00, -4_00]


async def test_people_never_see_each_others_duplicates(
    context: Context, import_texts: Import
) -> None:
    """Another person of the same store lists none of them and cannot decide them."""
    duplicate = await _asked(context, import_texts)
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
    with pytest.raises(BadRequest, match="Known are open, same, different"):
        await _duplicates(context, "new")


async def test_an_account_that_was_imported_twice_is_one_finding(
    context: Context, import_texts: Import
) -> None:
    """A joint account of two exports is shown as two accounts with equal rows, not row by row."""
    rows = one_truth.rows(360)
    await import_texts({"giro.csv": one_truth.bank_csv(rows)})
    once = await spent(context)
    second = {"joint.csv": one_truth.other_csv(rows[5:])}
    await import_texts(second, currency="USD", same_account="new")
    (duplicate,) = await _duplicates(context)
    notes = (await build_plan(context, Nothing())).plan.notes

    assert (duplicate.kept.account_name, duplicate.other.account_name) == ("giro", "joint")
    assert duplicate.why == (
        "giro and joint have 355 equal rows from 12 Mar 2026 to 18 Feb 2028: one account that came"
        f" twice? If so, `finplan duplicates same {duplicate.id}` leaves joint out."
    )
    assert any("giro and joint have 355 equal rows" in note for note in notes)
    assert await spent(context) > once

    same = await _say(context, duplicate, "same")
    assert (same.status, same.why) == ("same", "The same rows came to both.")
    assert await spent(context) == once
    different = await _say(context, duplicate, "different")
    assert different.status == "different"
    assert await _duplicates(context, "open") == ()


async def test_rows_of_other_days_are_not_left_out_unsaid(
    context: Context, import_texts: Import
) -> None:
    """Where the second account has days of its own, the way out is to import it again as the same."""
    rows = one_truth.rows(60)
    await import_texts({"giro.csv": one_truth.bank_csv(rows[:50])})
    second = {"joint.csv": one_truth.other_csv(rows[20:])}
    report = await import_texts(second, currency="USD", same_account="new")
    (duplicate,) = await _duplicates(context)

    assert f"`finplan imports undo {report.id}`, import again" in duplicate.why
    await undo_import(context, ImportId(id=report.id))
    again = await import_texts(second, currency="USD", same_account="giro")
    assert again.files[0].new == 10
    assert await _duplicates(context) == ()


async def test_the_account_of_more_days_is_kept(context: Context, import_texts: Import) -> None:
    """Most equal rows suffice, and of two accounts that files made the shorter one is left out."""
    rows = one_truth.rows(60)
    other = sorted([*rows[:25], *one_truth.rows(30, account=1)[25:]])
    await import_texts({"short.csv": one_truth.bank_csv(other)}, currency="USD")
    whole = {"long.csv": one_truth.other_csv(rows)}
    await import_texts(whole, currency="USD", same_account="new")
    (duplicate,) = await _duplicates(context)
    assert (duplicate.kept.account_name, duplicate.other.account_name) == ("long", "short")


async def test_two_accounts_with_equal_standing_orders_are_no_finding(
    context: Context, import_texts: Import
) -> None:
    """A few equal amounts, however often, are on two accounts by agreement."""
    orders = one_truth.rows(5) * 12
    await import_texts({"anna.csv": one_truth.bank_csv(orders)})
    await import_texts({"ben.csv": one_truth.bank_csv(orders)}, currency="USD", same_account="new")
    assert await _duplicates(context) == ()


@pytest.mark.parametrize(
    "said", [{"currency": "CHF"}, {"currency": "USD", "account_kind": "investment"}]
)
async def test_accounts_that_no_total_holds_are_found_too(
    context: Context, import_texts: Import, said: dict[str, str]
) -> None:
    """Another currency or an investment imported twice is asked about, and left out on the word."""
    rows = one_truth.rows(40)
    await import_texts({"giro.csv": one_truth.bank_csv(rows)}, **said)
    second = {"joint.csv": one_truth.other_csv(rows[5:])}
    await import_texts(second, **said, same_account="new")
    (duplicate,) = await _duplicates(context)
    assert (duplicate.kept.account_name, duplicate.other.account_name) == ("giro", "joint")
    assert "giro and joint have 35 equal rows" in duplicate.why
    notes = (await build_plan(context, Nothing())).plan.notes
    assert not any("equal rows" in note for note in notes)
    await _say(context, duplicate, "same")
    assert await _duplicates(context, "open") == ()


async def test_equal_rows_in_two_currencies_are_no_finding(
    context: Context, import_texts: Import
) -> None:
    """Equal numbers in another currency are other money."""
    rows = one_truth.rows(40)
    await import_texts({"giro.csv": one_truth.bank_csv(rows)}, currency="CHF")
    await import_texts({"joint.csv": one_truth.other_csv(rows)}, currency="USD", account="Joint")
    assert await _duplicates(context) == ()
