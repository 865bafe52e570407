"""The cache of derived state finds a value in its own state alone, and never exceeds its room.

What is kept of a newer generation is never replaced by an older one's.
"""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from finplan.store.derived import DerivedCache, State, cache_of
from finplan.store.store import Store

STATE = State(1, 5, date(2026, 3, 18))
ROOM = 30_000

STATES = st.builds(
    State,
    st.integers(1, 2),
    st.integers(1, 3),
    st.sampled_from([date(2026, 3, 18), date(2026, 3, 19)]),
)
ENTRIES = st.tuples(STATES, st.integers(0, 4), st.integers(0, 9000))


@given(st.lists(ENTRIES))
def test_what_is_found_is_what_was_kept_last(entries: list[tuple[State, int, int]]) -> None:
    """A value is found in just the state that it was kept in, and the room is never exceeded."""
    cache = DerivedCache(ROOM)
    last: dict[tuple[State, int], tuple[State, int, int]] = {}
    for state, question, size in entries:
        last[state, question] = state, question, size
        cache.put(state, question, last[state, question], size)
        assert cache.taken <= ROOM

    for (state, question), value in last.items():
        assert cache.get(state, question) in (None, value)


def test_what_was_not_asked_for_the_longest_goes_first() -> None:
    """One that is asked for again and again stays, however many come after it."""
    cache = DerivedCache(ROOM)
    cache.put(STATE, "kept", "kept", 1000)
    cache.put(STATE, "dropped", "dropped", 1000)
    for number in range(20):
        cache.put(STATE, number, number, 1000)
        assert cache.get(STATE, "kept") == "kept"

    assert cache.get(STATE, "dropped") is None


def test_what_takes_half_of_the_room_is_not_kept() -> None:
    """One value drives out no many others; the older one of its question is gone all the same."""
    cache = DerivedCache(ROOM)
    cache.put(STATE, "question", "small", 10)
    cache.put(STATE._replace(generation=6), "question", "huge", ROOM // 2)

    assert cache.get(STATE._replace(generation=6), "question") is None
    assert cache.get(STATE, "question") is None
    assert cache.taken == 0


def test_an_older_value_takes_no_newer_ones_place() -> None:
    """Who read before a change, and is slow, takes nothing away from who read after it."""
    cache = DerivedCache(ROOM)
    cache.put(STATE, "question", "newer", 10)
    cache.put(STATE._replace(generation=4), "question", "older", 10)

    assert cache.get(STATE, "question") == "newer"


def test_cleared_it_takes_nothing() -> None:
    """Everything is given back."""
    cache = DerivedCache(ROOM)
    cache.put(STATE, "question", "value", 1000)
    assert cache.taken > 1000
    cache.clear()

    assert cache.taken == 0
    assert cache.get(STATE, "question") is None


async def test_only_what_computes_shares_the_cache(store: Store) -> None:
    """A writer, whose work may never come to be, finds nothing and leaves nothing; nor does a rest."""
    assert await store.compute(cache_of) is store.derived
    assert await store.write(cache_of) is not store.derived
    store.derived.put(STATE, "question", "value", 10)
    await store.rest()

    assert store.derived.taken == 0
    assert await store.compute(cache_of) is store.derived
