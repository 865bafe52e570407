"""How far a SimpleFIN connection was read: nothing that was left to be asked for is forgotten."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from finplan.banks.simplefin.bank import LATE, WINDOW, Older, ReadSoFar, read_progress

TODAY = date(2026, 6, 15)


def _ago(days: int) -> date:
    return TODAY - timedelta(days=days)


OLDER = st.none() | st.builds(
    lambda until, deep, accounts: Older(
        _ago(until),
        None if deep is None else _ago(until + deep),
        accounts=tuple(sorted(accounts)),
    ),
    st.integers(1, 200),
    st.none() | st.integers(1, 300),
    st.sets(st.sampled_from("abc")),
)
READ = st.dictionaries(st.sampled_from("abc"), st.integers(0, 400).map(_ago))
SOME = st.sets(st.sampled_from("abcd"))


@given(accounts=READ, older=OLDER, listed=SOME, troubled=SOME, partly=SOME)
def test_what_was_left_is_asked_for_still(
    accounts: dict[str, date],
    older: Older | None,
    listed: set[str],
    troubled: set[str],
    partly: set[str],
) -> None:
    """What is left after a newest window reaches as far, and for as many, as what was left before."""
    before = ReadSoFar(accounts, _ago(1), older)
    after = before.after_newest(TODAY, listed, troubled, partly)
    assert read_progress(after.write()) == after
    if older is not None:
        left = after.older
        assert left is not None
        assert left.until >= older.until
        assert left.down_to is None or (older.down_to and left.down_to <= older.down_to)
        assert not left.accounts or (older.accounts and {*older.accounts} <= {*left.accounts})


@given(accounts=READ, older=OLDER, listed=SOME, troubled=SOME, partly=SOME)
def test_every_day_of_an_account_is_read_or_left(
    accounts: dict[str, date],
    older: Older | None,
    listed: set[str],
    troubled: set[str],
    partly: set[str],
) -> None:
    """Of a listed account without trouble, the days from its last one to the window are left to ask for.

    One that is new has all its past left; one in trouble stays where it was; one that was partly read is
    asked for the whole window again.
    """
    before = ReadSoFar(accounts, _ago(1), older)
    since = before.window_since(TODAY)
    after = before.after_newest(TODAY, listed, troubled, partly)
    for each in listed - troubled:
        left = after.older
        is_left = left is not None and (not left.accounts or each in left.accounts)
        if each not in accounts:
            assert is_left
            assert left is not None
            assert (left.down_to, left.until >= since) == (None, True)
        elif accounts[each] - timedelta(days=LATE) < since:
            assert left is not None
            assert left.down_to is None or left.down_to <= accounts[each] - timedelta(days=LATE)
        if each in partly:
            assert after.window_since(TODAY) <= since
        else:
            assert after.accounts[each] == TODAY
    for each in accounts.keys() - (listed - troubled):
        assert after.accounts[each] == accounts[each]


@given(accounts=READ, older=OLDER, lost=SOME)
def test_an_older_window_with_a_hole_is_asked_for_again(
    accounts: dict[str, date], older: Older | None, lost: set[str]
) -> None:
    """An account of which it lacks something is as one that was never read; the others stay."""
    older = older or Older(_ago(WINDOW))
    before = ReadSoFar(accounts, TODAY, older)
    asked = set(older.accounts) or set(accounts)
    after = before.after_older(older, lost, found=True)
    assert set(after.accounts) == set(accounts) - (asked & lost)
    nameless = before.after_older(older, {"", *lost}, found=True)
    assert set(nameless.accounts) == set(accounts) - asked


def test_a_history_that_is_being_read_goes_on_beyond_a_gap() -> None:
    """Where the past has no end yet, a gap that is to be filled gives it none."""
    filled = ReadSoFar({"a": _ago(70)}, _ago(1), Older(_ago(60)))
    after = filled.after_newest(TODAY, ["a"], [])
    assert after.older is not None
    assert after.older.down_to is None
    ended = ReadSoFar({"a": _ago(70)}, _ago(1), Older(_ago(60), _ago(200)))
    after = ended.after_newest(TODAY, ["a"], [])
    assert after.older is not None
    assert after.older.down_to == _ago(200)


def test_an_account_that_is_new_takes_no_others_past() -> None:
    """While the past of all is left, it stays that of all; while that of some is, a new one joins."""
    of_all = ReadSoFar({"a": _ago(1)}, _ago(1), Older(_ago(60)))
    after = of_all.after_newest(TODAY, ["a", "d"], [])
    assert after.older is not None
    assert after.older.accounts == ()
    of_some = ReadSoFar({"a": _ago(1), "b": _ago(1)}, _ago(1), Older(_ago(60), accounts=("b",)))
    after = of_some.after_newest(TODAY, ["a", "b", "d"], [])
    assert after.older is not None
    assert set(after.older.accounts) == {"b", "d"}
