"""Long computations are done by processes that come when needed and go when nothing is to be done."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from finplan.daemon.worker import MEMORY, frame_message
from finplan.daemon.workers import MOST, WorkerEnded, Workers
from finplan.model.errors import BankProviderError, NotFound
from finplan.service.people import ensure_owner
from finplan.store.queries import people
from finplan.store.store import Store
from tests.daemon import computations
from tests.patience import LONG_ENOUGH

pytestmark = pytest.mark.thorough


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """A store of one person, whose large computations are done by workers."""
    database = tmp_path / "finplan.db"
    workers = Workers(database)
    opened = Store.open(database, tmp_path / "backups", workers)
    await ensure_owner(opened, "ada", 0)
    yield opened
    await workers.rest()
    opened.close()


@pytest.fixture
async def workers(store: Store) -> AsyncIterator[Workers]:
    """Workers on the store; the test ends them."""
    made = Workers(store.path)
    yield made
    await made.rest()


async def wait_until(holds: Callable[[], bool]) -> None:
    """Look until something holds, for as long as anybody would wait."""
    async with asyncio.timeout(LONG_ENOUGH):
        while not holds():  # noqa: ASYNC110 - another process cannot set an event.
            await asyncio.sleep(0.01)


def lives(pid: int) -> bool:
    """Whether a process is there, and more than a name that nobody has asked after yet."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_a_large_study_is_done_elsewhere_and_a_small_one_here(store: Store) -> None:
    """Both read the same store, the large one in a process of its own."""
    here, people = await store.offload(computations.process_and_people, large=False)
    elsewhere, as_many = await store.offload(computations.process_and_people, large=True)

    assert here == os.getpid() != elsewhere
    assert people == as_many == 1


async def test_a_worker_does_the_next_study_too(workers: Workers) -> None:
    """It is started once, and stays until there is rest."""
    first, _ = await workers.run(computations.process_and_people)
    second, _ = await workers.run(computations.process_and_people)
    assert first == second
    assert lives(first)

    await workers.rest()
    assert not lives(first)

    third, _ = await workers.run(computations.process_and_people)
    assert third != first


