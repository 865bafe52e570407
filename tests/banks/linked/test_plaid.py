"""Plaid over TLS: what is linked at its page is what the world holds, to the cent and the day.

Whatever Plaid answers, the store has what the bank holds as soon as an answer is whole.
"""

import json
from datetime import date, timedelta
from typing import Any

import pytest

from finplan.banks.answer import Unreadable
from finplan.banks.plaid.changes import gather
from finplan.model.task import TaskQuery
from finplan.service.planning.tasks import list_tasks
from tests.banks.fakes import wire
from tests.banks.fakes.plaid import INITIAL, NOT_READY
from tests.banks.fakes.plaid_shapes import refusing
from tests.banks.fakes.world import Debt, Held, HeldAt, World
from tests.banks.linked.household import PlaidHome
from tests.present import present

UNKNOWN = "TRANSACTIONS_UPDATE_STATUS_UNKNOWN"
NOTHING = {"added": [], "modified": [], "removed": [], "next_cursor": "", "has_more": False}


def _days(world: World, ago: int) -> date:
    return world.today - timedelta(days=ago)


async def test_all_history_comes_with_the_link(plaid: PlaidHome, world: World) -> None:
    """Rows of two years on every kind of account are there once, with balances as each is told."""
    card = world.open(
        world.harbour, "Harbour Visa", kind="credit", subtype="credit card", mask="4417"
    )
    loan = world.open(world.harbour, "Home", kind="loan", subtype="mortgage", opening=-20_000_000)
    world.open(world.harbour, "Brokerage", kind="investment", subtype="brokerage", opening=777_777)
    yen = world.open(world.harbour, "Yen", currency="JPY", opening=5_000)
    for ago in range(0, 729, 3):
        world.book(world.checking, -501 - ago, "CORNER CAFE 12", day=_days(world, ago))
        world.book(card, -1_299, "MARKET HALL", day=_days(world, ago))
        world.book(yen, -13, "KISSATEN", day=_days(world, ago))
    world.book(loan, 120_000, "PAYMENT", day=_days(world, 20))
    link = await plaid.link(world.harbour)

    await plaid.must_be_true()
    assert (link.status, link.error) == ("linked", None)
    assert present(link.connection).institution_name == "Harbour Bank"
    again = await plaid.sync()
    assert (again.ok, again.complete, again.added, again.modified, again.removed) == (
        *(True, True, 0, 0, 0),
    )
    await plaid.must_be_true()


async def test_pages_of_an_update_commit_together(plaid: PlaidHome, world: World) -> None:
    """More rows than a page holds, with rows listed again at each page's start, are there once."""
    plaid.plaid.overlap = True
    for each in range(1_203):
        world.book(world.checking, -100 - each, "CORNER CAFE 12", day=_days(world, each % 400))
    await plaid.link(world.harbour)

    assert len(plaid.plaid.asked("/transactions/sync")) == 3
    await plaid.must_be_true()


async def test_holds_become_their_bookings(plaid: PlaidHome, world: World) -> None:
    """A hold becomes its booking with or without Plaid's word, with a tip, under its id, or lapses."""
    await plaid.link(world.harbour)
    soon, later = _days(world, -2), _days(world, -4)
    world.hold(world.checking, -2_000, "RISTORANTE", posts=soon, tip=-400)
    world.hold(world.checking, -2_100, "RISTORANTE", posts=later, linked=False)
    world.hold(world.checking, -700, "CORNER CAFE 12", posts=soon)
    world.hold(world.checking, -701, "CORNER CAFE 12", posts=later, same_id=True)
    world.hold(world.checking, -9_900, "HOTEL", lapses=later)
    world.hold(world.checking, -100, "GARAGE")
    for _ in range(6):
        await plaid.must_sync()
        world.advance()


