"""Failures as answers: one envelope, from wherever an error starts.

What a validator finds wrong with a value is said in sentences, for a person or an agent.
"""

import errno
import logging
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from aiohttp import web
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from finplan.client.request import API_ROOT
from finplan.model import errors
from finplan.model.base import CURRENCY, MONTH
from finplan.model.characters import escaped
from finplan.model.statement import DIRECTION, DIRECTIONS
from finplan.model.user import EMAIL
from finplan.operations.table import find_named_rows

_WHOLE = "This must be a whole number"

_WORDS_BY_TYPE = {
    "extra_forbidden": "This property is unknown",
    "missing": "This property is required",
    "too_short": "This must have at least {min_length} items, not {actual_length}",
    "too_long": "Send at most {max_length} at once, not {actual_length}",
    "string_too_long": "This must have at most {max_length} characters",
    "string_pattern_mismatch": "This must match the pattern {pattern}",
    **dict.fromkeys(("string_type", "string_sub_type"), "This must be a string"),
    "string_unicode": "This must be a string of valid characters",
    "greater_than_equal": "This must be {ge} or more",
    "greater_than": "This must be more than {gt}",
    "less_than_equal": "This must be {le} or less",
    "less_than": "This must be less than {lt}",
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), _WHOLE),
    "int_parsing_size": "This whole number is too large",
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), "This must be a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), "This must be true or false"),
    **dict.fromkeys(("literal_error", "enum"), "This must be {expected}"),
    "none_required": "This must be null",
    **dict.fromkeys(("tuple_type", "list_type"), "This must be a list"),
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "This must be an object"),
    "union_tag_not_found": "This needs the property {discriminator}",
    "union_tag_invalid": "The property {discriminator} must be one of {expected_tags}",
    **dict.fromkeys(
        ("date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact"),
        "Write a day as YYYY-MM-DD",
    ),
}
"""By the validator's name of what is wrong."""

_WORDS_BY_PATTERN = {
    EMAIL: "Write an e-mail address with one @, such as ada@example.org",
    DIRECTION: f"A direction must be {DIRECTIONS}",
    CURRENCY: "Write a currency as three capital letters, such as EUR",
    MONTH: "Write a month as YYYY-MM",
}
"""By the pattern that a text does not follow."""

NOT_KNOWN = _WORDS_BY_TYPE["extra_forbidden"]
"""What is said of a property that stands where it has no meaning."""


def issue_in_words(issue: ErrorDetails) -> str:
    """One thing that is wrong, as a sentence without its end; never repeats a value."""
    kind, context = issue["type"], issue.get("ctx", {})
    if kind == "string_too_short":
        least = context["min_length"]
        return (
            f"This must have at least {least} characters" if least > 1 else "This must not be empty"
        )
    plainer = _WORDS_BY_PATTERN.get(context.get("pattern", "")) or _WORDS_BY_TYPE.get(kind)
    return plainer.format_map(context) if plainer else issue["msg"].removeprefix("Value error, ")


log = logging.getLogger(__name__)

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class InvalidInput(errors.BadRequest):
    """The question does not have its row's shape; `data.issues` says where and why."""

    def __init__(self, issues: list[dict[str, Any]]) -> None:
        super().__init__("Input validation failed", {"issues": issues})


