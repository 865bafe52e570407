"""An Enable Banking that misbehaves: nothing is lost or doubled, and what happened is said."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from finplan.banks.enablebanking.api import CONTROL_PANEL
from finplan.model.connection import Institution, Reconnection, Unlinking
from finplan.model.errors import BadRequest, BankProviderError, Conflict
from finplan.service.banking.connections import unlink_connection
from finplan.service.context import Context
from tests.banks.fakes import wire
from tests.banks.fakes.enable_banking import EnableBanking, denying
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.enable.home import EnableHome, enable_home
from tests.webhooks.receiver import Authority

ROWS = "/accounts/*/transactions"
NESTED = wire.Answered(200, "[" * 100_000)
WRONG = (wire.Answered(200, "{}"), wire.Answered(200, "[]"))
REDIRECTED = wire.Answered(302, "", headers=(("Location", "https://elsewhere.example/"),))
FAULTS = (
    wire.BAD_GATEWAY,
    wire.NOT_JSON,
    wire.Cut(),
    wire.Cut(after=True),
    wire.Truncated(),
    wire.HalfJson(),
    NESTED,
)
ERRORS = (denying("ASPSP_ERROR"), denying("ASPSP_TIMEOUT"), denying("ASPSP_ERROR", status=503))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("fault", [*FAULTS, *WRONG, *ERRORS, REDIRECTED], ids=str)
@pytest.mark.parametrize("nth", [1, 3])
async def test_a_failure_is_no_news(
    home: EnableHome, world: World, fault: wire.Fault, nth: int
) -> None:
    """The sync says that it failed, the bank stays ok, and the next one brings all; amid pages, too."""
    home.bridge.page_size = 1
    for ago in (1, 30, 61, 85):
        world.book(world.checking, -ago, "BÄCKEREI", day=world.today - timedelta(days=ago))
    home.bridge.misbehave(fault, ROWS, nth=nth)
    record = await home.link()

    assert record.connection.status == "ok"
    assert (record.connection.error or "").isprintable()
    assert "Enable Banking" in (record.connection.error or "")
    assert not await home.posted()
    await home.must_sync()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("fault", [*FAULTS, *ERRORS], ids=str)
async def test_a_failing_account_stops_none(
    home: EnableHome, world: World, fault: wire.Fault
) -> None:
    """What works is up to date, what does not is named, and comes first the next time."""
    savings = world.open(world.harbour, "Tagesgeld", subtype="savings", currency="EUR")
    await home.link()
    world.advance()
    world.book(world.checking, -350, "CAFÉ")
    world.book(savings, 500, "ZINSEN")
    home.bridge.misbehave(fault, ROWS, nth=2)
    report = await home.sync()

    assert (report.ok, report.complete, report.added) == (False, False, 1)
    assert (report.error or "").startswith("Tagesgeld: ")
    assert (await home.record()).connection.status == "ok"
    before = len(home.bridge.seen)
    assert (await home.sync()).ok
    uids = [each.path.split("/")[2] for each in home.bridge.seen[before:]]
    [session] = home.bridge.sessions.values()
    assert session.accounts[uids[0]] == savings.number
    await home.must_be_true()


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (denying("EXPIRED_SESSION"), "--reconnect"),
        (denying("REVOKED_SESSION"), "--reconnect"),
        (denying("SESSION_DOES_NOT_EXIST"), "--reconnect"),
        (denying("ASPSP_PSU_ACTION_REQUIRED"), "--reconnect"),
        (denying("WRONG_SESSION_STATUS"), "--reconnect"),
        (wire.Answered(401, ""), "--reconnect"),
        (wire.Answered(403, "<html>", "text/html"), "--reconnect"),
        (wire.Answered(402, ""), "requires a payment"),
        (denying("NO_ACCOUNTS_ADDED"), "cp/applications"),
    ],
    ids=str,
)
@pytest.mark.parametrize("what", ["balances", "transactions"])
async def test_what_only_the_person_can_mend(
    home: EnableHome, world: World, fault: wire.Fault, words: str, what: str
) -> None:
    """A consent that is over waits for the person, who is told what to do; nothing is taken away."""
    world.book(world.checking, -350, "CAFÉ")
    await home.link()
    home.bridge.misbehave(fault, f"/accounts/*/{what}")
    report = await home.sync()

    assert not report.ok
    assert words in (report.error or "")
    assert (await home.record()).connection.status == "login_required"
    await home.must_be_true()
    await home.relink()
    assert (await home.record()).connection.status == "ok"
    await home.must_be_true()


async def test_a_consent_ends_when_it_says(home: EnableHome, world: World) -> None:
    """After 180 days, and what came meanwhile is there after the next one."""
    await home.link()
    for _ in range(6):
        world.advance(world.today + timedelta(days=31))
        world.book(world.checking, -350, "CAFÉ")
        await home.sync()
    assert (await home.record()).connection.status == "login_required"
    await home.relink()
    await home.must_be_true()


async def test_an_application_that_is_not_known_is_said(
    context: Context, world: World, checking: Held, authority: Authority
) -> None:
    """Another id, or what is no key, is no matter of the consent."""
    async with wire.serving(EnableBanking(world), authority) as api:
        for change, words in (
            ({"id": "another"}, "does not recognize"),
            ({"key": "no key"}, "not an RSA key"),
        ):
            good = enable_home(context, world, api, authority)
            await good.link()
            bad = enable_home(context, world, api, authority, partial(replace, **change))
            bad.connection = good.connection
            report = await bad.sync()
            assert words in (report.error or "")
            assert "no key" not in (report.error or "").replace("not an RSA key", "")
            assert (await bad.record()).connection.status == "error"
            await unlink_connection(good.context, Unlinking(id=good.connection))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("code", ["UNAUTHORIZED_IP", "INVALID_HOST", "ACCESS_DENIED"])
async def test_an_application_set_up_wrongly(home: EnableHome, world: World, code: str) -> None:
    """It is an error at once that says where to mend it; no further account is asked."""
    world.open(world.harbour, "Tagesgeld", subtype="savings", currency="EUR")
    world.book(world.checking, -350, "CAFÉ")
    await home.link()
    asked = home.asked("balances")
    home.bridge.misbehave(denying(code), "/accounts/*", times=None)
    report = await home.sync()

    assert CONTROL_PANEL in (report.error or "")
    assert "--reconnect" not in (report.error or "")
    assert home.asked("balances") == asked + 1
    assert (await home.record()).connection.status == "error"
    home.bridge.behave()
    assert (await home.sync()).ok
    assert (await home.record()).connection.status == "ok"
    await home.must_be_true()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("code", ["ACCOUNT_DOES_NOT_EXIST", "ASPSP_ACCOUNT_NOT_ACCESSIBLE"])
@pytest.mark.parametrize("relinked", [False, True])
async def test_an_account_that_is_gone_keeps_no_other_waiting(
    home: EnableHome, world: World, code: str, relinked: bool
) -> None:
    """It is named with what to do; the others are read with every sync, under a new consent, too."""
    savings = world.open(world.harbour, "Tagesgeld", subtype="savings", currency="EUR", opening=900)
    await home.link()
    home.bridge.gone[savings.number] = code
    if relinked:
        await home.relink()
    for _ in range(4):
        world.advance()
        world.book(world.checking, -350, "CAFÉ")
        report = await home.sync()
        assert (report.ok, report.added) == (False, 1)
        assert (report.error or "").startswith("Tagesgeld: ")
        assert "--hide" in (report.error or "")
    assert (await home.record()).connection.status != "login_required"
    assert (await home.balances())["Tagesgeld"] == 900


async def test_accounts_all_gone_wait_for_the_person(home: EnableHome, world: World) -> None:
    """Nothing comes under such a consent any more, and another one mends it."""
    world.book(world.checking, -350, "CAFÉ")
    await home.link()
    home.bridge.gone[world.checking.number] = "ACCOUNT_DOES_NOT_EXIST"
    report = await home.sync()

    assert "any of these" in (report.error or "")
    assert (await home.record()).connection.status == "login_required"
    home.bridge.gone.clear()
    await home.relink()
    assert (await home.record()).connection.status == "ok"
    await home.must_be_true()


async def test_being_told_off_is_no_state_of_the_bank(home: EnableHome, world: World) -> None:
    """However often the bank says that it was asked too often, its state stays as it was."""
    await home.link()
    home.bridge.misbehave(denying("ASPSP_RATE_LIMIT_EXCEEDED"), "/accounts/*", times=None)
    for _ in range(4):
        assert "no more requests" in ((await home.sync()).error or "")
    assert (await home.record()).connection.status == "ok"
    home.bridge.behave()
    world.advance()
    world.book(world.checking, -350, "CAFÉ")
    await home.must_sync()


@pytest.mark.thorough
async def test_no_more_is_asked_than_banks_allow(home: EnableHome, world: World) -> None:
    """Four rounds within a day beside the one at the consent, whatever accounts and pages there are."""
    for place in range(5):
        world.open(world.harbour, f"Konto {place}", currency="EUR")
    home.bridge.unattended_a_day = None
    home.bridge.page_size = 1
    for number in range(4):
        world.book(world.checking, -number - 1, "CAFÉ")
    await home.link()
    for _ in range(10):
        await home.sync()
    assert home.asked("balances") == 6 * (1 + 4)
    assert "4 times within" in (home.reports[-1].error or "")
    assert (await home.record()).connection.status == "ok"
    world.advance()
    world.book(world.checking, -350, "CAFÉ")
    await home.must_sync()


async def test_a_bank_that_gives_less_is_asked_for_less(home: EnableHome, world: World) -> None:
    """Where it takes no strategy, the last 89 days are there; the coverage begins where they do."""
    home.bridge.refuses_strategy = True
    for ago in (1, 50, 89):
        world.book(world.checking, -ago, "CAFÉ", day=world.today - timedelta(days=ago))
    await home.link()
    await home.must_be_true()
    assert home.asked("transactions") == 2
    world.advance(world.today + timedelta(days=120))
    world.book(world.checking, -350, "CAFÉ")
    await home.must_sync()


async def test_a_period_that_is_refused_is_shortened(home: EnableHome, world: World) -> None:
    """Also where the bank refuses it though it was asked for as much as there is."""
    for ago in (1, 50, 88):
        world.book(world.checking, -ago, "CAFÉ", day=world.today - timedelta(days=ago))
    home.bridge.misbehave(denying("WRONG_TRANSACTIONS_PERIOD"), ROWS, times=2)
    await home.link()
    await home.must_be_true()
    queries = [dict(each.query) for each in home.bridge.asked(ROWS)]
    assert queries == [
        {"date_from": (world.today - timedelta(days=730)).isoformat(), "strategy": "longest"},
        {"strategy": "longest"},
        {"date_from": (world.today - timedelta(days=89)).isoformat()},
    ]


async def test_a_list_without_end_is_given_up(home: EnableHome, world: World) -> None:
    """A key that comes again leads nowhere."""
    world.book(world.checking, -350, "CAFÉ")
    await home.link()
    endless = wire.Changed(lambda told: told | {"continuation_key": "again"})
    home.bridge.misbehave(endless, ROWS, times=1)
    home.bridge.misbehave(
        wire.Answered(200, '{"transactions":[],"continuation_key":"again"}'), ROWS, nth=2
    )
    report = await home.sync()
    assert "does not end" in (report.error or "")
    await home.must_be_true()


async def test_a_slow_bank_is_gone_on_with_the_next_time(
    context: Context, world: World, harbour: HeldAt, checking: Held, authority: Authority
) -> None:
    """What was read in the time that there is stays, and the other accounts come first then."""
    world.open(harbour, "Tagesgeld", subtype="savings", currency="EUR", opening=5)
    async with wire.serving(EnableBanking(world), authority) as api:
        home = enable_home(context, world, api, authority, patience=-1.0)
        record = await home.link()
        assert "slow today" in (record.connection.error or "")
        assert home.asked("balances") == 0
        quick = enable_home(context, world, api, authority)
        quick.connection = home.connection
        await quick.must_sync()


async def test_a_person_who_does_not_consent_links_nothing(home: EnableHome) -> None:
    """They are told so; what the bank says is shown as text."""
    led = home.bridge.deny((await home.begin()).url)
    with pytest.raises(BankProviderError, match="Denied data sharing"):
        await home.link(f"{led}%1b[31m")
    # The page is over: another address of it opens nothing.
    with pytest.raises(BadRequest, match="is not from"):
        await home.link(led)
    assert home.bridge.sessions == {}


async def test_an_address_is_good_once(home: EnableHome) -> None:
    """And only as long as Enable Banking takes its code; the person hears what to do."""
    led = await home.led_back()
    linked = await home.link(led)
    assert (await home.link(led)).connection == linked.connection
    with pytest.raises(BadRequest, match="is not from"):
        await home.link(led.replace("state=", "state=another"))
    for code in (
        *("ALREADY_AUTHORIZED", "WRONG_AUTHORIZATION_CODE", "EXPIRED_AUTHORIZATION_CODE"),
        "WRONG_SESSION_STATUS",
    ):
        home.bridge.misbehave(denying(code), "/sessions")
        with pytest.raises(BankProviderError, match="Begin again"):
            await home.link()
    assert len(home.bridge.sessions) == 1


async def test_a_link_that_broke_off_is_finished_with_the_same_address(home: EnableHome) -> None:
    """Where Enable Banking could not be reached the code is not spent, and may be given again."""
    led = await home.led_back()
    for fault in (wire.BAD_GATEWAY, wire.Cut()):
        home.bridge.misbehave(fault, "/sessions")
        with pytest.raises(BankProviderError):
            await home.link(led)
    await home.link(led)
    await home.must_be_true()


async def test_a_session_without_accounts_links_nothing(home: EnableHome) -> None:
    """The restricted mode reaches linked accounts alone, which is said."""
    empty = wire.Changed(lambda told: told | {"accounts": []})
    home.bridge.misbehave(empty, "/sessions")
    with pytest.raises(BankProviderError, match="restricted mode"):
        await home.link()
    home.bridge.misbehave(wire.Answered(200, '{"session_id":1}'), "/sessions")
    with pytest.raises(BankProviderError, match="does not contain the session"):
        await home.link()


async def test_a_relink_that_fails_makes_no_account_new(home: EnableHome, world: World) -> None:
    """Until every account was read under the new consent, none is taken for another."""
    world.open(world.harbour, "Tagesgeld", subtype="savings", currency="EUR", opening=900_000)
    await home.link()
    world.relink(world.banks[world.harbour.id])
    home.bridge.misbehave(wire.BAD_GATEWAY, ROWS, nth=2)
    record = await home.relink()
    assert record.connection.error is not None
    assert len(await home.balances()) == 2
    await home.must_sync()


async def test_who_renews_a_consent_is_told_of_which_bank(home: EnableHome) -> None:
    """A consent that is over, or is not given again, names the command with the bank's own name."""
    denied = home.bridge.deny((await home.begin()).url)
    with pytest.raises(BankProviderError, match="`finplan connect enablebanking`"):
        await home.link(denied)
    await home.link()
    home.world.sign_out(home.world.harbour)
    renewing = "connect enablebanking --reconnect Hafenbank`"
    report = await home.sync()
    assert renewing in (report.error or "")
    assert renewing in ((await home.record()).connection.error or "")
    again = await home.begin(reconnect=Reconnection(connection_id=home.connection))
    with pytest.raises(BankProviderError, match=renewing):
        await home.link(home.bridge.deny(again.url))


