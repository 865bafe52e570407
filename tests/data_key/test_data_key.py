"""The data key: chosen once, never changed by the daemon itself, and held while it is needed.

A new key stands beside the former one: written down first, and the former forgotten last. A person
may have moved it to the keyring of the system; one that encrypts answers.
"""

import base64
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.chainer import ChainerBackend

from finplan import data_key as keys
from finplan.data_key import (
    CREDENTIAL,
    HeldKeys,
    Place,
    changing,
    data_key,
    key_at_start,
    move_data_key,
    since_of,
)
from finplan.model.errors import Conflict, NotFound, SecretsUnreachable
from finplan.settings import DATA_KEY_VARIABLE as VARIABLE
from tests.data_key.keyrings import PlainText, Safe, preferring
from tests.present import present

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
    key = present(key_at_start(file, {}))

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


def test_systemds_credential_comes_after_variables(file: Path, credentials: dict[str, str]) -> None:
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
def test_a_failing_source_is_told_and_stays(file: Path, environment: dict[str, str]) -> None:
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


@pytest.fixture
def started_file(tmp_path: Path) -> Path:
    file = tmp_path / "data_key.json"
    key_at_start(file, {})
    return file


def test_a_key_that_was_made_anew_is_sealed_under_at_once(started_file: Path) -> None:
    """Another process has made it; what this one held before opens for as long as it lives."""
    held = HeldKeys(started_file, {})
    (former,) = held()

    newest, _ = keys.begin_rotation(started_file)
    assert held() == (newest, former)
    keys.end_rotation(started_file)
    assert held() == (newest, former)
    assert HeldKeys(started_file, {})() == (newest,)


def test_a_key_that_was_moved_is_not_asked_for(started_file: Path) -> None:
    """A daemon that reaches no keyring goes on with the key that it holds, which is the same."""
    held = HeldKeys(started_file, {})
    keys = held()
    with preferring(Safe()) as safe:
        move_data_key(started_file, "keyring")
        safe.locked = True
        assert held() == keys
        with pytest.raises(SecretsUnreachable):
            HeldKeys(started_file, {})()


def test_nothing_is_sealed_under_a_key_that_is_the_newest_no_more(started_file: Path) -> None:
    """Who cannot have the new key, since the keyring is locked, is told so instead."""
    with preferring(Safe()) as safe:
        move_data_key(started_file, "keyring")
        held = HeldKeys(started_file, {})
        held()
        keys.begin_rotation(started_file)
        safe.locked = True
        with pytest.raises(SecretsUnreachable):
            held()
        safe.locked = False
        assert held()[0] == keys.keys_of(started_file).newest


@pytest.mark.parametrize("content", [None, "", "[]"])
def test_a_file_that_is_gone_ends_no_daemon(started_file: Path, content: str | None) -> None:
    """What it holds was right until then, and goes on to be."""
    held = HeldKeys(started_file, {})
    keys = held()
    if content is None:
        started_file.unlink()
    else:
        started_file.write_text(content)

    assert held() == keys


ZEROS = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


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

    assert "link banks again" in refused.value.message
    assert file.read_bytes() == before


def test_one_process_at_a_time_changes_the_choice(file: Path) -> None:
    """A move and a key made anew never meet: the second of them is told to wait."""
    key_at_start(file, {})
    with changing(file), pytest.raises(Conflict, match="Another process"):
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


@pytest.fixture
def safe() -> Iterator[Safe]:
    """A keyring that may be used, and that the library prefers."""
    with preferring(Safe()) as safe:
        yield safe


def source_in(file: Path) -> object:
    return json.loads(file.read_text())["source"]


def moved(file: Path) -> bytes:
    """The key of a profile that has been moved into the keyring."""
    key = present(key_at_start(file, {}))
    assert move_data_key(file, "keyring")
    return key


def test_a_first_start_asks_no_keyring(file: Path, safe: Safe) -> None:
    """However well it could be kept there, the key is in its file until a person moves it."""
    key = key_at_start(file, {})

    assert source_in(file) == "file"
    assert data_key(file, {}) == key
    assert not safe.asked


def test_a_moved_key_is_in_the_keyring_alone(file: Path, safe: Safe) -> None:
    """The file says that it is there and under which name; the key is the same, and asked for late."""
    key = moved(file)

    ((service, name),) = safe.kept
    assert service == "finplan"
    assert name.startswith(str(file.parent))
    assert source_in(file) == "keyring"
    assert safe.kept[service, name] not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    safe.asked = 0
    assert key_at_start(file, {}) is None
    assert not safe.asked
    assert data_key(file, {}) == key


def test_a_key_is_taken_back(file: Path, safe: Safe) -> None:
    """Back in its file it is the same key, and the keyring has it no longer."""
    key = moved(file)

    assert move_data_key(file, "file")

    assert (source_in(file), safe.kept) == ("file", {})
    assert key_at_start(file, {}) == key


