"""Requests to Enable Banking: signed by the person's application, and refusals told by their codes."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from finplan.banks.answer import AnswerValue, NotJson, Reader, TooMuch, is_small, parse_answer
from finplan.banks.enablebanking.application import RegisteredApplication, UnusableKey
from finplan.banks.fields import Unreadable, remark
from finplan.banks.http import BankHttp, BankReply
from finplan.model.errors import BankFailure, BankProviderError

API = "https://api.enablebanking.com"
CONTROL_PANEL = "https://enablebanking.com/cp/applications"
"""Where a person registers an application, and links own accounts to it."""

_APPLICATION = ("UNAUTHORIZED_ACCESS", "AUTHORIZATION_NOT_PROVIDED")


class _Why(NamedTuple):
    """What a person is told of a refusal, and what kind it is of."""

    said: str
    failure: BankFailure = "login_required"
    lasting: bool = False


_TOO_OFTEN = _Why(
    "The bank was asked too often today: most allow four reads a day that you are not there for. It is"
    " asked again by itself, later.",
    "rate_limited",
)
_OVER = _Why(
    "The consent that you gave at the bank is over. Give it again there: `finplan connect enablebanking"
    " --reconnect NAME`. Accounts and all you said stay."
)
_UNKNOWN_APPLICATION = _Why(
    "Enable Banking does not know your application by its key. Compare its id and its key file with"
    f" {CONTROL_PANEL}: `finplan connect enablebanking` says where both belong.",
    "provider_error",
    lasting=True,
)
_WHY: Mapping[str, _Why] = {
    **dict.fromkeys(_APPLICATION, _UNKNOWN_APPLICATION),
    **dict.fromkeys(("ASPSP_RATE_LIMIT_EXCEEDED", "RATE_LIMIT_EXCEEDED"), _TOO_OFTEN),
    **dict.fromkeys(("EXPIRED_SESSION", "REVOKED_SESSION", "CLOSED_SESSION"), _OVER),
    **dict.fromkeys(("SESSION_DOES_NOT_EXIST", "ACCOUNT_DOES_NOT_EXIST"), _OVER),
    "ASPSP_PSU_ACTION_REQUIRED": _OVER,
    "NO_ACCOUNTS_ADDED": _Why(
        "Your application at Enable Banking has no account linked to it yet. In its restricted mode it"
        f" reaches those alone: link yours at {CONTROL_PANEL}, then link the bank here."
    ),
    "ASPSP_ACCOUNT_NOT_ACCESSIBLE": _Why(
        "The bank shows this account no more. If it is closed, hide it (`finplan accounts set NAME"
        " --hide`) and give your consent anew without it: `finplan connect enablebanking --reconnect"
        " NAME`.",
        "provider_error",
    ),
}
_WHY_BY_STATUS: Mapping[int, _Why] = {
    401: _OVER,
    402: _Why(f"Enable Banking asks for a payment before it goes on: look at {CONTROL_PANEL}."),
    403: _OVER,
    429: _TOO_OFTEN,
}
"""Where the code says nothing."""


class RefusedRequest(BankProviderError):
    """Enable Banking did not do what it was asked; `reason` is the API's code, empty without."""

    def __init__(
        self, message: str, failure: BankFailure, reason: str = "", *, lasting: bool = False
    ) -> None:
        super().__init__(message, "aggregator", failure, lasting=lasting)
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        """What it is made of again when it comes from another process."""
        again = partial(type(self), lasting=self.lasting)
        return again, (self.message, self.failure, self.reason)

    @property
    def is_of_all(self) -> bool:
        """Whether it says something of every account of the access, not of the one that was asked."""
        return self.failure == "login_required" or self.reason in _APPLICATION


class EnableBankingApi:
    """The API, as one application reaches it at `url`."""

    def __init__(self, http: BankHttp, application: RegisteredApplication, url: str = API) -> None:
        self._http = http
        self._url = url
        self.application = application

    async def get(
        self, path: str, read: Reader[AnswerValue], *query: tuple[str, str]
    ) -> AnswerValue:
        """What a reader makes of the API's answer to a question, which has names.

        Raises RefusedRequest, BankProviderError, and what the reader raises but for Unreadable.
        """
        return await self._read(await self._ask("GET", path, query), read)

    async def post(self, path: str, read: Reader[AnswerValue], body: dict[str, Any]) -> AnswerValue:
        """What a reader makes of the API's answer to an order. Raises as `get` does."""
        return await self._read(await self._ask("POST", path, body=body), read)

    async def delete(self, path: str) -> None:
        """Have something end. Raises as `get` does."""
        await self._ask("DELETE", path)

    def failure(self, message: str, failure: BankFailure = "provider_error") -> BankProviderError:
        """What is raised for a failure of Enable Banking's."""
        return self._http.failure(message, failure)

    async def _ask(
        self,
        method: str,
        path: str,
        query: Sequence[tuple[str, str]] = (),
        body: dict[str, Any] | None = None,
    ) -> BankReply:
        try:
            token = self.application.token()
        except UnusableKey:
            raise RefusedRequest(
                "The private key of your application at Enable Banking cannot be used: it is no RSA key"
                " in PEM. `finplan connect enablebanking` says where it belongs.",
                "provider_error",
                "UNAUTHORIZED_ACCESS",
                lasting=True,
            ) from None
        headers = {"Authorization": f"Bearer {token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        reply = await self._http.ask(
            method,
            f"{self._url}{path}",
            query=query,
            headers=headers,
            body=b"" if body is None else json.dumps(body).encode(),
        )
        if not 200 <= reply.status < 300:
            raise _refusal(reply)
        return reply

    async def _read(self, reply: BankReply, read: Reader[AnswerValue]) -> AnswerValue:
        try:
            return await self._http.read(reply, partial(_read_named, read=read))
        except NotJson:
            raise self._http.failure("Enable Banking did not answer with JSON.") from None
        except Unreadable as error:
            raise self._http.failure(f"Enable Banking cannot be understood: {error}.") from None


def _read_named(answer: Any, read: Reader[AnswerValue]) -> AnswerValue:
    if not isinstance(answer, dict):
        raise Unreadable("its answer is not a JSON object")
    return read(answer)


def _refusal(reply: BankReply) -> RefusedRequest:
    code, words = _code_and_words(reply)
    why = _WHY.get(code) or _WHY_BY_STATUS.get(reply.status)
    if why is None:
        said = f"{words} ({code or reply.status})" if words else f"error {code or reply.status}"
        return RefusedRequest(f"Enable Banking answered: {said}.", "provider_error", code)
    return RefusedRequest(why.said, why.failure, code, lasting=why.lasting)


def _code_and_words(reply: BankReply) -> tuple[str, str]:
    try:
        answer = parse_answer(reply.body) if is_small(reply.body) else {}
    except (NotJson, TooMuch):
        return "", ""
    if not isinstance(answer, dict):
        return "", ""
    code = answer.get("error")
    return remark(code) if isinstance(code, str) else "", remark(answer.get("message")).rstrip(".")
