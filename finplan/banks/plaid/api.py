"""Plaid's API: one question at a time with the person's own keys, and what its errors mean.

An error is told in a person's words: what happened, whose turn it is, and what to do.
"""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from finplan.banks import answer as answers
from finplan.banks.http import BankHttp, BankReply
from finplan.model.errors import BankFailure, BankProviderError

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
        self.said = answers.remark(error.get("error_message"))
        self.display = _TOKENS.sub("…", answers.remark(error.get("display_message")))
        super().__init__(self.code)


class PlaidApi:
    """Sends what is asked of Plaid, over one client."""

    def __init__(self, http: BankHttp, keys: PlaidKeys) -> None:
        self._http = http
        self.keys = keys

    async def ask(self, path: str, **body: Any) -> dict[str, Any]:
        """What Plaid answers, where that is short. Raises as `read` does."""
        answer = self._http.read_small(await self._sent(path, body))
        if not isinstance(answer, dict):
            raise self._http.failure("Plaid sent an answer that is not JSON. Try again later.")
        return answer

    async def read(
        self, path: str, read: answers.Reader[answers.AnswerValue], **body: Any
    ) -> answers.AnswerValue:
        """What a reader makes of what Plaid answers.

        Raises PlaidRefused, and BankProviderError without a whole answer that can be read.
        """
        reply = await self._sent(path, body)
        return await self._http.read(reply, partial(_read_object, read=read))

    async def _sent(self, path: str, body: dict[str, Any]) -> BankReply:
        reply = await self._http.ask(
            "POST",
            f"{self.keys.root}{path}",
            headers={
                "Content-Type": "application/json",
                "PLAID-CLIENT-ID": self.keys.client_id,
                "PLAID-SECRET": self.keys.secret,
                "Plaid-Version": VERSION,
            },
            body=json.dumps(body).encode(),
        )
        if reply.status != 200:
            raise PlaidRefused(reply.status, _error_of(reply))
        return reply


def _read_object(answer: Any, read: answers.Reader[answers.AnswerValue]) -> answers.AnswerValue:
    if not isinstance(answer, dict):
        raise answers.NotJson
    return read(answer)


def _error_of(reply: BankReply) -> Mapping[str, Any]:
    """What Plaid says of an error; nothing where a proxy before it answers with a page."""
    try:
        answer = answers.parse_answer(reply.body) if answers.is_small(reply.body) else None
    except (answers.NotJson, answers.TooMuch):
        return {}
    return answer if isinstance(answer, dict) else {}


def _word(code: object) -> str:
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""


KEYS_PAGE = "https://dashboard.plaid.com/developers/keys"
"""Where a person finds the keys."""

_GONE = """
ITEM_NOT_FOUND INVALID_ACCESS_TOKEN USER_PERMISSION_REVOKED USER_ACCOUNT_REVOKED ACCESS_TOKEN_NOT_FOUND
ITEM_CONCURRENTLY_DELETED
"""
ITEM_IS_GONE = frozenset(_GONE.split())
"""The access is over for good: only a new link takes its place."""

MUTATION = "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"

_SIGN_IN: Mapping[str, str] = {
    "ITEM_LOGIN_REQUIRED": "your sign-in at {bank} has expired",
    "INVALID_CREDENTIALS": "{bank} no longer accepts your user name or password",
    "INVALID_UPDATED_USERNAME": "{bank} does not recognize your user name",
    "INVALID_MFA": "{bank} did not accept your code or answer",
    "INVALID_OTP": "{bank} did not accept the one-time code",
    "INVALID_PHONE_NUMBER": "{bank} does not recognize your phone number",
    "INVALID_SEND_METHOD": "{bank} could not send you a code",
    "ITEM_LOCKED": "{bank} has locked your online access; unlock it at the bank first",
    "USER_SETUP_REQUIRED": "{bank} wants you to visit its own site first, for example to accept"
    " new terms",
    "USER_INPUT_TIMEOUT": "you did not answer {bank} in time",
    "INSUFFICIENT_CREDENTIALS": "you did not finish signing in at {bank}",
    "ACCESS_NOT_GRANTED": "you did not share everything that finplan needs at {bank}: sign in"
    " again, and allow accounts and transactions",
    "NO_ACCOUNTS": (
        "you shared no account at {bank}: sign in again, and choose at least one account"
    ),
    "MFA_NOT_SUPPORTED": "{bank} uses a sign-in method that Plaid does not support: choose"
    " another method at the bank",
    "PASSWORD_RESET_REQUIRED": (
        "{bank} wants you to set a new password: change it at the bank first"
    ),
    "ADDITIONAL_CONSENT_REQUIRED": "you did not share transactions at {bank}: sign in and allow"
    " them. If you are not asked, link the bank again with `finplan"
    " connect plaid`",
    "RECAPTCHA_REQUIRED": "Plaid wants proof that you are a person",
    "RECAPTCHA_BAD": "Plaid could not verify that you are a person",
    "PENDING_EXPIRATION": "your consent at {bank} ends soon",
    "PENDING_DISCONNECT": "{bank} will soon end this kind of access",
}

