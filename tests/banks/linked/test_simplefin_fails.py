"""A bridge that misbehaves: nothing is lost or doubled, and what happened is said."""

from base64 import b64encode
from collections.abc import Callable
from datetime import timedelta

import pytest

from finplan.model.errors import BankProviderError, Conflict
from tests.banks.fakes.faults import BAD_GATEWAY, NOT_JSON, Answered, Cut, Fault, Truncated
from tests.banks.fakes.simplefin import TOO_MANY, Trouble, connection_id
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import LinkedHome
from tests.banks.published_codes import SIMPLEFIN

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
    home: LinkedHome, world: World, checking: Held, fault: Fault, nth: int
) -> None:
    """The sync says that it failed, its state stays ok, and later ones bring all, also mid-history."""
    for ago in (1, 30, 61, 85):
        world.book(checking, -ago, "CORNER CAFE 12", day=world.today - timedelta(days=ago))
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
        (lambda home: setattr(home.bridge, "payment_due", True), "asks for its payment"),
    ],
)
async def test_what_only_the_person_can_mend(
    home: LinkedHome, checking: Held, happens: Callable[[LinkedHome], None], words: str
) -> None:
    """An access that ended or must be paid for waits for the person, who is told where."""
    await home.link()
    happens(home)
    report = await home.sync()
    record = await home.record()

    assert not report.ok
    assert words in (report.error or "")
    assert record.connection.status == "login_required"


async def test_being_told_off_is_no_state_of_the_bank(
    home: LinkedHome, world: World, checking: Held
) -> None:
    """However often the bridge says that it was asked too often, the bank stays as it was."""
    await home.link()
    home.bridge.misbehave(TOO_MANY, "/simplefin/accounts", times=5)
    for _ in range(5):
        assert "too often" in ((await home.sync()).error or "")
    assert (await home.record()).connection.status == "ok"
    world.book(checking, -1_00, "CORNER CAFE 12")
    assert (await home.sync()).ok
    await home.must_be_true()


@pytest.mark.thorough
async def test_no_more_is_asked_than_the_bridge_takes(
    home: LinkedHome, world: World, checking: Held
) -> None:
    """Twenty requests are sent within a day, however often a sync is wanted, and the next day again."""
    await home.link()
    for _ in range(30):
        await home.sync()
    assert len(home.bridge.asked("/simplefin/accounts")) == 20
    assert "asked 20 times within a day" in (home.reports[-1].error or "")
    assert (await home.record()).connection.status == "ok"
    world.advance()
    world.book(checking, -1_00, "CORNER CAFE 12")
    assert (await home.sync()).ok
    await home.must_be_true()


async def test_one_bank_that_waits_does_not_keep_the_others(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """Of two banks behind the bridge the one that works is up to date, and the other one is named."""
    other = world.bank("Elmgate Credit Union")
    savings = world.open(other, "Share Savings", subtype="savings", opening=10_00)
    await home.link()
    assert (
        await home.record()
    ).connection.institution_name == "Harbour Bank and Elmgate Credit Union"
    world.sign_out(other)
    world.advance()
    world.book(checking, -3_50, "CORNER CAFE 12")
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
async def test_a_bank_away_for_long_is_made_up_for(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
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
    await home.sync()
    await home.must_be_true()


async def test_a_warning_about_asking_is_no_trouble(
    home: LinkedHome, world: World, checking: Held
) -> None:
    """What the bridge remarks on how it is asked keeps no account from being up to date."""
    home.bridge.says = [Trouble("gen.api", "Version 1 is deprecated")]
    await home.link()
    assert (await home.record()).connection.error is None


@pytest.mark.parametrize("code", SIMPLEFIN)
async def test_every_published_code_has_a_class(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held, code: str
) -> None:
    """Who must sign in is led to the bank, or to another access; all else passes, or is no trouble."""
    await home.link()
    where = {"con": {"connection": connection_id(harbour)}, "act": {"account": "ACT-1"}}
    home.bridge.says = [Trouble(code, "Said by the server", **where.get(code[:3], {}))]
    report = await home.sync()
    error, status = report.error or "", (await home.record()).connection.status

    assert report.ok == (code == "gen.api")
    assert status == ("login_required" if code.endswith(".auth") else "ok")
    assert ("Said by the server." in error) == (code != "gen.api")
    assert ("Sign in to that bank at https://bridge" in error) == (code == "con.auth")
    assert ("--reconnect 'Harbour Bank'" in error) == (code == "gen.auth")
    assert ("up to date" in error) == (code not in ("gen.api", "gen.auth"))
    home.bridge.says = []
    assert (await home.sync()).ok
    assert (await home.record()).connection.status == "ok"


async def test_what_a_bridge_says_is_shown_as_text(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """Escape sequences and text without end stay out of what a person reads."""
    long = "\x1b[31mSign in\u202e now\n" + "x" * 5_000
    home.bridge.says = [Trouble("con.auth", long, connection_id(harbour))]
    await home.link()
    error = (await home.record()).connection.error or ""

    assert error.isprintable()
    assert len(error) < 600
    assert "Sign in now" in error


@pytest.mark.parametrize("answer", ["", "http://user:pass@example.com/", "https://example.com/"])
async def test_an_answer_without_access_links_nothing(
    home: LinkedHome, checking: Held, answer: str
) -> None:
    """A claim that brings no address with credentials is said to have failed."""
    home.bridge.misbehave(Answered(200, answer, "text/plain"), "/simplefin/claim/*")
    with pytest.raises(BankProviderError, match="no access address"):
        await home.link()


async def test_a_server_without_a_trusted_certificate_is_not_asked(
    home: LinkedHome, checking: Held
) -> None:
    """TLS is verified: a token of a server that nobody vouches for is not spent there."""
    from finplan.banks.http import BankHttp
    from finplan.banks.simplefin.bank import SimpleFin

    bank = SimpleFin(BankHttp("SimpleFIN"))
    with pytest.raises(BankProviderError, match="certificate"):
        await bank.exchange(home.bridge.setup_token())
    plain = b64encode(b"http://127.0.0.1/claim").decode()
    assert not bank.recognises(plain)


@pytest.mark.thorough
async def test_the_demo_never_stands_beside(home: LinkedHome, checking: Held) -> None:
    """With the demo household in the store a token is not spent."""
    from finplan.model.connection import LinkRequest
    from finplan.service.banking.linking import link_connection

    await link_connection(home.context, LinkRequest(provider="demo"))
    with pytest.raises(Conflict, match="never shares a store"):
        await home.link()
    assert home.bridge.seen == []
