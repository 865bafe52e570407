"""Every command line that README, handbook, help and manual show, and a machine to type it on.

Each has the place where it stands; what is typed are real values, what came before, and how it
ends. A household stands behind a real socket, that command lines typed in this process find like
any other; its statement files are of shops which the made-up one does not know.
"""

import asyncio
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime, tzinfo
from os import getpid
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import httpx
import pytest
import typer

import finplan
from finplan import __version__
from finplan.cli.app import COMMANDS, root, run
from finplan.client.announcement import Announcement, hold, write_announcement
from finplan.client.request import SESSION_COOKIE
from finplan.handbook.pages import FOLDER
from finplan.settings import load_settings, marks_of_file
from finplan.webhooks.sending import Vetting
from finplan.webhooks.targets import PrivateTargets
from tests.crash.household import Row
from tests.crash.work import csv_of, ofx_of
from tests.daemon.let_in import claim_an_agent
from tests.daemon.ports import keep_own_port
from tests.daemon.recorded import sign_in_a_browser
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.patience import LONG_ENOUGH

PROJECT = Path(finplan.__file__).parent.parent
MANUAL = PROJECT / "man"
OF_COMMANDS = FOLDER / "reference" / "commands.md"
"""It is made from the help of the commands, which is read itself."""

BEGINS = re.compile(
    r"(?:\S+/bin/)?finplan(?= |$)|python -m |(?:curl|make|install|cat|mail|echo|pass) "
)
"""How a command line begins, in a shell or in a table of cron; `finplan/docs` and the like are none."""

SCRIPT = re.compile(r"cd |[A-Z]+=\$")
"""How a script of several lines begins, which is typed as one."""

_FENCE = re.compile(r" *(?:```|~~~)(\w*)")
_BLOCK = re.compile(r" {4,}(\S.*)")
_LIST = re.compile(r"\s*(?:[-*|]|\d+\.) ")
_INLINE = re.compile(r"`([^`]+)`")
_EXAMPLES = re.compile(r"^Examples:\n\.nf\n(.*?)^\.fi", re.MULTILINE | re.DOTALL)
_CRON = re.compile(r"(?:[\d*][\d,*]* ){4}\* +")
"""When cron does what stands behind it."""

_REMARK = re.compile(r"\s{2,}(?=\S).*")
"""What stands behind two blanks is a remark; no command has two in a row."""


class Shown(NamedTuple):
    """A command line and where it is shown; `block` where it stands on a line of its own."""

    place: str
    line: int
    command: str
    block: bool


def all_shown() -> Mapping[str, tuple[Shown, ...]]:
    """What is shown, by the page or the help in which one reader meets it, in the order of reading."""
    found = {_name(path): tuple(of_page(_name(path), path.read_text())) for path in pages()}
    found |= {f"--help {words[0]}": tuple(_of_help(words)) for words in _groups()}
    return {place: shown for place, shown in found.items() if shown}


def pages() -> list[Path]:
    """README, CONTRIBUTING and the pages of the handbook that people write."""
    written = (path for path in sorted(FOLDER.rglob("*.md")) if path != OF_COMMANDS)
    return [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *written]


def of_page(place: str, text: str) -> Iterator[Shown]:
    """The command lines of a page: those of its blocks, and those that are a piece of code in a line."""
    fenced, script = False, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if _FENCE.match(line):
            fenced = not fenced
            if script:
                yield Shown(place, number, "\n".join(script), block=True)
                script.clear()
            continue
        if fenced or (_BLOCK.fullmatch(line) and not _LIST.match(line)):
            command = without_remark(line.strip())
            if script or (fenced and SCRIPT.match(command)):
                script.append(command)
            elif BEGINS.match(command):
                yield Shown(place, number, command, block=True)
            continue
        for code in _INLINE.findall(line):
            if re.match(r"(?:finplan|curl|make|python -m)(?= |$)", code):
                yield Shown(place, number, code, block=False)


def without_remark(line: str) -> str:
    """A line of a block without what is told of it."""
    return _REMARK.sub("", _CRON.sub("", line))


def of_manual() -> Mapping[str, tuple[str, ...]]:
    """The examples of each page of the manual."""
    return {
        path.name: tuple(
            without_remark(line.replace("\\-", "-").replace("\\e", "\\").strip())
            for block in _EXAMPLES.findall(path.read_text())
            for line in block.splitlines()
        )
        for path in sorted(MANUAL.glob("*.1"))
    }


