"""What the fake Enable Banking tells of accounts, and how its sessions come and end.

Keys are those of its models.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.banks.fakes.enable_banking import REDIRECT, UNATTENDED_A_DAY, EnableBanking, denying
from tests.banks.fakes.ways import Application
from tests.banks.fakes.wire import Meanwhile
from tests.banks.fakes.world import Held, World

TODAY = date(2026, 6, 15)
ROW_KEYS = {
    "entry_reference",
    "merchant_category_code",
    "transaction_amount",
    "creditor",
    "creditor_account",
    "creditor_agent",
    "debtor",
    "debtor_account",
    "debtor_agent",
    "bank_transaction_code",
    "credit_debit_indicator",
    "status",
    "booking_date",
    "value_date",
    "transaction_date",
    "balance_after_transaction",
    "reference_number",
    "remittance_information",
    "debtor_account_additional_identification",
    "creditor_account_additional_identification",
    "exchange_rate",
    "note",
    "transaction_id",
}


@pytest.fixture
async def path(checking: Held, application: Application) -> str:
    session = await application.session(checking.bank)
    return f"/accounts/{session['accounts'][0]['uid']}"


async def every_row(application: Application, path: str, **query: str) -> list[Any]:
    rows: list[Any] = []
    pages = 0
    while pages < 100:
        pages += 1
        page = await application.ok("GET", f"{path}/transactions", params=query)
        rows += page["transactions"]
        if page["continuation_key"] is None:
            return rows
        query["continuation_key"] = page["continuation_key"]
    raise AssertionError("pages without end")


async def test_an_account_has_its_keys(world: World, application: Application) -> None:
    """Its name is the holder's; what it is called is among its details."""
    world.open(
        world.banks[world.checking.bank],
        "Gold Card",
        kind="credit",
        subtype="credit card",
        mask="4321",
        currency="EUR",
        opening=-41_000,
        credit_limit=200_000,
    )
    current, card = (await application.session(world.checking.bank))["accounts"]
    assert set(card) == {
        "account_id",
        "all_account_ids",
        "account_servicer",
        "name",
        "details",
        "usage",
        "cash_account_type",
        "product",
        "currency",
        "psu_status",
        "credit_limit",
        "uid",
        "identification_hash",
        "identification_hashes",
    }
    assert (current["cash_account_type"], card["cash_account_type"]) == ("CACC", "CARD")
    assert card["credit_limit"] == {"currency": "EUR", "amount": "2000.00"}
    assert card["account_id"]["iban"].endswith("4321")
    assert (current["account_id"]["iban"], current["all_account_ids"]) == (None, [])
    assert card["identification_hash"] == card["identification_hashes"][0]
    assert await application.ok("GET", f"/accounts/{card['uid']}/details") == card
    balances = (await application.ok("GET", f"/accounts/{card['uid']}/balances"))["balances"]
    assert [(each["balance_type"], each["balance_amount"]["amount"]) for each in balances] == [
        ("ITAV", "1590.00"),
        ("ITBD", "-410.00"),
    ]
    assert set(balances[0]) == {
        "name",
        "balance_amount",
        "balance_type",
        "last_change_date_time",
        "reference_date",
        "last_committed_transaction",
    }
    assert (await application.denied("GET", "/accounts/unknown/balances"))[1] == (
        "ACCOUNT_DOES_NOT_EXIST"
    )


async def test_a_word_says_which_way(world: World, application: Application, path: str) -> None:
    """Its amount has no sign; who was paid is the creditor, and who paid the debtor."""
    bought = world.book(world.checking, -7_210, "CORNER STORE 12", payee="Corner Store", mcc="5411")
    world.book(world.checking, 250_000, "SALARY JUNE", payee="Employer")
    paid, spent = await every_row(application, path)
    assert set(spent) == set(paid) == ROW_KEYS
    assert spent["transaction_amount"] == {"currency": "USD", "amount": "72.10"}
    assert (spent["credit_debit_indicator"], paid["credit_debit_indicator"]) == ("DBIT", "CRDT")
    assert (spent["creditor"]["name"], spent["debtor"]) == ("Corner Store", None)
    assert (paid["debtor"]["name"], paid["creditor"]) == ("Employer", None)
    assert (spent["status"], spent["booking_date"]) == ("BOOK", "2026-06-15")
    assert (spent["entry_reference"], spent["merchant_category_code"]) == (bought.id, "5411")
    assert spent["remittance_information"] == ["CORNER STORE 12"]


