"""The laws of a demo household: alike in health, different in everything else."""

import re
from collections import Counter
from datetime import date, timedelta

import pytest

from finplan.banks.base import BankTransaction
from tests.banks.feed import Feed, day_of, days_apart

TODAY = date(2026, 11, 21)
YEARS = ((20241101, 20251031), (20251101, 20261031))
HOUSEHOLDS = [f"person-{number}" for number in range(25)]


@pytest.fixture(scope="module", params=HOUSEHOLDS)
def feed(request: pytest.FixtureRequest) -> Feed:
    owner: str = request.param
    return Feed(owner, TODAY)


def left_over(feed: Feed, first: int, last: int) -> int:
    """Income less spending between two days: what cash and cards gained, and what was invested."""

    def change(account: str) -> int:
        return sum(row.amount for row in feed.on(account) if first <= row.day <= last)

    invested = sum(
        -row.amount for row in feed.named("checking", "BROKERAGE") if first <= row.day <= last
    )
    return invested + sum(map(change, ("checking", "savings", "rewards", "platinum")))


def pay(feed: Feed, first: int, last: int) -> int:
    rows = feed.named("checking", "PAYROLL") + feed.named("checking", "DIR DEP")
    ids = {row.external_id: row.amount for row in rows if first <= row.day <= last}
    return sum(ids.values())


@pytest.mark.sampled(6)
def test_more_comes_in_than_goes_out(feed: Feed) -> None:
    """In each of the two years something is left over, and not much: 5 to 20 % of pay."""
    for first, last in YEARS:
        assert 0.05 < left_over(feed, first, last) / pay(feed, first, last) < 0.20


@pytest.mark.sampled(3)
def test_cash_covers_the_cards_and_about_half_of_an_emergency_fund(feed: Feed) -> None:
    """Cash less cards lies between 10 and 30 % of a year's essentials, near half of three months.

    Essentials are a little more than half of what goes out.
    """
    first, last = YEARS[1]
    essentials = (pay(feed, first, last) - left_over(feed, first, last)) * 0.6
    reserve = sum(map(feed.owned, ("checking", "savings", "rewards", "platinum")))
    assert 0.08 < reserve / essentials < 0.22


@pytest.mark.thorough
@pytest.mark.sampled(6)
def test_one_card_is_paid_in_full_and_one_is_not(feed: Feed) -> None:
    """Autopay pays what the first card owed 25 to 29 days before; the second is charged interest."""
    payments = feed.named("rewards", "AUTOMATIC PAYMENT")
    assert len(payments) >= 24
    for payment in payments[1:]:
        paid = day_of(payment.day)
        owed = {-feed.owned_on("rewards", paid - timedelta(days=lag)) for lag in range(25, 30)}
        assert payment.amount in owed
    assert not feed.named("rewards", "INTEREST")
    assert 23 <= len(feed.named("platinum", "INTEREST CHARGE")) <= 25
    limit = feed.accounts["platinum"].credit_limit
    assert limit
    assert 0.25 < -feed.owned("platinum") / limit < 0.80


def test_no_account_is_ever_in_trouble(feed: Feed) -> None:
    """Checking never ends a day below −500, savings are never empty, cards stay below their limit."""
    assert min(feed.owned_by_day("checking").values()) > -50_000
    assert min(feed.owned_by_day("savings").values()) > 0
    for card in ("rewards", "platinum"):
        limit = feed.accounts[card].credit_limit
        assert limit
        assert min(feed.owned_by_day(card).values()) > -limit
    assert feed.owned("mortgage") < feed.owned("auto") < 0 < feed.owned("brokerage")