def _groups() -> Iterator[tuple[str, Any]]:
    yield "finplan", typer.main.get_command(root)
    for name, place in COMMANDS.items():
        app = place.load(name)
        yield name, typer.main.get_command(app)


def _of_help(named: tuple[str, Any]) -> Iterator[Shown]:
    name, command = named
    place = f"--help {name}"
    for number, line in enumerate(
        (command.epilog or "").replace("\b", "").strip().splitlines()[1:]
    ):
        yield Shown(place, number, without_remark(line.strip()), block=True)
    # What is said of a command names others.
    for number, code in enumerate(_INLINE.findall(" ".join((command.help or "").split()))):
        if re.match(r"finplan(?= |$)", code):
            yield Shown(place, number, code, block=False)
    if name == "finplan":
        return
    for each in getattr(command, "commands", {}).values():
        yield from _of_help((name, each))


def _name(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix().removeprefix("finplan/docs/")


AT_HOME = Vetting(PrivateTargets.of(["127.0.0.1"]))
"""Lets webhooks go to this machine, at a port of which nobody listens."""


@contextmanager
def served(
    folder: Path, store: Path, *profiles: str
) -> Iterator[tuple[RunningDaemon, asyncio.AbstractEventLoop]]:
    """A daemon on a copy of a store, on a thread of its own; it is that of each of the profiles."""
    ready, over = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []
    running: list[RunningDaemon] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        async with running_daemon(folder, store, vetting=AT_HOME) as daemon:
            running.append(daemon)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(LONG_ENOUGH)
        with announced(running[0], list(profiles)):
            yield running[0], loops[0]
    finally:
        loops[0].call_soon_threadsafe(over.set)
        thread.join()


@contextmanager
def announced(daemon: RunningDaemon, profiles: list[str]) -> Iterator[None]:
    """Let command lines of the profiles find a daemon."""
    if not profiles:
        yield
        return
    settings = load_settings(profiles[0])
    settings.places.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with hold(settings.places.daemon_lock):
        write_announcement(
            settings.places.daemon_file,
            Announcement(
                pid=getpid(),
                port=daemon.port,
                version=__version__,
                site_url=daemon.base_url,
                token=daemon.token,
                started_at=0,
                settings=marks_of_file(settings),
            ),
        )
        with announced(daemon, profiles[1:]):
            yield


Value = TypeVar("Value")

DEMO, OWN, NEW, MACHINE = "default", "own", "new", "machine"
"""The profiles: the demo household, one of statement files, one in which nothing has happened, and one
whose daemon is a process of its own."""

RESTORED = f"{NEW}-home"
"""One more in which nothing has happened."""

LEFT = "left"
"""A profile with the demo household for each command that ends one."""

PASSWORD = "correct horse battery staple"  # Nobody has it.

STAND_INS = {
    "finplan": f'exec {shlex.quote(sys.executable)} -m finplan "$@"',
    "pass": f"echo {PASSWORD}",
    "systemctl": "exit 0",
    "python": f'exec {shlex.quote(sys.executable)} "$@"',
    "less": "cat > /dev/null",
}
"""Programs of the person's own, and of the system's, that are on the path."""


_OF_A_SHELL = re.compile(r"[|<>$\n]|&&")
"""What a shell does something about."""


class Ended(NamedTuple):
    """How a command line ended, and what it wrote."""

    code: int
    out: str
    err: str


class Machine:
    """Where a reader types: their folder, their programs, their households."""

    def __init__(
        self,
        folder: Path,
        stores: dict[str, Path],
        patch: pytest.MonkeyPatch,
        capture: pytest.CaptureFixture[str] | None,
    ) -> None:
        self.folder = folder
        self._stores, self._patch, self._capture = stores, patch, capture
        self._running: dict[str, RunningDaemon] = {}
        self._loops: dict[str, asyncio.AbstractEventLoop] = {}
        self._open = ExitStack()

    def another(self) -> str:
        """The profile of one more demo household, of which nothing may be left."""
        return f"{LEFT}-{len(self._running)}"

    def daemon(self, profile: str) -> RunningDaemon:
        """The daemon of a household, which begins with the first command about it."""
        if profile not in self._running:
            place = load_settings(profile).places.data
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            named = (profile, "demo") if profile == DEMO else (profile,)
            daemon, loop = self._open.enter_context(
                served(place, self._stores[profile.partition("-")[0]], *named)
            )
            self._running[profile], self._loops[profile] = daemon, loop
        return self._running[profile]

    def ask(self, profile: str, method: str, path: str, body: Any = None) -> Any:
        """Ask a household's daemon for what the command line does not tell a test."""
        daemon = self.daemon(profile)
        answered = httpx.request(
            method,
            f"{daemon.base_url}/api/v1{path}",
            json=body,
            cookies={SESSION_COOKIE: daemon.token},
        )
        assert answered.is_success, answered.text
        return answered.json()

    def in_daemon(
        self, profile: str, do: "Callable[[RunningDaemon], Coroutine[Any, Any, Value]]"
    ) -> Value:
        """Do something on the loop of a household's daemon, which no command line does."""
        daemon = self.daemon(profile)
        loop = self._loops[profile]
        return asyncio.run_coroutine_threadsafe(do(daemon), loop).result(LONG_ENOUGH)

    def type(self, line: str, profile: str, keys: str = "") -> Ended:
        """Type a line; what `|`, `>` and the like are for is the shell's."""
        for named in (profile, *re.findall(r"--profile ([\w-]+)", line)):
            if named != MACHINE:
                self.daemon(named)
        with self._patch.context() as here:
            here.setenv("FINPLAN_PROFILE", profile)
            words = shlex.split(line)
            if words[0] != "finplan" or _OF_A_SHELL.search(line):
                return self._in_a_shell(line, keys)
            (self.folder / "keys").write_text(keys)
            with (self.folder / "keys").open() as typed:
                here.setattr("sys.stdin", typed)
                code = run(words[1:])
            return Ended(code, *(self._capture.readouterr() if self._capture else (("", ""))))

    def _in_a_shell(self, line: str, keys: str) -> Ended:
        ended = subprocess.run(
            ["/bin/sh", "-ec", line], input=keys, capture_output=True, text=True, check=False
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def close(self) -> None:
        """Stop every daemon."""
        self._open.close()
        if (load_settings(MACHINE).places.daemon_file).exists():
            run(["--profile", MACHINE, "daemon", "stop"])


@contextmanager
def machine_in(
    folder: Path,
    stores: dict[str, Path],
    patch: pytest.MonkeyPatch,
    capture: pytest.CaptureFixture[str] | None = None,
) -> Iterator[Machine]:
    """A machine that knows nothing but finplan and the stand-ins; its browser opens nothing."""
    programs = folder / "bin"
    programs.mkdir()
    for name, does in STAND_INS.items():
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    for name in (".config/finplan/default", ".zfunc", ".config/fish/completions"):
        (folder / name).mkdir(parents=True)
    patch.chdir(folder)
    patch.setenv("HOME", str(folder))
    patch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    patch.setenv("FINPLAN_HOME", str(folder / "home"))
    patch.setenv("COLUMNS", "80")
    patch.setenv("BROWSER", "true")
    patch.delenv("APPDATA", raising=False)
    patch.delenv("DISPLAY", raising=False)
    patch.setattr("finplan.cli.commands.people.PATIENCE_WITH_BROWSER", 0)
    # Nothing is delivered here, so nobody waits for it.
    patch.setattr("finplan.cli.commands.webhooks.PAUSES", (0.0,))
    # The daemons' clock stands; what commands say of days is said on the same day.
    patch.setattr("finplan.cli.console.typed_values.datetime", _StandingClock)
    # The daemons of households are this very process.
    patch.setattr("finplan.client.connect._signal", _signal_another)
    # What is typed about that daemon stops it and starts it again.
    keep_own_port(load_settings(MACHINE))
    machine = Machine(folder, stores, patch, capture)
    try:
        yield machine
    finally:
        machine.close()


class _StandingClock(datetime):
    """A clock that stands where the daemons' does."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls.fromtimestamp(NOW.timestamp(), tz)


def _signal_another(pid: int, *signals: signal.Signals) -> None:
    assert pid != os.getpid()
    for each in signals:
        os.kill(pid, each)


MONTHS = [f"{year}-{month:02d}" for year in (2025, 2026) for month in range(1, 13)][:15]
"""From January 2025 to March 2026, in which the clock of the daemons stands."""

Monthly = tuple[tuple[int, int, str], ...]

CHECKING: Monthly = (
    (1, 250_000, "Acme Corp payroll"),
    (2, -85_000, "Venmo"),
    (3, -4_250, "Venmo"),
    (4, 3_000, "Venmo"),
    (5, -12_000, "Costco"),
    (6, -6_450, "Safeway"),
    (7, -5_210, "Whole Foods"),
)
CARD: Monthly = (
    (3, -1_599, "Netflix"),
    (5, -14_500, "Blue Bottle Coffee"),
    (9, -15_250, "Philz"),
    (10, -15_750, "Luigi"),
    (11, -16_000, "Bike Shop"),
)
SECOND_PAY = ((12, 90_000, "Beta Works payroll"), (14, -3_300, "City bus pass"))
VISA: Monthly = ((8, -1_199, "Spotify"), (19, -4_000, "Shell"))
SAVINGS: Monthly = (
    (2, 20_000, "Transfer from checking"),
    (27, 1_020, "Interest paid"),
    (28, -5_000, "Withdrawal"),
)


def write_statements(folder: Path) -> None:
    """The files that the handbook imports, of accounts of its reader."""
    for name, rows in (("checking", CHECKING), ("copy", CHECKING), ("card", CARD), ("visa", VISA)):
        (folder / f"{name}.csv").write_bytes(csv_of(_booked(rows)))
    (folder / "a.csv").write_bytes(csv_of(_booked(SECOND_PAY)))
    balance, lines = 0, ["Date,Description,Amount (USD),Balance"]
    for row in _booked(SAVINGS):
        balance += row.amount
        lines.append(f"{row.day},{row.text},{row.amount / 100:.2f},{balance / 100:.2f}")
    (folder / "savings.csv").write_text("\n".join((*lines, "")))
    # Nothing in it says which way its money goes.
    lines = [f"{row.day},{row.text},{-row.amount / 100:.2f},Visa" for row in _booked(VISA)]
    (folder / "b.csv").write_text("\n".join(("Date,Description,Amount,Account Name", *lines, "")))
    for name, booked in (("checking", CHECKING), ("statement", CHECKING), ("savings", SAVINGS)):
        statement = ofx_of(name, "1111000", _booked(booked), MONTHS[-1] + "-15", 240_000)
        for kind in ("ofx", "qfx"):
            (folder / f"{name}.{kind}").write_bytes(statement)
    (folder / "card.qfx").write_bytes(
        ofx_of("card", "2222000", _booked(CARD), MONTHS[-1] + "-15", 31_000)
    )


def _booked(monthly: Monthly) -> Iterator[Row]:
    for month in MONTHS:
        for day, amount, text in monthly:
            yield Row(f"{month}-{day:02d}", amount, text)


SETTLED = (
    "import checking.csv --account Checking --kind checking",
    "import card.csv --account Card --kind credit",
    "import savings.csv --account old-savings --kind savings",
    "import visa.csv --account Visa --kind credit",
    "import b.csv --account house --direction out --kind other --same-account new",
    "import copy.csv --account Joint --kind checking --same-account new",
    "plan build",
)
"""What settles the household in an empty home."""


PUT: tuple[tuple[str, str], ...] = (
    (r"^\S+/bin/finplan", "finplan"),
    (r"^make", "make -n -C {project}"),
    (r"OLD=FOLDER", "OLD=../before"),
    (r"curl", "curl -sS --fail-with-body"),
    (
        r"\btx_812\b|(?<=transactions set )ID|(?<=transactions tag )ID|(?<=transactions split )ID",
        "{charge}",
    ),
    (r"(?<='x-api-key: )KEY", "{key}"),
    (r"127\.0\.0\.1:8460", "127.0.0.1:{port}"),
    (r"webhooks rotate ID", "webhooks rotate ID --yes"),
    (r"webhooks add (?:URL|https://\S+)", "webhooks add https://127.0.0.1:1/"),
    (
        r"webhooks (test|rotate|change|deliveries|retry|remove) (?:ID|URL|127\.0\.0\.1|hooks\S+)",
        r"webhooks \1 {webhook}",
    ),
    (r"DELIVERY", "{delivery}"),
    (r"imports undo (?:ID|IMPORT)", "imports undo {import}"),
    (r"imports forget ID", "imports forget {profile}"),
    (r"sessions end (?:ID|firefox)", "sessions end {browser}"),
    (r"agents revoke ID", "agents revoke {agent}"),
    (r"rules remove ID", "rules remove {rule}"),
    (r"duplicates (\w+) ID", r"duplicates \1 {duplicate}"),
    (r"transfers (\w+) ID", r"transfers \1 {transfer}"),
    (r"recurring (\w+) ID", r"recurring \1 {series}"),
    (r"tasks answer ID", r"tasks answer {task}"),
    (r"tasks undo ID", r"tasks undo venmo"),
    (r"rules set PAYEE CATEGORY", "rules set amazon shopping"),
    (r"categories add NAME", "categories add Bicycles --line discretionary"),
    (r'add "Pet care" --suggested', 'add "{theme}" --suggested'),
    (r"keys create NAME", "keys create dashboard"),
    (r"accounts set NAME", "accounts set savings"),
    (r"planned add NAME AMOUNT", "planned add Picnic 20"),
    (r"landlord=", "philz="),
    (r'--lose-income (?:NAME|"Acme Payroll")', "--lose-income acme"),
    (r"--pay visa=", "--balance visa="),
    (r"--balance AMOUNT", "--balance 1840.25"),
    (r"plan explain SECTION", "plan explain debt"),
    (r"--profile NAME", "--profile new-home"),
    (r"mcp install AGENT", "mcp install cursor"),
    (r"jobs run NAME", "jobs run prune"),
    (r"backup restore(?: NAME)?(?! --yes)$", "backup restore --yes"),
    (r"import FILE", "import card.csv"),
    (r"--html FILE", "--html page.html"),
    (r"connections show NAME", "connections show Demo"),
    (r"connections remove (?:NAME|demo|Chase)", "connections remove Demo"),
    (r"me delete", "me delete --yes"),
    (r'"shopping 12.50"', r'"shopping {rest}"'),
)
"""What stands for something of the reader's own, as a pattern, and what is typed in its place."""

OWN_HOUSEHOLD = (
    r'(?i)"?blue bottle|costco|whole foods"|philz|netflix|bike shop|old-savings|house '
    r'|accounts set (?:card|visa)|venmo (?:"other income"|rent --amount)|duplicates \w+ ID'
    r"|Cycling --merge|what-if|imports (?:undo|forget) "
)
"""What is about a household that has what the made-up one lacks."""

EMPTY_HOUSEHOLD = r"finplan import (?!home.json)"
"""What is typed where there is no household yet."""

RESTORED_HOUSEHOLD = r"import home.json"
"""What is typed before anything else on another machine."""

OWN_PROCESS = (
    r"finplan daemon (?:stop|start|status|logs|install|uninstall)|finplan daemon$"
    r"|finplan secrets (?:move|rotate)|finplan backup"
)
"""What is about the daemon as a process, which those of the households are not."""

ONCE = OWN_PROCESS + "|finplan (?:doctor|export|plan build)"
"""What takes long and does the same wherever it is shown, so that it is typed in one place alone."""

LEAVES = r"me delete|connections remove "
"""What ends a household."""

KEYS: Mapping[str, str] = {r"^finplan me password": f"{PASSWORD}\n", r"^cat > ": "secret\n"}
"""What is typed where a command line asks."""

BEFORE: tuple[tuple[str, str], ...] = (
    (r"keys revoke (\S+)", "finplan keys create {}"),
    (r"clients revoke (\S+)", "finplan clients create {} --redirect https://dash.example.org/back"),
    (r"invites revoke (\S+)", "finplan invites create --email {}"),
    (r"tasks undo (?:venmo|ID)", "finplan tasks answer venmo restaurants"),
    (r"recurring undo (\S+)", "finplan recurring dismiss {}"),
    (r"categories remove (\S+)", "finplan categories add {} --line discretionary"),
    (r"mcp uninstall (\S+)", "finplan mcp install {}"),
    (r"daemon un(install)", "finplan daemon {}"),
    (r"daemon (?:status|logs)|daemon$|secrets (?:move|rotate)|backup create", "finplan accounts"),
    (r"duplicates undo ID", "finplan duplicates same {duplicate}"),
    (r"transfers undo ID", "finplan transfers confirm {transfer}"),
    (r"import home.json", "finplan --profile own export home.json"),
    (r"tasks answer venmo --each|^echo ", "finplan tasks undo venmo"),
    (r"tasks answer amazon", "finplan tasks undo amazon"),
    (r"recurring confirm ID", "finplan recurring dismiss {series}"),
)
"""What has been typed by then, where the page itself has not said it before."""

NO_TERMINAL = (2, "terminal")
ENDS: tuple[tuple[str, tuple[int, str]], ...] = (
    (r"^finplan tui", NO_TERMINAL),
    (r"^finplan watch(?! --json)", NO_TERMINAL),
    (r"^finplan tasks answer$", (2, "Without a terminal")),
    (r"^finplan webhooks (?:test|retry)", (6, "")),
    (r"^finplan daemon logs --follow", (130, "")),
    (r"^finplan secrets move keyring", (6, "keyring")),
    (r"^finplan backup (?:verify|restore) daily-", (4, "backup list`")),
)
"""How else than with 0 a command line ends here, and what is said then."""

UNTIL_INTERRUPTED = r"^finplan (?:watch --json|daemon logs --follow)"
"""What goes on until Ctrl-C, which comes at the first pause."""

ELSEWHERE: Mapping[str, str] = {
    r"^python -m ": "takes minutes; options of benchmarks are looked at by themselves",
    r"^finplan webhooks listen": "receives until it ends: `tests/cli/test_listening.py`",
    r"^finplan connect (?:simplefin|plaid|enablebanking|BANK)": "needs a bank:"
    " `tests/cli/test_connect.py`, `test_connect_in_europe.py` and `tests/banks/` play one",
    r"^finplan connections remove Chase": "needs a bank: `tests/cli/test_relinked.py`",
    r"^mail ": "needs a mail server",
}
"""What is not run here, as a pattern, and why."""


HouseholdValue = Callable[[Machine, str], object]

_CHARGES = "/transactions?category=groceries&minAmount=4000&pending=false"
_IN_BRACES = re.compile(r"(?<!\$)\{([a-z]+)\}")


def filled(machine: Machine, profile: str, line: str) -> str:
    """A line with the values of the household of a profile."""
    return _IN_BRACES.sub(lambda found: str(VALUES[found[1]](machine, profile)), line)


def _first(path: str, *way: str | int) -> HouseholdValue:
    def look(machine: Machine, profile: str) -> object:
        answer = machine.ask(profile, "GET", path)
        for each in way:
            answer = answer[each]
        return answer

    return look


def _rest_of_the_charge(machine: Machine, profile: str) -> str:
    amount: Any = _first(_CHARGES, "transactions", 0, "amount")(machine, profile)
    return f"{-amount / 100 - 30:.2f}"


def _key(machine: Machine, profile: str) -> object:
    asked = {"name": "for a page", "scopes": ["service:read"]}
    return machine.ask(profile, "POST", "/keys", asked)["key"]


def _webhook(machine: Machine, profile: str) -> object:
    found = machine.ask(profile, "GET", "/webhooks")
    if not found:
        asked = {"url": "https://127.0.0.1:1/", "events": ["plan.built"]}
        return machine.ask(profile, "POST", "/webhooks", asked)["webhook"]["id"]
    return found[0]["id"]


def _delivery(machine: Machine, profile: str) -> object:
    hook = _webhook(machine, profile)
    sent = machine.ask(profile, "POST", f"/webhooks/{hook}/test", {})["id"]
    # One that is under way is not sent once more; what nobody takes is tried at once.
    machine.type(f"finplan webhooks test {hook}", profile)
    return sent


def _browser(machine: Machine, profile: str) -> object:
    machine.in_daemon(profile, sign_in_a_browser)
    return _first("/sessions", -1, "id")(machine, profile)


def _rule(machine: Machine, profile: str) -> object:
    asked = {"payeeKey": "amazon", "category": "shopping"}
    return machine.ask(profile, "PUT", "/categories/rules", asked)["id"]


VALUES: Mapping[str, HouseholdValue] = {
    "agent": lambda machine, profile: machine.in_daemon(profile, claim_an_agent)[0],
    "browser": _browser,
    "charge": _first(_CHARGES, "transactions", 0, "id"),
    "delivery": _delivery,
    "duplicate": _first("/duplicates", 0, "id"),
    "import": _first("/imports", -1, "id"),
    "key": _key,
    "port": lambda machine, profile: machine.daemon(profile).port,
    "profile": _first("/imports/profiles", 0, "id"),
    "project": lambda _machine, _profile: PROJECT,
    "rest": _rest_of_the_charge,
    "rule": _rule,
    "series": _first("/recurring", 0, "id"),
    "task": _first("/tasks", 0, "id"),
    "theme": _first("/categories/suggestions", 0, "name"),
    "transfer": _first("/transfers", 0, "id"),
    "webhook": _webhook,
}
"""What each name in braces stands for."""
