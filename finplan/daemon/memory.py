"""The daemon's memory: it is given back when nothing is asked, and the collector is left to rest.

A large import or plan needs tens of megabytes for a moment. SQLite and the C library would keep them
for a next time that may never come.
"""

import asyncio
import ctypes
import gc
from collections.abc import Awaitable, Callable

PAUSE = 10.0
"""How long nothing is asked until memory is given back, in seconds."""

COLLECTION_THRESHOLDS = (20_000, 20, 20)
"""How many objects appear until Python's garbage collector looks for cycles among them."""

_M_ARENA_MAX = -8
"""The number of this parameter in glibc's malloc.h."""


def share_one_arena() -> None:
    """Let all threads allocate from one place; else each keeps what it once needed (glibc).

    To be called before the first thread starts.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_ARENA_MAX, 1)


def spare_the_collector() -> None:
    """Keep the garbage collector off what was loaded at start, and let it look less often.

    An answer may be made of thousands of small objects. By Python's defaults a few such answers send
    the collector over everything there is, which takes longer than they do.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTION_THRESHOLDS)


async def rest_when_idle(
    answered: asyncio.Event, free: Callable[[], Awaitable[None]], pause: float = PAUSE
) -> None:
    """Rest once after each busy time, for ever; `answered` is set whenever the daemon answers."""
    while True:
        await answered.wait()
        while answered.is_set():
            answered.clear()
            await asyncio.sleep(pause)
        await free()
        await asyncio.to_thread(give_back)


def give_back() -> None:
    """Give free memory back to the system, what only refers to itself included.

    The C library keeps it otherwise (glibc).
    """
    gc.collect()
    trim()


def trim() -> None:
    """Give what the C library holds and nobody uses back to the system (glibc)."""
    malloc_trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if malloc_trim is not None:
        malloc_trim(0)
