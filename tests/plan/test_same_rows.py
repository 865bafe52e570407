"""Rows and accounts that may be one: asked about, claimed, paired with the nearest, or left apart.

Equal rows of one source are two; two accounts are likely one where most rows of their common days
are the same, and one goes on in another's file where balances show it and no row forbids it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

from finplan.plan.ledger.days import ORDINAL, Interval
from finplan.plan.pairing import repetition
from finplan.plan.pairing.duplicates import (
    Copy,
    OriginDays,
    PendingCharge,
    RowOrigin,
    days_of_several,
    likely_duplicate_rows,
    likely_posted_pending,
)
from finplan.plan.pairing.same_account import (
    AccountSigns,
    Stretch,
    balance_goes_on,
    same_accounts,
    speak_against,
)
from finplan.plan.pairing.transfers import find_doubtful_pairs, find_pairs, within_fee_of_another
from tests.plan.own_accounts import ACCOUNTS, CARD, CHECKING, JOINT, SAVINGS, SECOND, Statement
from tests.steps import growth


def _doubts(rows: Statement, **given: object) -> list[tuple[int, int, str]]:
    """The doubts about what is not paired, by the rows' numbers."""
    paired = {number for pair in find_pairs(rows.legs, ACCOUNTS, **given) for number in pair[:2]}  # type: ignore[arg-type]
    alone = [leg for leg in rows.legs if leg.number not in paired]
    return [
        (doubt.out.number, doubt.into.number, doubt.reason)
        for doubt in find_doubtful_pairs(alone, ACCOUNTS, **given)  # type: ignore[arg-type]
    ]


def test_equal_rivals_are_all_named(rows: Statement) -> None:
    """Two departures fit one arrival: the person is shown both pairs."""
    first = rows.row(CHECKING, "2025-03-03", -300_00, "TRANSFER OUT")
    second = rows.row(JOINT, "2025-03-03", -300_00, "TRANSFER OUT")
    into = rows.row(SAVINGS, "2025-03-04", 300_00, "TRANSFER IN")

    assert sorted(_doubts(rows)) == [(first, into, "rivals"), (second, into, "rivals")]


def test_a_wordless_pair_is_named_only_if_no_other_fits(rows: Statement) -> None:
    """Equal amounts without a word are a question once, and noise where there are several."""
    out = rows.row(CHECKING, "2025-03-03", -730_00, "REF 88123 LM")
    into = rows.row(JOINT, "2025-03-04", 730_00, "77 QX")
    for day in ("2025-05-03", "2025-05-04"):
        rows.row(CHECKING, day, -50_00, "REF 5")
        rows.row(JOINT, day, 50_00, "QX 5")

    assert _doubts(rows) == [(out, into, "wordless")]


def test_what_comes_again_is_named_though_others_fit(rows: Statement) -> None:
    """Three equal pairs of two payees are a question each, the nearest rows of them; two are none."""
    expected = []
    for month in range(1, 4):
        day = f"2025-0{month}-03"
        out = rows.row(CHECKING, day, -900_00, "T ASHWORTH FT", payee=1)
        into = rows.row(JOINT, day, 900_00, "77 QX", payee=2)
        rows.row(SECOND, f"2025-0{month}-05", 900_00, f"OTHER {month}", payee=2 + month)
        expected.append((out, into, "repeated"))
        assert sorted(_doubts(rows)) == (expected if month == 3 else [])


def test_a_fee_is_a_question_where_several_fit(rows: Statement) -> None:
    """Two arrivals may be what is left of one departure."""
    out = rows.row(CHECKING, "2025-03-03", -1000_00, "WIRE TRANSFER OUT")
    first = rows.row(SAVINGS, "2025-03-04", 990_00, "WIRE TRANSFER IN")
    second = rows.row(SECOND, "2025-03-04", 985_00, "WIRE TRANSFER IN")

    assert sorted(_doubts(rows)) == [(out, first, "fee"), (out, second, "fee")]


