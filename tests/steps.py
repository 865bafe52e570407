"""How much work something is, counted and not timed: the same on a busy machine as on a quiet one."""

import gc
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """Count the lines of Python that `work` runs, in this thread and in those that it starts.

    Each turn of a loop counts anew. A loop within a function of C (a search in a list, a regular
    expression) is not seen.
    """
    taken = 0

    def count(_frame: FrameType, event: str, _what: Any) -> Any:
        nonlocal taken
        taken += event == "line"
        return count

    before, of_threads = sys.gettrace(), threading.gettrace()
    # A collection of garbage would run the last words (`__del__`) of what earlier tests left.
    collecting = gc.isenabled()
    gc.disable()
    sys.settrace(count)
    threading.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
        threading.settrace(of_threads)
        if collecting:
            gc.enable()
    return taken


def growth(work_of: Callable[[int], Callable[[], object]], size: int) -> float:
    """How many times as many steps the work of four times the size takes, after a first of `size`.

    About 4 where the steps grow with the size, 16 where they grow with its square. `work_of` makes
    ready what is not counted.
    """
    # What is read once and kept, such as tables of words, is no part of either.
    work_of(size)()
    return steps(work_of(4 * size)) / steps(work_of(size))
