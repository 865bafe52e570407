"""Keyrings of a test's own, in memory."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from finplan import data_key


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

    def delete_password(self, service: str, username: str) -> None:
        self._open()
        del self.kept[service, username]

    def _open(self) -> None:
        self.asked += 1
        self.opened.wait(10)
        if self.locked:
            raise KeyringLocked


class PlainText(Safe):
    """One that is not allowed."""


@contextmanager
def preferring(safe: Safe) -> Iterator[Safe]:
    """Let a keyring be allowed, and the one that the library prefers."""
    before = keyring.get_keyring()
    keyring.set_keyring(safe)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data_key, "ALLOWED_KEYRINGS", {f"{Safe.__module__}.{Safe.__qualname__}"})
        yield safe
    safe.opened.set()
    keyring.set_keyring(before)
