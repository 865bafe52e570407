"""The data key: where it is kept, and what is sealed under it."""

from typing import Literal

from finplan.model.base import Timestamp, Whole, Wire

SealedKind = Literal["bank_access", "bank_link", "webhook_secret", "signing_key", "kept_reply"]
"""What is sealed: how a bank is reached, links that were begun, what deliveries and tokens are signed
with, and replies that are kept for whoever sends a request again."""


class SealedCount(Wire):
    """How many things of a kind are sealed, and how many of them do not open.

    `closed` is null while nobody gives the key. `lost` names those of yours that do not open; others
    have no name, or are somebody else's.
    """

    kind: SealedKind
    count: Whole
    closed: Whole | None
    lost: tuple[str, ...]


class DataKeyStatus(Wire):
    """Where the data key is kept, and what is sealed under it.

    `source` is `file`, `keyring`, or the name of what gives it from outside; `since` is null where
    nobody noted when it was made. `unfinished` says that making it anew was broken off: the former key
    is there still, and opens what it sealed. `trouble` says why nobody gives the key now.
    """

    source: str
    file: str
    since: Timestamp | None
    unfinished: bool
    trouble: str | None
    sealed: tuple[SealedCount, ...]


class DataKeyRotation(Wire):
    """What came of making the data key anew: how many were sealed anew, and how many open no more.

    Copies of the store that were made before hold what the former key sealed.
    """

    since: Timestamp | None
    sealed: Whole
    closed: Whole
