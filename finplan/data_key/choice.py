"""The data key of a profile, under which secrets in its store are sealed: 32 bytes in base64.

It comes from the environment, from a credential of systemd, from the keyring of the system, or from a
file of its own. The choice is made at first start and written into that file: what is given from outside
goes first, and the keyring is never chosen unless a person asks for it. Nothing but a person's word
changes the choice, since what was sealed under one key opens under no other.
"""

import base64
import binascii
import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from finplan.data_key.os_keyring import find_in_keyring, forget_in_keyring, keep_in_keyring
from finplan.model.errors import Conflict, NotFound, SecretsUnreachable
from finplan.settings import DATA_KEY_VARIABLE

KEY_BYTES = 32
CREDENTIAL = "finplan-data-key"
KEYRING, FILE = "keyring", "file"
Place = Literal["keyring", "file"]
"""Where a person may have the key kept."""

_FOLDER_OF_CREDENTIALS = "CREDENTIALS_DIRECTORY"


class _Choice(NamedTuple):
    """What stands in the file; `noted` is the key itself where the file keeps it, else its mark."""

    source: str
    noted: str
    name: str | None


def key_at_start(file: Path, environ: Mapping[str, str] = os.environ) -> bytes | None:
    """The key of the profile whose choice stands in `file`, made at the first start.

    None where it is in the keyring, which is asked only when something is to be sealed. Raises Conflict
    when the chosen source has no key, or another one than before.
    """
    if not file.exists():
        return _choose(file, environ)
    return None if _read_choice(file).source == KEYRING else data_key(file, environ)


def data_key(file: Path, environ: Mapping[str, str] = os.environ) -> bytes:
    """The key of the profile whose choice stands in `file`; a keyring may take seconds to answer.

    Raises SecretsUnreachable when the keyring gives none, and Conflict as `key_at_start`.
    """
    choice = _read_choice(file)
    if choice.source == FILE:
        return _read(choice.noted, f"the file {file}")
    told = "the keyring of the system" if choice.source == KEYRING else choice.source
    if choice.source == KEYRING:
        text = find_in_keyring(choice.name or "")
        if text is None:
            raise SecretsUnreachable(
                "The data key is in the keyring of the system, which does not give it: it is locked, or"
                " this daemon was started by cron or over ssh, where there is none. Unlock it, or stop"
                " the daemon and start it in your desktop session."
            )
    else:
        text = _from_outside(environ).get(choice.source)
        if text is None:
            raise _unusable(file, f"{file} says that it comes from {told}, which gives none now")
    key = _read(text, told)
    if _mark(key) != choice.noted:
        raise _unusable(file, f"{told} gives another one than before, as {file} can tell")
    return key


def source_of(file: Path) -> str:
    """Where the key comes from: `file`, `keyring`, or the name of what gives it from outside.

    Raises NotFound before the first start, and Conflict when the file cannot be read.
    """
    if not file.exists():
        raise NotFound("There is no data key yet: the daemon makes it when it first starts.")
    return _read_choice(file).source


def move_data_key(file: Path, place: Place) -> bool:
    """Keep the same key in another place from now on; False when it is there already.

    The new place has it, and gives it back, before the old one loses it; a file has it once it and its
    name are on the disk. Raises SecretsUnreachable when the keyring does
    not take it or give it, Conflict when it is given from outside, and NotFound before the first start.
    """
    source = source_of(file)
    if source == place:
        return False
    if source not in (KEYRING, FILE):
        raise Conflict(
            f"The data key comes from {source}, so it is not finplan's to move. It stays where it is."
        )
    key, former = data_key(file), _read_choice(file)
    text = base64.b64encode(key).decode()
    if place == FILE:
        _write(file, {"source": FILE, "key": text})
        if data_key(file) != key:
            raise Conflict(
                f"{file} does not hold what was written into it, so the data key stays in the keyring,"
                f" too, under the name {former.name!r}. See whether the disk is sound."
            )
        forget_in_keyring(former.name or "")
        return True
    # The folder is for the person who looks into the keyring; the rest tells stores apart.
    name = f"{file.parent} {secrets.token_hex(4)}"
    if not keep_in_keyring(name, text):
        raise SecretsUnreachable(
            "There is no keyring that encrypts what it keeps, or it is locked or does not answer, so the"
            f" data key stays in {file}."
        )
    _write(file, {"source": KEYRING, "name": name, "key": _mark(key)})
    return True


def _choose(file: Path, environ: Mapping[str, str]) -> bytes:
    for source, text in _from_outside(environ).items():
        if text is not None:
            key = _read(text, source)
            _write(file, {"source": source, "key": _mark(key)})
            return key
    key = secrets.token_bytes(KEY_BYTES)
    _write(file, {"source": FILE, "key": base64.b64encode(key).decode()})
    return key


def _read_choice(file: Path) -> _Choice:
    try:
        choice = json.loads(file.read_text(encoding="utf-8"))
        return _Choice(choice["source"], choice["key"], choice.get("name"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _unusable(file, f"{file} cannot be read") from error


def _from_outside(environ: Mapping[str, str]) -> dict[str, str | None]:
    return {DATA_KEY_VARIABLE: _from_variable(environ), CREDENTIAL: _from_credential(environ)}


def _from_variable(environ: Mapping[str, str]) -> str | None:
    return environ.get(DATA_KEY_VARIABLE) or None


def _from_credential(environ: Mapping[str, str]) -> str | None:
    folder = environ.get(_FOLDER_OF_CREDENTIALS)
    if not folder or not (Path(folder) / CREDENTIAL).exists():
        return None
    return (Path(folder) / CREDENTIAL).read_text(encoding="ascii", errors="replace")


def _read(text: str, source: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise Conflict(
            f"The data key from {source} is not {KEY_BYTES} bytes in base64."
            f" `openssl rand -base64 {KEY_BYTES}` makes one."
        )
    return key


def _mark(key: bytes) -> str:
    """What tells a key from others and says nothing about it."""
    return hashlib.sha256(b"finplan data key " + key).hexdigest()[:16]


def _write(file: Path, choice: Mapping[str, str]) -> None:
    draft = file.with_name(file.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as content:
        json.dump(choice, content)
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
        f"There is no data key: {reason}. Give the former key back. If it is lost, remove {file.name};"
        " then secrets in the store are lost with it, and banks have to be linked again."
    )
