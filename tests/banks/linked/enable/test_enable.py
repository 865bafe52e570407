"""A European bank through Enable Banking: what the store ends with is what the bank has.

However days, faults, crashes and consents are mixed; what of an answer cannot be read is left out
and told, and keeps nothing else away.
"""

import json
import re
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from finplan.banks import http
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.connection import Unlinking
from finplan.model.errors import Conflict
from finplan.model.transaction import TransactionQuery, TransactionWord
from finplan.service.banking.accounts import list_account_records, list_accounts
from finplan.service.banking.connections import list_connections, unlink_connection
from finplan.service.context import Context
from finplan.service.transactions import change_transaction, list_transactions
from tests.banks.fakes import wire
from tests.banks.fakes.enable_banking import EnableBanking, denying
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.enable.home import EnableHome, enable_home
from tests.banks.linked.household import Mortal
from tests.banks.linked.test_any_way import _live
from tests.webhooks.receiver import Authority


def _live_in_europe(world: World, *accounts: Held, days: int = 120) -> None:
    for place, account in enumerate(accounts):
        for ago in range(1, days, 3):
            day = world.today - timedelta(days=ago)
            world.book(account, -100 * (place + 1) - ago, "SUPERMARKT 12", day=day)


async def test_a_link_brings_all_that_there_is(home: EnableHome, world: World) -> None:
    """Rows, rows that wait, balances and kinds of every account, in two requests each."""
    card = world.open(
        world.harbour,
        "Kreditkarte Gold",
        kind="credit",
        subtype="credit card",
        mask="4417",
        currency="EUR",
        opening=-41_000,
        credit_limit=200_000,
    )
    savings = world.open(
        world.harbour, "Tagesgeld", subtype="savings", currency="EUR", opening=900_000
    )
    _live_in_europe(world, world.checking, card, savings, days=700)
    world.hold(world.checking, -2_000, "TRATTORIA")
    home.bridge.page_size = 1_000
    record = await home.link()

    assert (record.connection.institution_name, record.connection.status) == ("Hafenbank", "ok")
    await home.must_be_true()
    assert (home.asked("balances"), home.asked("transactions")) == (3, 3)
    accounts = {each.name: each for each in await list_accounts(home.context, Nothing())}
    assert [(each.kind, each.subtype, each.mask) for each in accounts.values()] == [
        ("depository", "checking", "3704"),
        ("credit", "credit card", "4417"),
        ("depository", "savings", None),
    ]
    assert accounts["Kreditkarte Gold"].credit_limit == 200_000
    records = await list_account_records(home.context, Nothing())
    assert {each.currency for each in records} == {"EUR"}


async def test_later_syncs_ask_for_the_last_days(home: EnableHome, world: World) -> None:
    """From two weeks before the last sync on, also after a long pause, without a strategy."""
    _live_in_europe(world, world.checking)
    await home.link()
    for pause in (1, 1, 30, 60):
        world.advance(world.today + timedelta(days=pause))
        world.book(world.checking, -pause, "BÄCKEREI")
        world.book(world.checking, -700, "SPÄT GEBUCHT", day=world.today - timedelta(days=9))
        await home.must_sync()
    query = dict(home.bridge.asked("/accounts/*/transactions")[-1].query)
    since = world.today - timedelta(days=60 + 14)
    assert query == {"date_from": since.isoformat()}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("size", [1, 3, 50])
@pytest.mark.parametrize("empty", [False, True])
async def test_pages_come_together(home: EnableHome, world: World, size: int, empty: bool) -> None:
    """However many there are, and some without rows."""
    home.bridge.page_size, home.bridge.empty_pages = size, empty
    _live_in_europe(world, world.checking, days=40)
    await home.link()
    await home.must_be_true()