def test_a_purchase_and_a_friends_share_are_no_question(rows: Statement) -> None:
    """What is ruled out for finding pairs is ruled out for asking too."""
    rows.row(CARD, "2025-03-03", -42_00, "RISTORANTE DA MARIO")
    rows.row(CHECKING, "2025-03-04", 42_00, "ZELLE FROM JOHN SMITH")
    rows.row(CHECKING, "2025-04-03", -42_00, "CORNER GROCER", "groceries")
    rows.row(JOINT, "2025-04-04", 42_00, "REF 4")

    assert _doubts(rows) == []


def test_a_rejected_pair_is_no_question(rows: Statement) -> None:
    """The person has said so already."""
    out = rows.row(CHECKING, "2025-03-03", -730_00, "REF 88123 LM")
    into = rows.row(JOINT, "2025-03-04", 730_00, "77 QX")

    assert _doubts(rows, rejected={(out, into)}) == []


def test_rows_near_enough_for_a_fee_are_found_without_their_texts() -> None:
    """Exactly those rows that lie within days and a fee of one on another account, at any scale."""
    dice = Random(7)
    start = date(2024, 12, 20)
    rows = []
    for number in range(1, 600):
        when = start + timedelta(dice.randrange(40))
        amount = dice.randrange(100_00, 140_00) * dice.choice((1, -1))
        rows.append((number, dice.randrange(3), int(f"{when:%Y%m%d}"), amount))

    def ordinal(day: int) -> int:
        return date(day // 10000, day // 100 % 100, day % 100).toordinal()

    expected = {
        number
        for out in rows
        for into in rows
        if out[3] < 0 < into[3]
        and out[1] != into[1]
        and -1 <= ordinal(into[2]) - ordinal(out[2]) <= 4
        and 0 < -out[3] - into[3] <= max(-0.03 * out[3], min(-0.15 * out[3], 50_00))
        for number in (out[0], into[0])
    }
    assert expected
    assert within_fee_of_another(rows, dict.fromkeys(range(3), "USD")) == expected


def _day(place: int) -> int:
    return int(f"{date(2026, 2, 20) + timedelta(place):%Y%m%d}")


def _looked_through(
    ours: list[repetition.DatedAmount], theirs: list[repetition.DatedAmount]
) -> list[tuple[int, int]]:
    """The same by looking at every pair, the nearest first."""
    near = sorted(
        (abs(ORDINAL[day] - ORDINAL[other_day]), one, other)
        for one, (day, amount) in enumerate(ours)
        for other, (other_day, other_amount) in enumerate(theirs)
        if amount == other_amount
        and abs(ORDINAL[day] - ORDINAL[other_day]) <= repetition.DAYS_APART
    )
    found: list[tuple[int, int]] = []
    for _, one, other in near:
        if all(one != taken and other != other_taken for taken, other_taken in found):
            found.append((one, other))
    return found


dated = st.lists(st.tuples(st.integers(0, 12).map(_day), st.integers(1, 3)), max_size=25)


@example(ours=[(_day(5), 1)], theirs=[(_day(6), 1), (_day(4), 1)])
@example(ours=[(_day(5), 1)], theirs=[(_day(4), 1), (_day(6), 1)])
@given(ours=dated, theirs=dated)
def test_the_nearest_pair_first(
    ours: list[repetition.DatedAmount], theirs: list[repetition.DatedAmount]
) -> None:
    """Pairs are those that looking through all of them finds, in that order."""
    assert repetition.pair_nearest(ours, theirs) == _looked_through(ours, theirs)


def _crowd(size: int) -> Callable[[], object]:
    """Pairing rows of one amount within nine days, so many on either side."""
    ours = [(_day(place % 7), -2_90) for place in range(size)]
    theirs = [(_day(place % 7 + 2), -2_90) for place in range(size)]
    return partial(repetition.pair_nearest, ours, theirs)


def test_equal_rows_take_steps_by_their_number() -> None:
    """Of rows all alike four times as many take about four times the steps, not sixteen."""
    assert growth(_crowd, 500) < 5


BOUNDS = [("a", 20260901), ("a", 20260930), ("b", 20260901), ("b", 20260930)]


def _copy(number: int, day: int, origin: str, **more: Any) -> Copy:
    values = {"account": 1, "amount": -120_00, "payee": 1, "raw": "PLUMBER", "seen_in": frozenset()}
    return Copy(number=number, day=20260900 + day, origin=origin, **{**values, **more})


def _found(*copies: Copy) -> list[tuple[int, int]]:
    """What is found among copies in two sources that both cover September."""
    bounds = [
        Copy(100 + place, 1, day, place, 9, "BOUND", origin, frozenset())
        for place, (origin, day) in enumerate(BOUNDS)
    ]
    return _numbers_found([*copies, *bounds], _spans([*copies, *bounds]))


def _numbers_found(
    copies: Sequence[Copy], spans: Mapping[int, Mapping[RowOrigin, OriginDays]]
) -> list[tuple[int, int]]:
    return [(one.number, other.number) for one, other in likely_duplicate_rows(copies, spans)]


def _spans(copies: Sequence[Copy]) -> dict[int, dict[RowOrigin, OriginDays]]:
    """The days on which each account has rows of each origin."""
    days: dict[int, dict[RowOrigin, list[int]]] = {}
    for copy in copies:
        for origin in (copy.origin, *copy.seen_in):
            days.setdefault(copy.account, {}).setdefault(origin, []).append(copy.day)
    return {
        account: {origin: (min(listed), max(listed)) for origin, listed in of_account.items()}
        for account, of_account in days.items()
    }


def _pairs_looked_through(copies: Sequence[Copy]) -> list[tuple[int, int]]:
    """Rows that may be one, the nearest first, each in one pair at most, by looking at each two."""
    spans, found = _spans(copies), list[tuple[int, int]]()
    ordered = sorted(copies, key=lambda copy: (copy.account, copy.amount, copy.day, copy.number))
    near = [
        (second.day - first.day, first.number, second.number)
        for first, second in combinations(ordered, 2)
        if (first.account, first.amount) == (second.account, second.amount)
        and second.day - first.day <= 3
        and (first.payee == second.payee or first.raw == second.raw)
        and first.origin not in {second.origin, *second.seen_in}
        and second.origin not in first.seen_in
        and all(
            spans[copy.account][origin][0] <= copy.day <= spans[copy.account][origin][1]
            for copy in (first, second)
            for origin in (first.origin, second.origin)
        )
    ]
    for _, one, other in sorted(near, key=lambda pair: pair[0]):
        if {one, other}.isdisjoint(number for pair in found for number in pair):
            found.append((min(one, other), max(one, other)))
    return sorted(found)


_copies = st.lists(
    st.builds(
        partial(_copy, 0),
        st.integers(1, 14),
        st.sampled_from("abc"),
        account=st.integers(1, 2),
        amount=st.integers(1, 2),
        payee=st.integers(1, 2),
        raw=st.sampled_from(["PLUMBER", "DENTIST"]),
        seen_in=st.frozensets(st.sampled_from("abc"), max_size=1),
    ),
    max_size=20,
).map(lambda drawn: [copy._replace(number=place) for place, copy in enumerate(drawn)])


@given(copies=_copies)
def test_pairs_are_those_that_looking_at_each_two_finds(copies: list[Copy]) -> None:
    """Rows of days that one origin alone covers may be left out: they are in no pair."""
    spans, expected = _spans(copies), _pairs_looked_through(copies)
    assert _numbers_found(copies, spans) == expected
    asked = [
        copy
        for copy in copies
        for since, until in days_of_several(spans[copy.account].values())
        if since <= copy.day <= until
    ]
    assert _numbers_found(asked, spans) == expected


@given(spans=st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)).map(sorted).map(tuple)))
def test_days_of_several_spans_are_told_once(spans: list[OriginDays]) -> None:
    """Each day that two spans cover is in one of the answers, in order; no other day is."""
    told = [day for since, until in days_of_several(spans) for day in range(since, until + 1)]
    assert told == [
        day for day in range(1, 21) if sum(since <= day <= until for since, until in spans) > 1
    ]


