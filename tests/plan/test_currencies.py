"""Own accounts in two currencies: their transfers are told by both texts, and never by amounts."""

from collections.abc import Mapping
from datetime import date, timedelta

import pytest

from finplan.plan.ledger.ledger import LedgerAccount
from finplan.plan.pairing.currencies import within_rate_of_another
from finplan.plan.pairing.transfers import find_doubtful_pairs, find_pairs
from tests.plan.own_accounts import ABROAD, ACCOUNTS, CARD, CHECKING, SAVINGS, Statement, account
from tests.steps import growth

LIRA, YEN, CARD_ABROAD = 31, 32, 33
HOUSE: Mapping[int, LedgerAccount] = {
    **ACCOUNTS,
    LIRA: account("depository", "checking", "9999", "Bankasi", currency="TRY"),
    YEN: account("depository", "checking", "1010", "Ginko", currency="JPY"),
    CARD_ABROAD: account("credit", "credit card", "1212", "Karte", currency="EUR"),
}
MONDAY = date(2025, 3, 10)


def pairs(rows: Statement) -> list[tuple[int, int]]:
    return [(pair.out, pair.into) for pair in find_pairs(rows.legs, HOUSE)]


def doubts(rows: Statement) -> list[tuple[int, int, str]]:
    found = find_doubtful_pairs(rows.legs, HOUSE)
    return [(doubt.out.number, doubt.into.number, doubt.reason) for doubt in found]


def sent(
    left: str, arrived: str, *, amount: int = 500_00, became: int = 446_00, late: int = 1
) -> Statement:
    """Dollars sent to the account in euros, and what came there."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -amount, left)
    rows.row(ABROAD, MONDAY + timedelta(late), became, arrived)
    return rows


@pytest.mark.parametrize(
    ("left", "arrived"),
    [
        ("TRANSFER TO ...7777", "VIREMENT RECU"),
        ("INTERNATIONAL TRANSFER BANQUE", "VIREMENT RECU"),
        ("TRANSFER", "VIREMENT ...1111"),
        ("TRANSFER 123456789", "VIREMENT 123456789"),
        ("WIRE TRANSFER MAX MUSTERMANN", "VIREMENT MUSTERMANN MAX"),
        ("TRANSFER TO EUR ACCOUNT", "VIREMENT DEPUIS USD"),
        ("EXCHANGED TO EUR", "EXCHANGED FROM USD"),
        ("Currency exchange", "Converted from USD"),
        ("TRANSFER EUR 446.00", "VIREMENT"),
        ("TRANSFER", "VIREMENT 500,00 USD A 1,12"),
    ],
)
def test_both_rows_say_so_and_something_ties_them(left: str, arrived: str) -> None:
    """The other account's number or bank, one order, the holder, both currencies or the other sum."""
    assert pairs(sent(left, arrived)) == [(1, 2)]


@pytest.mark.parametrize(
    ("left", "arrived"),
    [
        ("CAFE PARIS EUR 446.00", "VIREMENT JANE DOE"),
        ("TRANSFER TO ...7777", "JANE DOE"),
        ("ZELLE TRANSFER EXCHANGE EUR", "EXCHANGED FROM USD"),
        ("TRANSFER EXCHANGE ...6666", "EXCHANGED FROM USD"),
        ("TRANSFER TO BROKERAGE EUR", "EXCHANGED FROM USD"),
        ("REF 12", "CREDIT 12"),
    ],
)
def test_one_row_alone_tells_nothing(left: str, arrived: str) -> None:
    """What a stranger may have sent is neither paired nor asked about."""
    rows = sent(left, arrived)
    assert pairs(rows) == []
    assert doubts(rows) == []


def test_transfers_that_nothing_ties_are_asked_about() -> None:
    """Both rows say transfer, and that is all: the person may know."""
    rows = sent("TRANSFER TO JOHN", "VIREMENT DE ANNA")
    assert pairs(rows) == []
    assert doubts(rows) == [(1, 2, "currencies")]
    rows.row(ABROAD, MONDAY, 450_00, "VIREMENT DE PAUL")
    assert doubts(rows) == []
    rows = sent("TRANSFER EUR TO JOHN", "VIREMENT DE ANNA")
    assert pairs(rows) == []
    assert doubts(rows) == [(1, 2, "currencies")]


@pytest.mark.parametrize(
    ("became", "paired"),
    [(280_00, True), (278_00, False), (713_00, True), (716_00, False), (446_00, True)],
)
def test_a_sum_has_to_be_worth_about_the_same(became: int, paired: bool) -> None:
    """A rate far from what the currencies were worth in ten years is another movement's."""
    assert bool(pairs(sent("EXCHANGED TO EUR", "EXCHANGED FROM USD", became=became))) is paired


