"""The data key of a profile, under which secrets in its store are sealed: 32 bytes in base64.

It comes from the environment, from a credential of systemd, from the keyring of the system, or from a
file of its own, in this order. The choice is made at first start and written into that file. The daemon
never changes it by itself, since what was sealed under one key opens under no other.
"""

import base64
import binascii
import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from finplan.daemon.os_keyring import find_in_keyring, keep_in_keyring
from finplan.model.errors import Conflict
from finplan.settings import DATA_KEY_VARIABLE
from finplan.store.sealing import KEY_BYTES

CREDENTIAL = "finplan-data-key"
KEYRING = "keyring"
_FOLDER_OF_CREDENTIALS = "CREDENTIALS_DIRECTORY"


def data_key(file: Path, environ: Mapping[str, str] = os.environ) -> bytes:
    """The key of the profile whose choice stands in `file`; made at the first start.

    Raises Conflict when the chosen source has no key, or another one than before.
    """
    outside = {DATA_KEY_VARIABLE: _from_variable(environ), CREDENTIAL: _from_credential(environ)}
    if not file.exists():
        return _choose(file, outside)
    try:
        choice = json.loads(file.read_text(encoding="utf-8"))
        source, noted, name = choice["source"], choice["key"], choice.get("name")
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise _unusable(file, f"{file} cannot be read") from error
    if source == "file":
        return _read(noted, f"the file {file}")
    text = find_in_keyring(name) if source == KEYRING else outside.get(source)
    if text is None:
        told = "the keyring of the system" if source == KEYRING else source
        raise _unusable(file, f"{file} says that it comes from {told}, which gives none now")
    key = _read(text, source)
    if _mark(key) != noted:
        raise _unusable(file, f"{source} gives another one than before, as {file} can tell")
    return key


def _choose(file: Path, outside: Mapping[str, str | None]) -> bytes:
    for source, text in outside.items():
        if text is not None:
            key = _read(text, source)
            _write(file, {"source": source, "key": _mark(key)})
            return key
    key = secrets.token_bytes(KEY_BYTES)
    text = base64.b64encode(key).decode()
    # The folder is for the person who looks into the keyring; the rest tells stores apart.
    name = f"{file.parent} {secrets.token_hex(4)}"
    if keep_in_keyring(name, text):
        _write(file, {"source": KEYRING, "name": name, "key": _mark(key)})
    else:
        _write(file, {"source": "file", "key": text})
    return key


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


def _unusable(file: Path, reason: str) -> Conflict:
    return Conflict(
        f"There is no data key: {reason}. Give the former key back. If it is lost, remove {file.name};"
        " then secrets in the store are lost with it, and banks have to be linked again."
    )
