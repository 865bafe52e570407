"""The daemon's workers: a few processes for long studies, started when needed, ended at rest.

A plan over a large ledger and a large file keep Python busy for seconds. In a process of their own they
hold up no request, and their memory goes back to the system with the process.
"""

import asyncio
import logging
import pickle
import sys
from pathlib import Path
from typing import cast

import finplan
from finplan.daemon.worker import LENGTH, framed
from finplan.store.study import Answer, Study

MOST = 2
"""How many studies are done at once; the next one waits."""

log = logging.getLogger(__name__)


class WorkerEnded(Exception):
    """A worker process ended before its study did."""


class Workers:
    """Up to `MOST` worker processes on one store."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._places = asyncio.Semaphore(MOST)
        self._idle: list[asyncio.subprocess.Process] = []

    async def run(self, study: Study[Answer]) -> Answer:
        """Do a study in a worker; answers or raises what it does, WorkerEnded if the process ends.

        When nobody waits for the answer any more, the process is ended.
        """
        async with self._places:
            process = await self._take()
            try:
                ok, answer = await _ask(process, study)
            except BaseException:
                await _end(process)
                raise
            self._idle.append(process)
        if not ok:
            raise cast("Exception", answer)
        return cast("Answer", answer)

    async def rest(self) -> None:
        """End the workers that have nothing to do."""
        while self._idle:
            await _end(self._idle.pop())

    async def _take(self) -> asyncio.subprocess.Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
        log.info("Starting a worker.")
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "finplan.daemon.worker", str(self._database.absolute())),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # From here `-m` finds the very package that is running now.
            cwd=Path(finplan.__file__).parent.parent,
        )


async def _ask(process: asyncio.subprocess.Process, study: Study[Answer]) -> tuple[bool, object]:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(framed(study))
        await process.stdin.drain()
        (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
        content = await process.stdout.readexactly(length)
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        code = await process.wait()
        raise WorkerEnded(f"A worker process ended with code {code} during its work.") from error
    # The other end of this pipe is a process that this daemon started.
    return cast("tuple[bool, object]", pickle.loads(content))  # noqa: S301


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.wait()
