"""`finplan secrets`: the person moves the key, is told what it means, and why when it cannot be."""

import json
from collections.abc import Iterator

import pytest

from finplan.data_key.choice import data_key, key_at_start
from finplan.settings import load_settings
from tests.cli.conftest import Run
from tests.data_key.keyrings import Safe, preferring


@pytest.fixture
def safe() -> Iterator[Safe]:
    with preferring(Safe()) as safe:
        yield safe


@pytest.fixture
def key(finplan: Run) -> bytes:
    """The key of a profile whose daemon has started before."""
    file = load_settings().places.data_key
    file.parent.mkdir(parents=True)
    made = key_at_start(file, {})
    assert made is not None
    return made


def test_there_and_back(finplan: Run, key: bytes, safe: Safe) -> None:
    """Each way says where the key is, and what that means; the key is the same all the time."""
    file = load_settings().places.data_key

    there = finplan("secrets", "move", "keyring")
    assert (there.code, there.out) == (0, b"The data key is kept in the keyring.\n")
    assert "cron or over ssh" in there.err
    assert "exit code 6" in there.err
    assert data_key(file, {}) == key
    assert json.loads(finplan("secrets", "--json").out) == {
        "dataKey": {"source": "keyring", "file": str(file)}
    }

    back = finplan("secrets", "move", "file")
    assert (back.code, back.out) == (0, f"The data key is kept in {file}.\n".encode())
    assert data_key(file, {}) == key
    again = finplan("secrets", "move", "file")
    assert (again.code, again.err) == (0, "It was kept there already.\n")


def test_a_keyring_that_gives_nothing_is_exit_code_6(finplan: Run, key: bytes, safe: Safe) -> None:
    """Neither way goes on without the keyring; a sentence says that the key stays."""
    safe.locked = True
    there = finplan("secrets", "move", "keyring")
    assert (there.code, there.out) == (6, b"")
    assert "the data key stays in" in there.err
    safe.locked = False
    finplan("secrets", "move", "keyring")
    safe.locked = True

    back = finplan("secrets", "move", "file")

    assert (back.code, back.out) == (6, b"")
    assert "keyring of the system" in back.err


def test_before_the_first_start_there_is_no_key(finplan: Run, safe: Safe) -> None:
    """Nothing is made by looking, or by moving."""
    assert (finplan("secrets").code, finplan("secrets", "move", "keyring").code) == (4, 4)
    assert not load_settings().places.data.exists()


def test_another_place_is_a_usage_error(finplan: Run, key: bytes) -> None:
    """There are two places, and the help names both."""
    ended = finplan("secrets", "move", "pocket")

    assert ended.code == 2
    assert "keyring" in ended.err
