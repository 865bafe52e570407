"""Requests to Enable Banking, signed by the person's application, and what its errors mean.

An error is told in a person's words: whose turn it is, and what to do.
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from finplan.banks import answer as answers
from finplan.banks.http import BankHttp, BankReply
from finplan.model.errors import BankFailure, BankProviderError

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

TOKEN_LIVES = 600
"""In seconds. Each request has a token of its own; the API takes none that lives longer than a day."""


CALLBACK = "/connect/enablebanking"
"""The path of the address that people are led back to, unless a setting names another address."""

NOWHERE = "https://localhost"
"""Where nothing need answer: a browser shows the address that it was led to all the same."""


class UnusableKey(Exception):
    """A private key that no token can be signed with."""


@dataclass(frozen=True, slots=True)
class RegisteredApplication:
    """An application: its id, its private RSA key as PEM, and where it lets people be led back to."""

    id: str
    key: str = field(repr=False)
    redirect_url: str

    def token(self) -> str:
        """A token that the API knows the application by, for now. Raises UnusableKey."""
        # Who links no bank here does without it.
        from joserfc import jwt
        from joserfc.errors import JoseError

        now = int(time.time())
        claims = {
            "iss": "enablebanking.com",
            "aud": "api.enablebanking.com",
            "iat": now,
            "exp": now + TOKEN_LIVES,
        }
        try:
            key = _imported_key(self.key)
            header = {"typ": "JWT", "alg": "RS256", "kid": self.id}
            return jwt.encode(header, claims, key, algorithms=["RS256"])
        except (JoseError, ValueError, TypeError):
            # What was wrong about it may quote it.
            raise UnusableKey from None


@cache
def _imported_key(pem: str) -> "RSAKey":
    """The key of a PEM. It is examined when it is read, which takes far longer than to sign."""
    from joserfc.jwk import RSAKey

    return RSAKey.import_key(pem)


CONTROL_PANEL = "https://enablebanking.com/cp/applications"
"""Where a person registers an application, and links own accounts to it."""

ACCOUNT_IS_GONE = frozenset(
    {"ACCOUNT_DOES_NOT_EXIST", "ASPSP_ACCOUNT_NOT_ACCESSIBLE", "INVALID_ACCOUNT_ID"}
)
"""One account is not there any more, whatever the others are."""

_AGAIN = "finplan tries again later."


class _Why(NamedTuple):
    """What a person reads of a refusal, and what kind it is of; `{}` is where people are led back to."""

    sentence: str
    failure: BankFailure = "provider_error"
    lasting: bool = False


def _persons_turn(sentence: str) -> _Why:
    return _Why(sentence, "login_required")


def _wrong_setup(sentence: str) -> _Why:
    return _Why(sentence, lasting=True)


_TOO_OFTEN = _Why(
    "The bank allows no more requests today; most banks allow four automatic reads a day."
    f" {_AGAIN}",
    "rate_limited",
)
_OVER = _persons_turn(
    "Your consent at the bank has ended. Renew it: `finplan connect enablebanking --reconnect"
    " NAME`. You keep your accounts and answers."
)
SPENT = (
    "This address was used before, or has expired. Begin again: `finplan connect enablebanking`."
)
_SPENT = _persons_turn(SPENT)
NO_ACCOUNT_LEFT = (
    "The bank no longer shows any of these accounts. Unless they are closed, renew your"
    " consent: `finplan connect enablebanking --reconnect NAME`."
)
_UNKNOWN_APPLICATION = _wrong_setup(
    "Enable Banking does not recognize your application's id and key. Compare both with"
    f" {CONTROL_PANEL}. `finplan connect enablebanking` says where to put them."
)
_REFUSED_APPLICATION = _wrong_setup(
    f"Enable Banking does not let your application read accounts. In {CONTROL_PANEL}, check that"
    " the application is active and can use account information (AIS)."
)
_GONE = _Why(
    "The bank no longer shows this account. If the account is closed, hide it (`finplan accounts"
    " set NAME --hide`). Then renew your consent without it: `finplan connect enablebanking"
    " --reconnect NAME`."
)
_WRONGLY_ASKED = _Why(
    "Enable Banking does not accept finplan's request for this bank. Update finplan; meanwhile, import"
    " the bank's statement files: `finplan import FILE`."
)
_PRESENCE = _wrong_setup(
    "This bank does not let apps read accounts automatically. Import its statement files instead:"
    " `finplan import FILE`."
)
_PAYMENT = _Why(
    f"Enable Banking reported a payment error, although finplan never makes payments. {_AGAIN}"
)

WHY: Mapping[str, _Why] = {
    **dict.fromkeys(("EXPIRED_SESSION", "REVOKED_SESSION", "CLOSED_SESSION"), _OVER),
    **dict.fromkeys(("SESSION_DOES_NOT_EXIST", "WRONG_SESSION_STATUS"), _OVER),
    "ASPSP_PSU_ACTION_REQUIRED": _OVER,
    "WRONG_CREDENTIALS_PROVIDED": _persons_turn(
        "The bank did not accept your sign-in. Sign in again: `finplan connect enablebanking"
        " --reconnect NAME`."
    ),
    "WRONG_AUTHORIZATION_CODE": _SPENT,
    "ALREADY_AUTHORIZED": _SPENT,
    "EXPIRED_AUTHORIZATION_CODE": _SPENT,
    "NO_ACCOUNTS_ADDED": _persons_turn(
        "No accounts are linked to your Enable Banking application yet. Link your accounts at"
        f" {CONTROL_PANEL}, then link the bank here."
    ),
    "UNAUTHORIZED_ACCESS": _UNKNOWN_APPLICATION,
    "AUTHORIZATION_NOT_PROVIDED": _UNKNOWN_APPLICATION,
    "ACCESS_DENIED": _REFUSED_APPLICATION,
    "UNAUTHORIZED_IP": _wrong_setup(
        "Your Enable Banking application does not allow this machine's IP address. Add the"
        f" address, or remove the limit: {CONTROL_PANEL}."
    ),
    "INVALID_HOST": _wrong_setup(
        "Your Enable Banking application does not allow the host that finplan uses. Check the"
        f" application's hosts: {CONTROL_PANEL}."
    ),
    "REDIRECT_URI_NOT_ALLOWED": _wrong_setup(
        f"Your Enable Banking application does not list {{}} as a redirect address. Add it at"
        f" {CONTROL_PANEL}, or set `enablebanking_redirect_url` to a listed one."
    ),
    "WEBHOOK_URI_NOT_ALLOWED": _wrong_setup(
        "Your Enable Banking application does not list its webhook address. finplan does not use"
        f" this webhook; remove it from the application: {CONTROL_PANEL}."
    ),
    "WRONG_ASPSP_PROVIDED": _wrong_setup(
        "Enable Banking no longer lists this bank by this name. Choose the bank from the list:"
        " `finplan connect enablebanking`."
    ),
    "PSU_HEADER_NOT_PROVIDED": _PRESENCE,
    "PSU_HEADER_INVALID": _PRESENCE,
    **dict.fromkeys(ACCOUNT_IS_GONE, _GONE),
    **dict.fromkeys(("ASPSP_RATE_LIMIT_EXCEEDED", "RATE_LIMIT_EXCEEDED"), _TOO_OFTEN),
    "ASPSP_ERROR": _Why(f"The bank sent Enable Banking an error. {_AGAIN}"),
    "ASPSP_TIMEOUT": _Why(f"The bank did not answer Enable Banking in time. {_AGAIN}"),
    "WRONG_CONTINUATION_KEY": _Why(
        "The bank's list of transactions ended too early. The next sync reads the list from the"
        " start."
    ),
    "WRONG_TRANSACTIONS_PERIOD": _Why(
        "The bank sends Enable Banking no recent transactions. Meanwhile, import the bank's"
        " statement files: `finplan import FILE`."
    ),
    "DATE_FROM_IN_FUTURE": _Why(
        "The bank says that finplan asked for future days. Check the date of this machine."
    ),
    **dict.fromkeys(("DATE_TO_WITHOUT_DATE_FROM", "WRONG_DATE_INTERVAL"), _WRONGLY_ASKED),
    **dict.fromkeys(("WRONG_REQUEST_PARAMETERS", "TRANSACTION_DOES_NOT_EXIST"), _WRONGLY_ASKED),
    **dict.fromkeys(("PAYMENT_NOT_FOUND", "PAYMENT_LIMIT_EXCEEDED", "INVALID_PAYMENT"), _PAYMENT),
    **dict.fromkeys(("PAYMENT_NOT_FINALIZED", "PAYMENT_NOT_AUTHORIZED"), _PAYMENT),
    **dict.fromkeys(("PAYMENT_SUBMISSION_NOT_SUPPORTED", "UNTRUSTED_PAYMENT_PARTY"), _PAYMENT),
    **dict.fromkeys(("PAYMENT_SUBMISSION_NOT_DEFERRED", "ASPSP_PAYMENT_NOT_ACCESSIBLE"), _PAYMENT),
}
"""By the API's codes: all that its reference lists, and one more that it has been seen to send."""

