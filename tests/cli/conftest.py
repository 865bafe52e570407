"""What tests of the command line share: an empty home, a run in this process, and golden files."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console, Group, RenderableType
from rich.text import Text

from finplan.cli.app import run
from finplan.cli.console.session import Session
from finplan.settings import load_settings
from finplan.terminal.lines import STYLES, painted
from finplan.views.page import Page
from tests.cli.stub import Stub, stub_daemon
from tests.golden_files import Golden, kept_in
from tests.views import drawing


@dataclass(frozen=True)
class Ended:
    """How a run ended: its exit code and what it wrote."""

    code: int
    out: bytes
    err: str


Run = Callable[..., Ended]
Draw = Callable[..., str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for every profile."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def finplan(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command line in this process."""

    def run_here(*arguments: str) -> Ended:
        code = run(arguments)
        captured = capfdbinary.readouterr()
        return Ended(code, captured.out, captured.err.decode())

    return run_here


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Somebody sits at the terminal and replies what the test puts into the list."""
    replies: list[str] = []
    monkeypatch.setattr(Session, "interactive", True)
    monkeypatch.setattr(Session, "ask", lambda _session, _question: replies.pop(0))
    return replies


@pytest.fixture
def stub(home: Path) -> Iterator[Stub]:
    """A stub of the default profile's daemon."""
    with stub_daemon(load_settings()) as running:
        yield running


@pytest.fixture
def demo_stub(home: Path) -> Iterator[Stub]:
    """A stub of the demo profile's daemon."""
    with stub_daemon(load_settings("demo")) as running:
        yield running


@pytest.fixture
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine stands in Greenwich."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def draw(utc: None) -> Draw:
    """Draw an answer as plain text, as it is piped from a terminal of a width."""

    def draw_plain(drawn: RenderableType | Page, width: int = 80, room: int = 0) -> str:
        if isinstance(drawn, Page):
            drawn = Group(painted(drawing.drawn(drawn, width, room), STYLES))
        elif isinstance(drawn, Text):
            drawn = Group(painted(drawn, STYLES))
        console = Console(
            width=max(width, room),
            highlight=False,
            markup=False,
            emoji=False,
            color_system=None,
            force_terminal=False,
        )
        with console.capture() as capture:
            console.print(drawn, crop=False)
        return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())

    return draw_plain


@pytest.fixture
def golden() -> Golden:
    """Compare with a kept screen."""
    return kept_in("cli")
