"""The data key in the keyring of the system: where there is one that encrypts, and it answers."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.chainer import ChainerBackend
from keyring.errors import KeyringLocked

from finplan.daemon import os_keyring
from finplan.daemon.data_key import data_key
from finplan.model.errors import Conflict
from finplan.settings import DATA_KEY_VARIABLE as VARIABLE


class Safe(KeyringBackend):
    """A keyring in memory, that can be locked, or hang."""

    priority = 5.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False
        self.opened = threading.Event()
        self.opened.set()
        self.asked = 0

    def get_password(self, service: str, username: str) -> str | None:
        self._open()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._open()
        self.kept[service, username] = password

    def _open(self) -> None:
        self.asked += 1
        self.opened.wait(10)
        if self.locked:
            raise KeyringLocked


class PlainText(Safe):
    """One that is not allowed."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data_key.json"


@pytest.fixture
def safe(monkeypatch: pytest.MonkeyPatch) -> Iterator[Safe]:
    """A keyring that may be used, and that the library prefers."""
    monkeypatch.setattr(os_keyring, "ALLOWED", {f"{Safe.__module__}.{Safe.__qualname__}"})
    before, safe = keyring.get_keyring(), Safe()
    keyring.set_keyring(safe)
    yield safe
    safe.opened.set()
    keyring.set_keyring(before)


def source_in(file: Path) -> object:
    return json.loads(file.read_text())["source"]


def test_the_key_is_kept_in_the_keyring_alone(file: Path, safe: Safe) -> None:
    """The file says that it is there and under which name; a later start finds the same key."""
    key = data_key(file, {})

    ((service, name),) = safe.kept
    assert service == "finplan"
    assert name.startswith(str(file.parent))
    assert source_in(file) == "keyring"
    assert safe.kept[service, name] not in file.read_text()
    assert data_key(file, {}) == key


def test_two_stores_have_two_keys_in_one_keyring(file: Path, safe: Safe) -> None:
    """A store that is made anew in the same folder takes nothing from the former one."""
    key = data_key(file, {})
    former = file.rename(file.with_name("former.json"))

    assert data_key(file, {}) != key
    assert data_key(former, {}) == key


def test_the_keyring_comes_after_the_environment(file: Path, safe: Safe) -> None:
    """With a key from outside no keyring is asked."""
    data_key(file, {VARIABLE: "A" * 43 + "="})

    assert source_in(file) == VARIABLE
    assert not safe.asked


def test_a_key_in_its_file_stays_there(file: Path, safe: Safe) -> None:
    """A keyring that comes later changes nothing, and is not even asked."""
    safe.locked = True
    key = data_key(file, {})
    safe.locked, safe.asked = False, 0

    assert source_in(file) == "file"
    assert data_key(file, {}) == key
    assert not safe.asked


def test_one_that_is_not_known_to_encrypt_is_not_used(file: Path, safe: Safe) -> None:
    """Whatever the library prefers, a keyring that is not on the list gets no key."""
    plain = PlainText()
    keyring.set_keyring(plain)

    data_key(file, {})

    assert source_in(file) == "file"
    assert not plain.asked


def test_of_several_the_first_that_may_be_used_is(
    file: Path, safe: Safe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the library stands for several keyrings, those that are not allowed are passed over."""
    monkeypatch.setattr(ChainerBackend, "backends", [PlainText(), safe])
    keyring.set_keyring(ChainerBackend())  # type: ignore[no-untyped-call]

    data_key(file, {})

    assert source_in(file) == "keyring"
    assert len(safe.kept) == 1


def test_one_that_hangs_is_not_waited_for(
    file: Path, safe: Safe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A keyring whose prompt nobody answers keeps no daemon from starting."""
    monkeypatch.setattr(os_keyring, "PATIENCE", 0.01)
    safe.opened.clear()

    data_key(file, {})

    assert source_in(file) == "file"


def test_a_chosen_keyring_that_fails_is_said(file: Path, safe: Safe) -> None:
    """While it is locked there is a sentence and no new key; unlocked, it gives the former one."""
    key = data_key(file, {})
    before = file.read_bytes()
    safe.locked = True

    with pytest.raises(Conflict, match="keyring of the system"):
        data_key(file, {})

    assert file.read_bytes() == before
    safe.locked = False
    assert data_key(file, {}) == key


def test_another_key_under_the_name_is_refused(file: Path, safe: Safe) -> None:
    """What was sealed opens under the former key alone, so another one is no key."""
    data_key(file, {})
    (place,) = safe.kept
    safe.kept[place] = "A" * 43 + "="

    with pytest.raises(Conflict, match="another one than before"):
        data_key(file, {})


def test_without_the_library_the_key_is_in_its_file(
    file: Path, safe: Safe, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library is an extra."""
    monkeypatch.setitem(sys.modules, "keyring", None)

    data_key(file, {})

    assert source_in(file) == "file"


def test_the_library_is_loaded_only_when_it_is_asked(file: Path) -> None:
    """A start that has its key elsewhere pays nothing for keyrings."""
    data_key(file, {})
    start = (
        "import sys; from pathlib import Path; import finplan.daemon.process;"
        " from finplan.daemon.data_key import data_key;"
        f" data_key(Path({str(file)!r}), {{}}); print('keyring' in sys.modules)"
    )

    ran = subprocess.run([sys.executable, "-c", start], capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"