_CONSENT = "your consent at {bank} has ended or was revoked"

_PASSING: Mapping[str, str] = {
    "INSTITUTION_DOWN": "{bank} is down.",
    "INSTITUTION_NOT_RESPONDING": "{bank} is not answering Plaid at the moment.",
    "INSTITUTION_NOT_AVAILABLE": "Plaid cannot reach {bank} at the moment.",
    "INTERNAL_SERVER_ERROR": "Plaid reported an internal error.",
    "PLANNED_MAINTENANCE": "Plaid is under maintenance.",
    "PRODUCT_NOT_READY": "Plaid is still reading your data at {bank} for the first time.",
    "DATA_UNAVAILABLE": "{bank} gives Plaid no data at the moment.",
}

_OAUTH_PAGE = "https://dashboard.plaid.com/settings/compliance/us-oauth-institutions"
"""Where a person registers at banks that have sign-ins of their own."""

_LASTING: Mapping[str, str] = {
    "INSTITUTION_NO_LONGER_SUPPORTED": "Plaid no longer supports {bank}. Import its statement"
    " files instead: `finplan import FILE`.",
    "INSTITUTION_NOT_ENABLED_IN_ENVIRONMENT": "{bank} does not exist in this Plaid environment."
    " Set `plaid_environment` to the other environment,"
    " and restart the background service: `finplan"
    " daemon stop`.",
    "INSTITUTION_REGISTRATION_REQUIRED": f"Your Plaid keys are not registered with {{bank}} yet."
    f" Register them, which can take days: {_OAUTH_PAGE}.",
    "UNAUTHORIZED_INSTITUTION": f"Your Plaid keys are not allowed to read {{bank}}. Complete"
    f" Plaid's steps for this bank ({_OAUTH_PAGE}), or write to"
    " Plaid's support: https://dashboard.plaid.com/support.",
    "ITEM_NOT_SUPPORTED": "Plaid does not support this kind of account or sign-in at {bank}. Import"
    " the bank's statement files instead: `finplan import FILE`.",
    "UNSUPPORTED_RESPONSE": "Plaid cannot read {bank}'s answers. Import the bank's statement files"
    " instead: `finplan import FILE`.",
    "PRODUCTS_NOT_SUPPORTED": "Plaid cannot get transactions from {bank}. Import its statement"
    " files instead: `finplan import FILE`.",
    "PRODUCT_NOT_ENABLED": "Your Plaid keys are not enabled for transactions. Ask for the"
    " Transactions product: https://dashboard.plaid.com/settings/team/products.",
    "INVALID_API_KEYS": "Plaid rejects your keys: the client id, the secret and the environment"
    f" must match. Compare them with {KEYS_PAGE}, correct them (`finplan config`"
    " shows where they are), and restart the background service: `finplan"
    " daemon stop`.",
    "UNAUTHORIZED_ENVIRONMENT": "Your keys are not allowed in this Plaid environment yet. Ask for"
    " access at https://dashboard.plaid.com, or set"
    " `plaid_environment`.",
    "UNAUTHORIZED_ROUTE_ACCESS": "Your Plaid keys do not allow this request. Check your products"
    " at https://dashboard.plaid.com.",
    "INVALID_PRODUCT": "Your Plaid keys do not allow transactions. Ask for the Transactions product"
    " at https://dashboard.plaid.com.",
    "INVALID_INSTITUTION": "Plaid no longer has {bank} under this name. Choose the bank from"
    " Plaid's list: `finplan connect plaid`.",
    "TRIAL_CONNECTION_LIMIT": "Your Plaid trial allows no more banks. Choose a plan at"
    " https://dashboard.plaid.com.",
    "CREDITS_EXHAUSTED": "Your free Plaid requests are used up. Choose a plan at"
    " https://dashboard.plaid.com.",
}

