"""Every command line that README, handbook, help and manual show does what stands beside it.

What pages show of a terminal is what finplan prints there, but for days and figures; the tutorials
work in the order in which a reader types them.
"""

import re
import shlex
import shutil
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import date, timedelta
from importlib import import_module
from pathlib import Path

import pytest

from finplan.cli.app import run
from finplan.cli.console.session import Session
from finplan.handbook.pages import HandbookPage, handbook
from finplan.setting_values import LARGEST_RATE_LIMIT
from tests.crash.household import Row
from tests.crash.work import csv_of, ofx_of
from tests.daemon.ports import free_ports
from tests.handbook.shown import (
    BEFORE,
    BEGINS,
    DEMO,
    ELSEWHERE,
    EMPTY_HOUSEHOLD,
    ENDS,
    KEYS,
    LEAVES,
    LEFT,
    MACHINE,
    NEW,
    ONCE,
    OWN,
    OWN_HOUSEHOLD,
    OWN_PROCESS,
    PUT,
    RESTORED,
    RESTORED_HOUSEHOLD,
    SCRIPT,
    SETTLED,
    UNTIL_INTERRUPTED,
    Ended,
    Machine,
    Shown,
    all_shown,
    filled,
    machine_in,
    of_manual,
    of_page,
    write_statements,
)

SHOWN = all_shown()
HELP, TUTORIALS = "--help ", "tutorials/"
IN_THE_OPEN = (HELP, "README")
"""What is read first, and so looked at each time; other pages are among the slow tests."""

PLACES = [
    each if each.startswith(IN_THE_OPEN) else pytest.param(each, marks=pytest.mark.slow)
    for each in SHOWN
]
FIRST = {
    each.command: place
    for place in sorted(SHOWN, key=lambda each: each.startswith(IN_THE_OPEN))
    for each in SHOWN[place]
}
"""Where a command line is typed that is typed in one place alone."""

NAMED = re.compile(r"Missing argument|requires an argument|Give at least one")
"""What is said to a piece of code that only names a command or an option."""


