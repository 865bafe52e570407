"""Enable Banking's errors, and who may ask: an application that signs its requests with its key."""

import json
from base64 import urlsafe_b64decode
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.banks.fakes.faults import Answered

LONGEST_TOKEN = timedelta(hours=24)

_SAID: dict[str, tuple[int, str]] = {
    "ACCOUNT_DOES_NOT_EXIST": (404, "No account found matching provided id"),
    "ACCESS_DENIED": (403, "Access denied"),
    "ALREADY_AUTHORIZED": (422, "Session is already authorized"),
    "ASPSP_ACCOUNT_NOT_ACCESSIBLE": (400, "The PSU does not have access to the requested account"),
    "ASPSP_ERROR": (400, "Error interacting with ASPSP"),
    "ASPSP_PSU_ACTION_REQUIRED": (400, "PSU action is required to proceed"),
    "ASPSP_RATE_LIMIT_EXCEEDED": (429, "ASPSP Rate limit exceeded"),
    "ASPSP_TIMEOUT": (408, "Timeout interacting with ASPSP"),
    "AUTHORIZATION_NOT_PROVIDED": (401, "Authorization header is not provided"),
    "CLOSED_SESSION": (401, "Session is closed"),
    "DATE_FROM_IN_FUTURE": (422, "date_from can not be in the future"),
    "DATE_TO_WITHOUT_DATE_FROM": (422, "date_from must be provided if date_to provided"),
    "EXPIRED_AUTHORIZATION_CODE": (422, "Authorization code is expired"),
    "EXPIRED_SESSION": (401, "Session is expired"),
    "INVALID_HOST": (403, "Invalid host"),
    "NO_ACCOUNTS_ADDED": (403, "No allowed accounts added to the application"),
    "REDIRECT_URI_NOT_ALLOWED": (400, "Redirect URI not allowed"),
    "REVOKED_SESSION": (401, "Session is revoked"),
    "SESSION_DOES_NOT_EXIST": (404, "No session found matching provided id"),
    "UNAUTHORIZED_ACCESS": (401, "Unauthorized access"),
    "UNAUTHORIZED_IP": (403, "IP address is not authorized"),
    "WRONG_ASPSP_PROVIDED": (400, "Wrong ASPSP name provided"),
    "WRONG_AUTHORIZATION_CODE": (400, "Wrong authorization code provided"),
    "WRONG_CONTINUATION_KEY": (422, "Wrong continuation key provided"),
    "WRONG_DATE_INTERVAL": (422, "date_from should be less than or equal date_to"),
    "WRONG_REQUEST_PARAMETERS": (422, "Wrong request parameters provided"),
    "WRONG_SESSION_STATUS": (422, "Wrong session status"),
    "WRONG_TRANSACTIONS_PERIOD": (422, "Wrong transactions period requested"),
}


class Denied(Exception):
    """Enable Banking refuses, with a code."""

    def __init__(self, code: str, detail: Any = None) -> None:
        super().__init__(code)
        self.code = code
        self.status, words = _SAID[code]
        self.body = {"message": words, "code": self.status, "error": code, "detail": detail}


def denying(code: str, *, status: int | None = None, retry_after: int | None = None) -> Answered:
    """A fault that answers with a code, by default with the status that goes with it."""
    denied = Denied(code)
    given = status or denied.status
    headers = () if retry_after is None else (("Retry-After", str(retry_after)),)
    return Answered(given, json.dumps(denied.body | {"code": given}), headers=headers)


@cache
def application_key() -> rsa.RSAPrivateKey:
    """The key of every application of the tests; to make one takes long."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def pem(key: rsa.RSAPrivateKey) -> str:
    """A key as the file that a person downloads at Enable Banking."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def check_token(header: str | None, application: str, now: datetime) -> None:
    """The header carries a token that the application has signed, and that is good now."""
    if not header:
        raise Denied("AUTHORIZATION_NOT_PROVIDED")
    scheme, _space, token = header.partition(" ")
    try:
        head, claims, signature = token.split(".")
        said = _read(head)
        told = _read(claims)
        public = application_key().public_key()
        signed = f"{head}.{claims}".encode()
        public.verify(_decode(signature), signed, padding.PKCS1v15(), hashes.SHA256())
        lives = timedelta(seconds=told["exp"] - told["iat"])
        good = (
            scheme == "Bearer"
            and (said["typ"], said["alg"], said["kid"]) == ("JWT", "RS256", application)
            and (told["iss"], told["aud"]) == ("enablebanking.com", "api.enablebanking.com")
            and timedelta(0) < lives <= LONGEST_TOKEN
            and told["iat"] - 60 <= now.timestamp() < told["exp"]
        )
    except (ValueError, KeyError, TypeError, InvalidSignature) as error:
        raise Denied("UNAUTHORIZED_ACCESS") from error
    if not good:
        raise Denied("UNAUTHORIZED_ACCESS")


def _read(part: str) -> dict[str, Any]:
    said = json.loads(_decode(part))
    if not isinstance(said, dict):
        raise TypeError("a part of a token is an object")
    return said


def _decode(part: str) -> bytes:
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))
