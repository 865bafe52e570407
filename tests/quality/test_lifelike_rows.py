"""What life holds is generated as often as its rate says, and labelled by what a reader can know."""

from collections import Counter, defaultdict
from datetime import timedelta
from itertools import pairwise
from random import Random
from statistics import mean

import pytest

from benchmarks.quality.world import rates
from benchmarks.quality.world.beside import BILLS, bills_beside
from benchmarks.quality.world.household import household, opened
from benchmarks.quality.world.mixed import DAYS_OF_OTHERS
from benchmarks.quality.world.schedule import Schedule
from benchmarks.quality.world.streams import Outline, Voice, write
from benchmarks.quality.world.truth import Household, LabelledRow, TrueStream
from benchmarks.quality.world.voices import Spelling
from finplan.categorise.decide import PayeeFacts, decide
from finplan.categorise.payee import payee_of
from finplan.statements.text.descriptors import fold


@pytest.fixture(scope="module")
def many() -> list[Household]:
    """Enough households for rare things."""
    return [household(seed, "noisy") for seed in range(100, 300)]


def _streams(households: list[Household], what: str) -> list[tuple[Household, TrueStream]]:
    return [(one, stream) for one in households for stream in one.streams if stream.what == what]


def _rows(one: Household, stream: TrueStream) -> list[LabelledRow]:
    return [row for row in one.rows if row.stream == stream.number]


@pytest.mark.thorough
@pytest.mark.thorough
def test_three_payees_in_five_are_unknown_to_the_shipped_data(many: list[Household]) -> None:
    """Of payees that somebody spends at, the shipped lists and words know two in five."""
    unknown = known = 0
    for one in many[:60]:
        spent = {
            row.payee: fold(row.raw)
            for row in one.rows
            if row.amount < 0 and row.pair is None and not row.cash
        }
        for raw in spent.values():
            payee = payee_of(raw)
            said = decide(PayeeFacts(payee.key, payee.name, raw, debits=2, credits=0))
            unknown += said.out == "uncategorized"
            known += said.out != "uncategorized"
    assert unknown / (unknown + known) == pytest.approx(0.60, abs=0.03)


@pytest.mark.thorough
@pytest.mark.thorough
def test_annual_charges_stop_and_change_their_price(many: list[Household]) -> None:
    """Some annual charges have ended, some end unseen; prices of two years differ by 15 % at most."""
    annual = [
        (one, stream)
        for one in many
        for stream in one.streams
        if stream.cadence == "annual" and stream.knowable
    ]
    ended = [stream for _, stream in annual if stream.active is False]
    unseen = [stream for _, stream in annual if stream.active is None]
    assert len(annual) > 200
    assert 0.03 < len(ended) / len(annual) < 0.35
    assert 0.05 < len(unseen) / len(annual) < 0.35
    assert all(stream.next is None for stream in (*ended, *unseen))
    changed = 0
    for one, stream in annual:
        amounts = [-row.amount for row in _rows(one, stream)]
        changed += amounts[0] != amounts[1]
        if len(amounts) == 2:
            assert abs(amounts[1] - amounts[0]) <= 0.15 * amounts[0]
            assert "opaque" not in stream.quirks
    assert changed / len(annual) == pytest.approx(1 - rates.RENEWAL_PRICE_KEPT, abs=0.12)


@pytest.mark.parametrize(
    ("years", "says_yearly", "hole", "is_known"),
    [
        (1, True, False, True),
        (1, False, False, False),
        (2, False, False, True),
        (2, True, True, False),
    ],
)
def test_an_annual_charge_is_known_from_two_rows_of_following_years(
    years: int, says_yearly: bool, hole: bool, is_known: bool
) -> None:
    """Two rows a year apart tell it where the name does, three always; two years apart tell nothing."""
    diary = opened(Random(1), "clean")
    checking, last = diary.held("checking").number, diary.today - timedelta(30)
    diary.dead, diary.holes = None, {}
    diary.since = last - timedelta(365 * years + 40)
    if hole:
        diary.holes = {checking: (last - timedelta(400), last - timedelta(330))}
    outline = Outline(
        side="charge",
        what="club",
        payee="a club",
        voice=Voice(Spelling("A CLUB", "{name}", {})),
        schedule=Schedule("annual", last, (last.day,), 0),
        shares=((checking, 1.0),),
        amount=9_900,
        since=diary.since,
        says_yearly=says_yearly,
    )
    rows = write(diary, outline)
    assert len(rows) == years + 1 - hole
    assert diary.streams[-1].knowable == is_known


@pytest.mark.thorough
def test_chance_pairs_are_in_no_stream(many: list[Household]) -> None:
    """Some payees are paid twice, a year apart and about as much, and owe nothing the next year."""
    pairs = 0
    for one in many:
        paid: dict[str, list[LabelledRow]] = defaultdict(list)
        for row in one.rows:
            if row.amount < 0 and row.stream is None and row.pair is None:
                paid[row.payee].append(row)
        billed = {stream.payee for stream in one.streams}
        for payee, rows in paid.items():
            if len(rows) == 2 and payee not in billed:
                days = (rows[1].day - rows[0].day).days
                pairs += 350 <= days <= 380 and abs(rows[1].amount / rows[0].amount - 1) <= 0.12
    long = [one for one in many if (one.today - one.rows[0].day).days > 400]
    assert pairs / len(long) == pytest.approx(rates.CHANCE_PAIRS, rel=0.25)


