"""The whole error vocabulary: each failure that a caller can be told of, with its code and status.

    Fault
    ├── BadRequest            400  BAD_REQUEST
    ├── Unauthorized          401  UNAUTHORIZED
    ├── Forbidden             403  FORBIDDEN
    ├── NotFound              404  NOT_FOUND
    ├── MethodNotSupported    405  METHOD_NOT_SUPPORTED
    ├── Conflict              409  CONFLICT
    ├── PayloadTooLarge       413  PAYLOAD_TOO_LARGE
    ├── UnsupportedMediaType  415  UNSUPPORTED_MEDIA_TYPE
    ├── MisdirectedRequest    421  MISDIRECTED_REQUEST
    ├── UnprocessableContent  422  UNPROCESSABLE_CONTENT
    ├── TooManyRequests       429  TOO_MANY_REQUESTS
    ├── NoConnections         500  NO_CONNECTIONS
    ├── UnsupportedProvider   500  UNSUPPORTED_PROVIDER
    ├── BankProviderError     500  BANK_PROVIDER_ERROR
    ├── StoreLost             500  INTERNAL_SERVER_ERROR
    ├── StoreDamaged          500  INTERNAL_SERVER_ERROR
    ├── SecretsUnreachable    503  SERVICE_UNAVAILABLE
    ├── GoogleUnreachable     503  SERVICE_UNAVAILABLE
    └── StorageFull           507  INSUFFICIENT_STORAGE

Only faults are raised on purpose. A message says what happened, to what, and what to do next.
"""

from functools import partial
from typing import Any, ClassVar, Literal

from pydantic import SerializerFunctionWrapHandler, model_serializer

from finplan.model.base import Wire
from finplan.model.installation import STORE_DAMAGED, sentence_of