def test_currencies_without_cents_are_compared_in_their_units() -> None:
    """A yen has no hundredths."""
    rows = Statement()
    out = rows.row(YEN, MONDAY, -74_000, "EXCHANGED TO USD")
    into = rows.row(CHECKING, MONDAY, 500_00, "EXCHANGED FROM JPY")
    other = rows.row(YEN, MONDAY, 14_000, "EXCHANGED FROM EUR")
    euros = rows.row(ABROAD, MONDAY, -99_00, "EXCHANGED TO JPY")
    assert pairs(rows) == [(out, into), (euros, other)]


@pytest.mark.parametrize(("late", "paired"), [(-2, False), (-1, True), (4, True), (5, False)])
def test_it_takes_as_long_as_any_transfer(late: int, paired: bool) -> None:
    """From a day early to four days late."""
    assert bool(pairs(sent("TRANSFER TO ...7777", "VIREMENT", late=late))) is paired


def test_a_currency_of_unknown_worth_needs_a_second_pair_that_agrees() -> None:
    """Nothing else says what it is worth, and each of two says it for the other."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -100_00, "EXCHANGED TO TRY")
    rows.row(LIRA, MONDAY, 3_800_00, "EXCHANGED FROM USD")
    assert pairs(rows) == []
    assert doubts(rows) == [(1, 2, "currencies")]
    rows.row(LIRA, MONDAY + timedelta(30), -7_750_00, "EXCHANGED TO USD")
    rows.row(CHECKING, MONDAY + timedelta(30), 200_00, "EXCHANGED FROM TRY")
    assert pairs(rows) == [(1, 2), (3, 4)]


@pytest.mark.parametrize(("rate", "apart", "paired"), [(39, 60, 0), (40, 30, 0), (39, 45, 2)])
def test_rates_agree_within_weeks_and_within_a_few_hundredths(
    rate: int, apart: int, paired: int
) -> None:
    """Markets move: what was paid two months ago proves nothing."""
    rows = Statement()
    for day, lira in ((MONDAY, 38), (MONDAY + timedelta(apart), rate)):
        rows.row(CHECKING, day, -100_00, "EXCHANGED TO TRY")
        rows.row(LIRA, day, 100_00 * lira, "EXCHANGED FROM USD")
    assert len(pairs(rows)) == paired


def test_what_strays_from_rates_that_agree_is_left() -> None:
    """Two of a month were changed at one rate, so a third at another is no exchange."""
    rows = Statement()
    for week, euros in enumerate((446_00, 447_00, 380_00)):
        day = MONDAY + timedelta(10 * week)
        rows.row(CHECKING, day, -500_00, "EXCHANGED TO EUR")
        rows.row(ABROAD, day, euros, "EXCHANGED FROM USD")
    assert pairs(rows) == [(1, 2), (3, 4)]
    apart = MONDAY + timedelta(14)
    out = rows.row(CHECKING, apart, -300_00, "TRANSFER ...7777")
    into = rows.row(ABROAD, apart, 200_00, "VIREMENT")
    assert pairs(rows) == [(1, 2), (3, 4), (out, into)]


def test_rates_tell_which_of_several_belong_together() -> None:
    """Two exchanges of one day are told apart by the rate that both have."""
    rows = Statement()
    first = rows.row(CHECKING, MONDAY, -1000_00, "EXCHANGED TO EUR")
    second = rows.row(CHECKING, MONDAY, -800_00, "EXCHANGED TO EUR")
    of_second = rows.row(ABROAD, MONDAY, 713_60, "EXCHANGED FROM USD")
    of_first = rows.row(ABROAD, MONDAY, 892_00, "EXCHANGED FROM USD")
    assert pairs(rows) == [(first, of_first), (second, of_second)]


def test_equal_rivals_leave_each_other_alone() -> None:
    """One departure and two arrivals of nearly one sum: the person is asked."""
    rows = sent("EXCHANGED TO EUR", "EXCHANGED FROM USD")
    rows.row(ABROAD, MONDAY + timedelta(1), 446_10, "EXCHANGED FROM USD")
    assert pairs(rows) == []
    assert {doubt[:2] for doubt in doubts(rows)} == {(1, 2), (1, 3)}


def test_cards_and_pay_are_no_transfer_between_currencies() -> None:
    """A card's payment is one of its own currency, and pay from abroad is pay."""
    rows = Statement()
    rows.row(CHECKING, MONDAY, -500_00, "TRANSFER EXCHANGE ...1212")
    rows.row(CARD_ABROAD, MONDAY, 446_00, "EXCHANGE TRANSFER")
    rows.row(CARD, MONDAY, -300_00, "TRANSFER EXCHANGE EUR")
    rows.row(ABROAD, MONDAY, 267_00, "TRANSFER EXCHANGE USD")
    rows.row(CHECKING, MONDAY, -90_00, "EXCHANGED TO EUR")
    rows.row(ABROAD, MONDAY, 80_00, "EXCHANGED FROM USD GEHALT", "wages")
    assert pairs(rows) == []


