"""Every command line that README, handbook, help and manual show does what stands beside it."""

import re
import shutil
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from finplan.cli.app import run
from tests.handbook.shown.finding import Shown, all_shown, of_manual, of_page
from tests.handbook.shown.machine import (
    DEMO,
    LEFT,
    MACHINE,
    NEW,
    OWN,
    RESTORED,
    Ended,
    Machine,
    machine_in,
)
from tests.handbook.shown.statements import SETTLED, write_statements
from tests.handbook.shown.typed import (
    BEFORE,
    ELSEWHERE,
    EMPTY_HOUSEHOLD,
    ENDS,
    KEYS,
    LEAVES,
    ONCE,
    OWN_HOUSEHOLD,
    OWN_PROCESS,
    PUT,
    RESTORED_HOUSEHOLD,
    UNTIL_INTERRUPTED,
)
from tests.handbook.shown.values import filled

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

NAMED = re.compile(r"Missing argument|requires an argument|Say what to (?:set|find)")
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


@pytest.mark.sampled(4)
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


def test_command_lines_are_found() -> None:
    """Those of blocks and of code in a line, without remarks and prompts of cron; nothing else."""
    page = """\
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
    assert [each[1:] for each in of_page("p", page)] == [
        (1, "finplan plan build", False),
        (1, "make test", False),
        (3, "finplan me", True),
        (4, "finplan sync --quiet", True),
        (10, 'KEY=$(finplan keys create x)\ncurl "$KEY"', True),
    ]


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
