"""Whether an account goes on in another file: what balances show, and what rows forbid."""

from collections import Counter
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.ledger.days import Interval
from finplan.plan.pairing.same_account import Stretch, balance_goes_on, speak_against

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
    of_one_day = stretch([(20260310, 0)], 112)
    assert not balance_goes_on(one, of_one_day)


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