@pytest.mark.thorough
async def test_what_is_pending_is_not_booked(
    world: World, api: EnableBanking, application: Application, path: str
) -> None:
    """It has no day of booking and, at most banks, no id; it may be asked for alone or not at all."""
    held = world.hold(world.checking, -2_000, "TRATTORIA")
    booked = world.book(world.checking, -450, "CORNER CAFE")
    [pending] = await every_row(application, path, transaction_status="PDNG")
    assert (pending["status"], pending["booking_date"]) == ("PDNG", None)
    assert (pending["transaction_date"], pending["entry_reference"]) == ("2026-06-15", None)
    [row] = await every_row(application, path, transaction_status="BOOK")
    assert row["entry_reference"] == booked.id
    api.pending_references = True
    rows = await every_row(application, path)
    assert [row["entry_reference"] for row in rows] == [booked.id, held.id]
    world.advance()
    api.references = False
    rows = await every_row(application, path)
    assert [row["entry_reference"] for row in rows] == [None, None]
    refused = await application.denied("GET", f"{path}/transactions?transaction_status=ALL")
    assert refused == (422, "WRONG_REQUEST_PARAMETERS")


@pytest.mark.thorough
@pytest.mark.parametrize("empty", [False, True])
async def test_rows_come_in_pages_from_the_newest(
    world: World, api: EnableBanking, application: Application, path: str, empty: bool
) -> None:
    """Each once; a page may have none and yet another follow."""
    api.page_size = 3
    api.empty_pages = empty
    for ago in range(9):
        world.book(world.checking, -100 * ago - 1, "COFFEE", day=TODAY - timedelta(days=ago))
    rows = await every_row(application, path)
    assert [row["transaction_amount"]["amount"] for row in rows] == [
        f"{ago}.01" for ago in range(9)
    ]
    assert len(api.asked("*/transactions")) == (6 if empty else 3)


async def test_a_row_that_comes_amid_pages_puts_another_on_two(
    world: World, api: EnableBanking, application: Application, path: str
) -> None:
    """The last row of a page is the first of the next one, and the new row is on none."""
    api.page_size = 2
    for number in range(1, 5):
        world.book(world.checking, -number, "COFFEE")
    api.misbehave(
        Meanwhile(lambda: world.book(world.checking, -9, "DINNER")), "*/transactions", nth=2
    )
    amounts = [row["transaction_amount"]["amount"] for row in await every_row(application, path)]
    assert amounts == ["0.04", "0.03", "0.03", "0.02", "0.01"]


async def test_only_a_given_key_is_taken(world: World, application: Application, path: str) -> None:
    """It is not read as the beginning."""
    refused = await application.denied("GET", f"{path}/transactions?continuation_key=guess")
    assert refused == (422, "WRONG_CONTINUATION_KEY")


async def test_both_days_are_part_of_it(world: World, application: Application, path: str) -> None:
    """From one day to another."""
    for ago in (30, 20, 10):
        world.book(world.checking, -ago, "COFFEE", day=TODAY - timedelta(days=ago))
    rows = await every_row(application, path, date_from="2026-05-26", date_to="2026-06-05")
    assert [row["booking_date"] for row in rows] == ["2026-06-05", "2026-05-26"]