def test_a_pair_of_one_currency_goes_first_and_a_rejected_one_never_comes() -> None:
    """An equal amount at home is better evidence than a rate."""
    rows = sent("TRANSFER ...2222 EXCHANGED TO EUR", "EXCHANGED FROM USD")
    assert pairs(rows) == []
    rows = sent("TRANSFER EXCHANGED TO EUR", "EXCHANGED FROM USD")
    assert find_pairs(rows.legs, HOUSE, rejected={(1, 2)}) == []
    home = rows.row(SAVINGS, MONDAY, 500_00, "TRANSFER")
    assert pairs(rows) == [(1, home)]


def monthly(
    left: str,
    arrived: str,
    became: tuple[int, ...] = (446_00, 450_00, 442_00),
    categories: tuple[str | None, str | None] = (None, None),
) -> Statement:
    """Dollars that are sent each month, and what came on the account in euros a day later."""
    rows = Statement()
    for place, amount in enumerate(became):
        day = MONDAY + timedelta(31 * place)
        rows.row(CHECKING, day, -500_00, left, categories[0])
        rows.row(ABROAD, day + timedelta(1), amount, arrived, categories[1])
    return rows


SERVICE = ("TRANSFERWISE OWN ACCOUNT", "WISE PAYMENTS LIMITED")


def test_what_one_row_alone_calls_a_transfer_is_asked_about_when_it_comes_again() -> None:
    """Three sums of nearly one rate are no accident; nothing is paired, and each is a question."""
    rows = monthly(*SERVICE)
    assert pairs(rows) == []
    assert doubts(rows) == [(5, 6, "currencies"), (3, 4, "currencies"), (1, 2, "currencies")]
    assert len(doubts(monthly(SERVICE[1], SERVICE[0]))) == 3


@pytest.mark.parametrize(
    "rows",
    [
        monthly(*SERVICE, became=(446_00, 446_00)),
        # One in three was changed at another rate.
        monthly(*SERVICE, became=(446_00, 446_00, 465_00)),
        monthly("WISE EUROPE", "WISE PAYMENTS LIMITED"),
        monthly(*SERVICE, categories=("family_support", None)),
        monthly(*SERVICE, categories=(None, "wages")),
    ],
    ids=["twice", "another rate", "no word", "the person said", "pay"],
)
def test_what_is_chance_or_known_is_no_question(rows: Statement) -> None:
    """Fewer sums, other rates, no word of a transfer, or rows of which it is known what they are."""
    assert doubts(rows) == []


def test_a_repeated_sum_that_another_row_explains_as_well_is_no_question() -> None:
    """Of two arrivals nobody knows which; the other months stay in doubt."""
    rows = monthly(*SERVICE, became=(446_00, 446_00, 446_00, 446_00))
    rows.row(ABROAD, MONDAY, 446_00, "JANE DOE")
    assert [doubt[:2] for doubt in doubts(rows)] == [(7, 8), (5, 6), (3, 4)]


def test_only_rows_that_another_currency_may_explain_are_read() -> None:
    """Of all rows that say transfer, those near another of about the same worth."""
    currencies = {1: "USD", 2: "EUR", 3: "TRY"}
    rows = [
        (1, 1, 20250310, -500_00),
        (2, 2, 20250311, 446_00),
        (3, 2, 20250311, 100_00),
        (4, 1, 20250311, 480_00),
        (5, 2, 20250320, 446_00),
        (6, 3, 20250601, 1),
        (7, 1, 20250601, -100_00),
    ]
    assert within_rate_of_another(rows, currencies) == {1, 2, 6, 7}


def test_many_exchanges_cost_what_their_number_costs() -> None:
    """Steps grow with the number of exchanges, not with its square."""

    def weekly(number: int) -> Statement:
        rows = Statement()
        for place in range(number):
            day = date(1990, 1, 1) + timedelta(7 * place)
            rows.row(CHECKING, day, -500_00, "EXCHANGED TO EUR")
            rows.row(ABROAD, day, 446_00, "EXCHANGED FROM USD")
        return rows

    assert len(pairs(weekly(200))) == 200
    assert growth(lambda number: lambda: pairs(weekly(number)), 60) < 5.5
