"""The keys of a profile as a process holds them: looked up anew once the file tells of others.

Whoever seals looks at the file each time, so that nothing is sealed under a key that another process has
made anew meanwhile. What was sealed under a key that this process held opens for as long as it lives: it
may have read that before.
"""

import os
import threading
from collections.abc import Mapping
from pathlib import Path

from finplan.data_key.choice import FILE, mark_of, read_choice
from finplan.data_key.rotation import keys_of
from finplan.model.errors import Conflict

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
            found = self._file.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

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
            same = next((each for each in self._keys if mark_of(each) == choice.noted), None)
            if same is not None:
                return tuple(dict.fromkeys((same, *self._keys)))
        newest, former = keys_of(self._file, self._environ)
        known = (newest, *self._keys) if former is None else (newest, former, *self._keys)
        return tuple(dict.fromkeys(known))
