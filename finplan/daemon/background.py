"""Run scheduled jobs and webhook deliveries for as long as the daemon runs.

The schedule looks for due jobs once a minute at least: after the machine has slept, a job that came due
meanwhile runs once. All it knows is in rows, so any number of daemons may look at one store.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from apscheduler.job import Job as ScheduledJob
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger
from sqlalchemy import Connection, RowMapping

from finplan.model.errors import Fault, StorageFull, StoreDamaged
from finplan.service.automation.agenda import corrections, settle
from finplan.service.automation.running import run_if_due
from finplan.service.context import Background, Context
from finplan.service.people import owner_of_the_machine
from finplan.service.webhooks.deliveries import DeliveryBook
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.setting_values import SettingsError
from finplan.store.queries import jobs as table
from finplan.store.sealing import Sealer
from finplan.store.store import Store
from finplan.webhooks.courier import Clock, Courier
from finplan.webhooks.sending import Sender, Vetting
from finplan.webhooks.signing import MessageKey

FIRST_LOOK = 30.0
"""How long after a start nothing is done unasked, in seconds: who started it wants an answer first."""

LONGEST_SLEEP, SHORTEST_SLEEP = 60.0, 1.0
"""How often it looks what is due: in seconds at the latest, and at the earliest."""

JOBS_AT_ONCE = 3
"""How many jobs of one daemon run at the same time."""

log = logging.getLogger(__name__)

ContextOf = Callable[[int], Context]
"""Makes the context in which a job is done for the person of a number."""


class WallClockScheduler(AsyncIOScheduler):  # type: ignore[misc]  # apscheduler has no types.
    """Wake once a minute at least, so that a clock set back delays no job for longer."""

    def _process_jobs(self) -> float:
        now = datetime.now(UTC)
        for job in self.get_jobs():
            # The scheduler would wait until the clock has reached that instant a second time.
            if job.next_run_time > now + timedelta(seconds=LONGEST_SLEEP):
                job.modify(next_run_time=now)
        pause: float | None = super()._process_jobs()
        return LONGEST_SLEEP if pause is None else min(pause, LONGEST_SLEEP)

    def _start_timer(self, wait_seconds: float | None) -> None:
        # A wakeup may still be on its way when the scheduler is shut down.
        if self._eventloop is not None:
            super()._start_timer(wait_seconds)


def _put_off(job: ScheduledJob, seconds: float) -> None:
    job.modify(next_run_time=datetime.now(UTC) + timedelta(seconds=seconds))


class _Agenda(NamedTuple):
    settled: bool
    due: list[RowMapping]
    next_at: int | None


@dataclass(slots=True)
class Schedule:
    """The jobs of one store, as far as this process does them; `worked` is called after each run."""

    store: Store
    context_of: ContextOf
    background: Background
    now: Callable[[], datetime]
    worked: Callable[[], None] = lambda: None
    _holder: str = field(default_factory=lambda: uuid4().hex)
    _running: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    _full: bool = False

    async def run(self, first_look: float = FIRST_LOOK) -> None:
        """Look each minute, when a job is due and after news, until this is canceled.

        For the `first_look` seconds only jobs that somebody asked for begin.
        """
        unasked_from = asyncio.get_running_loop().time() + first_look
        scheduler = WallClockScheduler(timezone=UTC)

        async def look_again() -> None:
            news, wait = self.background.news(), unasked_from - asyncio.get_running_loop().time()
            # The scheduler would log the look that its end cancels as a failure.
            with suppress(asyncio.CancelledError):
                pause = await self._look_or_wait(only_asked=wait > 0)
                pause = min(pause, wait) if wait > 0 else pause
                _put_off(looks, SHORTEST_SLEEP if news.is_set() else max(pause, SHORTEST_SLEEP))

        looks = scheduler.add_job(
            look_again,
            IntervalTrigger(seconds=LONGEST_SLEEP),
            next_run_time=datetime.now(UTC),
            misfire_grace_time=None,
        )
        scheduler.start()
        try:
            while True:
                await self.background.news().wait()
                # One look is enough for all news of a second.
                _put_off(looks, SHORTEST_SLEEP)
        finally:
            scheduler.shutdown(wait=False)

    async def look(self, *, only_asked: bool = False) -> float:
        """Begin what is due, or of that `only_asked`; answers how long to sleep, in seconds."""
        now = self._milliseconds()
        agenda = await self.store.read(lambda c: self._agenda(c, now))
        if not agenda.settled and not only_asked:
            await self.store.write(lambda c: settle(c, now))
            agenda = await self.store.read(lambda c: self._agenda(c, now))
        due = [job for job in agenda.due if job["asked"] or not only_asked]
        for job in due[: JOBS_AT_ONCE - len(self._running)]:
            self._running[job["no"]] = asyncio.create_task(self._run(job))
        if agenda.next_at is None:
            return LONGEST_SLEEP
        return min(max((agenda.next_at - now) / 1000, SHORTEST_SLEEP), LONGEST_SLEEP)

    async def end_of_runs(self) -> None:
        """Wait until all that runs has ended."""
        while self._running:
            await asyncio.gather(*self._running.values())

    async def stop(self) -> None:
        """Give up what runs; whoever looks next does it again from its beginning."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if tasks:
            with suppress(Fault):
                await self.store.write(
                    lambda c: table.release_all(c, self._holder, self._milliseconds())
                )

    async def _look_or_wait(self, *, only_asked: bool) -> float:
        if self.store.damage is not None:
            # Nothing that is done by itself could be kept, and the daemon tells why once.
            return LONGEST_SLEEP
        try:
            pause = await self.look(only_asked=only_asked)
        except StoreDamaged:
            return LONGEST_SLEEP
        except StorageFull:
            self._say_full()
            return LONGEST_SLEEP
        except Fault as fault:
            log.warning("Could not check which jobs are due: %s", fault.message)
            return LONGEST_SLEEP
        except Exception:
            log.exception("The scheduler failed. It tries again in a minute.")
            return LONGEST_SLEEP
        return pause

    def _agenda(self, connection: Connection, now: int) -> _Agenda:
        rows = [row for row in table.list_jobs(connection) if row["no"] not in self._running]
        due = [row for row in rows if table.is_due(row, now)]
        coming = [
            row["lease_until"] if table.is_leased(row, now) else row["next_at"]
            for row in rows
            if not table.is_due(row, now)
        ]
        next_at = min((at for at in coming if at is not None), default=None)
        return _Agenda(not corrections(connection, now), due, next_at)

    async def _run(self, job: RowMapping) -> None:
        try:
            owner = job["owner_no"]
            if owner is None:
                owner = await owner_of_the_machine(self.store)
            if await run_if_due(self.context_of(owner), job, self._holder):
                self.background.stir()
            self._full = False
        except StorageFull:
            self._say_full()
        except StoreDamaged:
            log.warning("Stopped the job %s: the store is damaged.", job["name"])
        except Fault as fault:
            log.warning("Could not run the job %s: %s", job["name"], fault.message)
        except Exception:
            log.exception("Could not run the job %s.", job["name"])
        finally:
            del self._running[job["no"]]
            self.worked()

    def _milliseconds(self) -> int:
        return int(self.now().timestamp() * 1000)

    def _say_full(self) -> None:
        if not self._full:
            log.warning("The disk is full. No scheduled job runs until there is room.")
        self._full = True