@pytest.mark.thorough
async def test_history_is_as_long_as_the_bank_gives(
    world: World, api: EnableBanking, application: Application, path: str
) -> None:
    """A day before it is refused, unless as much is asked for as there is."""
    api.longest = 200
    api.unattended_a_day = None
    for ago in (89, 90, 200, 201):
        world.book(world.checking, -ago, "COFFEE", day=TODAY - timedelta(days=ago))
    within = (TODAY - timedelta(days=89)).isoformat()
    before = (TODAY - timedelta(days=90)).isoformat()
    assert len(await every_row(application, path, date_from=within)) == 1
    refused = await application.denied("GET", f"{path}/transactions?date_from={before}")
    assert refused == (422, "WRONG_TRANSACTIONS_PERIOD")
    assert len(await every_row(application, path, date_from=before, strategy="longest")) == 2
    assert len(await every_row(application, path, strategy="longest")) == 3
    assert len(await every_row(application, path)) == 1
    api.refuses_strategy = True
    for strategy in ("longest", "shortest"):
        refused = await application.denied("GET", f"{path}/transactions?strategy={strategy}")
        assert refused == (422, "WRONG_REQUEST_PARAMETERS")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("date_to=2026-06-01", "DATE_TO_WITHOUT_DATE_FROM"),
        ("date_from=2026-06-16", "DATE_FROM_IN_FUTURE"),
        ("date_from=2026-06-10&date_to=2026-06-09", "WRONG_DATE_INTERVAL"),
        ("date_from=yesterday", "WRONG_REQUEST_PARAMETERS"),
    ],
)
async def test_days_that_make_no_sense_are_refused(
    application: Application, path: str, query: str, code: str
) -> None:
    """Each with its code; a single day does make sense, and today does."""
    assert await application.denied("GET", f"{path}/transactions?{query}") == (422, code)
    await every_row(application, path, date_from="2026-06-15", date_to="2026-06-15")


@pytest.mark.thorough
async def test_a_bank_allows_few_reads_a_day_that_nobody_is_there_for(
    world: World, api: EnableBanking, application: Application, path: str
) -> None:
    """Of each account and kind; further pages and a person who is there count for nothing."""
    api.page_size = 1
    for number in range(1, 4):
        world.book(world.checking, -number, "COFFEE")
    for _each in range(UNATTENDED_A_DAY):
        await every_row(application, path)
    refused = await application.denied("GET", f"{path}/transactions")
    assert refused == (429, "ASPSP_RATE_LIMIT_EXCEEDED")
    await application.ok("GET", f"{path}/balances")
    await application.ok("GET", f"{path}/transactions", headers={"Psu-Ip-Address": "192.0.2.1"})
    world.advance()
    await every_row(application, path)


async def test_a_reference_may_be_shared(world: World, application: Application, path: str) -> None:
    """Both rows are there."""
    for amount in (-100, -250):
        world.book(world.checking, amount, "FEE", id="7")
    rows = await every_row(application, path)
    assert [row["entry_reference"] for row in rows] == ["7", "7"]
    assert [row["transaction_amount"]["amount"] for row in rows] == ["2.50", "1.00"]


AUTH: dict[str, Any] = {
    "access": {"valid_until": "2026-12-01T00:00:00+00:00"},
    "aspsp": {"name": "Harbour Bank", "country": "US"},
    "state": "st ate",
    "redirect_url": REDIRECT,
    "psu_type": "personal",
}
LONGEST = "2026-12-12T12:00:00+00:00"


def standing(application: Application) -> int:
    """The clock stands, so that a token made later has the same times."""
    now = datetime.now(UTC).replace(microsecond=0)
    application.api.wall = lambda: now
    return int(now.timestamp())


@pytest.mark.thorough
async def test_only_a_token_that_the_application_signed_is_good(application: Application) -> None:
    """Its words, times and signature all count."""
    now = standing(application)
    good = application.token()
    assert (await application.ask("GET", "/application"))[0] == 200
    head, claims, signature = good.split(".")
    bad = [
        application.token(head={"kid": "another"}),
        application.token(head={"alg": "HS256"}),
        application.token(iss="finplan"),
        application.token(aud="enablebanking.com"),
        application.token(iat=now - 7200, exp=now - 3600),
        application.token(exp=now + 86_401),
        application.token(iat=now + 3600, exp=now + 7200),
        f"{head}.{claims}.{signature[:-8]}AAAAAAAA",
        f"{head}.{claims}",
        "guess",
    ]
    for token in bad:
        refused = await application.denied(
            "GET", "/application", headers={"Authorization": f"Bearer {token}"}
        )
        assert refused == (401, "UNAUTHORIZED_ACCESS"), token
    basic = {"Authorization": f"Basic {good}"}
    refused = await application.denied("GET", "/application", headers=basic)
    assert refused == (401, "UNAUTHORIZED_ACCESS")
    answer = await application.client.get("/application")
    assert answer.json()["error"] == "AUTHORIZATION_NOT_PROVIDED"


