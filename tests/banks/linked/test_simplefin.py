"""SimpleFIN over TLS: what is linked is what the world holds, to the cent and the day.

Where the bridge misbehaves nothing is lost or doubled, and what happened is said.
"""

from base64 import b64encode
from collections.abc import Callable
from datetime import date, time, timedelta

import pytest

from finplan.banks.simplefin.bank import WINDOW
from finplan.model.connection import Institution
from finplan.model.errors import BadRequest, BankProviderError, Conflict, UnsupportedProvider
from tests.banks.fakes.simplefin import TOO_MANY, Trouble, connection_id, epoch
from tests.banks.fakes.wire import BAD_GATEWAY, NOT_JSON, Answered, Cut, Fault, Truncated
from tests.banks.fakes.world import World
from tests.banks.linked.household import LinkedHome
from tests.banks.published_codes import SIMPLEFIN


def _days(world: World, ago: int) -> date:
    return world.today - timedelta(days=ago)


async def test_all_history_comes_with_the_link(home: LinkedHome, world: World) -> None:
    """Rows of the newest window and of those before it are there, each once; then it is complete."""
    card = world.open(world.harbour, "Harbour Visa 4417", kind="credit", subtype="credit card")
    for ago in range(0, 88, 3):
        world.book(world.checking, -500 - ago, "CORNER CAFE 12", day=_days(world, ago))
        world.book(card, -1_200, "MARKET HALL", day=_days(world, ago))
    record = await home.link()

    await home.must_be_true()
    assert record.connection.institution_name == "Harbour Bank"
    assert (record.connection.provider, record.connection.status) == ("aggregator", "ok")
    assert record.connection.error is None
    again = await home.sync()
    assert (again.ok, again.complete, again.added, again.modified) == (True, True, 0, 0)
    await home.must_be_true()


async def test_the_secret_is_nowhere_in_the_file(home: LinkedHome) -> None:
    """What the setup token was exchanged for is sealed; nobody who reads the store has it."""
    token = home.bridge.setup_token()
    await home.link(token)
    user, password = next(iter(home.bridge._access.items()))
    held = await home.context.store.read(lambda c: "\n".join(c.connection.iterdump()))

    assert "claimed_pending" in held
    assert token not in held
    assert user not in held
    assert password not in held


async def test_a_token_is_good_for_one_claim(home: LinkedHome) -> None:
    """The second claim is refused with what it may mean, and nothing is linked by it."""
    token = home.bridge.setup_token()
    await home.link(token)
    with pytest.raises(BankProviderError, match="at the bridge") as refused:
        await home.link(token)
    assert refused.value.failure == "login_required"


@pytest.mark.parametrize("token", ["", "nonsense", "aHR0cDovL2V4YW1wbGUuY29t", "aHR0cHM6Ly8="])
async def test_what_is_no_token_is_refused(home: LinkedHome, token: str) -> None:
    """Text that is no https address in base64 asks nobody anything."""
    with pytest.raises(UnsupportedProvider, match="copy all"):
        await home.link(token or "====")
    assert home.bridge.seen == []


async def test_a_bank_is_called_as_the_person_says(home: LinkedHome) -> None:
    """A name that was given stays whatever the bank calls itself."""
    record = await home.link(institution=Institution(name="My banks"))
    assert record.connection.institution_name == "My banks"
    await home.sync()
    assert (await home.record()).connection.institution_name == "My banks"


async def test_pending_rows_post_under_another_id(home: LinkedHome, world: World) -> None:
    """A hold becomes its booking; one that lapses goes; one that stays waits on, day by day."""
    await home.link()
    world.hold(world.checking, -2_000, "RISTORANTE", posts=_days(world, -3), tip=400)
    world.hold(world.checking, -700, "CORNER CAFE 12", posts=_days(world, -2))
    world.hold(world.checking, -700, "CORNER CAFE 12", posts=_days(world, -4))
    world.hold(world.checking, -9_900, "HOTEL", lapses=_days(world, -5))
    world.hold(world.checking, -100, "GARAGE")
    for _ in range(7):
        await home.must_sync()
        world.advance()
    await home.must_sync()