async def test_a_row_that_comes_amid_pages_is_there(home: EnableHome, world: World) -> None:
    """The list is read once more where its pages moved, and nothing is missing or doubled."""
    home.bridge.page_size = 2
    for number in range(1, 7):
        world.book(world.checking, -number, "BÄCKEREI")
    booked = wire.Meanwhile(lambda: world.book(world.checking, -999, "KIOSK"))
    home.bridge.misbehave(booked, "/accounts/*/transactions", nth=2)
    await home.link()
    assert await home.posted() == home.true_rows(pending=False)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("references", [True, False])
@pytest.mark.parametrize("size", [1, 2, 50])
async def test_equal_rows_of_a_day_are_each_there(
    home: EnableHome, world: World, references: bool, size: int
) -> None:
    """Two coffees are two, whether the bank gives rows a reference or not, and a third is a third."""
    home.bridge.references, home.bridge.page_size = references, size
    for _ in range(2):
        world.book(world.checking, -350, "CAFÉ")
    await home.link()
    await home.must_be_true()
    world.book(world.checking, -350, "CAFÉ")
    await home.must_sync()


async def test_a_reference_given_twice_is_two_rows(home: EnableHome, world: World) -> None:
    """Of one day, equal or not, and of days that no sync sees together."""
    for amount in (-100, -250, -100):
        world.book(world.checking, amount, "GEBÜHR", id="NOTPROVIDED")
    await home.link()
    await home.must_be_true()
    world.advance(world.today + timedelta(days=40))
    world.book(world.checking, -100, "GEBÜHR", id="NOTPROVIDED")
    await home.must_sync()


async def test_references_may_come_late(home: EnableHome, world: World) -> None:
    """A row that gets its reference days later is the same row, with what the person said of it."""
    home.bridge.references = False
    for _ in range(2):
        world.book(world.checking, -350, "CAFÉ")
    await home.link()
    page = await list_transactions(home.context, TransactionQuery())
    word = TransactionWord(id=page.transactions[0].id, note="mit Ada")
    await change_transaction(home.context, word)
    home.bridge.references = True
    world.advance()
    report = await home.sync()

    assert (report.added, report.removed) == (0, 0)
    await home.must_be_true()
    page = await list_transactions(home.context, TransactionQuery())
    assert sorted(each.note or "" for each in page.transactions) == ["", "mit Ada"]


async def test_a_place_in_a_list_is_no_reference(home: EnableHome, world: World) -> None:
    """Rows that are numbered by day stay what they are when another row comes before them."""
    day = world.today.isoformat()
    early = world.book(world.checking, -350, "CAFÉ", id=f"{day}.0")
    await home.link()
    world.alter(early, id=f"{day}.1")
    world.book(world.checking, -900, "KINO", id=f"{day}.0")
    report = await home.sync()
    assert (report.added, report.modified, report.removed) == (1, 0, 0)
    await home.must_be_true()


async def test_a_held_charge_posts_with_its_tip(home: EnableHome, world: World) -> None:
    """Once, whether the bank keeps its reference or not; one that lapses is gone."""
    home.bridge.pending_references = True
    day = timedelta(days=1)
    posts = world.today + 2 * day
    world.hold(world.checking, -2_000, "TRATTORIA", posts=posts, tip=-300)
    world.hold(world.checking, -4_500, "TANKSTELLE", posts=posts, same_id=True)
    world.hold(world.checking, -1, "PRÜFUNG", lapses=posts)
    await home.link()
    await home.must_be_true()
    for _ in range(3):
        world.advance()
        await home.must_sync()


@pytest.mark.thorough
async def test_a_held_charge_that_never_posts_waits_for_two_weeks(
    home: EnableHome, world: World
) -> None:
    """In no total; then it is asked for no more, and comes back as a row should it post after all."""
    held = world.hold(world.checking, -2_000, "HOTELKAUTION")
    await home.link()
    for _ in range(14):
        world.advance()
        await home.must_sync()
    for _ in range(2):
        world.advance()
        await home.sync()
    assert not await home.waiting()
    world.settle(held)
    await home.must_sync()


