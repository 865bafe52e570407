"""The way to a session: a bank of a country, and the page there on which the person consents."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from finplan.banks.enablebanking.api import EnableBankingApi
from finplan.banks.fields import Unreadable, read_number, remark, try_read

LONGEST_CONSENT = timedelta(days=180)
"""What the law allows at most; a bank may allow less."""

_MARGIN = timedelta(minutes=5)
"""A clock that is a little ahead of Enable Banking's asks for no day too many."""

MOST_BANKS = 5_000
_LONGEST_URL = 4_000


@dataclass(frozen=True, slots=True)
class ListedBank:
    """A bank of a country, and for how long it lets a person consent; `kind` is of its customers."""

    name: str
    country: str
    longest: timedelta
    kind: str


async def banks_of(api: EnableBankingApi, country: str | None) -> tuple[ListedBank, ...]:
    """The banks of a country (ISO 3166), of every one without, by name. Raises BankProviderError."""
    query = [] if country is None else [("country", country)]
    return await api.get("/aspsps", _read_banks, *query)


def _read_banks(answer: Mapping[str, Any]) -> tuple[ListedBank, ...]:
    listed = answer.get("aspsps")
    if not isinstance(listed, list):
        raise Unreadable("its answer has no list of banks")
    found = [_bank(each) for each in listed[:MOST_BANKS] if isinstance(each, dict)]
    return tuple(
        sorted((bank for bank in found if bank.name), key=lambda bank: bank.name.casefold())
    )


async def page_of(api: EnableBankingApi, bank: ListedBank, state: str, now: datetime) -> str:
    """The address of the page on which a person consents.

    `state` comes back with the person. Raises BankProviderError.
    """
    until = now + min(bank.longest, LONGEST_CONSENT) - _MARGIN
    asked = {
        "access": {"valid_until": until.isoformat(timespec="seconds")},
        "aspsp": {"name": bank.name, "country": bank.country},
        "state": state,
        "redirect_url": api.application.redirect_url,
        "psu_type": bank.kind,
    }
    url = await api.post("/auth", _read_url, asked)
    if not url:
        raise api.failure("Enable Banking gave no address where you could consent.")
    return url


def _read_url(answer: Mapping[str, Any]) -> str:
    """The address of a page, empty where there is none that can be opened."""
    url = answer.get("url")
    fits = isinstance(url, str) and url.startswith("https://") and len(url) <= _LONGEST_URL
    return str(url) if fits and str(url).isprintable() else ""


def _bank(told: Mapping[str, Any]) -> ListedBank:
    seconds = try_read(read_number, told.get("maximum_consent_validity"))
    longest = LONGEST_CONSENT
    if seconds is not None and 0 <= seconds < longest.total_seconds():
        longest = timedelta(seconds=int(seconds))
    kinds = told.get("psu_types")
    is_for_companies = isinstance(kinds, list) and kinds and "personal" not in kinds
    return ListedBank(
        # A name is asked for as it is listed, so that nothing of it is taken away.
        name=name if isinstance(name := told.get("name"), str) and remark(name) == name else "",
        country=remark(told.get("country")),
        longest=longest if longest > 2 * _MARGIN else LONGEST_CONSENT,
        kind="business" if is_for_companies else "personal",
    )
