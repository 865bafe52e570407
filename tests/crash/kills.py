"""A real daemon is killed again and again while it is asked for changes, and judged by what is left.

It runs in a process of its own, and is killed at a moment that it does not choose.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Timer

import httpx

from finplan.client.announcement import Announcement, read_announcement
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.setting_values import LARGEST_RATE_LIMIT
from finplan.settings import Places, load_settings
from finplan.store.examination import integrity_faults
from tests.crash.household import Checks, Found, Household
from tests.crash.work import AT_ONCE, Work, Write, WrongAnswer
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH
from tests.processes import LOOKS_EVERY, awaited


class Died(Exception):
    """The daemon hung up in the middle: it was killed."""


class Failed(Exception):
    """The daemon did what no kill explains; the sentence says what."""


class Home:
    """The folder of one profile whose daemons are killed, and the port that they share."""

    def __init__(self, folder: Path) -> None:
        others = {name: each for name, each in os.environ.items() if name[:8] != "FINPLAN_"}
        self.environment = others | {
            "FINPLAN_HOME": str(folder),
            "FINPLAN_PORT": str(free_ports(1)),
            "FINPLAN_RATE_LIMIT": str(LARGEST_RATE_LIMIT),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }
        self.places: Places = load_settings(environ=self.environment).places
        self.output = folder / "output.log"


@dataclass
class MortalDaemon:
    """A daemon's process; it can be asked once it is `ready`."""

    home: Home
    process: "subprocess.Popen[bytes]"
    http: httpx.Client

    def kill_after(self, seconds: float) -> None:
        """End it at a later moment, as a crash does, whatever it is doing then."""
        killing = Timer(seconds, self.process.kill)
        killing.daemon = True
        killing.start()

    def get_ready(self) -> None:
        """Wait until it says how it is reached. Raises Died and Failed."""
        deadline = time.monotonic() + LONG_ENOUGH
        while (announcement := self._announced()) is None:
            if self.process.poll() is not None:
                raise self.death()
            if time.monotonic() > deadline:
                raise Failed(f"The daemon is not ready after {LONG_ENOUGH:.0f} seconds.")
            time.sleep(LOOKS_EVERY)
        self.http.base_url = httpx.URL(announcement.url + API_ROOT)
        self.http.headers["cookie"] = f"{SESSION_COOKIE}={announcement.token}"

    def send(self, write: Write, key: str) -> httpx.Response:
        """Ask for a write. Raises Died."""
        try:
            return self.http.request(
                write.method,
                write.path,
                json=write.json,
                files=None if write.file is None else {"file": write.file},
                data=write.form or None,
                headers={"idempotency-key": key},
            )
        except httpx.TransportError as error:
            raise Died from error

    def ask(self, path: str, **headers: str) -> object:
        """What it answers to a question. Raises Died and Failed."""
        try:
            response = self.http.get(path, headers=headers)
        except httpx.TransportError as error:
            raise Died from error
        if not response.is_success:
            raise Failed(f"GET {path} is answered {response.status_code}: {response.text}")
        return response.json()

    def death(self) -> Died | Failed:
        """What its end is, which is waited for: a kill, or something else."""
        code = self.process.wait(LONG_ENOUGH)
        if code == -signal.SIGKILL:
            return Died()
        said = self.home.output.read_text(errors="replace")[-2000:]
        return Failed(f"The daemon ended by itself with {code}. It said: {said}")

    def _announced(self) -> Announcement | None:
        """How it is reached; a file that an earlier daemon has left is not about this one."""
        found = read_announcement(self.home.places.daemon_file)
        return found if found is not None and found.pid == self.process.pid else None


@contextmanager
def mortal_daemon(home: Home) -> Iterator[MortalDaemon]:
    """A daemon that has just been started; it does not outlive the block."""
    with (
        home.output.open("ab") as output,
        httpx.Client(trust_env=False, verify=False, timeout=LONG_ENOUGH) as http,
        subprocess.Popen(
            [sys.executable, "-m", "finplan.daemon"],
            env=home.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        ) as process,
    ):
        try:
            yield MortalDaemon(home, process, http)
        finally:
            process.kill()


WORKS = 1.2
"""How long a daemon works at most until it is killed, in seconds."""

EARLY, ANSWERED = 0.35, 0.3
"""How many of the kills come at any moment from the daemon's first on, and how many just when it has
answered; the others come while it works."""

MANY = 12
"""How often a daemon that is killed when it has answered is asked before, at most."""

PROVEN, LAST = 3, 12
"""How many of how many writes that were acknowledged last are sent once more after a start."""


@dataclass(eq=False)
class Asked:
    """A write with its key, whether it had to be asked again, and its answer once it came."""

    write: Write
    key: str
    again: bool = False
    answer: bytes = b""


@dataclass
class Tally:
    """What a run comes to."""

    kills: int = 0
    acknowledged: int = 0
    asked_again: int = 0
    found: Found = field(default_factory=Found)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills, {self.acknowledged} writes acknowledged,"
            f" {self.asked_again} asked again, {len(self.found.losses)} losses,"
            f" {len(self.found.doubles)} doubles"
        )


