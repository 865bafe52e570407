"""The fake bridge's format laws, how it is entered, and who is let in no more.

Keys are those of the protocol and of recorded answers.
"""

import json
from base64 import b64decode
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import httpx
import pytest

from tests.banks.fakes import simplefin
from tests.banks.fakes.ways import Person
from tests.banks.fakes.world import World

TODAY = date(2026, 6, 15)
ACCOUNT_KEYS = {
    "id",
    "name",
    "currency",
    "balance",
    "available-balance",
    "balance-date",
    "transactions",
    "holdings",
}
ROW_KEYS = {"id", "posted", "amount", "description", "payee", "memo", "transacted_at"}


async def test_version_1_nests_banks(
    world: World, bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """Amounts are decimal strings, dates epoch seconds, and errors plain words."""
    world.book(world.checking, -450, "CORNER CAFE 12", payee="Corner Cafe", mcc="5814")
    answer = await person.accounts()
    assert set(answer) == {"errors", "accounts"}
    assert answer["errors"] == []
    [account] = answer["accounts"]
    assert set(account) == ACCOUNT_KEYS | {"org"}
    assert account["org"] == {
        "domain": "harbourbank.example",
        "name": "Harbour Bank",
        "sfin-url": f"{bridge.url}/simplefin",
        "url": "https://harbourbank.example",
    }
    assert account["id"] == simplefin.account_id(world.checking)
    assert (account["balance"], account["available-balance"]) == ("1196.00", "1196.00")
    assert datetime.fromtimestamp(account["balance-date"], UTC).date() == TODAY
    [row] = account["transactions"]
    assert set(row) == ROW_KEYS | {"mcc"}
    assert (row["amount"], row["payee"], row["mcc"]) == ("-4.50", "Corner Cafe", "5814")
    assert datetime.fromtimestamp(row["posted"], UTC).date() == TODAY


async def test_version_2_names_connections_apart(
    bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """Errors have codes, and what the first version said may come beside."""
    answer = await person.accounts(("version", 2))
    assert set(answer) == {"errlist", "connections", "accounts", "errors"}
    [connection] = answer["connections"]
    assert set(connection) == {"conn_id", "name", "org_id", "org_name", "org_url", "sfin_url"}
    [account] = answer["accounts"]
    assert set(account) == ACCOUNT_KEYS | {"org", "conn_id"}
    assert account["conn_id"] == connection["conn_id"]
    bridge.both_shapes = False
    alone = await person.accounts(("version", 2))
    assert set(alone) == {"errlist", "connections", "accounts"}
    assert set(alone["accounts"][0]) == ACCOUNT_KEYS | {"conn_id"}


async def test_days_are_asked_from_one_until_before_another(world: World, person: Person) -> None:
    """The last instant is not part of the window."""
    for ago in (30, 20, 10):
        world.book(world.checking, -ago, f"{ago} DAYS AGO", day=TODAY - timedelta(days=ago))
    noon = simplefin.epoch(TODAY - timedelta(days=20)), simplefin.epoch(TODAY - timedelta(days=10))
    answer = await person.accounts(("start-date", noon[0]), ("end-date", noon[1]))
    assert [row["amount"] for row in answer["accounts"][0]["transactions"]] == ["-0.20"]
    answer = await person.accounts(("start-date", noon[0] + 1), ("end-date", noon[1] + 1))
    assert [row["amount"] for row in answer["accounts"][0]["transactions"]] == ["-0.10"]
    # A balance is of today all the same.
    assert answer["accounts"][0]["balance"] == "1199.90"


async def test_long_windows_are_cut(
    world: World, bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """Exactly ninety days are served whole, and one second more loses its first days."""
    bridge.depth = timedelta(days=400)
    end = simplefin.epoch(TODAY)
    first = TODAY - timedelta(days=90)
    world.book(world.checking, -1, "FIRST", day=first)
    answer = await person.accounts(
        ("start-date", simplefin.epoch(first)), ("end-date", end), ("version", 2)
    )
    assert answer["errlist"] == []
    assert len(answer["accounts"][0]["transactions"]) == 1
    world.book(world.checking, -1, "BEFORE", day=first - timedelta(days=1))
    answer = await person.accounts(
        ("start-date", simplefin.epoch(first) - 86_400), ("end-date", end), ("version", 2)
    )
    assert [each["code"] for each in answer["errlist"]] == ["gen.api"]
    assert "90 days" in answer["errlist"][0]["msg"]
    assert [row["description"] for row in answer["accounts"][0]["transactions"]] == ["FIRST"]


async def test_history_has_windows(
    world: World, bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """Windows that meet give every row once, until where the bank's history ends."""
    bridge.depth = timedelta(days=100)
    for ago in range(0, 120, 5):
        world.book(world.checking, -1, f"{ago}", day=TODAY - timedelta(days=ago))
    found: list[str] = []
    end = TODAY + timedelta(days=1)
    for _each in range(4):
        start = end - timedelta(days=45)
        answer = await person.accounts(
            ("start-date", simplefin.epoch(start)), ("end-date", simplefin.epoch(end))
        )
        found += [row["description"] for row in answer["accounts"][0]["transactions"]]
        end = start
    assert sorted(found, key=int) == [str(ago) for ago in range(0, 101, 5)]


async def test_pending_rows_come_when_the_parameter_is_there(world: World, person: Person) -> None:
    """Whatever it says; such a row has not posted, and says when it was made."""
    world.hold(world.checking, -2_000, "TRATTORIA")
    assert (await person.accounts())["accounts"][0]["transactions"] == []
    for value in ("1", "0"):
        answer = await person.accounts(("pending", value))
        [row] = answer["accounts"][0]["transactions"]
        assert set(row) == ROW_KEYS | {"pending"}
        assert (row["pending"], row["posted"]) == (True, 0)
        assert row["transacted_at"] == simplefin.epoch(TODAY)
    assert answer["accounts"][0]["balance"] == "1200.50"
    assert answer["accounts"][0]["available-balance"] == "1180.50"


async def test_what_posts_has_another_id_and_no_link(world: World, person: Person) -> None:
    """Only amount, day and words can tell what it was."""
    held = world.hold(
        world.checking, -2_000, "TRATTORIA", posts=TODAY + timedelta(days=2), tip=-400
    )
    world.advance(TODAY + timedelta(days=2))
    [row] = (await person.accounts(("pending", 1)))["accounts"][0]["transactions"]
    assert set(row) == ROW_KEYS
    assert row["id"] != held.id
    assert (row["amount"], row["posted"] - row["transacted_at"]) == ("-24.00", 2 * 86_400)


async def test_accounts_may_be_named(world: World, person: Person) -> None:
    """Any number of them; others are not there, nor are their banks."""
    hill = world.bank("Hill Union")
    savings, loan = world.open(hill, "Savings"), world.open(hill, "Car Loan", kind="loan")
    assert len((await person.accounts())["accounts"]) == 3
    named = await person.accounts(
        ("account", simplefin.account_id(savings)),
        ("account", simplefin.account_id(loan)),
        ("version", 2),
    )
    assert [each["name"] for each in named["accounts"]] == ["Savings", "Car Loan"]
    assert [each["name"] for each in named["connections"]] == ["Hill Union"]


async def test_balances_may_be_asked_alone(world: World, person: Person) -> None:
    """Accounts have no rows then."""
    world.book(world.checking, -450, "CORNER CAFE")
    answer = await person.accounts(("balances-only", 1))
    assert answer["accounts"][0]["transactions"] == []
    assert answer["accounts"][0]["balance"] == "1196.00"


async def test_a_card_that_owes_is_usually_below_zero(world: World, person: Person) -> None:
    """Banks differ."""
    bank = world.bank("Card House")
    card = world.open(bank, "Card", kind="credit", opening=-53_269, credit_limit=200_000)
    asks = ("account", simplefin.account_id(card))
    said = (await person.accounts(asks))["accounts"][0]
    assert (said["balance"], said["available-balance"]) == ("-532.69", "1467.31")
    world.banks[bank.id] = replace(bank, owed_is_positive=True)
    assert (await person.accounts(asks))["accounts"][0]["balance"] == "532.69"


async def test_a_bank_that_waits_for_a_sign_in_is_said_beside_the_others(
    world: World, bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """Its accounts are old, or not there; the other bank's are whole."""
    hill = world.bank("Hill Union")
    savings = world.open(hill, "Savings")
    world.sign_out(hill)
    world.advance()
    for account in (world.checking, savings):
        world.book(account, 100, "INTEREST")
    answer = await person.accounts(("version", 2))
    (error,) = answer["errors"]
    assert "Hill Union" in error
    assert answer["errlist"] == [
        {"code": "con.auth", "msg": error, "conn_id": simplefin.connection_id(hill)}
    ]
    assert [each["balance"] for each in answer["accounts"]] == ["1201.50", "0.00"]
    dates = [each["balance-date"] for each in answer["accounts"]]
    assert dates[0] - dates[1] == 86_400
    bridge.hides = True
    answer = await person.accounts(("version", 2))
    assert [each["name"] for each in answer["accounts"]] == ["Everyday Checking"]
    assert [each["name"] for each in answer["connections"]] == ["Harbour Bank", "Hill Union"]


async def test_one_account_may_fail(
    world: World, bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """It is not there and is named; one with missing rows is there and is named."""
    savings = world.open(world.banks[world.checking.bank], "Savings")
    bridge.failing.add(world.checking.number)
    bridge.missing_rows.add(savings.number)
    for _each in range(3):
        world.book(savings, 100, "INTEREST")
    answer = await person.accounts(("version", 2))
    assert [(each["code"], each["account_id"]) for each in answer["errlist"]] == [
        ("act.failed", simplefin.account_id(world.checking)),
        ("act.missingdata", simplefin.account_id(savings)),
    ]
    [account] = answer["accounts"]
    assert (account["name"], len(account["transactions"])) == ("Savings", 2)


async def test_errors_words_have_either_name(
    bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """The protocol's table and its examples differ, so that both are to be read."""
    bridge.says.append(simplefin.Trouble("gen.auth", "Sign in <b>now</b>\u202e"))
    assert set((await person.accounts(("version", 2)))["errlist"][0]) == {"code", "msg"}
    bridge.message_key = "message"
    assert set((await person.accounts(("version", 2)))["errlist"][0]) == {"code", "message"}


async def test_a_date_that_is_no_number_is_refused(person: Person) -> None:
    """It is not read as some day."""
    assert (await person.ask(("start-date", "2026-06-01"))).status_code == 400
    assert (await person.ask(("end-date", "soon"))).status_code == 400


async def test_an_id_may_be_of_more_than_one_row(world: World, person: Person) -> None:
    """On two accounts, as the protocol allows, and on one, as banks do all the same."""
    joint = world.open(world.banks[world.checking.bank], "Joint")
    for account, amount in ((world.checking, -100), (world.checking, -250), (joint, -75)):
        world.book(account, amount, "FEE", id="7")
    answer = await person.accounts()
    said = [[row["id"] for row in each["transactions"]] for each in answer["accounts"]]
    assert said == [["7", "7"], ["7"]]
    assert [each["balance"] for each in answer["accounts"]] == ["1197.00", "-0.75"]


def test_a_setup_token_is_a_url_in_base64() -> None:
    """It names where it is claimed, by https."""
    bridge = simplefin.SimplefinBridge(World(date(2026, 6, 15)))
    bridge.port = 4433
    url = b64decode(bridge.setup_token()).decode()
    assert url.startswith("https://127.0.0.1:4433/simplefin/claim/")
    assert bridge.setup_token() != bridge.setup_token()


async def test_a_token_is_claimed_once(bridge: simplefin.SimplefinBridge, person: Person) -> None:
    """The access URL carries its credentials; whoever comes second is refused with a page."""
    token = bridge.setup_token()
    first = await person.claim(token)
    assert first.headers["Content-Type"].startswith("text/plain")
    url = httpx.URL(first.text)
    assert (url.scheme, url.path) == ("https", "/simplefin")
    assert url.username
    assert url.password
    second = await person.claim(token)
    assert second.status_code == 403
    assert "Access denied" in second.text
    assert second.headers["Content-Type"].startswith("text/html")
    # The first claim's access lives on.
    assert (await person.ask()).status_code == 200


async def test_the_demo_token_is_claimed_as_often(
    bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """Each time with an access of its own."""
    first = (await person.claim(bridge.demo_token())).text
    assert (await person.claim(bridge.demo_token())).text not in {"", first}


async def test_a_claim_says_its_length(bridge: simplefin.SimplefinBridge, person: Person) -> None:
    """A claim without a length is not served, and the token is not spent."""
    token = bridge.setup_token()
    request = person.client.build_request("POST", b64decode(token).decode())
    del request.headers["Content-Length"]
    assert (await person.client.send(request)).status_code == 411
    assert (await person.claim(token)).status_code == 200


async def test_only_right_credentials_are_served(
    bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """None, another's password and access that the person took back are refused alike."""
    right = httpx.URL(person.access)
    for wrong in (
        right.copy_with(username=None, password=None),
        right.copy_with(password="guess"),
        right.copy_with(username="guess"),
    ):
        person.access = str(wrong)
        assert (await person.ask()).status_code == 403
    person.access = str(right)
    assert (await person.ask()).status_code == 200
    bridge.disable()
    assert (await person.ask()).status_code == 403


async def test_who_has_not_paid_is_told(bridge: simplefin.SimplefinBridge, person: Person) -> None:
    """With 402 and an answer in the usual shape."""
    bridge.payment_due = True
    answer = await person.ask()
    assert answer.status_code == 402
    assert answer.json() == {"errors": ["Payment required."], "accounts": []}


@pytest.mark.thorough
async def test_too_many_requests_a_day_are_warned_of_and_then_end_the_access(
    world: World, bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """Each day begins anew; access that was disabled stays so."""
    for _each in range(simplefin.WARNED_AFTER):
        assert (await person.accounts())["errors"] == []
    [warning] = (await person.accounts())["errors"]
    assert "24 requests per day" in warning
    world.advance()
    assert bridge.used_today() == 0
    for _each in range(simplefin.DISABLED_AFTER):
        assert (await person.ask()).status_code == 200
    assert bridge.used_today() == simplefin.DISABLED_AFTER
    assert (await person.ask()).status_code == 403
    world.advance()
    assert (await person.ask()).status_code == 403
    await person.claim(bridge.setup_token())
    assert (await person.ask()).status_code == 200


async def test_a_request_too_many_is_told_when(
    bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """In the bridge's own words, which are no JSON."""
    bridge.misbehave(simplefin.too_many(3600), "*/accounts")
    answer = await person.ask()
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "3600")
    assert "24 requests" in answer.text
    with pytest.raises(json.JSONDecodeError):
        answer.json()


async def test_a_link_anew_changes_ids_and_not_names(world: World, person: Person) -> None:
    """Neither the account nor its connection or rows can be known by id."""
    world.book(world.checking, -450, "CORNER CAFE")
    before = await person.accounts(("version", 2))
    world.relink(world.banks[world.checking.bank])
    after = await person.accounts(("version", 2))
    for answer in (before, after):
        answer["ids"] = {
            answer["connections"][0].pop("conn_id"),
            answer["accounts"][0].pop("conn_id"),
            answer["accounts"][0].pop("id"),
            answer["accounts"][0]["transactions"][0].pop("id"),
        }
    assert not before.pop("ids") & after.pop("ids")
    assert before == after


async def test_the_bridge_says_its_versions(
    bridge: simplefin.SimplefinBridge, person: Person
) -> None:
    """Without credentials."""
    answer = await person.client.get(f"{bridge.url}/simplefin/info")
    assert answer.json() == {"versions": ["1.0", "2.0"]}
