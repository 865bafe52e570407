"""Which bank of which country a person means, and the page there on which the person consents.

What is left open is asked, with all that it may be. Countries are called as people call them
(ISO 3166-1).
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from finplan.banks.answer import Unreadable, read_number, remark, try_read
from finplan.banks.enablebanking.api import EnableBankingApi
from finplan.model.errors import Conflict

COUNTRY_NAMES: Mapping[str, str] = {
    "AT": "Austria",
    "BE": "Belgium",
    "BG": "Bulgaria",
    "CH": "Switzerland",
    "CY": "Cyprus",
    "CZ": "Czechia",
    "DE": "Germany",
    "DK": "Denmark",
    "EE": "Estonia",
    "ES": "Spain",
    "FI": "Finland",
    "FR": "France",
    "GB": "United Kingdom",
    "GR": "Greece",
    "HR": "Croatia",
    "HU": "Hungary",
    "IE": "Ireland",
    "IS": "Iceland",
    "IT": "Italy",
    "LI": "Liechtenstein",
    "LT": "Lithuania",
    "LU": "Luxembourg",
    "LV": "Latvia",
    "MT": "Malta",
    "NL": "Netherlands",
    "NO": "Norway",
    "PL": "Poland",
    "PT": "Portugal",
    "RO": "Romania",
    "SE": "Sweden",
    "SI": "Slovenia",
    "SK": "Slovakia",
}

_COUNTRIES_ALSO_CALLED = {
    "czech republic": "CZ",
    "great britain": "GB",
    "holland": "NL",
    "the netherlands": "NL",
    "the united kingdom": "GB",
    "uk": "GB",
}
_CODES_BY_COUNTRY_NAME = {
    name.casefold(): code for code, name in COUNTRY_NAMES.items()
} | _COUNTRIES_ALSO_CALLED
_WITH_ARTICLE = ("GB", "NL")


def called_country(code: str) -> str:
    """A country by name and code; by the code alone where it is none of these."""
    return f"{COUNTRY_NAMES[code]} ({code})" if code in COUNTRY_NAMES else code


def named_country(code: str) -> str:
    """A country within a sentence."""
    name = COUNTRY_NAMES.get(code, code)
    return f"the {name}" if code in _WITH_ARTICLE else name


def code_of_country(country: str) -> str:
    """The code that a country's code or English name means; what is neither comes back in capitals."""
    return _CODES_BY_COUNTRY_NAME.get(country.strip().casefold(), country.strip().upper())


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
        raise Unreadable("the list of banks is missing")
    banks = [_listed_bank(fields) for fields in listed[:MOST_BANKS] if isinstance(fields, dict)]
    return tuple(
        sorted((bank for bank in banks if bank.name), key=lambda bank: bank.name.casefold())
    )


async def page_of(api: EnableBankingApi, bank: ListedBank, state: str, now: datetime) -> str:
    """The address of the page on which a person consents.

    `state` comes back with the person. Raises BankProviderError.
    """
    until = now + min(bank.longest, LONGEST_CONSENT) - _MARGIN
    request = {
        "access": {"valid_until": until.isoformat(timespec="seconds")},
        "aspsp": {"name": bank.name, "country": bank.country},
        "state": state,
        "redirect_url": api.application.redirect_url,
        "psu_type": bank.kind,
    }
    url = await api.post("/auth", _read_url, request)
    if not url:
        raise api.failure(
            "Enable Banking did not send the address of the page where you give your consent. Try"
            " again later."
        )
    return url


def _read_url(answer: Mapping[str, Any]) -> str:
    """The address of a page, empty where there is none that can be opened."""
    url = answer.get("url")
    fits = isinstance(url, str) and url.startswith("https://") and len(url) <= _LONGEST_URL
    return str(url) if fits and str(url).isprintable() else ""


def _listed_bank(fields: Mapping[str, Any]) -> ListedBank:
    seconds = try_read(read_number, fields.get("maximum_consent_validity"))
    longest = LONGEST_CONSENT
    if seconds is not None and 0 <= seconds < longest.total_seconds():
        longest = timedelta(seconds=int(seconds))
    kinds = fields.get("psu_types")
    is_for_companies = isinstance(kinds, list) and kinds and "personal" not in kinds
    return ListedBank(
        # A name is asked for as it is listed, so that nothing of it is taken away.
        name=name if isinstance(name := fields.get("name"), str) and remark(name) == name else "",
        country=remark(fields.get("country")),
        longest=longest if longest > 2 * _MARGIN else LONGEST_CONSENT,
        kind="business" if is_for_companies else "personal",
    )


_COUNTRY_CODE = re.compile(r"^[A-Z]{2}\Z")


async def chosen_bank(api: EnableBankingApi, name: str | None, known_by: str | None) -> ListedBank:
    """The bank of a name; `known_by` is its country, or country and name as in `DE/Hafenbank`.

    Raises Conflict with a question, and its choices, where the country or the bank is not known.
    """
    country, _, of_id = (known_by or "").partition("/")
    country, query = code_of_country(country), (of_id or name or "").strip()
    if not _COUNTRY_CODE.match(country):
        raise await _ask_country(api)
    banks = await banks_of(api, country)
    if not banks:
        raise await _ask_country(
            api, f"Enable Banking lists no banks in {named_country(country)}. "
        )
    folded = query.casefold()
    exact = [bank for bank in banks if bank.name.casefold() == folded]
    if len(exact) == 1:
        return exact[0]
    if code_of_country(query) == country:
        raise _ask_bank(f"Which bank in {named_country(country)} do you want to link?", banks)
    near = exact or [bank for bank in banks if _is_in(folded, bank.name)]
    if near:
        raise _ask_bank(f"Which bank in {named_country(country)} is {query!r}?", near)
    raise _ask_bank(
        f"Enable Banking lists no bank {query!r} in {named_country(country)}. Which"
        " bank do you want to link?",
        banks,
    )


def id_of(bank: ListedBank) -> str:
    """What a bank is known by: its country and its name there."""
    return f"{bank.country}/{bank.name}"


def _is_in(query: str, name: str) -> bool:
    folded = name.casefold()
    return bool(query) and all(term in folded for term in query.split())


async def _ask_country(api: EnableBankingApi, before: str = "") -> Conflict:
    countries = sorted({bank.country for bank in await banks_of(api, None) if bank.country})
    return _question(
        f"{before}In which country is your bank?",
        "country",
        [(code, called_country(code)) for code in countries],
    )


def _ask_bank(text: str, banks: Iterable[ListedBank]) -> Conflict:
    return _question(text, "institution", [(id_of(bank), bank.name) for bank in banks])


def _question(text: str, about: str, choices: Iterable[tuple[str, str]]) -> Conflict:
    listed = [{"value": value, "label": label} for value, label in choices]
    # Programs get what they may choose from, and people are asked by theirs.
    question = {"about": about, "text": text, "choices": listed}
    return Conflict(
        f"{text} Pass it as `institution`: its `id` is the country and the name, such as"
        " DE/Commerzbank. `data.questions` lists the choices.",
        {"questions": [question]},
    )
