"""The daemon's file is private, whole, by the interface's names, and read back as it was."""

import json
import stat
from pathlib import Path

import pytest

from finplan.client.announcement import (
    ROOM,
    Announcement,
    make_room,
    read_announcement,
    write_announcement,
)

HERE = Announcement(
    pid=7, port=8460, version="0.1.0", site_url="http://x", token="secret", started_at=1
)


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    """What was announced is what a client reads, under the outside names."""
    path = tmp_path / "daemon.json"
    write_announcement(path, HERE)

    assert read_announcement(path) == HERE
    assert set(json.loads(path.read_text())) == {
        "pid",
        "port",
        "version",
        "siteUrl",
        "token",
        "startedAt",
        "settings",
    }
    assert HERE.url == "http://127.0.0.1:8460"


def test_a_daemon_of_before_an_update_is_found(tmp_path: Path) -> None:
    """One that told no settings is read all the same, so that it can be ended."""
    path = tmp_path / "daemon.json"
    write_announcement(path, HERE)
    told = json.loads(path.read_text())
    del told["settings"]
    path.write_text(json.dumps(told))
    assert read_announcement(path) == HERE
    path.write_text("[]")
    assert read_announcement(path) is None


def test_it_is_private_whatever_lay_there(tmp_path: Path) -> None:
    """Only the owner may read it, also when an open file and a forgotten draft lay there before."""
    path = tmp_path / "daemon.json"
    for name in ("daemon.json", "daemon.json.new"):
        (tmp_path / name).write_text("{}")
        (tmp_path / name).chmod(0o644)

    write_announcement(path, HERE)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["daemon.json"]


@pytest.mark.parametrize("forgotten", [(), ("daemon.json",), ("daemon.json.new",)])
def test_room_that_was_taken_is_written_anew(tmp_path: Path, forgotten: tuple[str, ...]) -> None:
    """From then on no byte more is needed; what lay there gives its own room, and announces nothing."""
    path, draft = tmp_path / "daemon.json", tmp_path / "daemon.json.new"
    for name in forgotten:
        (tmp_path / name).write_text("{}")
        (tmp_path / name).chmod(0o600)
    before = [(tmp_path / name).stat().st_ino for name in forgotten]

    make_room(path)

    kept = draft.stat()
    assert [file.name for file in tmp_path.iterdir()] == [draft.name]
    assert (kept.st_size, stat.S_IMODE(kept.st_mode)) == (ROOM, 0o600)
    assert before in ([], [kept.st_ino])
    write_announcement(path, HERE)
    assert path.stat().st_ino == kept.st_ino
    assert read_announcement(path) == HERE
    assert len(path.read_bytes()) < ROOM


@pytest.mark.parametrize("content", ["", "{", "[]", "5", '{"pid": 7}', "\x00"])
def test_a_file_that_is_not_understood_is_none(tmp_path: Path, content: str) -> None:
    """Nonsense is no daemon, and no error."""
    (tmp_path / "daemon.json").write_text(content)

    assert read_announcement(tmp_path / "daemon.json") is None
    assert read_announcement(tmp_path / "nothing.json") is None


def test_a_newer_daemon_may_say_more(tmp_path: Path) -> None:
    """Fields that this version does not know are passed over."""
    write_announcement(tmp_path / "daemon.json", HERE)
    content = json.loads((tmp_path / "daemon.json").read_text())
    (tmp_path / "daemon.json").write_text(json.dumps(content | {"mood": "good"}))

    assert read_announcement(tmp_path / "daemon.json") == HERE


def test_the_token_is_not_shown() -> None:
    """An announcement in a message or a trace keeps its token to itself."""
    assert "secret" not in repr(HERE)