def test_a_row_dated_differently_by_two_sources() -> None:
    """One gives the day of booking, the other that of value."""
    assert _found(_copy(1, 5, "a"), _copy(2, 7, "b")) == [(1, 2)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (_copy(1, 5, "a"), _copy(2, 5, "a")),
        (_copy(1, 5, "a"), _copy(2, 9, "b")),
        (_copy(1, 5, "a"), _copy(2, 6, "b", amount=-121_00)),
        (_copy(1, 5, "a"), _copy(2, 6, "b", account=2)),
        (_copy(1, 5, "a", seen_in=frozenset({"b"})), _copy(2, 6, "b")),
        (_copy(1, 5, "a"), _copy(2, 6, "b", payee=2, raw="DENTIST")),
        (_copy(1, 5, "a"), _copy(2, 6, "c")),
    ],
    ids=["one source", "days apart", "amount", "account", "seen by both", "payee", "not covered"],
)
def test_what_is_no_copy(first: Copy, second: Copy) -> None:
    """Each condition alone is enough to leave two rows alone."""
    assert _found(first, second) == []


def test_a_row_is_in_one_pair_and_the_nearest_win() -> None:
    """Of three like rows the two nearest are asked about."""
    assert _found(_copy(1, 5, "a"), _copy(2, 8, "b"), _copy(3, 9, "a")) == [(2, 3)]


