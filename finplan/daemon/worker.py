"""`python -m finplan.daemon.worker STORE`: does computations for the daemon, one after another.

A message is eight bytes that tell a length, then as many bytes of pickle: a computation comes in on
standard input, and what it answered or raised goes out on standard output, after the byte `BEGUN`. The
worker ends when its input does, so that it never outlives its daemon.
"""

import gc
import os
import pickle
import resource
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from finplan.daemon.memory import give_back, spare_the_collector, trim
from finplan.store.derived import DerivedCache, share
from finplan.store.engine import reading_engine
from finplan.store.offload import Answer, Computation, ReadDoor

LENGTH = struct.Struct("!Q")
"""How long the pickle is that follows."""

LOOKS_EVERY = 1.0
"""How often a worker looks whether its daemon is there, in seconds."""

LIVE_OBJECTS = 1_000_000
"""How many more objects than before there are when one is looked through for cycles after all."""

MEMORY = 192 * 1024 * 1024
"""How much more than a worker has already a bounded computation may take, in bytes."""

HOUSEHOLDS = 512 * 1024 * 1024
"""For how many bytes of households a worker has room; it ends when nothing is asked for a while."""

BEGUN = b"+"
"""Sent once a computation has arrived: a worker that ends before it has done nothing of it."""


def main() -> None:
    """Do what is sent until nothing more can come."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever is printed on the way must not land between the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    engine = reading_engine(Path(sys.argv[1]), 1)
    share(DerivedCache(HOUSEHOLDS), engine)
    reader = ReadDoor(engine)
    spare_the_collector()
    # A computation keeps what it makes or drops it whole, so that there are next to no cycles meanwhile.
    gc.set_threshold(LIVE_OBJECTS)
    for computation in _computations(sys.stdin.buffer):
        try:
            answers.write(BEGUN)
            answers.flush()
            answers.write(_answered(computation, reader))
            answers.flush()
        except BrokenPipeError:
            # The daemon was killed. Whatever ends in order would try to write what is left once more.
            os._exit(1)
        del computation
        # With its connection go the pages that SQLite has read of the store.
        engine.dispose()
        gc.collect(0)
        trim()


def _end_with(daemon: int) -> None:
    """End when the daemon has ended, also in the middle of a computation."""
    while os.getppid() == daemon:
        time.sleep(LOOKS_EVERY)
    os._exit(1)


def frame_message(message: object) -> bytes:
    """A message as it is sent."""
    content = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(content)) + content


def apply_bounded(_reader: ReadDoor, work: Callable[[], Answer]) -> Answer:
    """Do work within `MEMORY` more than there is. Raises MemoryError."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_data_size() + MEMORY, before[1]))
    try:
        return work()
    except MemoryError:
        # Its traceback would hold what took the memory.
        raise MemoryError from None
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)
        give_back()


def _data_size() -> int:
    """How much private memory this process has asked for, in bytes; nothing where no one tells."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[5])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def _computations(source: BinaryIO) -> Iterator[Computation[Any]]:
    # A daemon that is killed may leave a part of a message.
    while len(header := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(header)
        try:
            computation = _read_computation(source, length)
        except EOFError:
            return
        yield computation
        del computation


def _read_computation(source: BinaryIO, length: int) -> Computation[Any]:
    """The computation of a message, which itself is not kept. Raises EOFError."""
    if len(content := source.read(length)) < length:
        raise EOFError
    # The other end of this pipe is the daemon that started this process.
    return cast("Computation[Any]", pickle.loads(content))  # noqa: S301


def _answered(computation: Computation[Any], reader: ReadDoor) -> bytes:
    done = _done(computation, reader)
    try:
        return frame_message(done)
    except Exception as error:  # noqa: BLE001 - an answer that cannot be sent must not end a worker.
        return frame_message(
            (False, RuntimeError(f"The result of the computation cannot be sent: {error!r}"))
        )


def _done(computation: Computation[Any], reader: ReadDoor) -> tuple[bool, object]:
    """Whether the computation came to its end, and what it answered, else what it raised."""
    try:
        return True, computation(reader)
    except Exception as error:  # noqa: BLE001 - whatever it is, the daemon raises it.
        # A traceback cannot be sent, but its text can.
        error.add_note("In the worker:\n" + "".join(traceback.format_tb(error.__traceback__)))
        return False, error


if __name__ == "__main__":
    main()
