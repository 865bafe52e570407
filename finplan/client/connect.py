"""Find the profile's daemon, start it when it is not running, and hand over a client.

Nothing heavy is imported here: a command that asks only for the daemon's state loads no httpx.
Whether a process that is waited for gets on is seen by its use of the processor, or by what it says
that it does. The backup tool runs in a process of its own, whether a daemon runs or not.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import finplan
from finplan import __version__
from finplan.client.announcement import (
    LOCK_PAUSE,
    LockHeld,
    hand_over,
    hold,
    holder,
    read_announcement,
    told_by_holder,
)
from finplan.client.failures import (
    CallFailed,
    DaemonUnreachable,
    describe_refusal,
    full,
    say_nothing,
)
from finplan.model.installation import HEADER, Status
from finplan.settings import Settings, environment_of_places

if TYPE_CHECKING:
    from finplan.client.client import Client

PACKAGE_FOLDER = Path(finplan.__file__).parent.parent
"""From here `-m` finds the package that is running now, and nothing that lies where the person is."""

_USED_BY_ITSELF, _USED_FOR_IT = 11, 12
"""Where /proc/PID/stat tells of processor time, counted behind the process's name."""


def processor_time(pid: int) -> int | None:
    """How long a process has had the processor, in ticks; None where the system does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name is in brackets, and may hold brackets and spaces itself.
    fields = stat.rpartition(")")[2].split()
    return int(fields[_USED_BY_ITSELF]) + int(fields[_USED_FOR_IT])


class Progress:
    """The signs of life of whatever is waited for, and how long there has been no new one."""

    def __init__(self) -> None:
        self._seen: tuple[object, ...] = ()
        self._since = time.monotonic()

    def quiet_for(self, pid: int | None, doing: str) -> float:
        """How long the process has given no new sign, in seconds.

        Where the system does not tell how much a process works, it is enough that it is there.
        """
        now = time.monotonic()
        worked = None if pid is None else processor_time(pid)
        unknown = pid is not None and worked is None
        sign = (pid, worked, doing)
        if unknown or sign != self._seen:
            self._seen, self._since = sign, now
        return now - self._since


WORTH_SAYING = 1.0
"""After how long a wait for the daemon is worth a word, in seconds."""

NO_SIGN = 30.0
"""How long a daemon that is waited for may give no sign that it gets on, in seconds."""

STOP_PATIENCE = 30.0
"""How long a stopping daemon may take: it finishes what it is doing first. In seconds."""

KILL_PATIENCE = 10.0
"""How long the system may take to end a daemon that was killed, in seconds."""

HEALTH_PATIENCE = 2.0
"""How long a running daemon may take to say that it is well, in seconds."""

LITTLE_ROOM = 2**20
"""With how much room left it is for the full disk that a daemon could not say a word, in bytes."""

Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Ready:
    """The daemon answers and is of this version; `settings` as it announced them.

    `notice` is the code of what it tells whatever it is asked, None without such.
    """

    url: str
    token: str = field(repr=False)
    version: str
    pid: int
    settings: Mapping[str, str] = field(default_factory=dict)
    notice: str | None = None
    profile: str = "default"


@dataclass(frozen=True, slots=True)
class NeedsRestart:
    """The daemon answers, but is of another version."""

    reason: str
    pid: int


@dataclass(frozen=True, slots=True)
class Unreachable:
    """No daemon answers; `pid` is one that runs all the same: it starts, stops or hangs."""

    reason: str
    pid: int | None = None


Probe = Ready | NeedsRestart | Unreachable


def probe(settings: Settings) -> Probe:
    """See how it stands with the profile's daemon; changes nothing."""
    pid = holder(settings.places.daemon_lock)
    if pid is None:
        return Unreachable(
            f"The background service is not running for the profile {settings.profile!r}."
        )
    announcement = read_announcement(settings.places.daemon_file)
    if announcement is None or announcement.pid != pid:
        return Unreachable(f"The background service (process {pid}) is starting or stopping.", pid)
    health = _health(announcement.port)
    if health is None:
        return Unreachable(
            f"The background service (process {pid}) does not answer at {announcement.url}.", pid
        )
    if health.version != __version__:
        reason = (
            f"The background service is version {health.version}, and this is version"
            f" {__version__}."
        )
        return NeedsRestart(reason, pid)
    facts = (announcement.settings, health.notice, settings.profile)
    return Ready(announcement.url, announcement.token, health.version, pid, *facts)


def connect(settings: Settings, announce: Announce) -> "Client":
    """A client of the profile's daemon, which is started or restarted when need be.

    What was done is announced in one sentence, and so is a wait of more than a second; nothing is said
    when the daemon was ready. The client announces what it has to wait for. A daemon that gets on is
    waited for however long it takes. Programs that race start one daemon. Raises DaemonUnreachable.
    """
    daemon = start(settings, announce)
    # Loaded after the daemon is known to answer: a failure to start it is told without the wait.
    from finplan.client.client import Client

    return Client(daemon.url, daemon.token, announce, profile=daemon.profile)