@pytest.fixture(scope="module")
def own_store(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The store of a household of statement files."""
    folder = tmp_path_factory.mktemp("own")
    with (
        pytest.MonkeyPatch.context() as patch,
        machine_in(folder, {OWN: empty_store}, patch) as machine,
    ):
        write_statements(folder)
        machine.daemon(OWN)
        for line in SETTLED:
            assert run(["--profile", OWN, "--quiet", *line.split()]) == 0, line
    return folder / "home" / OWN / "finplan.db"


@pytest.fixture
def machine(
    tmp_path: Path,
    household_store: Path,
    own_store: Path,
    empty_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Iterator[Machine]:
    """A machine with the files that the handbook names."""
    stores = dict.fromkeys((DEMO, LEFT), household_store) | {OWN: own_store, NEW: empty_store}
    with machine_in(tmp_path, stores, monkeypatch, capfd) as machine:
        write_statements(tmp_path)
        place = tmp_path / ".local/share/finplan/default"
        (place / "backups").mkdir(parents=True)
        for copy in ("finplan.db", "backups/kept.db"):
            shutil.copy(empty_store, place / copy)
        yield machine


@pytest.mark.sampled(8)
@pytest.mark.parametrize("place", PLACES)
def test_every_command_that_is_shown_works(
    place: str, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed in the order of reading, each does what it is there for, or ends as it is told to end."""
    typed: list[str] = []
    for shown in SHOWN[place]:
        if is_run_elsewhere(shown):
            continue
        with monkeypatch.context() as here:
            if re.search(UNTIL_INTERRUPTED, shown.command):
                here.setattr(time, "sleep", _interrupted)
            ended = typed_in(machine, shown, typed)
        typed.append(shown.command)
        if shown.block or not NAMED.search(ended.err):
            code, said = ends(shown.command)
            assert (ended.code, said in ended.err) == (code, True), (shown, ended)


def test_what_is_run_elsewhere_is_shown() -> None:
    """Each excuse, each value and each ending is of a command line that stands somewhere."""
    lines = [each.command for shown in SHOWN.values() for each in shown]
    known = [
        *ELSEWHERE,
        *(pattern for pattern, _ in (*BEFORE, *PUT)),
        *(
            OWN_HOUSEHOLD,
            EMPTY_HOUSEHOLD,
            RESTORED_HOUSEHOLD,
            OWN_PROCESS,
            LEAVES,
            UNTIL_INTERRUPTED,
        ),
    ]
    idle = [each for each in known if not any(re.search(each, line) for line in lines)]
    idle += [each for each in (*KEYS, *dict(ENDS)) if not any(re.search(each, x) for x in lines)]
    assert idle == []


@pytest.mark.parametrize(
    ("module", "line"),
    sorted(
        {
            (found[1], found[2])
            for shown in SHOWN.values()
            for each in shown
            if (found := re.fullmatch(r"python -m (benchmarks\S*)(.*)", each.command))
        }
    ),
)
def test_options_of_the_benchmarks_are_theirs(
    module: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes minutes is not run, but it knows each option that a page shows."""
    package = import_module(module)
    program = import_module(f"{module}.__main__") if hasattr(package, "__path__") else package
    if not line:
        assert callable(program.main)
        return
    parse = ArgumentParser.parse_args

    def parse_alone(parser: ArgumentParser, arguments: list[str]) -> None:
        parse(parser, arguments)
        raise _Parsed

    monkeypatch.setattr(ArgumentParser, "parse_args", parse_alone)
    with pytest.raises(_Parsed):
        program.main(line.split())


class _Parsed(Exception):
    """Ends a program that has understood how it was called."""


def test_the_manual_shows_what_the_help_shows() -> None:
    """Each example of a manual page is one of the help of its command, and all of them are there."""
    of_help = {
        each.command
        for place, shown in SHOWN.items()
        for each in shown
        if place.startswith(HELP) and each.block and place != f"{HELP}finplan"
    }
    assert {line for lines in of_manual().values() for line in lines} == of_help


PAGE = """\
Say `finplan plan build` or see `finplan/docs`, `finplan.toml`, or call `make test`.

    finplan me          who you are
    0 7,19 * * *  finplan sync --quiet
    port = 8460

```
KEY=$(finplan keys create x)
curl "$KEY"
```
- An item
    of a list, `finplan accounts`
"""
ON_PAGE = [
    (1, "finplan plan build", False),
    (1, "make test", False),
    (3, "finplan me", True),
    (4, "finplan sync --quiet", True),
    (10, 'KEY=$(finplan keys create x)\ncurl "$KEY"', True),
]


def test_command_lines_are_found() -> None:
    """Those of blocks and of code in a line, without remarks and prompts of cron; nothing else."""
    assert [each[1:] for each in of_page("p", PAGE)] == ON_PAGE


def is_run_elsewhere(shown: Shown) -> bool:
    """Whether a line is not run here: it is excused, or the test of the tutorials types it."""
    if re.match(ONCE, shown.command) and FIRST[shown.command] != shown.place:
        return True
    of_tutorial = shown.place.startswith(TUTORIALS) and shown.block
    return (of_tutorial and shown.command.startswith("finplan")) or any(
        re.search(each, shown.command) for each in ELSEWHERE
    )


def typed_in(machine: Machine, shown: Shown, typed: list[str]) -> Ended:
    """Type a line as a reader does, after what has to come before it."""
    profile = profile_of(shown.command, machine)
    for pattern, form in BEFORE:
        found = re.search(pattern, shown.command)
        before = form.replace("{}", found[1]) if found and found.groups() else form
        if found and not any(before in each for each in typed):
            machine.type(filled(machine, profile, before), profile)
    line = shown.command
    for pattern, put in PUT:
        line = re.sub(pattern, put, line)
    keys = next((each for known, each in KEYS.items() if re.search(known, line)), "")
    return machine.type(filled(machine, profile, line), profile, keys)


def profile_of(command: str, machine: Machine) -> str:
    """Whose household a command is about."""
    if re.search(LEAVES, command):
        return machine.another()
    for pattern, profile in (
        (RESTORED_HOUSEHOLD, RESTORED),
        (OWN_PROCESS, MACHINE),
        (EMPTY_HOUSEHOLD, NEW),
        (OWN_HOUSEHOLD, OWN),
    ):
        if re.search(pattern, command):
            return profile
    return DEMO


def ends(command: str) -> tuple[int, str]:
    """The exit code of a command here, and what it says on stderr."""
    return next((told for known, told in ENDS if re.search(known, command)), (0, ""))


def _interrupted(_seconds: float) -> None:
    raise KeyboardInterrupt


BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = (BEGINS, SCRIPT)

ANY_DAY = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b")
ANY_FIGURE = re.compile(r"[\d,]*\d(?:\.\d+)?")


def screens(page: str) -> list[str]:
    """What a page shows of a terminal: its blocks of no language that hold no commands."""
    blocks = BLOCK.findall(handbook()[page].markdown)
    return [
        text.replace("Which one?", "")
        for language, text in blocks
        if not language and not any(each.match(text) for each in COMMANDS)
    ]


def masked(text: str) -> str:
    """A text without its days and figures."""
    return ANY_FIGURE.sub("0", ANY_DAY.sub("Jan", " ".join(text.split())))


@pytest.fixture
def left_machine(
    tmp_path: Path,
    household_store: Path,
    empty_store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Iterator[Machine]:
    """A machine at whose terminal somebody sits who leaves at the first question."""

    def leave(_session: Session, _question: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "ask", leave)
    stores = {DEMO: household_store, NEW: empty_store}
    with machine_in(tmp_path, stores, monkeypatch, capfd) as machine:
        yield machine


def asked(left_machine: Machine, line: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said up to the first question."""
    with monkeypatch.context() as here:
        here.setattr(Session, "interactive", True)
        return masked(left_machine.type(line, NEW).err)


def rows(first: date, days: int, step: int = 1) -> list[Row]:
    """A row of another size on every day."""
    return [
        Row(str(first + timedelta(day)), -(1_000 + 37 * day + day % 7), f"SHOP {day % 5}")
        for day in range(0, days, step)
    ]


def test_every_screen_is_known() -> None:
    """A page that shows one more has it looked at here."""
    shown = {name: len(screens(name)) for name in handbook() if screens(name)}
    assert shown == {"questions": 1, "statements": 3}


PREVIEW = "finplan tasks answer venmo rent --preview"


def test_what_an_answer_moves(left_machine: Machine) -> None:
    """The line that stands before an answer is kept."""
    ended = left_machine.type(PREVIEW, DEMO)
    # Some households may spend as much afterwards as before, and are told so.
    effect, changes, _ = masked(screens("questions")[0]).partition(" changes")
    assert changes
    assert effect in masked(ended.out + ended.err)


def test_which_way_money_goes(left_machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table without signs that tell anything is asked about, with its own rows."""
    table = "Date,Description,Amount\n2026-03-02,SHOP,5.00\n2026-03-03,REFUND,-1.00\n"
    (left_machine.folder / "card.csv").write_text(table)
    said = asked(left_machine, "finplan import card.csv", monkeypatch)
    assert masked(screens("statements")[0]) in said


FIRST_MONTH = "finplan import september.csv --kind checking --direction in"


def test_the_next_month(left_machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of other days with the columns of an account is asked about."""
    (left_machine.folder / "september.csv").write_bytes(csv_of(rows(date(2025, 9, 1), 30)))
    (left_machine.folder / "october.csv").write_bytes(csv_of(rows(date(2025, 10, 1), 31)))
    left_machine.type(FIRST_MONTH, NEW)
    said = asked(left_machine, "finplan import october.csv", monkeypatch)
    assert masked(screens("statements")[2]) in said


def test_the_same_account(left_machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of rows that are there is asked about, with how many are the same."""
    there = rows(date(2026, 1, 1), 60)
    (left_machine.folder / "alpha.ofx").write_bytes(
        ofx_of("Alpha", "99991234", there, "2026-03-02", 240_000)
    )
    others = [*there[:-2], *(row._replace(amount=row.amount - 1) for row in there[-2:])]
    (left_machine.folder / "checking.csv").write_bytes(csv_of(others))
    left_machine.type("finplan import alpha.ofx", NEW)
    said = asked(left_machine, "finplan import checking.csv", monkeypatch)
    assert masked(screens("statements")[1]) in said


TUTORIAL_PAGES = {each.name: each for each in handbook().values() if each.shelf == "tutorials"}

OF_ONES_OWN = frozenset({"first-plan", "statement-files"})
"""Those that begin with nothing; the others are about the demo household."""

ON_ANOTHER = "On the new computer"
"""The section whose commands are typed on another machine."""

HOME = "192.168.1.10"
"""Where the Home Assistant of the pages is."""

DAEMONS = (
    "home/demo",
    "new/default",
    "first-plan/demo",
    "first-plan/default",
    "statement-files/default",
)
"""The daemons that are started, by home and profile: each has a port that no other test takes."""

ASKS = frozenset({"tasks answer"})
"""What asks whoever sits at the terminal; here they leave at the first question."""

UNANSWERED = frozenset({f"webhooks test {HOME}"})
"""What tells that nobody answered, since no Home Assistant stands here."""

INTERRUPTED, NOT_ARRIVED = 130, 6
PASSWORD = "correct horse battery staple\n"  # Nobody has it.

CHECKING = ("Acme Corp payroll,2500.00", "Elm Street Apartments rent,-1200.00")
CARD = ("Whole Foods Market,-180.00", "Netflix,-15.99")


def commands(page: HandbookPage) -> Iterator[tuple[str, str]]:
    """The section of each command line of a page, and what stands behind `finplan`."""
    for section in page.sections:
        for line in re.findall(r"^ {4,}finplan (.+)$", section.text, re.MULTILINE):
            # What stands behind three spaces is a remark.
            yield section.title, line.partition("   ")[0]


def statement(rows: tuple[str, ...]) -> str:
    lines = [
        f"2026-{month:02d}-{day:02d},{row}\n"
        for month in range(1, 7)
        for day, row in enumerate(rows, 3)
    ]
    return "Date,Description,Amount (USD)\n" + "".join(lines)


@pytest.fixture(scope="module")
def readers_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A machine with two statement files, whose browser opens nothing; its daemons are stopped at last.

    All tutorials about the demo household share it, as one reader would.
    """
    machine = tmp_path_factory.mktemp("machine")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(machine)
        patch.setenv("HOME", str(machine))
        patch.setenv("COLUMNS", "80")
        patch.setenv("BROWSER", "true")
        # No browser comes, so that nobody waits for one.
        patch.setattr("finplan.cli.commands.people.PATIENCE_WITH_BROWSER", 0)
        # A test types in a minute what a person types in an hour.
        patch.setenv("FINPLAN_RATE_LIMIT", str(LARGEST_RATE_LIMIT))
        patch.setenv("FINPLAN_WEBHOOK_PRIVATE_TARGETS", "127.0.0.1")
        patch.delenv("APPDATA", raising=False)
        for port, daemon in enumerate(DAEMONS, free_ports(len(DAEMONS))):
            (machine / daemon).mkdir(parents=True)
            (machine / daemon / "finplan.toml").write_text(f"port = {port}\n")
        Path("checking.csv").write_text(statement(CHECKING))
        Path("card.csv").write_text(statement(CARD))
        yield machine
        for found in machine.glob("*/*/daemon.json"):
            patch.setenv("FINPLAN_HOME", str(found.parent.parent))
            run(["--profile", found.parent.name, "daemon", "stop"])


FIRST_READ = ("first-plan", "statement-files")
"""Who begins reads these; the others are among the slow tests."""

EACH = [
    each if each in FIRST_READ else pytest.param(each, marks=pytest.mark.slow)
    for each in TUTORIAL_PAGES
]


@pytest.mark.thorough
@pytest.mark.parametrize("name", EACH)
def test_every_command_of_a_tutorial_works(
    name: str, readers_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed in their order, all command lines of a tutorial do what they are there for."""
    lines = list(commands(TUTORIAL_PAGES[name]))
    assert lines
    own = name in OF_ONES_OWN
    monkeypatch.setenv("FINPLAN_HOME", str(readers_machine / (name if own else "home")))
    monkeypatch.setenv("FINPLAN_PROFILE", "default" if own else "demo")
    if not own:
        assert run(["plan", "build", "--quiet"]) == 0
    for section, line in lines:
        with monkeypatch.context() as here:
            if section == ON_ANOTHER:
                here.setenv("FINPLAN_HOME", str(readers_machine / "new"))
                here.setenv("FINPLAN_PROFILE", "default")
            assert typed(line, readers_machine, here) == ended(line), line


def ended(line: str) -> int:
    """The exit code that a line ends with here."""
    if line in UNANSWERED:
        return NOT_ARRIVED
    return INTERRUPTED if line in ASKS else 0


def typed(line: str, readers_machine: Path, here: pytest.MonkeyPatch) -> int:
    """Type a line; who is asked for a password has one, and who is asked anything else leaves."""
    (readers_machine / "typed").write_text(PASSWORD)
    if line in ASKS:
        here.setattr(Session, "interactive", True)
        here.setattr(Session, "ask", _left)
    with (readers_machine / "typed").open() as keys:
        here.setattr("sys.stdin", keys)
        # The address of the page is somebody's; at this one nobody listens, which is told at once.
        return run(
            shlex.split(line.replace(f"{HOME}:8123", "127.0.0.1:1").replace(HOME, "127.0.0.1"))
        )


def _left(_session: Session, _question: str) -> str:
    raise KeyboardInterrupt
