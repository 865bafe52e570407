"""The fake bridge's format laws; keys are those of the protocol and of recorded answers."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from tests.banks.fakes.simplefin import (
    SimplefinBridge,
    Trouble,
    account_id,
    connection_id,
    epoch,
)
from tests.banks.fakes.ways import Person
from tests.banks.fakes.world import Held, World

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


async def test_the_first_version_has_institutions_in_accounts(
    world: World, checking: Held, bridge: SimplefinBridge, person: Person
) -> None:
    """Amounts are decimal strings, dates epoch seconds, and errors plain words."""
    world.book(checking, -450, "CORNER CAFE 12", payee="Corner Cafe", mcc="5814")
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
    assert account["id"] == account_id(checking)
    assert (account["balance"], account["available-balance"]) == ("1196.00", "1196.00")
    assert datetime.fromtimestamp(account["balance-date"], UTC).date() == TODAY
    [row] = account["transactions"]
    assert set(row) == ROW_KEYS | {"mcc"}
    assert (row["amount"], row["payee"], row["mcc"]) == ("-4.50", "Corner Cafe", "5814")
    assert datetime.fromtimestamp(row["posted"], UTC).date() == TODAY


async def test_the_second_version_names_connections(
    world: World, checking: Held, bridge: SimplefinBridge, person: Person
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


async def test_days_are_asked_from_one_until_before_another(
    world: World, checking: Held, person: Person
) -> None:
    """The last instant is not part of the window."""
    for ago in (30, 20, 10):
        world.book(checking, -ago, f"{ago} DAYS AGO", day=TODAY - timedelta(days=ago))
    noon = epoch(TODAY - timedelta(days=20)), epoch(TODAY - timedelta(days=10))
    answer = await person.accounts(("start-date", noon[0]), ("end-date", noon[1]))
    assert [row["amount"] for row in answer["accounts"][0]["transactions"]] == ["-0.20"]
    answer = await person.accounts(("start-date", noon[0] + 1), ("end-date", noon[1] + 1))
    assert [row["amount"] for row in answer["accounts"][0]["transactions"]] == ["-0.10"]
    assert answer["accounts"][0]["balance"] == "1199.90", "a balance is of today all the same"


async def test_a_window_longer_than_ninety_days_is_cut_and_said(
    world: World, checking: Held, bridge: SimplefinBridge, person: Person
) -> None:
    """Exactly ninety days are served whole, and one second more loses its first days."""
    bridge.depth = timedelta(days=400)
    end = epoch(TODAY)
    first = TODAY - timedelta(days=90)
    world.book(checking, -1, "FIRST", day=first)
    answer = await person.accounts(("start-date", epoch(first)), ("end-date", end), ("version", 2))
    assert answer["errlist"] == []
    assert len(answer["accounts"][0]["transactions"]) == 1
    world.book(checking, -1, "BEFORE", day=first - timedelta(days=1))
    answer = await person.accounts(
        ("start-date", epoch(first) - 86_400), ("end-date", end), ("version", 2)
    )
    assert [each["code"] for each in answer["errlist"]] == ["gen.api"]
    assert "90 days" in answer["errlist"][0]["msg"]
    assert [row["description"] for row in answer["accounts"][0]["transactions"]] == ["FIRST"]


async def test_history_is_walked_back_in_windows(
    world: World, checking: Held, bridge: SimplefinBridge, person: Person
) -> None:
    """Windows that meet give every row once, until where the bank's history ends."""
    bridge.depth = timedelta(days=100)
    for ago in range(0, 120, 5):
        world.book(checking, -1, f"{ago}", day=TODAY - timedelta(days=ago))
    found: list[str] = []
    end = TODAY + timedelta(days=1)
    for _each in range(4):
        start = end - timedelta(days=45)
        answer = await person.accounts(("start-date", epoch(start)), ("end-date", epoch(end)))
        found += [row["description"] for row in answer["accounts"][0]["transactions"]]
        end = start
    assert sorted(found, key=int) == [str(ago) for ago in range(0, 101, 5)]


async def test_pending_rows_come_when_the_parameter_is_there(
    world: World, checking: Held, person: Person
) -> None:
    """Whatever it says; such a row has not posted, and says when it was made."""
    world.hold(checking, -2_000, "TRATTORIA")
    assert (await person.accounts())["accounts"][0]["transactions"] == []
    for value in ("1", "0"):
        answer = await person.accounts(("pending", value))
        [row] = answer["accounts"][0]["transactions"]
        assert set(row) == ROW_KEYS | {"pending"}
        assert (row["pending"], row["posted"]) == (True, 0)
        assert row["transacted_at"] == epoch(TODAY)
    assert answer["accounts"][0]["balance"] == "1200.50"
    assert answer["accounts"][0]["available-balance"] == "1180.50"


async def test_what_posts_has_another_id_and_no_link(
    world: World, checking: Held, person: Person
) -> None:
    """Only amount, day and words can tell what it was."""
    held = world.hold(checking, -2_000, "TRATTORIA", posts=TODAY + timedelta(days=2), tip=-400)
    world.advance(TODAY + timedelta(days=2))
    [row] = (await person.accounts(("pending", 1)))["accounts"][0]["transactions"]
    assert set(row) == ROW_KEYS
    assert row["id"] != held.id
    assert (row["amount"], row["posted"] - row["transacted_at"]) == ("-24.00", 2 * 86_400)


