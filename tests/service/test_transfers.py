"""Verdicts on transfers: what the person says holds through syncs, imports and corrections."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionId, Unlinking
from finplan.model.detection import Transfer, TransferQuery, TransferVerdict
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import sync_connection, unlink_connection
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.people import show_settings
from finplan.service.planning.plans import build_plan
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from finplan.store.queries import people
from tests.service.own_money import (
    Bank,
    Branch,
    csv,
    linked,
    second_person,
    spent,
    statuses,
    transfers,
)

Import = Callable[..., Awaitable[Any]]

LEFT = csv("2026-09-03,ONLINE TRANSFER 8812,-500.00", "2026-09-20,CORNER GROCER,-40.00")
ARRIVED = csv("2026-09-04,TRANSFER RECEIVED,500.00", "2026-09-05,INTEREST,1.00")
FILES = {"checking.csv": LEFT, "savings.csv": ARRIVED}


async def _say(context: Context, transfer: Transfer, verdict: Any) -> Transfer:
    return await decide_transfer(context, TransferVerdict(id=transfer.id, verdict=verdict))


async def _the_pair(context: Context) -> Transfer:
    (pair,) = await transfers(context)
    return pair


async def test_a_pair_says_what_speaks_for_it(context: Context, import_texts: Import) -> None:
    """Both rows are named with their accounts, and the reason is a sentence with what was read."""
    await import_texts(FILES)
    pair = await _the_pair(context)

    assert (pair.status, pair.source) == ("paired", "auto")
    assert (pair.out.amount, pair.into.amount, pair.currency) == (-500_00, 500_00, "USD")
    assert pair.why == "Same amount, 1 day later; both rows say transfer."
    accounts = {account.id: account.name for account in await list_accounts(context, Nothing())}
    assert accounts[pair.out.account_id] == "checking"
    assert accounts[pair.into.account_id] == "savings"


async def test_rejecting_lets_the_rows_count_by_category(
    context: Context, import_texts: Import
) -> None:
    """The outgoing row is spending again at once, and nothing is asked about the two any more."""
    await import_texts({**FILES, "checking.csv": LEFT.replace("ONLINE TRANSFER", "REF LM")})
    before = await spent(context)
    rejected = await _say(context, await _the_pair(context), "reject")

    assert (rejected.status, rejected.source) == ("rejected", "user")
    assert await spent(context) == before + 500_00
    assert (await transfers(context, "paired", "candidate")) == ()
    assert await transfers(context, "rejected") == (rejected,)


async def test_a_rejected_pair_never_comes_again(context: Context, import_texts: Import) -> None:
    """Not after an undone and repeated import, a corrected account, more rows, or a new plan."""
    first = await import_texts(FILES)
    await _say(context, await _the_pair(context), "reject")

    await undo_import(context, ImportId(id=first.id))
    assert await transfers(context) == ()
    await import_texts(FILES)
    assert await statuses(context) == {(-500_00, 500_00): "rejected"}

    checking = (await list_accounts(context, Nothing()))[0]
    for subtype in ("savings", "checking"):
        await change_account(context, AccountChange(id=checking.id, subtype=subtype))
    await import_texts({"checking.csv": csv("2026-09-21,CORNER GROCER,-41.00")})
    await build_plan(context, Nothing())
    assert await statuses(context) == {(-500_00, 500_00): "rejected"}


async def test_a_verdict_can_be_taken_back(context: Context, import_texts: Import) -> None:
    """With `auto` the pair is what it was, under the same id, and every total too."""
    await import_texts(FILES)
    pair, before = await _the_pair(context), await spent(context)
    for verdict in ("reject", "confirm", "reject"):
        await _say(context, pair, verdict)

    assert await _say(context, pair, "auto") == pair
    assert await transfers(context) == (pair,)
    assert await spent(context) == before
    assert await _say(context, pair, "auto") == pair


WORDLESS = {
    "checking.csv": csv("2026-09-03,REF 88123 LM,-730.00", "2026-09-20,CORNER GROCER,-40.00"),
    "second.csv": csv("2026-09-04,77 INCOMING QX,730.00", "2026-09-05,CORNER GROCER,-2.00"),
}


async def test_confirming_a_candidate_pairs_it(context: Context, import_texts: Import) -> None:
    """A pair that no word speaks for is only asked about; the person's word makes it one."""
    await import_texts(WORDLESS)
    (candidate,) = await transfers(context)
    assert (candidate.status, candidate.source) == ("candidate", None)
    assert candidate.why.endswith("but too little in the two rows says that it is a transfer.")
    before = await spent(context)

    confirmed = await _say(context, candidate, "confirm")

    assert (confirmed.id, confirmed.status, confirmed.source) == (candidate.id, "confirmed", "user")
    assert await transfers(context) == (confirmed,)
    assert await spent(context) == before - 730_00