async def test_a_large_household_is_read_once_for_several_questions(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions that are asked at once find what the first one has read, until something changes."""
    monkeypatch.setattr("finplan.store.store.LARGE_STORE", 0)
    ask = computations.readings_of_household
    first, *others = await asyncio.gather(*(store.compute(ask) for _ in range(3)))

    def change(connection: Connection) -> None:
        people.change_person(connection, 1, {"monthly_income": 3000_00})
        people.raise_generation(connection, 1, rows=False)

    await store.write(change)
    later = await store.compute(ask)

    pid = first[0]
    assert pid != os.getpid()
    assert (first, others) == ((pid, 1, None), [(pid, 0, None)] * 2)
    assert later == (pid, 1, 3000_00)


async def test_households_of_two_people_do_not_wait_for_each_other(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One person's long question leaves the other worker to the next person."""
    monkeypatch.setattr("finplan.store.store.LARGE_STORE", 0)
    note = tmp_path / "note"
    long = asyncio.create_task(store.compute(partial(computations.stay_with, path=note), "ada"))
    await wait_until(lambda: note.exists() and bool(note.read_text()))

    pid, *_ = await store.compute(computations.readings_of_household, "bob")

    assert str(pid) != note.read_text()
    long.cancel()
    await asyncio.gather(long, return_exceptions=True)


async def test_nothing_of_a_household_stays_once_it_is_to_be_forgotten(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers that wait end at once, and one that works does when it has answered."""
    monkeypatch.setattr("finplan.store.store.LARGE_STORE", 0)
    note = tmp_path / "note"
    work = asyncio.create_task(store.compute(partial(computations.wait_for, path=note), "ada"))
    await wait_until(note.with_suffix(".begun").exists)
    idle, *_ = await store.compute(computations.readings_of_household, "bob")
    await store.forget()
    note.touch()
    busy = await work
    later, *_ = await store.compute(computations.readings_of_household)

    assert not lives(idle)
    assert not lives(busy)
    assert later not in {idle, busy}


async def test_studies_are_done_at_once_up_to_a_number(workers: Workers, tmp_path: Path) -> None:
    """Two that take long do not wait for each other; one more waits for a place."""
    notes = [tmp_path / str(number) for number in range(MOST + 1)]
    running = [
        asyncio.create_task(workers.run(partial(computations.say_and_stay, path=note)))
        for note in notes
    ]
    await wait_until(lambda: all(note.exists() and note.read_text() for note in notes[:MOST]))
    assert not notes[MOST].exists()

    running[0].cancel()
    await wait_until(notes[MOST].exists)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def test_what_a_study_raises_is_raised_here(workers: Workers) -> None:
    """A fault keeps its sentence and its data, and tells where in the worker it was raised."""
    with pytest.raises(NotFound, match="no such thing") as caught:
        await workers.run(computations.find_nothing)

    assert caught.value.data == {"near": ["thong"]}
    assert "find_nothing" in "".join(caught.value.__notes__)


async def test_a_study_cannot_write(store: Store) -> None:
    """Neither in a thread nor in a process of its own."""
    for large in (False, True):
        with pytest.raises(OperationalError, match="readonly"):
            await store.offload(computations.write, large=large)


async def test_what_a_study_prints_harms_nothing(workers: Workers) -> None:
    """The answers come over standard output, where a print would land among them."""
    assert await workers.run(computations.chatter) == "answered"
    assert await workers.run(computations.chatter) == "answered"


async def test_what_a_study_needed_goes_back_to_the_system(workers: Workers) -> None:
    """Also from below something that stays, where the C library would keep it."""
    before = await workers.run(computations.memory)
    await workers.run(partial(computations.leave_behind, size=64 * 2**20))
    assert await workers.run(computations.memory) - before < 16 * 2**20


async def test_bounded_work_takes_no_more_memory_than_it_may(workers: Workers) -> None:
    """What takes more is refused, the process goes on, and computations have no such bound."""
    take = partial(computations.take_memory, 2 * MEMORY)
    with pytest.raises(MemoryError):
        await workers.run_bounded(take)
    assert await workers.run_bounded(partial(computations.take_memory, MEMORY // 2)) == MEMORY // 2
    assert await workers.run(partial(computations.on_a_store, work=take)) == 2 * MEMORY


async def test_bounded_work_takes_no_longer_than_it_may(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes longer is ended with its process, and the next work has another one."""
    with monkeypatch.context() as patch:
        patch.setattr("finplan.daemon.workers.LONGEST_BOUNDED", 0.1)
        with pytest.raises(TimeoutError):
            await workers.run_bounded(computations.take_forever)
    assert await workers.run_bounded(partial(computations.take_memory, 1)) == 1


async def test_a_worker_that_is_killed_is_told_and_replaced(workers: Workers) -> None:
    """Its computation fails with a sentence; the next one has a new process."""
    before, _ = await workers.run(computations.process_and_people)
    with pytest.raises(WorkerEnded, match="code -9"):
        await workers.run(computations.die)

    after, _ = await workers.run(computations.process_and_people)
    assert after != before


async def test_a_worker_that_ends_while_idle_is_not_asked(workers: Workers) -> None:
    """The system may end a process at any time; the next computation is not lost, however soon."""
    pid, _ = await workers.run(computations.process_and_people)
    os.kill(pid, signal.SIGKILL)

    again, _ = await workers.run(computations.process_and_people)
    assert again != pid


async def test_a_study_that_nobody_waits_for_is_ended(workers: Workers, tmp_path: Path) -> None:
    """When the request is given up, its process ends at once."""
    note = tmp_path / "note"
    running = asyncio.create_task(workers.run(partial(computations.say_and_stay, path=note)))
    await wait_until(lambda: note.exists() and bool(note.read_text()))
    pid = int(note.read_text())

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not lives(pid)


async def test_a_study_given_up_while_it_answers_is_ended(workers: Workers) -> None:
    """A process that still has a lot to say ends, and its place is free again."""
    for _ in range(MOST + 1):
        await workers.run(computations.chatter)
        (process,) = workers._idle
        assert process.stdout is not None
        running = asyncio.create_task(workers.run(computations.answer_a_lot))
        await wait_until(lambda known=process: known.stdout.at_eof() or known.stdout._buffer)  # type: ignore[misc]
        running.cancel()
        async with asyncio.timeout(LONG_ENOUGH):
            await asyncio.gather(running, return_exceptions=True)
    assert await workers.run(computations.chatter) == "answered"


async def test_an_answer_that_cannot_be_sent_is_told(workers: Workers) -> None:
    """The worker says so and lives on."""
    with pytest.raises(RuntimeError, match="cannot be sent"):
        await workers.run(computations.answer_the_unspeakable)
    assert len(workers._idle) == 1


async def test_long_studies_leave_a_place_for_others(workers: Workers, tmp_path: Path) -> None:
    """However many long ones are asked for, a short one is done at once."""
    running = [
        asyncio.create_task(
            workers.run(partial(computations.say_and_stay, path=tmp_path / str(number)), long=True)
        )
        for number in range(MOST + 1)
    ]
    async with asyncio.timeout(LONG_ENOUGH):
        assert await workers.run(computations.chatter) == "answered"
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


AT_WORK = """
import asyncio, sys; from functools import partial; from pathlib import Path
from finplan.daemon.workers import Workers; from tests.daemon import computations
async def main():
    workers = Workers(Path(sys.argv[1]))
    print((await workers.run(computations.process_and_people))[0], flush=True)
    if len(sys.argv) > 2:
        await workers.run(partial(computations.say_and_stay, path=Path(sys.argv[2])))
    await asyncio.sleep(600)
asyncio.run(main())
"""
"""A daemon with a worker, which is told of one more thing to do where a note is named."""


@pytest.mark.parametrize("busy", [False, True])
async def test_a_worker_does_not_outlive_its_daemon(
    store: Store, tmp_path: Path, busy: bool
) -> None:
    """Killed without a word, the daemon leaves no process behind, be it at work or not."""
    note = tmp_path / "note"
    daemon = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", AT_WORK, str(store.path), *([str(note)] if busy else [])),
        stdout=asyncio.subprocess.PIPE,
    )
    assert daemon.stdout is not None
    pid = int(await daemon.stdout.readline())
    assert lives(pid)
    if busy:
        await wait_until(lambda: note.exists() and bool(note.read_text()))

    daemon.kill()
    await daemon.wait()
    await wait_until(lambda: not lives(pid))


@pytest.mark.parametrize("sent", ["nothing", "half a length", "half", "whole"])
def test_a_worker_whose_daemon_was_killed_goes_without_a_word(store: Store, sent: str) -> None:
    """Whatever was on its way in or out, it ends by itself and writes no traceback."""
    message = frame_message(computations.process_and_people)
    length = {"nothing": 0, "half a length": 4, "half": len(message) - 1, "whole": len(message)}
    reading, writing = os.pipe()
    # Nobody reads what it answers.
    os.close(reading)
    with subprocess.Popen(
        [sys.executable, "-m", "finplan.daemon.worker", str(store.path)],
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
    ) as worker:
        os.close(writing)
        _, said = worker.communicate(message[: length[sent]], timeout=LONG_ENOUGH)

    assert said == b""
    assert worker.returncode == (1 if sent == "whole" else 0)


async def test_a_signal_to_the_daemons_group_is_not_for_workers(
    workers: Workers, tmp_path: Path
) -> None:
    """Ctrl-C and service managers tell the whole group; it goes on until the daemon ends it."""
    note = tmp_path / "note"
    running = asyncio.create_task(workers.run(partial(computations.say_and_stay, path=note)))
    await wait_until(lambda: note.exists() and bool(note.read_text()))
    pid = int(note.read_text())

    assert os.getpgid(pid) == pid != os.getpgid(0)

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_banks_failure_is_raised_here_too(workers: Workers) -> None:
    """It says more than a sentence, and all of it arrives."""
    with pytest.raises(BankProviderError, match="bank is away") as caught:
        await workers.run(computations.ask_a_bank)

    assert caught.value.data == {"provider": "demo", "code": "rate_limited"}
    assert caught.value.failure == "rate_limited"
