"""The keyring of the operating system: asked only when a person chose it, and never for long.

Of the keyrings that the library finds only those are used that encrypt what they keep: others that may
be installed write it into a plain file.
"""

import logging
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE = "finplan"
ALLOWED = frozenset(
    {
        "keyring.backends.SecretService.Keyring",
        "keyring.backends.Windows.WinVaultKeyring",
        "keyring.backends.kwallet.DBusKeyring",
        "keyring.backends.libsecret.Keyring",
        "keyring.backends.macOS.Keyring",
    }
)
PATIENCE = 8.0
"""How long a keyring may take, in seconds: a person may have to unlock it, and the bus may hang."""

log = logging.getLogger(__name__)


def keep_in_keyring(name: str, text: str) -> bool:
    """Keep a text under a name; answers whether it is there now."""

    def keep(keyring: "KeyringBackend") -> str | None:
        keyring.set_password(SERVICE, name, text)
        return keyring.get_password(SERVICE, name)

    return _asked(keep) == text


def find_in_keyring(name: str) -> str | None:
    """The text of a name; None when there is none, or no keyring that can be asked."""
    return _asked(lambda keyring: keyring.get_password(SERVICE, name))


def forget_in_keyring(name: str) -> None:
    """Delete the text of a name; one that cannot be deleted stays, and harms nobody."""

    def forget(keyring: "KeyringBackend") -> None:
        keyring.delete_password(SERVICE, name)

    _asked(forget)


def _asked(question: Callable[["KeyringBackend"], str | None]) -> str | None:
    answers = SimpleQueue[str | None]()

    def ask() -> None:
        try:
            keyring = _usable()
            answers.put(None if keyring is None else question(keyring))
        except Exception as error:  # noqa: BLE001 - one that stumbles is as good as none.
            log.warning("The keyring of the system cannot be used: %s.", type(error).__name__)
            answers.put(None)

    # A keyring that hangs cannot be interrupted; such a thread does not keep the process alive.
    threading.Thread(target=ask, name="keyring", daemon=True).start()
    try:
        return answers.get(timeout=PATIENCE)
    except Empty:
        log.warning("The keyring of the system did not answer within %.0f seconds.", PATIENCE)
        return None


def _usable() -> "KeyringBackend | None":
    """The keyring that the library prefers of those that are allowed."""
    # Loaded here alone: it looks for every keyring that there may be, and hardly anybody has chosen one.
    import keyring

    preferred = keyring.get_keyring()
    # Where several can be used, the library answers one that stands for them all.
    candidates = getattr(preferred, "backends", (preferred,))
    return next((each for each in candidates if _name(each) in ALLOWED), None)


def _name(keyring: "KeyringBackend") -> str:
    return f"{type(keyring).__module__}.{type(keyring).__qualname__}"
