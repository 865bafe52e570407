"""The daemon's workers: a few processes for long computations, started when needed, ended at rest.

A plan over a large ledger and a large file keep Python busy for seconds. In a process of their own they
hold up no request, and their memory goes back to the system with the process.
"""

import asyncio
import logging
import pickle
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import cast

import finplan
from finplan.daemon.worker import BEGUN, LENGTH, apply_bounded, frame_message
from finplan.store.offload import Answer, Computation, ReadDoor

MOST = 2
"""How many computations are done at once; the next one waits."""

LONGEST_BOUNDED = 30.0
"""How long work may take that is bounded, in seconds; the largest that is allowed takes five."""

log = logging.getLogger(__name__)


class WorkerEnded(Exception):
    """A worker process ended before its computation did."""


Process = asyncio.subprocess.Process


class Workers:
    """Up to `MOST` worker processes on one store, and one more where a transaction needs it."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._loop: asyncio.AbstractEventLoop | None = None
        self._place_of_transactions = asyncio.Semaphore(1)
        self._places = asyncio.Semaphore(MOST)
        self._places_of_long = asyncio.Semaphore(MOST - 1)
        self._place_of_bounded = asyncio.Semaphore(1)
        self._idle: list[Process] = []
        self._forgotten = 0

    async def run(self, computation: Computation[Answer], *, long: bool = False) -> Answer:
        """Do a computation in a worker; answers or raises what it does, WorkerEnded if the process ends.

        `long` ones never take the last place, so that others need not wait for minutes. When nobody
        waits for the answer any more, the process is ended.
        """
        async with self._places_of_long if long else nullcontext(), self._places:
            return cast("Answer", await self._run(frame_message(computation)))

    async def run_bounded(self, work: Callable[[], Answer]) -> Answer:
        """Do work that reads no store in a worker that may take so much memory and time, and no more.

        Raises MemoryError, TimeoutError, or WorkerEnded. One is done at once, so that what comes from
        outside never takes the place of a computation.
        """
        message = await asyncio.to_thread(frame_message, partial(apply_bounded, work=work))
        async with self._place_of_bounded, asyncio.timeout(LONGEST_BOUNDED):
            return cast("Answer", await self._run(message))

    def attend(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on do what transactions ask for, by this loop."""
        self._loop = loop

    def apply(self, work: Callable[[], Answer]) -> Answer:
        """Do in a worker what reads no store, for a transaction's thread, which waits for it.

        Everybody else who writes waits with it, so that it never waits for the computations of others;
        and where the process ends, it is done here.
        """
        assert self._loop is not None, "No loop attends to what transactions ask for."
        message = frame_message(partial(_apply, work=work))
        future = asyncio.run_coroutine_threadsafe(self._run_for_transaction(message), self._loop)
        try:
            return cast("Answer", future.result())
        except (WorkerEnded, OSError) as ended:
            log.warning("No worker took it; computing in the background service instead: %s", ended)
            return work()

    async def rest(self) -> None:
        """End the workers that have nothing to do."""
        while self._idle:
            await _end(self._idle.pop())

    async def forget(self) -> None:
        """Let no worker keep what it has read: those at work end when they have answered."""
        self._forgotten += 1
        await self.rest()

    async def _run_for_transaction(self, message: bytes) -> object:
        async with self._place_of_transactions:
            return await self._run(message)

    async def _run(self, message: bytes) -> object:
        """Have a worker do what a message tells; answers or raises what it does."""
        begun = self._forgotten
        process = await self._begin(message)
        ok, answer = await _answer(process)
        if begun == self._forgotten:
            self._idle.append(process)
        else:
            await _end(process)
        try:
            if not ok:
                raise cast("Exception", answer)
            return answer
        finally:
            # A frame that names what it raises is kept by it, and the message with both.
            del answer

    async def _begin(self, message: bytes) -> Process:
        """A worker that has begun with a computation: an idle one, or a new one."""
        while self._idle:
            process = self._idle.pop()
            # The system may end a process at any time, and is slow to tell.
            with suppress(WorkerEnded):
                await _hand_over(process, message)
                return process
        process = await self._start()
        await _hand_over(process, message)
        return process

    async def _start(self) -> Process:
        log.info("Starting a worker.")
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "finplan.daemon.worker", str(self._database.absolute())),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # What is sent to the daemon's group, such as Ctrl-C, is for the daemon: it ends its workers.
            process_group=0,
            # From here `-m` finds the very package that is running now.
            cwd=Path(finplan.__file__).parent.parent,
        )


def _apply(_reader: ReadDoor, work: Callable[[], object]) -> object:
    return work()


async def _hand_over(process: Process, message: bytes) -> None:
    assert process.stdin is not None
    async with _ending(process):
        process.stdin.write(message)
        await process.stdin.drain()
        await _read(process, len(BEGUN))


async def _answer(process: Process) -> tuple[bool, object]:
    async with _ending(process):
        (length,) = LENGTH.unpack(await _read(process, LENGTH.size))
        content = await _read(process, length)
        # Thousands of payees take a while to unpickle, in which requests come.
        return cast("tuple[bool, object]", await asyncio.to_thread(_unpickled, content))


def _unpickled(content: bytes) -> object:
    # The other end of this pipe is a process that this daemon started.
    return pickle.loads(content)  # noqa: S301


async def _read(process: Process, length: int) -> bytes:
    assert process.stdout is not None
    return await process.stdout.readexactly(length)


@asynccontextmanager
async def _ending(process: Process) -> AsyncIterator[None]:
    """Whatever goes wrong with a process, it is ended; that it ended by itself is a WorkerEnded."""
    try:
        yield
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        code = await process.wait()
        raise WorkerEnded(f"A worker process ended with code {code} during its work.") from error
    except BaseException:
        await _end(process)
        raise


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
    # A process has ended only when all that it had written is read.
    await process.communicate()
