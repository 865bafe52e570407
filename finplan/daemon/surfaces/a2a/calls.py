"""Calls over JSON-RPC 2.0: one in each request, whose failures are told in its answer.

What goes wrong in a call over A2A is told as JSON-RPC tells it (A2A 1.0, 5.4).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from aiohttp import hdrs, web
from pydantic import JsonValue, ValidationError

from finplan.daemon.errors import UnreadCoding, fault_of, refusal_of
from finplan.daemon.middleware import CALLER, LOOK_AGAIN
from finplan.daemon.surfaces.a2a.card import A2A, JSON, PROTOCOL_VERSION
from finplan.daemon.surfaces.mcp.tools.tool import Call, Offered, TableRows
from finplan.daemon.surfaces.mcp.tools.wording import sentence
from finplan.daemon.surfaces.rest.answers import AnswerCache
from finplan.daemon.surfaces.rest.routes import Perform
from finplan.model.characters import escaped
from finplan.model.errors import PayloadTooLarge
from finplan.operations.transaction import QUERY_SPENDING
from finplan.service.context import Caller, Context
from finplan.service.dispatch import check_scope

_ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"
_DOMAIN = "a2a-protocol.org"


class A2aError(Exception):
    """A call that is refused: its code, a sentence for people, and a reason for programs."""

    code = -32603
    reason: str | None = None

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def told(self) -> Mapping[str, Any]:
        """The error as it is sent."""
        details = self.details()
        told: dict[str, Any] = {"code": self.code, "message": self.message}
        return {**told, "data": details} if details else told

    def details(self) -> Sequence[Mapping[str, Any]]:
        """What programs read of it."""
        if self.reason is None:
            return []
        return [{"@type": _ERROR_INFO, "reason": self.reason, "domain": _DOMAIN}]


class UnparsedCall(A2aError):
    """The body is no JSON."""

    code = -32700


class InvalidCall(A2aError):
    """The body is JSON, and no call."""

    code = -32600


class UnknownMethod(A2aError):
    """The method is none of A2A."""

    code = -32601


class InvalidParams(A2aError):
    """The parameters are not those of the method; `violations` are fields with what is wrong."""

    code = -32602

    def __init__(self, message: str, violations: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.violations = violations

    def details(self) -> Sequence[Mapping[str, Any]]:
        """Which fields are wrong, and how."""
        fields = [{"field": field, "description": told} for field, told in self.violations]
        return [{"@type": _BAD_REQUEST, "fieldViolations": fields}] if fields else []


class TaskNotFound(A2aError):
    """The caller has no task of the id; one of somebody else is told in the same words."""

    code, reason = -32001, "TASK_NOT_FOUND"

    def __init__(self) -> None:
        super().__init__("Unknown task. Tasks are kept for thirty days; ListTasks lists yours.")


class TaskNotCancelable(A2aError):
    """The task has ended already."""

    code, reason = -32002, "TASK_NOT_CANCELABLE"


class PushNotificationNotSupported(A2aError):
    """Nobody is told of a task: what is asked is answered at once."""

    code, reason = -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"

    def __init__(self) -> None:
        super().__init__(
            "Push notifications are not supported: each message is answered at once. Remove the push"
            " notification configuration."
        )


class UnsupportedOperation(A2aError):
    """The method is one of A2A and none of finplan's, or the task does not take it any more."""

    code, reason = -32004, "UNSUPPORTED_OPERATION"


class ContentTypeNotSupported(A2aError):
    """Something else than words is sent, or something else than what finplan sends is wanted."""

    code, reason = -32005, "CONTENT_TYPE_NOT_SUPPORTED"


class VersionNotSupported(A2aError):
    """The call is one of another version."""

    code, reason = -32009, "VERSION_NOT_SUPPORTED"

    def __init__(self) -> None:
        super().__init__(
            "Only A2A 1.0 is supported. Send the header `A2A-Version: 1.0`; without this header, "
            "a call is read as 0.3."
        )


def invalid_params(error: ValidationError) -> InvalidParams:
    """The refusal of parameters of another shape; it never repeats a value."""
    data = refusal_of(error).data or {}
    violations = [
        (".".join(map(str, issue["path"])) or "params", issue["message"])
        for issue in data.get("issues", ())
    ]
    return InvalidParams("Invalid parameters for this method.", violations)


LARGEST_CALL: Final = 64 * 1024
"""Bytes: no question in words is near it."""

VERSION: Final = "A2A-Version"