_WHY_BY_STATUS: Mapping[int, _Why] = {
    401: _OVER,
    402: _persons_turn(
        "Enable Banking requires a payment before you can continue. Check your account:"
        f" {CONTROL_PANEL}."
    ),
    403: _OVER,
    429: _TOO_OFTEN,
}
"""Where the code says nothing."""

_OF_THE_APPLICATION = ("application", "signature", "jwt")
"""Words of a refusal without a code that is not about the person's consent."""


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
        """Whether it is about every account of the access, not only the one that was asked."""
        return self.failure == "login_required" or self.lasting


def refusal_of(reply: BankReply, redirect_url: str) -> RefusedRequest:
    """The error that an answer stands for; `redirect_url` is where people are led back to."""
    code, message = _code_and_words(reply)
    why = WHY.get(code) or _by_status(reply.status, message)
    if why is None:
        text = f"{message} ({code or reply.status})" if message else f"error {code or reply.status}"
        return RefusedRequest(f"Enable Banking answered: {text}.", "provider_error", code)
    sentence = why.sentence.replace("{}", redirect_url)
    return RefusedRequest(sentence, why.failure, code, lasting=why.lasting)


def _by_status(status: int, message: str) -> _Why | None:
    is_of_application = any(term in message.casefold() for term in _OF_THE_APPLICATION)
    if status in (401, 403) and is_of_application:
        return _REFUSED_APPLICATION
    return _WHY_BY_STATUS.get(status)


