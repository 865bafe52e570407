"""The secrets that deliveries are signed with: made here, sealed in the store, shown once."""

import base64
import secrets

from sqlalchemy import RowMapping

from finplan.model.webhook import WEBHOOK_SECRET_PREFIX
from finplan.store.sealing import CannotOpen, Sealer, about_webhook

SECRET_BYTES = 32
OVERLAP = 24 * 60 * 60 * 1000
"""How long the former secret signs beside the new one, in milliseconds."""


def new_secret() -> bytes:
    """A new secret."""
    return secrets.token_bytes(SECRET_BYTES)


def shown(secret: bytes) -> str:
    """A secret as Standard Webhooks writes it."""
    return WEBHOOK_SECRET_PREFIX + base64.b64encode(secret).decode()


def seal(sealer: Sealer, webhook_id: str, secret: bytes) -> bytes:
    """A secret as the store keeps it: it opens for this webhook alone."""
    return sealer.seal(secret, about_webhook(webhook_id))


def open_secrets(sealer: Sealer, webhook: RowMapping, now: int) -> tuple[bytes, ...]:
    """The secrets that sign now, the newest first; none where the newest cannot be opened."""
    try:
        newest = sealer.open(webhook["secret"], about_webhook(webhook["id"]))
    except CannotOpen:
        return ()
    former = webhook["former_secret"]
    if former is None or webhook["former_until"] <= now:
        return (newest,)
    try:
        return newest, sealer.open(former, about_webhook(webhook["id"]))
    except CannotOpen:
        return (newest,)
