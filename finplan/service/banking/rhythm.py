"""How often a bank is asked unasked: rarely enough for every aggregator, and more rarely in vain."""

from collections.abc import Iterable
from zlib import crc32

from finplan.model.connection import ConnectionStatus

HOUR = 3_600_000
"""In milliseconds, as all that is measured here."""

USUALLY = 12 * HOUR
"""After a sync that worked. Banks deliver once to four times a day, and aggregators end the access of
those who ask much more often."""

DEMO = 24 * HOUR
"""The demo household lives one day at a time."""

FIRST_RETRY = HOUR // 2
"""After the first failed try in a row; each further one doubles it, up to `USUALLY`."""

UNFINISHED = HOUR // 60
"""After a sync whose bank is still reading a history; each further one in a row doubles it, as above."""

LOGIN_REQUIRED = 72 * HOUR
"""While the bank waits for the person, who syncs once they have signed in there again."""

SPREAD = 0.1
"""By how much of its length a pause is stretched at most, so that not all come at once."""

LONGEST = int(LOGIN_REQUIRED * (1 + SPREAD))
"""No pause is longer; what lies further ahead was set under a clock that has been set back."""


def next_try(
    connection_id: str,
    provider: str,
    now: int,
    *,
    failures: int = 0,
    login_required: bool = False,
    unfinished: int = 0,
) -> int | None:
    """When a connection is synced by itself after a try at `now`, in ms; None for statement files.

    `failures` counts the failed tries in a row, this one included; 0 after one that brought something,
    and after a bank's word that it was asked too often. `unfinished` counts those in a row whose bank
    had more to come.
    """
    if provider == "manual":
        return None
    if unfinished and not failures and not login_required:
        pause = _doubled(UNFINISHED, unfinished)
    else:
        pause = _pause(provider, failures, login_required)
    return now + int(pause * (1 + SPREAD * _share(f"{connection_id} {now}")))


def said_of(linked: Iterable[tuple[str, ConnectionStatus]]) -> str:
    """How often somebody's banks are asked, in words, of providers and states; where none is, why."""
    banks = list(linked)
    if not banks:
        return "not while no bank is linked"
    states = [status for provider, status in banks if provider != "manual"]
    if not states:
        return "never: statement files are yours to import"
    if any(provider == "demo" for provider, _ in banks):
        return "about once a day for the demo household"
    waiting = [status == "login_required" for status in states]
    if all(waiting):
        return "every three days until you sign in at the bank again"
    often = "about every 12 hours for each bank; later after failures"
    return f"{often}, and where you have to sign in" if any(waiting) else often


def _pause(provider: str, failures: int, login_required: bool) -> int:
    if login_required:
        return LOGIN_REQUIRED
    if failures:
        return _doubled(FIRST_RETRY, failures)
    return DEMO if provider == "demo" else USUALLY


def _doubled(first: int, times: int) -> int:
    # The exponent is bounded, since a number of a million bits would be worked out otherwise.
    return min(first << min(times - 1, 20), USUALLY)


def _share(of: str) -> float:
    """A number from 0 up to 1 that follows from a text, as if thrown by dice."""
    return crc32(of.encode()) / 2**32