RATES = "SELECT apr, minimum_payment FROM account WHERE name = 'Visa'"
NEXT_TRY = "SELECT unfinished, next_try_at FROM connection"
ANOTHER_CURSOR = "UPDATE connection SET cursor = 'of another item'"


async def test_rates_and_payments_come_by_consent(plaid: PlaidHome, world: World) -> None:
    """A card's rate is a ratio, its least payment is money; without consent both are simply unknown."""
    debt = Debt(apr=21.99, minimum=3_500, due=_days(world, -20), statement=80_000)
    world.open(
        world.harbour, "Visa", kind="credit", subtype="credit card", opening=-90_000, debt=debt
    )
    await plaid.link(world.harbour)
    found = await plaid.context.store.read(lambda c: c.exec_driver_sql(RATES).one())
    assert tuple(found) == (0.2199, 3_500)

    # What is known of a debt stays while Plaid cannot say it.
    plaid.item.products.remove("liabilities")
    assert (await plaid.sync()).ok
    found = await plaid.context.store.read(lambda c: c.exec_driver_sql(RATES).one())
    assert tuple(found) == (0.2199, 3_500)


async def test_an_unfinished_history_is_asked_for_soon(plaid: PlaidHome, world: World) -> None:
    """Until Plaid has read all, a sync is not complete, and the next one is minutes away, then hours."""
    for ago in range(0, 300, 5):
        world.book(world.checking, -500 - ago, "CORNER CAFE 12", day=_days(world, ago))
    plaid.plaid.progress = NOT_READY
    link = await plaid.link(world.harbour)
    assert present(link.connection).status == "ok"
    assert await plaid.posted() == {}

    async def minutes() -> float:
        query = "SELECT next_try_at FROM connection"
        at = await plaid.context.store.read(lambda c: c.exec_driver_sql(query).scalar_one())
        return (int(at) - int(plaid.now().timestamp() * 1000)) / 60_000

    assert 1 <= await minutes() <= 1.1
    plaid.item.progress = INITIAL
    report = await plaid.sync()
    assert (report.ok, report.complete) == (True, False)
    assert 0 < len(await plaid.posted()) < 60
    assert 2 <= await minutes() <= 2.2
    plaid.item.progress = "HISTORICAL_UPDATE_COMPLETE"
    report = await plaid.sync()
    assert (report.ok, report.complete) == (True, True)
    assert await minutes() >= 12 * 60
    await plaid.must_be_true()


@pytest.mark.parametrize("has_begun", [True, False])
async def test_no_unknown_end_is_awaited(plaid: PlaidHome, world: World, has_begun: bool) -> None:
    """The sync is complete, the next one comes as usual, and what Plaid reads later comes with it."""
    world.book(world.checking, -500, "CORNER CAFE 12", day=_days(world, 3))
    plaid.plaid.progress = UNKNOWN
    if not has_begun:
        plaid.plaid.misbehave(wire.Changed(lambda told: told | NOTHING), "/transactions/sync")
    link = await plaid.link(world.harbour)
    assert (link.status, link.error) == ("linked", None)
    unfinished, at = await plaid.context.store.read(lambda c: c.exec_driver_sql(NEXT_TRY).one())
    assert unfinished == 0
    assert int(at) - int(plaid.now().timestamp() * 1000) >= 12 * 3_600_000
    world.advance()
    world.book(world.checking, -250, "MARKET HALL")
    report = await plaid.sync()
    assert (report.ok, report.complete) == (True, True)
    await plaid.must_be_true()


