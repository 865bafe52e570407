"""The data key made anew: for a while there are two, and either opens what it sealed.

The new key is written down, beside the former, before anything is sealed under it, and the former one
goes when nothing is sealed under it any more. So a process may end at any moment: what the file has
opens everything, and whoever comes next goes on.
"""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from finplan.data_key.choice import (
    FILE,
    KEY_BYTES,
    KEYRING,
    KeyChoice,
    as_text,
    in_keyring,
    key_of,
    now_in_ms,
    read_choice,
    source_of,
    write_choice,
)
from finplan.data_key.os_keyring import forget_in_keyring
from finplan.model.errors import Conflict, Fault


class KeyPair(NamedTuple):
    """The key to seal under, and the former one; None where there is none, or nobody gives it."""

    newest: bytes
    former: bytes | None


def is_unfinished(file: Path) -> bool:
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


def begin(file: Path) -> KeyPair:
    """Make a new key, to be kept where the former one is; to be called while nobody else changes it.

    Raises Conflict for a key that is given from outside, or while a former one is there, and
    SecretsUnreachable where the keyring gives or takes none.
    """
    source_of(file)
    former = read_choice(file)
    if former.source not in (KEYRING, FILE):
        raise Conflict(
            f"The data key comes from {former.source}, so it is not finplan's to make anew, and it"
            " stays. To use another one all the same, stop the daemon, give that one there, and remove"
            f" {file.name}: secrets in the store are lost then, and banks have to be linked again."
        )
    if former.former is not None:
        raise Conflict("The data key is being made anew already.")
    held = key_of(former, file)
    key = secrets.token_bytes(KEY_BYTES)
    made = (
        KeyChoice(FILE, as_text(key))
        if former.source == FILE
        else in_keyring(file, key, "the keyring as it was")
    )
    write_choice(file, made._replace(since=now_in_ms(), former=former))
    return KeyPair(key, held)


def end(file: Path) -> None:
    """Forget the former key, since nothing is sealed under it any more."""
    choice = read_choice(file)
    if choice.former is None:
        return
    write_choice(file, choice._replace(former=None))
    if choice.former.source == KEYRING:
        forget_in_keyring(choice.former.name or "")