class Run:
    """One home whose daemon is killed again and again; all that is random follows from the seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.tally = Tally()
        self.home = Home(folder)
        self._chance = Random(seed)
        self.household = Household()
        self._work = Work(self.household, self._chance, datetime.now(UTC).date())
        self._drawn = 0
        self._unanswered: list[Asked] = []
        self._answered: list[Asked] = []
        self._usual_start = 1.0

    def kill(self, times: int) -> Tally:
        """Kill the daemon so often, and look once more at the end.

        It ends with the first loss or double, so that the home shows how it came about.
        """
        try:
            while self.tally.kills < times and self._is_well:
                with mortal_daemon(self.home) as daemon:
                    self._live(daemon)
            if self._is_well:
                with mortal_daemon(self.home) as daemon:
                    self._come_back(daemon)
        except Failed as failed:
            self.tally.found.losses.append(str(failed))
        return self.tally

    @property
    def _is_well(self) -> bool:
        return not self.tally.found.all

    def _live(self, daemon: MortalDaemon) -> None:
        """Let a daemon start, be judged, and work, until it is killed."""
        moment = self._chance.random()
        try:
            if moment < EARLY:
                daemon.kill_after(self._chance.uniform(0, 1.5 * self._usual_start))
                daemon.get_ready()
                self._ask_again(daemon)
            else:
                self._come_back(daemon)
            if EARLY <= moment < EARLY + ANSWERED:
                self._work_until_answered(daemon)
            elif moment >= EARLY:
                daemon.kill_after(self._chance.uniform(0, WORKS))
            while self._is_well:
                self._ask_for_some(daemon)
        except Died:
            death = daemon.death()
            if isinstance(death, Failed):
                raise death from None
            self.tally.kills += 1
            self._look_at_the_file()

    def _work_until_answered(self, daemon: MortalDaemon) -> None:
        """Kill it in the moment of an answer: what it says is stored has to be."""
        for _ in range(self._chance.randint(1, MANY)):
            self._ask_for_some(daemon)
        daemon.process.kill()

    def _ask_for_some(self, daemon: MortalDaemon) -> None:
        self._ask(daemon, [self._keyed(write) for write in self._work.some()])

    def _come_back(self, daemon: MortalDaemon) -> None:
        """Wait for a daemon, ask again what was not answered, and judge what there is."""
        begun = time.monotonic()
        daemon.get_ready()
        self._usual_start = time.monotonic() - begun
        self._ask_again(daemon)
        self._prove(daemon)
        database = self.home.places.database
        checks = Checks(daemon.ask, self.household, database, self.tally.found)
        awaited(checks.every_build_has_ended)
        checks.all()

    def _keyed(self, write: Write) -> Asked:
        self._drawn += 1
        return Asked(write, f"write {self._drawn}")

    def _ask_again(self, daemon: MortalDaemon) -> None:
        again = self._unanswered
        self._chance.shuffle(again)
        self.tally.asked_again += len(again)
        self._unanswered = []
        for each in again:
            each.again = True
        self._ask(daemon, again)

    def _ask(self, daemon: MortalDaemon, asked: list[Asked]) -> None:
        """Ask for writes at once, and learn from the answers. Raises Died once some have none."""

        def send(each: Asked) -> httpx.Response | None:
            try:
                return daemon.send(each.write, each.key)
            except Died:
                return None

        with ThreadPoolExecutor(AT_ONCE) as together:
            answers = list(together.map(send, asked))
        for each, answer in zip(asked, answers, strict=True):
            if answer is None:
                self._unanswered.append(each)
            else:
                self._learn(daemon, each, answer)
        if None in answers:
            raise Died

    def _learn(self, daemon: MortalDaemon, asked: Asked, answer: httpx.Response) -> None:
        write = asked.write
        if answer.status_code in write.refusals:
            return
        if not answer.is_success:
            told = f"{write.method} {write.path} is answered {answer.status_code}: {answer.text}"
            (self.tally.found.doubles if asked.again else self.tally.found.losses).append(told)
            return
        self.tally.acknowledged += 1
        try:
            write.learn(answer.json())
        except WrongAnswer as wrong:
            self.tally.found.doubles.append(str(wrong))
        asked.answer = answer.content
        self._answered = [*self._answered[-LAST:], asked]
        if write.ends_credentials:
            # Nobody can ask again what a person who is deleted had asked.
            self._answered.clear()
            daemon.get_ready()

    def _prove(self, daemon: MortalDaemon) -> None:
        """Send some of what was acknowledged once more: the same answer comes, and nothing happens."""
        for asked in self._chance.sample(self._answered, min(PROVEN, len(self._answered))):
            again = daemon.send(asked.write, asked.key)
            told = f"{asked.write.method} {asked.write.path} with the key {asked.key!r}"
            if "idempotent-replayed" not in again.headers:
                self.tally.found.doubles.append(f"{told} was carried out once more.")
            elif again.content != asked.answer:
                self.tally.found.losses.append(f"{told} is answered otherwise: {again.text}")

    def _look_at_the_file(self) -> None:
        """What a kill leaves must be whole; a copy is looked at, so that the next daemon finds it so."""
        database = self.home.places.database
        with TemporaryDirectory() as folder:
            for name in (database.name, f"{database.name}-wal"):
                if database.with_name(name).exists():
                    shutil.copy(database.with_name(name), folder)
            copy = Path(folder) / database.name
            if copy.exists():
                self.tally.found.losses += (
                    f"The file: {fault}" for fault in integrity_faults(copy)
                )