async def test_a_stale_hold_beside_its_booking_stays_gone(home: LinkedHome, world: World) -> None:
    """A bank that lists a hold on after it posted shows one charge, not two."""
    world.hold(world.checking, -26_342, "AIRLINE")
    await home.link()
    world.advance()
    # The very charge is booked, and its authorisation is shown for days beside it.
    world.book(world.checking, -26_342, "AIRLINE")
    for _ in range(3):
        await home.sync()
        assert await home.posted() == home.true_rows(pending=False)
        assert not await home.waiting()
        world.advance()


async def test_a_pause_is_made_up_for(home: LinkedHome, world: World) -> None:
    """After weeks without a sync all that came meanwhile is there, also beyond one window."""
    await home.link()
    for ahead in range(1, 81):
        world.advance()
        if ahead % 4 == 0:
            world.book(world.checking, -100 - ahead, "CORNER CAFE 12")
    report = await home.sync()

    assert (report.ok, report.complete, report.added) == (True, True, 20)
    await home.must_be_true()


async def test_a_row_that_changes_is_one_row(home: LinkedHome, world: World) -> None:
    """A row whose amount, day or text the bank puts right is not there twice."""
    row = world.book(world.checking, -1_000, "MARKET HALL")
    await home.link()
    world.alter(row, amount=-1_100)
    report = await home.sync()
    assert (report.added, report.modified) == (0, 1)
    await home.must_be_true()
    world.advance()
    world.alter(world.rows[row.number], day=world.today)
    await home.must_sync()


async def test_an_account_that_comes_later_brings_its_past(home: LinkedHome, world: World) -> None:
    """A bank or account that the person adds at the bridge is there with its history."""
    await home.link()
    world.advance()
    savings = world.open(world.harbour, "Rainy Day Savings", subtype="savings")
    for ago in range(2, 86, 7):
        world.book(savings, 5_000, "STANDING ORDER", day=_days(world, ago))
    await home.must_sync()


async def test_ordinary_syncs_ask_once(home: LinkedHome, world: World) -> None:
    """Once the history is there a sync is one request for all accounts."""
    await home.link()
    asked = len(home.bridge.asked("/simplefin/accounts"))
    for _ in range(5):
        world.advance()
        await home.sync()
    assert len(home.bridge.asked("/simplefin/accounts")) == asked + 5


async def test_reconnect_names_a_connection_of_its_kind(home: LinkedHome) -> None:
    """A manual connection takes no access, and no token is spent on the attempt."""
    from finplan.model.connection import LinkRequest, Reconnection
    from finplan.service.banking.linking import link_connection

    ask = LinkRequest(provider="manual", institution=Institution(name="Files"))
    files = (await link_connection(home.context, ask)).answer.connection.id
    with pytest.raises(BadRequest, match="through statement files"):
        await home.link(reconnect=Reconnection(connection_id=files))
    assert home.bridge.seen == []


async def test_points_and_miles_enter_no_total(home: LinkedHome, world: World) -> None:
    """An account whose currency is an address is kept, named by the plan, and in no total."""
    from finplan.model.base import Nothing
    from finplan.service.planning.plans import build_plan

    world.open(world.harbour, "Miles", currency="https://harbour.example/miles", opening=900_000)
    world.book(world.checking, -1_000, "MARKET HALL", day=_days(world, 40))
    await home.link()
    plan = (await build_plan(home.context, Nothing())).plan

    assert (await home.balances())["Miles"] == 900_000
    assert plan.snapshot.net_worth == home.world.balance_of(world.checking)
    assert any("Miles" in note or "XXX" in note for note in plan.notes)


async def test_stamps_keep_their_day(home: LinkedHome) -> None:
    """Midnight and noon of UTC are dates already; any other instant is of the day where one lives."""
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    from finplan.banks.simplefin.answers import read_account_set

    def day(instant: datetime) -> int:
        row = {"id": "1", "amount": "-1", "description": "x", "posted": int(instant.timestamp())}
        told = {"accounts": [{"id": "a", "currency": "USD", "transactions": [row]}]}
        return read_account_set(told, ZoneInfo("America/Los_Angeles"), 20260615).rows[0].day

    assert day(datetime(2026, 6, 15, tzinfo=UTC)) == 20260615
    assert day(datetime(2026, 6, 15, 12, tzinfo=UTC)) == 20260615
    assert day(datetime(2026, 6, 15, 5, tzinfo=UTC)) == 20260614
    assert day(datetime(2026, 6, 15, 20, tzinfo=UTC)) == 20260615


