"""Counting requests in fixed windows of a minute, in memory of a bounded size."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

WINDOW = 60.0
"""How long a window is, in seconds; it begins with the first request that is counted in it."""

MOST_WINDOWS = 10_000
"""How many windows are kept apart; whoever comes while they are all taken shares one more."""


@dataclass(frozen=True, slots=True)
class Quota:
    """What is left of a limit after a request was counted; `reset` is in whole seconds from now."""

    limit: int
    remaining: int
    reset: int
    exceeded: bool = False


@dataclass(slots=True)
class _Window:
    ends: float
    count: int = 0


@dataclass(slots=True)
class Windows:
    """A window for each key that was seen in the last minute, the oldest first."""

    clock: Callable[[], float] = time.monotonic
    most: int = MOST_WINDOWS
    _open: OrderedDict[Hashable, _Window] = field(default_factory=OrderedDict)
    _shared: _Window = field(default_factory=lambda: _Window(0.0))

    def count(self, key: Hashable, limit: int) -> Quota:
        """Count a request; the one after `limit` of them in a window has exceeded it."""
        now = self.clock()
        window = self._window(key, now)
        window.count += 1
        return _quota(window, limit, now, exceeded=window.count > limit)

    def look(self, key: Hashable, limit: int) -> Quota:
        """What `count` would find before it counts."""
        now = self.clock()
        window = self._open.get(key)
        if window is None or window.ends <= now:
            window = _Window(now + WINDOW)
        return _quota(window, limit, now, exceeded=False)

    def _window(self, key: Hashable, now: float) -> _Window:
        self._close_ended(now)
        window = self._open.get(key)
        if window is None and len(self._open) < self.most:
            window = self._open[key] = _Window(now + WINDOW)
        if window is not None:
            return window
        if self._shared.ends <= now:
            self._shared = _Window(now + WINDOW)
        return self._shared

    def _close_ended(self, now: float) -> None:
        # All windows are equally long, so they end in the order in which they were opened.
        while self._open:
            key, oldest = next(iter(self._open.items()))
            if oldest.ends > now:
                return
            del self._open[key]


def _quota(window: _Window, limit: int, now: float, *, exceeded: bool) -> Quota:
    return Quota(
        limit=limit,
        remaining=max(0, limit - window.count),
        # Subtracting what was added may be a hair off.
        reset=min(math.ceil(WINDOW), max(1, math.ceil(window.ends - now))),
        exceeded=exceeded,
    )