async def test_a_bank_may_change_what_it_booked(home: EnableHome, world: World) -> None:
    """Another amount, another day, another text, or gone: the store has it as it now is."""
    rows = [world.book(world.checking, -100 - each, f"LADEN {each}") for each in range(4)]
    world.book(world.checking, -5, "ÄLTER", day=world.today - timedelta(days=3))
    await home.link()
    world.alter(rows[0], amount=-1_000)
    world.alter(rows[1], day=world.today - timedelta(days=1))
    world.alter(rows[2], text="LADEN 2 BERLIN")
    world.withdraw(rows[3])
    await home.must_sync()


async def test_states_that_move_no_money_are_left_out(home: EnableHome, world: World) -> None:
    """Cancelled, rejected, planned and informative rows are none; what a bank calls other is booked."""
    states = ("CNCL", "RJCT", "SCHD", "INFO", "OTHR", "HOLD", None)
    for place in range(len(states)):
        world.book(world.checking, -100 - place, "LADEN")

    def with_states(told: dict[str, list[dict[str, object]]]) -> object:
        for row, state in zip(reversed(told["transactions"]), states, strict=True):
            row["status"] = state
        return told

    home.bridge.misbehave(wire.Changed(with_states), "/accounts/*/transactions", times=None)
    await home.link()
    assert sorted(amount for _, _, amount in await home.posted()) == [-106, -104]
    assert [amount for _, _, amount in await home.waiting()] == [-105]


async def test_a_new_consent_keeps_every_account(home: EnableHome, world: World) -> None:
    """Under new uids accounts are known by their hash, and by what they are where that changed too."""
    savings = world.open(
        world.harbour, "Tagesgeld", subtype="savings", currency="EUR", opening=900_000
    )
    other = world.open(world.harbour, "Tagesgeld", subtype="savings", currency="EUR")
    _live_in_europe(world, world.checking, savings, other)
    await home.link()
    before = await list_accounts(home.context, Nothing())
    for changes in (False, True):
        world.advance()
        world.sign_out(world.harbour)
        assert not (await home.sync()).ok
        assert (await home.record()).connection.status == "login_required"
        if changes:
            world.relink(world.banks[world.harbour.id])
        world.book(world.checking, -77, "BÄCKEREI")
        await home.relink()
        assert (await home.record()).connection.status == "ok"
        await home.must_be_true()
        after = await list_accounts(home.context, Nothing())
        assert [each.id for each in after] == [each.id for each in before]


async def test_a_row_may_change_between_two_consents(home: EnableHome, world: World) -> None:
    """Also where the bank knows accounts and rows by other ids then: it is there as it now is, once."""
    _live_in_europe(world, world.checking)
    row = world.book(world.checking, -1_250, "BÄCKEREI")
    await home.link()
    world.advance()
    world.relink(world.banks[world.harbour.id])
    world.alter(world.rows[row.number], amount=-1_251)
    await home.relink()
    await home.must_be_true()


async def test_the_end_of_a_consent_is_known(home: EnableHome) -> None:
    """The connection keeps the instant at which the bank asks for it again."""
    await home.link()
    query = "SELECT access_ends_at FROM connection"
    [(ends,)] = await home.context.store.read(lambda c: c.exec_driver_sql(query).all())
    [session] = home.bridge.sessions.values()
    assert ends == int(session.valid_until.timestamp() * 1000)
    assert timedelta(days=179) < session.valid_until - home.bridge.now() < timedelta(days=180)


async def test_unlinking_ends_the_session(home: EnableHome) -> None:
    """Nobody reads by it any more; one that is over already keeps nobody from unlinking."""
    await home.link()
    await unlink_connection(home.context, Unlinking(id=home.connection))
    [session] = home.bridge.sessions.values()
    assert session.status == "CLOSED"
    await home.link()
    home.bridge.sessions.clear()
    await unlink_connection(home.context, Unlinking(id=home.connection))
    assert await home.balances() == {}


