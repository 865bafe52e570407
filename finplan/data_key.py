"""The data key of a profile, under which secrets in its store are sealed: 32 bytes in base64.

It comes from the environment, from a credential of systemd, from the keyring of the system, or from
a file of its own. The choice is made at first start and written into that file: what is given from
outside goes first, and the keyring is never chosen unless a person asks for it. Nothing but a
person's word changes the choice, since what was sealed under one key opens under no other. Of
keyrings only those are used that encrypt what they keep: others that may be installed write it into
a plain file.

While a person has the key made anew there are two, and either opens what it sealed. The new key is
written down, beside the former, before anything is sealed under it, and the former one goes when
nothing is sealed under it any more. So a process may end at any moment, and whoever comes next goes
on. Whoever seals looks at the file each time, so that nothing is sealed under a key that another
process has made anew meanwhile; what was sealed under a key that this process held opens for as
long as it lives.
"""

import base64
import binascii
import fcntl
import hashlib
import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from finplan.model.errors import Conflict, Fault, NotFound, SecretsUnreachable
from finplan.settings import DATA_KEY_VARIABLE

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

KEYRING_SERVICE = "finplan"
ALLOWED_KEYRINGS = frozenset(
    {
        "keyring.backends.SecretService.Keyring",
        "keyring.backends.Windows.WinVaultKeyring",
        "keyring.backends.kwallet.DBusKeyring",
        "keyring.backends.libsecret.Keyring",
        "keyring.backends.macOS.Keyring",
    }
)
KEYRING_PATIENCE = 8.0
"""How long a keyring may take, in seconds: a person may have to unlock it, and the bus may hang."""

log = logging.getLogger(__name__)


def keep_in_keyring(name: str, text: str) -> bool:
    """Keep a text under a name; answers whether it is there now."""

    def keep(keyring: "KeyringBackend") -> str | None:
        keyring.set_password(KEYRING_SERVICE, name, text)
        return keyring.get_password(KEYRING_SERVICE, name)

    return _asked_of_keyring(keep) == text


def find_in_keyring(name: str) -> str | None:
    """The text of a name; None when there is none, or no keyring that can be asked."""
    return _asked_of_keyring(lambda keyring: keyring.get_password(KEYRING_SERVICE, name))


def forget_in_keyring(name: str) -> None:
    """Delete the text of a name; one that cannot be deleted stays, and harms nobody."""

    def forget(keyring: "KeyringBackend") -> None:
        keyring.delete_password(KEYRING_SERVICE, name)

    _asked_of_keyring(forget)


def _asked_of_keyring(question: Callable[["KeyringBackend"], str | None]) -> str | None:
    answers = SimpleQueue[str | None]()

    def ask() -> None:
        try:
            keyring = _usable_keyring()
            answers.put(None if keyring is None else question(keyring))
        except Exception as error:  # noqa: BLE001 - one that stumbles is as good as none.
            log.warning("Cannot use the system keyring: %s.", type(error).__name__)
            answers.put(None)

    # A keyring that hangs cannot be interrupted; such a thread does not keep the process alive.
    threading.Thread(target=ask, name="keyring", daemon=True).start()
    try:
        return answers.get(timeout=KEYRING_PATIENCE)
    except Empty:
        log.warning("The system keyring did not answer within %.0f seconds.", KEYRING_PATIENCE)
        return None


def _usable_keyring() -> "KeyringBackend | None":
    """The keyring that the library prefers of those that are allowed."""
    # Loaded here alone: it looks for every keyring that there may be, and hardly anybody has chosen one.
    import keyring

    preferred = keyring.get_keyring()
    # Where several can be used, the library answers one that stands for them all.
    candidates = getattr(preferred, "backends", (preferred,))
    return next((ring for ring in candidates if _name_of_keyring(ring) in ALLOWED_KEYRINGS), None)


def _name_of_keyring(keyring: "KeyringBackend") -> str:
    return f"{type(keyring).__module__}.{type(keyring).__qualname__}"


