"""Waiting out the rate limit: what was refused as too much is asked again when the daemon says.

Such a refusal comes before anything is done, so whatever was asked may be asked again.
"""

from collections.abc import Callable, Mapping
from http import HTTPStatus

Say = Callable[[str], None]
"""Told in a sentence what a person may wonder about."""

WORTH_A_WORD = 2
"""From how many seconds on a wait is told."""


def say_nothing(_sentence: str) -> None:
    """For where nobody reads along."""


def pause_before_again(status: int, headers: Mapping[str, str], say: Say) -> int | None:
    """How long to wait before the same is asked again, in seconds; a long wait is told.

    None where it was not refused as too much, or nothing says when there will be room.
    """
    if status != HTTPStatus.TOO_MANY_REQUESTS:
        return None
    told = (headers.get(name, "") for name in ("retry-after", "ratelimit-reset"))
    pause = next((int(text) for text in told if text.isdecimal()), None)
    if pause is not None and pause >= WORTH_A_WORD:
        limit = headers.get("ratelimit-limit", "no more")
        say(f"The daemon answers {limit} requests a minute; this goes on in {pause} seconds.")
    return pause