@pytest.mark.thorough
def test_card_payments_are_booked_both_ways(many: list[Household]) -> None:
    """A card's credit comes up to five days before its debit or after, each card in its own way."""
    apart = Counter[int]()
    for one in many:
        cards = {account.number for account in one.accounts if account.kind == "credit"}
        legs: dict[int, list[LabelledRow]] = defaultdict(list)
        for row in one.rows:
            if row.pair is not None:
                legs[row.pair].append(row)
        for two in legs.values():
            out, into = sorted(two, key=lambda row: row.amount)
            if into.account in cards:
                apart[(into.day - out.day).days] += 1
    early = sum(times for days, times in apart.items() if days < 0) / apart.total()
    late = sum(times for days, times in apart.items() if days > 0) / apart.total()
    assert set(apart) == set(range(-5, 6))
    assert early == pytest.approx(0.30, abs=0.10)
    assert late == pytest.approx(0.33, abs=0.10)


@pytest.mark.thorough
def test_mixed_payees_have_rows_beside_their_bill(many: list[Household]) -> None:
    """A varying bill has none to six other rows at its payee in thirteen months, as its label says."""
    bills = _streams(many, "mixed bill")
    assert len(bills) / len(many) == pytest.approx(rates.MIXED_BILLS, rel=0.2)
    counts = set()
    for one, stream in bills:
        others = int(stream.quirks[0].removesuffix(" others"))
        counts.add(others)
        beside = [
            row
            for row in one.rows
            if row.payee == stream.payee and row.stream is None and row.amount < 0
        ]
        months = (one.today - one.rows[0].day).days / DAYS_OF_OTHERS
        assert len(beside) <= others * months + 1
    assert counts == set(range(7))


@pytest.mark.thorough
def test_a_rail_a_platform_and_an_employer_pay_for_more_than_one_thing(
    many: list[Household],
) -> None:
    """Dinners come back by the rail of the rent, refunds by a platform, repayments from an employer."""
    for what, share in (("rent share", rates.RAIL_RENT), ("payout", rates.GIG_PLATFORM)):
        found = _streams(many, what)
        assert len(found) / len(many) == pytest.approx(share, abs=0.05)
        for one, stream in found:
            others = [row for row in one.rows if row.payee == stream.payee and row.stream is None]
            assert {row.amount > 0 for row in others} >= {stream.side == "charge"}
    repaid = [row for one in many for row in one.rows if row.payee.endswith(" expenses")]
    assert len(repaid) > 200
    assert all(row.amount > 0 and row.stream is None for row in repaid)


@pytest.mark.thorough
def test_unlinked_cards_are_charges_that_vary(many: list[Household]) -> None:
    """What is paid each month to a card that is not linked is a charge, of an issuer without account."""
    found = _streams(many, "unlinked card")
    assert 0.15 < len(found) / len(many) <= rates.UNLINKED_CARD + 0.05
    for one, stream in found:
        assert stream.payee.removesuffix(" card") not in {
            account.institution.lower() for account in one.accounts
        }
        assert stream.next_amount is None


@pytest.mark.thorough
def test_rows_are_written_as_banks_do(many: list[Household]) -> None:
    """There are labelled memos, terminals before a shop, places after it, numbers and several lines."""
    texts = [row.raw for one in many for row in one.rows]
    for sign in ("TYPE: ", "SIGN BASED ", "PIN BASED ", " FIVEWAYS", "\n", " SNAX "):
        assert sum(sign in text for text in texts) > 30, sign
    memos = [text for text in texts if text.startswith("TYPE: ")]
    assert all(" CO: " in text for text in memos)
    numbered = _streams(many, "account number")
    assert len(numbered) > 30
    for one, stream in numbered:
        number = stream.payee.removeprefix("account ")
        assert all(number in row.raw for row in _rows(one, stream))


@pytest.mark.thorough
def test_what_goes_abroad_says_so_on_both_rows(many: list[Household]) -> None:
    """A transfer to an own account in another currency names it, and the other row where it is from."""
    for one in many:
        held = {account.number: account for account in one.accounts}
        away = [row for row in one.rows if held[row.account].currency != one.currency]
        assert len(away) in range(15)
        for row in away:
            assert f"TRANSFER FROM {one.currency} ACCOUNT {held[1].mask}" in row.raw
            assert row.stream is None
    assert any(len({account.currency for account in one.accounts}) == 2 for one in many)


@pytest.mark.thorough
def test_rhythms_are_of_weekdays_and_four_weeks_too(many: list[Household]) -> None:
    """Some monthly charges come on a weekday of its week, some every 28 days."""
    weekday = four_weeks = 0
    for one in many:
        for stream in one.streams:
            days = [row.day for row in _rows(one, stream)]
            if stream.cadence != "monthly" or len(days) < 8:
                continue
            gaps = [(later - day).days for day, later in pairwise(days)]
            steady = Counter(day.weekday() for day in days).most_common(1)[0][1] >= 0.7 * len(days)
            four_weeks += steady and 26 <= mean(gaps) < 29.5
            weekday += steady and mean(gaps) >= 29.5
    assert four_weeks > 40
    assert weekday > 40


def test_bills_beside_have_as_many_other_rows_as_asked() -> None:
    """Each bill has just so many rows beside it in thirteen months, and as many payees have no bill."""
    for others in (0, 3, 6):
        made = bills_beside(9, others)
        bills = [stream for stream in made.streams if stream.what == "mixed bill"]
        assert len(bills) == BILLS
        billed = {stream.payee for stream in bills}
        beside = Counter(row.payee for row in made.rows if row.stream is None)
        assert {beside[payee] for payee in billed} == {others}
        assert len(beside.keys() - billed) == BILLS
