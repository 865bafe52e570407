"""The data key: chosen once, at first start, and never changed by the daemon itself."""

import base64
import json
from pathlib import Path

import pytest

from finplan.data_key import CREDENTIAL, key_at_start
from finplan.model.errors import Conflict
from finplan.settings import DATA_KEY_VARIABLE as VARIABLE

KEY, OTHER = bytes(range(32)), bytes(32)
TEXT, OTHER_TEXT = (base64.b64encode(key).decode() for key in (KEY, OTHER))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data_key.json"


@pytest.fixture
def credentials(tmp_path: Path) -> dict[str, str]:
    """An environment in which systemd hands a key over."""
    folder = tmp_path / "credentials"
    folder.mkdir()
    (folder / CREDENTIAL).write_text(f"{TEXT}\n")
    return {"CREDENTIALS_DIRECTORY": str(folder)}


def test_without_a_word_from_outside_the_key_is_in_its_file(file: Path) -> None:
    """The first start makes a key, readable by its owner alone; later ones find the same."""
    key = key_at_start(file, {})

    assert key is not None
    assert len(key) == 32
    assert file.stat().st_mode & 0o777 == 0o600
    assert key_at_start(file, {}) == key
    assert key_at_start(file.with_name("another.json"), {}) != key


def test_a_key_of_the_environment_is_not_written_down(file: Path) -> None:
    """The file then says only where the key comes from, and how to tell it from another."""
    assert key_at_start(file, {VARIABLE: TEXT}) == KEY
    assert json.loads(file.read_text())["source"] == VARIABLE
    assert TEXT not in file.read_text()
    assert key_at_start(file, {VARIABLE: TEXT}) == KEY


def test_a_credential_of_systemd_comes_after_the_environment(
    file: Path, credentials: dict[str, str]
) -> None:
    """Of several sources the first one is chosen, and a line's end is no part of a key."""
    assert key_at_start(file, credentials) == KEY
    both = file.with_name("both.json")
    assert key_at_start(both, {**credentials, VARIABLE: OTHER_TEXT}) == OTHER
    assert key_at_start(both, {VARIABLE: OTHER_TEXT}) == OTHER


def test_a_source_that_comes_later_changes_nothing(file: Path, credentials: dict[str, str]) -> None:
    """Who started without the environment goes on without it: the key stays what it was."""
    key = key_at_start(file, {})

    assert key_at_start(file, {VARIABLE: TEXT}) == key
    assert key_at_start(file, credentials) == key


@pytest.mark.parametrize("environment", [{}, {VARIABLE: OTHER_TEXT}, {VARIABLE: "nonsense"}])
def test_a_source_that_fails_is_said_and_not_replaced(
    file: Path, environment: dict[str, str]
) -> None:
    """Without the key of before, or with another one, there is a sentence, and no new key."""
    key_at_start(file, {VARIABLE: TEXT})
    before = file.read_bytes()

    with pytest.raises(Conflict, match=VARIABLE):
        key_at_start(file, environment)

    assert file.read_bytes() == before


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"source": "file", "key": "c2hvcnQ="}'])
def test_a_broken_file_is_not_overwritten(file: Path, content: str) -> None:
    """A key file that cannot be read is named; what was sealed under its key may still matter."""
    file.write_text(content)

    with pytest.raises(Conflict, match=r"data_key\.json"):
        key_at_start(file, {})

    assert file.read_text() == content


@pytest.mark.parametrize("text", ["c2hvcnQ=", "not base64 at all!", "ü"])
def test_what_is_no_key_is_refused_at_first(file: Path, text: str) -> None:
    """32 bytes in base64 are asked for, and how to make them is said; nothing is chosen."""
    with pytest.raises(Conflict, match="openssl rand"):
        key_at_start(file, {VARIABLE: text})

    assert not file.exists()