async def test_which_bank_is_asked(home: EnableHome, world: World) -> None:
    """The country first, then the bank, by code or name, each with what there is to choose from."""

    async def asked(institution: Institution | None) -> dict[str, Any]:
        with pytest.raises(Conflict) as refused:
            await home.begin(institution=institution, reconnect=None)
        [question] = (refused.value.data or {})["questions"]
        return dict(question)

    world.bank("Saaristo Pankki", country="FI")
    world.bank("Banka Jone", country="XK")
    world.bank("Hafenbank Nord", country="DE")
    country = await asked(None)
    assert country["about"] == "country"
    assert [(each["value"], each["label"]) for each in country["choices"]] == [
        ("DE", "Germany (DE)"),
        ("FI", "Finland (FI)"),
        ("XK", "XK"),
    ]
    assert (await asked(Institution(id="Atlantis", name="Hafenbank")))["about"] == "country"
    elsewhere = await asked(Institution(id="SE", name="Hafenbank"))
    assert elsewhere["about"] == "country"
    assert "banks in Sweden." in elsewhere["text"]
    dutch = await asked(Institution(id="holland", name="Hafenbank"))
    assert "in the Netherlands." in dutch["text"]
    by_name = await asked(Institution(id=" germany", name="GERMANY"))
    assert "bank in Germany" in by_name["text"]
    for name, labels in (
        ("DE", ["Hafenbank", "Hafenbank Nord"]),
        ("hafen", ["Hafenbank", "Hafenbank Nord"]),
        ("nord hafen", ["Hafenbank Nord"]),
        ("Sparkasse", ["Hafenbank", "Hafenbank Nord"]),
    ):
        bank = await asked(Institution(id="de", name=name))
        assert bank["about"] == "institution"
        assert [each["label"] for each in bank["choices"]] == labels
        assert bank["choices"][0]["value"] == f"DE/{labels[0]}"
    assert not home.bridge.asked("/auth")
    await home.begin(institution=Institution(id="DE", name="HAFENBANK"))
    [opened] = home.bridge.asked("/auth")
    assert opened.json["aspsp"] == {"name": "Hafenbank", "country": "DE"}
    assert opened.json["psu_type"] == "personal"