async def test_a_changed_row_keeps_what_the_person_said(plaid: PlaidHome, world: World) -> None:
    """A row that Plaid puts right is one row, and the person's own word stays on it."""
    from finplan.model.transaction import TransactionQuery, TransactionWord
    from finplan.service.transactions import change_transaction, list_transactions

    row = world.book(world.checking, -1_000, "MARKET HALL", category="FOOD_AND_DRINK_GROCERIES")
    await plaid.link(world.harbour)
    [shown] = (await list_transactions(plaid.context, TransactionQuery())).transactions
    word = TransactionWord(id=shown.id, category="pets", note="for the cat")
    await change_transaction(plaid.context, word)
    world.alter(row, text="MARKET HALL 0042", category="TRAVEL_FLIGHTS")
    report = await plaid.sync()

    assert (report.added, report.modified) == (0, 1)
    [shown] = (await list_transactions(plaid.context, TransactionQuery())).transactions
    assert (shown.category, shown.note, shown.raw) == ("pets", "for the cat", "MARKET HALL 0042")
    await plaid.must_be_true()


async def test_the_secrets_are_nowhere_in_the_file(plaid: PlaidHome) -> None:
    """Neither the access, nor the page's ticket, nor a key can be read in the store."""
    await plaid.link(plaid.world.harbour)
    held = await plaid.context.store.read(lambda c: "\n".join(c.connection.iterdump()))

    assert "bank_link" in held
    for secret in (plaid.item.access_token, plaid.token, plaid.plaid.keys.secret):
        assert secret not in held


async def test_unlinking_removes_the_item(plaid: PlaidHome) -> None:
    """Plaid is told that an item is needed no more, and one that is gone already keeps nobody."""
    from finplan.model.connection import Unlinking
    from finplan.service.banking.connections import unlink_connection

    await plaid.link(plaid.world.harbour)
    plaid.item.removed = True
    await unlink_connection(plaid.context, Unlinking(id=plaid.connection))
    await plaid.link(plaid.world.harbour)
    await unlink_connection(plaid.context, Unlinking(id=plaid.connection))
    assert plaid.item.removed
    assert await plaid.balances() == {}


@pytest.mark.parametrize("answers", [True, False])
async def test_who_leaves_pays_for_nothing_any_more(plaid: PlaidHome, *, answers: bool) -> None:
    """Deleting oneself removes the item, and a Plaid that does not answer keeps nobody."""
    from finplan.model.base import Nothing
    from finplan.service.credentials.membership import delete_me

    await plaid.link(plaid.world.harbour)
    if not answers:
        plaid.plaid.misbehave(wire.BAD_GATEWAY, "/item/remove")
    gone = await delete_me(plaid.context, Nothing())
    assert gone.connections == 1
    assert plaid.item.removed == answers
    assert await plaid.balances() == {}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("amount", [-1, -12_345_678_901, 1, 99, 100_000_000])
async def test_amounts_are_exact(plaid: PlaidHome, world: World, amount: int) -> None:
    """A number of JSON is the cents that it says, never those of a float nearby."""
    world.book(world.checking, amount, "CORNER CAFE 12")
    await plaid.link(world.harbour)
    await plaid.must_be_true()


SYNC = "/transactions/sync"
MUTATION = refusing("TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION")

SIGN_IN = [
    *("ITEM_LOGIN_REQUIRED", "INVALID_CREDENTIALS", "INVALID_MFA", "ITEM_LOCKED"),
    *("USER_SETUP_REQUIRED", "INSUFFICIENT_CREDENTIALS", "ACCESS_NOT_GRANTED", "NO_ACCOUNTS"),
    *("MFA_NOT_SUPPORTED", "ADDITIONAL_CONSENT_REQUIRED"),
]
OVER = ["ITEM_NOT_FOUND", "INVALID_ACCESS_TOKEN", "USER_PERMISSION_REVOKED", "USER_ACCOUNT_REVOKED"]
PASSING = [
    *("INSTITUTION_DOWN", "INSTITUTION_NOT_RESPONDING", "INSTITUTION_NOT_AVAILABLE"),
    *("INTERNAL_SERVER_ERROR", "PLANNED_MAINTENANCE", "PRODUCT_NOT_READY"),
]
LASTING = [
    *("INSTITUTION_NO_LONGER_SUPPORTED", "PRODUCTS_NOT_SUPPORTED", "INVALID_API_KEYS"),
    *("ITEM_NOT_SUPPORTED", "UNAUTHORIZED_INSTITUTION", "INSTITUTION_REGISTRATION_REQUIRED"),
    "PRODUCT_NOT_ENABLED",
]
LIMITS = ["TRANSACTIONS_SYNC_LIMIT", "ACCOUNTS_LIMIT"]


