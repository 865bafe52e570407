"""How often a bank is asked unasked."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.connection import ConnectionStatus
from finplan.service.banking.sync import HOUR, LONGEST_PAUSE, next_try, rhythm_in_words

NOW = 1_790_000_000_000


@pytest.mark.parametrize(
    ("provider", "failures", "login_required", "hours"),
    [
        ("aggregator", 0, False, 12),
        ("demo", 0, False, 24),
        ("aggregator", 1, False, 0.5),
        ("aggregator", 2, False, 1),
        ("aggregator", 5, False, 8),
        ("aggregator", 6, False, 12),
        ("aggregator", 10**9, False, 12),
        ("demo", 2, False, 1),
        ("aggregator", 1, True, 72),
        ("aggregator", 40, True, 72),
    ],
)
def test_a_pause_is_as_documented(
    provider: str, failures: int, login_required: bool, hours: float
) -> None:
    """Twice a day; half an hour after a failure, and twice as long after each further one."""
    for now in range(NOW, NOW + 50):
        at = next_try("con_1", provider, now, failures=failures, login_required=login_required)
        assert at is not None
        assert 1 <= (at - now) / (hours * HOUR) < 1.1


MANUAL, DEMO, BANK = ("manual", "ok"), ("demo", "ok"), ("aggregator", "ok")
WAITING, BROKEN = ("aggregator", "login_required"), ("aggregator", "error")
OFTEN = "about every 12 hours for each bank; later after failures"


@pytest.mark.parametrize(
    ("linked", "said"),
    [
        ((), "not while no bank is linked"),
        ((MANUAL, MANUAL), "never: statement files are yours to import"),
        ((DEMO,), "about once a day for the demo household"),
        ((MANUAL, BANK), OFTEN),
        ((BROKEN,), OFTEN),
        ((BANK, WAITING), f"{OFTEN}, and where you have to sign in"),
        ((MANUAL, WAITING), "every three days until you sign in at the bank again"),
    ],
)
def test_each_is_told_what_is_so_for_their_banks(
    linked: tuple[tuple[str, ConnectionStatus], ...], said: str
) -> None:
    """Nobody reads of banks that are not theirs; where none is asked, the words say why."""
    assert rhythm_in_words(linked) == said


def test_statement_files_are_never_asked() -> None:
    """Nobody answers for a statement file."""
    assert next_try("con_1", "manual", NOW) is None


@given(st.text(), st.integers(0, 2**45), st.integers(0, 10**6), st.booleans())
def test_no_pause_is_longer_than_the_longest(
    connection: str, now: int, failures: int, login_required: bool
) -> None:
    """What lies further ahead than that was set under another clock."""
    at = next_try(connection, "x", now, failures=failures, login_required=login_required)
    assert at is not None
    assert now < at <= now + LONGEST_PAUSE


def test_banks_are_not_asked_all_at_once() -> None:
    """The pauses of a hundred banks that were synced at one instant spread over an hour and more."""
    found = {next_try(f"con_{no}", "aggregator", NOW) for no in range(100)}
    assert len(found) == 100
    times = sorted(each for each in found if each is not None)
    assert times[-1] - times[0] > HOUR
    assert max(b - a for a, b in pairwise(times)) < HOUR // 4