async def test_a_shorter_consent_is_asked_for_where_a_bank_wants_it(home: EnableHome) -> None:
    """Ninety days at a bank of ninety, and a company's where it has no other customers."""

    def shorter(told: dict[str, Any]) -> object:
        [bank] = told["aspsps"]
        bank |= {"maximum_consent_validity": 90 * 86_400, "psu_types": ["business"]}
        return told

    home.bridge.misbehave(wire.Changed(shorter), "/aspsps")
    await home.begin()
    [opened] = home.bridge.asked("/auth")
    until = datetime.fromisoformat(opened.json["access"]["valid_until"])
    assert timedelta(days=89) < until - home.bridge.now() < timedelta(days=90)
    assert opened.json["psu_type"] == "business"


@pytest.mark.parametrize(
    "fault",
    [
        wire.BAD_GATEWAY,
        wire.Answered(200, "{}"),
        wire.Answered(200, '{"url":"http://plain.example/"}'),
        denying("REDIRECT_URI_NOT_ALLOWED"),
    ],
    ids=str,
)
async def test_a_page_that_is_none_is_not_shown(home: EnableHome, fault: wire.Fault) -> None:
    """Nobody is led to an address without TLS, or to none."""
    home.bridge.misbehave(fault, "/auth")
    with pytest.raises(BankProviderError):
        await home.begin()