class Fault(Exception):
    """A failure that a caller is told of: a stable code, an HTTP status, a sentence, optional data.

    `example` is published as one of the sentences that it may say.
    """

    code: ClassVar[str]
    status: ClassVar[int]
    example: ClassVar[str] = ""

    def __init__(self, message: str, data: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.data = data


class BadRequest(Fault):
    """The input is not valid."""

    code, status = "BAD_REQUEST", 400
    example = "Input validation failed"


class Unauthorized(Fault):
    """The credential is missing or no longer valid."""

    code, status = "UNAUTHORIZED", 401
    example = "This needs a credential. The request has none."


class Forbidden(Fault):
    """The credential is valid but does not allow this."""

    code, status = "FORBIDDEN", 403
    example = "Pages from other origins cannot use finplan."


class InsufficientScope(Forbidden):
    """The credential lacks the required scope, which `scope` names; another credential can have it."""

    example = "This credential cannot build a plan. It lacks the scope `service:write`."

    def __init__(self, message: str, scope: str) -> None:
        super().__init__(message)
        self.scope = scope


class InvalidToken(Unauthorized):
    """The token has expired, was revoked, or never existed."""

    example = "This access token has expired or was revoked. Get a new one."


class NotFound(Fault):
    """This does not exist, or it belongs to another person."""

    code, status = "NOT_FOUND", 404
    example = "No connection con_0. List them: `finplan connections list`."


class MethodNotSupported(Fault):
    """The path exists, but not with this method."""

    code, status = "METHOD_NOT_SUPPORTED", 405
    example = "/api/v1/me takes DELETE, GET, PATCH; PUT is not supported."


class Conflict(Fault):
    """The request conflicts with the current state."""

    code, status = "CONFLICT", 409
    example = "A request with this Idempotency-Key is still running."


class PayloadTooLarge(Fault):
    """The body is larger than this route accepts."""

    code, status = "PAYLOAD_TOO_LARGE", 413
    example = "The body is larger than 1 MB. Send less data in each request."


class UnsupportedMediaType(Fault):
    """The body has a media type that this route does not accept."""

    code, status = "UNSUPPORTED_MEDIA_TYPE", 415
    example = "Send the body as JSON, with `Content-Type: application/json`."


class MisdirectedRequest(Fault):
    """The Host header does not match this daemon's address."""

    code, status = "MISDIRECTED_REQUEST", 421
    example = (
        "The request is for another host. Use the address of this service: http://127.0.0.1:8460."
    )


class UnprocessableContent(Fault):
    """The Idempotency-Key was already used for a different request."""

    code, status = "UNPROCESSABLE_CONTENT", 422
    example = "This Idempotency-Key was used for another request. Send a new key."


class TooManyRequests(Fault):
    """Too many requests; `retry_after` is the number of seconds to wait, if known."""

    code, status = "TOO_MANY_REQUESTS", 429
    example = "More than 120 requests in a minute. Wait 42 seconds, then try again."

    def __init__(self, message: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NoConnections(Fault):
    """The person has not linked a bank yet."""

    code, status = "NO_CONNECTIONS", 500
    example = (
        "No transactions yet. Import a statement with `finplan import FILE`, or try the demo household"
        " with `finplan --demo plan build`."
    )


class UnsupportedProvider(Fault):
    """No bank adapter has this name."""

    code, status = "UNSUPPORTED_PROVIDER", 500
    example = "Unknown provider 'bank'. Use aggregator, demo or manual."


class SecretsUnreachable(Fault):
    """The keyring does not release the data key, so nothing can be encrypted or decrypted."""

    code, status = "SERVICE_UNAVAILABLE", 503
    example = "The data key is in the system keyring, which does not release it."


class GoogleUnreachable(Fault):
    """Google does not answer, or answers in an unexpected way, so Google sign-in fails for now."""

    code, status = "SERVICE_UNAVAILABLE", 503
    example = "Google cannot be reached."


class StorageFull(Fault):
    """The disk has no room for the change; nothing was changed."""

    code, status = "INSUFFICIENT_STORAGE", 507
    example = "The disk is full. Nothing was changed. Free some space, then try again."


class StoreLost(Fault):
    """The store's file was removed, replaced or written by another program; nothing was changed."""

    code, status = "INTERNAL_SERVER_ERROR", 500
    example = (
        "The store finplan.db was removed while finplan was running. The last change is not saved, and"
        " the background service stops. Copy the newest good backup, backups/before-0015-from-0014.db,"
        " to finplan.db, then start finplan again."
    )


class StoreDamaged(Fault):
    """The disk or another program damaged the store; changes are refused.

    Without a message of its own, it says what the notice says.
    """

    code, status = "INTERNAL_SERVER_ERROR", 500
    example = sentence_of(STORE_DAMAGED)

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.example)
        self.is_notice = message is None


BankProvider = Literal["aggregator", "demo"]
BankFailure = Literal["login_required", "rate_limited", "provider_error"]


class BankProviderError(Fault):
    """A bank or its aggregator failed; `data` says which one and how.

    A `lasting` failure does not go away by itself.
    """

    code, status = "BANK_PROVIDER_ERROR", 500
    example = "The bank wants you to sign in again."

    def __init__(
        self, message: str, provider: BankProvider, failure: BankFailure, *, lasting: bool = False
    ) -> None:
        super().__init__(message, {"provider": provider, "code": failure})
        self.provider = provider
        self.failure = failure
        self.lasting = lasting

    def __reduce__(self) -> tuple[Any, ...]:
        """What it is made of again when it comes from another process."""
        again = partial(type(self), lasting=self.lasting)
        return again, (self.message, self.provider, self.failure)


class ErrorEnvelope(Wire):
    """The body of every error; `defined` is true for codes that this interface documents."""

    defined: bool
    code: str
    status: int
    message: str
    data: dict[str, Any] | None = None

    @model_serializer(mode="wrap")
    def _without_absent_data(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = write(self)
        if self.data is None:
            written.pop("data", None)
        return written