@pytest.fixture
async def linked(plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held) -> PlaidHome:
    """A bank with more rows than a page holds, and with news."""
    for each in range(40):
        world.book(checking, -100 - each, "CORNER CAFE 12", day=world.today - timedelta(days=each))
    await plaid.link(harbour)
    world.advance()
    for each in range(1_100):
        world.book(checking, -7_000 - each, "MARKET HALL")
    world.hold(checking, -50, "KIOSK")
    return plaid


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "fault",
    [
        wire.BAD_GATEWAY,
        wire.NOT_JSON,
        wire.Cut(),
        wire.Cut(after=True),
        wire.HalfJson(),
        wire.Truncated(),
    ],
)
@pytest.mark.parametrize("page", [1, 2])
async def test_a_broken_page_changes_nothing(
    linked: PlaidHome, fault: wire.Fault, page: int
) -> None:
    """Of an update whose page is not whole nothing is kept, its cursor included."""
    before, cursor = await linked.dump(), (await linked.record()).sync_cursor
    linked.plaid.misbehave(fault, SYNC, nth=page)
    report = await linked.sync()

    assert (report.ok, report.complete) == (False, False)
    assert report.error
    assert (await linked.dump(), (await linked.record()).sync_cursor) == (before, cursor)
    assert (await linked.record()).connection.status == "ok"
    await linked.must_sync()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("times", [1, 2, 3])
async def test_rows_change_between_pages(linked: PlaidHome, checking: Held, times: int) -> None:
    """The pages are read anew from the update's own cursor until the rows stand still."""
    world = linked.world

    def change() -> None:
        world.book(checking, -1 - len(world.rows), "GARAGE")
        world.withdraw(next(each for each in world.rows.values() if not each.pending))

    for nth in range(times):
        linked.plaid.misbehave(wire.Meanwhile(change), SYNC, nth=2 + 2 * nth)
    report = await linked.sync()

    assert report.ok, report.error
    await linked.must_be_true()
    cursors = [each.json.get("cursor") for each in linked.plaid.asked(SYNC)]
    assert cursors.count(cursors[1]) == times + 1


async def test_restless_rows_are_read_from_the_beginning(linked: PlaidHome, checking: Held) -> None:
    """Where an update cannot be read from its cursor all is compared, and what was taken back goes."""
    world = linked.world
    for row in list(world.rows.values())[:3]:
        world.withdraw(row)
    linked.plaid.misbehave(MUTATION, SYNC, times=4)
    report = await linked.sync()

    assert (report.ok, report.removed) == (True, 3)
    assert "cursor" not in linked.plaid.asked(SYNC)[5].json
    await linked.must_be_true()


async def test_rows_that_never_stand_still_at_all_are_a_failure(linked: PlaidHome) -> None:
    """The tries have an end, and it is said; the cursor stays."""
    cursor = (await linked.record()).sync_cursor
    linked.plaid.misbehave(MUTATION, SYNC, times=None)
    report = await linked.sync()

    assert "kept changing" in present(report.error)
    assert len(linked.plaid.asked(SYNC)) == 1 + 8
    assert (await linked.record()).sync_cursor == cursor
    linked.plaid.behave()
    await linked.must_sync()