def _code_and_words(reply: BankReply) -> tuple[str, str]:
    try:
        answer = answers.parse_answer(reply.body) if answers.is_small(reply.body) else {}
    except (answers.NotJson, answers.TooMuch):
        return "", ""
    if not isinstance(answer, dict):
        return "", ""
    code = answer.get("error")
    return answers.remark(code) if isinstance(code, str) else "", answers.remark(
        answer.get("message")
    ).rstrip(".")


API = "https://api.enablebanking.com"


class EnableBankingApi:
    """The API, as one application reaches it at `url`."""

    def __init__(self, http: BankHttp, application: RegisteredApplication, url: str = API) -> None:
        self._http = http
        self._url = url
        self.application = application

    async def get(
        self, path: str, read: answers.Reader[answers.AnswerValue], *query: tuple[str, str]
    ) -> answers.AnswerValue:
        """What a reader makes of the API's answer to a question, which has names.

        Raises RefusedRequest, BankProviderError, and what the reader raises but for Unreadable.
        """
        reply = await self._ask("GET", path, query)
        return await self._http.read(reply, partial(_read_object, read=read))

    async def post(
        self, path: str, read: answers.Reader[answers.AnswerValue], body: dict[str, Any]
    ) -> answers.AnswerValue:
        """What a reader makes of the API's answer to an order. Raises as `get` does."""
        reply = await self._ask("POST", path, body=body)
        return await self._http.read(reply, partial(_read_object, read=read))

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
                "finplan cannot use your Enable Banking application's private key: it is not an"
                " RSA key in PEM. `finplan connect enablebanking` says where to put the key.",
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
            raise refusal_of(reply, self.application.redirect_url)
        return reply


def _read_object(answer: Any, read: answers.Reader[answers.AnswerValue]) -> answers.AnswerValue:
    if not isinstance(answer, dict):
        raise answers.Unreadable("not a JSON object")
    return read(answer)
