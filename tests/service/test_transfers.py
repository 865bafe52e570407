"""Verdicts on transfers: what the person says holds through syncs, imports and corrections.

Transfers without words are asked about with the row on the other account, settled by one answer; a
row that the person says is spent or earned is no leg of one.
"""

import re
from typing import Any

import pytest

from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import CategoryRemoval, RuleRequest
from finplan.model.connection import ConnectionId, Unlinking
from finplan.model.detection import Transfer, TransferQuery, TransferVerdict
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId
from finplan.model.task import CategorizePayee, Effect, TaskAnswer, TaskId
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import sync_connection, unlink_connection
from finplan.service.categories import remove_category
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.people import show_settings
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import answer_task, undo_answer
from finplan.service.rules import set_rule
from finplan.service.verdicts.transfers import decide_transfer, list_transfers
from finplan.store.queries import people
from finplan.views.answering import CANDIDATES
from finplan.views.tasks import describe_twin
from tests.service import own_money
from tests.service.conftest import bring, dump
from tests.service.said import NOTHING, all_rows, give, make, questions, say, the_row, totals

LEFT = own_money.csv("2026-09-03,ONLINE TRANSFER 8812,-500.00", "2026-09-20,CORNER GROCER,-40.00")
ARRIVED = own_money.csv("2026-09-04,TRANSFER RECEIVED,500.00", "2026-09-05,INTEREST,1.00")
FILES = {"checking.csv": LEFT, "savings.csv": ARRIVED}


async def _say(context: Context, transfer: Transfer, verdict: Any) -> Transfer:
    return await decide_transfer(context, TransferVerdict(id=transfer.id, verdict=verdict))


async def _the_pair(context: Context) -> Transfer:
    (pair,) = await own_money.transfers(context)
    return pair


async def test_a_pair_says_what_speaks_for_it(context: Context) -> None:
    """Both rows are named with their accounts, and the reason is a sentence with what was read."""
    await bring(context, FILES)
    pair = await _the_pair(context)

    assert (pair.status, pair.source) == ("paired", "auto")
    assert (pair.out.amount, pair.into.amount, pair.currency) == (-500_00, 500_00, "USD")
    assert re.match(r"Same amount, 1 day .*transfer\.$", pair.why)
    accounts = {account.id: account.name for account in await list_accounts(context, Nothing())}
    assert accounts[pair.out.account_id] == "checking"
    assert accounts[pair.into.account_id] == "savings"


async def test_rejecting_lets_the_rows_count_by_category(context: Context) -> None:
    """The outgoing row is spending again at once, and nothing is asked about the two any more."""
    await bring(context, {**FILES, "checking.csv": LEFT.replace("ONLINE TRANSFER", "REF LM")})
    before = await own_money.spent(context)
    rejected = await _say(context, await _the_pair(context), "reject")

    assert (rejected.status, rejected.source) == ("rejected", "user")
    assert await own_money.spent(context) == before + 500_00
    assert (await own_money.transfers(context, "paired", "candidate")) == ()
    assert await own_money.transfers(context, "rejected") == (rejected,)


async def test_a_rejected_pair_never_comes_again(context: Context) -> None:
    """Not after an undone and repeated import, a corrected account, more rows, or a new plan."""
    first = await bring(context, FILES)
    await _say(context, await _the_pair(context), "reject")

    await undo_import(context, ImportId(id=first.id))
    assert await own_money.transfers(context) == ()
    await bring(context, FILES)
    assert await own_money.statuses(context) == {(-500_00, 500_00): "rejected"}

    checking = (await list_accounts(context, Nothing()))[0]
    for subtype in ("savings", "checking"):
        await change_account(context, AccountChange(id=checking.id, subtype=subtype))
    await bring(context, {"checking.csv": own_money.csv("2026-09-21,CORNER GROCER,-41.00")})
    await build_plan(context, Nothing())
    assert await own_money.statuses(context) == {(-500_00, 500_00): "rejected"}


