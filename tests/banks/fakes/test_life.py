"""A drawn life as the three servers show it: each leads its client to the world's own totals."""

from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.life import Life
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import epoch
from tests.banks.fakes.ways import Application, Developer, Person
from tests.banks.fakes.world import Held, World

TODAY = date(2026, 6, 15)


def lived(seed: int) -> tuple[World, Life]:
    world = World(TODAY)
    bank = world.bank("Harbour Bank")
    accounts = [world.open(bank, name, opening=100_000) for name in ("Checking", "Joint")]
    return world, Life(world, accounts, Random(seed))


def posted(world: World, account: Held) -> list[int]:
    return sorted(row.amount for row in world.rows_of(account) if not row.pending)


def cents(amount: str) -> int:
    return int(Decimal(amount) * 100)


def test_the_same_dice_draw_the_same_life() -> None:
    """And others another one."""

    def rows(seed: int) -> list[Any]:
        world, life = lived(seed)
        for _each in range(30):
            life.day()
        return list(world.rows.values())

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)


def test_a_life_has_everything_that_banks_do() -> None:
    """In a year there are tips, kept ids, forgotten links, lapses, equal rows and new words."""
    world, life = lived(3)
    was: dict[str, Any] = {}
    tips = kept = forgotten = vanished = reworded = 0
    for _each in range(365):
        life.day()
        now = {row.id: row for row in world.rows.values()}
        for row in now.values():
            held = was.get(row.settles or row.id)
            if held is None:
                forgotten += row.transacted != row.day
                continue
            tips += row.amount < held.amount
            kept += held.pending and not row.pending and row.id == held.id
            reworded += held.text != row.text
        settled = {row.settles for row in now.values()}
        vanished += sum(key not in now and key not in settled for key in was)
        was = now
    assert min(tips, kept, forgotten, vanished, reworded) > 5
    equal = [(row.account, row.day, row.amount, row.text) for row in world.rows.values()]
    assert len(equal) > len(set(equal)) + 5
    assert any(row.pending and row.day < world.today - timedelta(days=30) for row in was.values())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
async def test_simplefin_shows_what_is(
    world: World, checking: Held, person: Person, seed: int
) -> None:
    """A window that is read anew each day replaces what was known of it."""
    life = Life(world, [checking], Random(seed))
    rows: dict[str, Any] = {}
    for _each in range(30):
        life.day()
        answer = await person.accounts(
            ("start-date", epoch(world.today - timedelta(days=40))), ("pending", 1)
        )
        [account] = answer["accounts"]
        rows = {row["id"]: row for row in account["transactions"]}
    got = [cents(row["amount"]) for row in rows.values() if "pending" not in row]
    assert sorted(got) == posted(world, checking)
    assert cents(account["balance"]) == world.balance_of(checking)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
async def test_plaid_shows_what_is(
    world: World, checking: Held, plaid: PlaidApi, developer: Developer, seed: int
) -> None:
    """Every change of every page, in any order, leads from nothing to the rows of today."""
    dice = Random(seed)
    plaid.order = lambda changes: dice.sample(changes, len(changes))
    life = Life(world, [checking], Random(seed))
    token = await developer.link(checking.bank)
    rows: dict[str, Any] = {}
    cursor, more = "", True
    for _each in range(30):
        life.day()
        more = True
        while more:
            page = await developer.ok(
                "/transactions/sync", access_token=token, cursor=cursor, count=3
            )
            rows |= {row["transaction_id"]: row for row in page["added"] + page["modified"]}
            for row in page["removed"]:
                del rows[row["transaction_id"]]
            cursor, more = page["next_cursor"], page["has_more"]
    got = [-cents(str(row["amount"])) for row in rows.values() if not row["pending"]]
    assert sorted(got) == posted(world, checking)
    assert {row["name"] for row in rows.values()} == {row.text for row in world.rows.values()}
    [account] = (await developer.ok("/accounts/get", access_token=token))["accounts"]
    assert cents(str(account["balances"]["current"])) == world.balance_of(checking)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
async def test_enable_banking_shows_what_is(
    world: World, checking: Held, api: EnableBanking, application: Application, seed: int
) -> None:
    """All pages of a window are the rows of its days."""
    api.page_size = 4
    life = Life(world, [checking], Random(seed))
    for _each in range(30):
        life.day()
    session = await application.session(checking.bank)
    path = f"/accounts/{session['accounts'][0]['uid']}"
    got: list[int] = []
    query: dict[str, str] = {"transaction_status": "BOOK"}
    while True:
        page = await application.ok("GET", f"{path}/transactions", params=query)
        for row in page["transactions"]:
            amount = cents(row["transaction_amount"]["amount"])
            got.append(-amount if row["credit_debit_indicator"] == "DBIT" else amount)
        if page["continuation_key"] is None:
            break
        query["continuation_key"] = page["continuation_key"]
    assert sorted(got) == posted(world, checking)
    [_available, booked] = (await application.ok("GET", f"{path}/balances"))["balances"]
    assert cents(booked["balance_amount"]["amount"]) == world.balance_of(checking)