async def test_a_token_lives_for_a_day_at_most(application: Application) -> None:
    """A day to the second is good."""
    now = standing(application)
    headers = {"Authorization": f"Bearer {application.token(exp=now + 86_400)}"}
    await application.ok("GET", "/application", headers=headers)


async def test_banks_are_listed_by_country(world: World, application: Application) -> None:
    """Each with how long a consent may last."""
    world.bank("Saaristo Pankki", country="FI")
    assert len((await application.ok("GET", "/aspsps"))["aspsps"]) == 2
    [bank] = (await application.ok("GET", "/aspsps?country=FI"))["aspsps"]
    assert set(bank) == {
        "name",
        "country",
        "logo",
        "psu_types",
        "auth_methods",
        "maximum_consent_validity",
        "beta",
    }
    assert (bank["name"], bank["maximum_consent_validity"]) == ("Saaristo Pankki", 15_552_000)


async def test_a_person_is_led_back_with_a_code_that_opens_one_session(
    checking: Held, api: EnableBanking, application: Application
) -> None:
    """The state that was given comes back, and the code is good once."""
    made = await application.ok("POST", "/auth", json=AUTH)
    assert set(made) == {"url", "authorization_id", "psu_id_hash"}
    led = api.finish(made["url"])
    assert led.startswith(f"{REDIRECT}?")
    query = parse_qs(urlsplit(led).query)
    assert query["state"] == ["st ate"]
    body = {"code": query["code"][0]}
    session = await application.ok("POST", "/sessions", json=body)
    assert set(session) == {"session_id", "accounts", "aspsp", "psu_type", "access"}
    assert session["aspsp"] == AUTH["aspsp"]
    assert session["access"]["valid_until"] == "2026-12-01T00:00:00+00:00"
    refused = await application.denied("POST", "/sessions", json=body)
    assert refused == (422, "ALREADY_AUTHORIZED")
    for wrong in ({"code": "guess"}, {}):
        refused = await application.denied("POST", "/sessions", json=wrong)
        assert refused == (400, "WRONG_AUTHORIZATION_CODE")


async def test_a_person_may_refuse(api: EnableBanking, application: Application) -> None:
    """They are led back without a code."""
    made = await application.ok("POST", "/auth", json=AUTH)
    query = parse_qs(urlsplit(api.deny(made["url"])).query)
    assert (query["error"], query["state"], "code" in query) == (
        ["access_denied"],
        ["st ate"],
        False,
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"access": {}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"access": {"valid_until": "2026-12-01T00:00:00"}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"access": {"valid_until": "soon"}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"access": {"valid_until": "2026-06-15T12:00:00Z"}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"access": {"valid_until": "2026-12-12T12:00:01Z"}}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"state": None, "aspsp": None}, (422, "WRONG_REQUEST_PARAMETERS")),
        ({"aspsp": {"name": "No Bank", "country": "US"}}, (400, "WRONG_ASPSP_PROVIDED")),
        ({"aspsp": {"name": "Harbour Bank", "country": "FI"}}, (400, "WRONG_ASPSP_PROVIDED")),
        ({"redirect_url": "https://elsewhere.example/"}, (400, "REDIRECT_URI_NOT_ALLOWED")),
    ],
)
async def test_what_is_asked_wrongly_is_refused(
    application: Application, change: dict[str, Any], refusal: tuple[int, str]
) -> None:
    """A consent of just the longest time is not."""
    assert await application.denied("POST", "/auth", json={**AUTH, **change}) == refusal
    within = {"access": {"valid_until": LONGEST}}
    await application.ok("POST", "/auth", json={**AUTH, **within})


async def test_a_session_tells_what_it_is(checking: Held, application: Application) -> None:
    """With its accounts' uids and by what else they are known."""
    made = await application.session(checking.bank)
    said = await application.ok("GET", f"/sessions/{made['session_id']}")
    assert set(said) == {
        "status",
        "accounts",
        "accounts_data",
        "aspsp",
        "psu_type",
        "psu_id_hash",
        "access",
        "created",
        "authorized",
        "closed",
    }
    assert (said["status"], said["closed"]) == ("AUTHORIZED", None)
    [account] = made["accounts"]
    assert said["accounts"] == [account["uid"]]
    assert said["accounts_data"] == [
        {
            "uid": account["uid"],
            "identification_hash": account["identification_hash"],
            "identification_hashes": account["identification_hashes"],
        }
    ]
    assert await application.denied("GET", "/sessions/unknown") == (404, "SESSION_DOES_NOT_EXIST")