async def test_a_verdict_can_be_taken_back(context: Context) -> None:
    """With `auto` the pair is what it was, under the same id, and every total too."""
    await bring(context, FILES)
    pair, before = await _the_pair(context), await own_money.spent(context)
    for verdict in ("reject", "confirm", "reject"):
        await _say(context, pair, verdict)

    assert await _say(context, pair, "auto") == pair
    assert await own_money.transfers(context) == (pair,)
    assert await own_money.spent(context) == before
    assert await _say(context, pair, "auto") == pair


WORDLESS = {
    "checking.csv": own_money.csv(
        "2026-09-03,REF 88123 LM,-730.00", "2026-09-20,CORNER GROCER,-40.00"
    ),
    "second.csv": own_money.csv(
        "2026-09-04,77 INCOMING QX,730.00", "2026-09-05,CORNER GROCER,-2.00"
    ),
}


async def test_confirming_a_candidate_pairs_it(context: Context) -> None:
    """A pair that no word speaks for is only asked about; the person's word makes it one."""
    await bring(context, WORDLESS)
    (candidate,) = await own_money.transfers(context)
    assert (candidate.status, candidate.source) == ("candidate", None)
    assert "do not suggest a transfer" in candidate.why
    before = await own_money.spent(context)

    confirmed = await _say(context, candidate, "confirm")

    assert (confirmed.id, confirmed.status, confirmed.source) == (candidate.id, "confirmed", "user")
    assert await own_money.transfers(context) == (confirmed,)
    assert await own_money.spent(context) == before - 730_00


async def test_a_confirmed_pair_is_never_parted(context: Context) -> None:
    """Corrected accounts, undone and repeated imports and re-judging leave it as it was said."""
    first = await bring(context, WORDLESS)
    (candidate,) = await own_money.transfers(context)
    await _say(context, candidate, "confirm")

    account = (await list_accounts(context, Nothing()))[0]
    for kind in ("credit", "depository"):
        await change_account(context, AccountChange(id=account.id, kind=kind))
        assert (await own_money.transfers(context))[0].status == "confirmed"
    await undo_import(context, ImportId(id=first.id))
    await bring(context, WORDLESS)

    (again,) = await own_money.transfers(context)
    assert (again.id, again.status) == (candidate.id, "confirmed")


async def test_a_fee_on_the_way_is_paired_at_import(context: Context) -> None:
    """Where both banks say transfer, up to 3 % may be lost, and the sentence says how much was."""
    await bring(
        context,
        {
            "checking.csv": own_money.csv("2026-09-03,WIRE TRANSFER OUT 1,-1000.00"),
            "savings.csv": own_money.csv("2026-09-04,WIRE TRANSFER IN 9,975.00"),
            "other.csv": own_money.csv("2026-09-04,SALE AT THE FAIR,975.00"),
        },
    )
    pair = await _the_pair(context)

    assert (pair.status, pair.into.amount) == ("paired", 975_00)
    assert re.match(r"25\.00 USD .* 1 day .*transfer\.$", pair.why)


async def test_a_fee_is_seen_when_the_other_leg_comes_later(context: Context) -> None:
    """The arrival may be imported before the departure, and a year's turn may lie between."""
    await bring(context, {"savings.csv": own_money.csv("2026-01-02,WIRE TRANSFER IN 9,975.00")})
    await bring(context, {"checking.csv": own_money.csv("2025-12-30,WIRE TRANSFER OUT 1,-1000.00")})

    assert await own_money.statuses(context) == {(-1000_00, 975_00): "paired"}


RIVALS = {
    "one.csv": own_money.csv("2026-09-03,TRANSFER OUT,-300.00"),
    "two.csv": own_money.csv("2026-09-03,TRANSFER OUT,-300.00"),
    "three.csv": own_money.csv("2026-09-04,TRANSFER IN,300.00"),
}