def test_the_file_has_it_first(file: Path, safe: Safe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes, name and folder are on the disk, and it was read back, whenever the power goes."""
    moved(file)
    done = list[str]()

    def noting(name: str, do: Callable[..., object]) -> Callable[..., object]:
        def note(*given: object, **how: object) -> object:
            answer = do(*given, **how)
            done.append(name)
            return answer

        return note

    sync = os.fsync

    def note_sync(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "bytes")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "replace", noting("name", Path.replace))
    monkeypatch.setattr(Path, "read_text", noting("read", Path.read_text))
    monkeypatch.setattr(safe, "delete_password", noting("forgotten", safe.delete_password))

    move_data_key(file, "file")

    assert done[done.index("bytes") :] == ["bytes", "name", "folder", "read", "forgotten"]


def test_forgetful_disks_keep_none(file: Path, safe: Safe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file does not give back what was written, the keyring keeps the key, and it is said."""
    moved(file)
    ((_, name),) = safe.kept
    before = dict(safe.kept)
    monkeypatch.setattr(base64, "b64encode", lambda _: b"A" * 43 + b"=")

    with pytest.raises(Conflict, match=name):
        move_data_key(file, "file")

    assert safe.kept == before


@pytest.mark.parametrize("place", ["file", "keyring"])
def test_moving_where_it_is_changes_nothing(file: Path, safe: Safe, place: Place) -> None:
    """Neither the file nor the keyring is touched."""
    key_at_start(file, {})
    if place == "keyring":
        move_data_key(file, place)
    before, asked = file.read_bytes(), safe.asked

    assert not move_data_key(file, place)

    assert (file.read_bytes(), safe.asked) == (before, asked)


def test_two_stores_have_two_keys_in_one_keyring(file: Path, safe: Safe) -> None:
    """A store that is made anew in the same folder takes nothing from the former one."""
    key = moved(file)
    former = file.rename(file.with_name("former.json"))

    assert moved(file) != key
    assert data_key(former, {}) == key
    assert len(safe.kept) == 2


def test_a_key_from_outside_is_not_moved(file: Path, safe: Safe) -> None:
    """What the environment gives is whoever's who set it; no keyring is asked."""
    key_at_start(file, {VARIABLE: "A" * 43 + "="})

    with pytest.raises(Conflict, match=f"{VARIABLE}.*cannot move"):
        move_data_key(file, "keyring")

    assert source_in(file) == VARIABLE
    assert not safe.asked


def test_there_is_nothing_to_move_before_the_first_start(file: Path, safe: Safe) -> None:
    """Moving makes no key."""
    with pytest.raises(NotFound):
        move_data_key(file, "keyring")

    assert not file.exists()


def test_one_that_is_not_known_to_encrypt_is_not_used(file: Path, safe: Safe) -> None:
    """Whatever the library prefers, a keyring that is not on the list gets no key."""
    plain = PlainText()
    keyring.set_keyring(plain)
    key_at_start(file, {})
    before = file.read_bytes()

    with pytest.raises(SecretsUnreachable, match=r"stays in .*data_key\.json"):
        move_data_key(file, "keyring")

    assert file.read_bytes() == before
    assert not plain.asked


def test_the_first_usable_is_used(file: Path, safe: Safe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the library stands for several keyrings, those that are not allowed are passed over."""
    monkeypatch.setattr(ChainerBackend, "backends", [PlainText(), safe])
    keyring.set_keyring(ChainerBackend())  # type: ignore[no-untyped-call]

    moved(file)

    assert len(safe.kept) == 1


def test_a_hanging_one_is_left(file: Path, safe: Safe, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keyring whose prompt nobody answers holds up nothing: the key stays, or cannot be had."""
    key = moved(file)
    monkeypatch.setattr(keys, "KEYRING_PATIENCE", 0.01)
    safe.opened.clear()

    with pytest.raises(SecretsUnreachable):
        data_key(file, {})

    safe.opened.set()
    monkeypatch.undo()
    assert data_key(file, {}) == key


def test_a_deaf_one_gets_nothing(file: Path, safe: Safe, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keyring that says nothing and keeps nothing has not got the key, so the file keeps it."""
    key = key_at_start(file, {})
    monkeypatch.setattr(safe, "set_password", lambda *_: None)

    with pytest.raises(SecretsUnreachable):
        move_data_key(file, "keyring")

    assert key_at_start(file, {}) == key


@pytest.mark.parametrize("ask", [data_key, lambda file: move_data_key(file, "file")])
def test_a_locked_keyring_is_told(file: Path, safe: Safe, ask: Callable[[Path], object]) -> None:
    """While it is locked there is a sentence and no new key; unlocked, it gives the former one."""
    key = moved(file)
    before = file.read_bytes()
    safe.locked = True

    assert key_at_start(file, {}) is None
    with pytest.raises(SecretsUnreachable, match="keyring"):
        ask(file)

    assert file.read_bytes() == before
    safe.locked = False
    assert data_key(file, {}) == key


def test_another_key_under_the_name_is_refused(file: Path, safe: Safe) -> None:
    """What was sealed opens under the former key alone, so another one is no key."""
    moved(file)
    (place,) = safe.kept
    safe.kept[place] = "A" * 43 + "="

    with pytest.raises(Conflict, match="different key"):
        data_key(file, {})


START = """
import sys; from pathlib import Path; import finplan.daemon.process
from finplan.data_key import data_key
data_key(Path(sys.argv[1]), {}); print('keyring' in sys.modules)
"""


@pytest.mark.thorough
def test_the_library_is_loaded_only_when_it_is_asked(file: Path) -> None:
    """A start that has its key elsewhere pays nothing for keyrings."""
    key_at_start(file, {})
    start = [sys.executable, "-c", START, str(file)]

    ran = subprocess.run(start, capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"