async def test_a_confirmed_pair_is_never_parted(context: Context, import_texts: Import) -> None:
    """Corrected accounts, undone and repeated imports and re-judging leave it as it was said."""
    first = await import_texts(WORDLESS)
    (candidate,) = await transfers(context)
    await _say(context, candidate, "confirm")

    account = (await list_accounts(context, Nothing()))[0]
    for kind in ("credit", "depository"):
        await change_account(context, AccountChange(id=account.id, kind=kind))
        assert (await transfers(context))[0].status == "confirmed"
    await undo_import(context, ImportId(id=first.id))
    await import_texts(WORDLESS)

    (again,) = await transfers(context)
    assert (again.id, again.status) == (candidate.id, "confirmed")


async def test_a_fee_on_the_way_is_paired_at_import(context: Context, import_texts: Import) -> None:
    """Where both banks say transfer, up to 3 % may be lost, and the sentence says how much was."""
    await import_texts(
        {
            "checking.csv": csv("2026-09-03,WIRE TRANSFER OUT 1,-1000.00"),
            "savings.csv": csv("2026-09-04,WIRE TRANSFER IN 9,975.00"),
            "other.csv": csv("2026-09-04,SALE AT THE FAIR,975.00"),
        }
    )
    pair = await _the_pair(context)

    assert (pair.status, pair.into.amount) == ("paired", 975_00)
    assert pair.why == "25.00 USD less arrived than left, 1 day later; both rows say transfer."


async def test_a_fee_is_seen_when_the_other_leg_comes_later(
    context: Context, import_texts: Import
) -> None:
    """The arrival may be imported before the departure, and a year's turn may lie between."""
    await import_texts({"savings.csv": csv("2026-01-02,WIRE TRANSFER IN 9,975.00")})
    await import_texts({"checking.csv": csv("2025-12-30,WIRE TRANSFER OUT 1,-1000.00")})

    assert await statuses(context) == {(-1000_00, 975_00): "paired"}


async def test_rivals_are_asked_about_and_one_answer_settles_them(
    context: Context, import_texts: Import
) -> None:
    """Two departures for one arrival: neither is paired; the confirmed one leaves the other alone."""
    await import_texts(
        {
            "one.csv": csv("2026-09-03,TRANSFER OUT,-300.00"),
            "two.csv": csv("2026-09-03,TRANSFER OUT,-300.00"),
            "three.csv": csv("2026-09-04,TRANSFER IN,300.00"),
        }
    )
    first, second = await transfers(context)
    assert {first.status, second.status} == {"candidate"}
    assert first.why.endswith("but another row fits as well.")

    await _say(context, second, "confirm")

    assert [(each.id, each.status) for each in await transfers(context)] == [
        (second.id, "confirmed")
    ]


async def test_rejecting_one_rival_pairs_the_other(context: Context, import_texts: Import) -> None:
    """What the person rules out rules the other in."""
    await import_texts(
        {
            "one.csv": csv("2026-09-03,TRANSFER OUT,-300.00"),
            "two.csv": csv("2026-09-03,TRANSFER OUT,-300.00"),
            "three.csv": csv("2026-09-04,TRANSFER IN,300.00"),
        }
    )
    first, second = await transfers(context)
    await _say(context, first, "reject")

    assert {each.id: each.status for each in await transfers(context)} == {
        first.id: "rejected",
        second.id: "paired",
    }


