"""The receiver that `finplan webhooks listen` runs: one address here that deliveries may go to.

It is named by a file in the profile's data folder, which nobody but the owner of the machine can write.
What it says opens that URL alone, path included, and to that certificate alone, whose key the listening
process keeps to itself: whatever else stands at the port receives nothing.
"""

import json
import os
import ssl
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

LISTENS_AT = "https://127.0.0.1:"
"""What the URL of every listener begins with."""


@dataclass(frozen=True, slots=True)
class Listener:
    """Where a listener stands, and the certificate that it shows (PEM)."""

    url: str
    certificate: str


def write_listener(path: Path, listener: Listener) -> None:
    """Name a listener to the daemon. Raises OSError."""
    # It is written aside, so that the daemon never reads a half of it.
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(listener), file)
    draft.replace(path)


def read_listener(path: Path) -> Listener | None:
    """The listener that is named, None where there is none."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        url, certificate = said["url"], said["certificate"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    # Without a certificate of its own, whatever the system trusts would be trusted.
    if not isinstance(url, str) or not isinstance(certificate, str) or not certificate.strip():
        return None
    return Listener(url, certificate)


@lru_cache(maxsize=1)
def trust_alone(certificate: str) -> ssl.SSLContext:
    """Trust one certificate and no other. Raises SSLError where it is none."""
    if not certificate:
        raise ssl.SSLError("The listener needs a certificate")
    return ssl.create_default_context(cadata=certificate)
