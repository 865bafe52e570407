"""Counting in fixed windows, of a minute unless told otherwise, in memory of a bounded size."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

WINDOW = 60.0
"""How long a window is unless told otherwise, in seconds; it begins with what is counted first in it."""

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
    """A window of `length` seconds for each key that was seen in the last one, the oldest first."""

    clock: Callable[[], float] = time.monotonic
    most: int = MOST_WINDOWS
    length: float = WINDOW
    _open: OrderedDict[Hashable, _Window] = field(default_factory=OrderedDict)
    _shared: _Window = field(default_factory=lambda: _Window(0.0))

    def count(self, key: Hashable, limit: int) -> Quota:
        """Count a request; the one after `limit` of them in a window has exceeded it."""
        now = self.clock()
        window = self._window(key, now)
        window.count += 1
        return self._quota(window, limit, now, exceeded=window.count > limit)

    def take_back(self, key: Hashable) -> None:
        """Undo one count of a key in its window; what a shared window counted stays."""
        window = self._open.get(key)
        if window is not None and window.count > 0:
            window.count -= 1

    def look(self, key: Hashable, limit: int) -> Quota:
        """What `count` would find before it counts."""
        now = self.clock()
        window = self._open.get(key)
        if window is None or window.ends <= now:
            window = _Window(now + self.length)
        return self._quota(window, limit, now, exceeded=False)

    def _window(self, key: Hashable, now: float) -> _Window:
        self._close_ended(now)
        window = self._open.get(key)
        if window is None and len(self._open) < self.most:
            window = self._open[key] = _Window(now + self.length)
        if window is not None:
            return window
        if self._shared.ends <= now:
            self._shared = _Window(now + self.length)
        return self._shared

    def _close_ended(self, now: float) -> None:
        # All windows are equally long, so they end in the order in which they were opened.
        while self._open:
            key, oldest = next(iter(self._open.items()))
            if oldest.ends > now:
                return
            del self._open[key]

    def _quota(self, window: _Window, limit: int, now: float, *, exceeded: bool) -> Quota:
        return Quota(
            limit=limit,
            remaining=max(0, limit - window.count),
            # Subtracting what was added may be a hair off.
            reset=min(math.ceil(self.length), max(1, math.ceil(window.ends - now))),
            exceeded=exceeded,
        )