def start(settings: Settings, announce: Announce) -> Ready:
    """Start the profile's daemon unless it is ready; as `connect`, without a client."""
    daemon = probe(settings)
    return daemon if isinstance(daemon, Ready) else _make_ready(settings, announce)


def stop(settings: Settings, announce: Announce = say_nothing) -> bool:
    """Stop the profile's daemon, also one that is starting or suspended, and wait until it has gone.

    One that does not end in time is killed, which is announced. Answers False when none was running.
    Raises DaemonUnreachable.
    """
    pid = holder(settings.places.daemon_lock)
    if pid is None:
        return False
    _stop(settings, pid, announce)
    return True


def status(settings: Settings) -> Status:
    """What is known of the profile's daemon, whether it runs or not."""
    daemon = probe(settings)
    announcement = None
    if not isinstance(daemon, Unreachable) or daemon.pid is not None:
        announcement = read_announcement(settings.places.daemon_file)
    return Status(
        profile=settings.profile,
        running=daemon.pid is not None,
        answering=not isinstance(daemon, Unreachable),
        reason=None if isinstance(daemon, Ready) else daemon.reason,
        notice=daemon.notice if isinstance(daemon, Ready) else None,
        pid=daemon.pid,
        port=announcement.port if announcement else None,
        version=announcement.version if announcement else None,
        site_url=announcement.site_url if announcement else settings.site_url,
        started_at=announcement.started_at if announcement else None,
        log=settings.places.log,
    )


class _Health(NamedTuple):
    version: str
    notice: str | None


def _health(port: int) -> _Health | None:
    connection = HTTPConnection("127.0.0.1", port, timeout=HEALTH_PATIENCE)
    try:
        connection.request("GET", "/health")
        response = connection.getresponse()
        version = str(json.loads(response.read())["version"])
        return _Health(version, response.getheader(HEADER))
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()


class _Wait:
    """A wait for a daemon that is to answer; it is said once what is waited for."""

    def __init__(self, settings: Settings, announce: Announce) -> None:
        self._settings = settings
        self.announce = announce
        self._begun = time.monotonic()
        self._said = False
        self._progress = Progress()

    def go_on(self, pid: int | None, doing: str) -> None:
        """Wait an instant more for a process that is doing something; raises when it hangs."""
        who = f"process {pid}" if pid else "an unknown process"
        quiet = self._progress.quiet_for(pid, doing)
        if quiet >= NO_SIGN:
            raise DaemonUnreachable(
                f"The background service hangs: {who} was {doing} and has done nothing for {quiet:.0f}"
                f" seconds. See the log {self._settings.places.log}, and stop the service with"
                " `finplan daemon stop`."
            )
        if not self._said and time.monotonic() - self._begun >= WORTH_SAYING:
            self._said = True
            self.announce(f"Waiting for the background service ({doing}) …")
        time.sleep(LOCK_PAUSE)


def _make_ready(settings: Settings, announce: Announce) -> Ready:
    places = settings.places
    wait = _Wait(settings, announce)
    try:
        places.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        places.log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        while True:
            try:
                with hold(places.start_lock):
                    ready, done = _ready_alone(settings, wait)
            except LockHeld as held:
                # Whoever starts the daemon may have been suspended once it was started.
                daemon = probe(settings)
                if isinstance(daemon, Ready):
                    return daemon
                wait.go_on(held.pid, "starting the background service")
            else:
                break
    except OSError as error:
        why = describe_refusal(error, places.data)
        raise DaemonUnreachable(f"Could not start the background service: {why}.") from error
    if done:
        announce(done)
    return ready


def _ready_alone(settings: Settings, wait: _Wait) -> tuple[Ready, str | None]:
    """The daemon once it is ready, and what was done for it; for who holds the lock of starting."""
    log = settings.places.log
    done = None
    process = None
    words_before = 0
    try:
        while not isinstance(daemon := probe(settings), Ready):
            if isinstance(daemon, NeedsRestart):
                _stop(settings, daemon.pid, wait.announce)
                done = f"Restarted the background service. {daemon.reason}"
                continue
            if process is not None and process.poll() is not None:
                raise DaemonUnreachable(_how_it_ended(process.returncode, log, words_before))
            if daemon.pid is None and process is None:
                words_before = log.stat().st_size if log.exists() else 0
                process = _spawn(settings)
                done = done or "Started the background service. To stop it: `finplan daemon stop`."
            doing = told_by_holder(settings.places.daemon_lock) or "loading finplan"
            wait.go_on(daemon.pid, doing)
    finally:
        if process is not None and process.returncode is None:
            # The daemon outlives this program on purpose, of which Popen would warn.
            process.returncode = 0
    return daemon, done