@pytest.mark.parametrize(
    ("day", "amount", "payee", "found"),
    [
        (5, -20_00, 1, True),
        (6, -27_00, 1, True),
        (6, -27_01, 1, False),
        (6, -19_99, 1, False),
        (13, -20_00, 1, False),
        (4, -20_00, 1, False),
        (6, -20_00, 2, False),
    ],
)
def test_a_pending_charge_that_posted(day: int, amount: int, payee: int, found: bool) -> None:
    """Up to a week later, as large or up to 35 % larger, at the same payee."""
    pending = PendingCharge(7, 1, 20260905, -20_00, 1)
    posted = _copy(1, day, "a", amount=amount, payee=payee)
    assert bool(likely_posted_pending([pending], [posted])) is found


def test_the_nearest_day_then_the_payee() -> None:
    """A row is another one of its amount up to three days apart."""
    present = {
        1: repetition.ComparedRow(1, 20260610, -500),
        2: repetition.ComparedRow(2, 20260611, -500),
    }
    assert repetition.joined_rows({"a": repetition.ComparedRow(9, 20260611, -500)}, present) == {
        "a": 2
    }
    assert repetition.joined_rows({"a": repetition.ComparedRow(9, 20260607, -500)}, present) == {
        "a": 1
    }
    assert repetition.joined_rows({"a": repetition.ComparedRow(9, 20260606, -500)}, present) == {}
    assert repetition.joined_rows({"a": repetition.ComparedRow(9, 20260610, -501)}, present) == {}
    twins = {
        1: repetition.ComparedRow(1, 20260610, -500),
        2: repetition.ComparedRow(2, 20260610, -500),
    }
    assert repetition.joined_rows({"a": repetition.ComparedRow(2, 20260610, -500)}, twins) == {
        "a": 2
    }


_listed = st.lists(
    st.builds(
        repetition.ComparedRow,
        st.integers(1, 2),
        st.integers(20260601, 20260612),
        st.sampled_from([-5, -6]),
    ),
    max_size=8,
)


@given(_listed, _listed)
def test_a_repeat_in_a_list_stays_two(
    listed: list[repetition.ComparedRow], there: list[repetition.ComparedRow]
) -> None:
    """No row is two, amounts agree, and equal rows of a day pair up as far as both sides have them."""
    found = repetition.joined_rows(dict(enumerate(listed)), dict(enumerate(there)))
    assert len(set(found.values())) == len(found)
    assert all(listed[one].amount == there[other].amount for one, other in found.items())
    for row in listed:
        same = [one for one, each in enumerate(listed) if each[1:] == row[1:]]
        others = [each for each in there if each[1:] == row[1:]]
        assert sum(one in found for one in same) >= min(len(same), len(others))


CAFE, HOTEL = 1, 2


def _waits(
    name: str, amount: int, day: int = 20260610, payee: int = CAFE, *, listed: bool = False
) -> repetition.WaitingCharge:
    return repetition.WaitingCharge(name, payee, day, amount, listed)


def _posted(
    name: str, amount: int, day: int = 20260611, payee: int = CAFE
) -> repetition.NewlyPosted:
    return repetition.NewlyPosted(name, payee, day, amount)


def _of(waiting: list[repetition.WaitingCharge], *posted: repetition.NewlyPosted) -> dict[str, str]:
    return {name: row.external_id for name, row in repetition.claimed(waiting, posted).items()}