KEY_BYTES = 32
CREDENTIAL = "finplan-data-key"
KEYRING, FILE = "keyring", "file"
Place = Literal["keyring", "file"]
"""Where a person may have the key kept."""

_FOLDER_OF_CREDENTIALS = "CREDENTIALS_DIRECTORY"


class KeyChoice(NamedTuple):
    """What stands in the file; `key` is the key itself where the file keeps it, else its mark.

    `since` is the instant in ms at which the key was made, None where an older version made it. `former`
    is the key before, while something may still be sealed under it.
    """

    source: str
    key: str
    name: str | None = None
    since: int | None = None
    former: "KeyChoice | None" = None

    def as_fields(self) -> dict[str, Any]:
        """The choice as the file has it."""
        values = self._asdict() | {"former": self.former and self.former.as_fields()}
        return {name: value for name, value in values.items() if value is not None}


def key_at_start(file: Path, environ: Mapping[str, str] = os.environ) -> bytes | None:
    """The key of the profile whose choice stands in `file`, made at the first start.

    None where it is in the keyring, which is asked only when something is to be sealed. Raises Conflict
    when the chosen source has no key, or another one than before.
    """
    if not file.exists():
        return _choose(file, environ)
    return None if read_choice(file).source == KEYRING else data_key(file, environ)


def data_key(file: Path, environ: Mapping[str, str] = os.environ) -> bytes:
    """The key of the profile whose choice stands in `file`; a keyring may take seconds to answer.

    Raises SecretsUnreachable when the keyring gives none, and Conflict as `key_at_start`.
    """
    return key_of(read_choice(file), file, environ)


def key_of(choice: KeyChoice, file: Path, environ: Mapping[str, str] = os.environ) -> bytes:
    """The key that a choice is about. Raises as `data_key`."""
    if choice.source == FILE:
        return _read_key(choice.key, f"the file {file}")
    if choice.source == KEYRING:
        origin, text = "the system keyring", find_in_keyring(choice.name or "")
        if text is None:
            raise SecretsUnreachable(
                "The system keyring does not return the data key: the keyring is locked, or this"
                " background service was started by cron or over ssh. Unlock it, or restart the"
                " service in your desktop session."
            )
    else:
        origin, text = choice.source, _from_outside(environ).get(choice.source)
        if text is None:
            raise _unusable(
                file,
                f"{file} says that the key comes from {origin}, which does not return a key now",
            )
    key = _read_key(text, origin)
    if mark_of(key) != choice.key:
        raise _unusable(
            file, f"{origin} now returns a different key from the one that {file} expects"
        )
    return key


def source_of(file: Path) -> str:
    """Where the key comes from: `file`, `keyring`, or the name of what gives it from outside.

    Raises NotFound before the first start, and Conflict when the file cannot be read.
    """
    if not file.exists():
        raise NotFound("No data key yet. finplan makes one when it first starts.")
    return read_choice(file).source


def since_of(file: Path) -> int | None:
    """The instant in ms at which the key was made; None where nobody noted it."""
    return read_choice(file).since


@contextmanager
def changing(file: Path) -> Iterator[None]:
    """Change the choice while nobody else does; the system ends the hold of a process that dies.

    Raises Conflict while another process changes it.
    """
    # The file itself is replaced, so that a hold on it would say nothing about the next one.
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Conflict(
                "Another process is moving or rotating the data key. Try again when that has"
                " finished."
            ) from error
        yield
    finally:
        os.close(folder)


def move_data_key(file: Path, target: Place) -> bool:
    """Keep the same key in another place from now on; False when it is there already.

    The new place has it, and gives it back, before the old one loses it; a file has it once it and its
    name are on the disk. Raises SecretsUnreachable when the keyring does not take it or give it,
    Conflict when it is given from outside, and NotFound before the first start.
    """
    source_of(file)
    with changing(file):
        return _move_key(file, target)