class MalformedBody(errors.BadRequest):
    """The body cannot be read at all."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "The request body cannot be read. Check its format and the `Content-Type` header.",
            {"issues": [{"message": reason, "path": []}]},
        )


class RequestTimeout(errors.Fault):
    """The client stopped sending before the body was complete."""

    code, status = "TIMEOUT", 408
    example = "No more of the request body arrived for 75 seconds. Send the whole request again."

    def __init__(self, patience: float) -> None:
        super().__init__(
            f"No more of the request body arrived for {patience:g} seconds."
            " Send the whole request again."
        )


class ExpectationFailed(errors.Fault):
    """The Expect header has a value other than `100-continue`."""

    code, status = "EXPECTATION_FAILED", 417
    example = "This Expect header is not supported. Send only `100-continue`."

    def __init__(self) -> None:
        super().__init__(self.example)


class UnreadCoding(errors.UnsupportedMediaType):
    """The body has a content encoding that finplan does not support."""

    def __init__(self) -> None:
        super().__init__(
            "This content encoding is not supported. Send the body uncompressed, or compress it with"
            " gzip or deflate."
        )


class InternalServerError(errors.Fault):
    """An unexpected failure."""

    code, status = "INTERNAL_SERVER_ERROR", 500
    example = "finplan failed with an internal error. `finplan daemon logs` shows the cause."

    def __init__(self) -> None:
        super().__init__(self.example)


HTTP_FAULTS = (RequestTimeout, ExpectationFailed)
"""What any request may meet before an operation does, by the ways of HTTP."""

UNDEFINED = (
    *(InvalidInput, MalformedBody),
    *HTTP_FAULTS,
    *(errors.StoreLost, errors.StoreDamaged, InternalServerError),
)
"""Faults that no operation defines: of the question itself, and those that nobody foresaw."""


def unknown_property(name: str) -> InvalidInput:
    """The refusal of a property that stands where it has no meaning."""
    return InvalidInput([{"message": NOT_KNOWN, "path": [name]}])


def repeated_property(name: str) -> InvalidInput:
    """The refusal of a property that is given twice, of which only one could be meant."""
    return InvalidInput([{"message": "Give this property only once", "path": [name]}])


MOST_ISSUES = 100
"""How many issues an answer tells of; nobody mends more at once."""


def refusal_of(error: ValidationError) -> errors.BadRequest:
    """What a caller is told when the question does not validate; never repeats a value."""
    issues = error.errors(include_url=False, include_input=False)[:MOST_ISSUES]
    if issues[0]["type"] == "json_invalid":
        return MalformedBody(issues[0]["msg"])
    within = {issue["loc"][:-1] for issue in issues}
    return InvalidInput(
        [
            {"message": issue_in_words(issue), "path": list(issue["loc"])}
            for issue in issues
            # A list is measured by what of it fits, so one of nothing that fits would be called short.
            if issue["type"] != "too_short" or not _begins(issue["loc"], within)
        ]
    )


def _begins(path: tuple[int | str, ...], others: Iterable[tuple[int | str, ...]]) -> bool:
    return any(longer[: len(path)] == path for longer in others)


def answer_to(error: Exception, request: web.BaseRequest) -> web.Response:
    """The envelope for any failure; one that nobody foresaw is logged with its trace."""
    if isinstance(error, web.HTTPException):
        return _answer_to_http(error, request)
    fault = fault_of(error)
    answer = _sent(envelope_of(fault))
    if isinstance(fault, errors.TooManyRequests) and fault.retry_after is not None:
        answer.headers["Retry-After"] = str(fault.retry_after)
    return answer


def fault_of(error: Exception) -> errors.Fault:
    """What a failure is told as; one that nobody foresaw is logged with its trace."""
    fault = error if isinstance(error, errors.Fault) else _disk_full(error)
    if fault is None:
        log.error("A request failed unexpectedly.", exc_info=error)
        fault = InternalServerError()
    return fault


def envelope_of(fault: errors.Fault) -> errors.ErrorEnvelope:
    """A fault as every surface tells it; `data.see` has the routes of the commands that it names.

    The data of a bank's failure are those of the interface and no more.
    """
    rows = () if isinstance(fault, errors.BankProviderError) else find_named_rows(fault.message)
    see = [f"{row.method} {API_ROOT}{row.path}" for row in rows]
    return errors.ErrorEnvelope(
        defined=not isinstance(fault, UNDEFINED),
        code=fault.code,
        status=fault.status,
        message=fault.message,
        data={**(fault.data or {}), "see": see} if see else fault.data,
    )


def envelope(
    defined: bool, code: str, status: int, message: str, data: dict[str, Any] | None = None
) -> web.Response:
    """Wrap an error; `data` is left out when there is none."""
    return _sent(
        errors.ErrorEnvelope(defined=defined, code=code, status=status, message=message, data=data)
    )


def _sent(envelope: errors.ErrorEnvelope) -> web.Response:
    return web.Response(
        body=escaped(envelope.model_dump_json().encode()),
        status=envelope.status,
        content_type="application/json",
    )


def _answer_to_http(error: web.HTTPException, request: web.BaseRequest) -> web.Response:
    if isinstance(error, web.HTTPNotFound):
        return answer_to(
            errors.NotFound(f"Nothing found at {_path_of(request)}. Check the path."), request
        )
    if isinstance(error, web.HTTPRequestEntityTooLarge):
        return answer_to(
            errors.PayloadTooLarge("The body is larger than 1 MB. Send less data in each request."),
            request,
        )
    if isinstance(error, web.HTTPMethodNotAllowed):
        allowed = ", ".join(sorted(error.allowed_methods))
        text = f"{_path_of(request)} does not support {request.method}. Use {allowed}."
        answer = answer_to(errors.MethodNotSupported(text), request)
        answer.headers["Allow"] = allowed
        return answer
    if isinstance(error, web.HTTPExpectationFailed):
        return answer_to(ExpectationFailed(), request)
    code = error.reason.upper().replace(" ", "_")
    return envelope(defined=False, code=code, status=error.status, message=f"{error.reason}.")


def _path_of(request: web.BaseRequest) -> str:
    return request.path if len(request.path) <= 200 else f"{request.path[:200]}…"


def _disk_full(error: BaseException) -> errors.StorageFull | None:
    for cause in _causes(error):
        full = (
            cause.errno in _DISK_FULL
            if isinstance(cause, OSError)
            else isinstance(cause, sqlite3.OperationalError)
            and getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
        )
        if full:
            return errors.StorageFull(
                "The disk is full, so nothing changed. Free some space, then try again."
            )
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__