def test_an_equal_row_is_the_pending_one_for_eight_days() -> None:
    """From its own day to the eighth after it, and neither before nor later."""
    for day, found in ((20260609, {}), (20260610, {"p": "t"}), (20260618, {"p": "t"})):
        assert _of([_waits("p", -500)], _posted("t", -500, day)) == found
    assert _of([_waits("p", -500)], _posted("t", -500, 20260619)) == {}
    assert _of([_waits("p", -500)], _posted("t", -501)) == {"p": "t"}  # A tip of a cent.
    assert _of([_waits("p", 500)], _posted("t", 500)) == {"p": "t"}


def test_the_same_payee_then_what_is_gone_then_the_nearest() -> None:
    """Of several equal ones the likest is meant."""
    row = _posted("t", -500)
    assert _of([_waits("a", -500, payee=HOTEL), _waits("b", -500)], row) == {"b": "t"}
    assert _of([_waits("a", -500, listed=True), _waits("b", -500, 20260606)], row) == {"b": "t"}
    assert _of([_waits("a", -500, 20260606), _waits("b", -500)], row) == {"b": "t"}


def test_another_payee_counts_only_where_the_bank_lists_the_hold_no_more() -> None:
    """A hold that is still there and of another payee is another charge."""
    row = _posted("t", -500)
    assert _of([_waits("p", -500, payee=HOTEL)], row) == {"p": "t"}
    assert _of([_waits("p", -500, payee=HOTEL, listed=True)], row) == {}


def test_equal_rows_are_claimed_one_by_one() -> None:
    """Two coffees are two: each posted row takes one pending row."""
    waiting = [_waits("a", -500, 20260609), _waits("b", -500)]
    assert _of(waiting, _posted("t", -500)) == {"b": "t"}
    assert set(_of(waiting, _posted("t", -500), _posted("u", -500))) == {"a", "b"}


def test_a_tip_is_up_to_thirty_hundredths_within_three_days() -> None:
    """A restaurant's charge grows on its way; one that grows more, or later, is another."""
    for amount, day, found in (
        (-1300, 20260610, {"p": "t"}),
        (-1301, 20260610, {}),
        (-1001, 20260613, {"p": "t"}),
        (-1001, 20260614, {}),
        (-999, 20260611, {}),
    ):
        assert _of([_waits("p", -1000)], _posted("t", amount, day)) == found
    assert _of([_waits("p", -1000, payee=HOTEL)], _posted("t", -1100)) == {}
    assert _of([_waits("p", -1000, listed=True)], _posted("t", -1100)) == {}
    assert _of([_waits("p", 1000)], _posted("t", 1100)) == {}


def test_a_tip_that_may_be_anothers_is_nobodys() -> None:
    """Where two fit on either side, all stay."""
    assert _of([_waits("a", -1000), _waits("b", -1010)], _posted("t", -1100)) == {}
    assert _of([_waits("a", -1000)], _posted("t", -1100), _posted("u", -1101)) == {}
    assert _of([_waits("a", -1000), _waits("b", -1100)], _posted("t", -1100)) == {"b": "t"}


_waiting_and_posted = st.lists(
    st.tuples(
        st.integers(1, 3), st.integers(20260601, 20260615), st.sampled_from([-500, -600, 700])
    ),
    max_size=8,
)


@given(_waiting_and_posted, _waiting_and_posted, st.integers(0, 255))
def test_no_row_is_claimed_twice(
    held: list[tuple[int, int, int]], new: list[tuple[int, int, int]], listed: int
) -> None:
    """Each pending row becomes one posted row at most, and each posted row was one at most."""
    waiting = [
        repetition.WaitingCharge(f"p{place}", *row, listed=bool(listed >> place & 1))
        for place, row in enumerate(held)
    ]
    posted = [repetition.NewlyPosted(f"t{place}", *row) for place, row in enumerate(new)]
    found = repetition.claimed(waiting, posted)
    taken = [row.external_id for row in found.values()]
    assert len(taken) == len(set(taken))
    assert set(found) <= {each.external_id for each in waiting}