def _spawn(settings: Settings) -> subprocess.Popen[bytes] | None:
    """Start the daemon with its lock; None where another one holds it."""
    started: list[subprocess.Popen[bytes]] = []

    def start_with(lock: int) -> int:
        started.append(_spawn_with(settings, lock))
        return started[0].pid

    try:
        hand_over(settings.places.daemon_lock, start_with)
    except LockHeld:
        return None
    return started[0]


def _spawn_with(settings: Settings, lock: int) -> subprocess.Popen[bytes]:
    with open(settings.places.log, "ab", opener=_private) as output:
        return subprocess.Popen(  # noqa: S603 - the interpreter that runs this, and a checked name.
            daemon_command(settings, "--lock", str(lock)),
            pass_fds=(lock,),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            cwd=PACKAGE_FOLDER,
            env=environment_of(settings),
        )


def _stop(settings: Settings, pid: int, announce: Announce) -> None:
    # A process that is suspended meets a signal only once it goes on.
    _signal(pid, signal.SIGTERM, signal.SIGCONT)
    if _is_gone(settings, pid, STOP_PATIENCE):
        return
    _signal(pid, signal.SIGKILL)
    if not _is_gone(settings, pid, KILL_PATIENCE):
        raise DaemonUnreachable(
            f"The background service (process {pid}) cannot be stopped; it is probably waiting"
            " for a disk. Check"
            f" the disk of {settings.places.data}, then try again."
        )
    announce(
        f"Killed the background service (process {pid}): it did not stop within {STOP_PATIENCE:.0f}"
        f" seconds. All saved data is safe. The log is {settings.places.log}."
    )


def _signal(pid: int, *signals: signal.Signals) -> None:
    try:
        for signum in signals:
            os.kill(pid, signum)
    except ProcessLookupError:
        return
    except PermissionError as error:
        raise DaemonUnreachable(
            f"The background service (process {pid}) belongs to another user. Only that user"
            " can stop it."
        ) from error


def _is_gone(settings: Settings, pid: int, patience: float) -> bool:
    """Wait until the daemon has gone; answers whether it has within `patience` seconds."""
    deadline = time.monotonic() + patience
    while holder(settings.places.daemon_lock) == pid:
        if time.monotonic() >= deadline:
            return False
        time.sleep(LOCK_PAUSE)
    return True


def daemon_command(settings: Settings, *options: str) -> list[str]:
    """What starts the program of a profile's daemon."""
    return [sys.executable, "-m", "finplan.daemon", "--profile", settings.profile, *options]


def environment_of(settings: Settings) -> dict[str, str]:
    """The environment of a process of finplan that runs in another folder."""
    return {**os.environ, **environment_of_places(settings)}


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _how_it_ended(code: int, log: Path, words_before: int) -> str:
    if code == -signal.SIGTERM:
        return "The background service was stopped while it started."
    ended = f" {signal.Signals(-code).name} ended it." if code < 0 else ""
    return f"The background service could not start.{ended} {_last_words(log, words_before)}"


def _last_words(log: Path, start: int) -> str:
    try:
        with log.open("rb") as file:
            file.seek(start if log.stat().st_size >= start else 0)
            lines = file.read().decode(errors="replace").split("\n")
    except OSError:
        lines = []
    messages = [line.strip() for line in lines if line.strip()]
    if messages:
        return f"Its last message: {messages[-1]}"
    if _has_little_room(log.parent):
        return f"It could not write its log: {full(log.parent)}."
    return f"It gave no reason. The log is {log}."


def _has_little_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < LITTLE_ROOM
    except OSError:
        return False


def ask_backups(settings: Settings, verb: str, name: str | None = None) -> Any:
    """List, create, verify or restore backups. Raises CallFailed."""
    try:
        options = () if name is None else ("--copy", name)
        answer = ask_program(settings, "--backups", verb, *options)
    except ValueError as why:
        failed = f"The backup command failed: {why}"
        raise CallFailed(500, "INTERNAL_SERVER_ERROR", failed) from None
    if isinstance(answer, dict) and "fault" in answer:
        raise CallFailed(answer["status"], answer["code"], answer["fault"])
    return answer


def ask_program(settings: Settings, *options: str) -> Any:
    """The JSON that the daemon's program answers in a process of its own, whether a daemon runs or not.

    Raises ValueError with what it says last where it answers none.
    """
    process = subprocess.run(  # noqa: S603 - what is run is this very package.
        daemon_command(settings, *options),
        capture_output=True,
        check=False,
        cwd=PACKAGE_FOLDER,
        env=environment_of(settings),
    )
    try:
        return json.loads(process.stdout)
    except ValueError:
        lines = process.stderr.decode(errors="replace").strip().splitlines()
        raise ValueError(lines[-1] if lines else f"exit code {process.returncode}") from None