async def test_rivals_are_asked_about_and_one_answer_settles_them(context: Context) -> None:
    """Two departures for one arrival: neither is paired; the confirmed one leaves the other alone."""
    await bring(context, RIVALS)
    first, second = await own_money.transfers(context)
    assert {first.status, second.status} == {"candidate"}
    assert "another transaction fits" in first.why

    await _say(context, second, "confirm")

    assert [(each.id, each.status) for each in await own_money.transfers(context)] == [
        (second.id, "confirmed")
    ]


async def test_rejecting_one_rival_pairs_the_other(context: Context) -> None:
    """What the person rules out rules the other in."""
    await bring(context, RIVALS)
    first, second = await own_money.transfers(context)
    await _say(context, first, "reject")

    assert {each.id: each.status for each in await own_money.transfers(context)} == {
        first.id: "rejected",
        second.id: "paired",
    }


async def test_a_leg_left_alone_by_undo_finds_another(context: Context) -> None:
    """When the import that held its other half is undone, the next best half is taken."""
    await bring(context, {"checking.csv": own_money.csv("2026-09-03,TRANSFER OUT,-300.00")})
    near = await bring(context, {"near.csv": own_money.csv("2026-09-03,TRANSFER IN,300.00")})
    await bring(context, {"far.csv": own_money.csv("2026-09-06,TRANSFER IN,300.00")})
    before = await _the_pair(context)
    await undo_import(context, ImportId(id=near.id))
    after = await _the_pair(context)

    assert (before.status, after.status) == ("paired", "paired")
    assert before.out.transaction_id == after.out.transaction_id
    assert (str(before.into.date), str(after.into.date)) == ("2026-09-03", "2026-09-06")


async def test_a_pair_reaches_into_an_older_statement(context: Context) -> None:
    """A statement imported later may be older: its rows meet those that are there."""
    await bring(context, {"savings.csv": own_money.csv("2026-03-01,TRANSFER IN,300.00")})
    await bring(context, {"checking.csv": own_money.csv("2026-02-27,TRANSFER OUT,-300.00")})

    assert await own_money.statuses(context) == {(-300_00, 300_00): "paired"}


CHECKING = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)
SAVINGS = BankAccount("sav", "Savings", "2222", "depository", "savings", "USD", 100_00)


def _bank() -> own_money.Bank:
    out = BankTransaction("chk", "t1", 20260903, -730_00, "REF 88123 LM")
    into = BankTransaction("sav", "u1", 20260904, 730_00, "77 INCOMING QX")
    return own_money.Bank(
        Larkmoor=own_money.Branch((CHECKING,), [out]), Elmgate=own_money.Branch((SAVINGS,), [into])
    )


async def _confirmed(context: Context) -> tuple[Context, own_money.Bank, Transfer, str, str]:
    """Two linked banks with a confirmed pair between them, and their connections."""
    bank = _bank()
    known, first = await own_money.linked(context, bank, "Larkmoor")
    known, second = await own_money.linked(known, bank, "Elmgate")
    (candidate,) = await own_money.transfers(known)
    return known, bank, await _say(known, candidate, "confirm"), first, second


async def test_unlinking_one_side_is_no_change_of_mind(context: Context) -> None:
    """The leg that stays counts alone; when the bank is linked again the pair is confirmed still."""
    known, _, pair, _, second = await _confirmed(context)
    assert await own_money.spent(known) == 0
    await unlink_connection(known, Unlinking(id=second))

    assert await own_money.spent(known) == 730_00
    assert await own_money.transfers(known) == ()
    with pytest.raises(Conflict, match="is gone"):
        await _say(known, pair, "reject")
    await own_money.linked(known, known.aggregators["scripted"], "Elmgate")  # type: ignore[arg-type]
    assert [(each.id, each.status) for each in await own_money.transfers(known)] == [
        (pair.id, "confirmed")
    ]