async def test_an_account_of_several_currencies_is_several(home: EnableHome, world: World) -> None:
    """Each currency has its own balance and rows, and none is added to another."""
    world.book(world.checking, -1_000, "LADEN")
    world.book(world.checking, -2_500, "DINER", id="dollars")

    def of_two(told: dict[str, list[dict[str, dict[str, object]]]]) -> object:
        for row in told.get("transactions", []):
            if str(row["entry_reference"]) == "dollars":
                row["transaction_amount"]["currency"] = "USD"
        for balance in list(told.get("balances", [])):
            dollars: dict[str, object] = {"currency": "USD", "amount": "12.00"}
            told["balances"].append({**balance, "balance_amount": dollars})
        return told

    home.bridge.misbehave(wire.Changed(of_two), "/accounts/*", times=None)
    await home.link()
    assert {(name, amount) for name, _, amount in await home.posted()} == {
        ("Girokonto", -1_000),
        ("Girokonto USD", -2_500),
    }
    assert (await home.balances())["Girokonto USD"] == 1_200


async def test_what_the_person_says_of_an_account_stays(home: EnableHome) -> None:
    """A name of theirs outlives syncs and consents."""
    await home.link()
    [account] = await list_accounts(home.context, Nothing())
    await change_account_name(home, account.id, "Haushalt")
    await home.relink()
    assert list(await home.balances()) == ["Haushalt"]


async def change_account_name(home: EnableHome, account: str, name: str) -> None:
    from finplan.service.banking.accounts import change_account

    await change_account(home.context, AccountChange(id=account, name=name))


async def test_the_cursor_knows_each_accounts_last_day(home: EnableHome, world: World) -> None:
    """It holds no secret."""
    await home.link()
    cursor = json.loads((await home.record()).sync_cursor or "")
    assert list(cursor) == ["accounts"]
    assert list(cursor["accounts"].values()) == [world.today.isoformat()]


async def test_who_is_told_off_asks_for_no_more(home: EnableHome, world: World) -> None:
    """What is not up to date is named, and comes first the next time."""
    world.open(world.harbour, "Tagesgeld", subtype="savings", currency="EUR", opening=1)
    world.open(world.harbour, "Sparbuch", subtype="savings", currency="EUR", opening=2)
    await home.link()
    world.advance()
    home.bridge.misbehave(denying("ASPSP_RATE_LIMIT_EXCEEDED"), "/accounts/*/balances", nth=2)
    report = await home.sync()
    assert (report.error or "").startswith("Tagesgeld, Sparbuch: ")
    assert home.asked("balances") == 3 + 2
    assert (await home.record()).connection.status == "ok"
    await home.must_sync()


@pytest.mark.thorough
async def test_an_account_that_hangs_keeps_no_other_from_being_read(
    context: Context, world: World, harbour: HeldAt, checking: Held, authority: Authority
) -> None:
    """Its time is bounded, it is named, and it is made up for."""
    savings = world.open(harbour, "Tagesgeld", subtype="savings", currency="EUR")
    async with wire.serving(EnableBanking(world), authority) as api:
        home = enable_home(context, world, api, authority)
        await home.link()
        for account in (checking, savings):
            world.book(account, -350, "CAFÉ")
        slow = wire.Slow()
        api.misbehave(slow, "/accounts/*/transactions")
        hasty = enable_home(context, world, api, authority, patience_for_one=1.0)
        hasty.connection = home.connection
        report = await hasty.sync()
        slow.go()
        assert report.added == 1
        assert (report.error or "").startswith("Girokonto: Hafenbank ")
        assert "up to date" in (report.error or "")
        await home.must_sync()