_REFUSED_AS_ASKED = frozenset({"INVALID_REQUEST", "INVALID_INPUT", "INVALID_RESULT"})
"""The kinds of errors about the request itself, which the same request meets again."""

_PAGE_ENDED = "You did not finish on Plaid's page. Begin again: `finplan connect plaid`."

_OF_THE_PAGE: Mapping[str, str] = {
    "INVALID_LINK_TOKEN": (
        "This Plaid page no longer exists. Begin again: `finplan connect plaid`."
    ),
    "INVALID_PUBLIC_TOKEN": "Plaid did not accept the token from its page. A token works once and"
    " expires after half an hour. Begin again: `finplan connect plaid`. If"
    " Plaid's dashboard lists an item that finplan does not, remove it"
    " there.",
    **dict.fromkeys(("INCORRECT_OAUTH_NONCE", "INCORRECT_LINK_TOKEN"), _PAGE_ENDED),
    **dict.fromkeys(("OAUTH_STATE_ID_ALREADY_PROCESSED", "OAUTH_STATE_ID_NOT_FOUND"), _PAGE_ENDED),
}


def told_refusal(refused: PlaidRefused, institution: str | None = None) -> BankProviderError:
    """What is raised for a refusal about a bank, which is called as the person knows it."""
    bank = institution or "the bank"
    code = refused.code
    if code in _LASTING:
        return _lasting(_LASTING[code].format(bank=bank))
    if refused.kind == "RATE_LIMIT_EXCEEDED" or refused.status == 429:
        return _failure(
            "Plaid received too many requests. finplan tries again later.",
            "rate_limited",
        )
    theirs = _persons_turn(refused, institution, bank)
    if theirs is not None:
        return _failure(theirs, "login_required")
    quote = f" Plaid says: {_sentence(refused.display)}" if refused.display else ""
    if code in _PASSING or refused.status >= 500 or refused.kind == "INSTITUTION_ERROR":
        reason = _PASSING.get(code, f"Plaid answered with an error ({code}).")
        text = _capital(reason.format(bank=bank))
    elif refused.kind in _REFUSED_AS_ASKED:
        return _lasting(
            f"Plaid does not accept finplan's request ({code}).{quote} Update finplan; meanwhile, import"
            " the bank's statement files: `finplan import FILE`."
        )
    else:
        text = f"Plaid refused the request ({code}).{quote}"
    return _failure(f"{text} finplan tries again later.", "provider_error")


def _persons_turn(refused: PlaidRefused, institution: str | None, bank: str) -> str | None:
    """What only the person can mend, None for what they cannot."""
    code, consent = refused.code, refused.reason.startswith("OAUTH_")
    if code in ITEM_IS_GONE:
        return (
            f"Plaid no longer has access to {bank}: the access was ended at the bank or at Plaid."
            f" Link the bank again: {_reconnecting(institution)}. You keep its accounts and your"
            " answers."
        )
    if code in _SIGN_IN or consent:
        reason = _CONSENT if consent else _SIGN_IN[code]
        return f"{_sentence(reason.format(bank=bank))} Sign in: {_reconnecting(institution)}."
    return _OF_THE_PAGE.get(code)


def _lasting(message: str) -> BankProviderError:
    return _failure(_capital(message), "provider_error", lasting=True)


def _failure(message: str, failure: BankFailure, *, lasting: bool = False) -> BankProviderError:
    return BankProviderError(message, "aggregator", failure, lasting=lasting)


def _reconnecting(institution: str | None) -> str:
    name = "NAME" if institution is None else shlex.quote(institution)
    return f"`finplan connect plaid --reconnect {name}`"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    sentence = _capital(text)
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