def test_a_month_has_as_many_rows_as_a_household_has(feed: Feed) -> None:
    """Every full month holds 85 to 150 rows over all accounts, 95 to 130 on average."""
    months = Counter(row.day // 100 for row in feed.posted if row.day < 20261101)
    assert len(months) == 24
    assert all(85 <= count <= 150 for count in months.values())
    assert 95 <= sum(months.values()) / 24 <= 130


def test_every_row_is_plausible(feed: Feed) -> None:
    """An amount is neither nothing nor absurd; a descriptor is finished, short and readable."""
    for row in feed.rows.values():
        assert 1 <= abs(row.amount) <= 2_500_000
        assert re.fullmatch(r"[\w &'#*./,:()-]{5,80}", row.raw), row.raw
        assert row.raw == row.raw.strip()
        assert row.payee is None


def transfers(feed: Feed) -> dict[str, tuple[list[BankTransaction], list[BankTransaction]]]:
    """By kind, the rows of checking and of the other side of each move between own accounts."""
    saved = feed.named("savings", "Online Transfer")
    return {
        "savings": (feed.named("checking", "Online Transfer"), saved),
        "rewards": (
            feed.named("checking", "CARD AUTOPAY"),
            feed.named("rewards", "AUTOMATIC PAYMENT"),
        ),
        "platinum": (feed.named("checking", "Payment to"), feed.named("platinum", "Payment Thank")),
        "mortgage": (feed.named("checking", "MTG PYMT"), feed.named("mortgage", "PAYMENT REC")),
        "auto": (feed.named("checking", "LOAN PMT"), feed.named("auto", "PAYMENT REC")),
        "brokerage": (
            feed.named("checking", "BROKERAGE"),
            feed.named("brokerage", "FUNDS TRANSFER"),
        ),
    }


def test_a_transfer_stands_on_both_sides(feed: Feed) -> None:
    """Each move between own accounts has its opposite on the other, within four days.

    Only what left for the brokerage on the last workday may still be under way.
    """
    for kind, (here, there) in transfers(feed).items():
        assert len(here) >= 24, kind
        under_way = len(here) - len(there)
        assert 0 <= under_way <= (kind == "brokerage"), kind
        for out, back in zip(here, there, strict=False):
            assert out.amount == -back.amount, kind
            assert 0 <= days_apart(out.day, back.day) <= 4, kind


def test_a_work_trip_is_repaid_to_the_cent_in_the_next_month(feed: Feed) -> None:
    """The employer's repayment is what flight, rides, cabs and hotel came to."""
    repaid = feed.named("checking", "EXP REIMB")
    assert len(repaid) == 2
    for row, hotel in zip(repaid, feed.named("rewards", "HYATT PLACE"), strict=True):
        assert row.day // 100 - hotel.day // 100 in {0, 1, 89}
        near = [
            charge
            for word in ("HYATT PLACE", "UNITED 0162", "CURB SVC", "UBER *TRIP")
            for charge in feed.named("rewards", word)
            if -25 < days_apart(hotel.day, charge.day) < 10
        ]
        needed = [-charge.amount for charge in near if "UBER" not in charge.raw]
        rides = [-charge.amount for charge in near if "UBER" in charge.raw]
        rest = row.amount - sum(needed)
        assert any(
            one + other == rest for place, one in enumerate(rides) for other in rides[place + 1 :]
        )


def test_a_subscription_and_the_internet_became_dearer(feed: Feed) -> None:
    """The video service rose once, four to seven months ago; the internet within the last 90 days."""
    video = [
        row for word in ("NETFLIX", "HULU", "DISNEY PLUS") for row in feed.named("rewards", word)
    ]
    internet = feed.named("rewards", "XFINITY") + feed.named("rewards", "SPECTRUM")
    for rows, least, most in ((video, 120, 215), (internet, 0, 90)):
        prices = [-row.amount for row in rows]
        assert prices == sorted(prices)
        assert len(set(prices)) == 2
        first_dear = next(row for row in rows if -row.amount == prices[-1])
        assert least <= days_apart(first_dear.day, 20261121) <= most


def test_some_merchants_tell_nobody_what_they_sell(feed: Feed) -> None:
    """Five shops with names that say nothing were each visited three times or more in a year."""
    from finplan.banks.demo.places import NOBODY_KNOWS

    names = [raw.split("@")[0].strip() for raw in NOBODY_KNOWS]
    visits = Counter(
        name
        for name in names
        for row in feed.posted
        if row.raw.startswith(name) and row.day > 20251121
    )
    assert len(visits) == 5
    assert min(visits.values()) >= 3


def test_some_purchases_come_back(feed: Feed) -> None:
    """There are refunds on the card, each smaller than or equal to a purchase at the same shop."""
    refunds = [
        row
        for row in feed.on("rewards") + feed.on("platinum")
        if row.amount > 0 and "ayment" not in row.raw and "PAYMENT" not in row.raw
    ]
    assert len(refunds) >= 3
    for refund in refunds:
        shop = refund.raw[:7].upper()
        assert any(
            row.raw.upper().startswith(shop) and refund.amount <= -row.amount
            for row in feed.posted
            if -1 <= days_apart(row.day, refund.day) < 30
        )


def test_terms_are_given_where_accounts_have_them(feed: Feed) -> None:
    """Cards have limit, rate and minimum payment; loans rate and installment; the rest none."""
    kinds = Counter(account.kind for account in feed.accounts.values())
    assert kinds == {"depository": 2, "credit": 2, "loan": 2, "investment": 1, "other": 1}
    masks = {account.mask for account in feed.accounts.values() if account.mask}
    assert len(masks) == 7
    for account in feed.accounts.values():
        terms = (account.credit_limit, account.apr, account.minimum_payment)
        expected = {"credit": (True, True, True), "loan": (False, True, True)}
        given = expected.get(account.kind, (False, False, False))
        assert tuple(term is not None for term in terms) == given
        assert account.apr is None or 0.02 < account.apr < 0.30


@pytest.mark.thorough
def test_households_differ() -> None:
    """Employers, towns, amounts and days vary from owner to owner."""
    feeds = [Feed(owner, TODAY) for owner in HOUSEHOLDS[:12]]
    for account, word, least in (
        ("checking", "PAYROLL PPD", 12),
        ("checking", "NATURAL GAS", 4),
        ("checking", "HOME LN", 12),
    ):
        rows = [feed.named(account, word)[-1] for feed in feeds]
        assert len({(row.raw, row.amount) for row in rows}) >= least
    closing = [feed.named("rewards", "AUTOMATIC PAYMENT")[-1].day for feed in feeds]
    assert len(set(closing)) >= 3


@pytest.mark.thorough
def test_the_car_insurance_is_due_soon_after_the_first_sync() -> None:
    """Whatever the day of the first sync, the next twice-yearly bill is at most 46 days away."""
    for today in (date(2026, 1, 1), date(2026, 2, 28), date(2026, 7, 31), TODAY):
        feed = Feed("alice", today)
        feed.sync(today + timedelta(days=46))
        words = ("PROGRESSIVE", "GEICO")
        paid = [row for word in words for row in feed.named("checking", word)]
        assert any(day_of(row.day) > today for row in paid)