async def test_a_corrected_row_stays_in_its_confirmed_pair(context: Context) -> None:
    """A bank that rewrites a row, its day among it, changes nothing of what the person said."""
    known, bank, pair, first, _ = await _confirmed(context)
    bank.branches["Larkmoor"].modified = [
        BankTransaction("chk", "t1", 20260902, -730_00, "REF 88123 LM CORRECTED")
    ]
    await sync_connection(known, ConnectionId(id=first))

    (after,) = await own_money.transfers(known)
    assert (after.id, after.status, str(after.out.date)) == (pair.id, "confirmed", "2026-09-02")


async def test_a_removed_row_leaves_its_pair(context: Context) -> None:
    """A row that its bank withdraws is gone, and its other half counts."""
    known, bank, _, first, _ = await _confirmed(context)
    bank.branches["Larkmoor"].removed = ["t1"]
    await sync_connection(known, ConnectionId(id=first))

    assert await own_money.transfers(known) == ()


async def test_a_leg_left_alone_by_its_bank_finds_another(context: Context) -> None:
    """When the bank withdraws its other half, the next best half is taken in the same sync."""
    rows = [
        BankTransaction("chk", "t1", 20260903, -300_00, "TRANSFER OUT"),
        BankTransaction("sav", "u1", 20260903, 300_00, "TRANSFER IN"),
        BankTransaction("sav", "u2", 20260906, 300_00, "TRANSFER IN"),
    ]
    branch = own_money.Branch((CHECKING, SAVINGS), rows)
    known, connection = await own_money.linked(context, own_money.Bank(Larkmoor=branch), "Larkmoor")
    assert [str(each.into.date) for each in await own_money.transfers(known, "paired")] == [
        "2026-09-03"
    ]
    branch.removed = ["u1"]
    await sync_connection(known, ConnectionId(id=connection))

    assert [str(each.into.date) for each in await own_money.transfers(known, "paired")] == [
        "2026-09-06"
    ]


async def test_people_never_see_each_others_transfers(context: Context) -> None:
    """Another person of the same store lists none of them and cannot decide them."""
    await bring(context, FILES)
    pair = await _the_pair(context)
    other = await own_money.second_person(context)

    assert await own_money.transfers(other) == ()
    with pytest.raises(NotFound, match="finplan transfers"):
        await _say(other, pair, "reject")
    await _say(context, pair, "reject")
    assert await own_money.transfers(other) == ()
    with pytest.raises(NotFound):
        await _say(other, pair, "confirm")


async def test_a_verdict_raises_the_generation(context: Context) -> None:
    """What was cached of the data before is stale."""

    async def generation() -> int:
        row = await context.store.read(lambda c: people.get_person(c, context.caller.owner))
        return int(row["generation"])

    await bring(context, FILES)
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
            "one.csv": own_money.csv("2026-09-03,BOOK FAIR,-50.00", "2026-09-04,CHECK 1042,-50.00"),
            "two.csv": own_money.csv(
                "2026-09-05,REFUND OF DEPOSIT HALL,50.00", "2026-09-06,GIFT,50.00"
            ),
        },
        # A difference of a few percent between strangers (sure#3308).
        {
            "one.csv": own_money.csv("2026-09-03,CITY HARDWARE,-1000.00"),
            "two.csv": own_money.csv("2026-09-04,TRANSFER FROM EMPLOYER,985.00"),
        },
        # A friend's share of a purchase, as large as the purchase (securo#648).
        {
            "visa card.csv": own_money.csv("2026-09-03,RISTORANTE DA MARIO,-42.00"),
            "checking.csv": own_money.csv("2026-09-04,ZELLE FROM JOHN SMITH,42.00"),
        },
    ],
    ids=["equal amounts", "a percent apart", "a friend's share"],
)
async def test_strangers_are_not_paired(context: Context, files: dict[str, str]) -> None:
    """What failed elsewhere is never paired without the person."""
    await bring(context, files)

    assert await own_money.transfers(context, "paired", "confirmed") == ()