@pytest.mark.thorough
async def test_a_cursor_that_is_not_known_any_more(
    linked: PlaidHome, harbour: HeldAt, checking: Held
) -> None:
    """All is read from the beginning and compared: rows that went meanwhile go, of every account."""
    world = linked.world
    lonely = world.open(harbour, "Lonely", opening=0)
    only = world.book(lonely, -1_234, "GARAGE")
    kept = world.hold(checking, -99, "HOTEL")
    await linked.must_sync()
    for row in (only, kept, *[each for each in world.rows.values() if not each.pending][:2]):
        world.rows.pop(row.number, None)
    await linked.context.store.write(lambda c: c.exec_driver_sql(ANOTHER_CURSOR))
    report = await linked.sync()

    assert report.ok, report.error
    await linked.must_be_true()


@pytest.mark.thorough
async def test_an_unknown_cursor_of_a_bank_that_is_not_ready_keeps_all(linked: PlaidHome) -> None:
    """Where Plaid has nothing to compare with, nothing is taken away, and it is compared later."""
    assert (await linked.sync()).ok
    before = await linked.dump()
    linked.world.withdraw(next(each for each in linked.world.rows.values() if not each.pending))
    await linked.context.store.write(lambda c: c.exec_driver_sql(ANOTHER_CURSOR))
    progress, linked.item.progress = linked.item.progress, "NOT_READY"
    linked.plaid.misbehave(refusing_cursor(), SYNC)
    report = await linked.sync()
    assert (report.ok, report.complete) == (True, False)
    assert await linked.dump() == before
    linked.item.progress = progress
    assert (await linked.sync()).removed == 1
    await linked.must_be_true()


def refusing_cursor() -> wire.Answered:
    """Plaid does not know a cursor."""
    body = (
        '{"error_type": "INVALID_REQUEST", "error_code": "INVALID_FIELD", "error_message":'
        ' "cursor not associated with access_token"}'
    )
    return wire.Answered(400, body)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("code", [*SIGN_IN, *OVER])
async def test_what_only_the_person_can_mend(linked: PlaidHome, code: str) -> None:
    """The connection waits for the person, one question says so, and what came is kept."""
    linked.plaid.misbehave(refusing(code), SYNC)
    report = await linked.sync()
    held = (await linked.record()).connection

    assert (report.ok, held.status, held.error) == (False, "login_required", report.error)
    assert report.error is not None
    assert "--reconnect 'Harbour Bank'" in report.error
    assert ("Link the bank again" in report.error) == (code in OVER)
    tasks = await list_tasks(linked.context, TaskQuery())
    assert [each.kind for each in tasks].count("reconnect_connection") == 1
    assert (await linked.sync()).ok
    assert (await linked.record()).connection.status == "ok"
    await linked.must_be_true()


async def test_consent_that_was_taken_back_is_called_so(linked: PlaidHome) -> None:
    """Plaid's reason of an OAuth bank says more than its code."""
    fault = refusing("ITEM_LOGIN_REQUIRED", reason="OAUTH_CONSENT_EXPIRED")
    linked.plaid.misbehave(fault, SYNC)
    assert "consent at Harbour" in str((await linked.sync()).error)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("code", PASSING)
async def test_what_passes_by_itself(linked: PlaidHome, code: str) -> None:
    """The connection stays as it was for two failures, is in error at the third, then well again."""
    linked.plaid.misbehave(refusing(code), SYNC, times=3)
    states = []
    for _ in range(3):
        report = await linked.sync()
        assert "tries again later" in present(report.error)
        states.append((await linked.record()).connection.status)
    assert states == ["ok", "ok", "error"]
    assert (await linked.sync()).ok
    assert (await linked.record()).connection.status == "ok"
    await linked.must_be_true()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("code", LASTING)