def _move_key(file: Path, target: Place) -> bool:
    former = read_choice(file)
    if former.source == target:
        return False
    if former.source not in (KEYRING, FILE):
        raise Conflict(
            f"The data key comes from {former.source}, so finplan cannot move it. Change it at"
            " its source."
        )
    if former.former is not None:
        raise Conflict(
            "The last rotation of the data key did not finish, so two keys are in use. Run"
            " `finplan secrets rotate` to finish it, then move the key."
        )
    key = key_of(former, file)
    if target == FILE:
        write_choice(file, KeyChoice(FILE, as_text(key), since=former.since))
        if data_key(file) != key:
            raise Conflict(
                f"{file} does not contain what finplan wrote, so the data key also stays in the"
                f" keyring, as {former.name!r}. Check your disk."
            )
        forget_in_keyring(former.name or "")
        return True
    write_choice(file, in_keyring(file, key, str(file))._replace(since=former.since))
    return True


def in_keyring(file: Path, key: bytes, stays: str) -> KeyChoice:
    """Put a key into the keyring; answers what says so. Raises SecretsUnreachable.

    `stays` says where the data key is then.
    """
    # The folder is for the person who looks into the keyring; the rest tells stores apart.
    name = f"{file.parent} {secrets.token_hex(4)}"
    if not keep_in_keyring(name, as_text(key)):
        raise SecretsUnreachable(
            "finplan found no encrypted keyring, or the keyring is locked. The data key stays in"
            f" {stays}."
        )
    return KeyChoice(KEYRING, mark_of(key), name)


def _choose(file: Path, environ: Mapping[str, str]) -> bytes:
    for source, text in _from_outside(environ).items():
        if text is not None:
            key = _read_key(text, source)
            write_choice(file, KeyChoice(source, mark_of(key), since=now_in_ms()))
            return key
    key = secrets.token_bytes(KEY_BYTES)
    write_choice(file, KeyChoice(FILE, as_text(key), since=now_in_ms()))
    return key