async def test_thirty_accounts(context: Context) -> None:
    """Among many accounts each transfer finds its own other half by what the rows say."""
    files = {
        f"account {number:02d}.csv": own_money.csv(
            f"2026-09-{number % 28 + 1:02d},TRANSFER OUT,-{number}00.00",
            f"2026-09-{(number - 1) % 28 + 2:02d},TRANSFER IN,{(number - 1) % 30}00.00",
        )
        for number in range(1, 31)
    }
    await bring(context, files)

    found = await own_money.transfers(context, "paired")
    assert sorted(-pair.out.amount for pair in found) == [n * 100_00 for n in range(1, 30)]


async def test_a_question_that_cannot_be_is_explained(context: Context) -> None:
    """An unknown status and days in the wrong order are refused with what is known."""
    with pytest.raises(BadRequest, match="one of: paired"):
        await list_transfers(context, TransferQuery(status=("new",)))
    asked = TransferQuery.model_validate({"from": "2026-02-01", "to": "2026-01-01"}, strict=False)
    with pytest.raises(BadRequest, match="after the last"):
        await list_transfers(context, asked)


def monthly(day: int, text: str, amount: int, since: int = 1) -> list[str]:
    return [f"2026-{month:02d}-{day:02d},{text},{amount}.00" for month in range(since, 12)]


def checking(order: str, *more: str) -> str:
    pay = monthly(28, "NORTHLIGHT STUDIOS PAYROLL", 2500)
    return own_money.csv(*pay, *monthly(3, order, -900), *monthly(7, "CORNER GROCER", -200), *more)


def second(arrives: str, *more: str) -> str:
    return own_money.csv(*monthly(4, arrives, 900), *monthly(9, "KROGER", -45), *more)


STANDING = {"first.csv": checking("QX 4711 ZW"), "other.csv": second("77 LM")}


async def test_a_standing_order_is_one_question_with_its_twin(context: Context) -> None:
    """Between own accounts is offered first, the other row is shown, and no rent or pay is guessed."""
    await bring(context, STANDING)

    (task,) = await questions(context)
    assert (task.suggested, task.suggested_label) == ("transfer", "Between own accounts")
    assert (task.count, task.total) == (11, 11 * 900_00)
    said = describe_twin(task, await list_transfers(context, CANDIDATES))
    assert re.search(r"\$900\.00 .* other .*Wed 4 Nov \(“77 LM”\)", said)
    assert said.endswith(" 11 possible matches.")


@pytest.mark.parametrize("how", ["answer", "rule"])
async def test_one_answer_settles_all_pairs(context: Context, how: str) -> None:
    """Both legs of every month are moves, and those that come later too; undone, all is as it was."""
    await bring(context, STANDING)
    (task,) = await questions(context)
    before = await own_money.spent(context)
    if how == "answer":
        await answer_task(context, TaskAnswer(id=task.id, answer="transfer"))
    else:
        await set_rule(context, RuleRequest(payee_key=task.payee_key, category="transfer"))

    assert [pair.status for pair in await own_money.transfers(context)] == ["paired"] * 11
    assert await questions(context) == []
    assert await own_money.spent(context) == before - 11 * 900_00
    assert (await build_plan(context, Nothing())).plan.monthly.income == 2500_00
    await bring(
        context,
        {
            "first.csv": checking("QX 4711 ZW", "2026-12-03,QX 4711 ZW,-900.00"),
            "other.csv": second("77 LM", "2026-12-04,77 LM,900.00"),
        },
    )
    assert len(await own_money.transfers(context)) == 12
    if how == "answer":
        assert isinstance(await undo_answer(context, TaskId(id=task.id)), CategorizePayee)
        assert {pair.status for pair in await own_money.transfers(context)} == {"candidate"}
        assert [each.id for each in await questions(context)] == [task.id]