def _rows_a_day(
    count: int, *, first: int = 0, cents: int = 0, shift: int = 0
) -> list[repetition.DatedAmount]:
    """A row a day of ever other amounts; `cents` makes them those of another account."""
    return [(_day(place + shift), -100 * place - cents) for place in range(first, first + count)]


def test_common_days_are_those_that_both_cover() -> None:
    """Rows before the later beginning and after the earlier end are not compared."""
    seen = repetition.count_repeated(_rows_a_day(20), _rows_a_day(20, first=12))
    assert seen == repetition.Repetition(8, 8, 8, 0, 8, 8, _day(12), _day(19))
    assert repetition.count_repeated(
        _rows_a_day(5), _rows_a_day(5, first=5)
    ) == repetition.Repetition(since=_day(5), until=_day(4))
    assert repetition.count_repeated([], _rows_a_day(5)) == repetition.Repetition()


@pytest.mark.parametrize(("shift", "near"), [(1, 17), (3, 13), (4, 0)])
def test_days_may_be_three_apart(shift: int, near: int) -> None:
    """Equal amounts pair over three days at most, also across the end of a month."""
    whole = [*_rows_a_day(1, cents=7), *_rows_a_day(18), *_rows_a_day(1, first=18, cents=7)]
    seen = repetition.count_repeated(whole, _rows_a_day(18, shift=shift))
    assert (seen.same, seen.near) == (0, near)


def test_a_row_pairs_once() -> None:
    """Two rows of one side never pair with one row of the other."""
    ours = [(_day(1), -5), (_day(1), -5), (_day(2), -5), (_day(9), -1)]
    seen = repetition.count_repeated(ours, [(_day(1), -5), (_day(3), -5), (_day(9), -1)])
    assert (seen.same, seen.near, seen.shared) == (2, 1, 3)


@pytest.mark.parametrize(
    ("seen", "likely"),
    [
        (repetition.Repetition(3, 3, same=3, amounts=3, all_amounts=3), True),
        (repetition.Repetition(3, 3, same=3, amounts=2, all_amounts=2), False),
        (repetition.Repetition(2, 2, same=2, amounts=3, all_amounts=3), False),
        (repetition.Repetition(10, 16, same=8, amounts=3, all_amounts=3), True),
        (repetition.Repetition(10, 16, same=7, amounts=3, all_amounts=3), False),
        (repetition.Repetition(10, 17, same=8, amounts=3, all_amounts=3), False),
        (repetition.Repetition(17, 10, same=8, amounts=3, all_amounts=3), False),
        (repetition.Repetition(10, 10, same=2, near=6, amounts=2, all_amounts=6), True),
        (repetition.Repetition(10, 10, same=2, near=6, amounts=2, all_amounts=5), False),
        (repetition.Repetition(10, 10, same=2, near=5, amounts=2, all_amounts=6), False),
    ],
)
def test_what_is_likely(seen: repetition.Repetition, likely: bool) -> None:
    """Three rows and amounts, four fifths of the fewer, half of the more; six amounts for other days."""
    assert seen.is_likely == likely


@pytest.mark.parametrize(
    ("seen", "nearly"),
    [
        (repetition.Repetition(20, 20, same=19, all_amounts=6), True),
        (repetition.Repetition(20, 20, same=10, near=9, all_amounts=6), True),
        (repetition.Repetition(20, 20, same=18, all_amounts=6), False),
        (repetition.Repetition(19, 21, same=19, all_amounts=6), False),
        (repetition.Repetition(20, 20, same=20, all_amounts=5), False),
    ],
)
def test_what_is_nearly_all(seen: repetition.Repetition, nearly: bool) -> None:
    """Nineteen of twenty rows of the side that has more, and six amounts."""
    assert seen.is_nearly_all == nearly


dated_alike = st.lists(st.tuples(st.integers(0, 40).map(_day), st.integers(1, 4)), max_size=40)


@given(ours=dated_alike, theirs=dated_alike)
def test_both_sides_see_the_same(
    ours: list[repetition.DatedAmount], theirs: list[repetition.DatedAmount]
) -> None:
    """Which side is ours changes nothing, no row pairs twice, and equal sides share every row."""
    seen, back = repetition.count_repeated(ours, theirs), repetition.count_repeated(theirs, ours)
    assert (seen.same, seen.near, seen.amounts) == (back.same, back.near, back.amounts)
    assert seen.shared <= min(seen.ours, seen.theirs)
    whole = repetition.count_repeated(ours, ours)
    assert (whole.same, whole.near) == (len(ours), 0)


