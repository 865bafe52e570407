"""What Plaid keeps of a developer and of each login that a person has given."""

import secrets
from dataclasses import dataclass, field
from datetime import date, datetime

NOT_READY = "NOT_READY"
INITIAL = "INITIAL_UPDATE_COMPLETE"
HISTORICAL = "HISTORICAL_UPDATE_COMPLETE"


@dataclass
class Item:
    """A login at an institution; `ails` is the code of what is wrong with it, if anything.

    `progress` is how far Plaid has read its history: nothing, the last days, or all that was asked.
    """

    id: str
    access_token: str
    bank: str
    generation: int
    linked: date
    days: int
    products: list[str]
    created: datetime
    progress: str = HISTORICAL
    ails: str | None = None
    ails_because: str | None = None
    consent_ends: datetime | None = None
    removed: bool = False


@dataclass
class Offered:
    """What a public token may be exchanged for."""

    bank: str
    days: int
    products: list[str]
    made: datetime
    item: str | None = None


@dataclass
class Keys:
    """What a developer has of Plaid's dashboard."""

    client_id: str = field(default_factory=lambda: secrets.token_hex(12))
    secret: str = field(default_factory=lambda: secrets.token_hex(15))