_READ_CODINGS = ("identity", "gzip", "deflate")
_JSON_TYPES = (JSON, "application/a2a+json")
_SPOKEN = re.compile(rf"\s*{re.escape(PROTOCOL_VERSION)}(?:\.[0-9]+)?\s*")

CallId = str | int | None


@dataclass(frozen=True, slots=True)
class A2aCall:
    """A call as it came: what its answer is known by, the method and its parameters."""

    id: CallId
    method: str
    params: Mapping[str, JsonValue]


def add_routes(
    router: web.UrlDispatcher,
    context_of: Callable[[Caller], Context],
    perform: Perform,
    answers: AnswerCache,
) -> None:
    """Add the address of the calls, with and without a slash, which clients add to it."""
    rows = TableRows(perform, answers)

    async def answer(request: web.Request) -> web.StreamResponse:
        caller = request[CALLER]
        check_scope(caller, QUERY_SPENDING)
        body = await _body(request)
        # The credential may have ended while the body came.
        await request[LOOK_AGAIN](request)
        told = await _answer(
            request, Call(context_of(caller), rows.ask, _unreported, _nobody), body
        )
        content = escaped(json.dumps(told, ensure_ascii=False).encode("utf-8", "backslashreplace"))
        return web.Response(
            body=content, content_type=JSON, headers={hdrs.CACHE_CONTROL: "no-store"}
        )

    for path in (A2A, f"{A2A}/"):
        router.add_post(path, answer)


async def _answer(request: web.Request, call: Call, body: bytes) -> Mapping[str, Any]:
    known: CallId = None
    try:
        asked = _read(request, body)
        known = _id_of(asked)
        if _SPOKEN.fullmatch(_version(request)) is None:
            raise VersionNotSupported
        return {"jsonrpc": "2.0", "id": known, "result": await _performed(call, _call_of(asked))}
    except A2aError as error:
        return {"jsonrpc": "2.0", "id": known, "error": error.told()}


async def _performed(call: Call, asked: A2aCall) -> Mapping[str, Any]:
    # What answers is loaded when it is first asked: most daemons never are.
    from finplan.daemon.surfaces.a2a.methods import METHODS

    method = METHODS.get(asked.method)
    if method is None:
        known = ", ".join(sorted(METHODS))
        raise UnknownMethod(f"Unknown A2A 1.0 method. Use one of {known}.")
    try:
        return await method(call, asked.params)
    except A2aError:
        raise
    except Exception as error:
        raise A2aError(sentence(fault_of(error).message)) from error


def _read(request: web.Request, body: bytes) -> Mapping[str, JsonValue]:
    if request.content_type not in _JSON_TYPES:
        raise ContentTypeNotSupported("Send the call as application/json.")
    try:
        asked = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise UnparsedCall("The body is not JSON in UTF-8.") from None
    if isinstance(asked, list):
        raise InvalidCall("Batch calls are not supported. Send one call at a time.")
    if not isinstance(asked, dict):
        raise InvalidCall("A call must be a JSON object.")
    return asked


def _refuse_constant(_name: str) -> NoReturn:
    raise ValueError


def _id_of(asked: Mapping[str, JsonValue]) -> CallId:
    known = asked.get("id")
    if "id" not in asked or isinstance(known, bool) or not isinstance(known, str | int | None):
        raise InvalidCall("A call needs an `id`: a string or an integer.")
    return known


def _call_of(asked: Mapping[str, JsonValue]) -> A2aCall:
    method, params = asked.get("method"), asked.get("params", {})
    if asked.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise InvalidCall('A call needs `jsonrpc`: "2.0", and a `method`.')
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise InvalidParams("Parameters must be a JSON object.")
    return A2aCall(_id_of(asked), method, params)


def _version(request: web.Request) -> str:
    """The version that is asked for; nothing stands for 0.3, which is not spoken here."""
    return request.headers.get(VERSION) or request.query.get(VERSION, "")


async def _body(request: web.Request) -> bytes:
    """The body, of which no more is held than may come. Raises PayloadTooLarge."""
    if request.headers.get(hdrs.CONTENT_ENCODING, "identity").lower() not in _READ_CODINGS:
        raise UnreadCoding
    body = b""
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > LARGEST_CALL:
            raise PayloadTooLarge("A call can have at most 64 KB. Ask one short question.")
    return body


async def _unreported(_done: int, _total: int, _step: str) -> None:
    """Nobody waits for how far a call is: it is answered at once."""


async def _nobody(_question: str, _offered: tuple[Offered, ...]) -> str | None:
    """Nobody can be asked in the middle of a call; what is unclear is asked back in its task."""
    return None
