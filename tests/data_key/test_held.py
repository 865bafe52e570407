"""The keys that a process holds: taken up anew when the file tells of others, and never lost before."""

from pathlib import Path

import pytest

from finplan import data_key
from finplan.data_key import HeldKeys, key_at_start, move_data_key
from finplan.model.errors import SecretsUnreachable
from tests.data_key.keyrings import Safe, preferring


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "data_key.json"
    key_at_start(file, {})
    return file


def test_a_key_that_was_made_anew_is_sealed_under_at_once(file: Path) -> None:
    """Another process has made it; what this one held before opens for as long as it lives."""
    held = HeldKeys(file, {})
    (former,) = held()

    newest, _ = data_key.begin_rotation(file)
    assert held() == (newest, former)
    data_key.end_rotation(file)
    assert held() == (newest, former)
    assert HeldKeys(file, {})() == (newest,)


def test_a_key_that_was_moved_is_not_asked_for(file: Path) -> None:
    """A daemon that reaches no keyring goes on with the key that it holds, which is the same."""
    held = HeldKeys(file, {})
    keys = held()
    with preferring(Safe()) as safe:
        move_data_key(file, "keyring")
        safe.locked = True
        assert held() == keys
        with pytest.raises(SecretsUnreachable):
            HeldKeys(file, {})()


def test_nothing_is_sealed_under_a_key_that_is_the_newest_no_more(file: Path) -> None:
    """Who cannot have the new key, since the keyring is locked, is told so instead."""
    with preferring(Safe()) as safe:
        move_data_key(file, "keyring")
        held = HeldKeys(file, {})
        held()
        data_key.begin_rotation(file)
        safe.locked = True
        with pytest.raises(SecretsUnreachable):
            held()
        safe.locked = False
        assert held()[0] == data_key.keys_of(file).newest


@pytest.mark.parametrize("content", [None, "", "[]"])
def test_a_file_that_is_gone_ends_no_daemon(file: Path, content: str | None) -> None:
    """What it holds was right until then, and goes on to be."""
    held = HeldKeys(file, {})
    keys = held()
    if content is None:
        file.unlink()
    else:
        file.write_text(content)

    assert held() == keys