async def test_what_does_not_pass_is_an_error_at_once(linked: PlaidHome, code: str) -> None:
    """The connection is in error, says why, and is well again once it is."""
    linked.plaid.misbehave(refusing(code), SYNC)
    report = await linked.sync()
    assert not report.ok
    assert "tries again" not in str(report.error)
    assert (await linked.record()).connection.status == "error"
    assert (await linked.sync()).ok
    assert (await linked.record()).connection.status == "ok"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "fault", [*map(refusing, LIMITS), wire.Answered(429, "slow down", "text/plain")]
)
async def test_being_told_off_says_nothing_of_the_bank(linked: PlaidHome, fault: Any) -> None:
    """However often Plaid was asked too often, the connection stays as it was."""
    linked.plaid.misbehave(fault, SYNC, times=5)
    for _ in range(5):
        assert "too many requests" in str((await linked.sync()).error)
        assert (await linked.record()).connection.status == "ok"
    assert (await linked.sync()).ok


@pytest.mark.sampled(4)
@pytest.mark.parametrize("route", ["/item/get", "/liabilities/get"])
@pytest.mark.parametrize(
    "fault",
    [
        wire.BAD_GATEWAY,
        wire.Cut(),
        wire.HalfJson(),
        refusing("ADDITIONAL_CONSENT_REQUIRED"),
        refusing("NO_LIABILITY_ACCOUNTS"),
        refusing("PRODUCTS_NOT_SUPPORTED"),
    ],
)
async def test_what_is_not_needed_may_fail(
    linked: PlaidHome, harbour: HeldAt, route: str, fault: wire.Fault
) -> None:
    """Rows and balances come though the bank's name, consent or rates do not."""
    linked.world.open(harbour, "Visa", kind="credit", subtype="credit card", opening=-500)
    linked.plaid.misbehave(fault, route)
    report = await linked.sync()
    assert (report.ok, report.complete) == (True, True)
    await linked.must_be_true()


async def test_an_item_that_ails_though_its_rows_come(linked: PlaidHome) -> None:
    """What Plaid has of a bank that waits for the person is brought, and the person is told."""
    linked.item.ails = None
    error = {"error_type": "ITEM_ERROR", "error_code": "ITEM_LOGIN_REQUIRED", "error_message": "x"}

    def ail(told: Any) -> Any:
        told["item"]["error"] = error
        return told

    linked.plaid.misbehave(wire.Changed(ail), "/item/get")
    report = await linked.sync()
    assert "connect plaid --reconnect" in str(report.error)
    assert (await linked.record()).connection.status == "login_required"
    await linked.must_be_true()


def _without(name: str) -> Any:
    def change(told: Any) -> Any:
        told.pop(name)
        return told

    return change


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "change", [_without("added"), _without("removed"), _without("accounts"), lambda told: [told]]
)
async def test_a_senseless_answer_is_refused_whole(linked: PlaidHome, change: Any) -> None:
    """Nothing is guessed and nothing kept of such an answer, and the next one is taken."""
    before = await linked.dump()
    linked.plaid.misbehave(wire.Changed(change), SYNC)
    report = await linked.sync()
    assert not report.ok
    assert await linked.dump() == before
    await linked.must_sync()


async def test_pages_that_do_not_end_are_refused() -> None:
    """A page that leads to itself is asked for once."""
    asked: list[str | None] = []

    async def ask(cursor: str | None) -> dict[str, Any]:
        asked.append(cursor)
        lists: dict[str, Any] = {name: [] for name in ("added", "modified", "removed", "accounts")}
        return {**lists, "next_cursor": "x", "has_more": True}

    with pytest.raises(Unreadable, match="repeats this one"):
        await gather(ask, None)
    assert asked == [None, "x"]


async def test_no_secret_comes_out(linked: PlaidHome, caplog: pytest.LogCaptureFixture) -> None:
    """Even where Plaid's own words do."""
    secret = linked.item.access_token
    told = {
        "error_type": "API_ERROR",
        "error_code": "X_Y",
        "error_message": f"no {secret}",
        "display_message": f"{secret} is wrong",
    }
    linked.plaid.misbehave(wire.Answered(400, json.dumps(told)), SYNC)
    report = await linked.sync()
    assert "… is wrong" in str(report.error)
    assert secret not in caplog.text + str(report)
