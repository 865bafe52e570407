"""The log says what was asked of which route and how it went, and never a value."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from finplan.daemon.logs import LARGEST_FILE, OLD_FILES, logging_to_file
from finplan.settings import Places, Settings
from tests.daemon.running import RunningDaemon

LINE = re.compile(r"^(GET|POST|DELETE|UNKNOWN) (/\S*|\(no such path\)) \d{3} \d+\.\d ms$")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(profile="default", places=Places(tmp_path, tmp_path, tmp_path))


@pytest.fixture(autouse=True)
def levels_as_before() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in ("", "finplan")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


async def test_a_line_names_the_template(
    daemon: RunningDaemon, caplog: pytest.LogCaptureFixture
) -> None:
    """Method, template, status, milliseconds: no id, no query string, no cookie, no unknown path."""
    with caplog.at_level(logging.INFO, "finplan.access"):
        await daemon.http.get("/api/v1/accounts/acc_secret")
        await daemon.http.get("/api/spending?merchant=secret")
        await daemon.http.get("/secret")
        await daemon.say(b"GET /secret HTTP/1.1\r\nA b: secret\r\n\r\n")

    lines = [record.getMessage() for record in caplog.records if record.name == "finplan.access"]
    assert all(map(LINE.match, lines)), lines
    assert [line.split(" ")[1] for line in lines[:2]] == ["/api/v1/accounts/{id}", "/api/spending"]
    assert [line.split(" ", 1)[1][:14] for line in lines[2:]] == ["(no such path)"] * 2
    assert "secret" not in caplog.text
    assert daemon.token not in caplog.text


def test_lines_reach_the_file_with_the_instant(settings: Settings) -> None:
    """A line carries its instant in UTC; the level that was set decides what is written."""
    with logging_to_file(settings, foreground=False):
        logging.getLogger("finplan.x").info("The first.")
        logging.getLogger("finplan.x").debug("Too fine.")
        logging.getLogger("elsewhere").info("Not ours.")

    (line,) = settings.places.log.read_text().splitlines()
    assert re.match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO The first\.$", line)


def test_no_line_commands_terminals(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither a message nor a trace holds what a terminal obeys; a trace keeps its lines."""
    with logging_to_file(settings, foreground=True):
        error = ValueError("odd\x1b[31m\u202e\x9b")
        logging.getLogger("finplan.x").error("It \x07failed.", exc_info=error)

    for content in (settings.places.log.read_text(), capsys.readouterr().err):
        assert content.replace("\n", "").isprintable()
        assert content.endswith("failed.\nValueError: odd [31m \n")


def test_a_trace_reaches_the_file(settings: Settings) -> None:
    """What nobody foresaw is written with its trace."""
    with logging_to_file(settings, foreground=False):
        try:
            int("odd")
        except ValueError:
            logging.getLogger("finplan.x").exception("It failed.")

    assert "ValueError: invalid literal" in settings.places.log.read_text()


def test_the_log_does_not_grow_without_end(settings: Settings) -> None:
    """Three files of a megabyte are kept, whatever is logged."""
    with logging_to_file(settings, foreground=False):
        for _ in range(500):
            logging.getLogger("finplan.x").info("x" * 10_000)

    files = sorted(settings.places.log.parent.glob("daemon.log*"))
    assert len(files) == 1 + OLD_FILES == 3
    assert all(file.stat().st_size <= LARGEST_FILE for file in files)


def test_the_foreground_hears_it(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    """In the foreground the same lines go to stderr, and none to stdout."""
    with logging_to_file(settings, foreground=True):
        logging.getLogger("finplan.x").info("Heard.")

    out, err = capsys.readouterr()
    assert out == ""
    assert "INFO Heard." in err
    assert "INFO Heard." in settings.places.log.read_text()