async def test_a_preview_says_what_one_answer_moves(context: Context) -> None:
    """All rows of the payee, of any age, and the allowance with both legs out of the way."""
    await bring(context, STANDING)
    (task,) = await questions(context)
    effect = await answer_task(context, TaskAnswer(id=task.id, answer="transfer", preview=True))
    assert isinstance(effect, Effect)
    assert (effect.charges, effect.total) == (task.count, task.total)
    assert {pair.status for pair in await own_money.transfers(context)} == {"candidate"}


async def test_another_answer_pairs_nothing(context: Context) -> None:
    """A landlord stays one, and the money in is asked about by itself from then on."""
    await bring(context, STANDING)
    (task,) = await questions(context)
    await answer_task(context, TaskAnswer(id=task.id, answer="rent"))

    assert await own_money.transfers(context, "paired", "confirmed") == ()
    assert task.id not in {each.id for each in await questions(context)}


async def test_two_times_are_offered_and_not_first(context: Context) -> None:
    """Once is an accident: a transfer is a choice, and the row on the other account is shown."""
    await bring(
        context,
        {
            "first.csv": own_money.csv(
                *monthly(7, "CORNER GROCER", -200), "2026-09-03,ZWALDHOF,-730.00"
            ),
            "other.csv": own_money.csv(*monthly(9, "KROGER", -45), "2026-09-04,77 LM,730.00"),
        },
    )
    for task in await questions(context):
        assert "transfer" in {task.suggested, *(each.category for each in task.alternatives)}
        assert (task.suggested, task.confidence) != ("transfer", 0.7)
        assert describe_twin(task, await list_transfers(context, CANDIDATES))


HEAD = "Date,Description,Amount\n"
OUT = HEAD + "2026-09-02,TRANSFER TO SAVINGS,-500.00\n2026-09-20,SAFEWAY,-40.00\n"
INTO = HEAD + "2026-09-03,TRANSFER FROM CHECKING,500.00\n2026-09-21,INTEREST,1.00\n"


@pytest.fixture
async def home(context: Context) -> Context:
    """A household with one transfer between two accounts."""
    await bring(context, {"a.csv": OUT}, account="Checking")
    await bring(context, {"b.csv": INTO}, account="Savings")
    return context


async def pairs(context: Context, *status: str) -> list[Transfer]:
    """The transfers, or those of a status."""
    return list(await list_transfers(context, TransferQuery(status=status)))


@pytest.mark.thorough
@pytest.mark.parametrize(
    "word",
    [{"category": "rent"}, {"splits": [(-400_00, "rent"), (-100_00, "savings")]}],
    ids=["category", "split"],
)
async def test_what_is_spent_is_no_transfer(home: Context, word: dict[str, Any]) -> None:
    """The pair comes apart and is not offered, the other row is on its own, and all of it comes back."""
    before, row = await dump(home), await the_row(home, "TO SAVINGS")
    assert row.transfer_id is not None
    said = await say(home, row, **word)
    assert (said.transfer_id, said.category) == (None, "rent")
    assert await pairs(home) == []
    assert (await the_row(home, "FROM CHECKING")).transfer_id is None
    assert (await totals(home))["rent"] == -sum(
        part.amount for part in said.splits or (said,) if part.category == "rent"
    )
    assert await say(home, row, **NOTHING) == row
    assert await dump(home) == before


async def test_a_word_holds_before_the_other_leg_comes(context: Context) -> None:
    """A row that is filed before its other leg is imported is not paired with it."""
    await bring(context, {"a.csv": OUT}, account="Checking")
    await say(context, await the_row(context, "TO SAVINGS"), category="rent")
    await bring(context, {"b.csv": INTO}, account="Savings")
    assert await pairs(context) == []
    assert (await totals(context))["rent"] == 500_00


async def test_what_is_saved_may_be_a_transfer(home: Context) -> None:
    """A word that says saving, or a note, leaves the pair as it is, and the pair says what it is."""
    row = await the_row(home, "TO SAVINGS")
    said = await say(home, row, category="savings", note="holiday")
    assert (said.transfer_id, said.category, said.splits) == (row.transfer_id, row.category, None)
    assert said.note == "holiday"
    assert len(await pairs(home, "paired")) == 1