async def test_a_bank_that_does_not_answer_in_time_is_asked_again(
    home: EnableHome, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sync ends without it, takes nothing away, and the next one brings what there is."""
    await home.link()
    world.book(world.checking, -350, "CAFÉ")
    slow = wire.Slow()
    home.bridge.misbehave(slow, "/accounts/*/transactions")
    with monkeypatch.context() as patch:
        patch.setattr(http, "PATIENCE", 0.3)
        report = await home.sync()
    slow.go()
    assert "not answer within" in (report.error or "")
    assert (await home.record()).connection.status == "ok"
    await home.must_sync()


async def test_an_address_that_was_finished_leads_to_its_bank(home: EnableHome) -> None:
    """Who brings it again, since a run broke off or a page was sent twice, has the bank once."""
    address = await home.led_back()
    first = await home.link(address)
    again = await home.link(address)

    assert again.connection.id == first.connection.id
    assert len(await list_connections(home.context, Nothing())) == 1
    assert len(home.bridge.sessions) == 1
    assert len(home.bridge.asked("/sessions")) == 1


HOLD = "UPDATE bank_link SET busy_until = ? WHERE state = ?"


async def test_an_address_that_is_being_exchanged_is_not_called_strange(home: EnableHome) -> None:
    """While somebody holds the link, who brings the address is told where to look, and what then."""
    address = await home.led_back()
    state = parse_qs(urlsplit(address).query)["state"][0]
    later = int(home.now().timestamp() * 1000) + 60_000
    await home.context.store.write(lambda c: c.exec_driver_sql(HOLD, (later, state)))

    with pytest.raises(Conflict, match="`finplan connections list`"):
        await home.link(address)
    assert home.bridge.asked("/sessions") == []


COVERED = "SELECT since, until FROM coverage"


async def test_an_account_is_covered_since_its_first_row(home: EnableHome, world: World) -> None:
    """Where the bank does not say how far its list reaches, a row that waits says nothing of it."""
    world.book(world.checking, -500, "KIOSK", day=world.today - timedelta(days=5))
    world.book(world.checking, -600, "KIOSK", day=world.today - timedelta(days=2))
    world.hold(world.checking, -900, "HOTEL", day=world.today - timedelta(days=20))
    await home.link()
    rows = await home.context.store.read(lambda c: c.exec_driver_sql(COVERED).all())
    assert [tuple(row) for row in rows] == [(20260610, 20260615)]


ROWS = "/accounts/*/transactions"


def _odd(text: str, **values: Any) -> wire.Changed:
    def change(told: Any) -> Any:
        for row in told["transactions"]:
            if text in str(row["remittance_information"]):
                row.update(values)
        return told

    return wire.Changed(change)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"credit_debit_indicator": None}, "neither money in nor money out"),
        ({"transaction_amount": None}, "no amount with a currency"),
        ({"transaction_amount": {"amount": "7.77"}}, "no amount with a currency"),
    ],
)
async def test_an_odd_row_stays_out_until_it_can_be_read(
    home: EnableHome, world: World, values: Any, why: str
) -> None:
    """The others come, it is told, and it comes once it can be read, however much later."""
    savings = world.open(world.harbour, "Sparkonto", currency="EUR")
    await home.link()
    world.advance()
    world.book(world.checking, -777, "ODD ONE")
    home.bridge.misbehave(_odd("ODD ONE", **values), ROWS, times=None)
    for _ in range(20):
        world.book(world.checking, -100 - world.today.day, "KIOSK")
        world.book(savings, 50 + world.today.day, "ZINSEN")
        report = await home.sync()
        assert re.search(rf"Girokonto: .* 2026-06-16 \({why}\)\.", str(report.error))
        lacks = home.true_rows(pending=False) - await home.posted()
        assert [key[2] for key in lacks.elements()] == [-777]
        world.advance()
    home.bridge.behave()
    await home.must_sync()


async def test_a_row_that_became_odd_stays_as_it_was(home: EnableHome, world: World) -> None:
    """Its account's list has a hole, so that nothing is taken for withdrawn."""
    world.book(world.checking, -777, "ODD ONE")
    world.book(world.checking, -500, "KIOSK", day=world.today - timedelta(days=1))
    await home.link()
    home.bridge.misbehave(_odd("ODD ONE", transaction_amount=None), ROWS, times=None)
    world.advance()
    report = await home.sync()
    assert not report.ok
    await home.must_be_true()


async def test_a_relink_with_an_odd_row_is_done(home: EnableHome, world: World) -> None:
    """All accounts were told, so that they are known again; the row is left out."""
    world.book(world.checking, -500, "KIOSK")
    await home.link()
    world.relink(next(iter(world.banks.values())))
    world.book(world.checking, -777, "ODD ONE")
    home.bridge.misbehave(_odd("ODD ONE", transaction_amount=None), ROWS, times=None)
    record = await home.relink()
    assert "skipped 1 transaction of 2026-06-15" in str(record.connection.error)
    assert [key[2] for key in await home.posted()] == [-500]
    home.bridge.behave()
    await home.must_sync()


IN_CROWNS = "UPDATE account SET currency = 'SEK'"


async def test_an_account_in_another_currency_stays(home: EnableHome, world: World) -> None:
    """What it is kept in is no unit of what is told now."""
    world.book(world.checking, -500, "KIOSK")
    await home.link()
    before = await home.posted()
    await home.context.store.write(lambda c: c.exec_driver_sql(IN_CROWNS))
    world.book(world.checking, -300, "KIOSK")
    report = await home.sync()
    assert re.search("Girokonto: .* SEK .* EUR", str(report.error))
    assert await home.posted() == before


async def test_a_broken_account_keeps_no_other(home: EnableHome, world: World) -> None:
    """It is asked first each time, since it waits longest, and the others are read all the same."""
    savings = world.open(world.harbour, "Sparkonto", currency="EUR", opening=5_000)
    world.book(savings, 500, "ZINSEN")
    wrong = wire.Answered(200, '{"transactions": null}')
    home.bridge.misbehave(wrong, ROWS)
    record = await home.link()
    assert "Girokonto: " in str(record.connection.error)
    assert [key[2] for key in await home.posted()] == [500]


FAULTS: tuple[wire.Fault, ...] = (
    *(
        wire.BAD_GATEWAY,
        wire.NOT_JSON,
        wire.Cut(),
        wire.Cut(after=True),
        wire.HalfJson(),
        wire.Truncated(),
    ),
    *(denying("ASPSP_RATE_LIMIT_EXCEEDED"), denying("ASPSP_ERROR"), denying("EXPIRED_SESSION")),
)


async def _try(chance: Random, home: EnableHome, mortal: Mortal) -> None:
    """Sync, perhaps in vain, or with an end in the middle."""
    if chance.random() < 0.4:
        nth = chance.randrange(1, 7)
        home.bridge.misbehave(chance.choice(FAULTS), "/accounts/*", nth=nth)
    await mortal.sync(home, chance)
    home.bridge.behave()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 18))]
)
async def test_the_store_ends_with_what_the_bank_holds(
    home: EnableHome, world: World, seed: int
) -> None:
    """Posted rows, waiting rows and balances are the world's, each as often, after any history."""
    chance = Random(seed)
    api = home.bridge
    api.page_size = chance.choice((9, 50, 500))
    api.empty_pages = chance.random() < 0.3
    api.refuses_strategy = chance.random() < 0.3
    api.history = 730
    card = world.open(
        world.harbour,
        "Kreditkarte",
        kind="credit",
        subtype="credit card",
        mask="4417",
        currency="EUR",
    )
    other = world.open(world.harbour, "Tagesgeld", subtype="savings", mask="0042", currency="EUR")
    accounts = [world.checking, card, other]
    for _ in range(30):
        _live(chance, world, accounts, alters=True)
        world.advance()
    mortal = Mortal(home.context.store)
    home.context = replace(home.context, store=mortal)  # type: ignore[arg-type]
    await home.link()
    for _ in range(20):
        for _ in range(chance.choice((1, 1, 1, 2, 30))):
            _live(chance, world, accounts, alters=True)
            world.advance()
        # References come, go and come again, and what waits has some or none.
        api.references = chance.random() < 0.7
        api.pending_references = chance.random() < 0.5
        await _try(chance, home, mortal)
        if chance.random() < 0.15:
            if chance.random() < 0.3:
                world.relink(world.banks[world.harbour.id])
            await home.relink()
    world.advance()
    await home.relink()
    world.advance()
    await home.must_be_settled()