ROWS_OF_MAY = tuple((20260500 + day, -100 * day) for day in range(1, 21))
OTHERS = tuple((20260500 + day, -77 * day) for day in range(1, 21))


def _signs(name: str = "Checking", **more: object) -> AccountSigns:
    values = {
        "name": name,
        "mask": None,
        "kind": None,
        "currency": "USD",
        "institution": "Harbour Bank",
        "balance": None,
        **more,
    }
    return AccountSigns(**values)  # type: ignore[arg-type]


def _one(told: AccountSigns, held: AccountSigns, *, relinked: bool) -> bool:
    return same_accounts({"new": told}, {7: held}, relinked=relinked) == {"new": 7}


@pytest.mark.parametrize(
    ("told", "held", "is_one"),
    [
        (_signs("Checking"), _signs("checking "), True),
        (_signs("Checking"), _signs("Savings"), False),
        (_signs("Checking"), _signs("Checking", currency="EUR"), False),
        (_signs("Checking", mask="1111"), _signs("Checking", mask="2222"), False),
        (_signs("A", mask="1111"), _signs("B", mask="1111"), True),
        (_signs("A", kind="credit"), _signs("A", kind="depository"), False),
        (_signs("A", institution="X"), _signs("A"), False),
        (_signs("A", institution="X", balance=5), _signs("A", balance=5), True),
        (_signs("A", institution="X", balance=5), _signs("A", balance=6), False),
        (_signs("A", institution="X", balance=0), _signs("A", balance=0), False),
        (_signs("A", rows=ROWS_OF_MAY), _signs("B", rows=ROWS_OF_MAY), True),
        (_signs("A", rows=ROWS_OF_MAY), _signs("B", rows=OTHERS), False),
    ],
)
def test_the_same_bank_knows_its_accounts_by_name_number_balance_or_rows(
    told: AccountSigns, held: AccountSigns, is_one: bool
) -> None:
    """After a relink; nothing that speaks against it may be there."""
    assert _one(told, held, relinked=True) == is_one


@pytest.mark.parametrize(
    ("told", "held", "is_one"),
    [
        (_signs("A", rows=ROWS_OF_MAY), _signs("A", rows=ROWS_OF_MAY), True),
        (_signs("A"), _signs("A"), False),
        (_signs("A", mask="1111"), _signs("B", mask="1111"), True),
        (_signs("A", mask="1111", institution="Other"), _signs("B", mask="1111"), False),
        (_signs("A", mask="1111", institution="The Bank"), _signs("B", mask="1111"), False),
        (_signs("A", mask="1111", institution=None), _signs("B", mask="1111"), False),
        (_signs("A", mask="1111", rows=OTHERS), _signs("B", mask="1111", rows=ROWS_OF_MAY), False),
        (
            _signs("A", mask="1111", rows=ROWS_OF_MAY[:15]),
            _signs("B", mask="1111", rows=ROWS_OF_MAY),
            True,
        ),
    ],
)
def test_an_account_of_files_is_one_by_its_rows_or_place_and_number(
    told: AccountSigns, held: AccountSigns, is_one: bool
) -> None:
    """A name alone says nothing; rows that differ say more than a number."""
    assert _one(told, held, relinked=False) == is_one


def test_what_two_may_be_is_neither() -> None:
    """Two that are alike on one side leave both open; a number then settles what a name does not."""
    twins = {1: _signs("Savings"), 2: _signs("Savings")}
    assert same_accounts({"a": _signs("Savings")}, twins, relinked=True) == {}
    assert (
        same_accounts(
            {"a": _signs("Savings"), "b": _signs("Savings")}, {1: twins[1]}, relinked=True
        )
        == {}
    )
    told = {"a": _signs("Savings", mask="1111"), "b": _signs("Savings", mask="2222")}
    held = {1: _signs("Savings", mask="2222"), 2: _signs("Savings", mask="1111")}
    assert same_accounts(told, held, relinked=True) == {"a": 2, "b": 1}


