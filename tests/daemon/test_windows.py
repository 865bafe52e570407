"""Windows: what is counted, when it is forgotten, and that it can never fill the memory."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from finplan.daemon.rate_limit import WINDOW, Quota, Windows


@dataclass
class Clock:
    """A clock that the test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_request_after_the_limit_has_exceeded_it() -> None:
    """Exactly `limit` requests fit; what is left goes down to zero and no further."""
    windows = Windows(Clock())

    seen = [windows.count("a", 3) for _ in range(5)]

    assert [quota.remaining for quota in seen] == [2, 1, 0, 0, 0]
    assert [quota.exceeded for quota in seen] == [False, False, False, True, True]


def test_a_window_begins_with_its_first_request() -> None:
    """It ends a minute later whatever was asked meanwhile, and then everything is open again."""
    clock = Clock()
    windows = Windows(clock)

    assert windows.count("a", 1) == Quota(1, 0, 60)
    clock.now += 59.5
    assert windows.count("a", 1) == Quota(1, 0, 1, exceeded=True)
    clock.now += 0.5
    assert windows.count("a", 1) == Quota(1, 0, 60)


def test_each_key_has_its_own_window() -> None:
    """One who asks too much takes nothing from another."""
    windows = Windows(Clock())
    for _ in range(9):
        windows.count("greedy", 2)

    assert not windows.count("modest", 2).exceeded


def test_what_is_taken_back_was_never_counted() -> None:
    """One count of the key goes, down to none; another key, and one that was never seen, keep theirs."""
    windows = Windows(Clock())
    for key in ("a", "a", "b"):
        windows.count(key, 5)
    windows.take_back("a")
    windows.take_back("nobody")

    assert windows.look("a", 5).remaining == 4
    for _ in range(3):
        windows.take_back("a")
    assert [windows.look(key, 5).remaining for key in ("a", "b", "nobody")] == [5, 4, 5]


def test_what_the_shared_window_counted_stays() -> None:
    """Whoever shares a window takes nothing back of what others did in it."""
    windows = Windows(Clock(), most=0)
    windows.count("a", 1)
    windows.take_back("a")

    assert windows.count("a", 1).exceeded


def test_a_window_may_be_longer() -> None:
    """Of another length it ends then, and says so."""
    clock = Clock()
    windows = Windows(clock, most=1, length=900)

    assert windows.look("a", 1) == Quota(1, 1, 900)
    assert windows.count("a", 1) == Quota(1, 0, 900)
    assert windows.count("b", 1).reset == 900, "In the shared window, too."
    clock.now += 899
    assert windows.count("a", 1).exceeded
    assert windows.count("b", 1).exceeded
    clock.now += 1
    assert not windows.count("b", 1).exceeded
    assert not windows.count("a", 1).exceeded


def test_looking_counts_nothing() -> None:
    """A look tells what is left, of a window that was opened and of one that was not."""
    clock = Clock()
    windows = Windows(clock)
    windows.count("a", 5)
    clock.now += 20

    assert windows.look("a", 5) == windows.look("a", 5) == Quota(5, 4, 40)
    assert windows.look("b", 5) == Quota(5, 5, 60)


def test_no_flood_of_keys_fills_the_memory() -> None:
    """Beyond the bound newcomers share one window; who was there first keeps theirs."""
    clock = Clock()
    windows = Windows(clock, most=10)
    windows.count("first", 2)

    newcomers = [windows.count(f"k{number}", 2) for number in range(1000)]

    assert len(windows._open) == 10
    assert newcomers[-1].exceeded
    assert not windows.count("first", 2).exceeded
    clock.now += WINDOW
    assert not windows.count("k999", 2).exceeded
    assert len(windows._open) == 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 30)), max_size=60))
def test_no_key_ever_gets_more_than_its_limit_in_a_window(steps: list[tuple[str, float]]) -> None:
    """Between two openings of a key's window at most `limit` requests pass, and all ends are near."""
    clock = Clock()
    windows = Windows(clock)
    passed: dict[str, list[float]] = {}
    for key, pause in steps:
        clock.now += pause
        quota = windows.count(key, 2)
        assert 1 <= quota.reset <= WINDOW
        if quota.remaining == 1:
            passed[key] = []
        if not quota.exceeded:
            passed[key].append(clock.now)
            assert len(passed[key]) <= 2
