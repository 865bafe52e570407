"""The tutorials: every command line in them works, in the order in which a reader types them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from finplan.cli.app import run
from finplan.cli.console.session import Session
from finplan.handbook.pages import HandbookPage, handbook
from finplan.setting_values import LARGEST_RATE_LIMIT
from tests.daemon.ports import free_ports

TUTORIALS = {each.name: each for each in handbook().values() if each.shelf == "tutorials"}

OF_ONES_OWN = frozenset({"first-plan", "statement-files"})
"""Those that begin with nothing; the others are about the demo household."""

ELSEWHERE = "On the new computer"
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
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
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
        first = free_ports(len(DAEMONS))
        for port, daemon in enumerate(DAEMONS, first):
            (machine / daemon).mkdir(parents=True)
            (machine / daemon / "finplan.toml").write_text(f"port = {port}\n")
        Path("checking.csv").write_text(statement(CHECKING))
        Path("card.csv").write_text(statement(CARD))
        yield machine
        for found in machine.glob("*/*/daemon.json"):
            patch.setenv("FINPLAN_HOME", str(found.parent.parent))
            run(["--profile", found.parent.name, "daemon", "stop"])


FIRST = ("first-plan", "statement-files")
"""Who begins reads these; the others are among the slow tests."""

EACH = [each if each in FIRST else pytest.param(each, marks=pytest.mark.slow) for each in TUTORIALS]


@pytest.mark.thorough
@pytest.mark.parametrize("name", EACH)
def test_every_command_of_a_tutorial_works(
    name: str, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed in their order, all command lines of a tutorial do what they are there for."""
    lines = list(commands(TUTORIALS[name]))
    assert lines
    own = name in OF_ONES_OWN
    monkeypatch.setenv("FINPLAN_HOME", str(machine / (name if own else "home")))
    monkeypatch.setenv("FINPLAN_PROFILE", "default" if own else "demo")
    if not own:
        assert run(["plan", "build", "--quiet"]) == 0
    for section, line in lines:
        with monkeypatch.context() as here:
            if section == ELSEWHERE:
                here.setenv("FINPLAN_HOME", str(machine / "new"))
                here.setenv("FINPLAN_PROFILE", "default")
            assert typed(line, machine, here) == ended(line), line


def ended(line: str) -> int:
    """The exit code that a line ends with here."""
    if line in UNANSWERED:
        return NOT_ARRIVED
    return INTERRUPTED if line in ASKS else 0


def typed(line: str, machine: Path, here: pytest.MonkeyPatch) -> int:
    """Type a line; who is asked for a password has one, and who is asked anything else leaves."""
    (machine / "typed").write_text(PASSWORD)
    if line in ASKS:
        here.setattr(Session, "interactive", True)
        here.setattr(Session, "ask", _left)
    with (machine / "typed").open() as keys:
        here.setattr("sys.stdin", keys)
        # The address of the page is somebody's; at this one nobody listens, which is told at once.
        return run(
            shlex.split(line.replace(f"{HOME}:8123", "127.0.0.1:1").replace(HOME, "127.0.0.1"))
        )


def _left(_session: Session, _question: str) -> str:
    raise KeyboardInterrupt