DAYS = [20260301 + day for day in range(31)]
ROWS = st.lists(st.tuples(st.sampled_from(DAYS), st.integers(-500, 500)), min_size=2, max_size=40)

Rows = Sequence[tuple[int, int]]


def stretch(rows: Rows, begun: int) -> Stretch:
    """What a file says that has some rows and begins with a balance."""
    days = sorted(day for day, _ in rows)
    last = days[-1]
    return Stretch(
        [Interval(days[0], last, since_stated=False, until_stated=False)],
        [(last, begun + sum(amount for _, amount in rows))],
        lambda after, until: sum(amount for day, amount in rows if after < day <= until),
    )


def halves(rows: Rows, day: int) -> tuple[Rows, Rows]:
    """The rows up to a day, and those after it."""
    return [row for row in rows if row[0] <= day], [row for row in rows if row[0] > day]


@given(ROWS, st.sampled_from(DAYS), st.integers(-1000, 1000), st.integers(-3, 3))
def test_two_halves_go_on_and_nothing_else_does(rows: Rows, day: int, begun: int, off: int) -> None:
    """Halves of one account go on unless the balance between is zero; a balance that is off does not."""
    before, after = halves(rows, day)
    if not before or not after:
        return
    between = begun + sum(amount for _, amount in before)
    one, other = stretch(before, begun), stretch(after, between + off)
    assert balance_goes_on(one, other) == (off == 0 and between != 0)
    assert balance_goes_on(other, one) == balance_goes_on(one, other)


def test_days_in_common_show_nothing() -> None:
    """Where two files share days beyond one, equal sums are chance."""
    one = stretch([(20260301, 5), (20260310, 7)], 100)
    touching = stretch([(20260310, 0), (20260312, 3)], 112)
    within = stretch([(20260309, 0), (20260312, 3)], 112)
    assert balance_goes_on(one, touching)
    assert not balance_goes_on(one, within)
    assert not balance_goes_on(one, stretch([(20260310, 0)], 112))


def test_without_rows_or_balances_nothing_goes_on() -> None:
    """A file without days or without a balance shows nothing, and is no error."""
    known = stretch([(20260301, 5), (20260310, 7)], 100)
    later = stretch([(20260311, 5)], 112)
    nothing = Stretch([], [], later.moved)
    assert balance_goes_on(known, later)
    assert not balance_goes_on(known, nothing)
    assert not balance_goes_on(Stretch(known.intervals, [], known.moved), later)
    assert not balance_goes_on(known, Stretch(later.intervals, [], later.moved))


def _covers(*days: tuple[int, int]) -> list[Interval]:
    return [Interval(*each) for each in days]


@given(ROWS, st.sampled_from(DAYS), st.sampled_from(DAYS))
def test_parts_of_one_account_never_speak_against_it(rows: Rows, first: int, last: int) -> None:
    """Two files of one account, each with all rows of its days, agree on the days of both."""
    ours, _ = halves(rows, last)
    theirs = [row for row in rows if row[0] >= first]
    for left, right in ((ours, theirs), (theirs, ours)):
        if left and right:
            spans = [_covers((min(side)[0], max(side)[0])) for side in (left, right)]
            common = [
                [row for row in side if min(other)[0] <= row[0] <= max(other)[0]]
                for side, other in ((left, right), (right, left))
            ]
            assert not speak_against(common[0], spans[0], common[1], spans[1])


@given(ROWS)
def test_what_one_side_alone_has_outweighs_what_both_have(rows: Rows) -> None:
    """A side without any row on days that it covers speaks against it; its first and last day do not."""
    whole = _covers((20260301, 20260331))
    within = sum(20260301 < day < 20260331 for day, _ in rows)
    for ours, theirs in (([], rows), (rows, [])):
        assert speak_against(ours, whole, theirs, whole) == (within > 0)
    half = rows[: len(rows) // 2]
    alone = Counter(rows) - Counter(half)
    missing = sum(20260301 < day < 20260331 for day, _ in alone.elements())
    assert speak_against(half, whole, rows, whole) == (missing > len(half))
    assert not speak_against(half, _covers((20260101, 20260131)), rows, whole) or missing > len(
        half
    )
