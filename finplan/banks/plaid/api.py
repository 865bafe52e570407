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

    async def ask(self, path: str, **told: Any) -> dict[str, Any]:
        """What Plaid answers, where that is short. Raises as `read` does."""
        answer = self._http.read_small(await self._sent(path, told))
        if not isinstance(answer, dict):
            raise self._http.failure("Plaid did not answer with JSON.")
        return answer

    async def read(
        self, path: str, read: answers.Reader[answers.AnswerValue], **told: Any
    ) -> answers.AnswerValue:
        """What a reader makes of what Plaid answers.

        Raises PlaidRefused, and BankProviderError without a whole answer that can be read.
        """
        reply = await self._sent(path, told)
        return await self._http.read(reply, partial(_read_named, read=read))

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


def _read_named(answer: Any, read: answers.Reader[answers.AnswerValue]) -> answers.AnswerValue:
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


def _word(told: object) -> str:
    return told if isinstance(told, str) and _CODE.fullmatch(told) else ""


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
    "ITEM_LOGIN_REQUIRED": "{bank} wants you to sign in again",
    "INVALID_CREDENTIALS": "{bank} does not take your user name or password any more",
    "INVALID_UPDATED_USERNAME": "{bank} does not know the user name that was given last",
    "INVALID_MFA": "{bank} did not take the code or answer that proves who you are",
    "INVALID_OTP": "{bank} did not take the one-time code",
    "INVALID_PHONE_NUMBER": "{bank} does not know the phone number that was given",
    "INVALID_SEND_METHOD": "{bank} could not send you the code that proves who you are",
    "ITEM_LOCKED": "{bank} has locked your online access, so unlock it there first",
    "USER_SETUP_REQUIRED": "{bank} wants something of you at its own site first, such as consent to new"
    " terms",
    "USER_INPUT_TIMEOUT": "{bank} waited in vain for what it had asked you",
    "INSUFFICIENT_CREDENTIALS": "signing in at {bank} was not finished",
    "ACCESS_NOT_GRANTED": "you did not let Plaid see what it asked for at {bank}: sign in again, and"
    " allow accounts and transactions",
    "NO_ACCOUNTS": "{bank} shows no account that may be read: sign in again, and choose at least one",
    "MFA_NOT_SUPPORTED": "{bank} proves who you are in a way that Plaid cannot follow: choose another"
    " one at the bank",
    "PASSWORD_RESET_REQUIRED": "{bank} wants another password: change it there first",
    "ADDITIONAL_CONSENT_REQUIRED": "you did not let Plaid read transactions at {bank}: sign in and allow"
    " it or, where it does not ask you, link the bank again with `finplan connect plaid`",
    "RECAPTCHA_REQUIRED": "Plaid wants to know that you are a person",
    "RECAPTCHA_BAD": "Plaid could not tell that you are a person",
    "PENDING_EXPIRATION": "your consent at {bank} ends soon",
    "PENDING_DISCONNECT": "{bank} ends this way of reading it soon",
}

_CONSENT = "your consent at {bank} has ended or was taken back"

_PASSING: Mapping[str, str] = {
    "INSTITUTION_DOWN": "{bank} is down.",
    "INSTITUTION_NOT_RESPONDING": "{bank} does not answer Plaid at the moment.",
    "INSTITUTION_NOT_AVAILABLE": "{bank} cannot be reached by Plaid at the moment.",
    "INTERNAL_SERVER_ERROR": "Plaid had an error of its own.",
    "PLANNED_MAINTENANCE": "Plaid is being maintained.",
    "PRODUCT_NOT_READY": "Plaid is still reading {bank} for the first time.",
    "DATA_UNAVAILABLE": "{bank} gives Plaid no data at the moment.",
}

_OAUTH_PAGE = "https://dashboard.plaid.com/settings/compliance/us-oauth-institutions"
"""Where a person registers at banks that have sign-ins of their own."""