async def test_a_leg_left_alone_by_undo_finds_another(
    context: Context, import_texts: Import
) -> None:
    """When the import that held its other half is undone, the next best half is taken."""
    await import_texts({"checking.csv": csv("2026-09-03,TRANSFER OUT,-300.00")})
    near = await import_texts({"near.csv": csv("2026-09-03,TRANSFER IN,300.00")})
    await import_texts({"far.csv": csv("2026-09-06,TRANSFER IN,300.00")})
    before = await _the_pair(context)
    await undo_import(context, ImportId(id=near.id))
    after = await _the_pair(context)

    assert (before.status, after.status) == ("paired", "paired")
    assert before.out.transaction_id == after.out.transaction_id
    assert (str(before.into.date), str(after.into.date)) == ("2026-09-03", "2026-09-06")


async def test_a_pair_reaches_into_an_older_statement(
    context: Context, import_texts: Import
) -> None:
    """A statement imported later may be older: its rows meet those that are there."""
    await import_texts({"savings.csv": csv("2026-03-01,TRANSFER IN,300.00")})
    await import_texts({"checking.csv": csv("2026-02-27,TRANSFER OUT,-300.00")})

    assert await statuses(context) == {(-300_00, 300_00): "paired"}


CHECKING = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)
SAVINGS = BankAccount("sav", "Savings", "2222", "depository", "savings", "USD", 100_00)


def _bank() -> Bank:
    out = BankTransaction("chk", "t1", 20260903, -730_00, "REF 88123 LM")
    into = BankTransaction("sav", "u1", 20260904, 730_00, "77 INCOMING QX")
    return Bank(Larkmoor=Branch((CHECKING,), [out]), Elmgate=Branch((SAVINGS,), [into]))


async def _confirmed(context: Context) -> tuple[Context, Bank, Transfer, str, str]:
    """Two linked banks with a confirmed pair between them, and their connections."""
    bank = _bank()
    known, first = await linked(context, bank, "Larkmoor")
    known, second = await linked(known, bank, "Elmgate")
    (candidate,) = await transfers(known)
    return known, bank, await _say(known, candidate, "confirm"), first, second


async def test_unlinking_one_side_is_no_change_of_mind(context: Context) -> None:
    """The leg that stays counts alone; when the bank is linked again the pair is confirmed still."""
    known, _, pair, _, second = await _confirmed(context)
    assert await spent(known) == 0
    await unlink_connection(known, Unlinking(id=second))

    assert await spent(known) == 730_00
    assert await transfers(known) == ()
    with pytest.raises(Conflict, match="not there any more"):
        await _say(known, pair, "reject")
    await linked(known, known.aggregators["scripted"], "Elmgate")  # type: ignore[arg-type]
    assert [(each.id, each.status) for each in await transfers(known)] == [(pair.id, "confirmed")]


async def test_a_corrected_row_stays_in_its_confirmed_pair(context: Context) -> None:
    """A bank that rewrites a row, its day among it, changes nothing of what the person said."""
    known, bank, pair, first, _ = await _confirmed(context)
    bank.branches["Larkmoor"].modified = [
        BankTransaction("chk", "t1", 20260902, -730_00, "REF 88123 LM CORRECTED")
    ]
    await sync_connection(known, ConnectionId(id=first))

    (after,) = await transfers(known)
    assert (after.id, after.status, str(after.out.date)) == (pair.id, "confirmed", "2026-09-02")


async def test_a_removed_row_leaves_its_pair(context: Context) -> None:
    """A row that its bank withdraws is gone, and its other half counts."""
    known, bank, _, first, _ = await _confirmed(context)
    bank.branches["Larkmoor"].removed = ["t1"]
    await sync_connection(known, ConnectionId(id=first))

    assert await transfers(known) == ()