def read_choice(file: Path) -> KeyChoice:
    """What stands in the file. Raises Conflict where it cannot be read."""
    try:
        return _choice(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _unusable(file, f"{file} cannot be read") from error


def _choice(fields: Mapping[str, Any]) -> KeyChoice:
    former = fields.get("former")
    details = fields.get("name"), fields.get("since"), None if former is None else _choice(former)
    return KeyChoice(fields["source"], fields["key"], *details)


def _from_outside(environ: Mapping[str, str]) -> dict[str, str | None]:
    return {
        DATA_KEY_VARIABLE: environ.get(DATA_KEY_VARIABLE) or None,
        CREDENTIAL: _from_credential(environ),
    }


def _from_credential(environ: Mapping[str, str]) -> str | None:
    folder = environ.get(_FOLDER_OF_CREDENTIALS)
    if not folder or not (Path(folder) / CREDENTIAL).exists():
        return None
    return (Path(folder) / CREDENTIAL).read_text(encoding="ascii", errors="replace")


def _read_key(text: str, source: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise Conflict(
            f"The data key from {source} is not {KEY_BYTES} bytes in base64. To make a valid key,"
            f" run `openssl rand -base64 {KEY_BYTES}`."
        )
    return key


def as_text(key: bytes) -> str:
    """A key as the file or the keyring keeps it."""
    return base64.b64encode(key).decode()


def now_in_ms() -> int:
    """The present instant."""
    return time.time_ns() // 1_000_000


def mark_of(key: bytes) -> str:
    """What tells a key from others and says nothing about it."""
    return hashlib.sha256(b"finplan data key " + key).hexdigest()[:16]


def write_choice(file: Path, choice: KeyChoice) -> None:
    """Let the file have a choice, which is on the disk then, and never half of it."""
    draft = file.with_name(file.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as content:
        json.dump(choice.as_fields(), content)
        content.flush()
        os.fsync(content.fileno())
    draft.replace(file)
    # A name is on the disk only once its folder is.
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _unusable(file: Path, reason: str) -> Conflict:
    return Conflict(
        f"finplan cannot use the data key: {reason}. Put the old key back. If the key is lost,"
        f" remove {file.name}. You then lose the secrets in the store and have to link banks"
        " again."
    )


class KeyPair(NamedTuple):
    """The key to seal under, and the former one; None where there is none, or nobody gives it."""

    newest: bytes
    former: bytes | None


def is_rotation_unfinished(file: Path) -> bool:
    """Whether a former key is still there, since whoever made it anew did not come to the end."""
    return read_choice(file).former is not None


def keys_of(file: Path, environ: Mapping[str, str] = os.environ) -> KeyPair:
    """The keys that the file tells of. Raises SecretsUnreachable and Conflict for want of the newest."""
    choice = read_choice(file)
    newest = key_of(choice, file, environ)
    if choice.former is None:
        return KeyPair(newest, None)
    try:
        return KeyPair(newest, key_of(choice.former, file, environ))
    except Fault:
        # What is sealed already under the newest opens without it.
        return KeyPair(newest, None)


def begin_rotation(file: Path) -> KeyPair:
    """Make a new key, to be kept where the former one is; to be called while nobody else changes it.

    Raises Conflict for a key that is given from outside, or while a former one is there, and
    SecretsUnreachable where the keyring gives or takes none.
    """
    source_of(file)
    former = read_choice(file)
    if former.source not in (KEYRING, FILE):
        raise Conflict(
            f"The data key comes from {former.source}, so finplan cannot rotate it. To use"
            " another key, stop the background service, change the key there, and remove"
            f" {file.name}. You then lose the secrets in the store and have to link banks again."
        )
    if former.former is not None:
        raise Conflict(
            "A rotation of the data key is already under way. Wait until it has finished."
        )
    former_key = key_of(former, file)
    key = secrets.token_bytes(KEY_BYTES)
    choice = (
        KeyChoice(FILE, as_text(key))
        if former.source == FILE
        else in_keyring(file, key, "the keyring, unchanged")
    )
    write_choice(file, choice._replace(since=now_in_ms(), former=former))
    return KeyPair(key, former_key)


def end_rotation(file: Path) -> None:
    """Forget the former key, since nothing is sealed under it any more."""
    choice = read_choice(file)
    if choice.former is None:
        return
    write_choice(file, choice._replace(former=None))
    if choice.former.source == KEYRING:
        forget_in_keyring(choice.former.name or "")


_Stamp = tuple[int, int, int]


class HeldKeys:
    """Answers the keys of the profile whose choice stands in `file`, the one to seal under first."""

    def __init__(self, file: Path, environ: Mapping[str, str] = os.environ) -> None:
        self._file = file
        self._environ = environ
        self._turn = threading.Lock()
        self._keys: tuple[bytes, ...] = ()
        self._stamp: _Stamp | None = None

    def newest(self) -> bytes:
        """The key to seal under. Raises SecretsUnreachable and Conflict."""
        return self()[0]

    def __call__(self) -> tuple[bytes, ...]:
        """The keys, at least one. Raises SecretsUnreachable and Conflict where none can be had."""
        with self._turn:
            stamp = self._look()
            if not self._keys or stamp != self._stamp:
                self._keys = self._read()
                self._stamp = stamp
            return self._keys

    def _look(self) -> _Stamp | None:
        try:
            stat = self._file.stat()
        except OSError:
            return None
        return stat.st_ino, stat.st_mtime_ns, stat.st_size

    def _read(self) -> tuple[bytes, ...]:
        try:
            choice = read_choice(self._file)
        except Conflict:
            if self._keys:
                # The file was taken away or damaged; what is held was right until then.
                return self._keys
            raise
        if self._keys and choice.former is None and choice.source != FILE:
            # It was moved: a keyring that this process does not reach is not asked for what it holds.
            same = next((key for key in self._keys if mark_of(key) == choice.key), None)
            if same is not None:
                return tuple(dict.fromkeys((same, *self._keys)))
        newest, former = keys_of(self._file, self._environ)
        keys = (newest, *self._keys) if former is None else (newest, former, *self._keys)
        return tuple(dict.fromkeys(keys))