_LASTING: Mapping[str, str] = {
    "INSTITUTION_NO_LONGER_SUPPORTED": "Plaid does not reach {bank} any more. Its statement files can be"
    " imported still: `finplan import FILE`.",
    "INSTITUTION_NOT_ENABLED_IN_ENVIRONMENT": "{bank} does not exist in this environment of Plaid. Set"
    " `plaid_environment` to the other one, and restart the daemon: `finplan daemon stop`.",
    "INSTITUTION_REGISTRATION_REQUIRED": "Your keys at Plaid are not registered with {bank} yet."
    f" Register them, which may take days: {_OAUTH_PAGE}.",
    "UNAUTHORIZED_INSTITUTION": "Your keys at Plaid may not read {bank}. Complete what Plaid asks of you"
    f" for this bank ({_OAUTH_PAGE}), or write to its support: https://dashboard.plaid.com/support.",
    "ITEM_NOT_SUPPORTED": "Plaid cannot read this kind of account or sign-in at {bank}. Import the"
    " bank's statement files instead: `finplan import FILE`.",
    "UNSUPPORTED_RESPONSE": "Plaid cannot read what {bank} answers.",
    "PRODUCTS_NOT_SUPPORTED": "Plaid brings no transactions of {bank}. Its statement files can be"
    " imported: `finplan import FILE`.",
    "PRODUCT_NOT_ENABLED": "Your keys at Plaid are not enabled for transactions. Ask for that product:"
    " https://dashboard.plaid.com/settings/team/products.",
    "INVALID_API_KEYS": f"Plaid does not take your keys: the client id, the secret and the environment"
    f" must belong together. Look them up at {KEYS_PAGE}, put them right (`finplan config` shows where"
    " they are), and restart the daemon: `finplan daemon stop`.",
    "UNAUTHORIZED_ENVIRONMENT": "Your keys may not be used in this environment of Plaid yet. Ask for"
    " access at https://dashboard.plaid.com, or set `plaid_environment`.",
    "UNAUTHORIZED_ROUTE_ACCESS": "Your keys may not ask Plaid for this. Look at your products at"
    " https://dashboard.plaid.com.",
    "INVALID_PRODUCT": "Your keys may not ask Plaid for transactions. Ask for that product at"
    " https://dashboard.plaid.com.",
    "INVALID_INSTITUTION": "Plaid does not know {bank} any more. Choose it from Plaid's list: `finplan"
    " connect plaid`.",
    "TRIAL_CONNECTION_LIMIT": "Your trial at Plaid links no more banks. Choose a plan at"
    " https://dashboard.plaid.com.",
    "CREDITS_EXHAUSTED": "Your free requests at Plaid are used up. Choose a plan at"
    " https://dashboard.plaid.com.",
}

_REFUSED_AS_ASKED = frozenset({"INVALID_REQUEST", "INVALID_INPUT", "INVALID_RESULT"})
"""The kinds of errors about the request itself, which the same request meets again."""

_PAGE_ENDED = "Plaid's page was not finished. Begin again: `finplan connect plaid`."

_OF_THE_PAGE: Mapping[str, str] = {
    "INVALID_LINK_TOKEN": "Plaid does not know this page any more. Begin again: `finplan connect"
    " plaid`.",
    "INVALID_PUBLIC_TOKEN": "Plaid does not take what its page gave: it is good for one use and half an"
    " hour. Begin again: `finplan connect plaid`. Where Plaid's dashboard lists an item that finplan"
    " does not, remove it there.",
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
            "Plaid was asked too often just now. finplan tries again later.",
            "rate_limited",
        )
    theirs = _persons_turn(refused, institution, bank)
    if theirs is not None:
        return _failure(theirs, "login_required")
    more = f" It says: {_sentence(refused.display)}" if refused.display else ""
    if code in _PASSING or refused.status >= 500 or refused.kind == "INSTITUTION_ERROR":
        reason = _PASSING.get(code, f"Plaid answered with an error ({code}).")
        said = _capital(reason.format(bank=bank))
    elif refused.kind in _REFUSED_AS_ASKED:
        return _lasting(
            f"Plaid does not accept finplan's request ({code}).{more} Update finplan; meanwhile, import"
            " the bank's statement files: `finplan import FILE`."
        )
    else:
        said = f"Plaid refused the request ({code}).{more}"
    return _failure(f"{said} finplan tries again later.", "provider_error")


def _persons_turn(refused: PlaidRefused, institution: str | None, bank: str) -> str | None:
    """What only the person can mend, None for what they cannot."""
    code, consent = refused.code, refused.reason.startswith("OAUTH_")
    if code in ITEM_IS_GONE:
        return (
            f"Plaid has no access to {bank} any more: it was ended at the bank or at Plaid. Link it"
            f" anew: {_reconnecting(institution)}. Its accounts and your answers stay."
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
    named = "NAME" if institution is None else shlex.quote(institution)
    return f"`finplan connect plaid --reconnect {named}`"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    whole = _capital(text)
    return whole if whole.endswith((".", "!", "?")) else f"{whole}."
