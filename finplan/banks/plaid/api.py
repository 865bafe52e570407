"""Plaid's API: one question at a time with the person's own keys, and its errors as they are told."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from finplan.banks.http import BankHttp, remark

PlaidEnvironment = Literal["sandbox", "production"]

VERSION = "2020-09-14"

HOSTS: Mapping[str, str] = {
    "sandbox": "https://sandbox.plaid.com",
    "production": "https://production.plaid.com",
}

_CODE = re.compile(r"[A-Z][A-Z0-9_]{1,79}")
_TOKENS = re.compile(r"\b(?:access|public|link|item)-[a-z]+-\S+")


@dataclass(frozen=True, slots=True)
class PlaidKeys:
    """The keys of a person at Plaid's dashboard; `hosts` is where each environment is."""

    client_id: str
    secret: str = field(repr=False)
    environment: PlaidEnvironment
    countries: tuple[str, ...] = ("US",)
    host: str | None = None

    @property
    def root(self) -> str:
        """Where the API is."""
        return self.host or HOSTS[self.environment]


class PlaidRefused(Exception):
    """Plaid refused: its code, the kind and reason of that, and what it says to a person, if anything.

    `said` is for programmers, and told to nobody.
    """

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        self.status = status
        self.kind = _word(error.get("error_type"))
        self.code = _word(error.get("error_code")) or f"HTTP {status}"
        self.reason = _word(error.get("error_code_reason"))
        self.said = str(error.get("error_message") or "")
        self.display = _TOKENS.sub("…", remark(error.get("display_message")))
        super().__init__(self.code)


class PlaidApi:
    """Sends what is asked of Plaid, over one client."""

    def __init__(self, http: BankHttp, keys: PlaidKeys) -> None:
        self._http = http
        self.keys = keys

    async def ask(self, path: str, **told: Any) -> dict[str, Any]:
        """What Plaid answers. Raises PlaidRefused, or BankProviderError without a whole answer."""
        reply = await self._http.ask(
            "POST",
            f"{self.keys.root}{path}",
            headers={
                "Content-Type": "application/json",
                "PLAID-CLIENT-ID": self.keys.client_id,
                "PLAID-SECRET": self.keys.secret,
                "Plaid-Version": VERSION,
            },
            body=json.dumps(told).encode(),
        )
        try:
            answer = reply.json()
        except ValueError:
            answer = None
        if reply.status != 200:
            # A proxy before Plaid answers with a page.
            raise PlaidRefused(reply.status, answer if isinstance(answer, dict) else {})
        if not isinstance(answer, dict):
            raise self._http.failure("Plaid answered something that is no JSON.")
        return answer


def _word(told: object) -> str:
    return told if isinstance(told, str) and _CODE.fullmatch(told) else ""
