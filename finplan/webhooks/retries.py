"""When a delivery is tried again, and when it has failed for good. Instants are in milliseconds."""

from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

_SECOND = 1000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR

DELAYS = (
    *(5 * _SECOND, 5 * _MINUTE, 30 * _MINUTE),
    *(hours * _HOUR for hours in (2, 5, 10, 14, 20, 24)),
)
"""How long after each attempt that failed the next one is made."""

ATTEMPTS = len(DELAYS) + 1
JITTER = 0.1
"""By how much of itself a delay is longer at most, so that not all is tried at one moment."""

LONGEST_RETRY_AFTER = 7 * _DAY
"""For how long a receiver may put the next attempt off."""

LONGEST_PAUSE = int(max(DELAYS) * (1 + JITTER))
"""How long a delivery waits for its next attempt at most, unless its receiver asks for more time."""

DISABLED_AFTER = 5 * _DAY
"""A webhook whose every attempt failed for so long is disabled."""

LONGEST_GAP = LONGEST_PAUSE + _HOUR
"""How far apart two failures are at most that tell of the time between them: the longest pause of the
schedule, and an hour for an attempt that waits for its turn and for an answer."""

GONE = 410
_DIGITS = 10


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of one attempt: the receiver's status, or the sentence that says why there is none.

    `retry_after` is when the receiver wants to be asked again, if it told so.
    """

    status: int | None
    error: str | None = None
    retry_after: int | None = None

    @property
    def arrived(self) -> bool:
        """Whether the receiver took it: any status from 200 to 299."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Whether the receiver wants nothing any more."""
        return self.status == GONE


def next_attempt(attempts: int, ended: int, retry_after: int | None, luck: float) -> int | None:
    """When a delivery is tried again after so many attempts, the last of which ended now.

    None after the last one. `luck` is at random from 0 to 1. A receiver that wants to wait longer is
    waited for.
    """
    if attempts >= ATTEMPTS:
        return None
    delay = DELAYS[attempts - 1]
    due = ended + delay + int(delay * JITTER * luck)
    return max(due, put_off(ended, retry_after))


def put_off(ended: int, retry_after: int | None) -> int:
    """Until when a receiver wants to be asked nothing after an attempt that ended now."""
    return ended if retry_after is None else min(retry_after, ended + LONGEST_RETRY_AFTER)


def failing_since(since: int | None, last: int | None, ended: int) -> int:
    """Since when a webhook fails whose attempt has failed now, and whose last failure was another.

    Anew after a longer gap than the schedule makes, or once the clock was set: nothing was tried then.
    """
    if since is None or last is None or abs(ended - last) > LONGEST_GAP:
        return ended
    return since


def is_failing_for_good(failing_since: int, now: int) -> bool:
    """Whether a webhook has failed for so long that it is disabled."""
    return now - failing_since >= DISABLED_AFTER


def read_retry_after(value: str | None, now: int) -> int | None:
    """The instant that a Retry-After header names, as seconds from now or a date; None without one."""
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        # However many digits a receiver sends, no number of them is worked out.
        return now + _SECOND * int(value[:_DIGITS])
    try:
        named = parsedate_to_datetime(value)
        if named.tzinfo is None:
            named = named.replace(tzinfo=UTC)
        return int(named.timestamp() * 1000)
    except (ValueError, OverflowError):
        # A year or a time zone may be any number.
        return None
