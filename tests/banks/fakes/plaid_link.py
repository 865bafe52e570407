"""Plaid's Link as a client of Hosted Link sees it: a token, sessions, and how they ended."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from tests.banks.fakes import plaid_shapes as shapes
from tests.banks.fakes.plaid_errors import Refused
from tests.banks.fakes.world import Held, HeldAt

LONGEST_NAME = 30
LONGEST_HISTORY = 730
USUAL_HISTORY = 90
TOKEN_LIVES = timedelta(hours=4)
HOSTED_LIVES = timedelta(minutes=30)
LONGEST_HOSTED = timedelta(days=21)
SPACE = UUID("6f1f64a0-0000-4000-8000-706c61696400")


@dataclass
class Session:
    """One time that the person opened Link."""

    id: str
    started: datetime
    finished: datetime | None = None
    bank: HeldAt | None = None
    accounts: list[Held] = field(default_factory=list)
    public_token: str | None = None
    exit_error: dict[str, Any] | None = None


@dataclass
class LinkToken:
    """A link token with what was asked for it; `item` is the one to be updated, if any."""

    token: str
    asked: dict[str, Any]
    created: datetime
    expires: datetime
    hosted_url: str | None
    item: str | None
    sessions: list[Session] = field(default_factory=list)

    @property
    def days(self) -> int:
        """How much history was asked for."""
        return int(self.asked.get("transactions", {}).get("days_requested", USUAL_HISTORY))

    @property
    def products(self) -> list[str]:
        """What may be asked of the item that comes of it."""
        consented: list[str] = self.asked.get("additional_consented_products", [])
        return list(self.asked.get("products", [])) + consented


def new_token(
    asked: dict[str, Any], serial: int, environment: str, now: datetime, item: str | None
) -> LinkToken:
    """A token for what was asked, which is refused as Plaid refuses it."""
    _check(asked, update=item is not None)
    name = uuid5(SPACE, f"link {serial}")
    hosted = asked.get("hosted_link")
    lives = TOKEN_LIVES
    url = None
    if hosted is not None:
        seconds = hosted.get("url_lifetime_seconds", HOSTED_LIVES.total_seconds())
        lives = timedelta(seconds=seconds)
        if not timedelta(0) < lives <= LONGEST_HOSTED:
            raise Refused("INVALID_FIELD", "url_lifetime_seconds must be at most 1814400")
        url = f"https://secure.plaid.com/hl/{uuid5(SPACE, f'hosted {serial}').hex}"
    token = f"link-{environment}-{name}"
    return LinkToken(token, asked, now, now + lives, url, item)


def _check(asked: dict[str, Any], *, update: bool) -> None:
    needed = ["client_name", "language", "country_codes", "user"]
    missing = [each for each in needed if not asked.get(each)]
    if missing:
        raise Refused("MISSING_FIELDS", f"the following required fields are missing: {missing}")
    if not asked["user"].get("client_user_id"):
        raise Refused("MISSING_FIELDS", "the following required fields are missing: client_user_id")
    if len(asked["client_name"]) > LONGEST_NAME:
        raise Refused("INVALID_FIELD", "client_name must be at most 30 characters")
    if update and asked.get("products"):
        raise Refused("INVALID_FIELD", "products cannot be given in update mode")
    if not update and not asked.get("products"):
        raise Refused("MISSING_FIELDS", "the following required fields are missing: products")
    days = asked.get("transactions", {}).get("days_requested", USUAL_HISTORY)
    if not 1 <= days <= LONGEST_HISTORY:
        raise Refused("INVALID_FIELD", "days_requested must be between 1 and 730")


def told(link: LinkToken) -> dict[str, Any]:
    """What `/link/token/get` says of a token."""
    asked = link.asked
    return {
        "created_at": shapes.stamp(link.created),
        "expiration": shapes.stamp(link.expires),
        "link_sessions": [_session(each, update=link.item is not None) for each in link.sessions],
        "link_token": link.token,
        "metadata": {
            "client_name": asked["client_name"],
            "country_codes": asked["country_codes"],
            "initial_products": asked.get("products", []),
            "language": asked["language"],
            "redirect_uri": asked.get("redirect_uri"),
            "webhook": asked.get("webhook"),
        },
    }


def _session(session: Session, *, update: bool) -> dict[str, Any]:
    said: dict[str, Any] = {
        "events": [],
        "link_session_id": session.id,
        "started_at": shapes.stamp(session.started),
    }
    if session.finished is None:
        return said
    said["finished_at"] = shapes.stamp(session.finished)
    if session.public_token is None:
        metadata = {
            "institution": session.bank and shapes.institution(session.bank),
            "link_session_id": session.id,
            "request_id": session.id[:15],
            "status": "requires_credentials",
        }
        left = {"error": session.exit_error, "metadata": metadata}
        return said | {"exit": left, "on_exit": left, "results": _results([])}
    assert session.bank is not None
    accounts = [shapes.link_account(each) for each in session.accounts]
    bank = shapes.institution(session.bank)
    said["on_success"] = {
        "metadata": {
            "accounts": accounts,
            "institution": bank,
            "link_session_id": session.id,
            "transfer_status": None,
        },
        "public_token": session.public_token,
    }
    added = {"accounts": accounts, "institution": bank, "public_token": session.public_token}
    return said | {"results": _results([] if update else [added])}


def _results(added: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "item_add_results": added,
        "cra_item_add_results": [],
        "cra_update_results": [],
        "bank_income_results": [],
        "payroll_income_results": [],
        "document_income_results": None,
    }