async def test_a_window_reaches_a_day_beyond_its_own(home: LinkedHome, world: World) -> None:
    """A day of where one lives begins before or ends after that of UTC, in which windows are told."""
    world.book(world.checking, -900, "CORNER CAFE", day=_days(world, 70))
    await home.link()
    newest, older, *_ = [
        dict(each.query) for each in home.bridge.seen if each.path.endswith("/accounts")
    ]
    first = _days(world, WINDOW - 1)
    assert int(newest["start-date"]) == epoch(first - timedelta(days=1), time.min)
    assert int(older["end-date"]) == epoch(first + timedelta(days=1), time.min)


NESTED = Answered(200, "[" * 100_000)
WRONG = (Answered(200, "{}"),)
REDIRECTED = Answered(302, "", headers=(("Location", "https://elsewhere.example/"),))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "fault",
    [BAD_GATEWAY, NOT_JSON, Cut(), Cut(after=True), Truncated(), NESTED, *WRONG, REDIRECTED],
    ids=str,
)
@pytest.mark.parametrize("nth", [1, 2])
async def test_a_failed_answer_changes_nothing(
    home: LinkedHome, world: World, fault: Fault, nth: int
) -> None:
    """The sync says that it failed, its state stays ok, and later ones bring all, also mid-history."""
    for ago in (1, 30, 61, 85):
        world.book(world.checking, -ago, "CORNER CAFE 12", day=world.today - timedelta(days=ago))
    home.bridge.misbehave(fault, "/simplefin/accounts", nth=nth)
    record = await home.link()

    assert record.connection.status == "ok"
    assert record.connection.error is not None
    assert "SimpleFIN" in record.connection.error
    assert len(home.bridge.asked("/simplefin/accounts")) == nth
    report = await home.sync()
    assert (report.ok, report.error) == (True, None)
    # What is left of the history comes with the next day's sync at the latest.
    world.advance()
    assert (await home.sync()).complete
    await home.must_be_true()


@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (lambda home: home.bridge.disable(), "simplefin --reconnect 'Harbour Bank'`"),
        (lambda home: setattr(home.bridge, "payment_due", True), "requires a payment"),
    ],
)
async def test_what_only_the_person_can_mend(
    home: LinkedHome, happens: Callable[[LinkedHome], None], words: str
) -> None:
    """An access that ended or must be paid for waits for the person, who is told where."""
    await home.link()
    happens(home)
    report = await home.sync()
    record = await home.record()

    assert not report.ok
    assert words in (report.error or "")
    assert record.connection.status == "login_required"


async def test_being_told_off_is_no_state_of_the_bank(home: LinkedHome, world: World) -> None:
    """However often the bridge says that it was asked too often, the bank stays as it was."""
    await home.link()
    home.bridge.misbehave(TOO_MANY, "/simplefin/accounts", times=5)
    for _ in range(5):
        assert "no more requests" in ((await home.sync()).error or "")
    assert (await home.record()).connection.status == "ok"
    world.book(world.checking, -1_00, "CORNER CAFE 12")
    await home.must_sync()


@pytest.mark.thorough
async def test_no_more_is_asked_than_the_bridge_takes(home: LinkedHome, world: World) -> None:
    """Twenty requests are sent within a day, however often a sync is wanted, and the next day again."""
    await home.link()
    for _ in range(30):
        await home.sync()
    assert len(home.bridge.asked("/simplefin/accounts")) == 20
    assert "20 times within" in (home.reports[-1].error or "")
    assert (await home.record()).connection.status == "ok"
    world.advance()
    world.book(world.checking, -1_00, "CORNER CAFE 12")
    await home.must_sync()


async def test_one_bank_that_waits_does_not_keep_the_others(home: LinkedHome, world: World) -> None:
    """Of two banks behind the bridge the one that works is up to date, and the other one is named."""
    other = world.bank("Elmgate Credit Union")
    savings = world.open(other, "Share Savings", subtype="savings", opening=10_00)
    await home.link()
    names = (await home.record()).connection.institution_name
    assert names == f"{world.harbour.name} and {other.name}"
    world.sign_out(other)
    world.advance()
    world.book(world.checking, -3_50, "CORNER CAFE 12")
    world.book(savings, 5_00, "INTEREST")
    report = await home.sync()

    assert (report.ok, report.complete, report.added) == (False, False, 1)
    assert "Elmgate Credit Union" in (report.error or "")
    assert "Harbour" not in (report.error or "")
    record = await home.record()
    assert record.connection.status == "login_required"
    world.sign_in(other)
    world.advance()
    assert (await home.sync()).ok
    assert (await home.record()).connection.status == "ok"
    await home.must_be_true()


