"""A new key beside the former one: written down first, and the former forgotten last."""

import json
from pathlib import Path

import pytest

from finplan import data_key as keys
from finplan.data_key import changing, data_key, key_at_start, move_data_key, since_of
from finplan.model.errors import Conflict, SecretsUnreachable
from finplan.settings import DATA_KEY_VARIABLE as VARIABLE
from tests.data_key.keyrings import Safe, preferring

ZEROS = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data_key.json"


def test_a_file_has_both_until_the_end(file: Path) -> None:
    """The new key is the first of two, and then the only one; the day that it was made is noted."""
    former = key_at_start(file, {})

    newest, held = keys.begin_rotation(file)

    assert held == former != newest
    assert keys.keys_of(file, {}) == (newest, former)
    assert data_key(file, {}) == newest
    assert keys.is_rotation_unfinished(file)
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Conflict, match="already"):
        keys.begin_rotation(file)
    with pytest.raises(Conflict, match="finplan secrets rotate"):
        move_data_key(file, "keyring")
    keys.end_rotation(file)
    assert keys.keys_of(file, {}) == (newest, None)
    assert not keys.is_rotation_unfinished(file)
    assert since_of(file) is not None


def test_a_keyring_has_both_until_the_end(file: Path) -> None:
    """The new key goes where the former was, and no key is in the file; the former then goes."""
    key_at_start(file, {})
    with preferring(Safe()) as safe:
        move_data_key(file, "keyring")
        former = data_key(file, {})

        newest, _ = keys.begin_rotation(file)

        assert keys.keys_of(file, {}) == (newest, former)
        assert len(safe.kept) == 2
        assert json.loads(file.read_text())["source"] == "keyring"
        keys.end_rotation(file)
        assert len(safe.kept) == 1
        assert data_key(file, {}) == newest


def test_a_keyring_that_is_locked_changes_nothing(file: Path) -> None:
    """There is no new key before the former is there and the keyring has taken the new one."""
    key_at_start(file, {})
    with preferring(Safe()) as safe:
        move_data_key(file, "keyring")
        before = file.read_bytes()
        safe.locked = True
        with pytest.raises(SecretsUnreachable):
            keys.begin_rotation(file)
    assert file.read_bytes() == before


def test_a_key_from_outside_is_not_made_anew(file: Path) -> None:
    """It is said whose it is, and what to do instead."""
    key_at_start(file, {VARIABLE: ZEROS})
    before = file.read_bytes()

    with pytest.raises(Conflict, match=VARIABLE) as refused:
        keys.begin_rotation(file)

    assert "linked again" in refused.value.message
    assert file.read_bytes() == before


def test_one_process_at_a_time_changes_the_choice(file: Path) -> None:
    """A move and a key made anew never meet: the second of them is told to wait."""
    key_at_start(file, {})
    with changing(file), pytest.raises(Conflict, match="another process"):
        move_data_key(file, "keyring")


def test_a_file_of_an_older_version_has_no_day(file: Path) -> None:
    """What nobody noted is not guessed, and goes on to be unknown when the key is moved."""
    file.write_text(json.dumps({"source": "file", "key": ZEROS}))
    assert since_of(file) is None
    with preferring(Safe()):
        move_data_key(file, "keyring")
        assert since_of(file) is None
        keys.begin_rotation(file)
    assert since_of(file) is not None
