"""Plaid's API: one question at a time with the person's own keys, and its errors as they are told."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from finplan.banks.answer import AnswerValue, NotJson, Reader, TooMuch, is_small, parse_answer
from finplan.banks.fields import remark
from finplan.banks.http import BankHttp, BankReply
from finplan.model.errors import BankProviderError

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
        self.said = remark(error.get("error_message"))
        self.display = _TOKENS.sub("…", remark(error.get("display_message")))
        super().__init__(self.code)


class PlaidApi:
    """Sends what is asked of Plaid, over one client."""

    def __init__(self, http: BankHttp, keys: PlaidKeys) -> None:
        self._http = http
        self.keys = keys

    async def ask(self, path: str, **told: Any) -> dict[str, Any]:
        """What Plaid answers, where that is short. Raises as `read` does."""
        reply = await self._sent(path, told)
        try:
            answer = self._http.read_small(reply)
        except NotJson:
            answer = None
        if not isinstance(answer, dict):
            raise self._not_json()
        return answer

    async def read(self, path: str, read: Reader[AnswerValue], **told: Any) -> AnswerValue:
        """What a reader makes of what Plaid answers.

        Raises PlaidRefused, what the reader raises, and BankProviderError without a whole answer.
        """
        reply = await self._sent(path, told)
        try:
            return await self._http.read(reply, partial(_read_named, read=read))
        except NotJson:
            raise self._not_json() from None

    def _not_json(self) -> BankProviderError:
        return self._http.failure("Plaid did not answer with JSON.")

    async def _sent(self, path: str, told: dict[str, Any]) -> BankReply:
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
        if reply.status != 200:
            raise PlaidRefused(reply.status, _error_of(reply))
        return reply


def _read_named(answer: Any, read: Reader[AnswerValue]) -> AnswerValue:
    if not isinstance(answer, dict):
        raise NotJson
    return read(answer)


def _error_of(reply: BankReply) -> Mapping[str, Any]:
    """What Plaid says of an error; nothing where a proxy before it answers with a page."""
    try:
        answer = parse_answer(reply.body) if is_small(reply.body) else None
    except (NotJson, TooMuch):
        return {}
    return answer if isinstance(answer, dict) else {}


def _word(told: object) -> str:
    return told if isinstance(told, str) and _CODE.fullmatch(told) else ""