async def test_a_leg_left_alone_by_its_bank_finds_another(context: Context) -> None:
    """When the bank withdraws its other half, the next best half is taken in the same sync."""
    rows = [
        BankTransaction("chk", "t1", 20260903, -300_00, "TRANSFER OUT"),
        BankTransaction("sav", "u1", 20260903, 300_00, "TRANSFER IN"),
        BankTransaction("sav", "u2", 20260906, 300_00, "TRANSFER IN"),
    ]
    branch = Branch((CHECKING, SAVINGS), rows)
    known, connection = await linked(context, Bank(Larkmoor=branch), "Larkmoor")
    assert [str(each.into.date) for each in await transfers(known, "paired")] == ["2026-09-03"]
    branch.removed = ["u1"]
    await sync_connection(known, ConnectionId(id=connection))

    assert [str(each.into.date) for each in await transfers(known, "paired")] == ["2026-09-06"]


async def test_people_never_see_each_others_transfers(
    context: Context, import_texts: Import
) -> None:
    """Another person of the same store lists none of them and cannot decide them."""
    await import_texts(FILES)
    pair = await _the_pair(context)
    other = await second_person(context)

    assert await transfers(other) == ()
    with pytest.raises(NotFound, match="finplan transfers"):
        await _say(other, pair, "reject")
    await _say(context, pair, "reject")
    assert await transfers(other) == ()
    with pytest.raises(NotFound):
        await _say(other, pair, "confirm")


async def test_a_verdict_raises_the_generation(context: Context, import_texts: Import) -> None:
    """What was cached of the data before is stale."""

    async def generation() -> int:
        row = await context.store.read(lambda c: people.get_person(c, context.caller.owner))
        return int(row["generation"])

    await import_texts(FILES)
    before = await generation()
    await _say(context, await _the_pair(context), "reject")

    assert await generation() > before
    assert (await show_settings(context, Nothing())).currency == "USD"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "files",
    [
        # Equal amounts within four days, and nothing that tells them apart (sure#2954).
        {
            "one.csv": csv("2026-09-03,BOOK FAIR,-50.00", "2026-09-04,CHECK 1042,-50.00"),
            "two.csv": csv("2026-09-05,REFUND OF DEPOSIT HALL,50.00", "2026-09-06,GIFT,50.00"),
        },
        # A difference of a few percent between strangers (sure#3308).
        {
            "one.csv": csv("2026-09-03,CITY HARDWARE,-1000.00"),
            "two.csv": csv("2026-09-04,TRANSFER FROM EMPLOYER,985.00"),
        },
        # A friend's share of a purchase, as large as the purchase (securo#648).
        {
            "visa card.csv": csv("2026-09-03,RISTORANTE DA MARIO,-42.00"),
            "checking.csv": csv("2026-09-04,ZELLE FROM JOHN SMITH,42.00"),
        },
    ],
    ids=["equal amounts", "a percent apart", "a friend's share"],
)
async def test_strangers_are_not_paired(
    context: Context, import_texts: Import, files: dict[str, str]
) -> None:
    """What failed elsewhere is never paired without the person."""
    await import_texts(files)

    assert await transfers(context, "paired", "confirmed") == ()


async def test_thirty_accounts(context: Context, import_texts: Import) -> None:
    """Among many accounts each transfer finds its own other half by what the rows say."""
    files = {
        f"account {number:02d}.csv": csv(
            f"2026-09-{number % 28 + 1:02d},TRANSFER OUT,-{number}00.00",
            f"2026-09-{(number - 1) % 28 + 2:02d},TRANSFER IN,{(number - 1) % 30}00.00",
        )
        for number in range(1, 31)
    }
    await import_texts(files)

    found = await transfers(context, "paired")
    assert sorted(-pair.out.amount for pair in found) == [n * 100_00 for n in range(1, 30)]


async def test_a_question_that_cannot_be_is_explained(context: Context) -> None:
    """An unknown status and days in the wrong order are refused with what is known."""
    with pytest.raises(BadRequest, match="Known are paired"):
        await list_transfers(context, TransferQuery(status=("new",)))
    asked = TransferQuery.model_validate({"from": "2026-02-01", "to": "2026-01-01"}, strict=False)
    with pytest.raises(BadRequest, match="is after the last"):
        await list_transfers(context, asked)