async def test_a_session_ends_when_it_says(world: World, application: Application) -> None:
    """Until that instant it is good."""
    made = await application.session(world.checking.bank, "2026-06-17T12:00:00+00:00")
    path = f"/accounts/{made['accounts'][0]['uid']}/balances"
    world.advance(date(2026, 6, 16))
    await application.ok("GET", path)
    world.advance()
    assert await application.denied("GET", path) == (401, "EXPIRED_SESSION")
    said = await application.ok("GET", f"/sessions/{made['session_id']}")
    assert said["status"] == "EXPIRED"


@pytest.mark.thorough
async def test_a_bank_may_want_a_sign_in_before_that(
    world: World, application: Application
) -> None:
    """The session is over for good; the next one has other uids and the same hashes and rows."""
    world.book(world.checking, -450, "CORNER CAFE")
    before = await application.session(world.checking.bank)
    old = before["accounts"][0]
    rows = await application.ok("GET", f"/accounts/{old['uid']}/transactions")
    bank = world.banks[world.checking.bank]
    world.sign_out(bank)
    refused = await application.denied("GET", f"/accounts/{old['uid']}/balances")
    assert refused == (401, "EXPIRED_SESSION")
    after = await application.session(world.checking.bank)
    new = after["accounts"][0]
    assert new["uid"] != old["uid"]
    assert new["identification_hash"] == old["identification_hash"]
    assert await application.ok("GET", f"/accounts/{new['uid']}/transactions") == rows
    refused = await application.denied("GET", f"/accounts/{old['uid']}/balances")
    assert refused == (401, "EXPIRED_SESSION")


async def test_a_bank_may_forget_an_identifier(world: World, application: Application) -> None:
    """Then its hashes are others too."""
    before = (await application.session(world.checking.bank))["accounts"][0]
    world.relink(world.banks[world.checking.bank])
    after = (await application.session(world.checking.bank))["accounts"][0]
    assert not set(before["identification_hashes"]) & set(after["identification_hashes"])


@pytest.mark.thorough
async def test_a_session_may_be_closed_or_revoked(
    checking: Held, api: EnableBanking, application: Application
) -> None:
    """Each says so from then on."""
    closed, revoked = [await application.session(checking.bank) for _each in range(2)]
    said = await application.ok("DELETE", f"/sessions/{closed['session_id']}")
    assert said == {"message": "OK"}
    api.revoke(revoked["session_id"])
    for session, code in ((closed, "CLOSED_SESSION"), (revoked, "REVOKED_SESSION")):
        path = f"/accounts/{session['accounts'][0]['uid']}/balances"
        assert await application.denied("GET", path) == (401, code)
    assert (await application.ok("GET", f"/sessions/{closed['session_id']}"))["closed"]


async def test_any_code_may_be_answered(
    checking: Held, api: EnableBanking, application: Application
) -> None:
    """With its status or another, and with when to come again."""
    session = await application.session(checking.bank)
    path = f"/accounts/{session['accounts'][0]['uid']}/balances"
    api.misbehave(denying("ASPSP_ERROR"), "/accounts/*/balances")
    api.misbehave(denying("ASPSP_ERROR", status=503, retry_after=9), "/accounts/*/balances", nth=2)
    assert await application.denied("GET", path) == (400, "ASPSP_ERROR")
    assert await application.denied("GET", path) == (503, "ASPSP_ERROR")
    await application.ok("GET", path)


async def test_a_given_clock_judges_tokens(api: EnableBanking, application: Application) -> None:
    """A test whose days are not today's sets it."""
    api.wall = lambda: datetime(2026, 6, 15, tzinfo=UTC)
    token = application.token()
    headers = {"Authorization": f"Bearer {token}"}
    await application.ok("GET", "/application", headers=headers)
    api.wall = lambda: datetime(2026, 6, 15, tzinfo=UTC) + timedelta(hours=1)
    refused = await application.denied("GET", "/application", headers=headers)
    assert refused == (401, "UNAUTHORIZED_ACCESS")
