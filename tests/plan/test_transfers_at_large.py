"""Transfers among thousands of rows: rules hold for any, the planted are found, cost is linear."""

import random
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.transfers import find_pairs
from tests.plan.own_accounts import (
    ACCOUNTS,
    BROKERAGE,
    CARD,
    CHECKING,
    JOINT,
    LOAN,
    SAVINGS,
    Statement,
)
from tests.steps import growth

RAWS = ["TRANSFER", "TRANSFER TO ...2222", "PAYMENT THANK YOU", "DEPOSIT", "SHOP", "MAX MUSTER", ""]
legs = st.lists(
    st.tuples(
        st.sampled_from(list(ACCOUNTS)),
        st.dates(date(2025, 3, 1), date(2025, 3, 20)),
        st.sampled_from([-100_00, 100_00, 98_00, -50_00, 50_00, 7]),
        st.sampled_from(RAWS),
        st.sampled_from([None, "groceries", "wages", "card_payment", "savings", "cat_own"]),
    ),
    max_size=40,
)


@given(legs, st.randoms(use_true_random=False), st.booleans())
def test_every_pair_keeps_the_rules(
    rows: list[tuple[int, date, int, str, str | None]], order: random.Random, reject: object
) -> None:
    """Whatever comes: own accounts, days, amounts and currencies agree, no leg twice, any order."""
    statement = Statement()
    for row in rows:
        statement.row(*row)
    found = find_pairs(statement.legs, ACCOUNTS)
    by_number = {leg.number: leg for leg in statement.legs}
    for pair in found:
        out, into = by_number[pair.out], by_number[pair.into]
        assert out.amount < 0 < into.amount
        assert out.account != into.account
        if ACCOUNTS[out.account].currency == ACCOUNTS[into.account].currency:
            assert 0 <= -out.amount - into.amount <= -out.amount * 3 // 100
        else:
            assert out.raw.startswith("TRANSFER")
            assert into.raw.startswith("TRANSFER")
        days = ORDINAL[into.day] - ORDINAL[out.day]
        # How the person filed a payment of a card says as much as its words.
        is_card = ACCOUNTS[into.account].kind == "credit"
        is_said = (out.raw or (is_card and out.category == "card_payment")) and (
            into.raw not in {"", "SHOP"} or (is_card and into.category == "card_payment")
        )
        assert -1 <= days <= 4 or (-5 <= days <= 5 and is_said)
        assert not pair.spends or ACCOUNTS[into.account].kind == "loan"
    ends = [end for pair in found for end in (pair.out, pair.into)]
    assert len(ends) == len(set(ends))
    shuffled = list(statement.legs)
    order.shuffle(shuffled)
    assert find_pairs(shuffled, ACCOUNTS) == found
    if reject:
        rejected = {(pair.out, pair.into) for pair in found}
        again = find_pairs(statement.legs, ACCOUNTS, rejected)
        assert rejected.isdisjoint((pair.out, pair.into) for pair in again)


def a_households_rows(seed: int) -> tuple[Statement, set[tuple[int, int]]]:
    """Two years of purchases, pay, repayments and transfers, with the true pairs."""
    chance = random.Random(seed)
    rows, true = Statement(), set()
    start = date(2024, 1, 1)
    for _ in range(1500):
        where = chance.choice([CHECKING, CARD, JOINT])
        amount = chance.choice([chance.randrange(3_00, 200_00), chance.choice([20_00, 50_00])])
        shop = chance.choice(["SHOP", "SQ *CAFE", "MARKET", "PHARMACY", "TICKETS"])
        filed = chance.choice([None, "shopping", "groceries", "dining"])
        day = start + timedelta(chance.randrange(730))
        rows.row(where, day, -amount, f"{shop} {chance.randrange(900)}", filed)
        if chance.random() < 0.1:
            later = day + timedelta(chance.randrange(4))
            person = chance.choice(["ZELLE FROM ANNA", "JOHN SMITH", "VENMO CASHOUT"])
            rows.row(chance.choice([CHECKING, JOINT]), later, amount, person)
    kinds = [
        (CHECKING, SAVINGS, "ONLINE TRANSFER TO SAV ...2222", "TRANSFER FROM CHK ...1111"),
        (SAVINGS, CHECKING, "WITHDRAWAL TRANSFER", "DEPOSIT TRANSFER"),
        (CHECKING, CARD, "CHASE CREDIT CRD AUTOPAY", "AUTOMATIC PAYMENT - THANK YOU"),
        (CHECKING, BROKERAGE, "LARKMOOR INVEST ONLINE XFER", "FUNDS RECEIVED"),
        (JOINT, CHECKING, "Umbuchung", "Umbuchung Larkmoor"),
        (CHECKING, LOAN, "DRIVEWELL AUTO LOAN PMT", "PAYMENT RECEIVED"),
    ]
    for _ in range(300):
        source, target, left, arrived = chance.choice(kinds)
        amount = chance.choice([chance.randrange(10_00, 900_00), 50_00, 100_00, 500_00])
        day = start + timedelta(chance.randrange(730))
        out = rows.row(source, day, -amount, left)
        later = day + timedelta(chance.choice([0, 0, 0, 1, 1, 2, 3, -1]))
        true.add((out, rows.row(target, later, amount, arrived)))
    return rows, true


@pytest.mark.parametrize("seed", range(5))
def test_planted_transfers_are_found_among_traps(seed: int) -> None:
    """Of what is paired, 99.5 % is true, and 95 % of what is true is paired."""
    rows, true = a_households_rows(seed)
    where = {leg.number: (leg.account, leg.amount) for leg in rows.legs}

    def seen(pairs: set[tuple[int, int]]) -> set[tuple[int, int, int]]:
        # Which of two equal transfers met which arrival makes no difference to any account.
        return {(out, where[into][0], where[into][1]) for out, into in pairs}

    found, wanted = seen(set(rows.pairs())), seen(true)
    assert len(found & wanted) >= 0.995 * len(found)
    assert len(found & wanted) >= 0.95 * len(wanted)


@pytest.mark.thorough
def test_many_equal_transfers_cost_what_their_number_costs() -> None:
    """Thousands of legs of one amount are all paired, in steps that grow with their number."""

    def equal(number: int) -> Statement:
        rows = Statement()
        for place in range(number):
            day = date(2015, 1, 1) + timedelta(place % 3650)
            rows.row(CHECKING, day, -50_00, "TRANSFER TO SAVINGS")
            rows.row(SAVINGS, day, 50_00, "TRANSFER FROM CHECKING")
        return rows

    assert len(equal(5000).pairs()) == 5000
    assert growth(lambda number: equal(number).pairs, 300) < 5