def must_be_certificates(authorities: str | None) -> None:
    """Raise SettingsError where the file that `webhook_ca` names holds no certificate."""
    if authorities is None:
        return
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    failed: str | None = "it does not contain a PEM certificate"
    try:
        context.load_verify_locations(cafile=authorities)
        if context.cert_store_stats()["x509"]:
            failed = None
    except ssl.SSLError:
        # Its words are a library's.
        pass
    except OSError as error:
        failed = (error.strerror or str(error)).lower()
    if failed is not None:
        raise SettingsError(
            f"finplan cannot use `webhook_ca` ({authorities!r}): {failed}. Correct"
            " the path, or remove the setting."
        )


@asynccontextmanager
async def delivering(
    store: Store,
    sealer: Callable[[], Awaitable[Sealer]],
    vetting: Vetting,
    site_url: str,
    *,
    authorities: Path | None = None,
    clock: Clock | None = None,
) -> AsyncIterator[Courier]:
    """Deliver what the store holds; what is written meanwhile stirs the courier."""
    keys = MessageKeys(store)

    async def key_of(now: int) -> MessageKey:
        return await keys.signing_key(await sealer(), now)

    sender = Sender(site_url, key_of, vetting, authorities)
    courier = Courier(DeliveryBook(store, sealer), sender.send, clock)
    loop = asyncio.get_running_loop()

    def stir() -> None:
        # The loop may have closed while the last change was written.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(courier.stir)

    store.deliveries_written.listener = stir
    running = asyncio.create_task(courier.run())
    try:
        yield courier
    finally:
        store.deliveries_written.listener = None
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await sender.close()
