"""The countries whose banks Enable Banking reads, as people call them (ISO 3166-1)."""

from collections.abc import Mapping

NAMES: Mapping[str, str] = {
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

_ALSO_CALLED = {
    "czech republic": "CZ",
    "great britain": "GB",
    "holland": "NL",
    "the netherlands": "NL",
    "the united kingdom": "GB",
    "uk": "GB",
}
_CODES = {name.casefold(): code for code, name in NAMES.items()} | _ALSO_CALLED
_WITH_ARTICLE = ("GB", "NL")


def called(code: str) -> str:
    """A country by name and code; by the code alone where it is none of these."""
    return f"{NAMES[code]} ({code})" if code in NAMES else code


def named(code: str) -> str:
    """A country within a sentence."""
    name = NAMES.get(code, code)
    return f"the {name}" if code in _WITH_ARTICLE else name


def code_of(told: str) -> str:
    """The code that a country's code or English name means; what is neither comes back in capitals."""
    return _CODES.get(told.strip().casefold(), told.strip().upper())