@pytest.mark.thorough
async def test_a_bank_away_for_long_is_made_up_for(home: LinkedHome, world: World) -> None:
    """What came while one bank waited for the person is there once they signed in, weeks later."""
    other = world.bank("Elmgate Credit Union")
    savings = world.open(other, "Share Savings", subtype="savings")
    await home.link()
    world.sign_out(other)
    for ahead in range(70):
        world.advance()
        world.book(savings, 100 + ahead, "DIVIDEND")
        await home.sync()
    world.sign_in(other)
    await home.must_sync()


async def test_a_warning_about_asking_is_no_trouble(home: LinkedHome) -> None:
    """What the bridge remarks on how it is asked keeps no account from being up to date."""
    home.bridge.says = [Trouble("gen.api", "Version 1 is deprecated")]
    await home.link()
    assert (await home.record()).connection.error is None


@pytest.mark.parametrize("code", SIMPLEFIN)
async def test_every_published_code_has_a_class(home: LinkedHome, world: World, code: str) -> None:
    """Who must sign in is led to the bank, or to another access; all else passes, or is no trouble."""
    await home.link()
    where = {"con": {"connection": connection_id(world.harbour)}, "act": {"account": "ACT-1"}}
    home.bridge.says = [Trouble(code, "Said there", **where.get(code[:3], {}))]
    report = await home.sync()
    error, status = report.error or "", (await home.record()).connection.status

    assert report.ok == (code == "gen.api")
    assert status == ("login_required" if code.endswith(".auth") else "ok")
    assert ("Said there." in error) == (code != "gen.api")
    assert ("that bank at https://bridge" in error) == (code == "con.auth")
    assert ("--reconnect 'Harbour Bank'" in error) == (code == "gen.auth")
    assert ("up to date" in error) == (code not in ("gen.api", "gen.auth"))
    home.bridge.says = []
    assert (await home.sync()).ok
    assert (await home.record()).connection.status == "ok"


async def test_what_a_bridge_says_is_shown_as_text(home: LinkedHome, world: World) -> None:
    """Escape sequences and text without end stay out of what a person reads."""
    long = "\x1b[31mSign in\u202e now\n" + "x" * 5_000
    home.bridge.says = [Trouble("con.auth", long, connection_id(world.harbour))]
    await home.link()
    error = (await home.record()).connection.error or ""

    assert error.isprintable()
    assert len(error) < 600
    assert "Sign in now" in error


@pytest.mark.parametrize("answer", ["", "http://user:pass@example.com/", "https://example.com/"])
async def test_an_answer_without_access_links_nothing(home: LinkedHome, answer: str) -> None:
    """A claim that brings no address with credentials is said to have failed."""
    home.bridge.misbehave(Answered(200, answer, "text/plain"), "/simplefin/claim/*")
    with pytest.raises(BankProviderError, match="did not give access"):
        await home.link()


async def test_a_server_without_a_trusted_certificate_is_not_asked(home: LinkedHome) -> None:
    """TLS is verified: a token of a server that nobody vouches for is not spent there."""
    from finplan.banks.http import BankHttp
    from finplan.banks.simplefin.bank import SimpleFin

    bank = SimpleFin(BankHttp("SimpleFIN"))
    with pytest.raises(BankProviderError, match="certificate"):
        await bank.exchange(home.bridge.setup_token())
    plain = b64encode(b"http://127.0.0.1/claim").decode()
    assert not bank.recognises(plain)


@pytest.mark.thorough
async def test_the_demo_never_stands_beside(home: LinkedHome) -> None:
    """With the demo household in the store a token is not spent."""
    from finplan.model.connection import LinkRequest
    from finplan.service.banking.linking import link_connection

    await link_connection(home.context, LinkRequest(provider="demo"))
    with pytest.raises(Conflict, match="cannot share"):
        await home.link()
    assert home.bridge.seen == []