async def test_a_confirmed_transfer_is_nothing_else(home: Context) -> None:
    """A category on a confirmed leg is refused with what parts them; a note is kept all the same."""
    (pair,) = await pairs(home)
    await decide_transfer(home, TransferVerdict(id=pair.id, verdict="confirm"))
    row = await the_row(home, "TO SAVINGS")
    with pytest.raises(Conflict, match=f"`finplan transfers reject {pair.id}`"):
        await say(home, row, category="rent")
    assert (await say(home, row, note="holiday")).note == "holiday"
    await decide_transfer(home, TransferVerdict(id=pair.id, verdict="reject"))
    assert (await say(home, row, category="rent")).category == "rent"
    await decide_transfer(home, TransferVerdict(id=pair.id, verdict="confirm"))
    confirmed = await the_row(home, "TO SAVINGS")
    assert (confirmed.transfer_id, confirmed.line) == (pair.id, "not_spending")
    assert "rent" not in await totals(home)


async def test_the_other_leg_finds_another(context: Context) -> None:
    """Where a row is no leg any more, its rival is paired, and parted again on the way back."""
    twice = OUT + "2026-09-02,TRANSFER TO SAVINGS 2,-500.00\n"
    await bring(context, {"a.csv": twice}, account="Checking")
    await bring(context, {"b.csv": INTO}, account="Savings")
    before = await all_rows(context)
    row = await the_row(context, "TO SAVINGS 2")
    await say(context, row, category="rent")
    assert (await the_row(context, "FROM CHECKING")).transfer_id is not None
    await say(context, row, **NOTHING)
    assert await all_rows(context) == before


async def test_a_removed_category_keeps_no_row_from_its_pair(home: Context) -> None:
    """Once a row is not filed by itself any more, because its category went, the pair is there again."""
    before, row = await dump(home), await the_row(home, "TO SAVINGS")
    for target in (None, "savings"):
        made = await make(home, "Kites")
        await say(home, row, category=made.category)
        assert await pairs(home) == []
        await remove_category(home, CategoryRemoval(category=made.category, merge_into=target))
        assert len(await pairs(home, "paired")) == 1
        await say(home, row, **NOTHING)
        assert await dump(home) == before


async def test_an_answer_taken_back_gives_the_pair_back(context: Context) -> None:
    """A row that was answered as spent is paired again once that answer is undone."""
    out = HEAD + "2026-09-02,ZORBLAX,-500.00\n2026-09-05,ZORBLAX,-20.00\n"
    await bring(context, {"a.csv": out}, account="Checking")
    await give(context, (await questions(context))[0], each=True)
    task = next(each for each in await questions(context) if each.total == 500_00)
    await give(context, task, answer="rent")
    into = HEAD + "2026-09-03,TRANSFER FROM CHECKING,500.00\n2026-09-21,INTEREST,1.00\n"
    await bring(context, {"b.csv": into}, account="Savings")
    assert await pairs(context, "paired", "candidate") == []
    await undo_answer(context, TaskId(id=task.id))
    assert len(await pairs(context, "paired", "candidate")) == 1


async def test_a_pair_with_a_fee_comes_back(context: Context) -> None:
    """A transfer of which a fee was kept is paired again after a word on either row."""
    await bring(context, {"a.csv": OUT}, account="Checking")
    await bring(context, {"b.csv": INTO.replace("500.00", "499.00")}, account="Savings")
    before = await all_rows(context)
    for raw in ("TO SAVINGS", "FROM CHECKING"):
        row = await the_row(context, raw)
        assert row.transfer_id is not None
        assert (await say(context, row, category="dining")).transfer_id is None
        assert await say(context, row, **NOTHING) == row
    assert await all_rows(context) == before
