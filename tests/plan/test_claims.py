"""Which pending rows newly posted rows are: equal ones first, then tips, nothing where it is open."""

from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.pairing.repetition import NewlyPosted, WaitingCharge, claimed

CAFE, HOTEL = 1, 2


def _waits(
    name: str, amount: int, day: int = 20260610, payee: int = CAFE, *, listed: bool = False
) -> WaitingCharge:
    return WaitingCharge(name, payee, day, amount, listed)


def _posted(name: str, amount: int, day: int = 20260611, payee: int = CAFE) -> NewlyPosted:
    return NewlyPosted(name, payee, day, amount)


def _of(waiting: list[WaitingCharge], *posted: NewlyPosted) -> dict[str, str]:
    return {name: row.external_id for name, row in claimed(waiting, posted).items()}


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


_rows = st.lists(
    st.tuples(
        st.integers(1, 3), st.integers(20260601, 20260615), st.sampled_from([-500, -600, 700])
    ),
    max_size=8,
)


@given(_rows, _rows, st.integers(0, 255))
def test_no_row_is_claimed_twice(
    held: list[tuple[int, int, int]], new: list[tuple[int, int, int]], listed: int
) -> None:
    """Each pending row becomes one posted row at most, and each posted row was one at most."""
    waiting = [
        WaitingCharge(f"p{place}", *row, listed=bool(listed >> place & 1))
        for place, row in enumerate(held)
    ]
    posted = [NewlyPosted(f"t{place}", *row) for place, row in enumerate(new)]
    found = claimed(waiting, posted)
    taken = [row.external_id for row in found.values()]
    assert len(taken) == len(set(taken))
    assert set(found) <= {each.external_id for each in waiting}