async def test_accounts_may_be_named(world: World, checking: Held, person: Person) -> None:
    """Any number of them; others are not there, nor are their banks."""
    hill = world.bank("Hill Union")
    savings, loan = world.open(hill, "Savings"), world.open(hill, "Car Loan", kind="loan")
    assert len((await person.accounts())["accounts"]) == 3
    named = await person.accounts(
        ("account", account_id(savings)), ("account", account_id(loan)), ("version", 2)
    )
    assert [each["name"] for each in named["accounts"]] == ["Savings", "Car Loan"]
    assert [each["name"] for each in named["connections"]] == ["Hill Union"]


async def test_balances_may_be_asked_alone(world: World, checking: Held, person: Person) -> None:
    """Accounts have no rows then."""
    world.book(checking, -450, "CORNER CAFE")
    answer = await person.accounts(("balances-only", 1))
    assert answer["accounts"][0]["transactions"] == []
    assert answer["accounts"][0]["balance"] == "1196.00"


async def test_a_card_that_owes_is_below_zero_unless_its_bank_turns_the_sign(
    world: World, person: Person
) -> None:
    """Banks differ."""
    bank = world.bank("Card House")
    card = world.open(bank, "Card", kind="credit", opening=-53_269, credit_limit=200_000)
    asks = ("account", account_id(card))
    said = (await person.accounts(asks))["accounts"][0]
    assert (said["balance"], said["available-balance"]) == ("-532.69", "1467.31")
    world.banks[bank.id] = replace(bank, owed_is_positive=True)
    assert (await person.accounts(asks))["accounts"][0]["balance"] == "532.69"


async def test_a_bank_that_waits_for_a_sign_in_is_said_beside_the_others(
    world: World, checking: Held, bridge: SimplefinBridge, person: Person
) -> None:
    """Its accounts are old, or not there; the other bank's are whole."""
    hill = world.bank("Hill Union")
    savings = world.open(hill, "Savings")
    world.sign_out(hill)
    world.advance()
    for account in (checking, savings):
        world.book(account, 100, "INTEREST")
    answer = await person.accounts(("version", 2))
    assert answer["errors"] == ["Connection to Hill Union may need attention"]
    assert answer["errlist"] == [
        {"code": "con.auth", "msg": answer["errors"][0], "conn_id": connection_id(hill)}
    ]
    assert [each["balance"] for each in answer["accounts"]] == ["1201.50", "0.00"]
    dates = [each["balance-date"] for each in answer["accounts"]]
    assert dates[0] - dates[1] == 86_400
    bridge.hides = True
    answer = await person.accounts(("version", 2))
    assert [each["name"] for each in answer["accounts"]] == ["Everyday Checking"]
    assert [each["name"] for each in answer["connections"]] == ["Harbour Bank", "Hill Union"]


async def test_one_account_may_fail_alone(
    world: World, checking: Held, bridge: SimplefinBridge, person: Person
) -> None:
    """It is not there and is named; one with missing rows is there and is named."""
    savings = world.open(world.banks[checking.bank], "Savings")
    bridge.failing.add(checking.number)
    bridge.missing_rows.add(savings.number)
    for _each in range(3):
        world.book(savings, 100, "INTEREST")
    answer = await person.accounts(("version", 2))
    assert [(each["code"], each["account_id"]) for each in answer["errlist"]] == [
        ("act.failed", account_id(checking)),
        ("act.missingdata", account_id(savings)),
    ]
    [account] = answer["accounts"]
    assert (account["name"], len(account["transactions"])) == ("Savings", 2)


async def test_errors_words_have_either_name(bridge: SimplefinBridge, person: Person) -> None:
    """The protocol's table and its examples differ, so that both are to be read."""
    bridge.says.append(Trouble("gen.auth", "Sign in <b>now</b>\u202e"))
    assert set((await person.accounts(("version", 2)))["errlist"][0]) == {"code", "msg"}
    bridge.message_key = "message"
    assert set((await person.accounts(("version", 2)))["errlist"][0]) == {"code", "message"}


async def test_a_date_that_is_no_number_is_refused(person: Person) -> None:
    """It is not read as some day."""
    assert (await person.ask(("start-date", "2026-06-01"))).status_code == 400
    assert (await person.ask(("end-date", "soon"))).status_code == 400


async def test_an_id_may_be_of_more_than_one_row(
    world: World, checking: Held, person: Person
) -> None:
    """On two accounts, as the protocol allows, and on one, as banks do all the same."""
    joint = world.open(world.banks[checking.bank], "Joint")
    for account, amount in ((checking, -100), (checking, -250), (joint, -75)):
        world.book(account, amount, "FEE", id="7")
    answer = await person.accounts()
    said = [[row["id"] for row in each["transactions"]] for each in answer["accounts"]]
    assert said == [["7", "7"], ["7"]]
    assert [each["balance"] for each in answer["accounts"]] == ["1197.00", "-0.75"]
